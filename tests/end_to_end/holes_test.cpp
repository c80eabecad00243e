// Holes, accumulators and the slides' helpers, wherever they may stand.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::holes_test {
namespace {

class Holes : public testing::TestWithParam<Sketch> {};

TEST_P(Holes, AreFoundRereadAndRun) { expect_verified(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Each, Holes,
                         testing::Values(Sketch{"HoleIndex", R"(
  int r[2] = {x[t], x[t]};
  y[t] = __shfl_sync(~0u, r[?sw_part(2, t)], ?sw_xform(t, 32));
)"},
                                         Sketch{"LinearMap", R"(
  y[t] = __shfl_sync(~0u, x[t], ?sw_linear(t, 32));
)",
                                                R"(
void f(const int* x, int* y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[(i & 1) << 4 | (i & 2) << 2 | (i & 4) | (i & 8) >> 2 | i >> 4];
}
)",
                                                kRuns},
                                         Sketch{"HoleMinusConstant", R"(
  y[t] = __shfl_sync(~0u, x[t], ?sw_xform(t, 32)) + ?sw_part(3, t) - 2;
)"},
                                         Sketch{"HoleParens", R"(
  y[t] = __shfl_sync(~0u, x[t], ((?sw_xform(t, 32))));
)"},
                                         Sketch{"HoleIf", R"(
  int a = __shfl_down_sync(~0u, x[t], 3), b = __shfl_sync(~0u, x[t], t + 3), c = 0;
  if (?sw_cond(t)) c = a; else c = b;
  y[t] = c;
)"},
                                         Sketch{"HoleTernary", R"(
  int a = __shfl_down_sync(~0u, x[t], 3), b = __shfl_up_sync(~0u, x[t], 29);
  y[t] = ?sw_cond(t) ? a : b;
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = i < 29 ? x[i + 3] : x[i - 29]; }
)"},
                                         Sketch{"StoresOfAnyCachePolicy", R"(
  __stcs(&y[t], __shfl_sync(~0u, x[t], ?sw_xform(t, 32)));
  if (t == n) __stwt(y + t, 0);
  if (t == n + 1) __stcg(y, 1), __stwb(y + 1, 2);
)",
                                                kRotated, kRuns},
                                         Sketch{"LoopUnderHole", R"(
  int s = 0;
  if (?sw_cond(t)) {
    for (int k = 0; k < 2; k++) s += x[t + k];
  } else {
    int k = 3;
    while (--k > 0) s -= x[t - k];
  }
  y[t] = s;
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = i < 16 ? x[i] + x[i + 1] : -x[i - 1] - x[i - 2]; }
)",
                                                kRuns},
                                         Sketch{"LoopOfAFunctionUnderAHole", R"(
__device__ int sum(const int* p, int left) { int s = 0; while (left-- > 0) s += p[left]; return s; }
__global__ void f(const int* x, int* y, int n) {
  int t = threadIdx.x, s = x[t];
  if (?sw_cond(t)) s = sum(x + t, 3);
  y[t] = s;
}
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = i < 8 ? x[i] + x[i + 1] + x[i + 2] : x[i]; }
)",
                                                kRuns},
                                         Sketch{"LoopUnderData", R"(
  const int v = __shfl_sync(~0u, x[t], ?sw_xform(t, 32));
  int s = v;
  if (v > 0) {
    for (int k = 0; k < 3; k++) s = s * v;
  }
  y[t] = s;
)",
                                                R"(
