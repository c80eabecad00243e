// Threads together: grids, shared memory, shuffles, votes, barriers.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::threads_test {
namespace {

class Threads : public testing::TestWithParam<Sketch> {};

TEST_P(Threads, AreFoundRereadAndRun) { expect_verified(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Each, Threads,
                         testing::Values(Sketch{"Grid2D", R"(
#pragma swizzle launch grid(w / 8, h / 4) block(8, 4)
#pragma swizzle instance w = 16, h = 8
#pragma swizzle check w = 24, h = 12
__global__ void f(const float* x, float* y, int w, int h) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y, t = threadIdx.y * blockDim.x +
    threadIdx.x;
  float v = x[r * w + c];
  y[r * w + c] = __shfl_sync(~0u, v, ?sw_xform(t, 32)); }
)",
                                                R"(
void f(const float* x, float* y, int w, int h) {
  for (int r = 0; r < h; r++) for (int c = 0; c < w; c++) y[r * w + c] = x[(r / 4 * 4 + (r + 1) % 4) * w + c]; }
)"},
                                         Sketch{"Block3D", R"(
#pragma swizzle launch grid(1, 1, 2) block(4, 4, 4)
#pragma swizzle instance n = 128
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int v = x[t + 64 * blockIdx.z]; y[t + 64 * blockIdx.z] = __shfl_sync(~0u, v, ?sw_xform(t % 32, 32)); }
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < 128; i++) y[i] = x[i / 32 * 32 + (i + 3) % 32]; }
)",
                                                kRuns},
                                         Sketch{"GridStride", R"(
#pragma swizzle launch grid(2) block(32)
#pragma swizzle instance n = 128
#pragma swizzle check n = 256
__global__ void f(const int* x, int* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = __shfl_sync(~0u, x[i],
    ?sw_xform(i % 32, 32));
}
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i / 32 * 32 + (i + 3) % 32]; }
)"},
                                         Sketch{"EarlyExit", R"(
#pragma swizzle launch grid(1) block(64)
#pragma swizzle instance n = 32
__global__ void f(const int* x, int* y, int n) {
  int t = threadIdx.x; if (t >= n) return; y[t] = __shfl_sync(~0u, x[t], ?sw_xform(t, 32));
}
)",
                                                kRotated, kRuns},
                                         Sketch{"WarpInBlock", R"(
#pragma swizzle launch grid(1) block(64)
#pragma swizzle instance n = 64
__global__ void f(const int* x, int* y, int n) {
  int t = threadIdx.x; int v = x[t]; if (t / 32 == 0) v += __shfl_xor_sync(0xffffffff, v, 1);
  y[t] = __shfl_sync(~0u, v, ?sw_xform(t & 31, 32));
}
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) { int j = i / 32 * 32 + (i + 3) % 32;
y[i] = i < 32 ? x[j] + x[j ^ 1] : x[j]; } }
)"},
                                         Sketch{"Shared", R"(
  __shared__ int s[32]; s[t] = x[t]; __syncthreads(); y[t] = s[?sw_xform(t, 32)];
)"},
                                         Sketch{"Shared2D", R"(
  __shared__ int s[4][9]; s[t / 8][t % 8] = x[t]; __syncwarp(); y[t] = s[?sw_xform(t / 8, 4)][t % 8];
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 8) % 32]; }
)"},
                                         Sketch{"SharedInFunction", R"(
__device__ int through(int v, int t) { __shared__ int s[32]; s[t] = v; __syncthreads(); int r = s[?sw_xform(t, 32)];
__syncthreads(); return r; }
__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = through(x[t], t); }
)",
                                                kRotated, kRuns},
                                         Sketch{"SharedStruct", R"(
  __shared__ struct { int a; float b; } s[32]; s[t].a = x[t]; s[t].b = 1.5f; __syncthreads();
  y[t] = s[?sw_xform(t, 32)].a + (int)s[t].b;
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i+3)%32] + 1; }
)"},
                                         Sketch{"SharedReused", R"(
  __shared__ int s[32]; int r = 0; for (int k = 0; k < 2; k++) { s[t] = x[t]; __syncthreads(); r += s[?sw_xform(t, 32, k)];
  __syncthreads(); } y[t] = r;
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i+3)%32] + x[(i+4)%32]; }
)"},
                                         Sketch{"Shuffles", R"(
  int v = x[t];
  int a = __shfl_up_sync(0xffffffffu, v, 1, 8) + __shfl_down_sync(0xffffffffu, v, 1, 8) + __shfl_xor_sync(0xffffffffu, v, 2, 8)
    + __shfl_sync(0xffffffffu, v, 9, 8) + __shfl_xor_sync(~0u, v, 16) + __shfl_sync(~0u, v, -1);
  y[t] = a + __shfl_sync(~0u, v, ?sw_xform(t, 32));
)",
                                                R"(
void f(const int* x, int* y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[i % 8 ? i - 1 : i] + x[i % 8 < 7 ? i + 1 : i] + x[i ^ 2] + x[i / 8 * 8 + 1] + x[i ^ 16]
    + x[31] + x[(i + 3) % 32]; }
)",
                                                kRuns},
                                         Sketch{"ShuffleDouble", R"(
__global__ void f(const double* x, double* y, const long long* a, long long* b, int n) {
  int t = threadIdx.x; int i = ?sw_xform(t, 32); y[t] = __shfl_sync(~0u, x[t], i); b[t] = __shfl_sync(~0u, a[t], i);
}
)",
                                                R"(
void f(const double* x, double* y, const long long* a, long long* b, int n) { for (int i = 0; i < n; i++) {
  int j = (i + 3) % 32; y[i] = x[j]; b[i] = a[j]; } }
)",
                                                kRuns},
                                         Sketch{"Votes", R"(
  unsigned m = __ballot_sync(~0u, t & 1); int any = __any_sync(~0u, t == 3), all = __all_sync(~0u, t < 32);
  unsigned act = __activemask();
  y[t] = x[?sw_xform(t, 32)] + __popc(m) + any + all + int(act >> 31) + __ffs(m) + __clz(1) + int(__brev(1u) >> 31);
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 3) % 32] + 16 + 1 + 1 + 1 + 2 + 31 + 1; }
)",
                                                kRuns},
                                         Sketch{"HalfWarpMask", R"(
  int v = x[t], r; if (t < 16) r = __shfl_sync(0x0000ffffu, v, 3); else r = __shfl_sync(0xffff0000u, v, 19);
  y[t] = r + x[?sw_xform(t, 32)];
)",
                                                R"(
void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i < 16 ? 3 : 19] + x[(i + 3) % 32]; }
)",
                                                kRuns}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace swizzle::test::threads_test
