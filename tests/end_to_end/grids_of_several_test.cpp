// Grids that sums and products of sizes count along one axis, as repositories have them: concatenations, paddings,
// planes of batches and channels.
#include <gtest/gtest.h>

#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::grids_of_several_test {
namespace {

constexpr const char* kPadding = "float* y, const float* x, int n, int p";
const std::string kPadded = fmt::format(
    "__global__ void f({0}) {{\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n + 2 * p) y[i] = i >= p && i < n + p ? x[i - p] : 0.f;\n}}\n"
    "void go({0}) {{ f<<<(n + 2 * p + 127) / 128, 128>>>(y, x, n, p); }}\n",
    kPadding);
const std::string kPaddedSpec = fmt::format(
    "void f({}) {{\n  for (int i = 0; i < n + 2 * p; i++) y[i] = 0;\n  for (int i = 0; i < n; i++) y[i + p] = x[i];\n}}\n",
    kPadding);
const std::string kPaddedAtOnce = fmt::format(
    "void f({}) {{ for (int i = 0; i < n + 2 * p; i++) y[i] = i >= p && i < n + p ? x[i - p] : 0.f; }}\n", kPadding);

constexpr const char* kSum = "float* y, const float* x, int n, int m";
const std::string kBoth = fmt::format(
    "__global__ void f({0}) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n + m) y[i] = 2 * x[i]; }}\n"
    "void go({0}) {{ f<<<(n + m + 255) / 256, 256>>>(y, x, n, m); }}\n",
    kSum);
const std::string kBothSpec = fmt::format("void f({}) {{ for (int i = 0; i < n + m; i++) y[i] = 2 * x[i]; }}\n", kSum);

constexpr const char* kImage = "float* y, const float* x, int h, int w";
const std::string kRepeated = fmt::format(
    "__global__ void f({0}) {{\n  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;\n"
    "  if (c < w) y[r * w + c] = x[r / 2 * w + c];\n}}\n"
    "void go({0}) {{ f<<<dim3((w + 127) / 128, h * 2), 128>>>(y, x, h, w); }}\n",
    kImage);
const std::string kRepeatedSpec = fmt::format(
    "void f({}) {{\n  for (int r = 0; r < 2 * h; r++)\n    for (int c = 0; c < w; c++) y[r * w + c] = x[r / 2 * w + c];\n}}\n",
    kImage);

constexpr const char* kBatch = "float* y, const float* x, int N, int C, int H, int W";
const std::string kPlanes = fmt::format(
    "__global__ void f({0}) {{\n  int w = blockIdx.x * blockDim.x + threadIdx.x, h = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "  int c = blockIdx.z % C, n = blockIdx.z / C;\n  if (w < W && h < H) y[((n * H + h) * W + w) * C + c] = x[((n * C + c) * H + h) * W + w];\n}}\n"
    "void go({0}) {{ f<<<dim3((W + 15) / 16, (H + 1) / 2, N * C), dim3(16, 2)>>>(y, x, N, C, H, W); }}\n",
    kBatch);
const std::string kPlanesSpec = fmt::format(
    "void f({}) {{\n  for (int n = 0; n < N; n++)\n    for (int h = 0; h < H; h++)\n      for (int w = 0; w < W; w++)\n"
    "        for (int c = 0; c < C; c++) y[((n * H + h) * W + w) * C + c] = x[((n * C + c) * H + h) * W + w];\n}}\n",
    kBatch);
const std::string kFlat =
    changed(changed(kPlanes, "int c = blockIdx.z % C, n = blockIdx.z / C;", "int p = blockIdx.z;"),
            "y[((n * H + h) * W + w) * C + c] = x[((n * C + c) * H + h) * W + w]",
            "y[(p * H + h) * W + w] = -x[(p * H + h) * W + w]");
const std::string kFlatSpec = fmt::format(
    "void f({}) {{\n  for (int p = 0; p < N * C; p++)\n    for (int h = 0; h < H; h++)\n"
    "      for (int w = 0; w < W; w++) y[(p * H + h) * W + w] = -x[(p * H + h) * W + w];\n}}\n",
    kBatch);
