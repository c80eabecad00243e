// Buffers whose length nobody says.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::verified_buffers_test {
namespace {

// x may have n elements, of which the spec leaves out the last.
AsItIs shifted(const std::string& name, const std::string& guard, const std::string& directive, int exit_code,
               const std::string& said) {
  return {name,
          fmt::format("{}__global__ void f(const int* x, int* y, int n) {{\n"
                      "  const int i = blockIdx.x * 32 + threadIdx.x, v = {} ? x[i] : 0;\n"
                      "  const int w = __shfl_up_sync(~0u, v, 1);\n  if (i < n) y[i] = i % 32 ? w : 0;\n}}\n"
                      "void run(const int* x, int* y, int n) {{ f<<<(n + 31) / 32, 32>>>(x, y, n); }}\n",
                      directive, guard),
          "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = i % 32 ? x[i - 1] : 0; }\n",
          "--set n=48",
          exit_code,
          said};
}

// Every thread of a block that is in the image reads its element, the spec's stencil all but the corners.
const AsItIs kLaplace = {
    "CornersOfAnImage",
    "__global__ void f(const int* x, int* y, int w, int h) {\n"
    "  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 4 + threadIdx.y;\n"
    "  if (c >= w || r >= h) return;\n  const int v = x[r * w + c];\n"
    "  if (c > 0 && c < w - 1 && r > 0 && r < h - 1)\n"
    "    y[r * w + c] = x[r * w + c - 1] + x[r * w + c + 1] + x[(r - 1) * w + c] + x[(r + 1) * w + c] - 4 * v;\n}\n"
    "void run(const int* x, int* y, int w, int h) {\n"
    "  f<<<dim3((w + 31) / 32, (h + 3) / 4), dim3(32, 4)>>>(x, y, w, h);\n}\n",
    "void f(const int* x, int* y, int w, int h) {\n  for (int r = 1; r < h - 1; r++)\n    for (int c = 1; c < w - 1; c++)\n"
    "      y[r * w + c] = x[r * w + c - 1] + x[r * w + c + 1] + x[(r - 1) * w + c] + x[(r + 1) * w + c] - 4 * x[r * w + c];\n}\n",
    "",
    0,
    "; taking x to have h * w elements; "};

// The spec stores the element in the middle as it was.
AsItIs turned(const std::string& name, const std::string& spec_count, int exit_code, const std::string& said) {
  return {name,
          "__global__ void f(int* y, int n) {\n  const int i = blockIdx.x * 32 + threadIdx.x;\n"
          "  if (i < n / 2) {\n    const int a = y[n - 1 - i];\n    y[n - 1 - i] = y[i];\n    y[i] = a;\n  }\n}\n"
          "void run(int* y, int n) { f<<<(n / 2 + 31) / 32, 32>>>(y, n); }\n",
          "void f(int* y, int n) { for (int i = 0; i < " + spec_count +
              "; i++) { const int a = y[i]; y[i] = y[n - 1 - i]; y[n - 1 - i] = a; } }\n",
          "--set n=65",
          exit_code,
          said};
}

class VerifiedBuffers : public testing::TestWithParam<AsItIs> {};

TEST_P(VerifiedBuffers, MayBeLongerThanTheSpecUsesThem) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Shifted, VerifiedBuffers,
    testing::Values(
        shifted("Open", "i < n", "", 0, "; taking x to have n elements; "),
        shifted("OpenBehindTheEnd", "i <= n", "", 3, "index 48 is outside 'x' of 48 elements"),
        shifted("Said", "i < n", "#pragma swizzle extent x(n)\n", 0, "proved for every n"),
        shifted("Shorter", "i < n", "#pragma swizzle extent x(n - 1)\n", 3, "index 47 is outside 'x' of 47 elements"),
        shifted("BehindTheEnd", "i <= n", "#pragma swizzle extent x(n)\n", 3, "index 48 is outside 'x' of 48 elements"),
        kLaplace, turned("StoredAsItWas", "(n + 1) / 2", 0, "equal to the spec"),
        turned("StoredLess", "n / 2", 0, "equal to the spec"),
        turned("StoredAgain", "(n + 2) / 2", 3, "and the spec says"),
        shifted("AsTheSpec", "i + 1 < n", "", 0, "equal to the spec")),
    name_of);

}  // namespace
}  // namespace swizzle::test::verified_buffers_test
