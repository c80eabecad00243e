// Warp reductions, dot products, cooperative groups and asynchronous copies, as kernels write them.
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::device_functions_test {
namespace {

class DeviceFunctions : public testing::TestWithParam<Sketch> {};

TEST_P(DeviceFunctions, AreFoundRereadAndRun) { expect_verified(GetParam()); }

std::string groups(const std::string& body, const std::string& before = "") {
  return "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include <cooperative_groups/scan.h>\n"
         "namespace cg = cooperative_groups;\n" +
         before +
         "\n__global__ void f(const int* x, int* y, int n) {\n  cg::thread_block block = cg::this_thread_block();\n" +
         body + "\n}\n";
}

constexpr const char* kSumOf8 =
    "void f(const int* x, int* y, int n) {\n"
    "  for (int i = 0; i < n; i++) { int s = 0; for (int k = 0; k < 8; k++) s += x[i / 8 * 8 + k]; y[i] = s; }\n}\n";

INSTANTIATE_TEST_SUITE_P(
    Reductions, DeviceFunctions,
    testing::Values(
        Sketch{"ReduceAdd", "  int v = x[?sw_xform(t, 32)]; int s = __reduce_add_sync(~0u, x[t]); y[t] = s + v;",
               "void f(const int* x, int* y, int n) { int s = 0; for (int i = 0; i < n; i++) s += x[i];"
               " for (int i = 0; i < n; i++) y[i] = s + x[(i + 3) % 32]; }\n",
               kRuns},
        Sketch{
            "ReduceMinOfHalves",
            "  int v = __reduce_min_sync(t < 16 ? 0xffffu : 0xffff0000u, x[t]); y[t] = __shfl_sync(~0u, v, ?sw_xform(t, 32));",
            "void f(const int* x, int* y, int n) { int m[2] = {x[0], x[16]};"
            " for (int i = 0; i < n; i++) if (x[i] < m[i / 16]) m[i / 16] = x[i];"
            " for (int i = 0; i < n; i++) y[i] = m[1 - i / 16]; }\n",
            kRuns},
        Sketch{"ReduceOfBits", R"(
__global__ void f(const unsigned* x, unsigned* y, int n) { int t = threadIdx.x; unsigned v = x[t];
  y[t] = __reduce_xor_sync(~0u, v); y[32 + t] = __reduce_or_sync(~0u, v); y[64 + t] = __reduce_max_sync(~0u, v);
  y[96 + t] = v + __shfl_sync(~0u, v, ?sw_xform(t, 32)); }
)",
               R"(
void f(const unsigned* x, unsigned* y, int n) { unsigned a = 0, b = 0, c = 0;
  for (int i = 0; i < n; i++) { a ^= x[i]; b |= x[i]; c = x[i] > c ? x[i] : c; }
  for (int i = 0; i < n; i++) { y[i] = a; y[32 + i] = b; y[64 + i] = c; y[96 + i] = x[i] + x[(i + 3) % 32]; } }
)",
               kRuns},
        Sketch{"DotProducts", R"(
__global__ void f(const int* x, const int* w, int* y, int n) { int t = threadIdx.x, s = 0, mine = x[t];
  for (int k = 0; k < 3; k++) s = __dp4a(__shfl_sync(~0u, mine, ?sw_xform(t, 32, k)), w[k], s);
  y[t] = __dp2a_lo(mine, w[0], s) + __dp4a(0x01020304, 0x01010101, 0); }
)",
               R"(
void f(const int* x, const int* w, int* y, int n) {
  for (int i = 0; i < n; i++) { int s = 10 + __dp2a_lo(x[i], w[0], 0);
    for (int k = 2; k >= 0; k--) s += __dp4a(x[(i + k) % 32], w[k], 0);
    y[i] = s; } }
)",
               kRuns},
        Sketch{"DotProductsOfBytes", R"(
__global__ void f(const int* x, const int* w, int* y, int n) { int t = threadIdx.x, v = __dp4a(x[t], w[t], 0);
  for (int d = 1; d < 32; d *= 2) v += __shfl_sync(~0u, v, ?sw_xform(t, 32, d));
  y[t] = __dp2a_hi(x[t], w[0], v); }
)",
               R"(
