// Specs whose inner loop begins or ends at the outer one's index.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/proof/all_sizes_proof.h"
#include "tests/unit/proof/equal_at.h"

namespace swizzle::triangular_loops_test {
namespace {

struct Pair {
  std::string kernel, loops, body;  // the kernel's body over c and r; the spec's loops over both, and what is in them
  std::string launch = "grid((n + 7) / 8, (n + 7) / 8) block(8, 8)";
};

Result<Program> kernel_of(const Pair& pair) {
  return parse_kernel(
      SourceText("k.cu", fmt::format("#pragma swizzle launch {}\n#pragma swizzle extent y(n * n)\n"
                                     "__global__ void f(const int* x, int* y, int n) {{\n"
                                     "  const int c = 8 * blockIdx.x + threadIdx.x, r = 8 * blockIdx.y + threadIdx.y;\n"
                                     "  {}\n}}\n",
                                     pair.launch, pair.kernel)),
      "f");
}
Result<Program> spec_of(const Pair& pair) {
  return parse_spec(SourceText("s.cpp", fmt::format("void f(const int* x, int* y, int n) {{\n  for (int r = 0; r < n; "
                                                    "r++) for ({}) {{ {} }}\n}}\n",
                                                    pair.loops, pair.body)),
                    "f");
}

AllSizesProof proof_of(const Pair& pair) {
  const auto kernel = kernel_of(pair), spec = spec_of(pair);
  EXPECT_TRUE(kernel.ok() && spec.ok()) << pair.kernel;
  return prove_all_sizes(*kernel, *spec, {{{"n", 16}}, {{"n", 19}}}, Deadline(10));
}

constexpr const char *kLower = "int c = 0; c <= r; c++", *kBelow = "int c = 0; c < r; c++",
                     *kUpper = "int c = r; c < n; c++", *kAbove = "int c = r + 1; c < n; c++";
const std::string kSwap = "const int kept = y[r * n + c]; y[r * n + c] = y[c * n + r]; y[c * n + r] = kept;";
const std::string kMirror = "const int v = x[r * n + c]; y[r * n + c] = v; y[c * n + r] = v;";

std::string where(const std::string& condition, const std::string& body) {
  return "if (r < n && c < n && " + condition + ") { " + body + " }";
}

TEST(TriangularLoops, AreShared) {
  for (const Pair& pair :
       std::vector<Pair>{{where("c <= r", kSwap), kLower, kSwap},
                         {where("c < r", kSwap), kBelow, kSwap},
                         {where("c >= r", kSwap), kUpper, kSwap},
                         {where("c > r", kSwap), kAbove, kSwap},
                         {where("c < r", kMirror), kBelow, kMirror},
                         {where("c <= r", "y[r * n + c] = x[r * n + c];"), kLower, "y[r * n + c] = x[r * n + c];"},
                         {where("c > r", "y[c * n + r] = x[r * n + c];"), kAbove, "y[c * n + r] = x[r * n + c];"}}) {
    const AllSizesProof proof = proof_of(pair);
    EXPECT_TRUE(proof.is_proved) << pair.kernel << pair.loops << ": " << proof.reason;
    EXPECT_EQ(proof.holds_for().find("1 <= n <= 463"), 0u) << proof.holds_for();  // n * n is below 2^31
    for (const std::int64_t n : {7, 8, 13})
      EXPECT_EQ(test::is_equal_at(*kernel_of(pair), *spec_of(pair), n), true) << pair.kernel << n;
  }
}

// The block's column is the spec's row.
TEST(TriangularLoops, AreSharedAlongTheOtherAxis) {
  const std::string swap = "const int kept = y[c * n + r]; y[c * n + r] = y[r * n + c]; y[r * n + c] = kept;";
  for (const Pair& pair : std::vector<Pair>{{where("c >= r", swap), kLower, kSwap},
                                            {where("c > r", swap), kBelow, kSwap},
                                            {where("c < r", swap), kAbove, kSwap}}) {
    const AllSizesProof proof = proof_of(pair);
    EXPECT_TRUE(proof.is_proved) << pair.kernel << pair.loops << ": " << proof.reason;
  }
}

TEST(TriangularLoops, AreNotProvedElsewhere) {
  for (const Pair& pair :
       std::vector<Pair>{{where("c <= r", kSwap), kBelow, "y[r * n + c] = x[c * n + r];"},
                         {where("c < r", kMirror), kLower, kMirror},
                         {where("c <= r", kMirror), kBelow, kMirror},
                         {where("c < r - 1", kSwap), kBelow, kSwap},
                         {where("c > r", kMirror), kBelow, kMirror},
                         {where("c != r", kSwap), "int c = 0; c < n; c++", kSwap},  // each pair twice
                         {where("c <= r", "y[r + c] = x[r * n + c];"), kLower, "y[r + c] = x[r * n + c];"}}) {
    const AllSizesProof proof = proof_of(pair);
    EXPECT_FALSE(proof.is_proved) << pair.kernel << pair.loops << pair.body;
    EXPECT_FALSE(proof.reason.empty()) << pair.kernel;
  }
}

}  // namespace
}  // namespace swizzle::triangular_loops_test
