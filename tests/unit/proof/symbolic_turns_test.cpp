// Kernels whose loops go over sizes that the launch does not know, by steps of all of the grid.
#include <gtest/gtest.h>

#include "synth/proof/all_sizes_proof.h"
#include "tests/unit/proof/equal_at.h"
#include "tests/unit/proof/flat_pair.h"

namespace swizzle::symbolic_turns_test {
namespace {

struct Pair {
  std::string launch, kernel, spec;  // bodies over i, which is the thread's number in the launch, and t in its block
};

const std::string kLoop = "for (int k = i; k < n; k += gridDim.x * blockDim.x) ";

Result<Program> kernel_of(const Pair& pair) { return test::flat_kernel(pair.launch, pair.kernel); }
Result<Program> spec_of(const Pair& pair) { return test::flat_spec(pair.spec); }

AllSizesProof proof_of(const Pair& pair) {
  const auto kernel = kernel_of(pair), spec = spec_of(pair);
  EXPECT_TRUE(kernel.ok() && spec.ok()) << pair.kernel;
  return prove_all_sizes(*kernel, *spec, {{{"n", 64}}, {{"n", 200}}}, {});
}

bool is_equal_at(const Pair& pair, std::int64_t size) {
  const auto kernel = kernel_of(pair), spec = spec_of(pair);
  return test::is_equal_at(*kernel, *spec, size).value();
}

constexpr const char* kCopy = "for (int i = 0; i < n; i++) y[i] = x[i];";
const std::vector<std::string> kGrids{"grid(1) block(64)", "grid(3) block(32)", "grid(8) block(64)"};

TEST(Turns, AreProvedLikeBlocks) {
  for (const std::string& grid : kGrids)
    for (const auto& [kernel, spec] : std::vector<std::pair<std::string, const char*>>{
             {kLoop + "y[k] = x[k];", kCopy},
             {"for (int k = i; k <= n - 1; k += gridDim.x * blockDim.x) y[k] = x[k];", kCopy},
             {"const unsigned all = gridDim.x * blockDim.x; for (unsigned k = i; k < n; k += all) y[k] = x[k];", kCopy},
             {kLoop + "{ const int v = x[k] + n; if (k % 2) continue; y[k] = v; y[k] = v; }" + kLoop +
                  "if (k % 2) y[k] = x[k] + n;",
              "for (int i = 0; i < n; i++) y[i] = x[i] + n;"},
             {kLoop + "y[k] = x[k] + (k > 0 ? x[k - 1] : 0) + (k + 1 < n ? x[k + 1] : 0);",
              "for (int i = 0; i < n; i++) y[i] = x[i] + (i > 0 ? x[i - 1] : 0) + (i + 1 < n ? x[i + 1] : 0);"},
             {kLoop + "for (int e = 0; e < 3; e++) y[3 * k + e] = x[3 * k + 2 - e];",
              "for (int i = 0; i < n; i++) for (int e = 0; e < 3; e++) y[3 * i + e] = x[3 * i + 2 - e];"}}) {
      const AllSizesProof proof = proof_of({grid, kernel, spec});
      EXPECT_TRUE(proof.is_proved) << grid << kernel << ": " << proof.reason;
      EXPECT_EQ(proof.holds_for().find("1 <= n <= "), 0u) << proof.holds_for();
    }
}

TEST(Turns, StayBelowTheLargestIntegerWhereTheyEnd) {
  EXPECT_EQ(proof_of({"grid(8) block(64)", kLoop + "y[k] = x[k];", kCopy}).holds_for(), "1 <= n <= 2147483136");
}

TEST(Turns, AreOfVectorsToo) {
  const std::string four = "grid(2) block(32)\n#pragma swizzle assume n % 4 == 0";
  const AllSizesProof proof =
      proof_of({four,
                "for (int k = i; k < n / 4; k += gridDim.x * blockDim.x) reinterpret_cast<int4*>(y)[k] = "
                "reinterpret_cast<const int4*>(x)[k];",
                kCopy});
  EXPECT_TRUE(proof.is_proved) << proof.reason;
  EXPECT_NE(proof.holds_for().find("n % 4 == 0"), std::string::npos) << proof.holds_for();
}

// What is proved of them is right at every size that is tried.
TEST(Turns, HoldOnlyWhereTheyAreRight) {
  const std::string loop = "for (int k = i; k < n; k += ", all = "gridDim.x * blockDim.x) ";
  int proved = 0;
  for (const std::string& grid : kGrids)
    for (const std::string& kernel : std::vector<std::string>{
             kLoop + "y[k] = x[k];",
             kLoop + "y[k] = x[k ^ 0];",
             loop + "blockDim.x) y[k] = x[k];",
             loop + "2 * " + all + "y[k] = x[k];",
             loop + "64) y[k] = x[k];",
             loop + "512) y[k] = x[k];",
             "for (int k = i + 1; k < n; k += " + all + "y[k] = x[k];",
             "for (int k = i; k < n - 1; k += " + all + "y[k] = x[k];",
             "for (int k = i; k <= n; k += " + all + "y[k] = x[k];",
             "for (int k = t; k < n; k += " + all + "y[k] = x[k];",
             "for (int k = blockIdx.x; k < n; k += gridDim.x) y[k] = x[k];",
             "for (int k = i - 1; k < n; k += " + all + "if (k >= 0) y[k] = x[k];",
             "for (int k = i; k < n; k += " + all + "{ y[k] = x[k]; k++; }",
             "int v = x[0]; " + kLoop + "{ y[k] = x[k] + v - v; v = 3; }",
             "int v = 0; " + kLoop + "y[k] = x[k] + v++;",
             kLoop + "{ if (k > 300) break; y[k] = x[k]; }",
             kLoop + "{ if (k > 300) return; y[k] = x[k]; }",
             kLoop + "{ y[k] = x[k]; if (i == 3) return; }",
             "if (t != 5) " + kLoop + "y[k] = x[k];",
             kLoop + "y[k] = x[k] + (blockIdx.x == 2);",
             kLoop + "y[k] = x[blockIdx.x < 9 ? k : 0];",
             kLoop + "if (k < 1000) y[k] = x[k];",
             kLoop + "y[k] = k > 500 ? x[k - 1] : x[k];",
             kLoop + "{ int v; if (k < 400) v = x[k]; y[k] = v; }",
             kLoop + "y[k] = __shfl_sync(~0u, x[k], t);",
             "__shared__ int s[64]; " + kLoop + "{ s[t] = x[k]; y[k] = s[t]; }",
             "__shared__ int s[64]; " + kLoop + "{ s[t ^ 1] = x[k]; __syncthreads(); y[k] = s[t]; }",
             kLoop + "{ __shared__ int s[64]; s[t ^ 1] = x[k]; __syncthreads(); y[k] = s[t]; }",
             kLoop + "{ __shared__ int s[64]; s[t] = x[k]; __syncthreads(); y[k] = s[t]; }",
             kLoop + "y[k] = x[k]; " + kLoop + "y[k] = x[k];",
             kLoop + "y[k] = x[k]; y[0] = x[0];",
             kLoop + "y[k] = x[k]; if (i == 0) y[n - 1] = x[n - 1];",
             "for (char k = i; k < n; k += 64) y[k] = x[k];",
             "for (int k = i; (char)k < n; k += " + all + "y[k] = x[k];"}) {
      const Pair pair{grid, kernel, kCopy};
      if (!proof_of(pair).is_proved) continue;
      ++proved;
      for (std::int64_t size : {1, 2, 31, 32, 33, 63, 64, 65, 95, 96, 97, 127, 128, 300, 511, 513, 1025})
        EXPECT_TRUE(is_equal_at(pair, size)) << grid << kernel << size;
    }
  EXPECT_GE(proved, 7);
}

}  // namespace
}  // namespace swizzle::symbolic_turns_test