void f(const int* x, const int* w, int* y, int n) {
  const signed char *a = reinterpret_cast<const signed char*>(x), *b = reinterpret_cast<const signed char*>(w);
  const short* h = reinterpret_cast<const short*>(x);
  for (int i = 0; i < n; i++) { int s = 0; for (int k = 0; k < 128; k++) s += a[k] * b[k];
    y[i] = s + h[2 * i] * b[2] + h[2 * i + 1] * b[3]; } }
)",
               kRuns},
        Sketch{"UpperHalvesOfProducts", R"(
__global__ void f(const unsigned* x, const int* w, unsigned* y, int n) { int t = threadIdx.x; unsigned s = 0;
  for (int k = 0; k < 3; k++) s += __umulhi(__shfl_sync(~0u, x[t], ?sw_xform(t, 32, k)), 0x9e3779b9u);
  y[t] = s ^ __mulhi(w[t], w[0]); }
)",
               R"(
void f(const unsigned* x, const int* w, unsigned* y, int n) {
  for (int i = 0; i < n; i++) { unsigned s = 0;
    for (int k = 0; k < 3; k++) s += (unsigned long long)x[(i + k) % 32] * 0x9e3779b9u >> 32;
    y[i] = s ^ (int)((long long)w[i] * w[0] >> 32); } }
)",
               kRuns},
        Sketch{"OpaqueFunctions", R"(
__global__ void f(const float* x, float* y, int n) { int t = threadIdx.x; float v = __ldcg(&x[?sw_xform(t, 32)]);
  y[t] = __expf(v) + __saturatef(v) + __fdividef(v, 3.0f) + __mul24(t, 3); }
)",
               R"(
void f(const float* x, float* y, int n) {
  for (int i = 0; i < n; i++) { float v = x[(i + 3) % 32]; y[i] = 3 * i + __saturatef(v) + __expf(v) + __fdividef(v, 3.0f); } }
)"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Groups, DeviceFunctions,
    testing::Values(
        Sketch{"ShufflesOfATile", groups(R"(
  auto tile = cg::tiled_partition<8>(block); int t = block.thread_rank(), v = x[t], s = v;
  for (int d = tile.size() / 2; d > 0; d /= 2) s += tile.shfl_xor(s, d);
  y[t] = tile.shfl(s, ?sw_xform(tile.thread_rank(), 8));
)"),
               kSumOf8, kRuns},
        Sketch{"Reduce", groups(R"(
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block); int t = threadIdx.x;
  int r[2] = {cg::reduce(tile, x[t], cg::plus<int>()), cg::reduce(tile, x[t], cg::greater<int>())};
  y[t] = r[?sw_part(2, t)];
)"),
               kSumOf8, kRuns},
        Sketch{"AFunctionOfATile",
               groups("  auto warp = cg::tiled_partition<32>(block); int t = threadIdx.x;\n"
                      "  y[t] = sum(warp, x[t]) + x[?sw_xform(t, 32)]; block.sync();",
                      R"(template <typename Group> __device__ int sum(const Group& g, int v) {
  for (int offset = g.size() / 2; offset > 0; offset /= 2) v += g.shfl_down(v, offset);
  return g.shfl(v, 0); })"),
               "void f(const int* x, int* y, int n) { int s = 0; for (int i = 0; i < n; i++) s += x[i];"
               " for (int i = 0; i < n; i++) y[i] = s + x[(i + 3) % 32]; }\n",
               kRuns},
        // Only the first of four tiles meets.
        Sketch{
            "ATileByItself", groups(R"(
  auto tile = cg::tiled_partition<8>(block); int t = threadIdx.x, s = 0;
  if (tile.meta_group_rank() == 0) { s = tile.shfl(x[t], ?sw_xform(t, 8)); tile.sync(); }
  y[t] = s + (tile.any(t == 3) ? 1 : 0) + (int)tile.ballot(t & 1);
)"),
            "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = (i < 8 ? x[(i + 3) % 8] + 1 : 0) + 0xaa; }\n",
            kRuns},
        Sketch{"Scan", groups(R"(
  auto tile = cg::tiled_partition<4>(block); int t = threadIdx.x;
  y[t] = cg::inclusive_scan(tile, x[t]) - cg::exclusive_scan(tile, x[t]) + x[?sw_xform(t, 32)];
)"),
               "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + x[(i + 3) % 32]; }\n",
               kRuns}),
    [](const auto& info) { return std::string(info.param.name); });

