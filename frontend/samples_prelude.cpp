// What well-known headers of NVIDIA's samples and of CUB declare, where a file includes them and they do not lie beside
// it.
#include <fmt/format.h>

#include "frontend/prelude.h"

namespace swizzle {
namespace {

constexpr const char* kMacrosOfCutil = R"(
#define CUT_BANK_CHECKER(array, index) array[index]
#define CUDA_SAFE_CALL(call) call
#define CUDA_SAFE_CALL_NO_SYNC(call) call
#define CUT_SAFE_CALL(call) call
#define CUFFT_SAFE_CALL(call) call
#define cutilSafeCall(call) call
#define cutilCheckError(call) call
)";

// helper_math.h and cutil_math.h: componentwise arithmetic, of whose results nothing is known.
std::string vector_arithmetic() {
  std::string text;
  for (const char* scalar : {"float", "int", "uint"})
    for (int n = 2; n <= 4; ++n) {
      const std::string v = fmt::format("{}{}", scalar, n);
      for (const char* op : {"+", "-", "*", "/"}) {
        for (const auto& [a, b] : {std::pair(v, v), {v, std::string(scalar)}, {std::string(scalar), v}})
          text += fmt::format("{0} operator{1}({2}, {3});\n", v, op, a, b);
        for (const std::string& b : {v, std::string(scalar)})
          text += fmt::format("void operator{1}=({0}&, {2});\n", v, op, b);
      }
      text += fmt::format(
          "{0} operator-({0}); {0} make_{0}({1}); {1} dot({0}, {0}); {0} clamp({0}, {0}, {0}); "
          "{0} clamp({0}, {1}, {1}); {0} fminf({0}, {0}); {0} fmaxf({0}, {0});\n",
          v, scalar);
    }
  for (const char* v : {"float2", "float3", "float4"})
    text += fmt::format(
        "float length({0}); {0} normalize({0}); {0} lerp({0}, {0}, float); {0} floorf({0}); "
        "{0} fabs({0}); {0} reflect({0}, {0});\n",
        v);
  return text +
         "float3 cross(float3, float3); float3 make_float3(float2, float); float3 make_float3(float4); "
         "float4 make_float4(float3, float); float4 make_float4(float3); float lerp(float, float, float); "
         "float clamp(float, float, float); int clamp(int, int, int); float2 make_float2(float3);\n";
}

constexpr const char* kOperatorsOfCub = R"(namespace cub {
struct Equality { template <class T, class U> constexpr bool operator()(const T& a, const U& b) const { return a == b; } };
struct Inequality { template <class T, class U> constexpr bool operator()(const T& a, const U& b) const { return a != b; } };
struct Sum { template <class T, class U> constexpr auto operator()(const T& a, const U& b) const { return a + b; } };
struct Difference { template <class T, class U> constexpr auto operator()(const T& a, const U& b) const { return a - b; } };
struct Division { template <class T, class U> constexpr auto operator()(const T& a, const U& b) const { return a / b; } };
struct Max { template <class T> constexpr T operator()(const T& a, const T& b) const { return a > b ? a : b; } };
struct Min { template <class T> constexpr T operator()(const T& a, const T& b) const { return a < b ? a : b; } };
}
)";

// Where cuda/std/limits does not lie, its names are those of <limits>.
constexpr const char* kCudaStd = "namespace cuda { namespace std { using namespace ::std; } }\n";

