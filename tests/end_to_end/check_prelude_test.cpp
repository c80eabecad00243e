// `swizzle-synth check`: names of the toolkit and of PyTorch that no header is read for.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/end_to_end/accepting_nvcc.h"
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

TEST(CheckPrelude, MathematicsOfStdAndLiteralsOfVectorsAreKnown) {
  const CheckResult r = check_text(R"(
#include <cmath>
__global__ void __launch_bounds__(32) k(float* x) {
  __shared__ float s[256];
  const ulong i = threadIdx.x;
  const int2 at = (int2){std::abs((int)i - 31) * 4, 1};
  s[at.x] = std::atan2(x[i], 2.f) + std::acos(.5f) + std::fmax(x[i], std::cbrt(2.f)) + std::lround(x[i]);
}
)");
  EXPECT_EQ(r.accesses("k", "shared"), (Lines{"store s 4/1 of 1 = 4"}));
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

// As headers of libraries do: objects made in place, members of unions without a name, limits, greatest constants.
TEST(CheckPrelude, WhatHeadersOfLibrariesDo) {
  const CheckResult r = check_text(R"(
#include <algorithm>
#include <limits>
#include <new>
struct Vector {
  union { int x, r; };
  union { int y, g; };
  __device__ Vector(int first) : x(first), y(2 * first) {}
};
template <class T, class U> __device__ void make(T* at, U&& value) { new (at) T(static_cast<U&&>(value)); }
template <int M, int N> __global__ void __launch_bounds__(32) k(int* x) {
  constexpr int kRows = std::max(M, N), kLeast = std::min({M, N, 3});
  static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<int>::digits == 31);
  static_assert(std::numeric_limits<float>::digits10 == 6 && std::numeric_limits<unsigned char>::max() == 255);
  __shared__ int s[64 * kRows];
  const Vector v(threadIdx.x);
  make(s + v.r, x[0]);
  s[v.g] = __builtin_popcount(kLeast) + kLeast;
  s[__builtin_is_constant_evaluated() ? 0 : v.y * kRows / 2] = 3;
}
template __global__ void k<2, 4>(int*);
)");
  EXPECT_EQ(r.accesses("k<2, 4>", "shared"),
            (Lines{"store s 1/1 of 1 = 1", "store s 2/1 of 1 = 2", "store s 4/1 of 1 = 4"}))
      << r.errors;
  EXPECT_EQ(r.errors, "");
}

// What a library launches is its makers' business, until it is asked for by name.
TEST(CheckPrelude, KernelsOfLibrariesAreLeftOut) {
  const ScratchFolder scratch;
  scratch.write("library.cuh",
                "#pragma clang system_header\n"
                "template <class T> __global__ void fill(T* x) { __shared__ T s[64]; s[threadIdx.x * 2] = x[0]; }\n"
                "template <class T> void fill_all(T* x) { fill<<<1, 32>>>(x); }\n");
  const std::string file = scratch.write(
      "k.cu",
      "#include \"library.cuh\"\n__global__ void own(int* x) { __shared__ int s[32]; s[threadIdx.x] = x[0]; }\n"
      "void run(int* x) { own<<<1, 32>>>(x); fill_all(x); }\n");
  const CheckResult all = run_check("'" + file + "'"), one = run_check("'" + file + "' --kernel 'fill<int>'");
  ASSERT_EQ(all.report["kernels"].size(), 1u) << all.errors;
  EXPECT_EQ(all.report["kernels"][0]["name"], "own");
  EXPECT_EQ(one.accesses("fill<int>", "shared"), (Lines{"store s 2/1 of 1 = 2"})) << one.errors;
}

// Of the toolkit that nvcc is of, CUB and what it stands on are read, and nothing else: not Thrust alone.
class CheckCub : public testing::TestWithParam<const char*> {};

