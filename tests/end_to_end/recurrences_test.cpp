// Rows of which each element is made of the one before, and elements that a spec adds up in place.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::recurrences_test {
namespace {

constexpr const char* kParameters = "(const float* x, float* y, int m, int k)";

// A row a thread, which is `kernel` of r, and `spec`.
AsItIs rows(const std::string& name, const std::string& kernel, const std::string& spec, const std::string& said,
            int exit_code = 0) {
  return {name,
          fmt::format("__global__ void f{0} {{\n  const int r = blockIdx.x * blockDim.x + threadIdx.x;\n"
                      "  if (r >= m) return;\n  {1}\n}}\nvoid run{0} {{ f<<<(m + 63) / 64, 64>>>(x, y, m, k); }}\n",
                      kParameters, kernel),
          fmt::format("#include <cmath>\nvoid f{} {{\n  for (int r = 0; r < m; r++) {{\n    {}\n  }}\n}}\n",
                      kParameters, spec),
          "--set m=65 --set k=6",
          exit_code,
          said};
}

constexpr const char* kProved = "; proved for every size with 1 <= m <= 2147483584, 1 <= k <= 2147483647, ";

std::string loop(const std::string& before, const std::string& in, const std::string& behind = "") {
  return fmt::format("{} for (int j = 0; j < k; j++) {{ const float v = x[r * k + j]; {} }} {}", before, in, behind);
}

const std::string kFilter = loop("float h = 0;", "h = 0.5f * h + v; y[r * k + j] = h;");
const std::string kSoftmax =
    loop("float top = -1e30f, sum = 0;", "const float t = {0}(top, v); sum = sum * {1}(top - t) + {1}(v - t); top = t;",
         "for (int j = 0; j < k; j++) y[r * k + j] = {1}(x[r * k + j] - top) / sum;");

std::string softmax(const std::string& max, const std::string& exp) {
  std::string text = kSoftmax;
  for (const auto& [mark, function] : {std::pair("{0}", max), {"{1}", exp}})
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) text.replace(at, 3, function);
  return text;
}

class Rows : public testing::TestWithParam<AsItIs> {};

TEST_P(Rows, AreMadeElementByElement) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, Rows,
    testing::Values(
        rows("RunningSums", loop("float s = 0;", "s += v; y[r * k + j] = s;"),
             loop("float s = 0;", "y[r * k + j] = s + v; s = s + v;"), kProved),
        rows("SumsBefore", loop("float s = 0;", "y[r * k + j] = s; s += v;"),
             loop("float s = 0;", "y[r * k + j] = s; s += v;"), kProved),
        rows("AnotherOrder", loop("float s = 0;", "y[r * k + j] = s; s += v;"),
             loop("float s = 0;", "s += v; y[r * k + j] = s;"), "y[0] is 0, and the spec says x[0]", 3),
        rows("Filter", kFilter, loop("float h = 0;", "const float g = 0.5f * h; h = v + g; y[r * k + j] = h;"),
             kProved),
        rows("FilterFromOne", changed(kFilter, "h = 0;", "h = 1;"), kFilter, "y[0] is", 3),
        rows("Differences", loop("float p = 0;", "y[r * k + j] = v - p; p = v;"),
             loop("float p = 0;", "y[r * k + j] = v - p; p = v;"), kProved),
        rows("Largest", loop("float b = -1; int at = 0;", "if (v > b) { b = v; at = j; }", "y[r] = at;"),
             loop("int at = 0; float b = -1;", "if (v > b) { at = j; b = v; }", "y[r] = at;"), kProved),
        rows("LastOfTheLargest", loop("float b = -1; int at = 0;", "if (v >= b) { b = v; at = j; }", "y[r] = at;"),
             loop("int at = 0; float b = -1;", "if (v > b) { at = j; b = v; }", "y[r] = at;"), "y[0] is", 3),
        rows("Softmax", softmax("fmaxf", "expf"), softmax("std::fmax", "std::exp"), kProved),
        rows("InPlaceOfTheSpec", loop("float s = 0;", "s += v;", "y[r] = s;"), "y[r] = 0; " + loop("", "y[r] += v;"),
             kProved),
        rows("OnWhatIsThere", loop("float s = y[r];", "s += v;", "y[r] = s;"), loop("", "y[r] += v;"), kProved),
        rows("LargestInPlace", loop("float s = 0;", "s = fmaxf(s, v);", "y[r] = s;"),
             "y[r] = 0; " + loop("", "y[r] = std::fmax(y[r], v);"), kProved),
        rows("OfTheRowBefore", loop("float s = 0;", "s += v;", "y[r] = s;"),
             "y[r] = 0; " + loop("", "y[r] += v;", "if (r > 0) y[r] += y[r - 1];"), "y[1] is", 3)),
    name_of);

// Each block of 16 x 16 threads has the sums of its elements in registers; the spec has them in memory.
TEST(Products, AreAddedUpInPlace) {
  const char* const kernel =
      "__global__ void f(const float* a, const float* b, float* c, int m) {\n"
      "  __shared__ float p[16][16], q[16][16];\n"
      "  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;\n  float s = 0;\n"
      "  for (int k0 = 0; k0 < m; k0 += 16) {\n    const int across = k0 + threadIdx.x, down = k0 + threadIdx.y;\n"
      "    p[threadIdx.y][threadIdx.x] = row < m && across < m ? a[row * m + across] : 0;\n"
      "    q[threadIdx.y][threadIdx.x] = down < m && column < m ? b[down * m + column] : 0;\n    __syncthreads();\n"
      "    for (int k = 0; k < 16; k++) s += p[threadIdx.y][k] * q[k][threadIdx.x];\n    __syncthreads();\n  }\n"
      "  if (row < m && column < m) c[row * m + column] = s;\n}\n"
      "void run(const float* a, const float* b, float* c, int m) {\n"
      "  f<<<dim3((m + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, m);\n}\n";
  const char* const spec =
      "void f(const float* a, const float* b, float* c, int m) {\n  for (int i = 0; i < m; i++)\n"
      "    for (int j = 0; j < m; j++) {\n      c[i * m + j] = 0;\n"
      "      for (int k = 0; k < m; k++) c[i * m + j] += a[i * m + k] * b[k * m + j];\n    }\n}\n";
  expect_judged({"", kernel, spec, "--set m=17", 0, "; proved for every m from 1 to 46340"});
}

}  // namespace
}  // namespace swizzle::test::recurrences_test
