// `swizzle-synth check`: names of the toolkit and of PyTorch that no header is read for.
#include <gtest/gtest.h>

#include "tests/end_to_end/check_runs.h"

namespace swizzle::test::check_prelude_test {
namespace {

TEST(CheckPrelude, SmallRealsAndTheirFunctionsAreKnown) {
  const CheckResult r = check_text(R"(
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
__global__ void __launch_bounds__(32) k(half* h, __nv_bfloat16* b, __nv_fp8_e4m3* q, at::Half* a, const c10::BFloat16* c) {
  __shared__ __nv_fp8x4_e4m3 s[32];
  __shared__ at::Half t[64];
  const int i = threadIdx.x;
  s[i] = __nv_fp8x4_e4m3(make_float4(1, 2, 3, 4));
  t[2 * i] = a[i] + (float)c[i];
  q[i] = __nv_fp8_e4m3((float)q[i] * 2);
  h[i] = hexp(-h[i]) + hrsqrt(h[i]) * __hfma(h[i], h[i], __ushort_as_half(3));
  h[i] /= __float2half(2.f);
  b[i] = __ushort_as_bfloat16(__bfloat16_as_ushort(b[i])) + __hmax(b[i], hlog2(b[i]));
  __nv_fp8_storage_t raw = __nv_cvt_float_to_fp8(__low2float(__half2half2(h[i])), __NV_SATFINITE, __NV_E4M3);
  h[i] = __int2half_rn(__half2int_rz(h[i]) + raw);
}
)");
  EXPECT_EQ(r.accesses("k", "shared"), (Lines{"store s 1/1 of 1 = 1", "store t 1/1 of 1 = 1"}));
  EXPECT_EQ(r.errors.find("not followed"), std::string::npos) << r.errors;
}

TEST(CheckPrelude, BuiltinsAndAtomicsAreKnown) {
  const CheckResult r = check_text(R"(
__global__ void __launch_bounds__(32) k(float* x, const unsigned* w, char4 v, at::Half* a) {
  __shared__ float s[64];
  const float* p = (const float*)__builtin_assume_aligned(s, 16);
  if (__builtin_expect(threadIdx.x < 8, 1)) s[threadIdx.x * 2] = __dp4a(w[threadIdx.x], 2u, 3u) + __dp4a(v, v, 4);
  gpuAtomicAdd(&s[umin(threadIdx.x, 3u)], p[threadIdx.x]);
  x[threadIdx.x] = s[0] * M_2_SQRTPI;
}
)");
  EXPECT_EQ(r.accesses("k", "shared"),
            (Lines{"store s 1/1 of 1 = 1", "atomic s 1/1 of 1 = 1", "load s 1/1 of 1 = 1", "load s 1/1 of 1 = 1"}));
  EXPECT_EQ(r.errors, "");
}

// Headers of NVIDIA's samples that do not lie beside the file.
TEST(CheckPrelude, HeadersOfSamplesAreStoodInFor) {
  const CheckResult r = check_text(R"(
#include <cutil.h>
#include "helper_math.h"
#define S(i) CUT_BANK_CHECKER(s, i)
__global__ void __launch_bounds__(32) k(float4* x) {
  __shared__ float s[64];
  S(threadIdx.x * 2) = length(make_float3(x[0] * 2.f + x[1]));
  x[threadIdx.x] = clamp(x[0], 0.f, 1.f);
}
)");
  EXPECT_EQ(r.accesses("k", "shared"), (Lines{"store s 2/1 of 1 = 2"})) << r.errors;
  EXPECT_EQ(r.errors.find("k.cu:7"), std::string::npos) << r.errors;
  EXPECT_EQ(r.errors.find("k.cu:8"), std::string::npos) << r.errors;
}

TEST(CheckPrelude, TraitsOfTheStandardLibrary) {
  const CheckResult r = check_text(R"(
#include <type_traits>
template <class T> __global__ void __launch_bounds__(32) k(T* x) {
  typedef typename std::aligned_storage<sizeof(T) * 2, alignof(T)>::type Two;
  __shared__ Two s[64];
  const int step = std::is_integral_v<T> ? 1 : std::is_floating_point<T>::value && std::is_arithmetic_v<T> ? 2 : 4;
  int at = threadIdx.x;
  ((T*)&s[std::forward<int>(at) + std::move(step) - step])[0] = std::bool_constant<true>::value ? x[step * threadIdx.x] : 0;
}
template __global__ void k<float>(float*);
)");
  EXPECT_EQ(r.accesses("k<float>", "shared"), (Lines{"store s 2/1 of 1 = 2"})) << r.errors;
  EXPECT_EQ(r.errors, "");
}

// As CUTLASS has it, in the file or in a header; nvcc takes it, clang does not.
TEST(CheckPrelude, MacrosMayHoldPragmas) {
  const ScratchFolder scratch;
  scratch.write("unroll.h", "#pragma once\n#define UNROLL #pragma unroll\n");
  const CheckResult r =
      run_check("'" +
                scratch.write("k.cu",
                              "#include \"unroll.h\"\n#  define AGAIN \t#pragma unroll 4\n"
                              "__global__ void __launch_bounds__(32) k(float* x) {\n"
                              "  __shared__ float s[64];\n  UNROLL\n"
                              "  for (int i = 0; i < 2; ++i) s[2 * threadIdx.x + i] = x[i];\n  AGAIN\n"
                              "  for (int i = 0; i < 2; ++i) s[threadIdx.x] = x[i];\n}\n") +
                "'");
  EXPECT_EQ(r.accesses("k", "shared"), (Lines{"store s 2/1 of 2 = 4", "store s 1/1 of 2 = 2"})) << r.errors;
  EXPECT_EQ(r.errors, "");
}

}  // namespace
}  // namespace swizzle::test::check_prelude_test