void f(const int* x, int* y, int n) {
  for (int i = 0; i < n; i++) {
    const int v = x[(i + 3) % 32];
    int s = v;
    if (v > 0) for (int k = 0; k < 3; k++) s = s * v;
    y[i] = s;
  }
}
)",
                                                kRuns},
                                         Sketch{"HoleArgument", R"(
__device__ int get(int v, int lane) { return __shfl_sync(0xffffffff, v, lane); }
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = get(x[t], ?sw_xform(t, 32)); }
)"},
                                         Sketch{"HoleInDeviceFunction", R"(
__device__ int get(int v, int t) { return __shfl_sync(0xffffffff, v, ?sw_xform(t, 32)); }
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = get(x[t], t); }
)"},
                                         Sketch{"HoleInDeviceFunctionTwice", R"(
__device__ int get(int v, int t, int k) { return __shfl_sync(0xffffffff, v, ?sw_xform(t, 32, k)); }
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = get(x[t], t, 0) + get(x[t], t, 1); }
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] + x[(i + 4) % 32]; }
)"},
                                         Sketch{"HoleInTemplate", R"(
template <int K> __device__ int get(int v, int t) { return __shfl_sync(0xffffffff, v, ?sw_xform(t, 32, K)); }
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = get<0>(x[t], t) + get<1>(x[t], t); }
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] + x[(i + 4) % 32]; }
)",
                                                kRuns},
                                         Sketch{"HoleInTypeTemplate", R"(
template <class T> __device__ T get(T v, int t) { return __shfl_sync(0xffffffff, v, ?sw_xform(t, 32)); }
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = get(x[t], t) + int(get(unsigned(x[t]), t)); }
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = 2 * x[(i + 3) % 32]; }
)"},
                                         Sketch{"HolesInALine", R"(
  int a = __shfl_sync(~0u, x[t], ?sw_xform(t, 32)) + __shfl_sync(~0u, x[t], ?sw_xform(t, 32)) + __shfl_sync(~0u, x[t],
    ?sw_xform(t, 32)); y[t] = a;
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] + x[i] + x[31 - i]; }
)"},
                                         Sketch{"HoleInArithmetic", R"(
  y[t] = __shfl_sync(~0u, x[t], (?sw_xform(t, 32) + 1) & 31);
)"},
                                         Sketch{"HoleInGlobalIndex", R"(
  y[t] = x[?sw_xform(t, 32)];
)"},
                                         Sketch{"HoleInMacroArgument", R"(
#define IDENTITY(v) (v)
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = x[IDENTITY(?sw_xform(t, 32))]; }
)",
                                                kRotated, kRuns},
                                         Sketch{"MacroInHoleArgument", R"(
#define WARP 32
#define LANE (threadIdx.x % WARP)
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = x[?sw_xform(LANE, WARP)]; }
)"},
                                         Sketch{"HoleOnHole", R"(
  int i = ?sw_xform(t, 32); y[t] = __shfl_sync(~0u, x[t], ?sw_xform(i, 32));
)"},
                                         Sketch{"HoleInMethod", R"(
struct S { int lane; __device__ int get(int v, int k) const { return __shfl_sync(~0u, v, ?sw_xform(lane, 32, k)); } };
__global__ void f(const int* x, int* y, int n) {
  S s{int(threadIdx.x)}; int v = x[s.lane]; y[s.lane] = s.get(v, 0) + s.get(v, 1);
}
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] + x[(i + 4) % 32]; }
)",
                                                kRuns},
                                         Sketch{"UnsignedHoleArgument", R"(
#pragma swizzle extent x(n)
__global__ void f(const int* x, int* y, int n) {
  int t = threadIdx.x; int v = x[t]; y[t] = ?sw_cond(threadIdx.x, t / 8) ? v : 0; }
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = i - 10 < i / 8 ? x[i] : 0; }
)"},
                                         Sketch{"AccPlus", R"(
#pragma swizzle extent x(n)
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; auto o = create_accumulator(0, identity, plus);
  for (int k = 0; k < 2; k++) { int a = __shfl_sync(~0u, x[t], ?sw_xform(t, 32, k)); accumulate(o, {a}); }
  y[t] = eval(o); }
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] + x[(i + 4) % 32]; }
)"},
                                         Sketch{"AccFloat", R"(
__global__ void f(const float* x, float* y, int n) { int t = threadIdx.x; auto o = create_accumulator(0, identity, plus, times);
  for (int k = 0; k < 2; k++) { float a = __shfl_sync(~0u, x[t], ?sw_xform(t, 32, k)); accumulate(o, {a, 2.0f}, ?sw_cond(t, k));
  }
  float r = eval(o); y[t] = r; }
)",
                                                R"(
void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = 2.0f*x[(i + 3) % 32] + 2.0f*x[(i + 4) % 32]; }
)",
                                                kRuns},
                                         Sketch{"AccShuffleElement", R"(
  auto o = create_accumulator(0, identity, plus);
  for (int k = 0; k < 2; k++) accumulate(o, {__shfl_sync(~0u, x[t], ?sw_xform(t, 32, k))}, ?sw_cond(t, k));
  y[t] = eval(o);
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = i < 1 ? x[i+5] : x[(i + 5) % 32] + x[(i + 4) % 32]; }
)",
                                                kRuns},
                                         Sketch{"AccEvalInExpression", R"(
__global__ void f(const float* x, float* y, int n) { int t = threadIdx.x; auto o = create_accumulator(0.0f, identity, plus);
  accumulate(o, {x[?sw_xform(t, 32)]});
  y[t] = eval(o) * 2.0f; }
)",
                                                R"(
