// How launches share out what sizes decide: two axes of one size, and loops that go on by a part of a block.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::shared_out_test {
namespace {

constexpr const char* kParameters = "(const int* x, int* y, int n) {";

AsItIs launched(const std::string& name, const std::string& body, const std::string& launch, const std::string& spec,
                const std::string& said, int exit_code = 0) {
  return {
      name,
      fmt::format("__global__ void f{0}\n{1}\n}}\nvoid run{0} f<<<{2}>>>(x, y, n); }}\n", kParameters, body, launch),
      fmt::format("#include <algorithm>\nvoid f{}\n{}\n}}\n", kParameters, spec),
      "--proof=all --time-limit 30",
      exit_code,
      said};
}

// The lower triangle of a square, in blocks of w columns and h rows.
AsItIs triangle(const std::string& name, int w, int h, int missing, const std::string& said, int exit_code = 0) {
  return launched(
      name,
      fmt::format("  const int i = blockIdx.x * {} + threadIdx.x, j = blockIdx.y * {} + threadIdx.y;\n"
                  "  if (i < n && j < n) y[j * n + i] = i <= j ? x[j * n + i] : 0;",
                  w, h),
      fmt::format("dim3((n + {}) / {}, (n + {}) / {}), dim3({}, {})", w - 1, w, h - 1 - missing, h, w, h),
      "  for (int j = 0; j < n; j++)\n    for (int i = 0; i < n; i++) y[j * n + i] = i <= j ? x[j * n + i] : 0;", said,
      exit_code);
}

constexpr const char* kBallot =
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  const unsigned m = __ballot_sync(0xffffffffu, i < n && x[i] > 0);\n"
    "  if ((threadIdx.x & 31) == 0 && i < n) y[i / 32] = m;";
constexpr const char* kScan =
    "  const int i = blockIdx.x * 128 + threadIdx.x, l = threadIdx.x & 31;\n  int v = i < n ? x[i] : 0;\n"
    "  for (int d = 1; d < 32; d *= 2) {\n    const int w = __shfl_up_sync(~0u, v, d);\n    if (l >= d) v += w;\n  }\n"
    "  if (i < n) y[i] = v;";

// Of elements of images, each thread takes those that are a grid apart.
AsItIs strided(const std::string& name, const std::string& loop, const std::string& grid, const std::string& said,
               int exit_code = 0) {
  const std::string parameters = "(const int* x, const int* w, int* y, int rows, int n) {";
  return {
      name,
      fmt::format("#include <algorithm>\n__global__ void f{0}\n  {1} y[i % n * rows + i / n] = x[i] + w[i % n];\n}}\n"
                  "void run{0} f<<<{2}, 256>>>(x, w, y, rows, n); }}\n",
                  parameters, loop, grid),
      fmt::format("void f{}\n  for (int r = 0; r < rows; r++)\n"
                  "    for (int c = 0; c < n; c++) y[c * rows + r] = x[r * n + c] + w[c];\n}}\n",
                  parameters),
      "",
      exit_code,
      said};
}

constexpr const char* kByGrids =
    "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * n; i += blockDim.x * gridDim.x)";

// Of any n and any c, neither of which is a multiple of the other.
AsItIs divided(const std::string& name, const std::string& of_kernel, const std::string& of_spec,
               const std::string& said, int exit_code = 0) {
  const std::string parameters = "(const int* x, const int* w, int* y, int n, int c) {";
  return {name,
          fmt::format("__global__ void f{0}\n  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                      "  if (i < n) y[i] = x[i] + {1};\n}}\n"
                      "void run{0} f<<<(n + 127) / 128, 128>>>(x, w, y, n, c); }}\n",
                      parameters, of_kernel),
          fmt::format("void f{}\n  for (int i = 0; i < n; i++) y[i] = x[i] + {};\n}}\n", parameters, of_spec),
          "",
          exit_code,
          said,
          "--run=none --proof=all"};
}

class SharedOut : public testing::TestWithParam<AsItIs> {};

TEST_P(SharedOut, AmongBlocks) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Axes, SharedOut,
                         testing::Values(triangle("WideBlocks", 32, 8, 0, "; proved for every n from 1 to 46340"),
                                         triangle("HighBlocks", 8, 32, 0, "; proved for every size with 1 <= n <= "),
                                         triangle("SquareBlocks", 16, 16, 0, "; proved for every n from 1 to 46340"),
                                         triangle("ARowOfBlocksTooFew", 32, 8, 1, "is never stored", 3),
                                         triangle("OtherParts", 12, 8, 0, "; not proved for other sizes")),
                         name_of);

INSTANTIATE_TEST_SUITE_P(
    Strides, SharedOut,
    testing::Values(
        strided("OfAllBlocks", kByGrids, "(rows * n + 255) / 256",
                "; proved for every size with 1 <= rows <= 2147483647, 1 <= n <= 2147483647, rows * n <= 1073741695;"),
        strided("OfAFewBlocks", kByGrids, "80", ", rows * n <= 2147463167;"),
        strided("OfBlocksUpToANumber", kByGrids, "std::min((rows * n + 255) / 256, 1024)", ", rows * n <= 2147221503;"),
        strided("ByNumbers", "for (int i = blockIdx.x * 256 + threadIdx.x; i < n * rows; i += 256 * gridDim.x)",
                "(n * rows + 255) / 256", "; proved for every size with "),
        strided("FromABlockTooFar",
                "for (int i = blockIdx.x * 256 + threadIdx.x; i < n * rows; i += 256 * (gridDim.x + 1))", "3",
                "is never stored", 3),
        strided("OfTooFewThreads", "for (int i = blockIdx.x * 128 + threadIdx.x; i < n * rows; i += 128 * gridDim.x)",
                "(n * rows + 255) / 256", "; not proved for other sizes")),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Quotients, SharedOut,
    testing::Values(divided("ElementsOfARow", "w[i % c]", "w[i % c]", "; proved for every size with 1 <= n"),
                    divided("QuotientAndRest", "(i - (c - 1) * (i / c))", "(i / c + i % c)",
                            "; proved for every size with 1 <= n"),
                    divided("RestAlone", "(i - c * (i / c))", "(i / c + i % c)", "and the spec says", 3),
                    divided("NextElementOfARow", "w[(i + 1) % c]", "w[i % c]", "failed its verification", 3)),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Steps, SharedOut,
    testing::Values(launched("VotesOfWarps", kBallot, "(n + 255) / 256, 256",
                             "  for (int b = 0; b < n; b += 32) {\n    unsigned m = 0;\n"
                             "    for (int k = 0; k < 32 && b + k < n; k++)\n      if (x[b + k] > 0) m |= 1u << k;\n"
                             "    y[b / 32] = m;\n  }",
                             "; proved for every n from 1 to "),
                    launched("SumsOfWarps", kScan, "(n + 127) / 128, 128",
                             "  for (int b = 0; b < n; b += 32) {\n    int s = 0;\n"
                             "    for (int k = b; k < b + 32 && k < n; k++) y[k] = s += x[k];\n  }",
                             "; proved for every "),
                    launched("SumsOfHalfWarps", kScan, "(n + 127) / 128, 128",
                             "  for (int b = 0; b < n; b += 16) {\n    int s = 0;\n"
                             "    for (int k = b; k < b + 16 && k < n; k++) y[k] = s += x[k];\n  }",
                             "and the spec says", 3)),
    name_of);

}  // namespace
}  // namespace swizzle::test::shared_out_test