TEST_P(CheckCub, IsReadWhereTheToolkitHasIt) {
  const AcceptingNvcc toolkit("exit 1\n");
  const ScratchFolder scratch;
  const auto write = [&](const std::string& path, const std::string& text) {
    const std::filesystem::path file = std::filesystem::path(std::getenv("CUDA_HOME")) / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  };
  const std::string include = GetParam() + std::string("/");
  write(
      include + "cub/block/twice.cuh",
      "#include <cuda/std/step>\n#include <cuda_runtime.h>\n"
      "namespace cub { template <class T> struct BlockTwice { struct TempStorage { T s[64]; }; TempStorage& at;\n"
      "__device__ BlockTwice(TempStorage& t) : at(t) {}\n__device__ void put(T v) { at.s[threadIdx.x * cuda::kStep] = v; } }; }\n");
  write(include + "cuda/std/step", "namespace cuda { constexpr int kStep = 2; }\n");
  write(include + "cub/device/scan.cuh", "#error is not read\n");
  write(include + "thrust/host.h", "#error is not read\n");
  write(include + "cuda_runtime.h", "#error is not read\n");
  const std::string kernel =
      "__global__ void __launch_bounds__(32) k(int* x) { using Twice = cub::BlockTwice<int>;\n"
      "__shared__ Twice::TempStorage storage; Twice(storage).put(x[0]); }\n";
  const std::string
      with_cub = scratch.write("k.cu", "#include <cub/block/twice.cuh>\n" + kernel),
      without = scratch.write(
          "t.cu",
          "#include <cub/device/scan.cuh>\n#include <thrust/host.h>\n__global__ void __launch_bounds__(32) k() {}\nvoid run() { cub::DeviceScan(); }\n");
  const CheckResult r = run_check("'" + with_cub + "'"), t = run_check("'" + without + "'");
  EXPECT_EQ(r.accesses("k", "shared"), (Lines{"store storage 2/1 of 1 = 2"})) << r.errors;
  EXPECT_EQ(r.errors, "");
  EXPECT_EQ(t.errors.find("#error"), std::string::npos) << t.errors;
  EXPECT_EQ(t.exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(Folders, CheckCub, testing::Values("include/cccl", "include"),
                         [](const auto& info) { return info.index == 0 ? "OfItsOwn" : "OfAllHeaders"; });

// <type_traits>, <utility> and <functional>, of std and of cuda::std.
TEST(CheckPrelude, TraitsSequencesAndFunctionObjectsAreKnown) {
  const CheckResult r = check_text(R"(
#include <cuda/std/type_traits>
#include <functional>
enum class Kind : short { kFirst };
template <class T, class F> __device__ T reduced(T x, F f) { return f(x, __shfl_xor_sync(~0u, x, 1)); }
template <class T, unsigned long... I> __device__ void put(T* s, std::index_sequence<I...>) { ((s[threadIdx.x + I] = T(I)), ...); }
template <class T> __global__ void __launch_bounds__(32) k(T* p, std::remove_cv_t<const T>* q) {
  using U = std::make_unsigned_t<std::decay_t<T&>>;
  __shared__ U s[128];
  __shared__ std::underlying_type_t<Kind> e[128];
  if constexpr (std::is_unsigned_v<U> && !cuda::std::is_pointer_v<T>) s[threadIdx.x * 4] = 1;
  e[threadIdx.x * 4] = 3;
  put(s, std::make_index_sequence<2>());
  p[threadIdx.x] = reduced(p[threadIdx.x], std::plus<>{}) + reduced(q[threadIdx.x], std::multiplies<T>());
  if (p == nullptr) __assert_fail("p", "k.cu", 16, "k");
}
template __global__ void k<int>(int*, int*);
)");
  EXPECT_EQ(r.accesses("k<int>", "shared"),
            (Lines{"store s 1/1 of 2 = 2", "store s 4/1 of 1 = 4", "store e 2/1 of 1 = 2"}))
      << r.errors;
  EXPECT_EQ(r.errors, "");
}

// threadIdx as a whole: in a variable, handed over, by reference, in parts.
TEST(CheckPrelude, ThreeNumbersAtOnce) {
  for (const char* body :
       {"const uint3 t = threadIdx; s[t.x * 2] = x[t.x];", "s[at(threadIdx, blockDim) * 2] = x[0];",
        "s[seen(threadIdx, blockDim) * 2] = x[0];", "const auto [a, b, c] = threadIdx; s[a * 2] = x[b + c];"}) {
    const CheckResult r = check_text(
        "__device__ int at(uint3 t, dim3 d) { return t.x + d.x * t.y; }\n"
        "__device__ int seen(const uint3& t, const dim3& d) { return t.x + d.x * t.y; }\n"
        "__global__ void __launch_bounds__(64) k(float* x) { __shared__ float s[128]; " +
        std::string(body) + " }\n");
    EXPECT_EQ(r.accesses("k", "shared"), (Lines{"store s 2/1 of 2 = 4"})) << body << r.errors;
    EXPECT_EQ(r.errors, "");
  }
}

// Rows of 32 are assumed where the kernel's own code has threadIdx.y, and not for what it calls.
TEST(CheckPrelude, RowsAreThoseOfTheKernelItself) {
  const auto block = [](const std::string& index) {
    return check_text(
               "#include <cooperative_groups.h>\n#define TY threadIdx.y\n"
               "__global__ void __launch_bounds__(64) k(float* x) { __shared__ float s[64]; s[" +
               index + "] = x[0]; }\n")
        .report["kernels"][0]["block"]
        .dump();
  };
  EXPECT_EQ(block("threadIdx.y * 32 + threadIdx.x"), "[32,2,1]");
  EXPECT_EQ(block("TY * 32 + threadIdx.x"), "[32,2,1]");
  EXPECT_EQ(block("cooperative_groups::this_thread_block().thread_rank()"), "[64,1,1]");
}

TEST(CheckPrelude, CallsThroughConstantPointers) {
  const CheckResult r = check_text(R"(
typedef void (*Store)(int*, int);
__device__ void once(int* s, int i) { s[i] = 1; }
__device__ void twice(int* s, int i) { s[2 * i] = 1; }
template <bool B> constexpr __device__ Store store_of() { if constexpr (B) return twice; else return once; }
template <Store f> __device__ void by_argument(int* s, int i) { f(s, i); }
template <bool B> __global__ void __launch_bounds__(32) k(int* x) {
  __shared__ int s[64];
  constexpr Store store = store_of<B>();
  store(s, threadIdx.x);
  by_argument<twice>(s, threadIdx.x);
}
template __global__ void k<false>(int*);
)");
  EXPECT_EQ(r.accesses("k<false>", "shared"), (Lines{"store s 1/1 of 1 = 1", "store s 2/1 of 1 = 2"})) << r.errors;
  EXPECT_EQ(r.errors, "");
}

TEST(CheckPrelude, PartsOfWhatHasGet) {
  const CheckResult r = check_text(R"(
struct Both { int first, second; template <int I> __device__ int get() const { return I == 0 ? first : second; } };
namespace std {
template <class T> struct tuple_size;
template <unsigned long I, class T> struct tuple_element;
template <> struct tuple_size<Both> { static constexpr int value = 2; };
template <unsigned long I> struct tuple_element<I, Both> { using type = int; };
}
__global__ void __launch_bounds__(32) k(int* x) {
  __shared__ int s[256];
  const auto [a, b] = Both{int(threadIdx.x), 4};
  s[a * b] = x[0];
}
)");
  EXPECT_EQ(r.accesses("k", "shared"), (Lines{"store s 4/1 of 1 = 4"})) << r.errors;
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

TEST(CheckPrelude, LimitsAndFunctionsOfNumbersOfTheStandardLibrary) {
  const CheckResult r = check_text(R"(
#include <cmath>
#include <limits>
constexpr float kLeast = std::numeric_limits<float>::lowest();
template <int N> __global__ void g(float* x) { __shared__ float s[64]; s[threadIdx.x * N] = 1; }
__global__ void k(float* x) {
  __shared__ float s[64];
  constexpr auto first = kLeast;
  s[threadIdx.x * (first < 0 ? 2 : 1)] = std::exp(x[0]) + std::log(x[1]) + std::isinf(x[2]) + CUDART_NAN_F + NAN;
  s[std::numeric_limits<long long>::min() + 0x7fffffffffffffffll + 1 + threadIdx.x] = 0;
  s[std::numeric_limits<short>::lowest() + 32768 + (std::numeric_limits<unsigned char>::max() - 253) * threadIdx.x] =
      __fdiv_rn(std::numeric_limits<float>::infinity(), 2);
}
void run(float* x) { k<<<1, 32>>>(x); g<std::numeric_limits<char>::max() - 126><<<1, 32>>>(x); }
)");
  EXPECT_EQ(r.accesses("k", "shared"), (Lines{"store s 2/1 of 1 = 2", "store s 1/1 of 1 = 1", "store s 2/1 of 1 = 2"}))
      << r.errors;
  EXPECT_EQ(r.accesses("g<1>", "shared"), (Lines{"store s 1/1 of 1 = 1"}));
  EXPECT_EQ(r.errors, "");
}

// What needs no shared memory leaves no gap; what does has one where it is given its storage.
TEST(CheckPrelude, HeadersOfCubAreStoodInForWhereNoToolkitHasThem) {
  const AcceptingNvcc without_headers("exit 1\n");
  const CheckResult r = check_text(R"(#include <cub/block/block_load.cuh>
#include <cub/cub.cuh>
template <class T> __global__ void k(T* x, int n) {
  typedef cub::BlockLoad<T, 64, 4, cub::BLOCK_LOAD_VECTORIZE> Load;
  typedef cub::BlockStore<T, 64, 4> Store;
  typedef cub::BlockReduce<float, 64> Reduce;
  __shared__ union { typename Load::TempStorage load; typename Store::TempStorage store; } direct;
  __shared__ typename Reduce::TempStorage reduce;
  __shared__ float s[128];
  T v[4];
  Load(direct.load).Load(x, v, n, T(0));
  s[threadIdx.x * 2] = v[0];
  v[1] = Reduce(reduce).Reduce(v[1], cub::Max());
  Store(direct.store).Store(x, v, n);
}
void run(float* x, int n) { k<<<1, 64>>>(x, n); }
)");
  EXPECT_EQ(r.accesses("k<float>", "shared"), (Lines{"store s 2/1 of 2 = 4"})) << r.errors;
  ASSERT_EQ(r.report["uncounted"].size(), 1u);
  EXPECT_EQ(r.report["uncounted"][0]["message"], "what is done here with 'reduce' is not followed");
  EXPECT_NE(r.errors.find("'cub/cub.cuh' is not read"), std::string::npos);
  const CheckResult transposed = check_text(R"(#include <cub/cub.cuh>
__global__ void k(float* x) {
  typedef cub::BlockLoad<float, 64, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;
  __shared__ Load::TempStorage storage;
  float v[4];
  Load(storage).Load(x, v);
}
void run(float* x) { k<<<1, 64>>>(x); }
)");
  ASSERT_EQ(transposed.report["uncounted"].size(), 1u) << transposed.errors;
}

}  // namespace
}  // namespace swizzle::test::check_prelude_test
