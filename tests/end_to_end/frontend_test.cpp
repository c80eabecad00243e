// C++ as kernels use it: control flow, types, functions, pointers, casts. Classes are in records_test.cpp.
#include "tests/end_to_end/check_runs.h"
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::frontend_test {
namespace {

class Language : public testing::TestWithParam<Sketch> {};

TEST_P(Language, AreFoundRereadAndRun) { expect_verified(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Each, Language,
                         testing::Values(Sketch{"WhileDoSwitch", R"(
  int v = x[?sw_xform(t, 32)], s = 0, k = 0;
  while (k < 5) { k++; if (k == 2) continue; if (k == 4) break; s += v; }
  do { s -= v; k--; } while (k > 3);
  switch (k) { case 3: s += 10; case 4: s += 1; break; default: s = 0; }
  y[t] = s + (t < 16 ? 1 : 0);
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] + 11 + (i < 16 ? 1 : 0); }
)"},
                                         Sketch{"SwitchContinue", R"(
  int v = x[?sw_xform(t, 32)], s = 0;
  for (int k = 0; k < 4; k++) { switch ((t + k) % 4) { case 0: continue; case 1: s += v; break; case 2: default: s += 2 * v; }
  s += v; }
  y[t] = s;
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = 8 * x[(i + 3) % 32]; }
)"},
                                         Sketch{"IfInit", R"(
  int s = 0; if (int k = t % 3; k == 1) s = k; if (int q = t & 1) s += q; if constexpr (sizeof(int) == 4) s += 5; else s = 100;
  y[t] = x[?sw_xform(t, 32)] + s;
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] + (i % 3 == 1) + (i & 1) + 5; }
)"},
                                         Sketch{"IntWidths", R"(
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; unsigned char c = (unsigned char)(250 + t % 10); c += 10;
short s = (short)(40000); long long l = 1ll << 40; unsigned u = 3; u -= 4;
  signed char sc = (signed char)200; unsigned short us = (unsigned short)-1; unsigned long long ull = ~0ull; bool b = t;
  int q = c + s + (int)(l >> 38) + (u == 4294967295u) + sc + us + (int)(ull % 7) + b;
  y[t] = x[?sw_xform(t, 32)] + q; }
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) { int c = (250 + i % 10 + 10) & 255;
y[i] = x[(i + 3) % 32] + c - 25536 + 4 + 1 - 56 + 65535 + 1 + (i != 0); } }
)"},
                                         Sketch{"DataWidths", R"(
__global__ void f(const unsigned char* x, unsigned char* y, const short* a, short* b, const long long* c, long long* d, int n) {
  int t = threadIdx.x; int i = ?sw_xform(t, 32); y[t] = x[i]; b[t] = a[i]; d[t] = c[i];
}
)",
                                                R"(
void f(const unsigned char* x, unsigned char* y, const short* a, short* b, const long long* c, long long* d, int n) {
  for (int i = 0; i < 32; i++) { int j = (i + 3) % 32; y[i] = x[j]; b[i] = a[j]; d[i] = c[j]; } }
)",
                                                kRuns},
                                         Sketch{"CharBuffers", R"(
__global__ void f(const char* x, char* y, const bool* p, bool* q, int n) {
  int t = threadIdx.x; int i = ?sw_xform(t, 32); y[t] = x[i]; q[t] = p[i];
}
)",
                                                R"(
void f(const char* x, char* y, const bool* p, bool* q, int n) { for (int i = 0; i < n; i++) { y[i] = x[(i+3)%32];
q[i] = p[(i+3)%32]; } }
)",
                                                kRuns},
                                         Sketch{"UnsignedLoop", R"(
  int s = 0; for (unsigned i = 3; i != ~0u; --i) s += x[i]; y[t] = s + x[?sw_xform(t, 32)];
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[0] + x[1] + x[2] + x[3] + x[(i + 3) % 32]; }
)"},
                                         Sketch{"Math", R"(
__global__ void f(const float* x, float* y, int n) { int t = threadIdx.x; float v = x[?sw_xform(t, 32)];
  y[t] = fmaf(v, 2.0f, 1.0f) + fminf(v, 0.5f) + fmaxf(v, -v) + fabsf(v) + sqrtf(fabsf(v)) + floorf(v) + abs(-3) + min(t, 5) +
    max(t, 5u); }
)",
                                                R"(