// A tile of 32 x 4 words: stored by rows, read by a hole's choice.
std::string copies(const std::string& copy, const std::string& before = "#include <cuda_pipeline.h>") {
  return before + R"(
#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 32
#pragma swizzle extent x(128)
__global__ void f(const float* x, float* y, int n) {
  __shared__ float tile[128];
  int t = threadIdx.x;
  )" + copy +
         R"(
  __syncthreads();
  for (int k = 0; k < 4; k++) y[32 * k + t] = tile[32 * k + ?sw_xform(t, 32)];
}
)";
}

constexpr const char* kTurned =
    "void f(const float* x, float* y, int n) {\n"
    "  for (int k = 0; k < 4; k++) for (int i = 0; i < n; i++) y[32 * k + i] = x[32 * k + (i + 3) % 32];\n}\n";

constexpr const char* kPtx = R"(
__device__ __forceinline__ void cp_async16(void* to, const void* from, bool happens = true) {
  const int BYTES = 16;
  unsigned smem = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("{\n .reg .pred p;\n setp.ne.b32 p, %0, 0;\n @p cp.async.cg.shared.global.L2::128B [%1], [%2], %3;\n}\n"
               ::"r"((int)happens), "r"(smem), "l"(from), "n"(BYTES) : "memory");
}
__device__ __forceinline__ void cp_async_fence() { asm volatile("cp.async.commit_group;\n" ::); }
template <int n> __device__ __forceinline__ void cp_async_wait() { asm volatile("cp.async.wait_group %0;\n" ::"n"(n)); }
)";

INSTANTIATE_TEST_SUITE_P(
    Copies, DeviceFunctions,
    testing::Values(
        Sketch{"Words", copies(R"(
  for (int k = 0; k < 4; k++) __pipeline_memcpy_async(&tile[32 * k + t], &x[32 * k + t], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);)"),
               kTurned, kRuns},
        Sketch{"SixteenBytes", copies(R"(
  __pipeline_memcpy_async(&tile[4 * t], &x[4 * t], 16);
  __pipeline_commit(); __pipeline_wait_prior(0);)"),
               kTurned, kRuns},
        Sketch{"Groups", copies(R"(
  for (int k = 0; k < 4; k++) { __pipeline_memcpy_async(&tile[32 * k + t], x + 32 * k + t, 4); __pipeline_commit(); }
  __pipeline_wait_prior(1); float second = tile[32 + t]; __pipeline_wait_prior(0); tile[32 + t] = second;)"),
               kTurned, kRuns},
        Sketch{
            "Zeros", copies(R"(
  for (int k = 0; k < 4; k++) __pipeline_memcpy_async(&tile[32 * k + t], &x[32 * k + t], 4, k == 3 ? 4 : 0);
  __pipeline_commit(); __pipeline_wait_prior(0);)"),
            "void f(const float* x, float* y, int n) {\n"
            "  for (int k = 0; k < 4; k++) for (int i = 0; i < n; i++) y[32 * k + i] = k == 3 ? 0 : x[32 * k + (i + 3) % 32];\n}\n",
            kRuns},
        Sketch{"InlinePtx",
               copies("cp_async16(&tile[4 * t], &x[4 * t], t < 40); cp_async_fence(); cp_async_wait<0>();", kPtx),
               kTurned, kRuns},
        Sketch{"InlinePtxInPlace",
               copies(R"(
  unsigned to = __cvta_generic_to_shared(&tile[2 * t]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(x + 2 * t), "r"(8));
  asm volatile("cp.async.ca.shared.global [%0 + 256], [%1 + 256], 8;\n cp.async.wait_all;" ::"r"(to), "l"(&x[2 * t]));)",
                      ""),
               kTurned, kRuns},
        Sketch{"ThreadPipeline",
               copies(R"(
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  for (int k = 0; k < 2; k++) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[64 * k + 2 * t], &x[64 * k + 2 * t], cuda::aligned_size_t<8>(8), pipe);
    pipe.producer_commit();
  }
  pipe.consumer_wait(); pipe.consumer_release();
  cuda::pipeline_consumer_wait_prior<0>(pipe);)",
                      "#include <cuda/pipeline>"),
               kTurned, kRuns},
        Sketch{"OfAGroup",
               copies(R"(
  auto block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(block, tile, x, sizeof(float) * 128);
  cooperative_groups::wait(block);)",
                      "#include <cooperative_groups.h>\n#include <cooperative_groups/memcpy_async.h>"),
               kTurned, kRuns},
        Sketch{"LayoutOfWhatIsCopied", R"(
#include <cuda_pipeline.h>
#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 32
__global__ void f(const float* x, float* y, int n) {
  auto L = ?sw_layout(32, 32);
  __shared__ float tile[32 * 32];
  const int t = threadIdx.x;
  for (int r = 0; r < 32; r++) __pipeline_memcpy_async(&tile[L(r, t)], &x[32 * r + t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  for (int r = 0; r < 32; r++) y[32 * r + t] = tile[L(t, r)];
}
)",
               "void f(const float* x, float* y, int n) {\n"
               "  for (int r = 0; r < n; r++) for (int c = 0; c < n; c++) y[32 * r + c] = x[32 * c + r];\n}\n",
               kRuns}),
    [](const auto& info) { return std::string(info.param.name); });

