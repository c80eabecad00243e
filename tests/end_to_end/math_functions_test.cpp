// What CUDA's math API has: words taken as shorts or bytes, directions of rounding, C++'s names, lanes that are alike,
// and what a sketch cannot have.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::math_functions_test {
namespace {

constexpr const char* kLaunch = "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n";

// `value` of the neighbour's a, b, c, d and of the lane t.
std::string kernel(const std::string& type, const std::string& value, const std::string& before = "") {
  return before + kLaunch + "__global__ void f(const " + type + "* x, " + type +
         "* y, int n) {\n  const int t = threadIdx.x;\n  const " + type +
         " a = x[t], b = __shfl_sync(~0u, a, ?sw_xform(t, 32));\n  y[t] = " + value + ";\n}\n";
}
std::string spec(const std::string& type, const std::string& value, const std::string& before = "") {
  return before + "void f(const " + type + "* x, " + type +
         "* y, int n) {\n  for (int t = 0; t < 32; t++) {\n    const " + type +
         " a = x[t], b = x[(t + 1) % 32];\n    y[t] = " + value + ";\n  }\n}\n";
}

class MathFunctions : public testing::TestWithParam<Sketch> {};

TEST_P(MathFunctions, AreFoundRereadAndRun) { expect_verified(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    OfCuda, MathFunctions,
    testing::Values(
        Sketch{"PartsOfWords", kernel("unsigned", "__vadd4(a, b) + __vmaxs2(a, b) * __vcmpeq4(b, a) + __vsadu4(b, 7)"),
               spec("unsigned", "__vadd4(a, b) + __vmaxs2(a, b) * __vcmpeq4(b, a) + __vsadu4(b, 7)"), kRuns},
        Sketch{"SumsWithExtrema", kernel("int", "__viaddmax_s32(a, b, 3) + __vimin3_s32(a, b, t) + __hadd(a, b)"),
               spec("int", "std::max(a + b, 3) + std::min(std::min(a, b), t) + __hadd(a, b)", "#include <algorithm>\n"),
               kRuns},
        Sketch{"RoundedToNearest", kernel("float", "__fadd_rn(__fmul_rn(a, b), __int2float_rn(t))"),
               spec("float", "a * b + t"), kRuns},
        Sketch{"RoundedOtherwise", kernel("float", "__fadd_rz(a, b) + __fdiv_ru(a, b) + __float2int_rd(b)"),
               spec("float", "__fadd_rz(a, b) + __fdiv_ru(a, b) + int(floorf(b))"), kRuns},
        Sketch{"NamesOfTheStandard",
               kernel("float", "std::exp(a) + sqrt(b) + std::fabs(b) + pow(a, 2)", "#include <cmath>\n"),
               spec("float", "std::exp(a) + sqrt(b) + std::fabs(b) + pow(a, 2)", "#include <cmath>\n"), kRuns},
        Sketch{"SineAndCosine",
               kernel("float", "0;\n  float s, c;\n  sincosf(b, &s, &c);\n  y[t] = s * c + erfinvf(b) + rcbrtf(b)"),
               spec("float", "sinf(b) * cosf(b) + erfinvf(b) + rcbrtf(b)"), kRuns}),
    [](const auto& sketch) { return sketch.param.name; });

TEST(MathFunctions, LanesThatAreAlikeAreFound) {
  expect_verified({"alike", kernel("unsigned", "__match_any_sync(~0u, b) + __match_any_sync(~0u, t / 4)"), R"(
void f(const unsigned* x, unsigned* y, int n) {
  for (int t = 0; t < 32; t++) {
    unsigned alike = 0;
    for (int u = 0; u < 32; u++) alike |= unsigned(x[(t + 1) % 32] == x[(u + 1) % 32]) << u;
    y[t] = alike + (0xfu << t / 4 * 4);
  }
}
)",
                   kRuns});
}

TEST(MathFunctions, ThreadsThatAreThereAreAGroup) {
  expect_verified({"coalesced", std::string(kLaunch) + R"(#pragma swizzle extent x(n)
#include <cooperative_groups.h>
__global__ void f(const int* x, int* y, int n) {
  const int t = threadIdx.x, v = x[t];
  y[t] = 0;
  if (t % 3 == 0) {
    const auto g = cooperative_groups::coalesced_threads();
    y[t] = g.shfl(v, ?sw_xform(g.thread_rank(), 11)) + int(g.ballot(t < 10)) * 100 + int(g.size());
  }
}
)",
                   "void f(const int* x, int* y, int n) {\n"
                   "  for (int t = 0; t < 32; t++) y[t] = t % 3 != 0 ? 0 : x[(t + 3) % 33] + 1500 + 11;\n"
                   "}\n",
                   kRuns});
}