void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) { float v = x[(i + 3) % 32];
y[i] = v * 2.0f + 1.0f + fminf(v, 0.5f) + fmaxf(v, -v) + fabsf(v) + sqrtf(fabsf(v)) + floorf(v) + 3 + (i < 5 ? i : 5) + (i < 5
  ? 5 : i); } }
)",
                                                kRuns},
                                         Sketch{"DoubleMath", R"(
__global__ void f(const double* x, double* y, int n) { int t = threadIdx.x; double v = x[?sw_xform(t, 32)];
  y[t] = fma(v, 2.0, 1.0) + fmin(v, 0.5) + fabs(v) + sqrt(fabs(v)) + (double)(float)1.5 + pow(fabs(v), 2.5); }
)",
                                                R"(
void f(const double* x, double* y, int n) { for (int i = 0; i < n; i++) { double v = x[(i + 3) % 32];
y[i] = v * 2.0 + 1.0 + fmin(v, 0.5) + fabs(v) + sqrt(fabs(v)) + 1.5 + pow(fabs(v), 2.5); } }
)"},
                                         Sketch{"FloatDiv", R"(
__global__ void f(const float* x, float* y, float a, int n) {
  int t = threadIdx.x; float v = x[?sw_xform(t, 32)]; y[t] = a * v / 3.0f - v * a;
}
)",
                                                R"(
void f(const float* x, float* y, float a, int n) { for (int i = 0; i < n; i++) { float v = x[(i + 3) % 32];
y[i] = a * v / 3.0f - v * a; } }
)"},
                                         Sketch{"AbsOfFloat", R"(
__global__ void f(const float* x, float* y, int n) { int t = threadIdx.x; y[t] = abs(x[?sw_xform(t, 32)]); }
)",
                                                R"(
void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = fabsf(x[(i + 3) % 32]); }
)"},
                                         Sketch{"FloatToInt", R"(
__global__ void f(const float* x, int* y, int n) {
  int t = threadIdx.x; float v = x[?sw_xform(t, 32)]; y[t] = (int)v + (v > 0.0f);
}
)",
                                                R"(
void f(const float* x, int* y, int n) { for (int i = 0; i < n; i++) { float v = x[(i + 3) % 32]; y[i] = (int)v + (v > 0.0f); } }
)"},
                                         Sketch{"Infinity", R"(
#include <cmath>
__global__ void f(const float* x, float* y, int n) { int t = threadIdx.x; float m = -INFINITY;
  for (int k = 0; k < 3; k++) m = fmaxf(m, x[?sw_xform(t, 32, k)]); y[t] = m; }
)",
                                                R"(
#include <cmath>
void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) { float m = -INFINITY;
for (int k = 0; k < 3; k++) m = fmaxf(m, x[(i + k) % 32]); y[i] = m; } }
)",
                                                kRuns},
                                         Sketch{"DataCondition", R"(
__global__ void f(const float* x, float* y, int n) {
  int t = threadIdx.x; float v = x[?sw_xform(t, 32)]; float r = 0; if (v > 0.5f) r = v; else r = -v; y[t] = r > 1.0f ? 1.0f : r;
}
)",
                                                R"(
void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) { float v = x[(i + 3) % 32]; float r = 0;
if (v > 0.5f) r = v; else r = -v; y[i] = r > 1.0f ? 1.0f : r; } }
)"},
                                         Sketch{"BytePerm", R"(
__global__ void f(const unsigned* x, unsigned* y, int n) {
  int t = threadIdx.x; unsigned v = x[?sw_xform(t, 32)]; y[t] = __byte_perm(v, 0, 0x0123) + __funnelshift_l(v, v, 3);
}
)",
                                                R"(
