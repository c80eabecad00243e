// Convolutions whose borders are the nearest pixels, by std::clamp or by functions of their own.
#include <gtest/gtest.h>

#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::replicated_borders_test {
namespace {

const std::string kKernel =
    "template <int R>\n__global__ void f(const float* img, const float* w, float* out, int H, int W) {\n"
    "  const int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;\n"
    "  if (x >= W || y >= H) return;\n  float s = 0;\n  for (int a = -R; a <= R; ++a)\n    for (int b = -R; b <= R; ++b)\n"
    "      s += img[min(max(y + a, 0), H - 1) * W + min(max(x + b, 0), W - 1)] * w[(a + R) * (2 * R + 1) + b + R];\n"
    "  out[y * W + x] = s;\n}\n"
    "void go(const float* img, const float* w, float* out, int H, int W) {\n"
    "  f<2><<<dim3((W + 31) / 32, (H + 7) / 8), dim3(32, 8)>>>(img, w, out, H, W);\n}\n";
const std::string kSpec =
    "#include <algorithm>\nvoid f(const float* img, const float* w, float* out, int H, int W) {\n"
    "  for (int y = 0; y < H; y++)\n    for (int x = 0; x < W; x++) {\n      float s = 0;\n"
    "      for (int i = 0; i < 5; i++)\n        for (int j = 0; j < 5; j++)\n"
    "          s += w[i * 5 + j] * img[std::clamp(y + i - 2, 0, H - 1) * W + std::clamp(x + j - 2, 0, W - 1)];\n"
    "      out[y * W + x] = s;\n    }\n}\n";
const std::string kOwn =
    "template <class T> const T nearest(const T& x, const T& end) { const T& most = end - 1; return x < 0 ? 0 : x < most ? x : "
    "most; }\n" +
    changed(changed(kSpec, "std::clamp(y + i - 2, 0, H - 1)", "nearest(y + i - 2, H)"),
            "std::clamp(x + j - 2, 0, W - 1)", "nearest(x + j - 2, W)");

class ReplicatedBorders : public testing::TestWithParam<AsItIs> {};

TEST_P(ReplicatedBorders, AreJudgedAtAllSizes) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, ReplicatedBorders,
    testing::Values(AsItIs{"TheStandardLibrary", kKernel, kSpec, "", 0, "proved for every size with"},
                    AsItIs{"FunctionsOfReferences", kKernel, kOwn, "", 0, "equal to the spec for every input"},
                    AsItIs{"TheWrongRow", changed(kKernel, "H - 1", "H - 2"), kSpec, "", 3, "the kernel failed"},
                    AsItIs{"NoLowerBound", changed(kKernel, "min(max(x + b, 0), W - 1)", "min(x + b, W - 1)"), kSpec,
                           "", 3, "the kernel failed"}),
    name_of);

const std::string kAdded =
    "int add(int& all, const int& x) {\n  all += x;\n  return x;\n}\nvoid f(const int* x, int* y, int n) {\n"
    "  for (int i = 0; i < n; i++) {\n    int a = x[i];\n    y[i] = add(a, a);\n    y[i] += a;\n  }\n}\n";

// `x` is `all`: what is read after the sum is twice as much.
TEST(ReferencesToValues, AreNoCopiesOfWhatIsChanged) {
  const std::string kernel =
      "__global__ void f(const int* x, int* y, int n) {\n  int i = blockIdx.x * 64 + threadIdx.x;\n"
      "  if (i < n) y[i] = 4 * x[i];\n}\nvoid go(const int* x, int* y, int n) { f<<<(n + 63) / 64, 64>>>(x, y, n); }\n";
  expect_judged({"", kernel, kAdded, "", 0, "equal to the spec for every input"});
  expect_judged({"", changed(kernel, "4 *", "3 *"), kAdded, "", 3, "y[0] is 3 * x[0], and the spec says 4 * x[0]"});
}

// Read behind the barrier, where others have stored by then; as a value, it is read before.
TEST(ReferencesToValues, AreReadWhereTheyAre) {
  const std::string kernel =
      "__device__ float later(const float& v) {\n  __syncthreads();\n  return v;\n}\n"
      "__global__ void f(const float* x, float* y, int n) {\n  __shared__ float s[64];\n"
      "  const int t = threadIdx.x, i = blockIdx.x * 64 + t;\n  s[t] = i < n ? x[i] : 0;\n"
      "  const float v = later(s[63 - t]);\n  if (i < n) y[i] = v;\n}\n"
      "void go(const float* x, float* y, int n) { f<<<(n + 63) / 64, 64>>>(x, y, n); }\n";
  const std::string spec =
      "void f(const float* x, float* y, int n) {\n  for (int i = 0; i < n; i++) {\n"
      "    const int j = i / 64 * 64 + 63 - i % 64;\n    y[i] = j < n ? x[j] : 0;\n  }\n}\n";
  expect_judged({"", kernel, spec, "", 0, "proved for every n from 1 to"});
  expect_judged({"", changed(kernel, "const float& v", "const float v"), spec, "", 3, "a race"});
}

}  // namespace
}  // namespace swizzle::test::replicated_borders_test
