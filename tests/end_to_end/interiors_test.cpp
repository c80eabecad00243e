// Kernels of the interior of a row or an image, whose blocks share all of it out: the spec leaves the first elements
// out.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::interiors_test {
namespace {

class Interiors : public testing::TestWithParam<AsItIs> {};

TEST_P(Interiors, AreProvedOrRefuted) { expect_judged(GetParam()); }

AsItIs row(const std::string& name, const std::string& guard, const std::string& of_spec, int exit_code,
           const std::string& said) {
  return {
      name,
      "__global__ void f(const float* x, float* y, int n) {\n  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (" +
          guard +
          ") y[i] = x[i - 1] + x[i + 1];\n}\n"
          "void run(float* x, float* y, int n) { f<<<(n + 255) / 256, 256>>>(x, y, n); }\n",
      "void f(const float* x, float* y, int n) { for (int i = " + of_spec + "; i++) y[i] = x[i - 1] + x[i + 1]; }",
      "",
      exit_code,
      said};
}

INSTANTIATE_TEST_SUITE_P(
    OfRows, Interiors,
    testing::Values(row("AsMeant", "i >= 1 && i < n - 1", "1; i < n - 1", 0, "proved for every n"),
                    row("OtherWords", "i > 0 && i + 1 < n", "1; i <= n - 2", 0, "proved for every n"),
                    row("TwoLeftOut", "i >= 2 && i < n - 2", "2; i < n - 2", 0, "proved for every n"),
                    row("FirstForgotten", "i > 1 && i < n - 1", "1; i < n - 1", 3, "y[1]"),
                    row("LastForgotten", "i >= 1 && i < n - 2", "1; i < n - 1", 3, "never stored"),
                    row("OneTooMany", "i >= 1 && i < n - 1", "2; i < n - 1", 3, "y[1]")),
    name_of);

AsItIs image(const std::string& name, const std::string& guard, int exit_code, const std::string& said) {
  return {name,
          "__global__ void f(const float* x, float* y, int w, int h) {\n"
          "  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;\n  if (" +
              guard +
              ") y[r * w + c] = x[(r - 1) * w + c] + x[r * w + c - 1] - x[r * w + c];\n}\n"
              "void run(float* x, float* y, int w, int h) {\n"
              "  f<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(x, y, w, h);\n}\n",
          "void f(const float* x, float* y, int w, int h) {\n  for (int r = 1; r < h - 1; r++)\n"
          "    for (int c = 1; c < w - 1; c++) y[r * w + c] = x[(r - 1) * w + c] + x[r * w + c - 1] - x[r * w + c];\n}",
          "",
          exit_code,
          said};
}

INSTANTIATE_TEST_SUITE_P(OfImages, Interiors,
                         testing::Values(image("AsMeant", "c >= 1 && c < w - 1 && r >= 1 && r < h - 1", 0,
                                               "proved for every size with 1 <= w"),
                                         image("LastRowForgotten", "c >= 1 && c < w - 1 && r >= 1 && r < h - 2", 3,
                                               "never stored"),
                                         image("FirstColumnToo", "c >= 0 && c < w - 1 && r >= 1 && r < h - 1", 3,
                                               "which the spec does not write")),
                         name_of);

AsItIs ahead(const std::string& name, const std::string& size, const std::string& guard, int exit_code,
             const std::string& said) {
  return {name,
          "__global__ void f(const float* x, float* y, " + size + " n) {\n  const " + size +
              " i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (" + guard +
              ") y[i] = 7;\n}\nvoid run(const float* x, float* y, " + size +
              " n) { f<<<(n + 255) / 256, 256>>>(x, y, n); }\n",
          "void f(const float* x, float* y, " + size + " n) { for (" + size + " i = 0; i + 5 < n; i++) y[i] = 7; }\n",
          "--set n=300",
          exit_code,
          said,
          "--run=none --proof=all"};
}

// Sizes at which the spec stores nothing.
INSTANTIATE_TEST_SUITE_P(
    OfNothing, Interiors,
    testing::Values(ahead("AsMeant", "int", "i < n - 5", 0, "proved for every n"),
                    ahead("OneAlways", "int", "i < n - 5 || i == 0", 3, "which the spec does not write"),
                    ahead("ThatWraps", "unsigned", "i < n - 5", 3, "which the spec does not write")),
    name_of);

}  // namespace
}  // namespace swizzle::test::interiors_test
