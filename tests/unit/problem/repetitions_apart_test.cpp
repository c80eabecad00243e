// What parts groups of threads, or ties them together, though much of what they do is alike: executed by groups that
// stand for others it must be what it is where each is executed, or be left to that.
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "tests/unit/problem/repeated_runs.h"

namespace swizzle::repetitions_apart_test {
namespace {

struct Apart {
  const char* what;
  const char* body;
  LaunchShape shape = {{8, 1, 1}, {64, 1, 1}};
  std::int64_t n = 512;
  std::optional<std::int64_t> extent = {};
};

const std::vector<Apart> kKernels = {
    {"a block takes another way", "if (blockIdx.x == 3) y[i] = x[i] + 1; else y[i] = x[i];"},
    {"blocks take turns", "y[i] = blockIdx.x % 2 == 0 ? x[i] : x[i ^ 1];"},
    {"a warp takes another way", "if (threadIdx.x / 32 == 1) y[i] = x[i] * w[1]; else y[i] = x[i] + w[0];"},
    {"the last element alone", "y[i] = i == n - 1 ? 0 : x[i + 1];"},
    {"a ragged end", "if (i < n - 37) y[i] = x[i];"},
    {"clamps", "int k = i + 5 < n ? i + 5 : n - 1; y[i] = x[k] + x[i - 3 > 0 ? i - 3 : 0] + x[min(i + 1, n - 1)];"},
    {"indices wrap around", "y[i] = x[(i + 3) % n] + w[i % 7];"},
    {"a power of two wraps around", "y[i] = x[i & 127];"},
    {"a negative remainder", "y[i] = x[(i - 200) % 64 + 64];"},
    {"a quotient", "y[i] = x[i / 3] + w[blockIdx.x / 2];"},
    {"blocks in reverse", "y[(gridDim.x - 1 - blockIdx.x) * 64 + threadIdx.x] = x[n - 1 - i];"},
    {"a square of a block's number", "y[i] = x[blockIdx.x * blockIdx.x + threadIdx.x];"},
    {"a parameter grows", "x += 64 * blockIdx.x; y += 64 * blockIdx.x; y[threadIdx.x] = x[threadIdx.x];"},
    {"a number changes", "n -= 1; n -= blockIdx.x; y[i] = n > 508 ? x[i] : x[i + 1];"},
    {"a parameter grows by warps", "y += threadIdx.x & ~31; n = threadIdx.x & 31; y[n + blockIdx.x * 64] = x[n];"},
    {"strides of the grid",
     "for (int j = i; j < n; j += gridDim.x * blockDim.x) y[j] = x[j] + w[0];",
     {{2, 1, 1}, {64, 1, 1}}},
    {"strides of the grid end early", "for (int j = i; j < n; j += 256) y[j] = x[j];", {{4, 1, 1}, {64, 1, 1}}, 700},
    {"as many steps as blocks", "int s = 0; for (int k = 0; k <= blockIdx.x; k++) s += x[i + k]; y[i] = s;"},
    {"a switch on the block", "switch (blockIdx.x) { case 2: y[i] = x[i]; break; default: y[i] = w[0]; }"},
    {"a loop on the block", "int b = blockIdx.x; while (b) b >>= 1; y[i] = x[i + b];"},
    {"not the first block", "if (!blockIdx.x) y[i] = x[i]; else y[i] = x[i - 1];"},
    {"data are scaled by the block", "y[i] = x[i] * (int)blockIdx.x;"},
    {"data are shifted by the warp", "y[i] = x[i] << (threadIdx.x / 32);"},
    {"an index is stored", "y[i] = i;"},
    {"a block's number is a part", "y[i] = x[i] + (blockIdx.x > 2);"},
    {"a byte of an index", "y[i] = x[(unsigned char)(i * 5)];"},
    {"signs", "y[i] = x[i] + w[abs((int)blockIdx.x - 4)];"},
    {"bits of an index", "y[i] = x[i ^ (blockIdx.x << 6)] + w[__popc(blockIdx.x)];"},
    {"outside in the last block", "y[i] = x[i + 1];", {{8, 1, 1}, {64, 1, 1}}, 512, 512},
    {"outside in the last warp", "y[i] = x[i + (threadIdx.x > 62)];", {{8, 1, 1}, {64, 1, 1}}, 512, 512},
    {"outside in the first block", "y[i] = x[i - 1];"},
    {"outside in a block between", "y[i] = x[blockIdx.x == 5 ? 600 : i];", {{8, 1, 1}, {64, 1, 1}}, 512, 512},
    {"outside of an array by blocks", "int a[4] = {1, 2, 3, 4}; y[i] = x[i] + a[blockIdx.x];"},
    {"outside of a row by blocks",
     "auto rows = reinterpret_cast<const int(*)[6]>(x); y[i] = rows[threadIdx.x][blockIdx.x];"},
    {"all blocks store to one place", "y[threadIdx.x] = x[threadIdx.x];"},
    {"all blocks store different values", "y[threadIdx.x] = x[i];"},
    {"two blocks store to one place", "y[i] = x[i]; if (i == 70) y[200] = x[70];"},
    {"two warps store to one place", "y[blockIdx.x * 64 + threadIdx.x % 32] = x[i];"},
    {"a lane stores twice", "y[i] = x[i]; y[i] = x[i] + 1;"},
    {"two lanes store to one place", "y[i & ~1] = x[i & ~1];"},
    {"a block reads what another writes", "if (blockIdx.x == 1) y[i] = y[0]; else y[i] = x[i];"},
    {"a block reads what another has read", "if (blockIdx.x == 7) y[0] = x[0]; else y[64 + i] = y[0];"},
    {"in place", "int v = y[i]; y[i] = v + 1;"},
    {"in place, shuffled", "int v = y[i]; y[i] = __shfl_xor_sync(~0u, v, 1);"},
    {"each reads its neighbour in place", "y[i] = y[i ^ 1];"},
    {"warps meet in shared memory",
     "__shared__ int s[64]; s[threadIdx.x] = x[i]; __syncthreads(); y[i] = s[threadIdx.x ^ 32];"},
    {"no barrier between warps", "__shared__ int s[64]; s[threadIdx.x] = x[i]; y[i] = s[threadIdx.x ^ 32];"},
    {"no barrier in one block",
     "__shared__ int s[64]; s[threadIdx.x] = x[i]; if (blockIdx.x != 4) __syncthreads(); y[i] = s[threadIdx.x ^ 32];"},
    {"a warp misses the barrier", "if (threadIdx.x < 32) __syncthreads(); y[i] = x[i];"},
    {"a warp misses the second barrier",
     "__shared__ int s[64]; s[threadIdx.x] = x[i]; __syncthreads(); if (threadIdx.x > 31) __syncthreads(); y[i] = s[0];"},
    {"shared memory by blocks",
     "__shared__ int s[64]; s[(threadIdx.x + blockIdx.x) % 64] = x[i]; __syncthreads(); y[i] = s[threadIdx.x];"},
    {"a part of shared memory is undefined",
     "__shared__ int s[64]; if (threadIdx.x < 60 || blockIdx.x < 7) s[threadIdx.x] = x[i]; __syncthreads(); y[i] = s[threadIdx.x];"},
    {"undefined in one warp", "int v; if (threadIdx.x < 32 || blockIdx.x != 2) v = x[i]; y[i] = v;"},
    {"an undefined condition in one block", "int v; if (blockIdx.x != 2) v = 1; y[i] = v ? x[i] : 0;"},
    {"an undefined index in one warp", "int v; if (threadIdx.x < 32) v = i; y[i] = x[v];"},
    {"data decide in one block", "if (blockIdx.x == 6 && x[i] > 0) y[i] = 1; else y[i] = 0;"},
    {"data decide an address in one block", "y[i] = w[blockIdx.x == 6 ? x[i] : 0];"},
    {"data decide a value", "y[i] = x[i] > x[i + 1] ? x[i] : x[i + 1];"},
    {"division by zero in one block", "y[i] = x[i / (blockIdx.x - 3)];"},
    {"a warp's lanes leave", "if (i >= n - 40) return; y[i] = x[i] + w[0];"},
    {"a block leaves", "if (blockIdx.x == 7) return; y[i] = x[i];"},
    {"a shuffle without all", "if (i >= n - 40) return; y[i] = __shfl_sync(~0u, x[i], 3);"},
    {"a warp has no data", "int v = i < n - 40 ? x[i] : 0; v += v; v *= 3; y[i] = v + w[0];"},
    {"a shuffle's lane by warps", "y[i] = __shfl_sync(~0u, x[i], threadIdx.x / 32);"},
    {"a shuffle's lane by blocks", "y[i] = __shfl_sync(~0u, x[i], (blockIdx.x + threadIdx.x) & 31);"},
    {"a vote", "y[i] = __any_sync(~0u, i > n - 3) ? x[i] : w[0];"},
    {"a ballot of indices", "y[i] = x[i + __popc(__ballot_sync(~0u, i < 40))];"},
    {"a pointer to registers or to a buffer",
     "int a[1] = {3}; const int* p = threadIdx.x < 32 ? a : x + i; y[i] = *p;"},
    {"pointers to different buffers", "const int* p = blockIdx.x < 4 ? x : w; y[i] = p[i];"},
    {"a buffer is read here and there", "y[i] = x[i] + x[0];"},
    {"rows of a block",
     "int r = threadIdx.y, c = threadIdx.x; y[(blockIdx.y * 8 + r) * 64 + blockIdx.x * 16 + c] = x[r * 16 + c];",
     {{4, 2, 1}, {16, 8, 1}}},
    {"rows of odd lengths",
     "int r = threadIdx.y; y[(blockIdx.x * 6 + r) * 12 + threadIdx.x] = x[r];",
     {{4, 1, 1}, {12, 6, 1}}},
    {"three axes",
     "int j = (blockIdx.z * 3 + blockIdx.y) * 5 + blockIdx.x; y[j * 64 + threadIdx.x] = x[j * 64 + 63 - threadIdx.x];",
     {{5, 3, 2}, {64, 1, 1}}},
    {"depths of a block",
     "int j = (threadIdx.z * 4 + threadIdx.y) * 32 + threadIdx.x; y[blockIdx.x * 256 + j] = x[j];",
     {{6, 1, 1}, {32, 4, 2}}},
    {"half a warp", "y[i] = x[i];", {{9, 1, 1}, {16, 1, 1}}},
    {"a warp and a half", "y[i] = __shfl_up_sync(__activemask(), x[i], 1);", {{9, 1, 1}, {48, 1, 1}}},
};

TEST(RepetitionsApart, OfKernelsAreWhatEachGroupDoes) {
  int repeated = 0, failed = 0;
  for (const Apart& kernel : kKernels) {
    SCOPED_TRACE(kernel.what);
    const auto program =
        test::parsed_body(std::string("int i = blockIdx.x * blockDim.x + threadIdx.x; (void)i;\n") + kernel.body, true);
    ASSERT_TRUE(program.ok()) << render(program.errors()[0]);
    test::RepeatedRuns runs(*program, kernel.n, kernel.shape, kernel.extent);
    runs.expect_equal();
    test::RepeatedRuns(*program, kernel.n, kernel.shape, kernel.extent, false).expect_equal();
    repeated += runs.groups() != 0;
    failed += !runs.error().empty();
  }
  EXPECT_GE(repeated, 15);
  EXPECT_GE(failed, 15);
}

TEST(RepetitionsApart, OfSketchesAreWhatEachGroupDoes) {
  for (
      const std::string body :
      {"y[i] = __shfl_sync(~0u, x[i], ?sw_xform(lane, 32, warp));",
       "y[i] = __shfl_sync(~0u, x[i], ?sw_xform(lane, 32, blockIdx.x));",
       "int v = 0; for (int k = 0; k < 3; k++) v += __shfl_sync(~0u, x[i], ?sw_xform(lane, 32, k)); y[i] = v;",
       "int v = x[i], u = x[i + 1]; y[i] = ?sw_cond(lane, warp) ? v : u;",
       "y[i] = x[?sw_xform(threadIdx.x, 64) + blockIdx.x * 64];",
       "y[?sw_xform(threadIdx.x, 64) + blockIdx.x * 64] = x[i];", "if (?sw_cond(lane)) y[i] = x[i];",
       "int v = i < n - 40 ? x[i] : 0; if (?sw_cond(lane)) v += w[0]; y[i] = v;",
       "int v; if (?sw_cond(lane) || i > 64) v = x[i]; y[i] = v;", "y[i] = x[i + 32 * ?sw_part(3, lane)];",
       "y[i] = x[i + 400 * ?sw_part(2, lane)];",
       "__shared__ int s[64]; s[threadIdx.x] = x[i]; __syncthreads(); y[i] = s[?sw_xform(threadIdx.x, 64)];",
       "__shared__ int s[64]; s[threadIdx.x] = x[i]; if (blockIdx.x < 4) __syncwarp(); y[i] = s[?sw_xform(threadIdx.x, 64)];",
       "__shared__ int s[64]; s[?sw_xform(threadIdx.x, 64)] = x[i]; __syncthreads(); y[i] = s[threadIdx.x ^ 33];",
       "if (blockIdx.x == 2) y[i] = __shfl_sync(~0u, x[i], ?sw_xform(lane, 32)); else y[i] = __shfl_sync(~0u, x[i], ?sw_xform(lane, 32, warp));"}) {
    SCOPED_TRACE(body);
    const auto program = test::parsed_body(
        "int i = blockIdx.x * 64 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32; (void)lane; (void)warp;\n" +
            body,
        true);
    ASSERT_TRUE(program.ok()) << render(program.errors()[0]);
    for (const std::int64_t extent : {512 + 64, 512})
      test::RepeatedRuns(*program, 512, LaunchShape{{8, 1, 1}, {64, 1, 1}}, extent).expect_equal();
  }
}

TEST(RepetitionsApart, OfSpecsAreWhatEachIterationDoes) {
  for (
      const std::string body :
      {"for (int i = 0; i < n; i++) y[n - 1 - i] = x[i];",
       "for (int i = 0; i < n; i++) y[i] = x[i * i];",
       "for (int i = 0; i < n; ++i) y[i] = y[i + 1];",
       "for (int i = 0; i < n; ++i) if (i == 7) y[0] = x[i]; else y[i] = y[0];",
       "for (int i = 0; i <= n - 3; i += 2) { y[i] = x[i + 1]; y[i + 1] = x[i]; }",
       "for (unsigned i = 0; i < n; i++) y[i] = x[i] + w[i % 4];",
       "for (long i = n; i > 0; i -= 3) y[i] = x[i - 1];",
       "for (unsigned i = 3; i >= 0; i--) y[i] = x[i];",
       "for (unsigned char i = 0; i < 300; i++) y[i] = x[i];",
       "for (signed char i = 0; i < 127; i++) y[i] = x[i];",
       "for (int i = 0; (unsigned char)i < 255; i++) y[i] = x[i];",
       "for (int i = 0; i < n--; i++) y[i] = x[i];",
       "for (int i = 0; i < n; i++) { y[i] = x[i]; n -= i == 3; }",
       "for (int i = 0; i < n; i++) { y[i] = x[i]; i += i == 3; }",
       "for (int i = 0; i < n; i++) { x += 1; y[i] = x[0]; }",
       "for (int i = 0; i < n; i++) y[i] = x[i] > 0 ? x[i] : w[0];",
       "for (int i = 0; i < n; i++) y[i % 5] = x[i % 5];",
       "int t[3] = {}; for (int i = 0; i < n; i++) { t[i % 3] = x[i]; y[i] = t[0]; }",
       "for (int i = 0; i < n; i++) { int t; if (i == 0) t = x[0]; y[i] = t; }",
       "for (int i = 0; i < n; i++) { if (x[i] > 0) break; y[i] = 1; }",
       "for (int i = 0; i < n; i++) { if (i > 9) return; y[i] = x[i]; }",
       "for (int i = 0; i < n; i++) for (int j = i; j < n; j++) y[i * n + j] = x[j] * x[i];",
       "for (int i = 0; i < n; i++) for (int j = 0; j < (i < 4 ? 2 : 3); j++) y[3 * i + j] = x[j];",
       "for (int i = 0; i < 4; i++) for (int j = n; j > 0; j--) for (int k = 0; k < 3; k++) y[(i * n + j) * 3 + k] = x[i * n + j] + w[k];"}) {
    SCOPED_TRACE(body);
    const auto program = test::parsed_body(body, false);
    ASSERT_TRUE(program.ok()) << render(program.errors()[0]);
    for (const std::int64_t n : {24, 5}) test::RepeatedRuns(*program, n).expect_equal();
  }
}

// Random kernels of all that indices may go through.
class KernelMaker {
 public:
  explicit KernelMaker(unsigned seed) : random_(seed) {}

