// Launches whose blocks one size counts along two axes, as those for square matrices.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/proof/all_sizes_proof.h"
#include "tests/unit/proof/equal_at.h"

namespace swizzle::square_launch_test {
namespace {

struct Pair {
  std::string launch, kernel,
      spec;  // the kernel's body over c and r, its element's column and row; the spec's within both loops
};

Result<Program> kernel_of(const Pair& pair) {
  return parse_kernel(
      SourceText(
          "k.cu",
          fmt::format("#pragma swizzle launch {}\n__global__ void f(const int* x, int* y, int n) {{\n"
                      "  const int tx = threadIdx.x, ty = threadIdx.y, left = 8 * blockIdx.x, top = 8 * blockIdx.y;\n"
                      "  const int c = left + tx, r = top + ty;\n  {}\n}}\n",
                      pair.launch, pair.kernel)),
      "f");
}

Result<Program> spec_of(const Pair& pair) {
  return parse_spec(
      SourceText("s.cpp", fmt::format("void f(const int* x, int* y, int n) {{\n  for (int r = 0; r < n; r++) for (int "
                                      "c = 0; c < n; c++) {{ {} }}\n}}\n",
                                      pair.spec)),
      "f");
}

// What is no proof may go on until it is told to stop.
AllSizesProof proof_of(const Pair& pair, double patience = 10) {
  const auto kernel = kernel_of(pair), spec = spec_of(pair);
  EXPECT_TRUE(kernel.ok() && spec.ok()) << pair.kernel;
  return prove_all_sizes(*kernel, *spec, {{{"n", 16}}, {{"n", 24}}}, Deadline(patience));
}

constexpr const char *kWhole = "grid(n / 8, n / 8) block(8, 8)",
                     *kRagged = "grid((n + 7) / 8, (n + 7) / 8) block(8, 8)";
constexpr const char *kCopy = "y[r * n + c] = x[r * n + c];", *kTranspose = "y[c * n + r] = x[r * n + c];";
const std::string kTile = "__shared__ int s[8][9]; if (r < n && c < n) s[ty][tx] = x[r * n + c]; __syncthreads(); ";

TEST(SquareLaunches, AreProved) {
  const std::string product =
      "int s = 0; for (int k = 0; k < n; k++) s += x[r * n + k] * x[k * n + c]; y[r * n + c] = s;";
  for (
      const auto& [launch, kernel, spec] : std::vector<Pair>{
          {kWhole, "y[r * n + c] = x[r * n + c];", kCopy},
          {kRagged, "if (r < n && c < n) y[r * n + c] = x[r * n + c];", kCopy},
          {"grid(n / 8, (n + 7) / 8) block(8, 8)", "if (r < n) y[r * n + c] = x[r * n + c];", kCopy},
          {kWhole, "y[c * n + r] = x[r * n + c];", kTranspose},
          {kRagged, kTile + "if (left + ty < n && top + tx < n) y[(left + ty) * n + top + tx] = s[tx][ty];",
           kTranspose},
          {kRagged, "if (r >= n || c >= n) return; y[r * n + c] = x[r * n + c] + (c > 0 ? x[r * n + c - 1] : 0);",
           "y[r * n + c] = x[r * n + c] + (c > 0 ? x[r * n + c - 1] : 0);"},
          {kWhole,
           "__shared__ int a[8][8], b[8][8]; int s = 0; for (int k = 0; k < n; k += 8) { a[ty][tx] = x[r * n + k + tx]; "
           "b[ty][tx] = x[(k + ty) * n + c]; __syncthreads(); for (int e = 0; e < 8; e++) s += a[ty][e] * b[e][tx]; "
           "__syncthreads(); } y[r * n + c] = s;",
           product},
          {kRagged,
           "__shared__ int a[8][8], b[8][8]; int s = 0; for (int k = 0; k < n; k += 8) { a[ty][tx] = r < n && k + tx < n ? "
           "x[r * n + k + tx] : 0; b[ty][tx] = k + ty < n && c < n ? x[(k + ty) * n + c] : 0; __syncthreads(); for (int e = 0; e "
           "< 8; e++) s += a[ty][e] * b[e][tx]; __syncthreads(); } if (r < n && c < n) y[r * n + c] = s;",
           product}}) {
    const Pair pair{launch, kernel, spec};
    const AllSizesProof proof = proof_of(pair);
    EXPECT_TRUE(proof.is_proved) << launch << kernel << ": " << proof.reason;
    for (std::int64_t n : {8, 16, 40})
      EXPECT_EQ(test::is_equal_at(*kernel_of(pair), *spec_of(pair), n), true) << kernel << n;
  }
}

TEST(SquareLaunches, AreProvedOnlyWhereTheyAreRight) {
  for (const auto& [launch, kernel, spec] : std::vector<Pair>{
           {kRagged, "if (c < n) y[r * n + c] = x[r * n + c];", kCopy},
           {kRagged, "if (r < n) y[r * n + c] = x[r * n + c];", kCopy},
           {kRagged, "if (r < n && c < n && r <= c + 16) y[r * n + c] = x[r * n + c];", kCopy},
           {kWhole, "if (top <= left + 16) y[r * n + c] = x[r * n + c];", kCopy},
           {kWhole, "y[r * n + c] = x[top > left + 16 ? c * n + r : r * n + c];", kCopy},
           {kWhole, "y[r * n + c] = x[c * n + r];", kCopy},
           {kWhole, "y[r * n + c] = x[r * n + c] + (blockIdx.x + blockIdx.y == 5);", kCopy},
           {kRagged, kTile + "if (r < n && c < n) y[(left + ty) * n + top + tx] = s[tx][ty];", kTranspose},
           {kRagged, kTile + "if (left + ty < n && top + tx < n) y[(left + ty) * n + top + tx] = s[ty][tx];",
            kTranspose},
           {"grid(n / 8, n / 16) block(8, 8)", "y[r * n + c] = x[r * n + c];", kCopy},
           {"grid((n + 7) / 8, (n - 1) / 8) block(8, 8)", "if (r < n && c < n) y[r * n + c] = x[r * n + c];", kCopy}}) {
    const Pair pair{launch, kernel, spec};
    EXPECT_FALSE(proof_of(pair, 0.3).is_proved) << launch << kernel;
    int wrong = 0;
    for (std::int64_t n : {5, 24, 41, 48}) wrong += test::is_equal_at(*kernel_of(pair), *spec_of(pair), n) != true;
    EXPECT_GT(wrong, 0) << launch << kernel;
  }
}

}  // namespace
}  // namespace swizzle::square_launch_test
