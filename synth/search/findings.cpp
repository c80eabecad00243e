#include "synth/search/findings.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace swizzle {

void Findings::set_aside() {
  std::move(found.begin(), found.end(), std::back_inserter(aside));
  found.clear();
}

void Findings::take_back() {
  const auto tables_of = [](const Completion& c) {
    std::vector<std::vector<std::int16_t>> values;
    for (const HoleTable& table : c.tables) values.push_back(table.values);
    return values;
  };
  std::set<std::vector<std::vector<std::int16_t>>> known;
  for (const Completion& c : found) known.insert(tables_of(c));
  for (Completion& c : aside)
    if (known.insert(tables_of(c)).second) found.push_back(std::move(c));
  aside.clear();
}

std::optional<UnknownReason> Findings::cut(double best) const {
  if (out_of_memory) return UnknownReason::kOutOfMemory;
  if (timed_out) return UnknownReason::kTimeOfSearch;
  if (too_many_tables) return UnknownReason::kTooManyTables;
  return least_unlisted < best - kCostTolerance ? std::optional(UnknownReason::kLargerExpressions) : std::nullopt;
}

std::string Findings::why_cut(UnknownReason reason, const Problem& problem) const {
  const std::optional<std::size_t> hole = reason == UnknownReason::kTooManyTables       ? too_many_tables
                                          : reason == UnknownReason::kLargerExpressions ? unlisted
                                                                                        : std::nullopt;
  return unknown_text(reason, hole ? problem.holes[*hole].name : "");
}

Solution Findings::infeasible(const Problem& problem, const Conflict& conflict) {
  so_far.outcome = Outcome::kInfeasible;
  so_far.reason = explain(conflict, problem);
  return std::move(so_far);
}

std::string Findings::why_infeasible(const Problem& problem) const {
  if (hopeless) return explain(*hopeless, problem);
  if (excluded)
    return explain({SumConstraint::npos, 0, {}, 0, 0, SumConstraint::npos, false, HoleId(*excluded)}, problem);
  if (deepest) return explain(*deepest, problem);
  return std::string(kNoSingleReason);
}

Solution Findings::conclude(const Problem& problem, const SolveOptions& options, double best) {
  const auto ended_by = cut(best);
  if (ended_by || found.empty()) take_back();
  std::stable_sort(found.begin(), found.end(),
                   [](const Completion& a, const Completion& b) { return a.cost.total < b.cost.total; });
  const bool has_enough = options.first_only || (options.all > 0 && found.size() >= options.all);
  found.resize(std::min(found.size(), std::max<std::size_t>(1, options.all)));
  so_far.exhausted = !ended_by && !has_enough;
  if (ended_by && (found.empty() || !has_enough)) {
    so_far.unknown = *ended_by;
    so_far.reason = why_cut(*ended_by, problem);
  }
  so_far.completions = std::move(found);
  if (!so_far.completions.empty()) {
    so_far.outcome = Outcome::kFound;
    so_far.optimality = options.first_only || options.all > 0 ? Optimality::kNotAsked
                        : ended_by                            ? Optimality::kBestFound
                                                              : Optimality::kProved;
    return std::move(so_far);
  }
  so_far.outcome = ended_by ? Outcome::kUnknown : Outcome::kInfeasible;
  if (!ended_by) so_far.reason = why_infeasible(problem);
  return std::move(so_far);
}

}  // namespace swizzle
