// Outputs where all of a filter lies on the input: launches over differences of sizes.
#include <gtest/gtest.h>

#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::valid_convolutions_test {
namespace {

const std::string kLine =
    "__global__ void f(const float* x, const float* w, float* y, int n, int k) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n - k + 1) {\n    float s = 0;\n"
    "    for (int j = 0; j < k; j++) s += x[i + j] * w[j];\n    y[i] = s;\n  }\n}\n"
    "void go(const float* x, const float* w, float* y, int n, int k) {\n  int out = n - k + 1, threads = 256;\n"
    "  int blocks = (out + threads - 1) / threads;\n  f<<<blocks, threads>>>(x, w, y, n, k);\n}\n";
const std::string kLineSpec =
    "void f(const float* x, const float* w, float* y, int n, int k) {\n  for (int i = 0; i <= n - k; i++) {\n"
    "    float s = 0;\n    for (int j = 0; j < k; j++) s += x[i + j] * w[j];\n    y[i] = s;\n  }\n}\n";

constexpr const char* kImages = "const float* x, const float* w, float* y, int rows, int cols, int high, int wide";
const std::string kImage = fmt::format(
    "__global__ void f({0}) {{\n  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + "
    "threadIdx.y;\n  int out_rows = rows - high + 1, out_cols = cols - wide + 1;\n"
    "  if (r >= out_rows || c >= out_cols) return;\n  float s = 0;\n  for (int i = 0; i < high; i++)\n"
    "    for (int j = 0; j < wide; j++) s += x[(r + i) * cols + c + j] * w[i * wide + j];\n"
    "  y[r * out_cols + c] = s;\n}}\n"
    "void go({0}) {{\n  dim3 block(16, 16);\n"
    "  dim3 grid((cols - wide + 1 + block.x - 1) / block.x, (rows - high + 1 + block.y - 1) / block.y);\n"
    "  f<<<grid, block>>>(x, w, y, rows, cols, high, wide);\n}}\n",
    kImages);
const std::string kImageSpec = fmt::format(
    "void f({}) {{\n  for (int r = 0; r <= rows - high; r++)\n    for (int c = 0; c <= cols - wide; c++) {{\n"
    "      float s = 0;\n      for (int i = 0; i < high; i++)\n"
    "        for (int j = 0; j < wide; j++) s += x[(r + i) * cols + c + j] * w[i * wide + j];\n"
    "      y[r * (cols - wide + 1) + c] = s;\n    }}\n}}\n",
    kImages);

const std::string kVolume =
    "__global__ void f(const float* x, float* y, int d, int h, int w, int k) {\n"
    "  int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y, p = blockIdx.z;\n"
    "  if (c > w - k || r > h - k) return;\n  float s = 0;\n  for (int a = 0; a < k; a++)\n"
    "    for (int b = 0; b < k; b++)\n      for (int e = 0; e < k; e++) s += x[((p + a) * h + r + b) * w + c + e];\n"
    "  y[(p * (h - k + 1) + r) * (w - k + 1) + c] = s;\n}\n"
    "void go(const float* x, float* y, int d, int h, int w, int k) {\n"
    "  f<<<dim3((w - k + 16) / 16, (h - k + 8) / 8, d - k + 1), dim3(16, 8)>>>(x, y, d, h, w, k);\n}\n";
const std::string kVolumeSpec =
    "void f(const float* x, float* y, int d, int h, int w, int k) {\n  for (int p = 0; p < d - k + 1; p++)\n"
    "    for (int r = 0; r < h - k + 1; r++)\n      for (int c = 0; c < w - k + 1; c++) {\n        float s = 0;\n"
    "        for (int a = 0; a < k; a++)\n          for (int b = 0; b < k; b++)\n"
    "            for (int e = 0; e < k; e++) s += x[((p + a) * h + r + b) * w + c + e];\n"
    "        y[(p * (h - k + 1) + r) * (w - k + 1) + c] = s;\n      }\n}\n";

constexpr const char *kOfLine = "--set n=1000 --set k=5",
                     *kOfImage = "--set rows=20 --set cols=30 --set high=3 --set wide=5",
                     *kOfVolume = "--set d=6 --set h=12 --set w=20 --set k=3";

class ValidConvolutions : public testing::TestWithParam<AsItIs> {};

TEST_P(ValidConvolutions, AreJudgedAtAllSizes) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, ValidConvolutions,
    testing::Values(AsItIs{"Lines", kLine, kLineSpec, kOfLine, 0,
                           "proved for every size with 0 <= n - k <= 2147483391, 1 <= k"},
                    AsItIs{"LinesBeyondTheEnd", changed(kLine, "i < n - k + 1", "i <= n - k + 1"), kLineSpec, kOfLine,
                           3, "index 1000 is outside"},
                    AsItIs{"LinesWithoutALastBlock", changed(kLine, "(out + threads - 1)", "(out + threads - 6)"),
                           kLineSpec, kOfLine, 3, "is never stored"},
                    AsItIs{"Images", kImage, kImageSpec, kOfImage, 0,
                           "proved for every size with 0 <= cols - wide <= 2147483631, 0 <= rows - high <= 1048559"},
                    AsItIs{"ImagesOfTheWrongPitch", changed(kImage, "(r + i) * cols", "(r + i) * (out_cols + 4)"),
                           kImageSpec, kOfImage, 3, "at cols="},
                    AsItIs{"Volumes", kVolume, kVolumeSpec, kOfVolume, 0,
                           "proved for every size with 0 <= w - k <= 2147483631, 0 <= h - k <= 524279, 0 <= d - k"},
                    AsItIs{"VolumesOfTheFirstPlanes", changed(kVolume, "(p + a) * h", "(p + a % 3) * h"), kVolumeSpec,
                           kOfVolume, 3, "k="}),
    name_of);

// C rounds halves of negative differences towards 0, where the launch still has a block, and computes from left to
// right.
TEST(ValidConvolutions, HaveNoNegativeSizes) {
  const std::string kernel =
      "__global__ void f(float* y, const float* x, int n, int k) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < (n - k + 2) / 2) y[i] = x[2 * i];\n}\n"
      "void go(float* y, const float* x, int n, int k) { f<<<((n - k) / 2 + 1 + 63) / 64, 64>>>(y, x, n, k); }\n";
  const std::string spec =
      "void f(float* y, const float* x, int n, int k) {\n"
      "  for (int i = 0; i < (n - k) / 2 + 1; i++) y[i] = x[2 * i];\n}\n";
  expect_judged({"", kernel, spec, "--set n=9 --set k=3", 0, "proved for every size with 0 <= n - k"});
  expect_judged(
      {"", changed(kLine, "(out + threads - 1)", "(255 + n - k + 1)"), kLineSpec, kOfLine, 0, "255 + n <= 2147483647"});
}

}  // namespace
}  // namespace swizzle::test::valid_convolutions_test
