// Brute force: what all assignments of a small Problem say, one by one, as the measure of what the engine says at once.
//
//   points P0, P1 of 2 values each, y[0]: P0 ? x[1] : x[0] is x[1]:    solutions (1, 0), (1, 1)
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "synth/bounds/table_costs.h"
#include "synth/problem/stores.h"
#include "synth/tables/tables.h"

namespace swizzle {

// Every way to choose one of sizes[i] for each i; ends where `visit` says false.
inline void for_each_combination(const std::vector<std::size_t>& sizes,
                                 const std::function<bool(const std::vector<std::size_t>&)>& visit) {
  if (std::count(sizes.begin(), sizes.end(), 0u) > 0) return;
  std::vector<std::size_t> chosen(sizes.size(), 0);
  for (bool more = true; more && visit(chosen);) {
    more = false;
    for (std::size_t i = 0; i < sizes.size() && !more; ++i) {
      more = ++chosen[i] < sizes[i];
      if (!more) chosen[i] = 0;
    }
  }
}

inline bool equation_holds(Problem& problem, std::size_t equation, const Assignment& assignment) {
  PointId blocked;
  const Equation& e = problem.equations[equation];
  return e.holds(problem.provenance.normalize(problem.provenance.resolve(e.actual, assignment, blocked)));
}

inline bool requirement_holds(Problem& problem, std::size_t requirement, const Assignment& assignment) {
  PointId blocked;
  return truth(problem.provenance.resolve(problem.requirements[requirement].violation, assignment, blocked)) == false;
}

// Whether the assignment is a solution, whatever the holes' grammars say of it.
inline bool solves(Problem& problem, const Assignment& assignment) {
  for (std::size_t e = 0; e < problem.equations.size(); ++e)
    if (!equation_holds(problem, e, assignment)) return false;
  for (std::size_t r = 0; r < problem.requirements.size(); ++r)
    if (!requirement_holds(problem, r, assignment)) return false;
  return stores_agree(problem, assignment);
}

inline void for_each_assignment(const Problem& problem, const std::function<void(const Assignment&)>& visit) {
  std::vector<std::size_t> sizes;
  for (std::size_t p = 0; p < problem.points.size(); ++p)
    sizes.push_back(static_cast<std::size_t>(problem.points[PointId(p)].domain));
  for_each_combination(sizes, [&](const std::vector<std::size_t>& chosen) {
    visit(Assignment(chosen.begin(), chosen.end()));
    return true;
  });
}

inline std::vector<Assignment> solutions_of(Problem& problem) {
  std::vector<Assignment> solutions;
  for_each_assignment(problem, [&](const Assignment& a) {
    if (solves(problem, a)) solutions.push_back(a);
  });
  return solutions;
}

// What is left of every point, as one set of values each.
inline std::vector<Domains::Word> left_of(const Domains& domains) {
  std::vector<Domains::Word> left;
  for (std::size_t p = 0; p < domains.points(); ++p) left.push_back(*domains.values(PointId(p)));
  return left;
}

inline bool lies_within(const Assignment& assignment, const Domains& domains) {
  for (std::size_t p = 0; p < assignment.size(); ++p)
    if (!domains.allows(PointId(p), assignment[p])) return false;
  return true;
}

// Every completion, by the tables of its holes' grammars, with what it costs.
struct Completed {
  std::vector<HoleTable> tables;
  double cost;
};

inline std::vector<Completed> completions_of(Problem& problem, const IssueCosts& machine = {}) {
  const auto grammars = grammars_of(problem.holes);
  std::vector<std::vector<HoleTable>> tables;
  std::vector<std::size_t> sizes;
  for (const auto& grammar : grammars) {
    tables.push_back(grammar ? grammar->within(Domains(problem.points), kAnyCost, 1'000'000).tables
                             : std::vector<HoleTable>(1));
    sizes.push_back(tables.back().size());
  }
  std::vector<Completed> found;
  const TableCosts costs(problem, machine);
  Assignment assignment(problem.points.size(), 0);
  for_each_combination(sizes, [&](const std::vector<std::size_t>& chosen) {
    for (std::size_t h = 0; h < chosen.size(); ++h)
      for (std::size_t i = 0; i < problem.holes[h].points.size(); ++i)
        assignment[problem.holes[h].points[i].value] = tables[h][chosen[h]].values[i];
    if (!solves(problem, assignment)) return true;
    found.push_back({});
    for (std::size_t h = 0; h < chosen.size(); ++h) found.back().tables.push_back(tables[h][chosen[h]]);
    found.back().cost = costs.total(found.back().tables).total;
    return true;
  });
  return found;
}

inline double least_cost(const std::vector<Completed>& completions) {
  double least = std::numeric_limits<double>::infinity();
  for (const Completed& c : completions) least = std::min(least, c.cost);
  return least;
}

}  // namespace swizzle
