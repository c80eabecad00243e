// Sizes that nobody gave: what is right at its instance and check sizes and wrong elsewhere is refuted, by an
// execution.
#include <gtest/gtest.h>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::all_sizes_test {
namespace {

// A body of `f(const int* x, int* y, int n)` with `int i` as the thread's number in the launch and `int t` in its
// block; the store goes through a hole that has one completion.
struct Body {
  const char* name;
  const char* directives;  // lines without their `#pragma swizzle`
  const char* body;
  const char* spec;  // of y[i], for i < n
};

std::string sketch_of(const Body& b) {
  std::string text;
  std::istringstream lines(b.directives);
  for (std::string line; std::getline(lines, line, ';');) text += "#pragma swizzle " + line + "\n";
  return text +
         "__global__ void f(const int* x, int* y, int n) {\n"
         "  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, swapped = ?sw_xform(t % 32, 32);\n" +
         b.body + "\n}\n";
}

ToolResult run_body(const Body& b, const std::string& more = "") {
  const ScratchFolder scratch;
  const std::string spec =
      std::string("void f(const int* x, int* y, int n) {\n  for (int i = 0; i < n; i++) ") + b.spec + "\n}\n";
  return run_tool(fmt::format("'{}' --spec '{}' --run=none {}", scratch.write("sketch.cu", sketch_of(b)),
                              scratch.write("spec.cpp", spec), more));
}

constexpr const char* kWhole = "launch grid(n / 64) block(64);instance n = 64;check n = 192";
constexpr const char* kRagged = "launch grid((n + 63) / 64) block(64);instance n = 64;check n = 192";

class Refuted : public testing::TestWithParam<Body> {};

TEST_P(Refuted, IsTheKernelThatFitsItsSizesByChance) {
  const ToolResult r = run_body(GetParam());
  ASSERT_EQ(r.exit_code, 3) << r.output;
  const auto& all = r.report["checked"]["all_sizes"];
  EXPECT_EQ(all["outcome"], "refuted");
  EXPECT_TRUE(all["counterexample"]["n"].is_number_integer()) << all;
  EXPECT_NE(r.report["reason"].get<std::string>().find("which is none of the sizes given"), std::string::npos);
  EXPECT_NE(r.output.find("#pragma swizzle assume"), std::string::npos) << r.output;
  EXPECT_TRUE(r.kernel.empty());
  EXPECT_EQ(run_body(GetParam(), "--proof=posed").exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(
    AllSizes, Refuted,
    testing::Values(
        Body{"MaskForARemainder", "launch grid((n + 63) / 64) block(64);instance n = 64;check n = 128",
             "if (i < n) y[i - t % 32 + swapped] = x[i] + (n & 63);", "y[i] = x[i];"},
        Body{"MaskOfTheSize", "launch grid(n / 48) block(48);instance n = 192;check n = 384",
             "y[i] = x[i - t % 16 + swapped % 16] + (n & 63);", "y[i] = x[i];"},
        Body{"NoGuardAtTheRaggedEdge", kRagged, "y[i - t % 32 + swapped] = x[i];", "y[i] = x[i];"},
        Body{"GuardOneTooFar", "launch grid((n + 64) / 64) block(64);instance n = 63;check n = 127",
             "if (i <= n && i % 64 < 63 || i < n) y[i] = x[i - t % 32 + swapped];", "y[i] = x[i];"},
        Body{"GuardOneTooNear", "launch grid((n + 63) / 64) block(64);instance n = 64;check n = 128",
             "if (i < n - (n % 2)) y[i] = x[i - t % 32 + swapped];", "y[i] = x[i];"},
        Body{"GuardOfAWholeBlock", kRagged, "if (i / 64 < n / 64) y[i] = x[i - t % 32 + swapped];", "y[i] = x[i];"},
        Body{"GuardByWarps", kRagged, "if (i - t % 32 + 31 < n) y[i] = x[i - t % 32 + swapped];", "y[i] = x[i];"},
        Body{"ConstantSize", "launch grid(n / 64) block(64);instance n = 64;check n = 64",
             "if (i < 64) y[i] = x[i - t % 32 + swapped];", "y[i] = x[i];"},
        Body{"ConstantEnd", kWhole, "y[i] = x[i - t % 32 + swapped] + (i == 255);", "y[i] = x[i];"},
        Body{"ConstantOffset", kWhole, "y[i] = x[(i - t % 32 + swapped + 192) % n];", "y[i] = x[i];"},
        Body{"MirrorOfAConstant", "launch grid(n / 64) block(64);instance n = 64",
             "y[i - t + 63 - t % 64] = x[i - t % 32 + swapped];", "y[i] = x[n - 1 - i];"},
        Body{"BlockThatSkipsTheLastRow", kWhole, "if (blockIdx.x < 3) y[i] = x[i - t % 32 + swapped];", "y[i] = x[i];"},
        Body{"BlockThatIsAlwaysTheFirst", "launch grid(n / 64) block(64);instance n = 64",
             "y[t] = x[t - t % 32 + swapped];", "y[i] = x[i];"},
        Body{"OddBlocks", "launch grid(n / 64) block(64);instance n = 64;check n = 64",
             "y[i] = x[i - t % 32 + swapped] + blockIdx.x % 2;", "y[i] = x[i];"},
        Body{"PowersOfTwo", "launch grid(n / 64) block(64);instance n = 64;check n = 256",
             "y[i] = x[(i - t % 32 + swapped) & (n - 1)];", "y[i] = x[i];"},
        Body{"WrapOfAConstant", kWhole, "y[i] = x[(i - t % 32 + swapped) % 192];", "y[i] = x[i];"},
        Body{"HalvesOfAnOddSize", "launch grid((n + 63) / 64) block(64);instance n = 64;check n = 128",
             "if (i < n / 2 * 2) y[i] = x[i - t % 32 + swapped];", "y[i] = x[i];"},
        Body{"ClampAtAConstant", kWhole, "y[i] = x[min(i - t % 32 + swapped, 255)];", "y[i] = x[i];"},
        Body{"LoadBehindTheEnd", "launch grid((n + 63) / 64) block(64);instance n = 64;check n = 128",
             "int v = x[i - t % 32 + swapped]; if (i < n) y[i] = v;", "y[i] = x[i];"},
        Body{"StrideOfTheGivenBlocks", "launch grid(1) block(64);instance n = 64;check n = 128",
             "for (int k = i; k < 64 * (n / 64); k += 64) y[k] = x[k - t % 32 + swapped];", "y[i] = x[i];"},
        Body{"FewIterations", "launch grid(1) block(64);instance n = 64;check n = 192",
             "for (int k = 0; k < 3; k++) if (64 * k + t < n) y[64 * k + t] = x[64 * k + t - t % 32 + swapped];",
             "y[i] = x[i];"},
        Body{"PrimesOfBlocks", "launch grid(n / 64) block(64);instance n = 128;check n = 384",
             "const int half = n / 128 * 128; if (i < half) y[i] = x[i - t % 32 + swapped];", "y[i] = x[i];"}),
    [](const auto& info) { return std::string(info.param.name); });

// Of the other choices of the hole, one is right everywhere.
TEST(AllSizes, ASizeThatRefutesACompletionIsPosedToo) {
  const Body turned{"", "launch grid(n / 64) block(64);instance n = 64",
                    "const int turns = n / 64; y[i] = __shfl_sync(~0u, x[i], ?sw_xform(t % 32, 32, turns));",
                    "y[i] = x[i / 32 * 32 + (i + n / 64) % 32];"};
  ToolResult r = run_body(turned);
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
  ASSERT_EQ(r.report["checked"]["posed"].size(), 2u) << r.report["checked"];
  EXPECT_EQ(r.report["checked"]["posed"][0], "n=64");
  EXPECT_NE(r.output.find("which is none of the sizes given, y["), std::string::npos) << r.output;
  EXPECT_NE(r.output.find("; this size is posed, too"), std::string::npos) << r.output;
  EXPECT_NE(r.kernel.find("+ turns"), std::string::npos) << r.kernel;
  r = run_body({"", "launch grid(n / 64) block(64);instance n = 64;check n = 320", turned.body, turned.spec});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["checked"]["posed"], (nlohmann::json{"n=64", "n=320"}));
  EXPECT_NE(r.output.find("at n=320, y["), std::string::npos) << r.output;
}

// Nothing says that n, which the launch does not name, is 100 alone; and nothing that it is more.
TEST(AllSizes, ASizeThatNothingExcludesIsPosedToo) {
  const std::string launch = "launch grid(1) block(64);instance n = 100";
  const std::string rounds =
      "for (int k = 0; k < (n + ?sw_const(0, 64)) / 64; k++) if (64 * k + t < n) y[64 * k + t] = x[64 * k + t];";
  ToolResult r = run_body({"", launch.c_str(), rounds.c_str(), "y[i] = x[i];"});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.kernel.find("(n + 63) / 64"), std::string::npos) << r.kernel;
  EXPECT_NE(r.output.find("; this size is posed, too"), std::string::npos) << r.output;
  r = run_body({"", launch.c_str(), "for (int k = t; k < n; k += 64) y[k] = n < 100 ? 7 : x[?sw_xform(k, 128)];",
                "y[i] = x[i];"});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["checked"]["all_sizes"]["outcome"], "proved");
  EXPECT_EQ(r.report["checked"]["all_sizes"]["holds_for"], "n == 100");
  EXPECT_FALSE(r.report["checked"]["all_sizes"]["counterexample"].is_null());
  EXPECT_NE(r.output.find(", and nothing says that the kernel is not for this size"), std::string::npos) << r.output;
  EXPECT_FALSE(r.kernel.empty());
}

