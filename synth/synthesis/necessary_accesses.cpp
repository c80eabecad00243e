#include "synth/synthesis/necessary_accesses.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "synth/search/needed_elements.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostWork = 20'000'000;  // nodes, for all accesses together
constexpr std::size_t kMostOutputs = 64;

using PointValues = std::set<std::pair<std::uint32_t, std::size_t>>;  // of points

// Those with which some lane executes the access, whatever the other points are. Nothing: some lane always does.
std::optional<PointValues> executing(const Provenance& provenance, const SharedAccess& access) {
  const auto is_active = [&](const Value& lane) {
    return std::ranges::none_of(provenance.leaves(lane), &Value::is_undefined);
  };
  PointValues values;
  for (const Value& lane : access.lanes) {
    if (is_active(lane)) return std::nullopt;
    if (!lane.is_node() || provenance.node(lane).kind != Node::Kind::kChoice) continue;
    const Node& choice = provenance.node(lane);
    for (std::size_t v = 0; v < choice.children().size(); ++v)
      if (is_active(choice.children()[v])) values.emplace(choice.tag, v);
  }
  return values;
}

}  // namespace

double necessary_wavefronts(Problem& problem) {
  std::vector<std::pair<double, PointValues>> guarded;
  for (const SharedAccess& access : problem.shared_accesses)
    if (auto values = executing(problem.provenance, access); values && !values->empty())
      guarded.emplace_back(access.count, *std::move(values));
  if (guarded.empty() || guarded.size() * problem.provenance.size() > kMostWork) return 0;
  std::vector<std::size_t> equations(std::min(problem.equations.size(), kMostOutputs));
  std::iota(equations.begin(), equations.end(), std::size_t{0});
  const NeededElements needed(problem, equations);
  double all = 0;
  for (const auto& [count, values] : guarded) {
    const auto without = [&, &of = values](PointId p, std::size_t value) { return !of.contains({p.value, value}); };
    if (!needed.may_be_met(without)) all += count;
  }
  return all;
}

}  // namespace swizzle
