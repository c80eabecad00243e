// Sketches that are small enough for Z3, as the bodies of a kernel and of its spec, and the two opinions of them.
#pragma once

#include <optional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/oracle/encoding.h"
#include "synth/oracle/second_opinion.h"
#include "synth/problem/pose.h"
#include "synth/search/solve.h"

namespace swizzle {

// The bodies of a kernel f(const int* x, const int* w, int* y) on few lanes, which know their `lane`, and of its spec.
struct Small {
  const char* name;
  int lanes;
  std::string kernel;
  std::string spec;
};

inline void PrintTo(const Small& small, std::ostream* out) { *out << small.kernel << "\n  must equal\n" << small.spec; }

inline std::optional<Problem> posed(const Small& small) {
  const std::string parameters = "(const int* x, const int* w, int* y) {\n";
  const std::string sketch = "#pragma swizzle launch grid(1) block(" + std::to_string(small.lanes) +
                             ")\n#pragma swizzle extent x(32)\n#pragma swizzle extent w(8)\n__global__ void f" +
                             parameters + "  const int lane = threadIdx.x;\n" + small.kernel + "\n}\n";
  const auto kernel = parse_kernel(SourceText("a.cu", sketch), "");
  const auto spec = parse_spec(SourceText("a.cpp", "void f" + parameters + small.spec + "\n}\n"), "f");
  EXPECT_TRUE(kernel.ok()) << render(kernel.errors()[0]);
  EXPECT_TRUE(spec.ok()) << render(spec.errors()[0]);
  if (!kernel.ok() || !spec.ok()) return std::nullopt;
  Problem problem;
  const auto size = pose(*kernel, *spec, {}, problem);
  EXPECT_TRUE(size.ok()) << render(size.errors()[0]);
  if (!size.ok()) return std::nullopt;
  collect_holes(*kernel, problem);
  return problem;
}

inline std::string printed(const Problem& problem, const std::vector<HoleTable>& tables) {
  std::string text;
  for (std::size_t h = 0; h < tables.size(); ++h)
    if (!problem.holes[h].points.empty()) text += tables[h].expression.print({"a", "b", "c", "d"}) + "\n";
  return text;
}

// Z3 says the same where the holes are told to it by their tables.
inline void expect_same_by_tables(Problem& problem, const SecondOpinion& by_grammars) {
  LeftOpen all{Domains(problem.points)};
  for (const auto& grammar : grammars_of(problem.holes))
    all.tables.push_back(grammar ? grammar->within(all.values, kAnyCost, 1'000'000).tables : std::vector<HoleTable>());
  Encoding encoding(problem, IssueCosts{});
  ASSERT_TRUE(encoding.encode(all, {}, 10'000'000)) << encoding.why();
  const Z3Answer answer = Z3Session(encoding.formula()).minimize({}, 20);
  ASSERT_EQ(answer.outcome, by_grammars.outcome) << answer.reason;
  if (answer.outcome == Outcome::kFound) EXPECT_NEAR(encoding.cost_in(answer), by_grammars.cost, 1e-6);
}

inline Outcome expect_agreement(const Small& small) {
  SCOPED_TRACE(testing::PrintToString(small));
  std::optional<Problem> problem = posed(small);
  if (!problem) return Outcome::kUnknown;
  const SecondOpinion second = ask_z3(*problem, IssueCosts{}, 20);
  const Solution first = solve(*problem, {});
  EXPECT_NE(second.outcome, Outcome::kUnknown) << second.reason;
  expect_same_by_tables(*problem, second);
  EXPECT_EQ(first.outcome, second.outcome) << first.reason;
  if (second.outcome != Outcome::kFound || first.outcome != Outcome::kFound) return second.outcome;
  EXPECT_EQ(first.optimality, Optimality::kProved);
  EXPECT_NEAR(first.completions[0].cost.total, second.cost, 1e-6) << printed(*problem, first.completions[0].tables);
  return second.outcome;
}

inline std::string each(int lanes, const std::string& body) {
  return fmt::format("  for (int i = 0; i < {}; i++) {{ {} }}", lanes, body);
}

}  // namespace swizzle