// Whether another one is right everywhere is not known where the search for it ends so.
TEST(AllSizes, ASizeAtWhichNothingWasFoundLeavesItOpen) {
  const ToolResult r = run_body(
      {"", "launch grid((n + 31) / 32) block(32);instance n = 32;extent x(n + 4096)",
       "if (i < n) y[i] = x[?sw_expr(0, 1024, i)];", "y[i] = x[i < 40 ? i : (i * i * 3 + i / 7 + (i ^ 5) * 11) % 97];"},
      "--time-limit 8");
  EXPECT_EQ(r.exit_code, 20) << r.output;
  EXPECT_NE(r.output.find("which is none of the sizes given, y[40] is x[40]"), std::string::npos) << r.output;
  EXPECT_NE(r.output.find("; of others, every expression"), std::string::npos) << r.output;
}

class NotRefuted : public testing::TestWithParam<Body> {};

TEST_P(NotRefuted, IsTheKernelWhoseSizesAreItsOwn) {
  const ToolResult r = run_body(GetParam());
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.report["checked"]["all_sizes"]["outcome"], "refuted");
  EXPECT_FALSE(r.kernel.empty());
}

INSTANTIATE_TEST_SUITE_P(
    AllSizes, NotRefuted,
    testing::Values(Body{"OfWholeBlocks", kWhole, "y[i] = x[i - t % 32 + swapped];", "y[i] = x[i];"},
                    Body{"Guarded", kRagged, "if (i < n) y[i] = x[min(i - t % 32 + swapped, n - 1)];", "y[i] = x[i];"},
                    Body{"AssumedEven",
                         "launch grid((n + 63) / 64) block(64);instance n = 64;check n = 128;assume n % 2 == 0",
                         "if (i < n / 2 * 2) y[i] = x[min(i - t % 32 + swapped, n - 1)];", "y[i] = x[i];"},
                    Body{"AssumedSmall",
                         "launch grid(n / 64) block(64);instance n = 64;check n = 192;assume n < 200, n > 0",
                         "y[i] = x[(i - t % 32 + swapped) % 192];", "y[i] = x[i];"},
                    Body{"OfOneSize", "launch grid(1) block(64);instance n = 64", "y[i] = x[i - t % 32 + swapped];",
                         "y[i] = x[i];"},
                    Body{"OverlappingTiles", "launch grid((n - 2) / 62) block(64);instance n = 64;check n = 126",
                         "const int at = blockIdx.x * 62 + t; if (t < 62) y[at] = x[at - t % 32 + swapped];",
                         "if (i < n - 2) y[i] = x[i];"}),
    [](const auto& info) { return std::string(info.param.name); });

