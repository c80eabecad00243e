// Threads that count through a product of sizes and numbers, and take their number apart.
#include <gtest/gtest.h>

#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::flat_products_test {
namespace {

std::string flat(const std::string& parameters, const std::string& names, const std::string& count,
                 const std::string& body, int threads = 256) {
  return fmt::format(
      "__global__ void f({0}) {{\n  int t = blockIdx.x * blockDim.x + threadIdx.x;\n  if (t >= {2}) return;\n  {3}\n}}\n"
      "void go({0}) {{ f<<<({2} + {5}) / {4}, {4}>>>({1}); }}\n",
      parameters, names, count, body, threads, threads - 1);
}

constexpr const char* kImage = "const float* x, float* y, int C, int H, int W";
constexpr const char* kSizes = "--set C=3 --set H=5 --set W=7";

std::string image(const std::string& count, const std::string& body) {
  return flat(kImage, "x, y, C, H, W", count, body);
}

const std::string kUpsampled = fmt::format(
    "void f({}) {{\n  for (int c = 0; c < C; c++)\n    for (int i = 0; i < 2 * H; i++)\n"
    "      for (int j = 0; j < 2 * W; j++) y[(c * 2 * H + i) * 2 * W + j] = x[(c * H + i / 2) * W + j / 2];\n}}\n",
    kImage);
const std::string kUpsample =
    "int w = W * 2, h = H * 2, j = t % w, i = t / w % h, c = t / (w * h);"
    " y[t] = x[(c * H + i / 2) * W + j / 2];";

const std::string kPooled = fmt::format(
    "void f({}) {{\n  for (int c = 0; c < C; c++)\n    for (int i = 0; i < H / 2; i++)\n"
    "      for (int j = 0; j < W / 2; j++)\n"
    "        y[(c * (H / 2) + i) * (W / 2) + j] = x[(c * H + 2 * i) * W + 2 * j] + x[(c * H + 2 * i + 1) * W + 2 * j "
    "+ 1];\n}}\n",
    kImage);
const std::string kPool =
    "int w = W / 2, h = H / 2, j = t % w, i = t / w % h, c = t / w / h;"
    " y[t] = x[(c * H + 2 * i) * W + 2 * j] + x[(c * H + 2 * i + 1) * W + 2 * j + 1];";

const std::string kPlanes =
    "void f(const float* x, float* y, int H, int W) {\n  for (int c = 0; c < 3; c++)\n"
    "    for (int i = 0; i < H; i++)\n      for (int j = 0; j < W; j++) y[(c * H + i) * W + j] = x[(i * W + j) * 3 + "
    "c];\n}\n";
std::string planes(const std::string& count, const std::string& body) {
  return flat("const float* x, float* y, int H, int W", "x, y, H, W", count, body);
}

constexpr const char* kPairs = "const int* x, int* y, int n, int m";
std::string pairs(const std::string& body) { return flat(kPairs, "x, y, n, m", "n * m * 4", body); }
std::string of_pairs(const std::string& body) {
  return fmt::format("void f({}) {{\n  for (int i = 0; i < n * m; i++)\n    for (int k = 0; k < 4; k++) {}\n}}\n",
                     kPairs, body);
}

// Of a head's elements each of the first half with one of the second.
const std::string kHalvesTurned =
    "void f(float* q, const float* a, int T, int heads, int size) {\n  for (int p = 0; p < T; p++)\n"
    "    for (int h = 0; h < heads; h++)\n      for (int d = 0; d < size / 2; d++) {\n"
    "        int at = (p * heads + h) * size + d;\n        float u = q[at], v = q[at + size / 2];\n"
    "        q[at] = u * a[p * (size / 2) + d] - v;\n        q[at + size / 2] = v * a[p * (size / 2) + d] + u;\n"
    "      }\n}\n";

const std::string kTurned =
    "void f(float* q, const float* a, int T, int heads, int size) {\n  for (int p = 0; p < T; p++)\n"
    "    for (int h = 0; h < heads; h++)\n      for (int d = 0; d < size / 2; d++) {\n"
    "        float u = q[(p * heads + h) * size + 2 * d], v = q[(p * heads + h) * size + 2 * d + 1];\n"
    "        q[(p * heads + h) * size + 2 * d] = u * a[p * (size / 2) + d] - v;\n"
    "        q[(p * heads + h) * size + 2 * d + 1] = v * a[p * (size / 2) + d] + u;\n      }\n}\n";

class FlatProducts : public testing::TestWithParam<AsItIs> {};

TEST_P(FlatProducts, AreJudgedAtAllSizes) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    OfNumbers, FlatProducts,
    testing::Values(
        AsItIs{"Upsampled", image("C * H * W * 4", kUpsample), kUpsampled, kSizes, 0,
               "proved for every size with 1 <= C <= 2147483647, 1 <= H <= 2147483647, 1 <= W <= 2147483647, "
               "C * H * W * 4 <= 2147483392"},
        AsItIs{"UpsampledByFactors", image("C * (2 * H) * (2 * W)", kUpsample), kUpsampled, kSizes, 0,
               "proved for every size"},
        AsItIs{"UpsampledFromTheNext", image("C * H * W * 4", changed(kUpsample, "i / 2)", "(i + 1) / 2 % H)")),
               kUpsampled, kSizes, 3, "is x["},
        AsItIs{"OfPlanes", planes("3 * H * W", "int c = t / (H * W), p = t % (H * W); y[t] = x[p * 3 + c];"), kPlanes,
               "--set H=9 --set W=11", 0, "proved for every size"},
        AsItIs{"ToPlanes", planes("H * W * 3", "y[t % 3 * H * W + t / 3] = x[t];"), kPlanes, "--set H=9 --set W=11", 0,
               "proved for every size"},
        AsItIs{"ToOthers", planes("H * W * 3", "y[(2 - t % 3) * H * W + t / 3] = x[t];"), kPlanes,
               "--set H=9 --set W=11", 3, "y[0]"},
        AsItIs{"OfOneSize", flat("const float* x, float* y, int n", "x, y, n", "n * 3", "y[t] = x[t % 3 * n + t / 3];"),
               "void f(const float* x, float* y, int n) {\n  for (int i = 0; i < n; i++)\n"
               "    for (int c = 0; c < 3; c++) y[i * 3 + c] = x[c * n + i];\n}\n",
               "--set n=100", 0, "proved for every n from 1 to 715827797"},
        AsItIs{"AsTheirSpecs",
               flat("const float* x, float* y, int n, int m", "x, y, n, m", "n * m * 3",
                    "int c = t % 3, j = t / 3 % m, i = t / 3 / m; y[t] = x[(c * n + i) * m + j];"),
               "void f(const float* x, float* y, int n, int m) {\n  for (int t = 0; t < n * m * 3; t++) {\n"
               "    int c = t % 3, j = t / 3 % m, i = t / 3 / m;\n    y[t] = x[(c * n + i) * m + j];\n  }\n}\n",
               "--set n=10 --set m=7", 0, "proved for every size"},
        AsItIs{"Sums", pairs("atomicAdd(&y[t / 4], x[t]);"), of_pairs("y[i] += x[i * 4 + k];"), "--set n=10 --set m=7",
               0, "proved for every size"},
        AsItIs{"SumsOfOthers", pairs("atomicAdd(&y[t / 4], x[t & ~1]);"), of_pairs("y[i] += x[i * 4 + k];"),
               "--set n=10 --set m=7", 3, "y[0]"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    OfParts, FlatProducts,
    testing::Values(
        AsItIs{"Pooled", image("C * (H / 2) * (W / 2)", kPool), kPooled, kSizes, 0,
               "proved for every size with 1 <= C <= 2147483647, 2 <= H <= 2147483647, 2 <= W <= 2147483647"},
        // Of even sizes alone.
        AsItIs{"PooledOfTheNextPair", image("C * (H / 2) * (W / 2)", changed(kPool, "w = W / 2", "w = (W + 1) / 2")),
               kPooled, "--set C=3 --set H=6 --set W=8", 3, "at C="},
        AsItIs{"Turned",
               flat("float* q, const float* a, int T, int heads, int size", "q, a, T, heads, size",
                    "T * heads * (size / 2)",
                    "int half = size / 2, d = t % half, h = t / half % heads, p = t / half / heads;"
                    " float* v = q + (p * heads + h) * size + 2 * d; float r = v[0], s = v[1];"
                    " v[0] = r * a[p * half + d] - s; v[1] = s * a[p * half + d] + r;",
                    128),
               kTurned, "--set T=3 --set heads=2 --set size=8", 0, "proved for every size with"},
        AsItIs{"HalvesTurned",
               flat("float* q, const float* a, int T, int heads, int size", "q, a, T, heads, size",
                    "T * heads * (size / 2)",
                    "int half = size / 2, d = t % half, h = t / half % heads, p = t / half / heads;"
                    " float* v = q + (p * heads + h) * size; float r = v[d], s = v[d + half];"
                    " v[d] = r * a[p * half + d] - s; v[d + half] = s * a[p * half + d] + r;",
                    128),
               kHalvesTurned, "--set T=3 --set heads=2 --set size=8", 0, "proved for every size with"}),
    name_of);

// Digits of one size: as many of each.
constexpr const char* kSquare = "const float* x, float* y, int n";
std::string square(const std::string& body) { return flat(kSquare, "x, y, n", "n * n", body); }
const std::string kFlipped =
    "void f(const float* x, float* y, int n) {\n  for (int r = 0; r < n; r++)\n"
    "    for (int c = 0; c < n; c++) y[c * n + r] = x[r * n + c];\n}\n";

constexpr const char* kScores = "float* s, float a, int B, int H, int T";
std::string scores(const std::string& condition) {
  return flat(kScores, "s, a, B, H, T", "B * H * T * T",
              "int rest = t % (T * T), q = rest / T, k = rest % T; if (" + condition + ") s[t] = 0; else s[t] *= a;");
}
const std::string kScaled =
    "void f(float* s, float a, int B, int H, int T) {\n  for (int i = 0; i < B * H; i++)\n"
    "    for (int q = 0; q < T; q++)\n      for (int k = 0; k < T; k++) {\n        int at = (i * T + q) * T + k;\n"
    "        s[at] = k > q ? 0 : s[at] * a;\n      }\n}\n";

INSTANTIATE_TEST_SUITE_P(
    OfOneSizeTwice, FlatProducts,
    testing::Values(AsItIs{"Flipped", square("int r = t / n, c = t % n; y[c * n + r] = x[t];"), kFlipped, "--set n=20",
                           0, "proved for every n from 1 to 46340"},
                    AsItIs{"FlippedByTheOther", square("int r = t / n, c = t % n; y[t] = x[c * n + r];"), kFlipped,
                           "--set n=20", 0, "proved for every n from 1 to 46340"},
                    AsItIs{"FlippedButForSome", square("int r = t / n, c = t % n; y[c * n + r] = x[c < 20 ? t : r];"),
                           kFlipped, "--set n=20", 3, "at n="},
                    AsItIs{"Scaled", scores("k > q"), kScaled, "--set B=2 --set H=3 --set T=6", 0,
                           "proved for every size with 1 <= B <= 2147483647, 1 <= H <= 2147483647, 1 <= T <= "
                           "2147483647, B * H * T * T <= 2147483392"},
                    AsItIs{"ScaledUpToTheNext", scores("k > q + T / 7"), kScaled, "--set B=2 --set H=3 --set T=6", 3,
                           "at B="}),
    name_of);

// n + 256 is computed first, as C does.
TEST(FlatProducts, HaveTheSizesThatTheirLaunchComputes) {
  const std::string kernel =
      "__global__ void f(const float* x, float* y, int n) {\n  int t = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (t < n) y[t] = x[t];\n}\nvoid go(const float* x, float* y, int n) { f<<<(n + 255) / 256, 256>>>(x, y, n); }\n";
  const std::string spec = "void f(const float* x, float* y, int n) {\n  for (int i = 0; i < n; i++) y[i] = x[i];\n}\n";
  expect_judged({"", kernel, spec, "--set n=1000", 0, "proved for every n from 1 to 2147483392"});
  expect_judged({"", changed(kernel, "n + 255", "n + 256 - 1"), spec, "--set n=1000", 0,
                 "proved for every n from 1 to 2147483391"});
  expect_judged({"", changed(kernel, "n + 255", "n - 1 + 256"), spec, "--set n=1000", 0,
                 "proved for every n from 1 to 2147483392"});
}

// What is exchanged through memory is between threads of one block at these sizes, and of two at others.
TEST(FlatProducts, ThatExchangeAreNotProved) {
  const std::string swap =
      "__global__ void f(float* y, int n, int m) {\n  int t = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  int o = t / m % 2 == 0 ? t + m : t - m;\n  float v = t < n * 2 * m ? y[o] : 0;\n  __syncthreads();\n"
      "  if (t < n * 2 * m) y[t] = v;\n}\n"
      "void go(float* y, int n, int m) { f<<<(n * 2 * m + 255) / 256, 256>>>(y, n, m); }\n";
  const std::string swapped =
      "void f(float* y, int n, int m) {\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++) {\n"
      "      float a = y[i * 2 * m + j];\n      y[i * 2 * m + j] = y[i * 2 * m + m + j];\n"
      "      y[i * 2 * m + m + j] = a;\n    }\n}\n";
  expect_judged({"", swap, swapped, "--set n=2 --set m=7", 3, "a race"});
}

}  // namespace
}  // namespace swizzle::test::flat_products_test
