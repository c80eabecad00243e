#include "synth/bounds/guarded_issues.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace swizzle {
namespace {

constexpr int kMostLiteralValues = 64;  // of a Literal

void add_counts(Counts& all, const Counts& more) {
  all.shuffles += more.shuffles;
  all.accumulates += more.accumulates;
  all.multiplies += more.multiplies;
  all.shared_wavefronts += more.shared_wavefronts;
  all.loads += more.loads;
}

}  // namespace

double cost_of(const Counts& counts, const IssueCosts& machine) {
  return counts.shuffles * machine.shuffle + counts.accumulates * machine.accumulate +
         counts.multiplies * machine.multiply + counts.shared_wavefronts * machine.shared_wavefront +
         counts.loads * machine.load;
}

GuardedIssues::GuardedIssues(const Problem& problem, const IssueCosts& machine)
    : problem_(problem),
      position_(problem.points.size(), 0),
      of_hole_(problem.holes.size()),
      issued_at_(2 * problem.points.size()) {
  for (const HoleSpace& space : problem.holes)
    for (std::size_t p = 0; p < space.points.size(); ++p)
      position_[space.points[p].value] = static_cast<std::uint32_t>(p);
  for (const GuardedIssue& issue : problem.guarded) {
    costs_.push_back(cost_of(issue.counts, machine));
    add(static_cast<std::uint32_t>(costs_.size() - 1));
  }
  for (OfHole& of : of_hole_) {
    std::ranges::sort(of.asked);
    const auto repeated = std::ranges::unique(of.asked);
    of.asked.erase(repeated.begin(), repeated.end());
  }
  number_shapes();
  find_least();
}

void GuardedIssues::find_points(Value guard, std::vector<PointId>& points) const {
  if (!guard.is_node() || problem_.provenance.node(guard).kind != Node::Kind::kChoice) return;
  const Node& node = problem_.provenance.node(guard);
  points.push_back(PointId(node.tag));
  for (const Value& child : node.children()) find_points(child, points);
}

std::vector<PointId> GuardedIssues::points_of(std::uint32_t number) const {
  std::vector<PointId> points;
  for (const Value& guard : problem_.guarded[number].guards) find_points(guard, points);
  return points;
}

void GuardedIssues::add(std::uint32_t number) {
  Issue issue{number, {}, {}};
  std::optional<std::size_t> decides;
  bool is_joint = false;
  for (const Value& guard : problem_.guarded[number].guards) {
    std::vector<PointId> points;
    find_points(guard, points);
    for (PointId p : points) {
      const std::size_t hole = problem_.points[p].hole.value;
      is_joint |= decides && *decides != hole;
      decides = hole;
      of_hole_[hole].asked.push_back(position_[p.value]);
    }
    if (points.size() == 1 && problem_.points[points[0]].domain <= kMostLiteralValues) {
      Literal literal{position_[points[0].value], 0};
      const Node& node = problem_.provenance.node(guard);
      for (std::size_t v = 0; v < node.children().size(); ++v)
        if (is_issued_at(node.children()[v])) literal.values |= std::uint64_t{1} << v;
      issue.literals.push_back(literal);
    } else issue.trees.push_back(guard);
  }
  if (is_joint) return joint_.push_back(number);
  if (!decides) return;
  for (const Literal& literal : issue.literals)
    if (literal.values == 1 || literal.values == 2)
      issued_at_[2 * problem_.holes[*decides].points[literal.position].value + (literal.values == 2 ? 1 : 0)].push_back(
          number);
  of_hole_[*decides].all += costs_[number];
  of_hole_[*decides].issues.push_back(std::move(issue));
}

// The least that one point that is not 0 makes its hole issue; or that a point does, whatever it is: one of two
// branches.
void GuardedIssues::find_least() {
  for (std::size_t h = 0; h < of_hole_.size(); ++h) {
    OfHole& of = of_hole_[h];
    std::vector<double> at(problem_.holes[h].points.size(), 0);
    for (const Issue& issue : of.issues)
      for (const Literal& literal : issue.literals)
        if ((literal.values & 1) == 0 && problem_.holes[h].domain == 2) at[literal.position] += costs_[issue.number];
    if (at.empty() || of.issues.empty()) continue;
    std::map<std::uint32_t, std::pair<const Issue*, std::uint64_t>> waiting;  // by position: an issue, and when
    std::set<const Issue*> paired;
    double either = 0;
    const std::uint64_t all =
        ~std::uint64_t{0} >> (kMostLiteralValues - std::min(kMostLiteralValues, problem_.holes[h].domain));
    for (const Issue& issue : of.issues)
      for (const Literal& literal : issue.literals) {
        const auto [other, fresh] = waiting.try_emplace(literal.position, &issue, literal.values);
        if (fresh || (other->second.second | literal.values) != all || problem_.holes[h].domain > kMostLiteralValues)
          continue;
        if (other->second.first == &issue || paired.contains(&issue) || paired.contains(other->second.first)) continue;
        paired.insert({&issue, other->second.first});
        either += std::min(costs_[issue.number], costs_[other->second.first->number]);
      }
    of.least_of_active = std::max(std::ranges::min(at), either);
  }
}