  std::string body() {
    std::string text = "int t = threadIdx.x, b = blockIdx.x, i = b * blockDim.x + t, lane = t % 32, v = x[i], u = 1;\n";
    if (number(0, 3) == 0) text += pick({"x += 32 * b;\n", "n -= b;\n", "y += 3;\n", "x += t / 32;\n"});
    const bool shares = number(0, 2) == 0;
    if (shares) text += "__shared__ int s[256];\ns[" + pick({"t", "t ^ 32", "(t + b) % 64", "t * 2"}) + "] = v;\n";
    if (shares && number(0, 4) != 0) text += "__syncthreads();\n";
    if (shares) text += "v += s[" + pick({"t", "t ^ 1", "t ^ 32", "63 - t"}) + "];\n";
    for (int k = number(1, 3); k > 0; --k) text += statement();
    return text + "y[" + pick({"i", "i", "i", "i ^ 1", "n + 64 - i", "b * 64 + 63 - t", index(1)}) + "] = v + u;\n";
  }
  LaunchShape shape() { return {{number(2, 9), 1, 1}, {32 * number(1, 3), 1, 1}}; }
  int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

 private:
  std::string pick(const std::vector<std::string>& all) {
    return all[static_cast<std::size_t>(number(0, static_cast<int>(all.size()) - 1))];
  }
  std::string index(int depth) {
    if (depth == 0) return pick({"i", "i", "t", "b", "lane", "n", "t / 32", std::to_string(number(0, 70))});
    const std::string a = index(depth - 1), c = std::to_string(number(1, 9)), p = std::to_string(1 << number(0, 6));
    switch (number(0, 9)) {
      case 0: return "(" + a + " + " + index(depth - 1) + ")";
      case 1: return "(" + a + " - " + c + ")";
      case 2: return "(" + a + " * " + c + ")";
      case 3: return "(" + a + " / " + p + ")";
      case 4: return "(" + a + " % " + pick({p, c}) + ")";
      case 5: return "(" + a + " & (" + p + " - 1))";
      case 6: return "min(" + a + ", " + index(depth - 1) + ")";
      case 7: return "max(" + a + ", " + c + ")";
      case 8: return "(" + condition() + " ? " + a + " : " + c + ")";
      default: return a;
    }
  }
  std::string condition() {
    return index(number(0, 1)) + pick({" < ", " <= ", " == ", " != ", " >= "}) +
           pick({"n", "n - 9", "40", "64", "b", "2"});
  }
  std::string statement() {
    switch (number(0, 7)) {
      case 0: return "v += x[i + " + std::to_string(number(0, 4)) + "];\n";
      case 1: return "v += w[" + index(number(1, 2)) + "];\n";
      case 2: return "v = __shfl_xor_sync(~0u, v, " + pick({"1", "2", "lane", "b & 3"}) + ");\n";
      case 3: return "if (" + condition() + ") v *= 3;\n";
      case 4: return "if (" + condition() + ") u = x[i]; else u = w[0];\n";
      case 5: return "for (int k = 0; k < " + pick({"3", "b", "min(b, 2)"}) + "; k++) v += w[k + lane];\n";
      case 6: return "if (" + condition() + ") return;\n";
      default: return "u += " + index(2) + " < " + index(1) + " ? v : x[i];\n";
    }
  }

  std::mt19937 random_;
};

TEST(RepetitionsApart, OfRandomKernelsAreWhatEachGroupDoes) {
  constexpr unsigned kKernelCount = 400;
  int repeated = 0, failed = 0;
  for (unsigned seed = 0; seed < kKernelCount && !testing::Test::HasFailure(); ++seed) {
    KernelMaker maker(seed);
    const std::string body = maker.body();
    SCOPED_TRACE(body);
    const auto program = test::parsed_body(body, true);
    ASSERT_TRUE(program.ok()) << render(program.errors()[0]);
    const LaunchShape shape = maker.shape();
    const std::int64_t threads = shape.blocks() * shape.threads_per_block();
    const std::int64_t n = threads - maker.number(0, 70), extent = threads + maker.number(0, 1) * 1000;
    test::RepeatedRuns runs(*program, n, shape, extent);
    runs.expect_equal();
    test::RepeatedRuns(*program, n, shape, extent, false).expect_equal();
    repeated += runs.groups() != 0;
    failed += !runs.error().empty();
  }
  EXPECT_GE(repeated, 20);
  EXPECT_GE(failed, 20);
}

}  // namespace
}  // namespace swizzle::repetitions_apart_test
