// Numbers that C++ takes to another type before it reckons with them: signed ones beside unsigned ones, and words of 64
// bits that become real.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::mixed_types_test {
namespace {

constexpr int kBadInput = 1, kInfeasible = 10;

struct Pair {
  std::string name;
  std::string parameters;    // as x, z, y
  std::string kernel, spec;  // y[t], for t = threadIdx.x
  int exit_code = 0;
};

class MixedTypes : public ::testing::TestWithParam<Pair> {};

TEST_P(MixedTypes, AreWhatCppMakesOfThem) {
  const auto& [name, parameters, kernel, spec, exit_code] = GetParam();
  const ToolResult r = run_sketch(
      {"",
       fmt::format("__global__ void f({}, int n) {{\n  const int t = threadIdx.x;\n  y[t] = {};\n}}\n", parameters,
                   kernel),
       fmt::format("void f({}, int n) {{\n  for (int t = 0; t < 32; t++) y[t] = {};\n}}\n", parameters, spec), kRuns});
  EXPECT_EQ(r.exit_code, exit_code) << r.output;
}

const char* const kInts = "const int* x, const int* z, int* y";
const char* const kIntAndUnsigned = "const int* x, const unsigned* z, unsigned* y";
const char* const kLongs = "const long long* x, const unsigned long long* z, unsigned long long* y";
const char* const kBytes = "const unsigned char* x, const int* z, unsigned char* y";
const char* const kFloats = "const float* x, const float* z, float* y";

INSTANTIATE_TEST_SUITE_P(
    Each, MixedTypes,
    ::testing::Values(
        Pair{"NoClampOfWhatIsNegative", kInts, "x[max(t - 1, 0u)]", "x[t > 0 ? t - 1 : 0]", kBadInput},
        Pair{"AClampOfWhatIsNegative", kInts, "x[max(t - 1, 0)]", "x[t > 0 ? t - 1 : 0]"},
        Pair{"AnUnsignedMaximumOfData", kInts, "max(x[t], 5u)", "x[t] < 5 ? 5 : x[t]", kInfeasible},
        Pair{"AnUnsignedMinimum", kIntAndUnsigned, "min(x[t], z[t])", "(unsigned)x[t] < z[t] ? (unsigned)x[t] : z[t]"},
        Pair{"OfSixtyFourBits", kLongs, "max(x[t], z[t])",
             "(unsigned long long)x[t] < z[t] ? z[t] : (unsigned long long)x[t]"},
        Pair{"TheGreaterOfTwoBytes", kBytes, "max(x[t], x[t + 1])",
             "x[t] * (x[t] > x[t + 1]) + x[t + 1] * (x[t] <= x[t + 1])"},
        Pair{"TheGreaterOfTwoBytesAsIfTheyHadSigns", kBytes, "max(x[t], x[t + 1])",
             "(signed char)x[t] < (signed char)x[t + 1] ? x[t + 1] : x[t]", kInfeasible},
        Pair{"ASizeLessThanNothing", kFloats, "x[t] * ((size_t)t - 16)", "x[t] * (t - 16)", kInfeasible},
        Pair{"AllBitsOfALongWord", kFloats, "x[t] * (float)~0ull", "x[t] * -1.0f", kInfeasible},
        Pair{"TheHighestBitOfALongWord", kFloats, "x[t] / (float)(1ull << 63)", "x[t] / 9223372036854775808.0f"},
        Pair{"AsALongWord", kFloats, "(float)((unsigned long long)1.0e19f >> 60) * x[t]", "8.0f * x[t]"}),
    [](const auto& each) { return each.param.name; });

// What is listed for each round has the type that the hole has.
class ListedConstants : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(ListedConstants, HaveTheirSign) {
  const auto& [kernel, spec] = GetParam();
  const ToolResult r = run_sketch(
      {"",
       fmt::format("__global__ void f(const int* x, int* y, int n) {{\n  const int t = threadIdx.x;\n  int v = 0;\n"
                   "  for (int k = 0; k < 4; k++) v += {};\n  y[t] = v;\n}}\n",
                   kernel),
       fmt::format("void f(const int* x, int* y, int n) {{\n  const int list[4] = {{1, 4, 2, 7}};\n"
                   "  for (int t = 0; t < 32; t++) {{\n    int v = 0;\n    for (int k = 0; k < 4; k++) v += {};\n"
                   "    y[t] = v;\n  }}\n}}\n",
                   spec),
       kRuns});
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.kernel.find("const int constants[4]"), std::string::npos) << r.kernel;
}

INSTANTIATE_TEST_SUITE_P(Each, ListedConstants,
                         ::testing::Values(std::pair("x[t + 16 + ?sw_const(-9, 9, k)]", "x[t + 16 - list[k]]"),
                                           std::pair("x[max(t - ?sw_const(0, 9, k), 0)]",
                                                     "x[t < list[k] ? 0 : t - list[k]]"),
                                           std::pair("x[t] / ?sw_const(1, 9, k)", "x[t] / list[k]"),
                                           std::pair("x[t] < ?sw_const(0, 9, k)", "x[t] < list[k]")));

}  // namespace
}  // namespace swizzle::test::mixed_types_test
