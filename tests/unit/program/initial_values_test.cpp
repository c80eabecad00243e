#include "synth/program/initial_values.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "frontend/parse.h"

namespace swizzle::initial_values_test {
namespace {

std::set<std::string> names_in(const Program& program, const std::map<VariableId, ExprId>& values) {
  std::set<std::string> names;
  for (const auto& [variable, value] : values) names.insert(program.variable(variable).name);
  return names;
}

TEST(InitialValues, AreFixedWhereNothingChangesTheVariable) {
  const auto program = parse_kernel(SourceText("f.cu",
                                               "__global__ void f(int* y) {\n"
                                               "  const int lane = threadIdx.x % 32;\n  int i = 0, j = lane, open;\n"
                                               "  int& r = j;\n  i += 4;\n  int p = 1, *q = &p;\n  open = 2;\n"
                                               "  y[lane] = i + r + *q + open;\n}\n"),
                                    "");
  ASSERT_TRUE(program.ok()) << render(program.errors()[0]);
  EXPECT_EQ(names_in(*program, initial_values(*program)), (std::set<std::string>{"lane", "i", "j", "p", "q"}));
  EXPECT_EQ(names_in(*program, fixed_values(*program)), (std::set<std::string>{"lane", "q"}));
}

}  // namespace
}  // namespace swizzle::initial_values_test
