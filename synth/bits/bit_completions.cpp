#include "synth/bits/bit_completions.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "synth/problem/bit_equations.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

constexpr int kFewValues = 8;  // of a constant: an exponent, or a place in a list

}  // namespace

std::pair<std::vector<int>, std::size_t> likely_values(const Program& sketch, const Problem& problem,
                                                       const Domains& domains, PointId point) {
  std::vector<int> values;
  for (int v = 0; v < problem.points[point].domain; ++v)
    if (domains.allows(point, v)) values.push_back(v);
  if (problem.holes[problem.points[point].hole.value].traits().is_word()) return {values, values.size()};
  const HoleId hole = problem.points[point].hole;
  const auto is_free = [&](int v) {
    return std::ranges::none_of(problem.holes[hole.value].points, [&](PointId p) {
      return !(p == point) && domains.count(p) == 1 && domains.first(p) == v;
    });
  };
  const auto moves_a_bit = [&](int v) {
    const std::int64_t number = sketch.hole(hole).low + v;
    const bool is_one_of_few = problem.points[point].domain <= kFewValues;
    return is_one_of_few || (number > 0 && std::has_single_bit(static_cast<std::uint64_t>(number)));
  };
  const auto taken = std::ranges::stable_partition(values, is_free);
  const auto unlikely = std::stable_partition(values.begin(), taken.begin(), moves_a_bit);
  return {values, static_cast<std::size_t>(std::max<std::ptrdiff_t>(unlikely - values.begin(), 1))};
}

WrongEquations wrong_equations(Problem& problem, const std::vector<std::size_t>& equations,
                               const Assignment& assignment) {
  WrongEquations wrong;
  PointId blocked;
  DecidedValues known;
  Provenance& provenance = problem.provenance;
  for (const std::size_t e : equations) {
    const Equation& equation = problem.equations[e];
    const Value resolved = provenance.resolve(equation.actual, assignment, blocked, known);
    const Value actual = trimmed(provenance, equation.scalar, provenance.normalize(resolved));
    if (equation.holds(actual)) continue;
    wrong.equations.push_back(e);
    wrong.is_known = wrong.is_known && is_followed(provenance, actual);
  }
  return wrong;
}

}  // namespace swizzle
