#include "synth/execution/logic_instructions.h"

#include <numeric>

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::logic_instructions_test {
namespace {

// Of the operations & | ^ and ~ of a body.
int count(const std::string& body) {
  const auto program = parse_kernel(
      SourceText("k.cu", "__global__ void f(unsigned* x, int a, int b, int c, int d, int e) {\n" + body + "\n}\n"),
      "f");
  EXPECT_TRUE(program.ok()) << body;
  const std::vector<int> counts = logic_instructions(*program);
  int sum = 0;
  for (std::size_t n = 0; n < counts.size(); ++n) {
    const Expr& expr = program->exprs[n];
    const bool is_logic = expr.op == Operator::kAnd || expr.op == Operator::kOr || expr.op == Operator::kXor;
    if ((expr.kind == ExprKind::kBinary || expr.kind == ExprKind::kAssign) && is_logic) sum += counts[n];
  }
  return sum;
}

TEST(LogicInstructions, TakeThreeInputsEach) {
  EXPECT_EQ(count("x[0] = a & b;"), 1);
  EXPECT_EQ(count("x[0] = (a & b) | (c & ~b);"), 1);
  EXPECT_EQ(count("x[0] = a & b & c & d;"), 2);
  EXPECT_EQ(count("x[0] = a & b & c & d & e;"), 2);
  EXPECT_EQ(count("x[0] = (a & c) + (b & c);"), 2);
  EXPECT_EQ(count("x[0] = 0xffffffffu ^ (a & b & c);"), 1) << "an inversion";
}

TEST(LogicInstructions, GoThroughNamesThatAreUsedOnce) {
  EXPECT_EQ(count("const int p = a & b, q = c & ~b; x[0] = p | q;"), 1);
  EXPECT_EQ(count("const int p = a & b; const int q = p ^ c; const int r = q & d; x[0] = r | e;"), 2);
  EXPECT_EQ(count("const int p = ~b; x[0] = a & p;"), 1);
  EXPECT_EQ(count("const int p = a & b; x[0] = p | c; x[1] = p;"), 2) << "used twice";
  EXPECT_EQ(count("int p = a & b; p = 1; x[0] = p | c;"), 2) << "set again";
  EXPECT_EQ(count("const int p = a & b; for (int i = 0; i < 4; i++) x[i] = p | c;"), 2) << "computed once";
  EXPECT_EQ(count("const int p = a & b; x[0] = p + c;"), 1);
}

// What a name stood for is not what a variable has become.
TEST(LogicInstructions, TellValuesOfAVariableApart) {
  EXPECT_EQ(count("int v = a; const int p = v & b; x[0] = p | v;"), 1);
  EXPECT_EQ(count("int v = a; const int p = (v & b) ^ c; v = d; x[0] = p | v;"), 2);
}

}  // namespace
}  // namespace swizzle::logic_instructions_test
