#include "synth/proof/product_axes.h"

#include <functional>

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::product_axes_test {
namespace {

Program launched_by(const std::string& grid, const std::string& body = "") {
  return *parse_kernel(SourceText("k.cu", "#pragma swizzle launch grid(" + grid + ") block(32)\n" +
                                              "__global__ void f(int* y, int n, int m) { y[n] = m; " + body + " }\n"),
                       "f");
}

// "m; n"
std::string axes_of(const std::string& grid) {
  const auto split = with_axes_of_products(launched_by(grid));
  std::string texts;
  if (split)
    for (const SizeExpr& along : split->directives.launch->grid) texts += (texts.empty() ? "" : "; ") + along.text;
  return texts;
}

std::int64_t count_of(Builtin builtin, const Program& program) {
  const Function& f = program.function(program.entry);
  const std::function<std::int64_t(ExprId)> in = [&](ExprId id) {
    if (!id.valid()) return std::int64_t{0};
    const Expr& e = program.expr(id);
    std::int64_t count = e.kind == ExprKind::kBuiltin && e.builtin == builtin ? 1 : 0;
    for (const ExprId operand : e.operands) count += in(operand);
    return count;
  };
  std::int64_t count = 0;
  for (const StmtId id : program.stmt(f.body).body) count += in(program.stmt(id).expr);
  return count;
}

TEST(ProductAxes, AreOfEachFactorTheLastOneFastest) {
  EXPECT_EQ(axes_of("n * m"), "m; n");
  EXPECT_EQ(axes_of("n * 4"), "4; n");
  EXPECT_EQ(axes_of("n * m * 2"), "2; n; m");
  EXPECT_EQ(axes_of("7, n * m"), "7; m; n");
  for (const char* grid : {"n", "n + m", "(n * m + 31) / 32", "n * m, n * 4", "n * m * 2, 3", "n * (m + 1)"})
    EXPECT_EQ(axes_of(grid), "") << grid;
}

// Of an axis that had one block, the index was 0.
TEST(ProductAxes, ReadEachIndexAsItWas) {
  const auto split = with_axes_of_products(
      launched_by("n * m", "y[blockIdx.x] = gridDim.x; y[blockIdx.y + 1] = gridDim.y; y[blockIdx.z] = 3;"));
  ASSERT_TRUE(split);
  EXPECT_EQ(count_of(Builtin::kBlockIdxX, *split), 1);
  EXPECT_EQ(count_of(Builtin::kBlockIdxY, *split), 1);
  EXPECT_EQ(count_of(Builtin::kBlockIdxZ, *split), 1);
  EXPECT_EQ(count_of(Builtin::kGridDimX, *split) + count_of(Builtin::kGridDimY, *split), 0);
}

}  // namespace
}  // namespace swizzle::product_axes_test
