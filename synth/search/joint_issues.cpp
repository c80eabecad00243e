#include "synth/search/joint_issues.h"

#include <algorithm>
#include <limits>

namespace swizzle {
namespace {

constexpr std::size_t kNever = ~std::size_t{0};

}  // namespace

JointIssues::JointIssues(const Problem& problem, const GuardedIssues& issues, const std::vector<TrialStep>& steps,
                         const std::vector<std::uint32_t>& joint, const std::vector<std::uint32_t>& necessary)
    : problem_(problem),
      issues_(issues),
      alone_(steps.size()),
      necessary_(steps.size()),
      pairs_(steps.size()),
      pending_(steps.size()) {
  std::vector<std::size_t> step_of(problem.points.size(), kNever);
  for (std::size_t s = 0; s < steps.size(); ++s)
    for (std::size_t position : steps[s].positions)
      step_of[problem.holes[steps[s].hole.value].points[position].value] = s;
  std::vector<std::size_t> last_steps;
  for (std::uint32_t number : joint) {
    const std::vector<PointId> points = issues.points_of(number);
    std::size_t last = 0;
    for (PointId p : points) last = std::max(last, step_of[p.value]);
    last_steps.push_back(last);
    if (last == kNever) continue;
    for (PointId p : points)
      for (std::size_t s = step_of[p.value]; s < last; ++s) pending_[s].push_back(p);
  }
  place(joint, last_steps, necessary);
  for (std::vector<PointId>& points : pending_) {
    std::ranges::sort(points);
    const auto repeated = std::ranges::unique(points);
    points.erase(repeated.begin(), repeated.end());
  }
}

// With their last steps: by themselves, in pairs, or as necessary.
void JointIssues::place(const std::vector<std::uint32_t>& joint, const std::vector<std::size_t>& last_steps,
                        const std::vector<std::uint32_t>& necessary) {
  std::vector<bool> is_placed(joint.size(), false);  // as necessary, or as the second of a pair
  for (std::size_t i = 0; i < joint.size(); ++i) {
    if (last_steps[i] == kNever || std::ranges::find(necessary, joint[i]) == necessary.end()) continue;
    is_placed[i] = true;
    necessary_[last_steps[i]].push_back(joint[i]);
    floor_ += issues_.cost(joint[i]);
  }
  for (std::size_t i = 0; i < joint.size(); ++i) {
    const std::size_t last = last_steps[i];
    if (last == kNever || is_placed[i]) continue;
    std::size_t other = i + 1;
    while (other < joint.size() &&
           (is_placed[other] || last_steps[other] != last || !is_one_issued(joint[i], joint[other])))
      ++other;
    if (other == joint.size()) {
      alone_[last].push_back(joint[i]);
      continue;
    }
    is_placed[other] = true;
    pairs_[last].push_back({joint[i], joint[other]});
    floor_ += std::min(issues_.cost(joint[i]), issues_.cost(joint[other]));
  }
}

double JointIssues::decided_with(std::size_t step, const ValueOf& value_of) const {
  const auto is_issued = [&](std::uint32_t number) {
    return is_issued_by(problem_.provenance, problem_.guarded[number], value_of);
  };
  if (!std::ranges::all_of(necessary_[step], is_issued)) return std::numeric_limits<double>::infinity();
  double more = 0;
  for (std::uint32_t number : alone_[step])
    if (is_issued(number)) more += issues_.cost(number);
  for (const Pair& pair : pairs_[step]) {
    for (std::uint32_t number : {pair.first, pair.second})
      if (is_issued(number)) more += issues_.cost(number);
    more -= std::min(issues_.cost(pair.first), issues_.cost(pair.second));
  }
  return more;
}

// a or b is issued, whatever the points are. The points of a guard are in order.
bool JointIssues::covers(Value a, Value b) const {
  const Provenance& provenance = problem_.provenance;
  const auto point_of = [&](Value v) {
    return v.is_node() && provenance.node(v).kind == Node::Kind::kChoice ? provenance.node(v).tag : PointId::kInvalid;
  };
  const std::uint32_t p = point_of(a), q = point_of(b), next = std::min(p, q);
  if (next == PointId::kInvalid) return is_issued_at(a) || is_issued_at(b);
  if (p == PointId::kInvalid && is_issued_at(a)) return true;
  if (q == PointId::kInvalid && is_issued_at(b)) return true;
  const std::size_t values = provenance.node(p == next ? a : b).children().size();
  for (std::size_t v = 0; v < values; ++v)
    if (!covers(p == next ? provenance.node(a).children()[v] : a, q == next ? provenance.node(b).children()[v] : b))
      return false;
  return true;
}

// By some lane, which takes one way or the other.
bool JointIssues::is_one_issued(std::uint32_t a, std::uint32_t b) const {
  const std::vector<Value>&of_a = problem_.guarded[a].guards, &of_b = problem_.guarded[b].guards;
  return of_a.size() == of_b.size() && !of_a.empty() && covers(of_a[0], of_b[0]);
}

}  // namespace swizzle
