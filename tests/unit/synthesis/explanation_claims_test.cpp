// What an explanation claims is true of every candidate: random small sketches, and every combination of tables.
#include <random>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/problem/pose.h"
#include "synth/search/solve.h"
#include "synth/synthesis/explanation.h"
#include "tests/unit/brute_force.h"

namespace swizzle::explanation_claims_test {
namespace {

constexpr int kLanes = 4;

// f(const int* x, const int* z, int* y) of this body on 4 lanes against this spec, posed.
struct Posed4 {
  Posed4(const std::string& body, const std::string& spec_body)
      : sketch(parse_kernel(
            SourceText("a.cu",
                       "#pragma swizzle launch grid(1) block(4)\n#pragma swizzle extent x(8)\n"
                       "#pragma swizzle extent z(8)\n"
                       "__global__ void f(const int* x, const int* z, int* y) {\n  int t = threadIdx.x;\n" +
                           body + "\n}\n"),
            "")),
        spec(parse_spec(SourceText("a.cpp", "void f(const int* x, const int* z, int* y) {\n" + spec_body + "\n}\n"),
                        "f")) {
    EXPECT_TRUE(sketch.ok()) << render(sketch.errors()[0]);
    EXPECT_TRUE(spec.ok()) << render(spec.errors()[0]);
    const auto posed = pose(*sketch, *spec, {}, problem);
    EXPECT_TRUE(posed.ok()) << render(posed.errors()[0]);
    collect_holes(*sketch, problem);
  }
  Result<Program> sketch, spec;
  Problem problem;
};

// By output: the elements that reach it, and what it is, over every combination of tables.
class Candidates {
 public:
  explicit Candidates(Problem& problem) : problem_(problem) {
    for (const auto& grammar : grammars_of(problem.holes))
      tables_.push_back(grammar ? grammar->within(Domains(problem.points), kAnyCost, 100'000).tables
                                : std::vector<HoleTable>(1));
  }

  const std::vector<HoleTable>& tables(std::size_t hole) const { return tables_[hole]; }

  void for_each(const std::function<void(const Assignment&)>& visit) {
    std::vector<std::size_t> sizes;
    for (const auto& tables : tables_) sizes.push_back(tables.size());
    Assignment assignment(problem_.points.size(), 0);
    for_each_combination(sizes, [&](const std::vector<std::size_t>& chosen) {
      for (std::size_t h = 0; h < chosen.size(); ++h)
        for (std::size_t i = 0; i < problem_.holes[h].points.size(); ++i)
          assignment[problem_.holes[h].points[i].value] = tables_[h][chosen[h]].values[i];
      visit(assignment);
      return true;
    });
  }

  bool is_solved_by_none() {
    bool none = true;
    for_each([&](const Assignment& a) { none = none && !solves(problem_, a); });
    return none;
  }

  // Whether some candidate brings the element "x[3]" to the output "y[1]".
  bool some_brings(const std::string& element, const std::string& output) {
    bool some = false;
    const Equation& e = equation_of(output);
    for_each([&](const Assignment& a) {
      PointId blocked;
      const Value v = problem_.provenance.normalize(problem_.provenance.resolve(e.actual, a, blocked));
      some = some ||
             (" " + problem_.provenance.describe(v, problem_.buffer_names) + " ").find(element) != std::string::npos;
    });
    return some;
  }

  // Whether some candidate makes all of these outputs what the spec stores.
  bool some_gives(const std::vector<std::string>& outputs) {
    bool some = false;
    for_each([&](const Assignment& a) {
      some = some || std::ranges::all_of(outputs, [&](const std::string& output) {
               const auto e = static_cast<std::size_t>(&equation_of(output) - problem_.equations.data());
               return equation_holds(problem_, e, a);
             });
    });
    return some;
  }

 private:
  const Equation& equation_of(const std::string& output) const {
    for (const Equation& e : problem_.equations)
      if (fmt::format("{}[{}]", problem_.buffer_names[e.buffer.value], e.slot) == output) return e;
    ADD_FAILURE() << "there is no output " << output;
    return problem_.equations[0];
  }

  Problem& problem_;
  std::vector<std::vector<HoleTable>> tables_;
};

std::vector<std::smatch> matches(const std::string& text, const std::regex& pattern) {
  return {std::sregex_iterator(text.begin(), text.end(), pattern), std::sregex_iterator()};
}

// "the ?sw_xform at 6:12 must be 1 for t = 1, 2 or 3 for 2, and no … is": no table of that hole has these values.
void check_demands(const std::string& text, const Problem& problem, const Candidates& candidates) {
  static const std::regex kDemand(R"((the \?sw_\w+ at \d+:\d+) must be (.*?), and no )");
  for (const std::smatch& m : matches(text, kDemand)) {
    const std::string demands = m[2];
    if (demands.find("more for") != std::string::npos || demands.find("values (") != std::string::npos) continue;
    static const std::regex kOne(R"(((?:\d+(?:, | or )?)+) for (?:[^=\d][^=]*= )?(\([-\d, ]+\)|-?\d+))");
    for (std::size_t h = 0; h < problem.holes.size(); ++h) {
      const HoleSpace& space = problem.holes[h];
      if (space.name != m[1]) continue;
      std::vector<std::pair<std::size_t, std::set<int>>> allowed;  // position, values
      for (const std::smatch& one : matches(demands, kOne)) {
        std::set<int> values;
        const std::string list = one[1];
        for (const std::smatch& v : matches(list, std::regex(R"(\d+)"))) values.insert(std::stoi(v.str()));
        std::vector<std::int64_t> at;
        const std::string arguments = one[2];
        for (const std::smatch& v : matches(arguments, std::regex(R"(-?\d+)"))) at.push_back(std::stoi(v.str()));
        for (std::size_t p = 0; p < space.arguments.size(); ++p)
          if (space.arguments[p] == at) allowed.emplace_back(p, values);
      }
      ASSERT_FALSE(allowed.empty()) << text;
      for (const HoleTable& table : candidates.tables(h)) {
        bool has_all = true;
        for (const auto& [p, values] : allowed) has_all = has_all && values.contains(table.values[p]);
        EXPECT_FALSE(has_all) << text;
      }
    }
  }
}

// How many claims of each kind were met.
struct Met {
  int nowhere = 0, elsewhere = 0, demands = 0, cannot = 0, clashing = 0;
};

void check_claims(const std::string& text, Problem& problem, Candidates& candidates, Met& met) {
  static const std::regex kNowhere(
      R"((y\[\d+\]), written by thread \d+, needs ([xz]\[\d+\]), which no choice of the holes)");
  for (const std::smatch& m : matches(text, kNowhere)) {
    ++met.nowhere;
    EXPECT_FALSE(candidates.some_brings(m[2], m[1])) << text;
  }
  static const std::regex kCannot(R"((y\[\d+\]), written by thread \d+, cannot become ([^;]*))");
  for (const std::smatch& m : matches(text, kCannot)) {
    ++met.cannot;
    if (m.str().find("while the others are served") == std::string::npos) {
      EXPECT_FALSE(candidates.some_gives({m[1]})) << text;
    }
  }
  static const std::regex kClashing(R"(no completion makes (.*), written by)"), kOutput(R"(y\[\d+\])");
  for (const std::smatch& m : matches(text, kClashing)) {
    ++met.clashing;
    std::vector<std::string> outputs;
    const std::string list = m[1];
    for (const std::smatch& output : matches(list, kOutput)) outputs.push_back(output.str());
    EXPECT_FALSE(candidates.some_gives(outputs)) << text;
  }
  met.elsewhere += text.find("no choice that brings it there serves all outputs") != std::string::npos ? 1 : 0;
  met.demands += text.find(" must be ") != std::string::npos ? 1 : 0;
  check_demands(text, problem, candidates);
}

const std::vector<std::string> kBodies = {
    "  y[t] = x[?sw_xform(t, 4)];",
    "  int r[2] = {x[t], x[t + 4]};\n  y[t] = r[?sw_part(2, t)];",
    "  int r[2] = {x[t], z[t]};\n  y[t] = __shfl_sync(~0u, r[?sw_part(2, t)], ?sw_xform(t, 4));",
    "  int s = 0;\n  for (int k = 0; k < 2; k++) if (?sw_cond(t, k)) s += x[4 * k + t];\n  y[t] = s;",
    "  int s = 0;\n  for (int k = 0; k < 2; k++) s += __shfl_sync(~0u, x[t], ?sw_xform(t, 4, k));\n  y[t] = s;",
    "  for (int k = 0; k < 2; k++) y[4 * k + t] = k == 0 ? x[?sw_xform(t, 4)] : z[?sw_xor(t, 4)];",
    "  int r[2] = {x[t], z[t]};\n  for (int k = 0; k < 2; k++) y[4 * k + ?sw_xform(t, 4)] = r[?sw_part(2, t, k)];",
    "  int a = __shfl_sync(~0u, x[t], ?sw_xform(t, 4));\n  y[t] = a + (?sw_cond(t) ? z[t] : x[t]);",
    "  int s = x[t];\n  for (int d = 1; d < 4; d *= 2) {\n    const int w = __shfl_sync(~0u, s, ?sw_xform(t, 4, d));\n"
    "    if (?sw_cond(t, d)) s += w;\n  }\n  y[t] = s;",
};

std::string element(std::mt19937& random) { return fmt::format("{}[{}]", random() % 2 == 0 ? "x" : "z", random() % 8); }

// Something like what the body can do, and wrong somewhere.
std::string random_spec(std::mt19937& random, bool is_sum, bool has_eight) {
  std::string text;
  const int turn = static_cast<int>(random() % 4), factor = random() % 2 == 0 ? 1 : 3;
  for (int i = 0; i < (has_eight ? 8 : kLanes); ++i) {
    std::string value = fmt::format("x[{}]", (factor * i + turn) % 4 + (has_eight ? i / 4 * 4 : 0));
    if (random() % 12 == 0) value = element(random);
    if (is_sum) value += " + " + (random() % 3 == 0 ? element(random) : fmt::format("x[{}]", (i + 1) % 4));
    text += fmt::format("  y[{}] = {};\n", i, value);
  }
  return text;
}

TEST(ExplanationClaims, AreTrueOfEveryCandidate) {
  std::mt19937 random(16);
  Met met;
  int infeasible = 0;
  for (int round = 0; round < 300; ++round) {
    const std::string& body = kBodies[random() % kBodies.size()];
    const bool is_sum = body.find("s += ") != std::string::npos || body.find("a + ") != std::string::npos;
    const bool has_eight = body.find("y[4 * k") != std::string::npos;
    const std::string spec = random_spec(random, is_sum, has_eight);
    SCOPED_TRACE(body + "\n" + spec);
    Posed4 posed(body, spec);
    const Solution solution = solve(posed.problem, {});
    Candidates candidates(posed.problem);
    ASSERT_EQ(solution.outcome == Outcome::kInfeasible, candidates.is_solved_by_none());
    if (solution.outcome != Outcome::kInfeasible) continue;
    ++infeasible;
    check_claims(solution.reason, posed.problem, candidates, met);
    check_claims(explain_infeasible(posed.problem, *posed.sketch, solution.reason, {}), posed.problem, candidates, met);
  }
  EXPECT_GT(infeasible, 50);
  EXPECT_GT(met.nowhere, 5);
  EXPECT_GT(met.elsewhere, 5);
  EXPECT_GT(met.demands, 2);
  EXPECT_GT(met.clashing, 5);
}

// Structures of arrays to arrays of structures of arrays: each output's element is brought there by some choice, but by
// none that brings the others theirs.
TEST(ExplanationClaims, WhatSomeChoiceBringsIsNotCalledUnreachable) {
  Posed4 posed("  int r[2] = {x[t], z[t]};\n  y[t] = __shfl_sync(~0u, r[?sw_part(2, t)], ?sw_xform(t, 4));",
               "  y[0] = x[0]; y[1] = z[0]; y[2] = x[1]; y[3] = z[1];");
  const Solution solution = solve(posed.problem, {});
  ASSERT_EQ(solution.outcome, Outcome::kInfeasible);
  const std::string text = explain_infeasible(posed.problem, *posed.sketch, solution.reason, {});
  EXPECT_EQ(text.find("which no choice of the holes brings there"), std::string::npos) << text;
}

}  // namespace
}  // namespace swizzle::explanation_claims_test
