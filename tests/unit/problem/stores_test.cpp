#include "synth/problem/stores.h"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/problem/pose.h"
#include "synth/search/solve.h"

namespace swizzle::stores_test {
namespace {

// A kernel f(const int* x, int* y) on few lanes, which know their `lane`, and its spec.
struct Posing {
  Posing(int lanes, const std::string& kernel, const std::string& spec) {
    const std::string text =
        "#pragma swizzle launch grid(1) block(" + std::to_string(lanes) +
        ")\n#pragma swizzle extent x(16)\n#pragma swizzle extent y(8)\n__global__ void f(const int* x, int* y) {\n" +
        "  const int lane = threadIdx.x;\n" + kernel + "\n}\n";
    const auto sketch = parse_kernel(SourceText("a.cu", text), "");
    const auto expected = parse_spec(SourceText("a.cpp", "void f(const int* x, int* y) { " + spec + " }"), "f");
    EXPECT_TRUE(sketch.ok() && expected.ok());
    if (!sketch.ok() || !expected.ok()) return;
    const auto size = pose(*sketch, *expected, {}, problem);
    is_posed = size.ok();
    if (!is_posed) message = size.errors()[0].message;
    else collect_holes(*sketch, problem);
  }

  bool accepts(const Assignment& assignment) {
    PointId blocked;
    for (const Equation& e : problem.equations)
      if (!(problem.provenance.normalize(problem.provenance.resolve(e.actual, assignment, blocked)) == e.expected))
        return false;
    for (const Requirement& r : problem.requirements)
      if (truth(problem.provenance.resolve(r.violation, assignment, blocked)) != false) return false;
    return stores_agree(problem, assignment);
  }

  // All assignments, point by point.
  template <typename Check>
  void for_each(Check&& check) {
    Assignment assignment(problem.points.size(), 0);
    for (bool more = true; more;) {
      check(assignment);
      more = false;
      for (std::size_t p = 0; p < assignment.size() && !more; ++p) {
        more = ++assignment[p] < problem.points[PointId(p)].domain;
        if (!more) assignment[p] = 0;
      }
    }
  }

