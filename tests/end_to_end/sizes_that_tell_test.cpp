// Kernels that are right at all sizes but few: those at which a launch has no more blocks, or only whole ones; and
// those whose loops make more than one turn.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::sizes_that_tell_test {
namespace {

AsItIs copied(const std::string& name, const std::string& blocks, int exit_code, const std::string& said) {
  return {name,
          fmt::format("#include <algorithm>\n__global__ void f(const float* x, float* y, int n) {{\n"
                      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = x[i];\n}}\n"
                      "void run(const float* x, float* y, int n) {{ f<<<{}, 256>>>(x, y, n); }}\n",
                      blocks),
          "void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n",
          "",
          exit_code,
          said};
}

AsItIs doubled(const std::string& name, int threads, int exit_code, const std::string& said) {
  return {name,
          fmt::format("__global__ void f(const float* x, float* y, int b, int t, int c) {{\n"
                      "  const int i = blockIdx.x * {0} + threadIdx.x;\n  if (i < b * t * c) y[i] = 2 * x[i];\n}}\n"
                      "void run(const float* x, float* y, int b, int t, int c) {{\n"
                      "  f<<<(b * t * c + 255) / 256, {0}>>>(x, y, b, t, c);\n}}\n",
                      threads),
          "void f(const float* x, float* y, int b, int t, int c) {\n"
          "  for (int i = 0; i < b * t * c; i++) y[i] = 2 * x[i];\n}\n",
          "",
          exit_code,
          said};
}

// A round's elements are overwritten while others still read them, unless a second barrier stands there.
AsItIs summed(const std::string& name, const std::string& second, const std::string& said) {
  return {
      name,
      "__global__ void f(const float* x, float* y, int rows, int m) {\n  __shared__ float s[128];\n"
      "  const int t = threadIdx.x;\n  float a = 0;\n  for (int r = 0; r < m; r++) {\n"
      "    s[t] = x[(blockIdx.x * m + r) * 128 + t];\n    __syncthreads();\n    a += s[127 - t];\n    " +
          second +
          "\n  }\n  y[blockIdx.x * 128 + t] = a;\n}\n#pragma swizzle instance rows = 2, m = 1\n"
          "void run(const float* x, float* y, int rows, int m) { f<<<rows, 128>>>(x, y, rows, m); }\n",
      "void f(const float* x, float* y, int rows, int m) {\n  for (int b = 0; b < rows; b++)\n"
      "    for (int t = 0; t < 128; t++) {\n      float a = 0;\n"
      "      for (int r = 0; r < m; r++) a += x[(b * m + r) * 128 + 127 - t];\n      y[b * 128 + t] = a;\n    }\n}\n",
      "",
      0,
      said};
}

// Rows that lie `pitch` elements apart, which is enough for them.
AsItIs pitched(const std::string& name, const std::string& assumption) {
  return {
      name,
      "__global__ void f(const float* x, float* y, int w, int h, int pitch) {\n"
      "  const int i = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y;\n  if (i < w) y[r * w + i] = x[r * pitch + i];\n}\n" +
          assumption +
          "void run(const float* x, float* y, int w, int h, int pitch) {\n"
          "  f<<<dim3((w + 31) / 32, h), 32>>>(x, y, w, h, pitch);\n}\n",
      "void f(const float* x, float* y, int w, int h, int pitch) {\n  for (int r = 0; r < h; r++)\n"
      "    for (int i = 0; i < w; i++) y[r * w + i] = x[r * pitch + i];\n}\n",
      "",
      0,
      "; proved for every size with 1 <= w"};
}

// Likewise of what is stored: unless rows are apart, they meet.
AsItIs apart(const std::string& name, const std::string& assumption, const std::string& said, int exit_code = 0) {
  return {
      name,
      "__global__ void f(const float* x, float* y, int w, int h, int pitch) {\n"
      "  const int i = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y;\n  if (i < w) y[r * pitch + i] = x[r * w + i];\n}\n" +
          assumption +
          "void run(const float* x, float* y, int w, int h, int pitch) {\n"
          "  f<<<dim3((w + 31) / 32, h), 32>>>(x, y, w, h, pitch);\n}\n",
      "void f(const float* x, float* y, int w, int h, int pitch) {\n  for (int r = 0; r < h; r++)\n"
      "    for (int i = 0; i < w; i++) y[r * pitch + i] = x[r * w + i];\n}\n",
      "",
      exit_code,
      said};
}

