// Kernels of attention: heads share out the channels, which are a multiple of them, and scores have one size twice.
#include <gtest/gtest.h>

#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::heads_test {
namespace {

constexpr const char* kParameters = "float* s, const float* x, int B, int T, int C, int NH";

std::string launched(const std::string& parameters, const std::string& names, const std::string& count,
                     const std::string& body) {
  return fmt::format(
      "__global__ void f({0}) {{\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < {2}) {{\n    {3}\n  }}\n}}\n"
      "void go({0}) {{ f<<<({2} + 255) / 256, 256>>>({1}); }}\n",
      parameters, names, count, body);
}

// Queries, keys and values of a token are one behind the other; what comes later is not looked at.
const std::string kScores = launched(
    kParameters, "s, x, B, T, C, NH", "B * NH * T * T",
    "int k = i % T, q = i / T % T, h = i / (T * T) % NH, b = i / (NH * T * T);\n"
    "    if (k > q) { s[i] = -1e30f; return; }\n    int C3 = C * 3, size = C / NH;\n"
    "    const float *query = x + b * T * C3 + q * C3 + h * size, *key = x + b * T * C3 + k * C3 + h * size + C;\n"
    "    float v = 0;\n    for (int c = 0; c < size; c++) v += query[c] * key[c];\n"
    "    s[i] = v * (1.0f / sqrtf(size));");
const std::string kScored = fmt::format(
    "#include <cmath>\nvoid f({}) {{\n  int size = C / NH;\n  for (int b = 0; b < B; b++)\n"
    "    for (int h = 0; h < NH; h++)\n      for (int q = 0; q < T; q++)\n        for (int k = 0; k < T; k++) {{\n"
    "          float v = 0;\n          for (int c = 0; c < size; c++)\n"
    "            v += x[(b * T + q) * 3 * C + h * size + c] * x[(b * T + k) * 3 * C + C + h * size + c];\n"
    "          s[((b * NH + h) * T + q) * T + k] = k > q ? -1e30f : v * (1.0f / sqrtf(size));\n        }}\n}}\n",
    kParameters);

const std::string kMerged =
    launched(kParameters, "s, x, B, T, C, NH", "B * T * C",
             "int size = C / NH, d = i % size, h = i / size % NH, t = i / C % T, b = i / C / T;\n"
             "    s[i] = x[((b * NH + h) * T + t) * size + d];");
const std::string kMergedSpec = fmt::format(
    "void f({}) {{\n  for (int b = 0; b < B; b++)\n    for (int h = 0; h < NH; h++)\n      for (int t = 0; t < T; t++)\n"
    "        for (int d = 0; d < C / NH; d++)\n"
    "          s[(b * T + t) * C + h * (C / NH) + d] = x[((b * NH + h) * T + t) * (C / NH) + d];\n}}\n",
    kParameters);

// Each of the heads of a group has the same key.
constexpr const char* kGroups = "float* y, const float* x, int heads, int groups, int n";
const std::string kRepeated = fmt::format(
    "__global__ void f({0}) {{\n  int i = blockIdx.x * blockDim.x + threadIdx.x, h = blockIdx.y;\n"
    "  if (i < n) y[h * n + i] = x[h / (heads / groups) * n + i];\n}}\n"
    "void go({0}) {{ f<<<dim3((n + 255) / 256, heads), 256>>>(y, x, heads, groups, n); }}\n",
    kGroups);
const std::string kRepeatedSpec = fmt::format(
    "void f({}) {{\n  for (int g = 0; g < groups; g++)\n    for (int r = 0; r < heads / groups; r++)\n"
    "      for (int i = 0; i < n; i++) y[(g * (heads / groups) + r) * n + i] = x[g * n + i];\n}}\n",
    kGroups);

constexpr const char *kSizes = "--set B=2 --set T=6 --set C=12 --set NH=3",
                     *kOfGroups = "--set heads=6 --set groups=2 --set n=300";

class Heads : public testing::TestWithParam<AsItIs> {};

TEST_P(Heads, AreJudgedAtAllSizes) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Attention, Heads,
    testing::Values(
        AsItIs{"Scores", kScores, kScored, kSizes, 0,
               "proved for every size with C % NH == 0, 1 <= C / NH <= 2147483647, 1 <= B <= 2147483647, 1 <= NH <= "
               "2147483647, 1 <= T <= 2147483647, B * NH * T * T <= 2147483392, 3 * C * B * T"},
        AsItIs{"ScoresThatSeeTheNext", changed(kScores, "k > q", "k > q + NH / 4"), kScored, kSizes, 3, "NH="},
        AsItIs{"ScoresWithoutKeys", changed(kScores, "size + C;", "size;"), kScored, kSizes, 3, "s[0]"},
        AsItIs{"Merged", kMerged, kMergedSpec, kSizes, 0, "B * T * C <= 2147483392"},
        AsItIs{"MergedButForSome", changed(kMerged, "+ d]", "+ (size < 8 ? d : 0)]"), kMergedSpec, kSizes, 3, "C="},
        AsItIs{"Repeated", kRepeated, kRepeatedSpec, kOfGroups, 0, "proved for every size with heads % groups == 0"},
        AsItIs{"RepeatedOfTheNext", changed(kRepeated, "h / (", "(h + heads / 7) / ("), kRepeatedSpec, kOfGroups, 3,
               "heads="}),
    name_of);

}  // namespace
}  // namespace swizzle::test::heads_test