struct Holds {
  Body body;
  const char* holds_for;
};
class Proved : public testing::TestWithParam<Holds> {};

TEST_P(Proved, IsTheKernelThatIsRightEverywhere) {
  const ToolResult r = run_body(GetParam().body);
  ASSERT_EQ(r.exit_code, 0) << r.output;
  const auto& all = r.report["checked"]["all_sizes"];
  EXPECT_EQ(all["outcome"], "proved") << all["reason"];
  EXPECT_EQ(all["holds_for"], GetParam().holds_for);
  EXPECT_TRUE(all["tried"].empty());
  EXPECT_NE(r.kernel.find("\n// equal to the spec for every "), std::string::npos) << r.kernel;
}

constexpr const char* kOfBlocks = "n % 64 == 0, 64 <= n <= 2147483584";

INSTANTIATE_TEST_SUITE_P(
    AllSizes, Proved,
    testing::Values(
        Holds{{"WholeBlocks", kWhole, "y[i] = x[i - t % 32 + swapped];", "y[i] = x[i];"}, kOfBlocks},
        Holds{{"RaggedEdge", kRagged, "if (i < n) y[i] = x[min(i - t % 32 + swapped, n - 1)];", "y[i] = x[i];"},
              "1 <= n <= 2147483584"},
        Holds{{"Neighbours", kRagged, "if (i < n) y[i] = x[min(i - t % 32 + swapped, n - 1)] + (i > 0 ? x[i - 1] : 0);",
               "y[i] = x[i] + (i > 0 ? x[i - 1] : 0);"},
              "1 <= n <= 2147483584"},
        Holds{{"Remainders", kWhole, "y[i] = x[i - t % 32 + swapped] * (i % 3);", "y[i] = x[i] * (i % 3);"}, kOfBlocks},
        Holds{{"Ldmatrix", kWhole,
               "__shared__ __align__(16) int s[64]; s[t] = x[i - t % 32 + swapped]; __syncthreads(); unsigned r;"
               "asm volatile(\"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];\" : \"=r\"(r)"
               " : \"r\"((unsigned)__cvta_generic_to_shared(s) + t / 32 * 128 + t % 8 * 16)); y[i] = r;",
               "y[i] = x[i];"},
              kOfBlocks},
        Holds{{"Stmatrix", kWhole,
               "__shared__ __align__(16) int s[64]; unsigned r = x[i - t % 32 + swapped];"
               "asm volatile(\"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};\" :"
               " : \"r\"((unsigned)__cvta_generic_to_shared(&s[t / 32 * 32 + t % 8 * 4])), \"r\"(r));"
               " __syncthreads(); y[i] = s[t];",
               "y[i] = x[i];"},
              kOfBlocks},
        Holds{{"Bits", kWhole, "y[i] = x[(i & ~31) | swapped];", "y[i] = x[i];"}, kOfBlocks},
        Holds{{"SizesAmongData", kWhole, "y[i] = x[i - t % 32 + swapped] + n;", "y[i] = x[i] + n;"}, kOfBlocks},
        Holds{{"StoresOfOthers", kWhole, "y[i] = x[i - t % 32 + swapped]; y[i ^ 1] = x[i ^ 1];", "y[i] = x[i];"},
              kOfBlocks},
        Holds{{"SharedMemory", kWhole,
               "__shared__ int s[64]; s[t] = x[i - t % 32 + swapped]; __syncthreads(); y[i] = s[63 - t];",
               "y[i] = x[i / 64 * 64 + 63 - i % 64];"},
              kOfBlocks},
        Holds{{"Mirror", kWhole, "y[i] = x[n - 1 - i + t % 32 - swapped];", "y[i] = x[n - 1 - i];"}, kOfBlocks},
        Holds{{"WideIndices", kWhole, "y[i] = x[i * 4 - 4 * (t % 32) + 4 * swapped];", "y[i] = x[4 * i];"},
              "n % 64 == 0, 64 <= n <= 536870912"},
        Holds{{"GridStride", "launch grid(1) block(64);instance n = 64;check n = 128",
               "for (int k = t; k < n; k += 64) y[k] = x[k - t % 32 + swapped];", "y[i] = x[i];"},
              "1 <= n <= 2147483584"}),
    [](const auto& info) { return std::string(info.param.body.name); });

