#include "synth/synthesis/constant_search.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>

#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/oracle/second_opinion.h"

namespace swizzle::constant_search_test {
namespace {

// Sketch and spec of f(const int* x, int* y) on 8 lanes that know their `lane`; x has 32 elements.
class Task {
 public:
  Task(const std::string& sketch, const std::string& spec)
      : sketch_(parse_kernel(
            SourceText(
                "a.cu",
                "#pragma swizzle launch grid(1) block(8)\n#pragma swizzle extent x(32)\n__global__ void f(const int* x, int* y) {\n  const int lane = threadIdx.x;\n" +
                    sketch + "\n}\n"),
            "")),
        spec_(parse_spec(SourceText("a.cpp", "void f(const int* x, int* y) {\n" + spec + "\n}\n"), "f")) {
    EXPECT_TRUE(sketch_.ok()) << render(sketch_.errors()[0]);
    EXPECT_TRUE(spec_.ok()) << render(spec_.errors()[0]);
  }
  SynthesisTask task(const Deadline& deadline = {}, std::size_t jobs = 1) const {
    return {*sketch_, *spec_, {{}}, deadline, {}, jobs};
  }

  SynthesisSolution solve(const SolveOptions& options = {}, std::size_t jobs = 1) const {
    auto assignments = pose_assignments(task({}, jobs));
    EXPECT_TRUE(assignments.ok());
    return assignments.ok() ? solve_assignments(task({}, jobs), *assignments, options) : SynthesisSolution{};
  }

  std::string explanation() const {
    auto assignments = pose_assignments(task());
    EXPECT_TRUE(assignments.ok());
    if (!assignments.ok()) return "";
    SynthesisSolution s = solve_assignments(task(), *assignments, {});
    EXPECT_EQ(s.solution.outcome, Outcome::kInfeasible);
    return explain_infeasible(task(), *assignments, s);
  }