const std::string kTurned =
    changed(kPlanes, "int c = blockIdx.z % C, n = blockIdx.z / C;", "int n = blockIdx.z % N, c = blockIdx.z / N;");

constexpr const char *kOfPadding = "--set n=300 --set p=3", *kOfSum = "--set n=300 --set m=70",
                     *kOfImage = "--set h=5 --set w=130", *kOfBatch = "--set N=2 --set C=3 --set H=5 --set W=37";

class GridsOfSeveral : public testing::TestWithParam<AsItIs> {};

TEST_P(GridsOfSeveral, AreJudgedAtAllSizes) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Sizes, GridsOfSeveral,
    testing::Values(
        AsItIs{"Padded", kPadded, kPaddedAtOnce, kOfPadding, 0,
               "proved for every size with 1 <= n <= 2147483647, 1 <= p, n + 2 * p <= 2147483520"},
        AsItIs{"PaddedOnOneSide", changed(kPadded, "i < n + 2 * p", "i < n + p"), kPaddedAtOnce, kOfPadding, 3, "y["},
        AsItIs{"PaddedByBlocksOfOne", changed(kPadded, "(n + 2 * p + 127)", "(n + p + 127)"), kPaddedAtOnce, kOfPadding,
               3, "p="},
        AsItIs{"PaddedAndShifted", changed(kPadded, "x[i - p]", "x[i - p - (p > 20)]"), kPaddedAtOnce, kOfPadding, 3,
               "p="},
        AsItIs{"PaddedInTwoLoops", kPadded, kPaddedSpec, kOfPadding, 0, "equal to the spec"},
        AsItIs{"Sum", kBoth, kBothSpec, kOfSum, 0,
               "proved for every size with 1 <= m <= 2147483647, 1 <= n <= 2147483647, n + m <= 2147483392"},
        AsItIs{"SumButTheLast", changed(kBoth, "i < n + m", "i < n + m - m / 100"), kBothSpec, kOfSum, 3, "m="},
        AsItIs{"SumOfWholeBlocks", changed(kBoth, "(n + m + 255)", "(n + m)"), kBothSpec, kOfSum, 3, "y["},
        AsItIs{"SumAndAPartOfIt",
               changed(changed(kBoth, "(n + m + 255) / 256, 256", "dim3((n + m + 255) / 256, n), 256"), "2 * x[i]",
                       "2 * x[i] + 0 * (int)blockIdx.y"),
               kBothSpec, kOfSum, 0, "not proved for other sizes"},
        AsItIs{"Repeated", kRepeated, kRepeatedSpec, kOfImage, 0,
               "proved for every size with 1 <= w <= 2147483520, 1 <= h, 2 * w * h <= 2147483522"},
        AsItIs{"RepeatedBeyond", changed(kRepeated, "h * 2)", "h * 3)"), kRepeatedSpec, kOfImage, 3, "y["},
        AsItIs{"RepeatedAndShifted", changed(kRepeated, "r / 2 *", "(r / 2 - r / 90) *"), kRepeatedSpec, kOfImage, 3,
               "h="},
        AsItIs{"Planes", kPlanes, kPlanesSpec, kOfBatch, 0, "N * C <= 65535", "--run=none --proof=all"},
        AsItIs{"PlanesInTheOtherOrder", kTurned, kPlanesSpec, kOfBatch, 0, "proved for every size with",
               "--run=none --proof=all"},
        AsItIs{"PlanesOfTheWrongChannels", changed(kPlanes, "blockIdx.z % C", "blockIdx.z % (C < 9 ? C : 9)"),
               kPlanesSpec, kOfBatch, 3, "C="},
        AsItIs{"PlanesInAnOrderThatIsNone", changed(kTurned, "blockIdx.z / N", "blockIdx.z / (N < 9 ? N : 9)"),
               kPlanesSpec, kOfBatch, 3, "N="},
        AsItIs{"Flat", kFlat, kFlatSpec, kOfBatch, 0, "proved for every size with"},
        AsItIs{"FlatOfFewPlanes", changed(kFlat, "-x[(p *", "-x[(p % 50 *"), kFlatSpec, kOfBatch, 3, "N="}),
    name_of);

}  // namespace
}  // namespace swizzle::test::grids_of_several_test
