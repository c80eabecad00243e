// ?sw_const: integers that decide what is fetched, how often, and into how many registers.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::constants_test {
namespace {

struct Expected {
  const char* name;
  std::vector<std::string> constants;
};

class Loading : public testing::TestWithParam<Expected> {};

TEST_P(Loading, IsByConstants) {
  const ToolResult r = run_pair(GetParam().name, "--run=none --proof=posed");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  std::vector<std::string> constants;
  for (const auto& hole : r.report["holes"])
    if (hole["kind"] == "sw_const") constants.push_back(hole["expression"]);
  EXPECT_EQ(constants, GetParam().constants);
  EXPECT_LT(r.report["search_space"]["distinct"], r.report["search_space"]["raw"]);
}

INSTANTIATE_TEST_SUITE_P(TakesTheFewestRegisters, Loading,
                         testing::Values(Expected{"stencil1d_load", {"2", "0"}}, Expected{"dilated1d_load", {"6", "2"}},
                                         Expected{"conv1d_stride2_load", {"2", "2"}},
                                         Expected{"stencil2d_3x3_load", {"8", "2", "2"}}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Loading, ThatCannotServeIsExplainedByWhatComesClosest) {
  const ToolResult r = run_pair("infeasible_load", "--run=none");
  EXPECT_EQ(r.exit_code, 10) << r.output;
  EXPECT_EQ(r.report["outcome"], "infeasible");
  EXPECT_NE(
      r.output.find(
          "none of the 32 values of ?sw_const has a completion; with ?sw_const at 9:34 = 1 and at 9:54 = 2, which comes closest, y[0], written by thread 0, needs x[0]"),
      std::string::npos)
      << r.output;
  EXPECT_TRUE(r.kernel.empty());
}

class Constants : public testing::TestWithParam<Sketch> {};

TEST_P(Constants, AreFoundRereadAndRun) { expect_verified(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Each, Constants,
    testing::Values(
        Sketch{"Index", "  y[t] = x[(t + ?sw_const(-8, 8)) & 31];", kRotated, kRuns},
        Sketch{
            "Delta",
            "  int v = x[t], w = __shfl_down_sync(~0u, v, ?sw_const(0, 8)), u = __shfl_sync(~0u, v, t + ?sw_const(-32, 0)); y[t] = t < 29 ? w : u;"},
        Sketch{"LoopBound", R"(
  int i = t; for (int k = 0; k < ?sw_const(0, 9); k++) i = i == 31 ? 0 : i + 1; y[t] = x[i];
)"},
        Sketch{
            "Constexpr",
            "  constexpr int kShift = ?sw_const(0, 9), kTwo = 2;\n  constexpr int kCount = kShift * kTwo - 4;\n  int r[kCount]; for (int i = 0; i < kCount; i++) r[i] = x[(t + kShift) & 31]; y[t] = r[kCount - 1];"},
        Sketch{"Coefficient", "  int v = x[(t + 3) % 32]; y[t] = v * ?sw_const(-3, 3) + v * 2;"},
        Sketch{"Condition", "  if (t < ?sw_const(20, 32)) y[t] = x[t + 3]; else y[t] = x[t - 29];"},
        Sketch{"SharedArray", R"(
  __shared__ int s[?sw_const(30, 40)]; s[t] = x[t]; if (t < 3) s[32 + t] = x[t]; __syncthreads();
  y[t] = s[t + 3];
)",
               kRotated, kRuns},
        Sketch{"NameOfAnotherHolesSize", "  const int lanes = ?sw_const(31, 34); y[t] = x[?sw_xform(t, lanes)];"},
        Sketch{"InAFunction", R"(
__device__ int next(int i) { return (i + ?sw_const(0, 8)) % 32; }
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = x[next(t)]; }
)"},
        Sketch{"InATemplate", R"(
template <int N> __device__ int next(int i) { return (i + ?sw_const(0, 8)) % N; }
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = x[next<32>(next<64>(t))]; }
)",
               "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 6) % 32]; }\n"},
        Sketch{"InAMacroArgument", R"(
#define IDENTITY(v) (v)
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = x[(t + IDENTITY(?sw_const(0, 8))) % 32]; }
)"},
        Sketch{"SliceOfLoad", R"(
#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
__global__ void f(const int* x, int* y, int n) {
  const int lane = threadIdx.x % 32, base = blockIdx.x * blockDim.x + threadIdx.x - lane;
  auto rc = load(x, base * ?sw_const(0, 4), ?sw_const(1, 5), ?sw_const(1, 5));
  y[base + lane] = rc[0] + rc[1]; }
)",
               "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[2 * i] + x[2 * i + 1]; }\n",
               kRuns},
        Sketch{"StoreOfLoad", R"(
#pragma swizzle extent x(n) y(n)
__global__ void f(const int* x, int* y, int n) {
  const int count = ?sw_const(1, 4);
  auto rc = load(x, 0, 1, count);
  store(y, 0, 1, count, rc); }
)",
               "void f(const int* x, int* y, int n) { for (int i = 0; i < 32; i++) y[i] = x[i]; }\n", kRuns}),
    [](const auto& info) { return std::string(info.param.name); });

std::string kernel_of(const std::string& body) { return run_sketch(Sketch{"", body}).kernel; }