void f(const unsigned* x, unsigned* y, int n) { for (int i = 0; i < n; i++) { unsigned v = x[(i + 3) % 32];
y[i] = __byte_perm(v, 0, 0x0123) + __funnelshift_l(v, v, 3); } }
)"},
                                         Sketch{"NegativeConstant", R"(
  int d = x[t] - x[t] - 1; long long w = d; y[t] = x[?sw_xform(t, 32)] + (w < 0 ? 1 : 0) + (int)(w + 1);
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i+3)%32] + 1; }
)"},
                                         Sketch{"CommaAndNested", R"(
  int a, b, c; a = b = c = 3; a += b *= 2; y[t] = (b++, x[?sw_xform(t, 32)] + a + b--) + (a > 5 && b < 10 || c);
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] + 9 + 7 + 1; }
)"},
                                         Sketch{"RightBeforeLeft", R"(
  int r[2] = {0, 0}, i = 0; r[i] = ++i; y[t] = x[?sw_xform(t, 32)] + r[1];
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] + 1; }
)"},
                                         Sketch{"ConditionalLvalue", R"(
  int a = 0, b = 0; (t < 16 ? a : b) = 7; int& r = t < 16 ? b : a; r = 1; y[t] = x[?sw_xform(t, 32)] + a + 2 * b;
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] + (i < 16 ? 9 : 15); }
)"},
                                         Sketch{"ConvertingReference", R"(
__device__ int low(const unsigned char& v) { return v; }
__device__ int whole(const int& v) { return v; }
__global__ void f(const int* x, int* y, int n) {
  int t = threadIdx.x; y[t] = x[?sw_xform(t, 32)] + low(t * 100) + low(x[t]) + whole(3.7f);
}
)",
                                                R"(
void f(const int* x, int* y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] + i * 100 % 256 + (unsigned char)x[i] + 3; }
)"},
                                         Sketch{"Zeroing", R"(
struct P { int a, b; }; 
__global__ void f(const int* x, int* y, int n) {
  int t = threadIdx.x; int r[4] = {1}; int z[2][2] = {}; P p{}; P q = P(); P a[2] = {{1, 2}};
  y[t] = x[?sw_xform(t, 32)] + r[0] + r[3] + z[1][1] + p.a + q.b + a[0].b + a[1].a + sizeof(P);
}
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] + 3 + 8; }
)"},
                                         Sketch{"Array2D", R"(
__global__ void f(const float* x, float* y, int n) { int t = threadIdx.x; float r[2][3];
  for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) r[i][j] = x[i * 3 + j];
  float s = 0; for (int k = 0; k < 3; k++) s += r[?sw_part(2, t, k)][k]; y[t] = s; }
)",
                                                R"(
void f(const float* x, float* y, int n) { for (int i = 0; i < 32; i++) { float s = 0;
for (int k = 0; k < 3; k++) s += x[(i < 7 ? 3 : 0) + k]; y[i] = s; } }
)",
                                                kRuns},
                                         Sketch{"TemplateDevice", R"(
template <typename T, int N> __device__ T sum(const T (&r)[N]) { T s = 0; for (int i = 0; i < N; i++) s += r[i]; return s; }
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; int r[3] = {x[?sw_xform(t, 32)], 1, 2}; y[t] = sum(r); }
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] + 3; }
)"},
                                         Sketch{"TemplateKernel", R"(
template <typename T, int K> __global__ void f(const T* x, T* y, int n) { int t = threadIdx.x; y[t] = x[?sw_xform(t, 32)] * K; }
template __global__ void f<int, 2>(const int*, int*, int);
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] * 2; }
)",
                                                kRuns},
                                         Sketch{"KernelInNamespace", R"(
namespace a { namespace b { __global__ void f(const int* x, int* y, int n) {
  int t = threadIdx.x; y[t] = x[?sw_xform(t, 32)]; } }
}
)",
                                                kRotated, kRuns},
                                         Sketch{"DefaultArguments", R"(
template <int S = 2> __device__ int add(int v, int k = S + 1) { return v + k; }
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = add<>(x[?sw_xform(t, 32)]) + add<4>(0); }
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] + 3 + 5; }
)"},
                                         Sketch{"Constexpr", R"(
constexpr int kShift = 3; enum { kWarp = 32 }; enum class Kind : int { kA = 1, kB = 2 };
__host__ __device__ constexpr int twice(int v) { return v * 2; }
using Index = int; typedef unsigned Word;
namespace detail { __device__ constexpr int table[4] = {1, 2, 3, 4}; __device__ inline int pick(int i) { return table[i]; } }
__global__ void f(const int* x, int* y, int n) { Index t = threadIdx.x; static const int w[2] = {5, 6};
constexpr int local = twice(kShift); Word u = kWarp;
  using namespace detail;
  y[t] = x[?sw_xform(t, kWarp)] + pick(t % 4) + w[t & 1] + local + int(u) + static_cast<int>(Kind::kB); }
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] + i % 4 + 1 + 5 + (i & 1) + 6 + 32 + 2;
}
)"},
                                         Sketch{"Qualifiers", R"(
#include <cuda_runtime.h>
static __device__ __forceinline__ int id(int v) { return v; }
__host__ __device__ __noinline__ int id2(int v) { return v; }
extern "C" __global__ void __launch_bounds__(32) f(const int* __restrict__ x, int* __restrict__ y, const int n) {
  int t = threadIdx.x; y[t] = id2(id(x[?sw_xform(t, 32)]));
}
)"},
                                         Sketch{"ConstantArray", R"(
__constant__ int w[3] = {1, 2, 3};
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = x[?sw_xform(t, 32)] + w[t % 3]; }
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] + i % 3 + 1; }
)",
                                                kRuns},
                                         Sketch{"PointerArithmetic", R"(
  const int* p = x + 5; p -= 2; int* q = &y[t]; const int* e = x + n;
  *q = p[?sw_xform(t, 32) - 3] + int(e - p) - 29 + (p < e) + *(p - 3) - x[0];
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] + 1; }
)"},
                                         Sketch{"PointerLoop", R"(
  int s = 0; for (const int* p = x; p != x + 4; ++p) s += *p; y[t] = s + x[?sw_xform(t, 32)];
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[0] + x[1] + x[2] + x[3] + x[(i + 3) % 32]; }
)"},
                                         Sketch{"InPlace", R"(
__global__ void f(int* x, int n) { int t = threadIdx.x; int v = x[t]; x[t] = __shfl_sync(~0u, v, ?sw_xform(t, 32)); }
)",
                                                R"(