// Where two copies are under way to one place, or something is stored there meanwhile, nobody knows what comes last.
TEST(CopiesUnderWay, MustNotMeet) {
  const auto pipelined = [](const std::string& behind) {
    const Sketch sketch{"", R"(
#include <cuda_pipeline.h>
#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 64
#pragma swizzle extent x(64)
__global__ void f(const float* x, float* y, int n) {
  __shared__ float stage[2][32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&stage[0][t], &x[t], 4);
  __pipeline_commit();
)" + behind + "\n  y[t] = stage[0][t];\n}\n",
                        "void f(const float* x, float* y, int n) { for (int t = 0; t < 32; t++) y[t] = x[t]; }\n"};
    return run_sketch(sketch);
  };
  const std::string second =
      "__pipeline_memcpy_async(&stage[?sw_const(0, 2)][t], &x[t + 32], 4); __pipeline_commit(); ";
  const ToolResult other = pipelined(second + "__pipeline_wait_prior(1);");
  EXPECT_EQ(other.exit_code, 0) << other.output;
  EXPECT_NE(other.kernel.find("stage[1][t]"), std::string::npos) << other.kernel;
  for (const char* met :
       {"__pipeline_memcpy_async(&stage[0][t], &x[t + 32], 4); __pipeline_commit(); __pipeline_wait_prior(1);",
        "__pipeline_memcpy_async(&stage[0][t], &x[t], 4); __pipeline_commit(); __pipeline_wait_prior(0);",
        "stage[0][t] = 5; __pipeline_wait_prior(0);"})
    EXPECT_NE(pipelined(met).exit_code, 0) << met;
  const ToolResult read =
      pipelined("stage[0][t] = 5; y[t] = stage[0][t]; __pipeline_wait_prior(0); stage[0][t] = x[t];");
  EXPECT_NE(read.output.find("sketch.cu:9:3: error: something else is stored to 'stage[0]' while this copy"),
            std::string::npos)
      << read.output;
}

// A copy costs what the load and the store cost that it stands for.
TEST(CopiesCost, WhatALoadAndAStoreCost) {
  const auto cost = [](const std::string& copy) {
    const ToolResult r = run_sketch(Sketch{"", copies(copy), kTurned});
    EXPECT_EQ(r.exit_code, 0) << r.output;
    return r.report["cost"];
  };
  const std::string wait = " __pipeline_commit(); __pipeline_wait_prior(0);";
  EXPECT_EQ(cost("for (int k = 0; k < 4; k++) tile[32 * k + t] = x[32 * k + t];"),
            cost("for (int k = 0; k < 4; k++) __pipeline_memcpy_async(&tile[32 * k + t], &x[32 * k + t], 4);" + wait));
  EXPECT_EQ(cost("*reinterpret_cast<float4*>(&tile[4 * t]) = *reinterpret_cast<const float4*>(&x[4 * t]);"),
            cost("__pipeline_memcpy_async(&tile[4 * t], &x[4 * t], 16);" + wait));
}

struct Wrong {
  const char* name;
  int exit_code;
  std::string message, text;
};
class WrongCopies : public testing::TestWithParam<Wrong> {};

TEST_P(WrongCopies, AreTold) {
  const ToolResult r = run_sketch(Sketch{"", GetParam().text, kTurned});
  EXPECT_EQ(r.exit_code, GetParam().exit_code) << r.output;
  EXPECT_NE(r.output.find(GetParam().message), std::string::npos) << r.output;
}

