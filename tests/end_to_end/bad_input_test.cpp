#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test {
namespace {

constexpr const char* kDirectives = "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n";
constexpr const char* kSpec = "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[n - 1 - i]; }\n";

std::string kernel(const std::string& body) {
  return std::string(kDirectives) + "__global__ void f(const int* x, int* y, int n) {\n  int t = threadIdx.x;\n" + body + "\n}\n";
}

ToolResult run_text(const std::string& sketch, const std::string& spec = kSpec, const std::string& more = "") {
  const ScratchFolder scratch;
  const std::string a = scratch.write("sketch.cu", sketch), b = scratch.write("spec.cpp", spec);
  return run_tool("'" + a + "' --spec '" + b + "' --run=none " + more);
}

struct Bad {
  const char* name;
  std::string sketch;
  const char* says;
  std::string spec = kSpec;
};

class BadInput : public testing::TestWithParam<Bad> {};

TEST_P(BadInput, IsOneClearDiagnostic) {
  const ToolResult r = run_text(GetParam().sketch, GetParam().spec);
  EXPECT_EQ(r.exit_code, 1) << r.output;
  EXPECT_NE(r.output.find("error: "), std::string::npos) << r.output;
  EXPECT_NE(r.output.find(GetParam().says), std::string::npos) << r.output;
  EXPECT_TRUE(r.kernel.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Sketches, BadInput,
    testing::Values(
        Bad{"NoKernel", "int a;\n", "there is no __global__ function here"},
        Bad{"SeveralKernels", "__global__ void f(int* y) {}\n__global__ void g(int* y) {}\n", "choose one with --kernel"},
        Bad{"DoesNotParse", kernel("  y[t] = x[t"), "expected"},
        Bad{"UnknownHole", kernel("  y[t] = x[?sw_foo(t)];"), "sketch.cu:5:12: error: unknown hole '?sw_foo'"},
        Bad{"HoleWithTooFewArguments", kernel("  y[t] = x[?sw_xform(t)];"), "sketch.cu:5:12: error: ?sw_xform(i, n, k…) takes more arguments"},
        Bad{"ExtraHoleWithTooFewArguments", kernel("  y[t] = x[?sw_xform_extra(t)];"), "sketch.cu:5:12: error: ?sw_xform_extra(i, n, k…) takes more arguments"},
        Bad{"ExtraHoleOfTooMany", kernel("  y[t] = x[?sw_xform_extra(t, 96)];"), "n must be between 1 and 64, and is 96"},
        Bad{"HoleOnData", kernel("  y[t] = x[?sw_xform(x[t], 32)];"), "must not depend on data"},
        Bad{"IndexOfHoleOutside", kernel("  y[t] = x[?sw_xform(t + 1, 32)];"), "the index must be in [0, 32), and is 32"},
        Bad{"EndlessLoop", kernel("  while (true) t++;\n  y[t] = 0;"), "does a loop here never end?"},
        Bad{"ReadOutside", kernel("  y[t] = x[t + 1];"), "index 32 is outside 'x' of 32 elements"},
        Bad{"HowToLengthenABuffer", kernel("  y[t] = x[t + 1];"), "note: a buffer is as long as the spec uses it; '#pragma swizzle extent x(…)' makes it longer"},
        Bad{"UnknownHeader", "#include <cooperative_groups.h>\n" + kernel("  y[t] = x[t];"), "note: beside files of your own there are cuda_runtime.h, "},
        Bad{"SpecStoresNothing", kernel("  y[t] = x[?sw_xform(t, 32)];"), "spec.cpp:1:6: error: the spec stores nothing at n = 32", "void f(const int* x, int* y, int n) { for (int i = n; i < n; i++) y[i] = x[i]; }\n"},
        Bad{"LoadBeforeABuffer", kernel("  auto r = load(x, t - t - 32, 1, 2);\n  y[t] = r[1];"), "index -32 is outside 'x' of 32 elements"},
        Bad{"StoreOfTooMuch", kernel("  int r[1] = {x[31 - t]};\n  store(y, 0, 1, 1000000000, r);"), "store() takes a slice and a number of iterations that are constants of 1 or more, for 1024 registers at most"},
        Bad{"StrayStore", "#pragma swizzle extent y(n)\n" + kernel("  y[t] = x[31 - t];"), "stores to 'y[1]', which the spec does not write", "void f(const int* x, int* y, int n) { y[0] = x[0] + x[31]; }\n"},
        Bad{"NoLaunch", "#pragma swizzle instance n = 32\n__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = 0; }\n", "no launch shape is given"},
        Bad{"NoSize", "#pragma swizzle launch grid(1) block(32)\n__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = 0; }\n", "no size is given for 'n'"},
        Bad{"UnknownSize", "#pragma swizzle instance m = 1\n" + kernel("  y[t] = x[t];"), "the kernel has no integer parameter 'm'"},
        Bad{"UnknownDirective", "#pragma swizzle lunch grid(1)\n" + kernel("  y[t] = x[t];"), "unknown directive 'lunch'"},
        Bad{"Goto", kernel("again: if (t < 0) goto again;\n  y[t] = x[t];"), "is not supported in a sketch"},
        Bad{"Race", kernel("  __shared__ int s[32];\n  s[t] = x[t];\n  y[t] = s[31 - t];"), "without a barrier between them: a race"},
        Bad{"OtherSignature", kernel("  y[t] = x[t];"), "the spec takes 2 parameters, and the kernel 3", "void f(const int* x, int* y) { y[0] = x[0]; }\n"},
        Bad{"OtherType", kernel("  y[t] = x[t];"), "is 'const float *' in the spec", "void f(const float* x, int* y, int n) { y[0] = 0; }\n"},
        Bad{"NoSpecFunction", kernel("  y[t] = x[t];"), "there is no function 'f' or 'spec' here", "int a;\n"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(BadCommand, MissingFile) {
  const ToolResult r = run_tool("nowhere.cu --spec specs/stencil1d.cpp");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("nowhere.cu: error: no such file"), std::string::npos) << r.output;
}

TEST(BadCommand, UsageExitsWithTwo) {
  EXPECT_EQ(run_tool("--no-such-flag").exit_code, 2);
  EXPECT_EQ(run_tool("sketches/stencil1d.cu").exit_code, 2);
}

TEST(BadCommand, UnknownSetVariable) {
  const ToolResult r = run_pair("stencil1d", "--run=none --set m=3");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("no integer parameter 'm'"), std::string::npos) << r.output;
}

TEST(Unseen, AReversalIsFoundUnderOtherNames) {
  const ToolResult r = run_text(kernel("  int mine = x[t];\n  y[t] = __shfl_sync(0xffffffff, mine, ?sw_xform(t, 32));"));
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.kernel.find("31"), std::string::npos) << r.kernel;
}

TEST(Unseen, AByteOrderMarkIsSkipped) {
  const ToolResult r = run_text("\xef\xbb\xbf" + kernel("  y[t] = x[?sw_xform(t, 32)];"), "\xef\xbb\xbf" + std::string(kSpec));
  EXPECT_EQ(r.exit_code, 0) << r.output;
}

TEST(Unseen, AccumulatorsInTheSlidesSpelling) {
  const std::string sketch =
      "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n#pragma swizzle extent x(n)\n"
      "__global__ void f(const unsigned* x, unsigned* y, int n) {\n  int t = threadIdx.x;\n  acc o = create_accumulator(0, identity, ^, &);\n"
      "  unsigned mine = x[t];\n  for (int k = 0; k < 2; k++) {\n    unsigned a = __shfl_sync(~0u, mine, ?sw_xform(t, 32, k));\n"
      "    accumulate(o, [a, mine], ?sw_cond(t, k));\n  }\n  y[t] = eval(o);\n}\n";
  const std::string spec = "void f(const unsigned* x, unsigned* y, int n) { for (int i = 0; i < n; i++) y[i] = (x[i] & x[(i + 3) % 32]) ^ (x[i] & x[(i + 8) % 32]); }\n";
  const ToolResult r = run_text(sketch, spec);
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.kernel.find("o ^= a & mine"), std::string::npos) << r.kernel;
}

}  // namespace
}  // namespace swizzle::test