void f(int* x, int n) { int c[32]; for (int i = 0; i < n; i++) c[i] = x[(i + 3) % 32]; for (int i = 0; i < n; i++) x[i] = c[i];
}
)"},
                                         Sketch{"CallUnderACondition", R"(
__device__ int next(int a) { if (a > 30) { return 0; } return a + 1; }
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x, s = 0; if (?sw_cond(t)) s += x[next(t)]; y[t] = ?sw_cond(t) ? s : 2 * x[next(t)]; }
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = i < 9 ? 2 * x[i + 1] : i < 20 ? x[i + 1] : 0; }
)"},
                                         Sketch{"LoopThatEndsUnderACondition", R"(
  int s = 0;
  if (?sw_cond(t)) for (int k = 0; k < 8; k++) { if (k == 1) continue; if (k == 3) break; s += x[(t + k) % 32]; }
  y[t] = s;
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = i < 9 ? 0 : x[i] + x[(i + 2) % 32]; }
)"},
                                         Sketch{"SpecName", R"(
  y[t] = x[?sw_xform(t, 32)];
)",
                                                R"(
static int at(const int* x, int i) { return x[i % 32]; }
void spec(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = at(x, i + 3); }
)"}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Language, AConversionThroughAReferenceIsNotLost) {
  const ToolResult r = run_sketch(Sketch{"", R"(
__device__ int low(const unsigned char& v) { return v; }
__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = low(x[?sw_xform(threadIdx.x, 32)]); }
)"});
  EXPECT_EQ(r.exit_code, 10) << r.output;
}

// n is the parameter, kOutputs the constant: 40 outputs at n = 20, of which the last block has 8.
TEST(Language, DirectivesKnowTheConstantsOfTheFile) {
  const ToolResult r = run_sketch(Sketch{"", R"(
#pragma swizzle launch grid((kOutputs * n + kThreads - 1) / kThreads) block(kThreads)
#pragma swizzle instance n = kThreads / kOutputs
#pragma swizzle check n = 20
#pragma swizzle assume n >= kOutputs
constexpr int kThreads = 32, kOutputs = 2;
static const int n = 7;
__global__ void f(const int* x, int* y, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int v = __shfl_sync(0xffffffffu, i < 2 * n ? x[i] : 0, ?sw_xor(threadIdx.x, 32));
  if (i < 2 * n) y[i] = v;
}
)",
                                         R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < 2 * n; i++) y[i] = x[i ^ 1]; }
)"});
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["checked"]["reread"], (nlohmann::json{"n=16", "n=20"}));
  const ScratchFolder scratch;
  const std::string kernel = scratch.write("kernel.cu", r.kernel);
  const CheckResult checked = run_check(fmt::format("'{}' --set n=20", kernel));
  EXPECT_EQ(checked.exit_code, 0) << checked.errors;
}

}  // namespace
}  // namespace swizzle::test::frontend_test