void f(const float* x, float* y, int n) { for (int i = 0; i < n; i++) y[i] = 2.0f*x[(i + 3) % 32]; }
)"},
                                         Sketch{"AccUnderIf2", R"(
  auto o = create_accumulator(0, identity, plus); int a = x[?sw_xform(t, 32)], z = 0;
  for (int k = 0; k < 2; k++) if (k < 1) accumulate(o, {a}, ?sw_cond(t, k)); else z += 1;
  int r = eval(o); y[t] = r + z;
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = 1 + x[(i + 3) % 32]; }
)",
                                                kRuns},
                                         Sketch{"PlainXor", R"(
__global__ void f(const unsigned* x, unsigned* y, int n) { int t = threadIdx.x; unsigned o = 0, m = x[t];
  for (int k = 0; k < 2; k++) o ^= m & __shfl_sync(~0u, m, ?sw_xform(t, 32, k));
  y[t] = o; }
)",
                                                R"(
void f(const unsigned* x, unsigned* y, int n) {
  for (int i = 0; i < n; i++) y[i] = (x[i] & x[(i + 3) % 32]) ^ (x[i] & x[(i + 4) % 32]); }
)"},
                                         Sketch{"LoadStore", R"(
#pragma swizzle extent x(n) y(n)
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x;
  auto rc = load(x, 0, 1, 1); int r[1]; r[0] = __shfl_sync(~0u, rc[0], ?sw_xform(t, 32)); store(y, 0, 1, 1, r); }
)",
                                                kRotated, kRuns},
                                         Sketch{"LoadStoreSlice", R"(
#pragma swizzle launch grid(n / 64) block(32)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
__global__ void f(const int* x, int* y, int n) { auto rc = load(x, blockIdx.x * 64, 2, 1); int r[2];
 for (int k = 0; k < 2; k++) r[k] = rc[?sw_part(2, k)];
 store(y, blockIdx.x * 64, 2, 1, r); }
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i += 2) { y[i] = x[i + 1]; y[i + 1] = x[i]; } }
)",
                                                kRuns},
                                         Sketch{"MagicGet", R"(
#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
__global__ void f(const int* x, int* y, int n) {
  const int tid = threadIdx.x % 32; const int base = blockIdx.x * blockDim.x + threadIdx.x - tid;
  auto rc = load(x, base, 1, 2); int out = 0;
  for (int k = 0; k < 3; k++) out += magic_get(rc);
  y[base + tid] = out; }
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) { y[i] = x[i]+x[i + 1]+x[i+2]; } }
)"},
                                         Sketch{"MagicGet2D", R"(
#pragma swizzle launch grid(n / 64) block(8, 8)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
__global__ void f(const int* x, int* y, int n) {
  const int t = threadIdx.y * 8 + threadIdx.x; const int base = blockIdx.x * 64 + t / 32 * 32;
  auto rc = load(x, base, 1, 2); int out = 0;
  for (int k = 0; k < 3; k++) out += magic_get(rc);
  y[base + t % 32] = out; }
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) { y[i] = x[i]+x[i + 1]+x[i+2]; } }
)",
                                                kRuns},
                                         Sketch{"MagicGetInFunction", R"(
#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 192
__device__ int lane_of() { int l = threadIdx.x % 32; return l; }
__global__ void f(const int* x, int* y, int n) {
  int tid = lane_of(); const int base = blockIdx.x * blockDim.x + threadIdx.x - tid;
  auto rc = load(x, base, 1, 2); int out = 0;
  { int q = threadIdx.x % 32; q++; }
  for (int k = 0; k < 3; k++) out += magic_get(rc);
  y[base + tid] = out; }
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) { y[i] = x[i]+x[i + 1]+x[i+2]; } }
)"},
                                         Sketch{"ShuffleHoleDelta", R"(
  int v = x[t]; y[t] = __shfl_xor_sync(~0u, v, ?sw_xform(0, 32)) + __shfl_down_sync(~0u, v, ?sw_part(8, t));
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i ^ 5] + x[i]; }
)"},
                                         Sketch{"TwoOutputs", R"(
__global__ void f(const int* x, int* y, int* z, int n) {
  int t = threadIdx.x; y[t] = x[?sw_xform(t, 32)]; z[t] = x[?sw_xform(t, 32)];
}
)",
                                                R"(