// Right at all sizes that anybody tries.
class NotProved : public testing::TestWithParam<Body> {};

TEST_P(NotProved, IsTheKernelThatIsWrongFarAway) {
  const ToolResult r = run_body(GetParam());
  const auto& all = r.report["checked"]["all_sizes"];
  EXPECT_NE(all["outcome"], "proved") << all;
  EXPECT_FALSE(all["reason"].get<std::string>().empty());
  EXPECT_EQ(r.kernel.find("\n// equal to the spec for every n"), std::string::npos) << r.kernel;
}

INSTANTIATE_TEST_SUITE_P(
    AllSizes, NotProved,
    testing::Values(
        Body{"MatricesOfTheFirstBlocks", kWhole,
             "__shared__ __align__(16) int s[64]; s[t] = x[i - t % 32 + swapped]; __syncthreads(); unsigned r;"
             "const int row = blockIdx.x < 100000 ? t % 8 * 4 : 0;"
             "asm volatile(\"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];\" : \"=r\"(r)"
             " : \"r\"((unsigned)__cvta_generic_to_shared(&s[t / 32 * 32 + row]))); y[i] = r;",
             "y[i] = x[i];"},
        Body{"SpecAndKernelBeforeTheStart", "launch grid(n / 64) block(64);instance n = 64",
             "y[i - t % 32 + swapped] = x[i + 64 - n];", "y[i] = x[i + 64 - n];"},
        Body{"AMillion", kWhole, "if (i < 1000000) y[i] = x[i - t % 32 + swapped];", "y[i] = x[i];"},
        Body{"SixteenBits", kWhole, "y[(unsigned short)i] = x[i - t % 32 + swapped];", "y[i] = x[i];"},
        Body{"ProductThatOverflows", kWhole, "y[i] = x[(i - t % 32 + swapped) * 40 / 40];", "y[i] = x[i];"},
        Body{"ManyBlocks", kWhole, "if (blockIdx.x < 100000) y[i] = x[i - t % 32 + swapped];", "y[i] = x[i];"},
        Body{"LastOfManyBlocks", kWhole,
             "if (blockIdx.x + 1 < gridDim.x || gridDim.x < 9000) y[i] = x[i - t % 32 + swapped];", "y[i] = x[i];"},
        Body{"NeighbourWritten", kWhole, "y[i] = x[i - t % 32 + swapped]; if (i > 500000) y[i - 1] = x[i];",
             "y[i] = x[i];"},
        Body{"RegisterLeftUndefined", kWhole, "int v; if (i < 100000) v = x[i - t % 32 + swapped]; y[i] = v;",
             "y[i] = x[i];"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(AllSizes, OnesThatBreakAnAssumptionAreBadInput) {
  const ToolResult r = run_body({"", "launch grid(n / 64) block(64);instance n = 64;assume n % 128 == 0",
                                 "y[i] = x[i - t % 32 + swapped];", "y[i] = x[i];"});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("this does not hold at n=64"), std::string::npos) << r.output;
}

TEST(AllSizes, AnAssumptionIsAComparison) {
  const ToolResult r = run_body({"", "launch grid(n / 64) block(64);instance n = 64;assume n % 64",
                                 "y[i] = x[i - t % 32 + swapped];", "y[i] = x[i];"});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("expected a comparison of sizes"), std::string::npos) << r.output;
}

}  // namespace
}  // namespace swizzle::test::all_sizes_test