 private:
  Result<Program> sketch_, spec_;
};

const char* const kStencil = "  for (int i = 0; i < 8; i++) y[i] = x[i] + x[i + 1] + x[i + 2];";

Task stencil(const std::string& offset, const std::string& registers) {
  return {"  const int offset = " + offset + ", registers = " + registers + R"(;
  int r[registers], sum = 0;
  for (int i = 0; i < registers; i++) r[i] = x[offset + 8 * i + lane];
  for (int k = 0; k < 3; k++) sum += __shfl_sync(~0u, r[?sw_part(registers, lane, k)], ?sw_xform(lane, 8, k));
  y[lane] = sum;)",
          kStencil};
}

std::vector<std::int64_t> constants(const SynthesisSolution& s) {
  std::vector<std::int64_t> values;
  if (!s.best) return values;
  for (std::size_t h = 0; h < s.best->sketch.holes.size(); ++h)
    if (s.best->sketch.holes[h].kind == HoleKind::kConst)
      values.push_back(s.solution.completions[0].tables[h].expression.value);
  return values;
}

TEST(ConstantSearch, TakesTheFewestRegisters) {
  const SynthesisSolution s = stencil("?sw_const(-2, 3)", "?sw_const(1, 4)").solve();
  ASSERT_EQ(s.solution.outcome, Outcome::kFound);
  EXPECT_EQ(s.solution.optimality, Optimality::kProved);
  EXPECT_EQ(constants(s), (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(s.solution.completions[0].cost.loads, 2);
}

TEST(ConstantSearch, OrdersStructuresByWhatTheyMustIssue) {
  const Task task = stencil("?sw_const(-2, 3)", "?sw_const(1, 4)");
  const auto assignments = pose_assignments(task.task());
  ASSERT_TRUE(assignments.ok());
  EXPECT_EQ(assignments->size(), 15u);
  EXPECT_EQ(assignments->rejected.size(), 6u);  // negative offsets leave x
  EXPECT_EQ(assignments->lacking, 7u);          // offsets 1 and 2, and one register
  EXPECT_TRUE(std::is_sorted(assignments->posed.begin(), assignments->posed.end(),
                             [](const auto& a, const auto& b) { return a.bound < b.bound; }));
  EXPECT_EQ(assignments->first->assignment, assignments->posed[0].assignment);
}

TEST(ConstantSearch, JobsChangeNothingThatIsProved) {
  for (std::size_t jobs : {2u, 5u, 64u}) {
    const SynthesisSolution s = stencil("?sw_const(-2, 3)", "?sw_const(1, 4)").solve({}, jobs);
    ASSERT_EQ(s.solution.outcome, Outcome::kFound);
    EXPECT_EQ(s.solution.optimality, Optimality::kProved);
    EXPECT_EQ(constants(s), (std::vector<std::int64_t>{0, 2}));
    EXPECT_EQ(s.solution.raw_space, stencil("?sw_const(-2, 3)", "?sw_const(1, 4)").solve().solution.raw_space);
  }
}

TEST(ConstantSearch, OfEquallyCheapStructuresTheFirstIsTaken) {
  for (std::size_t jobs : {1u, 3u, 40u}) {
    const SynthesisSolution s =
        Task("  y[lane] = x[(lane + ?sw_const(-40, 40)) & 7];", "  for (int i = 0; i < 8; i++) y[i] = x[(i + 5) % 8];")
            .solve({}, jobs);
    EXPECT_EQ(constants(s), std::vector<std::int64_t>{-3});
  }
}

// Each assignment by Z3 alone, and the least of them.
TEST(ConstantSearch, AgreesWithTheSecondOpinionOnEachStructure) {
  const Task task = stencil("?sw_const(0, 2)", "?sw_const(1, 4)");
  auto assignments = pose_assignments(task.task());
  ASSERT_TRUE(assignments.ok());
  double least = INFINITY;
  const auto every = constant_assignments(task.task().sketch);
  for (const ConstantAssignment& assignment : *every) {
    const auto sketch = specialize(task.task().sketch, assignment);
    Problem problem;
    ASSERT_TRUE(pose(*sketch, task.task().spec, {}, problem).ok());
    collect_holes(*sketch, problem);
    const SecondOpinion opinion = ask_z3(problem, IssueCosts{}, 20);
    ASSERT_NE(opinion.outcome, Outcome::kUnknown) << opinion.reason;
    if (opinion.outcome != Outcome::kFound) continue;
    EXPECT_TRUE(std::any_of(assignments->posed.begin(), assignments->posed.end(),
                            [&](const auto& p) { return p.assignment == assignment && p.bound <= opinion.cost; }));
    least = std::min(least, opinion.cost);
  }
  const SynthesisSolution s = solve_assignments(task.task(), *assignments, {});
  ASSERT_EQ(s.solution.outcome, Outcome::kFound);
  EXPECT_NEAR(s.solution.completions[0].cost.total, least, 1e-6);
}

TEST(ConstantSearch, ListsCompletionsOfAllStructures) {
  SolveOptions options;
  options.all = 100;
  const Task task("  y[lane] = x[(lane + ?sw_const(0, 16)) % 8];",
                  "  for (int i = 0; i < 8; i++) y[i] = x[(i + 3) % 8];");
  const SynthesisSolution s = task.solve(options);
  ASSERT_EQ(s.solution.completions.size(), 2u);
  EXPECT_EQ(s.solution.optimality, Optimality::kNotAsked);
  EXPECT_EQ(s.solution.completions[0].tables[0].expression.value, 3);
  EXPECT_EQ(s.solution.completions[1].tables[0].expression.value, 11);
}

TEST(ConstantSearch, ExplainsByTheStructureThatLacksLeast) {
  EXPECT_EQ(
      stencil("?sw_const(1, 4)", "?sw_const(1, 4)").explanation(),
      "none of the 9 values of ?sw_const has a completion; with ?sw_const at 5:22 = 1 and at 5:51 = 2, which comes closest, "
      "y[0], written by thread 0, needs x[0], which no choice of the holes brings there");
}

TEST(ConstantSearch, IsInfeasibleIfEveryStructureBreaksARule) {
  EXPECT_EQ(
      Task("  y[lane] = x[lane - ?sw_const(1, 4)];", "  for (int i = 0; i < 8; i++) y[i] = x[i];").explanation(),
      "none of the 3 values of ?sw_const has a completion; with ?sw_const at 5:22 = 1, which comes closest, index -1 is outside 'x', before its start at 5:13");
}

TEST(ConstantSearch, AFaultThatNoConstantDecidesIsAnError) {
  const Task task("  y[lane] = x[lane - 1] + ?sw_const(1, 4);", "  for (int i = 0; i < 8; i++) y[i] = x[i];");
  const auto assignments = pose_assignments(task.task());
  ASSERT_FALSE(assignments.ok());
  EXPECT_NE(render(assignments.errors()[0]).find("index -1 is outside 'x'"), std::string::npos);
}

TEST(ConstantSearch, ADivisionByZeroIsNoCompletion) {
  const SynthesisSolution s =
      Task("  y[lane] = x[lane / ?sw_const(0, 4)];", "  for (int i = 0; i < 8; i++) y[i] = x[i / 2];").solve();
  ASSERT_EQ(s.solution.outcome, Outcome::kFound);
  EXPECT_EQ(constants(s), std::vector<std::int64_t>{2});
}

TEST(ConstantSearch, ADeadlineEndsItWithoutAnAnswer) {
  const Task task = stencil("?sw_const(0, 3)", "?sw_const(1, 4)");
  auto assignments = pose_assignments(task.task());
  ASSERT_TRUE(assignments.ok());
  SolveOptions options;
  options.deadline = Deadline(-1);
  const SynthesisSolution s = solve_assignments(task.task(Deadline(-1)), *assignments, options);
  EXPECT_EQ(s.solution.outcome, Outcome::kUnknown);
  EXPECT_EQ(s.solution.reason, "the time limit ended the search");
  EXPECT_FALSE(pose_assignments(task.task(Deadline(-1))).ok());
}

TEST(ConstantSearch, WhatOneStructureGaveIsNotLostWithTheNext) {
  const Task task("  y[lane] = x[(lane + ?sw_const(0, 16)) % 8];",
                  "  for (int i = 0; i < 8; i++) y[i] = x[(i + 3) % 8];");
  for (const std::size_t jobs : {1u, 4u}) {
    SolveOptions options;
    options.all = 100;
    std::atomic<int> calls = 0;
    options.when_found = [&] {
      if (++calls == 2) throw std::bad_alloc();
    };
    const SynthesisSolution s = task.solve(options, jobs);
    ASSERT_EQ(s.solution.outcome, Outcome::kFound);
    EXPECT_EQ(s.solution.completions.size(), 2u);  // the second was found, and then memory ended
    EXPECT_EQ(s.solution.reason, "the search needs more than half of the memory");
  }
}

TEST(ConstantSearch, CountsTheSpaceOfAllStructures) {
  const Task one("  y[lane] = x[?sw_xform(lane, 8)];", "  for (int i = 0; i < 8; i++) y[i] = x[i];");
  const Task four("  y[lane] = x[?sw_xform(lane, 8) + ?sw_const(0, 4)];", "  for (int i = 0; i < 8; i++) y[i] = x[i];");
  EXPECT_NEAR(four.solve().solution.raw_space, one.solve().solution.raw_space + std::log10(4), 1e-9);
  EXPECT_NEAR(*distinct_space_log10(*pose_assignments(four.task())),
              *distinct_space_log10(*pose_assignments(one.task())) + std::log10(4), 1e-9);
}

}  // namespace
}  // namespace swizzle::constant_search_test
