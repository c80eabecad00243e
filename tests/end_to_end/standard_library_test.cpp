// Specs that use what C++'s standard library has for their loops: each algorithm, against what a thread does.
#include "tests/end_to_end/typed_sketch.h"

namespace swizzle::test::standard_library_test {
namespace {

struct Algorithm {
  const char *name, *kernel, *spec;  // of thread t among 32, and of 32 elements from x on, to y
};

ToolResult run(const Algorithm& algorithm, bool runs) {
  return run_sketch(
      {"",
       fmt::format("#pragma swizzle launch grid(n / 32) block(32)\n#pragma swizzle instance n = 64\n"
                   "__global__ void f(const int* all_x, int* all_y, int n) {{\n  const int t = threadIdx.x;\n"
                   "  const int* x = all_x + 32 * blockIdx.x;\n  int* y = all_y + 32 * blockIdx.x;\n  {}\n}}\n",
                   algorithm.kernel),
       fmt::format(
           "#include <algorithm>\n#include <array>\n#include <functional>\n#include <limits>\n#include <numeric>\n"
           "void f(const int* all_x, int* all_y, int n) {{\n  for (int b = 0; b < n; b += 32) {{\n"
           "    const int* x = all_x + b;\n    int* y = all_y + b;\n    {}\n  }}\n}}\n",
           algorithm.spec),
       runs});
}

const char* const kScan = "int s = 0; for (int k = 0; k <= t; k++) s += x[k]; y[t] = s;";
const char* const kTotal = "int s = 0; for (int k = 0; k < 32; k++) s += x[k]; if (t == 0) y[0] = s;";

const Algorithm kAlgorithms[] = {
    {"Accumulate", kTotal, "y[0] = std::accumulate(x, x + 32, 0);"},
    {"AccumulateByALambda", kTotal, "y[0] = std::accumulate(x, x + 32, 0, [](int s, int v) { return s + v; });"},
    {"Reduce", kTotal, "y[0] = std::reduce(x, x + 32);"},
    {"ReduceByAnOperator", "int s = -1; for (int k = 0; k < 32; k++) s &= x[k]; if (t == 0) y[0] = s;",
     "y[0] = std::reduce(x, x + 32, -1, std::bit_and<>());"},
    {"InnerProduct", "int s = 0; for (int k = 0; k < 31; k++) s += x[k] * x[k + 1]; if (t == 0) y[0] = s;",
     "y[0] = std::inner_product(x, x + 31, x + 1, 0);"},
    {"TransformReduce", "int s = 0; for (int k = 0; k < 32; k++) s = max(s, x[k] ^ 5); if (t == 0) y[0] = s;",
     "y[0] = std::transform_reduce(x, x + 32, 0, [](int a, int b) { return std::max(a, b); }, [](int v) { return v ^ 5; });"},
    {"Count", "int s = 0; for (int k = 0; k < 32; k++) s += x[k] == 3; if (t == 0) y[0] = s;",
     "y[0] = std::count(x, x + 32, 3);"},
    {"CountIf", "int s = 0; for (int k = 0; k < 32; k++) if (x[k] > 3) s++; if (t == 0) y[0] = s;",
     "y[0] = std::count_if(x, x + 32, [](int v) { return v > 3; });"},
    {"AnyOf", "bool s = false; for (int k = 0; k < 4; k++) s |= x[k] > 3; if (t == 0) y[0] = s;",
     "y[0] = std::any_of(x, x + 4, [](int v) { return v > 3; });"},
    {"PartialSum", kScan, "std::partial_sum(x, x + 32, y);"},
    {"InclusiveScan", kScan, "std::inclusive_scan(x, x + 32, y, std::plus<>());"},
    {"ExclusiveScan", "int s = 7; for (int k = 0; k < t; k++) s += x[k]; y[t] = s;",
     "std::exclusive_scan(x, x + 32, y, 7);"},
    {"AdjacentDifference", "y[t] = t == 0 ? x[0] : x[t] - x[t - 1];", "std::adjacent_difference(x, x + 32, y);"},
    {"Iota", "y[t] = t + 5;", "std::iota(y, y + 32, 5);"},
    {"Fill", "y[t] = t < 16 ? 5 : 6;", "std::fill(y, y + 16, 5); std::fill_n(y + 16, 16, 6);"},
    {"CopyAndReverse", "y[t] = x[31 - t];", "std::copy(x, x + 32, y); std::reverse(y, y + 32);"},
    {"ReverseCopy", "y[t] = x[31 - t];", "std::reverse_copy(x, x + 32, y);"},
    {"Rotate", "y[t] = x[(t + 5) % 32];", "std::copy_n(x, 32, y); std::rotate(y, y + 5, y + 32);"},
    {"RotateCopy", "y[t] = x[(t + 5) % 32];", "std::rotate_copy(x, x + 5, x + 32, y);"},
    {"SwapRanges", "y[t] = x[t ^ 16];", "std::copy(x, x + 32, y); std::swap_ranges(y, y + 16, y + 16);"},
    {"Transform", "y[t] = x[t] * x[31 - t] + 1;",
     "std::reverse_copy(x, x + 32, y); std::transform(x, x + 32, y, y, [](int a, int b) { return a * b + 1; });"},
    {"ForEach", "y[t] = 2 * x[t];", "int k = 0; std::for_each(x, x + 32, [&](int v) { y[k++] = 2 * v; });"},
    {"Array", "y[t] = x[t] + x[31];",
     "std::array<int, 32> a; a.fill(x[31]); for (int k = 0; k < 32; k++) a[k] += x[k]; std::copy(a.begin(), a.end(), y);"},
    {"Limits", "int s = -2147483647 - 1; for (int k = 0; k < 32; k++) s = max(s, x[k]); if (t == 0) y[0] = s;",
     "int s = std::numeric_limits<int>::min(); for (int k = 0; k < 32; k++) s = std::max(s, x[k]); y[0] = s;"},
};

class StandardAlgorithms : public testing::TestWithParam<Algorithm> {};

TEST_P(StandardAlgorithms, AreFollowed) {
  const ToolResult r = run(GetParam(), kRuns);
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["checked"]["all_sizes"]["outcome"], "proved") << r.output;
}

INSTANTIATE_TEST_SUITE_P(Each, StandardAlgorithms, testing::ValuesIn(kAlgorithms),
                         [](const auto& i) { return std::string(i.param.name); });

TEST(StandardAlgorithmsThatDiffer, AreToldApart) {
  for (const Algorithm& other : {Algorithm{"", "y[t] = x[(t + 4) % 32];", "std::rotate_copy(x, x + 5, x + 32, y);"},
                                 Algorithm{"", kScan, "std::exclusive_scan(x, x + 32, y, 0);"},
                                 Algorithm{"", kTotal, "y[0] = std::accumulate(x, x + 32, 1);"}})
    EXPECT_EQ(run(other, false).exit_code, 10) << other.spec;
}

// A reduction whose identity is infinite.
TEST(StandardAlgorithms, OfKernelsMayNameLimits) {
  const ToolResult r = run_sketch(
      {"",
       "#include <limits>\n#include <type_traits>\nconstexpr float kMost = std::numeric_limits<float>::infinity();\n"
       "#pragma swizzle launch grid(n / 32) block(32)\n"
       "#pragma swizzle instance n = 64\n__global__ void f(const float* x, float* y, int n) {\n"
       "  static_assert(std::is_same_v<decltype(x[0] + 1), float>);\n"
       "  const int t = threadIdx.x;\n"
       "  float v = min(kMost, x[32 * blockIdx.x + t]);\n"
       "  for (int d = 16; d > 0; d /= 2) v = min(v, __shfl_sync(~0u, v, ?sw_xor(t, 32, d)));\n"
       "  if (t == 0) y[blockIdx.x] = v;\n}\n",
       "#include <limits>\nvoid f(const float* x, float* y, int n) {\n  for (int b = 0; b < n / 32; b++) {\n"
       "    float least = std::numeric_limits<float>::infinity();\n"
       "    for (int k = 0; k < 32; k++) least = x[32 * b + k] < least ? x[32 * b + k] : least;\n    y[b] = least;\n  }\n}\n",
       kRuns});
  EXPECT_EQ(r.exit_code, 0) << r.output;
}

// As nvcc does without --expt-relaxed-constexpr.
TEST(StandardAlgorithms, AreRefusedInSketches) {
  for (const auto& [value, said] :
       {std::pair{"std::numeric_limits<int>::max()",
                  "'std::numeric_limits<int>::max' is a function of the host's, which nvcc "
                  "refuses in a kernel; a constexpr variable outside of it may have its value"},
        {"std::accumulate(x, x + 3, 0)", "'std::accumulate' is a function of the host's"},
        {"std::plus<int>()(x[t], 3)", "'std::plus<int>::operator()' is a function of the host's"}}) {
    const ToolResult r = run_sketch({"", fmt::format("  y[t] = min({}, x[?sw_xform(t, 32)]);", value)});
    EXPECT_EQ(r.exit_code, 1) << r.output;
    EXPECT_NE(r.output.find(fmt::format(":5:14: error: {}", said)), std::string::npos) << r.output;
  }
}

}  // namespace
}  // namespace swizzle::test::standard_library_test