void GuardedIssues::number_shapes() {
  using Guard = std::tuple<std::uint32_t, std::uint64_t>;
  std::map<std::vector<std::pair<double, std::vector<Guard>>>, std::uint32_t> shapes;
  std::uint32_t last = 0;
  for (OfHole& of : of_hole_) {
    if (of.asked.empty()) continue;
    std::vector<std::pair<double, std::vector<Guard>>> key;
    bool is_plain = true;
    double own = 0;
    for (const Issue& issue : of.issues) {
      own += costs_[issue.number];
      std::vector<Guard> guards;
      for (const Literal& literal : issue.literals) guards.emplace_back(literal.position, literal.values);
      std::ranges::sort(guards);
      key.emplace_back(costs_[issue.number], std::move(guards));
      is_plain &= issue.trees.empty();
    }
    std::ranges::sort(key);
    for (std::uint32_t number : joint_)
      for (PointId p : points_of(number)) is_plain &= &of_hole_[problem_.points[p].hole.value] != &of;
    if (!is_plain) {
      of.shape = ++last;
      continue;
    }
    const auto [known, fresh] = shapes.try_emplace(std::move(key), last + 1);
    last += fresh ? 1 : 0;
    of.shape = known->second;
  }
}

bool GuardedIssues::is_issued(const Issue& issue, const std::vector<std::int16_t>& values) const {
  for (const Literal& literal : issue.literals)
    if ((literal.values >> values[literal.position] & 1) != 0) return true;
  return std::ranges::any_of(issue.trees, [&](Value guard) {
    return follow_guard(problem_.provenance, guard, [&](PointId p) { return values[position_[p.value]]; });
  });
}

std::vector<std::uint32_t> GuardedIssues::alone(std::size_t hole) const {
  std::vector<std::uint32_t> numbers;
  for (const Issue& issue : of_hole_[hole].issues) numbers.push_back(issue.number);
  return numbers;
}

const GuardedIssues::Issue& GuardedIssues::find(std::uint32_t number, std::size_t hole) const {
  return *std::ranges::find(of_hole_[hole].issues, number, &Issue::number);
}

bool GuardedIssues::is_issued(std::uint32_t number, std::size_t hole, const std::vector<std::int16_t>& values) const {
  return is_issued(find(number, hole), values);
}

bool GuardedIssues::issues(std::uint32_t number, std::size_t hole, PointId point, std::size_t value) const {
  return std::ranges::any_of(find(number, hole).literals, [&](const Literal& literal) {
    return literal.position == position_[point.value] && (literal.values >> value & 1) != 0;
  });
}

double GuardedIssues::of(std::size_t hole, const std::vector<std::int16_t>& values) const {
  double sum = 0;
  for (const Issue& issue : of_hole_[hole].issues)
    if (is_issued(issue, values)) sum += costs_[issue.number];
  return sum;
}

bool GuardedIssues::is_issued(Value guard, const Domains& domains) const {
  if (!guard.is_node()) return is_issued_at(guard);
  const Node& node = problem_.provenance.node(guard);
  if (node.kind != Node::Kind::kChoice) return true;
  for (std::size_t v = 0; v < node.children().size(); ++v)
    if (domains.allows(PointId(node.tag), static_cast<int>(v)) && !is_issued(node.children()[v], domains)) return false;
  return true;
}

double GuardedIssues::joint(const Domains& domains) const {
  double sum = 0;
  for (std::uint32_t number : joint_) {
    const std::vector<Value>& guards = problem_.guarded[number].guards;
    if (std::ranges::any_of(guards, [&](Value guard) { return is_issued(guard, domains); })) sum += costs_[number];
  }
  return sum;
}

Counts GuardedIssues::counts(const std::vector<HoleTable>& tables) const {
  Counts all;
  for (const GuardedIssue& issue : problem_.guarded) {
    const auto value_of = [&](PointId p) { return tables[problem_.points[p].hole.value].values[position_[p.value]]; };
    if (is_issued_by(problem_.provenance, issue, value_of)) add_counts(all, issue.counts);
  }
  return all;
}

}  // namespace swizzle