INSTANTIATE_TEST_SUITE_P(
    Each, WrongCopies,
    testing::Values(
        Wrong{"NoWait", 10, "which no choice of the holes brings there",
              copies("__pipeline_memcpy_async(&tile[4 * t], &x[4 * t], 16); __pipeline_commit();")},
        Wrong{"NoCommit", 10, "which no choice of the holes brings there",
              copies("__pipeline_memcpy_async(&tile[4 * t], &x[4 * t], 16); __pipeline_wait_prior(0);")},
        Wrong{
            "OneGroupTooMany", 10, "which no choice of the holes brings there",
            copies(
                "for (int k = 0; k < 4; k++) { __pipeline_memcpy_async(&tile[32 * k + t], &x[32 * k + t], 4); __pipeline_commit(); }"
                " __pipeline_wait_prior(1);")},
        Wrong{
            "WaitBehindTheBarrier", 1, "a race",
            copies(
                "__pipeline_memcpy_async(&tile[4 * t], &x[4 * t], 16); __pipeline_commit(); __syncthreads(); __pipeline_wait_prior(0);"
                " float v = tile[127 - t]; y[t] = v;")},
        Wrong{"ThreeBytes", 1, "4, 8 or 16 bytes, and this one 12",
              copies("__pipeline_memcpy_async(&tile[4 * t], &x[4 * t], 12);")},
        Wrong{"NotAligned", 1, "must be aligned",
              copies("if (t < 31) __pipeline_memcpy_async(&tile[4 * t + 2], &x[4 * t], 16);")},
        Wrong{"ToARegister", 1, "no address in shared memory",
              copies("float r[4]; __pipeline_memcpy_async(r, &x[4 * t], 16);")},
        Wrong{"OtherPtx", 1, "this inline PTX (only cp.async",
              copies("asm volatile(\"cp.async.bulk.commit_group;\");")},
        Wrong{"BlockPipeline", 1, "a call of 'make_pipeline' is not supported",
              copies(R"(
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);)",
                     "#include <cuda/pipeline>")},
        Wrong{"RunTimeTile", 1, "a call of 'tiled_partition' is not supported",
              copies("auto g = cooperative_groups::tiled_partition(cooperative_groups::this_thread_block(), n);",
                     "#include <cooperative_groups.h>")},
        Wrong{"GridSync", 1, "a call of 'sync' is not supported",
              copies("cooperative_groups::this_grid().sync();", "#include <cooperative_groups.h>")},
        Wrong{"Atomic", 1, "a call of 'atomicExch' is not supported", copies("atomicExch(&y[0], 1.0f);")}),
    [](const auto& info) { return std::string(info.param.name); });

// Of a macro that has nothing but it, too.
TEST(DeviceFunctions, HolesStandInArgumentsOfMacros) {
  expect_verified({"", "#define ID(a) a\n#define ALL(...) __VA_ARGS__\n  y[t] = x[ID(?sw_xform(t, 32))] + ALL(0);",
                   kRotated, kRuns});
}

// threadIdx as a whole: copied, handed over, in parts.
// Whatever else an operator of accumulators is called.
TEST(DeviceFunctions, MayBeCalledAsTheyLike) {
  for (const char* name : {"plus", "times", "identity", "bit_and", "bit_or", "bit_xor", "eval", "accumulate", "load"}) {
    SCOPED_TRACE(name);
    expect_verified({"", fmt::format("__device__ int {0}(int a, int b) {{ return a + b; }}\n"
                                     "__global__ void f(const int* x, int* y, int n) {{\n  int t = threadIdx.x;\n"
                                     "  y[t] = {0}(__shfl_sync(~0u, x[t], ?sw_xform(t, 32)), 0);\n}}\n",
                                     name)});
  }
}

TEST(DeviceFunctions, ThreeNumbersAtOnce) {
  for (const char* body : {"const uint3 at = threadIdx; y[at.x] = x[?sw_xform(at.x, 32)];",
                           "auto [a, b, c] = threadIdx; y[a] = x[?sw_xform(a, 32)];",
                           "const int i = flat(threadIdx, blockDim); y[i] = x[?sw_xform(i, 32)];"})
    expect_verified(
        {"",
         std::string("__device__ int flat(uint3 at, const dim3& of) { return at.x + of.x * (at.y + of.y * at.z); }\n"
                     "__global__ void f(const int* x, int* y, int n) { ") +
             body + " }\n",
         kRotated, kRuns});
}

}  // namespace
}  // namespace swizzle::test::device_functions_test