// A function that the tool does not know is no evidence of a difference.
TEST(MathFunctions, AreNeverSaidToDiffer) {
  for (const auto& [type, sketch, other] : {std::tuple("float", "__fadd_rz(a, b)", "a + b"),
                                            {"float", "__expf(b)", "expf(b)"},
                                            {"float", "erfcinvf(b)", "erfinvf(b)"},
                                            {"double", "__dsqrt_ru(b)", "sqrt(b)"},
                                            {"long long", "clock64() + b", "b"}}) {
    const ToolResult r = run_sketch({"differ", kernel(type, sketch), spec(type, other)});
    EXPECT_EQ(r.exit_code, 20) << sketch << "\n" << r.output;
  }
  EXPECT_EQ(run_sketch({"differ", kernel("unsigned", "__vadd4(a, b)"), spec("unsigned", "a + b")}).exit_code, 10);
}

TEST(MathFunctions, WhatIsRefusedIsNotCalledUndeclared) {
  for (const auto& [call, why] : {std::pair("__shfl(a, 1)", "write __shfl_sync"),
                                  {"__ballot(t)", "write __ballot_sync"},
                                  {"__syncthreads_count(t)", "at a barrier is not followed"},
                                  {"frexp(1.0, y)", "only functions that give one result are compared"},
                                  {"__clusterRelativeBlockRank()", "not in clusters"}}) {
    const ToolResult r = run_sketch({"refused", kernel("int", call), spec("int", "b")});
    EXPECT_EQ(r.exit_code, 1) << call;
    EXPECT_NE(r.output.find(":6:10: error: a call of '"), std::string::npos) << r.output;
    EXPECT_NE(r.output.find(why), std::string::npos) << r.output;
  }
}

// By whatever name; a spec is the host's, and a kernel that is verified may be compiled to have it.
TEST(MathFunctions, OfTheHostAreRefusedInWhatIsEmitted) {
  const std::string spec =
      "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = std::max(x[i], 3); }";
  for (const auto& [body, place] :
       {std::pair{"  y[t] = std::max(x[?sw_xform(t, 32)], 3);", ":5:10: "},
        {"  using std::max;\n  y[t] = max(x[?sw_xform(t, 32)], 3);", ":6:10: "},
        {"  auto o = create_accumulator(3, identity, std::max);\n  accumulate(o, {x[?sw_xform(t, 32)]}, true);\n"
         "  y[t] = eval(o);",
         ":5:44: "}}) {
    const ToolResult r = run_sketch({"", std::string(body), spec});
    EXPECT_EQ(r.exit_code, 1) << r.output;
    EXPECT_NE(
        r.output.find(fmt::format("{}error: 'std::max' is a function of the host's, which nvcc refuses in a kernel; "
                                  "write max",
                                  place)),
        std::string::npos)
        << r.output;
  }
  expect_verified({"", "  y[t] = max(x[?sw_xform(t, 32)], 3);", spec});
  const std::string swapping =
      "#include <utility>\nvoid f(const int* x, int* y, int n) {\n  for (int i = 0; i < 32; i++) {\n"
      "    int a = x[i], b = x[31 - i];\n    if (a > b) std::swap(a, b);\n    y[i] = b - a;\n  }\n}\n";
  expect_verified({"", "  int a = x[t], b = x[?sw_xform(t, 32)];\n  y[t] = max(a, b) - min(a, b);", swapping});
  const ToolResult r =
      run_sketch({"", "  int a = x[t], b = x[?sw_xform(t, 32)];\n  std::swap(a, b);\n  y[t] = a;", spec});
  EXPECT_NE(r.output.find(":6:3: error: 'std::swap' is a function of the host's"), std::string::npos) << r.output;
  const ScratchFolder scratch;
  const std::string kernel = scratch.write(
      "f.cu",
      "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
      "__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = std::max(3, x[threadIdx.x]); }\n");
  const std::string verify = fmt::format("'{}' verify '{}' --spec '{}' --run=none > '{}' 2>&1", SWIZZLE_SYNTH_TOOL,
                                         kernel, scratch.write("f.cpp", spec), (scratch / "said").string());
  EXPECT_EQ(std::system(verify.c_str()), 0) << read_file(scratch / "said");
}

// Nothing that is there for others: no vector's function, no value.
TEST(MathFunctions, OfBitsAreRefusedAsBefore) {
  const ToolResult r = run_sketch({"bits", "#pragma swizzle bits(x, y)\n" + kernel("unsigned", "__vadd4(a, b)"),
                                   spec("unsigned", "__vadd4(a, b)")});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("cannot be followed"), std::string::npos) << r.output;
}

}  // namespace
}  // namespace swizzle::test::math_functions_test
