// `verify` of kernels that make the last elements in another way than all others: vectors, and what they leave.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::tails_test {
namespace {

class Tails : public testing::TestWithParam<AsItIs> {};

TEST_P(Tails, AreProvedOrNot) { expect_judged(GetParam()); }

const std::string
    kVectors = "float4 v = ((const float4*)x)[i]; ((float4*)y)[i] = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w); ",
    kSpec = "void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }\n";

AsItIs of(const std::string& name, const std::string& body, const std::string& launch, const std::string& said,
          int exit_code = 0) {
  return {name,
          "__global__ void f(const float* x, float* y, int n) {\n" + body +
              "\n}\nvoid run(const float* x, float* y, int n) { f<<<" + launch + ">>>(x, y, n); }\n",
          kSpec,
          "--set n=1027",
          exit_code,
          said,
          "--run=none --proof=all"};
}

const std::string
    kIndex = "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n",
    kByGrid = "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) { " +
              kVectors + "}\n",
    kOnce = "(n / 4 + 255) / 256, 256", kEvery = "proved for every n from 1 to";

INSTANTIATE_TEST_SUITE_P(
    OfVectors, Tails,
    testing::Values(
        of("ByTheFirstThreads",
           kIndex + "  if (i < n / 4) { " + kVectors + "}\n  if (i < n % 4) y[n / 4 * 4 + i] = 2 * x[n / 4 * 4 + i];",
           kOnce, "proved for every size with 4 <= n"),
        of("ByOneThread",
           kByGrid +
               "  if (blockIdx.x == 0 && threadIdx.x == 0)\n    for (int i = n / 4 * 4; i < n; i++) y[i] = 2 * x[i];",
           "4, 256", kEvery),
        of("ByTheSameStride",
           kByGrid +
               "  for (int i = n / 4 * 4 + blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 2 * x[i];",
           "4, 256", kEvery),
        of("ByWhoComesFirst",
           kByGrid +
               "  const int t = n / 4 * 4 + blockIdx.x * blockDim.x + threadIdx.x;\n  if (t < n) y[t] = 2 * x[t];",
           "4, 256", kEvery),
        of("OfTwo",
           kIndex + "  if (i < n >> 1) ((float2*)y)[i] = make_float2(2 * x[2 * i], 2 * x[2 * i + 1]);\n"
                    "  if (i == 0 && (n & 1)) y[n - 1] = 2 * x[n - 1];",
           "(n / 2 + 127) / 128, 128", "proved for every size with 2 <= n"),
        of("OfAnotherValue",
           kIndex + "  if (i < n / 4) { " + kVectors +
               "}\n  if (i < n % 4) y[n / 4 * 4 + i] = (n % 4 == 2 ? 3 : 2) * x[n / 4 * 4 + i];",
           kOnce, "which is none of the sizes given", 3),
        of("OneTooFew",
           kIndex + "  if (i < n / 4) { " + kVectors +
               "}\n  if (i < n % 4 && (n % 4 != 2 || i < 1)) y[n / 4 * 4 + i] = 2 * x[n / 4 * 4 + i];",
           kOnce, "which is none of the sizes given", 3),
        of("NoneInTheFirstBlock",
           kByGrid +
               "  if (blockIdx.x == 0 && threadIdx.x < n % 4 && n < 5000) y[n / 4 * 4 + threadIdx.x] = 2 * x[n / 4 * 4 + threadIdx.x];",
           "4, 256", "proved for every size with n == 1027")),
    name_of);

// One row a block, of any width.
INSTANTIATE_TEST_SUITE_P(
    OfRows, Tails,
    testing::Values(AsItIs{
        "Rows",
        "__global__ void f(const float* x, float* y, int rows, int w) {\n"
        "  const float* in = x + blockIdx.x * w; float* out = y + blockIdx.x * w;\n"
        "  for (int c = threadIdx.x * 2; c + 1 < w; c += 512) { out[c] = 2 * in[c]; out[c + 1] = 2 * in[c + 1]; }\n"
        "  for (int c = w / 2 * 2 + threadIdx.x; c < w; c += 256) out[c] = 2 * in[c];\n}\n"
        "void run(const float* x, float* y, int rows, int w) { f<<<rows, 256>>>(x, y, rows, w); }\n",
        "void f(const float* x, float* y, int rows, int w) {\n"
        "  for (int r = 0; r < rows; r++) for (int c = 0; c < w; c++) y[r * w + c] = 2 * x[r * w + c];\n}\n",
        "--set rows=2 --set w=515", 0, "proved for every size with 1 <= rows", "--run=none --proof=all"}),
    name_of);

}  // namespace
}  // namespace swizzle::test::tails_test
