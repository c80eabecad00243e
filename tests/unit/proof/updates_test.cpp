// Atomics of blocks, and what comes to memory by them at every size.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/proof/all_sizes_proof.h"
#include "tests/unit/proof/equal_at.h"

namespace swizzle::updates_test {
namespace {

// Bodies over x, y and n; the kernel's over t, i and the blocks of its launch as well.
struct Pair {
  std::string kernel, spec, grid = "(n + 31) / 32";
};

AllSizesProof proof_of(const Pair& pair) {
  const auto kernel =
      parse_kernel(SourceText("k.cu", fmt::format("#pragma swizzle launch grid({}) block(32)\n"
                                                  "__global__ void f(const int* x, int* y, int n) {{\n"
                                                  "  const int t = threadIdx.x, i = blockIdx.x * 32 + t;\n  {}\n}}\n",
                                                  pair.grid, pair.kernel)),
                   "f");
  const auto spec =
      parse_spec(SourceText("s.cpp", fmt::format("void f(const int* x, int* y, int n) {{ {} }}", pair.spec)), "f");
  EXPECT_TRUE(kernel.ok() && spec.ok()) << pair.kernel << pair.spec;
  AllSizesProof proof = prove_all_sizes(*kernel, *spec, {{{"n", 64}}, {{"n", 77}}}, Deadline(10));
  if (proof.is_proved)
    for (const std::int64_t n : {1, 33}) EXPECT_EQ(test::is_equal_at(*kernel, *spec, n), true) << pair.kernel << n;
  return proof;
}

const std::string kEach = "for (int i = 0; i < n; i++) ", kSum = kEach + "y[0] += x[i];",
                  kReduce = "for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);",
                  kAdd = "if (t == 0) atomicAdd(y, v);", kTurns = "for (int k = i; k < n; k += 32 * gridDim.x) ";

TEST(Updates, ComeToWhatTheSpecAdds) {
  for (const Pair& pair : {
           Pair{"if (i < n) atomicAdd(y, x[i]);", kSum},
           Pair{"int v = i < n ? x[i] : 0; " + kReduce + kAdd, kSum},
           Pair{
               "__shared__ int s; if (t == 0) s = 0; __syncthreads(); if (i < n) atomicAdd(&s, x[i]); __syncthreads(); "
               "if (t == 0) atomicAdd(y, s);",
               kSum},
           Pair{"if (i < n) atomicSub(&y[t % 2], 3 * x[i]);", kEach + "y[i % 2] -= x[i] * 3;"},
           Pair{"if (i < n && x[i] > 2) atomicAdd(&y[1], 1);", kEach + "if (x[i] > 2) ++y[1];"},
           Pair{"if (i < n) atomicAdd(&y[x[i] & 7], i);", kEach + "y[x[i] & 7] += i;"},
           Pair{"if (i < n) { atomicMax(y, x[i]); }", kEach + "y[0] = max(x[i], y[0]);"},
           Pair{"if (i < n) atomicXor(y, x[i]);", kEach + "y[0] = y[0] ^ x[i];"},
           Pair{"int v = 0; " + kTurns + "v += x[k]; " + kReduce + kAdd, kSum, "5"},
           Pair{"int v = 0; " + kTurns + "v += 2 * x[k]; if (v != 0 || v == 0) { } atomicAdd(y, v);",
                kEach + "y[0] += x[i] + x[i];", "3"},
           Pair{kTurns + "atomicOr(&y[k & 3], x[k]);", kEach + "y[i & 3] |= x[i];", "4"},
       }) {
    const AllSizesProof proof = proof_of(pair);
    EXPECT_TRUE(proof.is_proved) << pair.kernel << ": " << proof.reason;
  }
}

TEST(Updates, AreNoOthers) {
  for (
      const Pair& pair : {
          Pair{"if (i < n - 1) atomicAdd(y, x[i]);", kSum},
          Pair{"atomicAdd(y, x[min(i, n - 1)]);", kSum},
          Pair{"if (i < n) atomicMax(y, x[i]);", kSum},
          Pair{"if (i < n) atomicAdd(y, x[i]);", kEach + "y[1] += x[i];"},
          Pair{"if (i < n) atomicAdd(y, x[i]);", "y[0] = 0; " + kSum},
          Pair{"if (i < n && x[i] > 2) atomicAdd(y, 1);", kEach + "if (x[i] > 1) y[0]++;"},
          Pair{"if (i < n) atomicAdd(&y[x[i] & 7], 1);", kEach + "y[x[i] & 3]++;"},
          Pair{"if (i < n) { y[1] = 5; atomicAdd(y, x[i]); }", kSum},
          Pair{"__shared__ int s; if (t == 0) s = 0; if (i < n) atomicAdd(&s, x[i]); __syncthreads(); if (t == 0) "
               "atomicAdd(y, s);",
               kSum},
          Pair{
              "__shared__ int s; if (t == 0) s = 0; __syncthreads(); if (i < n) atomicAdd(&s, x[i]); atomicMax(&s, 0); "
              "__syncthreads(); if (t == 0) atomicAdd(y, s);",
              kSum},
          Pair{"int v = 1; " + kTurns + "v += x[k]; " + kReduce + kAdd, kSum, "5"},
          Pair{"int v = 0; " + kTurns + "v += x[k]; " + kReduce + "if (t == 0) atomicAdd(y, v > 0 ? v : 0);", kSum,
               "5"},
          Pair{"int v = 0; " + kTurns + "v += x[k]; " + kReduce + "if (t == 0) atomicAdd(y, v * v);", kSum, "1"},
          Pair{"int v = 0; " + kTurns + "v += x[k]; " + kReduce + kAdd + " if (t == 0) atomicAdd(y, 1);", kSum, "5"},
          Pair{"int v = 0; for (int k = i + 1; k < n; k += 32 * gridDim.x) v += x[k]; " + kReduce + kAdd, kSum, "5"},
          Pair{"int v = 0; for (int k = i; k < n; k += 32) v += x[k]; " + kReduce + kAdd, kSum, "5"},
      })
    EXPECT_FALSE(proof_of(pair).is_proved) << pair.kernel;
}

}  // namespace
}  // namespace swizzle::updates_test
