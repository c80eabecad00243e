// Rows that look as if they could be computed once more where they are read again, and cannot: by what leaves between,
// by another name, by other blocks. Nothing is proved for every k.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::recomputed_rows_test {
namespace {

struct Rows {
  std::string name;
  std::string before = {}, first = "y[r * n + c] = x[r * n + c] * v;", between = {}, last = "y[r * n + c] += 1;";
  std::string spec = "y[r * n + c] = x[r * n + c] * (k > 5 ? 2 : 1) + 1;";
  std::string grid = "rows";
};

class RecomputedRows : public testing::TestWithParam<Rows> {};

TEST_P(RecomputedRows, AreNotWhatTheyLookLike) {
  const Rows& rows = GetParam();
  const std::string parameters = "(const float* x, float* y, float* z, int rows, int n, int k)";
  const std::string head = "  for (int c = t; c < n; c += 64) { ";
  const ToolResult r = verified(
      {rows.name,
       "__global__ void f" + parameters + " {\n  const int r = blockIdx.x, t = threadIdx.x;\n  int v = 1;\n  " +
           rows.before + "\n" + head + rows.first + " }\n  __syncthreads();\n  " + rows.between + "\n" + head +
           rows.last + " }\n}\nvoid run" + parameters + " { f<<<" + rows.grid + ", 64>>>(x, y, z, rows, n, k); }\n",
       "void f" + parameters + " {\n  for (int r = 0; r < rows; r++)\n    for (int c = 0; c < n; c++) { " + rows.spec +
           " }\n}\n",
       "--set rows=70 --set n=20 --set k=1", 0, ""});
  EXPECT_TRUE(r.exit_code == 3 || r.output.find("<= k") == std::string::npos) << r.output;
}

INSTANTIATE_TEST_SUITE_P(
    Of, RecomputedRows,
    testing::Values(Rows{.name = "Reference", .before = "int& q = v;", .between = "if (k > 5) q = 2;"},
                    Rows{.name = "Pointer", .before = "int* q = &v;", .between = "if (k > 5) *q = 2;"},
                    Rows{.name = "SharedMemoryByAPointer",
                         .before = "__shared__ int u[64];\n  int* p = u;\n  u[t] = 1;\n  __syncthreads();",
                         .first = "y[r * n + c] = x[r * n + c] * u[63 - t];",
                         .between = "if (k > 5) p[t] = 2;\n  __syncthreads();"},
                    Rows{.name = "SharedMemoryByTwoPointers",
                         .before = "__shared__ int u[64];\n  int *p = u, *q = u;\n  q[t] = 1;\n  __syncthreads();",
                         .first = "y[r * n + c] = x[r * n + c] * q[63 - t];",
                         .between = "if (k > 5) p[t] = 2;\n  __syncthreads();"},
                    Rows{.name = "AnotherBufferByAPointer",
                         .before = "float* p = z + r * n;\n  for (int c = t; c < n; c += 64) p[c] = 1;",
                         .first = "y[r * n + c] = x[r * n + c] * z[r * n + c];",
                         .between = "for (int c = t; c < n; c += 64) p[c] = k > 5 ? 2 : 1;",
                         .spec = "z[r * n + c] = k > 5 ? 2 : 1; y[r * n + c] = x[r * n + c] * (k > 5 ? 2 : 1) + 1;"},
                    Rows{.name = "Return",
                         .between = "if (k == 7) return;",
                         .spec = "if (k != 7) y[r * n + c] = x[r * n + c] + 1;"},
                    Rows{.name = "ReadBehindTheStore",
                         .last = "y[r * n + c] *= k; z[r * n + c] = y[r * n + c];",
                         .spec = "y[r * n + c] = x[r * n + c] * k; z[r * n + c] = x[r * n + c];"},
                    Rows{.name = "SharedMemoryWithoutABarrier",
                         .before = "__shared__ int u[64];\n  u[t] = 7;\n  if (k < 5) __syncthreads();",
                         .first = "y[r * n + c] = u[63 - t];",
                         .spec = "y[r * n + c] = 8;"},
                    Rows{.name = "SeveralBlocks", .spec = "y[r * n + c] = x[r * n + c] + 1;", .grid = "dim3(rows, k)"}),
    [](const auto& info) { return info.param.name; });

// Several threads add to one element; the barrier behind them, or within, makes it no better.
TEST(SumsOfSeveralThreads, AreNotProved) {
  const std::string parameters = "(const float* x, float* y, int n, int k)";
  for (const char* adds : {"y[b] = 0; for (int j = 0; j < k; j++) y[b] += x[b + j]; __syncthreads();",
                           "y[b] = 0; for (int j = 0; j < k; j++) { y[b] += x[b + j]; __syncthreads(); }",
                           "y[b] = 0; __syncthreads(); for (int j = 0; j < k; j++) y[b] += x[b + j];",
                           "y[b] = 0; for (int j = 0; j < k; j++) y[b] += x[b + j];"}) {
    const ToolResult r = verified({"",
                                   "__global__ void f" + parameters + " {\n  const int b = blockIdx.x;\n  " + adds +
                                       "\n}\nvoid run" + parameters + " { f<<<n, 32>>>(x, y, n, k); }\n",
                                   "void f" + parameters +
                                       " {\n  for (int i = 0; i < n; i++) {\n    float s = 0;\n"
                                       "    for (int j = 0; j < k; j++) s += x[i + j];\n    y[i] = s;\n  }\n}\n",
                                   "--set n=20 --set k=0", 0, ""});
    EXPECT_TRUE(r.exit_code == 3 || r.output.find("<= k") == std::string::npos) << r.output;
  }
}

TEST(RowsOfSeveralThreads, AreNotProvedByABarrierWithinTheirLoop) {
  const std::string parameters = "(float* y, int rows, int n, int k)";
  const ToolResult r = verified(
      {"",
       "__global__ void f" + parameters +
           " {\n  const int b = blockIdx.x;\n  for (int c = 0; c < n; c++) y[b * n + c] = 0;\n"
           "  for (int c = 0; c < n; c++) { if (k > 0) y[b * n + c] += 1; __syncthreads(); }\n}\nvoid run" +
           parameters + " { f<<<rows, 32>>>(y, rows, n, k); }\n",
       "void f" + parameters +
           " {\n  for (int b = 0; b < rows; b++)\n    for (int c = 0; c < n; c++) y[b * n + c] = k > 0 ? 1 : 0;\n}\n",
       "--set rows=8 --set n=20 --set k=0", 0, ""});
  EXPECT_TRUE(r.exit_code == 3 || r.output.find("<= k") == std::string::npos) << r.output;
}

// Moments of an optimizer, which are stored and read again where no loop is.
TEST(RowsOfSeveralThreads, MayBeSingleElements) {
  const std::string parameters = "(float* w, float* m, const float* g, int n, float rate, float b)";
  const std::string kernel =
      "__global__ void f" + parameters +
      " {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n"
      "  m[i] = b * m[i] + (1.0f - b) * g[i];\n  float u = m[i] / (1.0f - b);\n  w[i] -= rate * u;\n  w[i] += m[i];\n}\n"
      "void run" +
      parameters + " { f<<<(n + 255) / 256, 256>>>(w, m, g, n, rate, b); }\n";
  const std::string spec = "void f" + parameters +
                           " {\n  for (int i = 0; i < n; i++) {\n    float v = b * m[i] + (1.0f - b) * g[i];\n"
                           "    m[i] = v;\n    w[i] = w[i] - rate * (v / (1.0f - b)) + v;\n  }\n}\n";
  expect_judged({"", kernel, spec, "--set n=1000", 0, "proved for every n from 1 to 2147483392"});
  expect_judged({"", changed(kernel, "w[i] += m[i]", "w[i] += m[n < 2000 ? i : 0]"), spec, "--set n=1000", 3, "at n="});
}

// A quotient that is cut off before it is rounded, or rounded to a float behind that, or compared as one.
TEST(RoundedQuotients, AreProvedAsFarAsFloatsTellThemApart) {
  const std::string parameters = "(const float* x, float* y, int n)";
  for (const char* test : {"t < ceil((double)(int)(n / 16.0))", "t < (float)ceil(n / 16.0)",
                           "(float)t < ceil(n / 16.0)", "t < ceil(n / 16.0f)"}) {
    const ToolResult r = verified(
        {"",
         "__global__ void f" + parameters + " {\n  for (int t = 0; " + test +
             "; t++)\n    for (int k = 0; k < 16; k++)\n      if (t * 16 + k < n) y[t * 16 + k] = x[t * 16 + k];\n}\n"
             "void run" +
             parameters + " { f<<<1, 1>>>(x, y, n); }\n",
         "void f" + parameters + " {\n  for (int i = 0; i < n; i++) y[i] = x[i];\n}\n", "--set n=64", 0, ""});
    EXPECT_EQ(r.exit_code, 0) << test;
    for (const char* wrong : {"from 1 to 2147483", "n <= 2147483"})
      EXPECT_EQ(r.output.find(wrong), std::string::npos) << test << "\n" << r.output;
  }
}

}  // namespace
}  // namespace swizzle::test::recomputed_rows_test
