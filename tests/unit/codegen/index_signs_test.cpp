#include "codegen/emit/index_signs.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::index_signs_test {
namespace {

// Of `index` in a kernel with a lane, a warp's base and a loop's k.
bool is_never_negative(const std::string& index) {
  const auto kernel = parse_kernel(
      SourceText("f.cu",
                 "#pragma swizzle launch grid(1) block(64)\n__global__ void f(int* y, int n) {\n"
                 "  const int lane = threadIdx.x % warpSize, low = threadIdx.x & 31;\n"
                 "  const int base = blockIdx.x * blockDim.x + threadIdx.x - lane;\n  int moved = lane; moved -= 4;\n"
                 "  for (int k = 0, down = 9; k < n; k++, down--) y[k] = " +
                     index + ";\n}\n"),
      "");
  EXPECT_TRUE(kernel.ok()) << render(kernel.errors()[0]);
  for (const Expr& e : kernel->exprs)
    if (e.kind == ExprKind::kAssign && !e.compound) return IndexSigns(*kernel).is_never_negative(e.operands[1]);
  ADD_FAILURE() << "nothing is stored";
  return false;
}

TEST(IndexSigns, AreKnownOfSumsProductsAndRemainders) {
  for (const char* index : {"lane", "base", "base + 32 * k", "threadIdx.x - low", "(base + 7) / 8 % 3",
                            "min(lane, base)", "lane > 3 ? base : 0", "base + lane - lane", "base - (base & 3)",
                            "n & 31", "threadIdx.x - threadIdx.x / 1 % 4"})
    EXPECT_TRUE(is_never_negative(index)) << index;
}

TEST(IndexSigns, AreInDoubtWhereSomethingIsSubtractedOrPassed) {
  for (const char* index : {"base - 1", "lane - 16", "n", "base + n", "moved", "down", "base - low % 5 - 1", "-lane",
                            "base * -2", "k - lane", "min(lane, n)", "lane > 3 ? base : -1"})
    EXPECT_FALSE(is_never_negative(index)) << index;
}

}  // namespace
}  // namespace swizzle::index_signs_test
