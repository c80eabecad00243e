#include "synth/problem/permutations.h"

#include <algorithm>

namespace swizzle {
namespace {

bool is_choice(const Problem& problem, Value v) {
  return v.is_node() && problem.provenance.node(v).kind == Node::Kind::kChoice;
}

// A violation by two points, without what cannot happen.
Value pruned(Problem& problem, Value violation) {
  const Node first = problem.provenance.node(violation);  // copies: choices add nodes
  std::vector<Value> alternatives(first.children().begin(), first.children().end());
  for (std::size_t a = 0; a < alternatives.size(); ++a) {
    if (!is_choice(problem, alternatives[a])) continue;
    const Node second = problem.provenance.node(alternatives[a]);
    if (a >= second.children().size() || !never_equal(problem, PointId(first.tag), PointId(second.tag))) continue;
    std::vector<Value> left(second.children().begin(), second.children().end());
    left[a] = Value::integer(0);
    alternatives[a] = problem.provenance.choice(PointId(second.tag), left);
  }
  return problem.provenance.choice(PointId(first.tag), alternatives);
}

}  // namespace

bool never_equal(const Problem& problem, PointId p, PointId q) {
  const HoleId hole = problem.points[p].hole;
  const Arguments &a = problem.points.arguments(p), &b = problem.points.arguments(q);
  return hole == problem.points[q].hole && problem.holes[hole.value].traits().permutes_index && a[0] != b[0] &&
         std::equal(a.begin() + 1, a.end(), b.begin() + 1, b.end());
}

void drop_fulfilled(Problem& problem) {
  if (std::none_of(problem.holes.begin(), problem.holes.end(),
                   [](const HoleSpace& h) { return h.traits().permutes_index; }))
    return;
  for (Requirement& requirement : problem.requirements)
    if (is_choice(problem, requirement.violation)) requirement.violation = pruned(problem, requirement.violation);
  std::erase_if(problem.requirements, [](const Requirement& r) { return truth(r.violation) == false; });
}

}  // namespace swizzle
