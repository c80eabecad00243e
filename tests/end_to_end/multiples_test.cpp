// Kernels that are proved at multiples of what their sizes are divided by, where other sizes are not followed.
#include <gtest/gtest.h>

#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::multiples_test {
namespace {

const std::string kRotary =
    "__global__ void f(const float* x, const float* c, const float* s, float* y, int T, int H, int D) {\n"
    "  const int t = blockIdx.x, h = blockIdx.y, half = D / 2, base = (t * H + h) * D;\n"
    "  for (int i = threadIdx.x; i < half; i += blockDim.x) {\n"
    "    const float a = x[base + i], b = x[base + i + half];\n    const float u = c[t * half + i], v = s[t * half + i];\n"
    "    y[base + i] = a * u - b * v;\n    y[base + i + half] = b * u + a * v;\n  }\n}\n"
    "void go(const float* x, const float* c, const float* s, float* y, int T, int H, int D) {\n"
    "  f<<<dim3(T, H), 64>>>(x, c, s, y, T, H, D);\n}\n";
const std::string kRotarySpec =
    "void f(const float* x, const float* c, const float* s, float* y, int T, int H, int D) {\n"
    "  for (int t = 0; t < T; t++)\n    for (int h = 0; h < H; h++)\n      for (int i = 0; i < D / 2; i++) {\n"
    "        const int p = (t * H + h) * D + i, q = p + D / 2, r = t * (D / 2) + i;\n"
    "        y[p] = x[p] * c[r] - x[q] * s[r];\n        y[q] = x[q] * c[r] + x[p] * s[r];\n      }\n}\n";

class Multiples : public testing::TestWithParam<AsItIs> {};

TEST_P(Multiples, AreProvedIfNoOtherSizeIsWrong) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Of, Multiples,
                         testing::Values(AsItIs{"Rotations", kRotary, kRotarySpec, "", 0,
                                                "1 <= D <= 2147483585, D % 2 == 0, T * H * D <= 2147483647"},
                                         AsItIs{"RotationsOfOddHalves", changed(kRotary, "i < half", "i < (D + 1) / 2"),
                                                kRotarySpec, "", 3, "which is none of the sizes given"},
                                         AsItIs{"NoneThereIs", "#pragma swizzle assume D % 2 == 1\n" + kRotary,
                                                kRotarySpec, "", 0, "not proved for other sizes"},
                                         AsItIs{"OtherAngles", changed(kRotary, "s[t * half + i]", "s[t * half]"),
                                                kRotarySpec, "", 3, "y[1] is"}),
                         name_of);

}  // namespace
}  // namespace swizzle::test::multiples_test
