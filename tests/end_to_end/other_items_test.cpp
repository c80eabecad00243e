// Buffers that the kernel takes by wider items than the spec does, or the spec than the kernel.
#include <gtest/gtest.h>

#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::other_items_test {
namespace {

const std::string kVectors =
    "__global__ void f(const float4* x, float4* y, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i >= n / 4) return;\n  float4 v = x[i];\n  v.x = fmaxf(v.x, 0);\n  v.y = fmaxf(v.y, 0);\n"
    "  v.z = fmaxf(v.z, 0);\n  v.w = fmaxf(v.w, 0);\n  y[i] = v;\n}\n"
    "void go(const float* x, float* y, int n) {\n"
    "  f<<<(n / 4 + 127) / 128, 128>>>((const float4*)x, (float4*)y, n);\n}\n";
const std::string kFloats =
    "#include <algorithm>\nvoid f(const float* x, float* y, int n) {\n"
    "  for (int i = 0; i < n / 4 * 4; i++) y[i] = std::max(x[i], 0.0f);\n}\n";

const std::string kPoints =
    "struct Point { float x, y, z; };\n__global__ void f(const Point* p, float* y, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = p[i].x + p[i].z;\n}\n"
    "void go(const Point* p, float* y, int n) { f<<<(n + 127) / 128, 128>>>(p, y, n); }\n";
const std::string kMembers =
    "void f(const float* p, float* y, int n) {\n  for (int i = 0; i < n; i++) y[i] = p[3 * i] + p[3 * i + 2];\n}\n";

const std::string kBytes =
    "__global__ void f(const unsigned char* x, unsigned char* y, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n)\n"
    "    for (int j = 0; j < 4; j++) y[4 * i + j] = x[4 * i + 3 - j];\n}\n"
    "void go(const unsigned char* x, unsigned char* y, int n) { f<<<(n + 127) / 128, 128>>>(x, y, n); }\n";
const std::string kWords =
    "void f(const uchar4* x, uchar4* y, int n) {\n"
    "  for (int i = 0; i < n; i++) y[i] = make_uchar4(x[i].w, x[i].z, x[i].y, x[i].x);\n}\n";

const std::string kWordsOfBytes =
    "__global__ void f(const uint4* x, uint4* y, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i >= n) return;\n  uint4 v = x[i];\n"
    "  y[i] = make_uint4(v.y, __byte_perm(v.x, 0, 0x0123), v.w, v.z);\n}\n"
    "void go(const unsigned char* x, unsigned char* y, int n) {\n"
    "  f<<<(n + 127) / 128, 128>>>((const uint4*)x, (uint4*)y, n);\n}\n";
const std::string kBytesOfWords =
    "void f(const unsigned char* x, unsigned char* y, int n) {\n"
    "  const int from[16] = {4, 5, 6, 7, 3, 2, 1, 0, 12, 13, 14, 15, 8, 9, 10, 11};\n"
    "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < 16; j++) y[16 * i + j] = x[16 * i + from[j]];\n}\n";

const std::string kIntegers =
    "__global__ void f(const int* x, int* y, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = x[i];\n}\nvoid go(const int* x, int* y, int n) { f<<<(n + 127) / 128, 128>>>(x, y, n); }\n";
const std::string kChars = "void f(const char* x, char* y, int n) {\n  for (int i = 0; i < n; i++) y[i] = x[i];\n}\n";

class OtherItems : public testing::TestWithParam<AsItIs> {};

TEST_P(OtherItems, AreTheSameBytes) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, OtherItems,
    testing::Values(
        AsItIs{"VectorsAndFloats", kVectors, kFloats, "", 0, "proved for every size with 4 <= n", "--run=cpu"},
        AsItIs{"TheLastIsNotStored", kVectors, changed(kFloats, "n / 4 * 4", "n"), "", 3, "y[512] is never stored"},
        AsItIs{"VectorsOfOtherElements", changed(kVectors, "v.z = fmaxf(v.z", "v.z = fmaxf(v.y"), kFloats, "", 3,
               "y[2] is"},
        AsItIs{"RecordsAndTheirMembers", kPoints, kMembers, "", 0, "proved for every n from 1 to", "--run=cpu"},
        AsItIs{"BytesAndRecordsOfThem", kBytes, kWords, "", 0, "proved for every n from 1 to", "--run=cpu"},
        AsItIs{"RecordsOfWordsAndBytes", kWordsOfBytes, kBytesOfWords, "--set n=3", 0, "equal to the spec for every",
               "--run=cpu"},
        AsItIs{"IntegersAndCharacters", kIntegers, kChars, "", 1,
               "error: parameter 'x' is 'const char *' in the spec and 'const int *' in the kernel"}),
    name_of);

}  // namespace
}  // namespace swizzle::test::other_items_test
