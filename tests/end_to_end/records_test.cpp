// C++ as kernels use it: classes and vectors.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::records_test {
namespace {

class Records : public testing::TestWithParam<Sketch> {};

TEST_P(Records, AreFoundRereadAndRun) { expect_verified(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Each, Records,
                         testing::Values(Sketch{"StructAoS", R"(
struct P { float x, y, z; };
__global__ void f(const P* in, P* out, int n) {
  int t = threadIdx.x; P p = in[?sw_xform(t, 32)]; P q; q.x = p.y; q.y = p.x; q.z = p.z * 2.0f; out[t] = q;
}
)",
                                                R"(
struct P { float x, y, z; };
void f(const P* in, P* out, int n) { for (int i = 0; i < n; i++) { P p = in[(i + 3) % 32]; out[i].x = p.y; out[i].y = p.x;
out[i].z = 2.0f * p.z; } }
)",
                                                kRuns},
                                         Sketch{"StructuredBindings", R"(
struct P { float x, y; };
__device__ P turned(P p) { auto& [a, b] = p; const float c = a; a = b; b = c; return p; }
__global__ void f(const P* in, P* out, int n) {
  const auto [t, one] = uint2{threadIdx.x, 1}; __shared__ P tile[32]; auto& [x, y] = tile[t];
  const auto [a, b] = turned(in[?sw_xform(t, 32)]); x = a; y = b * one; __syncthreads();
  const auto& [p, q] = tile[?sw_xform(t, 32)]; out[t] = {p, q};
}
)",
                                                R"(
struct P { float x, y; };
void f(const P* in, P* out, int n) { for (int i = 0; i < n; i++) { auto [x, y] = in[(i + 3) % 32]; out[i] = {y, x}; } }
)",
                                                kRuns},
                                         Sketch{"RangeFor", R"(
struct Row { float v[3]; __device__ float* begin() { return v; } __device__ float* end() { return v + 3; } };
__global__ void f(const float* x, float* y, int n) {
  const int t = threadIdx.x; float own[2] = {x[t], x[t + 32]}; Row row{}; float sum = 0; int k = 0;
  for (float& v : own) v = __shfl_sync(0xffffffffu, v, ?sw_xform(t, 32)) * 2.0f;
  for (float& v : row) v += own[k++ % 2];
  for (const float v : row) { if (k == 0) continue; sum += v; }
  y[t] = sum;
}
)",
                                                R"(
void f(const float* x, float* y, int n) {
  const int steps[] = {0, 32, 0};
  for (int i = 0; i < 32; i++) { float s = 0; for (int step : steps) s += 2 * x[step + (i + 3) % 32]; y[i] = s; }
}
)",
                                                kRuns},
                                         Sketch{"StructByValue", R"(
struct P { float a; int b; float c[2]; };
__device__ P make(float v, int i) { P p{v, i, {v, v}}; return p; }
__device__ float total(P p) { p.a += 1; return p.a + p.b + p.c[0] + p.c[1]; }
__device__ float total2(const P& p) { return p.a + p.c[1]; }
__global__ void f(const float* x, float* y, int n) {
  int t = threadIdx.x; P p = make(x[?sw_xform(t, 32)], t); P* q = &p; y[t] = total(p) + total2(p) + q->a;
}
)",
                                                R"(
void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] * 6 + 1 + i; }
)"},
                                         Sketch{"MemberFunctions", R"(
struct V { float a, b; __device__ float sum() const { return a + b; } __device__ void scale(float s) { a *= s; b *= s; }
__device__ V operator+(const V& o) const { return {a + o.a, b + o.b}; } __device__ static int one() { return 1; } };
__device__ V operator*(V v, float s) { v.scale(s); return v; }
__global__ void f(const float* x, float* y, int n) {
  int t = threadIdx.x; float v = x[?sw_xform(t, 32)]; V p{v, v}; p.scale(2.0f); V q = (p + V{v, v}) * 3.0f;
  y[t] = q.sum() + V::one();
}
)",
                                                R"(
void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] * 18 + 1; }
)",
                                                kRuns},
                                         Sketch{"ReferenceReturn", R"(
struct M { int v[4]; __device__ int& operator[](int i) { return v[i]; } __device__ const int& at(int i) const { return v[i]; }
__device__ M& add(int d) { for (int i = 0; i < 4; i++) v[i] += d; return *this; } };
__device__ int& second(int (&r)[2]) { return r[1]; }
__global__ void f(const int* x, int* y, int n) {
  int t = threadIdx.x; M m{}; m[1] = x[?sw_xform(t, 32)]; m[2] += 3; m.add(1).add(2); int r[2] = {0, 0}; second(r) = 5;
  y[t] = m[1] + m.at(2) + r[1] - 11;
}
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i+3)%32] + 3; }
)"},
                                         Sketch{"Constructors", R"(
struct C { int re, im = 4; __device__ C(int r) : re(r) { im += 1; } __device__ C(int r, int i) : re(r), im(i) {} };
struct D { int a = 2, b; };
__global__ void f(const int* x, int* y, int n) {
  int t = threadIdx.x; C c(x[?sw_xform(t, 32)]); C d = C(7); C e = {1, 2}; D g; g.b = 1; C h = e;
  y[t] = c.re + c.im + d.im - 1 + e.re + e.im + g.a + h.im;
}
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i+3)%32] + 5 + 4 + 3 + 2 + 2; }
)",
                                                kRuns},
                                         Sketch{"StaticMembers", R"(
template <int N> struct Tile { static constexpr int kSize = N; static constexpr int twice() { return 2 * N; } int v[N]; };
__global__ void f(const int* x, int* y, int n) {
  int t = threadIdx.x; Tile<3> a{}; a.v[2] = 1; y[t] = x[?sw_xform(t, 32)] + a.v[2] + Tile<4>::kSize + a.kSize;
}
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i+3)%32] + 8; }
)"},
                                         Sketch{"Float4", R"(
#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 128
__global__ void f(const float* x, float* y, int n) {
  int t = threadIdx.x; float4 v = reinterpret_cast<const float4*>(x)[?sw_xform(t, 32)];
  float4 o = make_float4(v.w, v.z, v.y, v.x); reinterpret_cast<float4*>(y)[t] = o;
}
)",
                                                R"(