void f(const int* x, int* y, int* z, int n) { for (int i = 0; i < n; i++) { y[i] = x[(i + 3) % 32]; z[i] = x[31 - i]; } }
)"},
                                         Sketch{"QuotientOfNegatives", R"(
#pragma swizzle extent x(32)
__global__ void f(const int* x, int* y, int n) {
  int t = threadIdx.x;
  for (int k = -2; k < 6; k++) y[32 * (k + 2) + t] = x[?sw_xform(t, 32, k)];
}
)",
                                                R"(
void f(const int* x, int* y, int n) {
  for (int k = -2; k < 6; k++)
    for (int i = 0; i < 32; i++) y[32 * (k + 2) + i] = x[(i + (k + 3) / 3 + 31) % 32];
}
)",
                                                kRuns},
                                         Sketch{"ExtraBesidePlain", R"(
#pragma swizzle extent x(32)
__global__ void f(const int* x, int* y, int n) {
  int t = threadIdx.x;
  for (int k = 0; k < 2; k++) {
    y[32 * k + t] = x[?sw_xform(t, 32, k)];
    y[64 + 32 * k + t] = x[?sw_xform_extra(t, 32, k)];
  }
}
)",
                                                R"(
void f(const int* x, int* y, int n) {
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 32; i++) {
      y[32 * k + i] = x[(i + k) % 32];
      y[64 + 32 * k + i] = x[2 * ((3 * i + k) % 16) + (i / 16 + k) % 2];
    }
}
)",
                                                kRuns}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Holes, AChoiceAmongOneIsThatOne) {
  expect_verified({"", "  y[t] = ?sw_choose(x[?sw_xform(t, 32)]);", kRotated, kRuns});
  expect_verified({"", "  y[t] = x[(t + ?sw_choose(3)) % 32];", kRotated, kRuns});
  const ToolResult none = run_sketch({"", "  y[t] = x[?sw_choose()];"});
  EXPECT_EQ(none.exit_code, 1) << none.output;
  EXPECT_NE(none.output.find("sketch.cu:5:12: error:"), std::string::npos) << none.output;
}

TEST(Holes, AMacrosArgumentHasNoParenthesesOfItsOwn) {
  const ToolResult r =
      run_sketch({"",
                  "#define IDENTITY(v) (v)\n__global__ void f(const int* x, int* y, int n) {\n  int t = threadIdx.x;\n"
                  "  y[t] = x[IDENTITY(?sw_xform(t, 32))];\n}\n"});
  EXPECT_NE(r.kernel.find("y[t] = x[IDENTITY((t + 3) & 31)];"), std::string::npos) << r.kernel;
}

// As they are written: a narrow one is an int in what is computed with it, and others have one type.
TEST(Holes, AChoiceIsOfOneType) {
  expect_verified({"", "  const unsigned char k = t;\n  y[t] = x[t] * ?sw_choose(k, k * 2 - 3);",
                   "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] * (i * 2 - 3); }\n",
                   kRuns});
  const ToolResult mixed = run_sketch(
      {"", "  y[t] = ?sw_choose(0u, x[t]) / 2;",
       "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = unsigned(x[i]) / 2; }\n", kRuns});
  EXPECT_EQ(mixed.exit_code, 0) << mixed.output;
  EXPECT_NE(mixed.kernel.find("y[t] = (unsigned(x[t])) / 2;"), std::string::npos) << mixed.kernel;
  const ToolResult wide = run_sketch({"", "  y[t] = x[t] * ?sw_choose(1, 0.5f);"});
  EXPECT_EQ(wide.exit_code, 1);
  EXPECT_NE(wide.output.find("sketch.cu:5:31: error: what a hole chooses from has one type: this 'float' does not fit "
                             "into 'int', which what stands first makes it; write a cast"),
            std::string::npos)
      << wide.output;
}

}  // namespace
}  // namespace swizzle::test::holes_test