// The launch computes n, where the spec has N.
const AsItIs kComputed = {
    "SizesThatTheLaunchComputes",
    "__global__ void f(const float* x, const float* g, float* y, int n, int c, int hw) {\n"
    "  const int i = blockIdx.x * 256 + threadIdx.x;\n  if (i < n) y[i] = x[i] * g[i / hw % c];\n}\n"
    "void run(const float* x, const float* g, float* y, int N, int c, int hw) {\n  const int n = N * c * hw;\n"
    "  f<<<(n + 255) / 256, 256>>>(x, g, y, n, c, hw);\n}\n",
    "void f(const float* x, const float* g, float* y, int N, int c, int hw) {\n  for (int i = 0; i < N; i++)\n"
    "    for (int k = 0; k < c; k++)\n      for (int p = 0; p < hw; p++)\n"
    "        y[(i * c + k) * hw + p] = x[(i * c + k) * hw + p] * g[k];\n}\n",
    "",
    0,
    "; proved for every size with 1 <= N"};

AsItIs assumed(const std::string& name, const std::string& assumption, const std::string& said) {
  AsItIs few = copied(name, "(n + 255) / 256", 0, said);
  few.program = changed(few.program, "void run", "#pragma swizzle assume " + assumption + "\nvoid run");
  return few;
}

// A block's sum, in memory of which the launch says how much there is.
AsItIs summed_up(const std::string& name, const std::string& bytes, int exit_code, const std::string& said) {
  return {name,
          fmt::format(
              "__global__ void f(const float* x, float* y, int n) {{\n  extern __shared__ float s[];\n"
              "  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n  s[t] = i < n ? x[i] : 0;\n"
              "  __syncthreads();\n  for (int d = blockDim.x / 2; d > 0; d /= 2) {{\n"
              "    if (t < d) s[t] += s[t + d];\n    __syncthreads();\n  }}\n  if (t == 0) y[blockIdx.x] = s[0];\n}}\n"
              "void run(const float* x, float* y, int n) {{ f<<<(n + 127) / 128, 128, {}>>>(x, y, n); }}\n",
              bytes),
          "void f(const float* x, float* y, int n) {\n  for (int b = 0; b < (n + 127) / 128; b++) {\n    float s = 0;\n"
          "    for (int k = 128 * b; k < 128 * b + 128 && k < n; k++) s += x[k];\n    y[b] = s;\n  }\n}\n",
          "",
          exit_code,
          said};
}

class SizesThatTell : public testing::TestWithParam<AsItIs> {};

TEST_P(SizesThatTell, AreTried) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, SizesThatTell,
    testing::Values(copied("AsManyBlocksAsThereAre", "(n + 255) / 256", 0, "proved for every n"),
                    copied("EightBlocksAtMost", "std::min((n + 255) / 256, 8)", 3,
                           "at n=2049, which is none of the sizes given, y[2048] is never stored"),
                    copied("OneThousandBlocksAtMost", "std::min(1000, (n + 255) / 256)", 3,
                           "at n=256001, which is none"),
                    doubled("AThreadForEach", 256, 0, "proved for every size"),
                    doubled("AThreadTooFew", 255, 3, "is none of the sizes given, y[255] is never stored"),
                    pitched("AnyPitch", ""), pitched("EnoughOfOne", "#pragma swizzle assume pitch >= w\n"), kComputed,
                    assumed("OneBlock", "n <= 32", "; proved for every n from 1 to 32;"),
                    assumed("BlocksUpToABound", "n <= 1000", "; proved for every n from 1 to 1000;"),
                    summed_up("MemoryOfTheLaunch", "128 * sizeof(float)", 0, "; proved for every n from 1 to "),
                    summed_up("TooLittleOfIt", "96 * sizeof(float)", 3, "this launch gives 384 bytes"),
                    apart("RowsApart", "#pragma swizzle assume pitch >= w\n", "; proved for every size with "),
                    apart("RowsFarApart", "#pragma swizzle assume pitch > w + 3\n", "; proved for every size with "),
                    apart("RowsThatMayMeet", "#pragma swizzle assume pitch >= w - 1\n",
                          "is written twice with different values", 3),
                    summed("RoundsApart", "__syncthreads();", "1 <= m <= 2147483647"),
                    summed("RoundsThatMeet", "", "a race, and nothing says that the kernel is not for this size")),
    name_of);

}  // namespace
}  // namespace swizzle::test::sizes_that_tell_test