  Problem problem;
  bool is_posed = false;
  std::string message;
};

// A thread stores the element of x to the slot of y, one after another.
struct Executed {
  int thread, slot, element;
};

// Whether these stores leave what is expected, whichever thread comes last.
bool leaves(const std::vector<Executed>& stores, const std::map<int, int>& expected) {
  std::map<int, std::set<int>> threads, elements;
  std::map<int, int> last;
  for (const Executed& s : stores) {
    threads[s.slot].insert(s.thread);
    elements[s.slot].insert(s.element);
    last[s.slot] = s.element;
  }
  for (const auto& [slot, who] : threads)
    if (who.size() > 1 && elements[slot].size() > 1) return false;
  return last == expected;
}

TEST(Stores, AreAcceptedAsTheyExecute) {
  Posing posing(4, "  y[?sw_xform(lane, 4)] = x[lane];", "for (int i = 0; i < 4; i++) y[i] = x[i];");
  ASSERT_TRUE(posing.is_posed) << posing.message;
  std::size_t accepted = 0;
  posing.for_each([&](const Assignment& a) {
    std::vector<Executed> stores;
    for (int t = 0; t < 4; ++t) stores.push_back({t, a[static_cast<std::size_t>(t)], t});
    const bool right = leaves(stores, {{0, 0}, {1, 1}, {2, 2}, {3, 3}});
    EXPECT_EQ(posing.accepts(a), right);
    accepted += right;
  });
  EXPECT_EQ(accepted, 1u);
}

TEST(Stores, TwoThreadsMayStoreTheSameToASlot) {
  Posing posing(4, "  y[?sw_xform(lane % 2, 2, lane / 2)] = x[lane % 2];",
                "for (int i = 0; i < 2; i++) y[i] = x[1 - i];");
  ASSERT_TRUE(posing.is_posed) << posing.message;
  std::size_t accepted = 0;
  posing.for_each([&](const Assignment& a) {
    std::vector<Executed> stores;
    for (int t = 0; t < 4; ++t) stores.push_back({t, a[static_cast<std::size_t>(t)], t % 2});
    const bool right = leaves(stores, {{0, 1}, {1, 0}});
    EXPECT_EQ(posing.accepts(a), right);
    accepted += right;
  });
  EXPECT_EQ(accepted, 1u);
  EXPECT_EQ(solve(posing.problem, {}).outcome, Outcome::kFound);
}

// Points in the order in which they are asked: both stores of a statement before the next.
TEST(Stores, AThreadMayOverwriteItsOwn) {
  Posing posing(2, "  y[?sw_xform(lane, 4)] = x[2 + lane];\n  y[?sw_xform(lane, 4)] = x[lane];",
                "for (int i = 0; i < 2; i++) y[i] = x[1 - i];");
  ASSERT_TRUE(posing.is_posed) << posing.message;
  std::size_t accepted = 0;
  posing.for_each([&](const Assignment& a) {
    const bool right = leaves({{0, a[0], 2}, {1, a[1], 3}, {0, a[2], 0}, {1, a[3], 1}}, {{0, 1}, {1, 0}});
    EXPECT_EQ(posing.accepts(a), right);
    accepted += right;
  });
  EXPECT_EQ(accepted, 1u);
  EXPECT_EQ(solve(posing.problem, {}).outcome, Outcome::kFound);
}

TEST(Stores, OfValuesThatHolesDecideAreToldByTheCompletion) {
  Posing posing(2, "  y[?sw_xform(lane, 2)] = __shfl_sync(~0u, x[lane], ?sw_xform(lane, 2));",
                "for (int i = 0; i < 2; i++) y[i] = x[1 - i];");
  ASSERT_TRUE(posing.is_posed) << posing.message;
  std::size_t accepted = 0;
  posing.for_each([&](const Assignment& a) {  // the addresses are asked after the values
    std::map<HoleId, std::vector<int>> values;
    for (std::size_t p = 0; p < a.size(); ++p) values[posing.problem.points[PointId(p)].hole].push_back(a[p]);
    std::vector<int> to = values[HoleId(0)], from = values[HoleId(1)];
    const bool right = leaves({{0, to[0], from[0]}, {1, to[1], from[1]}}, {{0, 1}, {1, 0}});
    EXPECT_EQ(posing.accepts(a), right);
    accepted += right;
  });
  EXPECT_EQ(accepted, 2u);
}

TEST(Stores, AWrongOneIsToldWithThreadValueAndSlot) {
  Posing posing(4, "  y[?sw_xform(lane, 4)] = x[lane];", "for (int i = 0; i < 4; i++) y[i] = x[3 - i];");
  ASSERT_TRUE(posing.is_posed) << posing.message;
  std::set<std::string> messages;
  for (const Requirement& r : posing.problem.requirements) messages.insert(r.message);
  EXPECT_TRUE(messages.contains("thread 0 stores x[0] to 'y[0]', where the spec has x[3]"));
}

TEST(Stores, PastWhatTheSpecWritesAreToldWithThreadAndSlot) {
  Posing posing(2, "  y[?sw_xform(lane, 4)] = x[lane];", "for (int i = 0; i < 2; i++) y[i] = x[1 - i];");
  ASSERT_TRUE(posing.is_posed) << posing.message;
  std::set<std::string> messages;
  for (const Requirement& r : posing.problem.requirements) messages.insert(r.message);
  EXPECT_TRUE(messages.contains("thread 1 stores to 'y[2]', which the spec does not write"));
}

TEST(Stores, WithoutHolesThatDifferAreAnError) {
  Posing posing(2, "  y[0] = x[lane];\n  y[1] = __shfl_sync(~0u, x[lane], ?sw_xform(0, 2));",
                "y[0] = x[0]; y[1] = x[1];");
  EXPECT_FALSE(posing.is_posed);
  EXPECT_EQ(posing.message, "'y[0]' is written twice with different values");
}

TEST(Stores, OfTheSameFetchByAllLanesAreNoError) {
  Posing posing(2, "  y[0] = __shfl_sync(~0u, x[lane], ?sw_xform(lane, 2));", "y[0] = x[1];");
  ASSERT_TRUE(posing.is_posed) << posing.message;
  const Solution solution = solve(posing.problem, {});
  ASSERT_EQ(solution.outcome, Outcome::kFound) << solution.reason;
  EXPECT_EQ(solution.completions[0].tables[0].values, (std::vector<std::int16_t>{1, 1}));
}

}  // namespace
}  // namespace swizzle::stores_test
