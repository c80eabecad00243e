// Sums over all of a launch, and histograms, by atomics on buffers: at every size.
#include "tests/end_to_end/as_it_is.h"

namespace swizzle::test::reductions_test {
namespace {

constexpr const char* kParameters = "(const int* x, int* y, int n)";

AsItIs launched(const std::string& name, const std::string& kernel, const std::string& blocks, const std::string& each,
                const std::string& said, int exit_code = 0) {
  return {name,
          fmt::format("__global__ void f{0} {{\n  const int t = threadIdx.x;\n  {1}\n}}\n"
                      "void run{0} {{ f<<<{2}, 64>>>(x, y, n); }}\n",
                      kParameters, kernel, blocks),
          fmt::format("#include <algorithm>\nvoid f{} {{\n  for (int i = 0; i < n; i++) {}\n}}\n", kParameters, each),
          "--set n=130",
          exit_code,
          said};
}

constexpr const char *kBlocks = "(n + 63) / 64", *kSum = "y[0] += x[i];";
const std::string kTurns = "int v = 0;\n  for (int k = blockIdx.x * 64 + t; k < n; k += 64 * gridDim.x) v += x[k];",
                  kOfWarp =
                      "\n  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);\n"
                      "  if (t % 32 == 0) atomicAdd(y, v);";

class Reductions : public testing::TestWithParam<AsItIs> {};

TEST_P(Reductions, AreProvedForEverySize) { expect_judged(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Of, Reductions,
    testing::Values(
        launched("Warps", "const int i = blockIdx.x * 64 + t;\n  int v = i < n ? x[i] : 0;" + kOfWarp, kBlocks, kSum,
                 "; proved for every n from 1 to 2147483584"),
        launched("Turns", kTurns + kOfWarp, "3", kSum, "; proved for every n from 1 to"),
        launched("TurnsOfAsManyAsServe", kTurns + kOfWarp, "min((n + 63) / 64, 128)", kSum,
                 "; proved for every n from 1 to"),
        launched("Blocks",
                 "__shared__ int s[64];\n  const int i = blockIdx.x * 64 + t;\n  s[t] = i < n ? x[i] : 0;\n"
                 "  __syncthreads();\n  for (int k = 32; k > 0; k /= 2) {\n    if (t < k) s[t] += s[t + k];\n"
                 "    __syncthreads();\n  }\n  if (t == 0) atomicAdd(y, s[0]);",
                 kBlocks, kSum, "; proved for every n from 1 to 2147483584"),
        launched("Greatest", "const int i = blockIdx.x * 64 + t;\n  if (i < n) atomicMax(y, x[i]);", kBlocks,
                 "y[0] = std::max(y[0], x[i]);", "; proved for every n from 1 to 2147483584"),
        launched("Histogram", "const int i = blockIdx.x * 64 + t;\n  if (i < n) atomicAdd(&y[x[i] & 15], 1);", kBlocks,
                 "y[x[i] & 15]++;", "; proved for every n from 1 to 2147483584"),
        launched("OneTooMany", changed(kTurns, "int v = 0", "int v = t == 0 && n > 100") + kOfWarp, "3", kSum,
                 "failed its verification: at n=", 3)),
    name_of);

}  // namespace
}  // namespace swizzle::test::reductions_test
