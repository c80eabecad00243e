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
      "",
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