// What goes straight to registers, as its documentation has it, needs no shared memory. All else is given storage
// there, and what it does with that is not followed. Without storage of the user's nothing is declared.
constexpr const char* kCub = R"(#pragma once
namespace cub {
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED };
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
template <class K, class V> struct KeyValuePair { K key; V value; };
template <bool is_direct> struct $storage { struct TempStorage { alignas(16) char bytes[16]; }; };
inline void $use($storage<true>::TempStorage&) {} void $use($storage<false>::TempStorage&);
template <class T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0> struct BlockLoad : $storage<(A <= BLOCK_LOAD_VECTORIZE)> {
  BlockLoad(typename $storage<(A <= BLOCK_LOAD_VECTORIZE)>::TempStorage& s) { $use(s); }
  template <class I> void Load(I, T (&)[N]); template <class I> void Load(I, T (&)[N], int); template <class I, class D> void Load(I, T (&)[N], int, D);
};
template <class T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0> struct BlockStore : $storage<(A <= BLOCK_STORE_VECTORIZE)> {
  BlockStore(typename $storage<(A <= BLOCK_STORE_VECTORIZE)>::TempStorage& s) { $use(s); }
  template <class I> void Store(I, T (&)[N]); template <class I> void Store(I, T (&)[N], int);
};
template <class T, int X, BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0> struct BlockReduce : $storage<false> {
  BlockReduce(typename $storage<false>::TempStorage& s) { $use(s); }
  T Sum(T); T Sum(T, int); template <int N> T Sum(T (&)[N]);
  template <class F> T Reduce(T, F); template <class F> T Reduce(T, F, int); template <int N, class F> T Reduce(T (&)[N], F);
};
template <class T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0> struct BlockScan : $storage<false> {
  BlockScan(typename $storage<false>::TempStorage& s) { $use(s); }
  template <class... R> void InclusiveSum(T, T&, R&&...); template <class... R> void ExclusiveSum(T, T&, R&&...);
  template <class... R> void InclusiveScan(T, T&, R&&...); template <class... R> void ExclusiveScan(T, T&, R&&...);
  template <int N, class... R> void InclusiveSum(T (&)[N], T (&)[N], R&&...); template <int N, class... R> void ExclusiveSum(T (&)[N], T (&)[N], R&&...);
  template <int N, class... R> void InclusiveScan(T (&)[N], T (&)[N], R&&...); template <int N, class... R> void ExclusiveScan(T (&)[N], T (&)[N], R&&...);
};
template <class T, int N = 32, int = 0> struct WarpReduce : $storage<false> {
  WarpReduce(typename $storage<false>::TempStorage& s) { $use(s); }
  T Sum(T); T Sum(T, int); template <class F> T Reduce(T, F); template <class F> T Reduce(T, F, int);
};
struct NullType {};
template <class K, int X, int N, class V = NullType, int = 4, bool = true, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int Y = 1, int Z = 1, int = 0> struct BlockRadixSort : $storage<false> {
  BlockRadixSort(typename $storage<false>::TempStorage& s) { $use(s); }
  void Sort(K (&)[N], int = 0, int = 0); void SortDescending(K (&)[N], int = 0, int = 0); void SortBlockedToStriped(K (&)[N], int = 0, int = 0); void SortDescendingBlockedToStriped(K (&)[N], int = 0, int = 0);
  template <class W> void Sort(K (&)[N], W (&)[N], int = 0, int = 0); template <class W> void SortDescending(K (&)[N], W (&)[N], int = 0, int = 0);
  template <class W> void SortBlockedToStriped(K (&)[N], W (&)[N], int = 0, int = 0); template <class W> void SortDescendingBlockedToStriped(K (&)[N], W (&)[N], int = 0, int = 0);
};
}
)";

}  // namespace

std::string samples_header(const std::string& header) {
  const std::string name = header.substr(header.rfind('/') + 1);
  if (name == "cutil.h" || name == "cutil_inline.h") return kMacrosOfCutil;
  if (name == "helper_math.h" || name == "cutil_math.h") return "#pragma once\n" + vector_arithmetic();
  if (header.starts_with("cuda/std/")) return kCudaStd;
  return header.starts_with("cub/")
             ? std::string(kCub) + "#ifndef SWIZZLE_CUB\n#define SWIZZLE_CUB\n" + operators_of_cub() + "#endif\n"
             : "";
}

std::string operators_of_cub() { return kOperatorsOfCub; }

}  // namespace swizzle