void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i / 4 + 3) % 32 * 4 + 3 - i % 4]; }
)",
                                                kRuns},
                                         Sketch{"Float4CStyle", R"(
#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 128
__global__ void f(const float* x, float* y, int n) {
  int t = threadIdx.x; const float4 v = *(const float4*)(x + 4 * ?sw_xform(t, 32)); *(float4*)&y[4 * t] = v;
}
)",
                                                R"(
void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i / 4 + 3) % 32 * 4 + i % 4]; }
)"},
                                         Sketch{"StructOfSeveralTypes", R"(
struct Particle { float mass; int id; double at[2]; short kind, flags; };
__global__ void f(const Particle* x, Particle* y, int n) {
  const int t = threadIdx.x;
  Particle p = x[?sw_xform(t, 32)];
  p.id = x[t].id;
  p.kind = __shfl_sync(~0u, x[t].flags, ?sw_xform(t, 32));
  y[t] = p;
}
)",
                                                R"(
struct Particle { float mass; int id; double at[2]; short kind, flags; };
void f(const Particle* x, Particle* y, int n) {
  for (int i = 0; i < n; i++) {
    const Particle p = x[(i + 3) % 32];
    y[i].mass = p.mass; y[i].id = x[i].id; y[i].at[0] = p.at[0]; y[i].at[1] = p.at[1];
    y[i].kind = x[i ^ 1].flags; y[i].flags = p.flags;
  }
}
)",
                                                kRuns},
                                         Sketch{"StructWithPadding", R"(
struct alignas(16) Tagged { unsigned char tag; float v[2]; };
__global__ void f(const Tagged* x, Tagged* y, unsigned char* tags, int n) {
  const int t = threadIdx.x;
  __shared__ Tagged all[32];
  all[t] = x[t];
  __syncthreads();
  const Tagged mine = all[?sw_xform(t, 32)];
  y[t] = mine;
  tags[t] = mine.tag;
}
)",
                                                R"(
struct alignas(16) Tagged { unsigned char tag; float v[2]; };
void f(const Tagged* x, Tagged* y, unsigned char* tags, int n) {
  for (int i = 0; i < n; i++) { y[i] = x[31 - i]; tags[i] = x[31 - i].tag; }
}
)",
                                                kRuns},
                                         Sketch{"Float2Buffers", R"(
__global__ void f(const float2* x, float2* y, const int4* a, int4* b, const uint2* c, uint2* d, int n) {
  int t = threadIdx.x; int i = ?sw_xform(t, 32); float2 v = __ldg(&x[i]); y[t] = make_float2(v.y, v.x); b[t] = __ldg(a + i);
  d[t].x = c[i].y; d[t].y = c[i].x;
}
)",
                                                R"(
void f(const float2* x, float2* y, const int4* a, int4* b, const uint2* c, uint2* d, int n) { for (int i = 0; i < n; i++) {
  int j = (i + 3) % 32; y[i].x = x[j].y; y[i].y = x[j].x; b[i] = a[j]; d[i].x = c[j].y; d[i].y = c[j].x; } }
)",
                                                kRuns}),
                         [](const auto& info) { return std::string(info.param.name); });

// Buffers of enumerations and of arrays; a kernel in a namespace, with structs of its own: what is run has their types.
TEST(Records, BuffersOfOtherTypesAreRun) {
  const std::string rotated = "for (int i = 0; i < n; i++) y[i] = x[i / 32 * 32 + (i + 5) % 32];",
                    permuted = "const int t = threadIdx.x; y[t] = x[?sw_xform(t, 32)];",
                    record = "struct S { short q[3]; };\n";
  for (const auto& [type, kernel_has, spec_has, scope] :
       {std::array<std::string, 4>{"E", "enum E { A, B };\n", "enum E { A, B };\n", ""},
        {"E", "enum class E : unsigned char { A, B };\n", "enum class E : unsigned char { A, B };\n", ""},
        {"S", record, record, "namespace a { "},
        {"S", record, record, "namespace { "}}) {
    const std::string parameters = fmt::format("(const {0}* x, {0}* y, int n) {{ ", type);
    expect_verified(
        {"",
         scope + kernel_has + "__global__ void f" + parameters + permuted + " }" + (scope.empty() ? "" : "\n}") + "\n",
         spec_has + "void f" + parameters + rotated + " }\n", kRuns});
  }
  expect_verified(
      {"",
       "__global__ void f(const int (*x)[32], int (*y)[32], int n) { const int t = threadIdx.x; y[0][t] = x[0][?sw_xform(t, 32)]; }\n",
       "void f(const int (*x)[32], int (*y)[32], int n) { for (int i = 0; i < 32; i++) y[0][i] = x[0][(i + 5) % 32]; }\n",
       kRuns});
}

}  // namespace
}  // namespace swizzle::test::records_test
