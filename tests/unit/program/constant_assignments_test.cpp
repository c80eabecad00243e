#include "synth/program/constant_assignments.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::constant_assignments_test {
namespace {

Program sketch_of(const std::string& body) {
  auto program =
      parse_kernel(SourceText("a.cu", "__global__ void f(const int* x, int* y, int n) {\n" + body + "\n}\n"), "");
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : render(program.errors()[0]));
  return program.ok() ? std::move(*program) : Program{};
}

TEST(PosedAssignments, ASketchWithoutConstantsHasOne) {
  const auto assignments = constant_assignments(sketch_of("  y[0] = x[?sw_part(2, n)];"));
  ASSERT_TRUE(assignments.ok());
  EXPECT_EQ(*assignments, std::vector<ConstantAssignment>{{0}});
}

TEST(PosedAssignments, AreTheProductOfTheRangesSmallValuesFirst) {
  const auto assignments = constant_assignments(sketch_of("  y[0] = x[?sw_const(-1, 2)] + x[?sw_const(1, 3)];"));
  ASSERT_TRUE(assignments.ok());
  EXPECT_EQ(*assignments, (std::vector<ConstantAssignment>{{0, 1}, {-1, 1}, {0, 2}, {1, 1}, {-1, 2}, {1, 2}}));
}

TEST(PosedAssignments, OfTooManyValuesTheWidestHoleIsNamed) {
  const auto assignments = constant_assignments(sketch_of("  y[0] = x[?sw_const(0, 8)] + x[?sw_const(0, 513)];"));
  ASSERT_FALSE(assignments.ok());
  EXPECT_NE(render(assignments.errors()[0]).find("a.cu:2:33: error: the ?sw_const holes have 8 · 513 values together"),
            std::string::npos);
  EXPECT_EQ(constant_assignments(sketch_of("  y[0] = x[?sw_const(0, 8)] + x[?sw_const(0, 512)];"))->size(), 4096u);
}

TEST(Specialize, LeavesIntegersWhereConstantsStood) {
  const Program sketch = sketch_of("  y[0] = x[?sw_const(0, 4)] + x[?sw_part(2, n)];");
  const auto program = specialize(sketch, {3, 0});
  ASSERT_TRUE(program.ok());
  std::size_t holes = 0, threes = 0;
  for (const Expr& e : program->exprs) {
    holes += e.kind == ExprKind::kHole;
    threes += e.kind == ExprKind::kIntLiteral && e.int_value == 3;
  }
  EXPECT_EQ(holes, 1u);
  EXPECT_EQ(threes, 1u);
  EXPECT_EQ(program->holes.size(), sketch.holes.size());
}

TEST(Specialize, SizesArrays) {
  const Program sketch =
      sketch_of("  const int n2 = ?sw_const(1, 5) * 2;\n  int r[n2][3];\n  r[0][0] = x[0];\n  y[0] = r[0][0];");
  const auto program = specialize(sketch, {2});
  ASSERT_TRUE(program.ok());
  int sized = 0;
  for (const Type& type : program->types)
    sized += type.form == Type::Form::kArray && type.count == 4 && type.slots == 12 && type.size_bytes == 48;
  EXPECT_EQ(sized, 1);
}

TEST(Specialize, RefusesAnEmptyArray) {
  const auto program = specialize(sketch_of("  int r[?sw_const(0, 5)];\n  r[0] = x[0];\n  y[0] = r[0];"), {0});
  ASSERT_FALSE(program.ok());
  EXPECT_NE(render(program.errors()[0]).find("an array of 0 elements is not supported"), std::string::npos);
}

TEST(ConstantValue, IsWhatConstantsAloneGive) {
  const Program p = sketch_of(
      "  const int a = ?sw_const(1, 9), b = (a + 1) * 2 % 5, c = n;\n  int d = 3;\n  const unsigned e = a > 2 ? -1 : 0;\n  y[0] = a + b + c + d + e;");
  const auto value = [&](const char* name, const ConstantAssignment& assignment) -> std::optional<std::int64_t> {
    for (const Stmt& s : p.stmts)
      if (s.kind == StmtKind::kDeclare && p.variable(s.variable).name == name)
        return constant_value(p, s.expr, assignment);
    return std::nullopt;
  };
  EXPECT_EQ(value("b", {3}), 3);
  EXPECT_EQ(value("b", {}), std::nullopt);
  EXPECT_EQ(value("c", {3}), std::nullopt);
  EXPECT_EQ(value("e", {3}), 4294967295);
  EXPECT_EQ(value("e", {2}), 0);
  for (std::size_t i = 0; i < p.exprs.size(); ++i)
    if (p.exprs[i].kind == ExprKind::kVariable && p.variable(p.exprs[i].variable).name == "d") {
      EXPECT_EQ(constant_value(p, ExprId(i)), std::nullopt);
    }
}

TEST(Describe, NamesEachConstantByItsPlace) {
  EXPECT_EQ(
      describe({2, 0, -1}, sketch_of("  y[0] = x[?sw_const(0, 4)] + x[?sw_part(2, n)] +\n    x[?sw_const(-2, 4)];")),
      "?sw_const at 2:12 = 2 and at 3:7 = -1");
}

}  // namespace
}  // namespace swizzle::constant_assignments_test