TEST(Constants, StandInSumsAsAnEngineerWritesThem) {
  EXPECT_NE(kernel_of("  y[t] = x[(t + ?sw_const(0, 8)) % 32];").find("x[(t + 3) % 32]"), std::string::npos);
  EXPECT_NE(kernel_of("  y[t] = x[(t + 32 + ?sw_const(-29, 0)) % 32];").find("x[(t + 32 - 29) % 32]"),
            std::string::npos);
  EXPECT_NE(kernel_of("  y[t] = x[(t + 3 + ?sw_const(0, 8)) % 32];").find("x[(t + 3) % 32]"), std::string::npos);
  EXPECT_NE(kernel_of("  y[t] = x[(t + 35 + ?sw_const(-1, 0) * 32) % 32];").find("x[(t + 35 + (-1) * 32) % 32]"),
            std::string::npos);
  EXPECT_NE(kernel_of("  y[t] = x[(t - ?sw_const(-3, 0) ) % 32];").find("x[(t - (-3) ) % 32]"), std::string::npos);
}

// Of the file, too, and the first to be named in an array's type.
TEST(Constants, OfTheFileAreLengthsOfArrays) {
  expect_verified({"",
                   "const int kCount = ?sw_const(1, 5);\n"
                   "#pragma swizzle extent x(n + 128)\n"
                   "__global__ void f(const int* x, int* y, int n) {\n  const int t = threadIdx.x;\n  int r[kCount];\n"
                   "  for (int k = 0; k < kCount; k++) r[k] = x[t + 32 * k];\n  y[t] = r[?sw_const(0, 5)];\n}\n",
                   "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i + 64]; }\n"});
}

TEST(Constants, JobsGiveTheSameKernel) {
  const ToolResult one = run_pair("stencil2d_3x3_load", "--run=none"),
                   four = run_pair("stencil2d_3x3_load", "--run=none --jobs 4");
  ASSERT_EQ(one.exit_code, 0) << one.output;
  EXPECT_EQ(four.kernel, one.kernel);
  EXPECT_EQ(four.report["search_space"], one.report["search_space"]);
}

TEST(Constants, AllListsThoseOfEveryValue) {
  const ScratchFolder scratch;
  const std::string sketch = scratch.write(
      "sketch.cu",
      "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
      "__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = x[(t + ?sw_const(0, 64)) % 32]; }\n");
  const ToolResult r =
      run_tool(fmt::format("'{}' --spec '{}' --run=none --all", sketch, scratch.write("spec.cpp", kRotated)));
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.output.find("completion 1, cost 8\n  3\ncompletion 2, cost 8\n  35\n"), std::string::npos) << r.output;
  EXPECT_EQ(r.output.find("completion 3"), std::string::npos) << r.output;
}

// Where the bits of an operation cannot be followed under some values, nothing is said of these.
TEST(Constants, ThatLeadToWhatIsNotFollowedAreNotRuledOut) {
  const auto run = [](const std::string& value, const std::string& expected) {
    return run_sketch(
        {"",
         "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle bits(x, y)\n"
         "__global__ void f(const unsigned* x, unsigned* y) {\n  const int t = threadIdx.x;\n"
         "  const unsigned v = x[t] & 15;\n  y[t] = " +
             value + ";\n}\n",
         "void f(const unsigned* x, unsigned* y) {\n  for (int t = 0; t < 32; t++) { const unsigned v = x[t] & "
         "15; y[t] = " +
             expected + "; }\n}\n"});
  };
  const std::string extended = "(v & 8) ? (v | 0xfffffff0u) : v";
  const ToolResult sign = run("(v ^ ?sw_const(0, 32)) - ?sw_const(0, 32)", extended);
  EXPECT_EQ(sign.exit_code, 20) << sign.output;
  EXPECT_NE(sign.output.find("at 6:10, the bits of this '-' cannot be followed"), std::string::npos) << sign.output;
  const ToolResult chosen = run("?sw_choose((v ^ 8) - 8, v)", extended);
  EXPECT_EQ(chosen.exit_code, 20) << chosen.output;
  EXPECT_NE(chosen.output.find("with ?sw_choose at 6:10 = 0"), std::string::npos) << chosen.output;
  // What is found may not be the cheapest.
  const ToolResult found = run("?sw_choose((v ^ 8) - 8, v ^ (v << 1 & 2))", "v ^ (v << 1 & 2)");
  ASSERT_EQ(found.exit_code, 0) << found.output;
  EXPECT_EQ(found.report["optimality"], "best_found");
  EXPECT_EQ(run("?sw_choose(v ^ 8, v)", extended).exit_code, 10);
}

// A value that a constant and another one decide together is followed where both are known.
TEST(Constants, ThatAreFollowedTogetherAloneAreFoundTogether) {
  expect_verified(
      {"",
       "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle bits(x, y)\n"
       "__global__ void f(const unsigned* x, unsigned* y) {\n  const int t = threadIdx.x;\n"
       "  const unsigned a = x[t], h = a & 0x80808080u;\n"
       "  y[t] = (a << 1 & 0xfefefefeu) ^ (h >> ?sw_const(0, 32)) * ?sw_const(24, 32);\n}\n",
       "void f(const unsigned* x, unsigned* y) {\n  for (int t = 0; t < 32; t++)\n    y[t] = (x[t] << 1 & 0xfefefefeu) ^ "
       "(x[t] >> 7 & 0x01010101u) * 27u;\n}\n"});
}

// Within an `if constexpr`, and as what it asks.
TEST(ConstantsInIfConstexpr, AreFound) {
  const std::string reversed =
      "void f(const int* x, int* y, int n) { for (int i = 0; i < 32; i++) y[i] = x[31 - i]; }\n";
  for (const char* body :
       {"if constexpr (true) y[t] = x[?sw_const(0, 40) - t];",
        "if constexpr (?sw_const(0, 64) > 40) { y[t] = x[31 - t]; } else { y[t] = x[t]; }",
        "constexpr int C = ?sw_const(0, 64); if constexpr (C > 40) y[t] = x[31 - t]; else y[t] = x[t];"})
    expect_verified({"", body, reversed});
}

}  // namespace
}  // namespace swizzle::test::constants_test
