// Templates that a program launches with several arguments, of which one instance is verified.
#include <gtest/gtest.h>

#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::instances_test {
namespace {

const std::string kSums =
    "template <int threads>\n__global__ void f(const float* x, float* y, int rows, int n) {\n"
    "  __shared__ float s[threads / 32];\n  float a = 0;\n"
    "  for (int i = threadIdx.x; i < n; i += threads) a += x[blockIdx.x * n + i];\n"
    "  for (int o = 16; o > 0; o /= 2) a += __shfl_xor_sync(~0u, a, o);\n"
    "  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = a;\n  __syncthreads();\n"
    "  if (threadIdx.x == 0) {\n    a = 0;\n    for (int w = 0; w < min(threads / 32, 2); w++) a += s[w];\n"
    "    y[blockIdx.x] = a;\n  }\n}\n"
    "void go(const float* x, float* y, int rows, int n) {\n  if (n < 1024) f<32><<<rows, 32>>>(x, y, rows, n);\n"
    "  else f<128><<<rows, 128>>>(x, y, rows, n);\n}\n";
const std::string kSumsSpec =
    "void f(const float* x, float* y, int rows, int n) {\n  for (int r = 0; r < rows; r++) {\n    float a = 0;\n"
    "    for (int i = 0; i < n; i++) a += x[r * n + i];\n    y[r] = a;\n  }\n}\n";

class Instances : public testing::TestWithParam<AsItIs> {};

TEST_P(Instances, AreChosenByTheirArguments) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, Instances,
    testing::Values(AsItIs{"None", kSums, kSumsSpec, "", 1,
                           "'f' has several instances here (f<32>, f<128>); choose one with --kernel"},
                    AsItIs{"TheRightOne", kSums, kSumsSpec, "--kernel 'f<32>'", 0, "proved for every size with"},
                    AsItIs{"TheWrongOne", kSums, kSumsSpec, "--kernel 'f< 128 >'", 3, "y[0] is"},
                    AsItIs{"NoneThereIs", kSums, kSumsSpec, "--kernel 'f<64>'", 1,
                           "there is no kernel 'f<64>' here; there are f<32>, f<128>"}),
    name_of);

}  // namespace
}  // namespace swizzle::test::instances_test
