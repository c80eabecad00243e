#include "synth/trials/order_bounds.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "synth/trials/residues.h"
#include "synth/trials/trial_graph.h"

namespace swizzle {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min(),
                       kGreatest = std::numeric_limits<std::int64_t>::max();

}  // namespace

void OrderBounds::complete(const TrialGraph& graph) {
  using Kind = TrialGraph::Kind;
  if (!graph.has_plain_goals()) return;
  scalar_ = graph.compared_as();
  const auto goes_by_key =
      [&](const TrialGraph::Node& n) {  // of wider words, the lower bits have an order of their own
        return n.is_real ||
               (is_unsigned(n.scalar) == is_unsigned(scalar_) && bit_width(n.scalar) == bit_width(scalar_));
      };
  bool any = false;
  for (const TrialGraph::Node& n : graph.nodes_) {
    const bool is_set = n.kind == Kind::kSet && graph.is_one_of_its_operands(n) && goes_by_key(n);
    is_set_.push_back(is_set ? 1 : 0);
    any |= is_set && n.level > 1;
  }
  if (!any) return;
  for (const std::vector<TrialGoal>& goals : graph.goals_)
    for (const TrialGoal& goal : goals)
      if (!goal.is_requirement && goal.expected.is_known && graph.nodes_[goal.actual].level > 1)
        outputs_.push_back(goal);
  known_.complete(graph);
  bounds_.resize(graph.nodes_.size());
  open_.resize((graph.nodes_.size() + 63) / 64);
}

// In the order that minima go by.
std::int64_t OrderBounds::key(std::uint64_t bits) const {
  if (is_real(scalar_)) return centered(bits);
  const std::int64_t word = wrap(scalar_, static_cast<std::int64_t>(bits));
  return is_unsigned(scalar_) ? static_cast<std::int64_t>(static_cast<std::uint64_t>(word) ^ (std::uint64_t{1} << 63))
                              : word;
}

// Nothing, where it is open.
std::optional<OrderBounds::Known> OrderBounds::number_of(TrialGraph& graph, Index node) const {
  if (!known_.is_known(graph, node)) return std::nullopt;
  const TrialGraph::Number& n = graph.number(node);
  return Known{key(n.bits), n.is_defined && !n.is_neutral, n.is_neutral};
}

// Operands come before what is made of them.
bool OrderBounds::stands(TrialGraph& graph, std::size_t step) {
  if (outputs_.empty()) return true;
  known_.know_up_to(static_cast<std::uint16_t>(step + 1));
  ++now_;
  for (const TrialGoal& output : outputs_)
    if (!bound(graph, known_.source_of(graph, output.actual), key(output.expected.bits), key(output.expected.bits))) {
      std::ranges::fill(open_, 0);
      return false;
    }
  bool stand = true;
  for (std::size_t w = open_.size(); w-- > 0;)
    while (open_[w] != 0) {
      const int bit = std::bit_width(open_[w]) - 1;
      open_[w] &= ~(std::uint64_t{1} << bit);
      stand = stand && pass_on(graph, static_cast<Index>(w * 64 + static_cast<std::size_t>(bit)));
    }
  return stand;
}

// Of what is known, whether it is within these; of what is open, whether something is left.
bool OrderBounds::bound(TrialGraph& graph, Index node, std::int64_t low, std::int64_t high) {
  if (low == kLeast && high == kGreatest) return true;
  if (const auto number = number_of(graph, node))
    return !number->is_word || (low <= number->key && number->key <= high);
  Bounds& b = bounds_[node];
  if (b.at != now_) b = {kLeast, kGreatest, now_};
  b.low = std::max(b.low, low);
  b.high = std::min(b.high, high);
  open_[node / 64] |= std::uint64_t{1} << (node % 64);
  return b.low <= b.high;
}

// None is below the minimum; where all but one are known, and above it, that one is the minimum.
bool OrderBounds::pass_on(TrialGraph& graph, Index set) {
  if (is_set_[set] == 0) return true;
  const auto [low, high, unused] = bounds_[set];
  const bool is_least = graph.nodes_[set].ring == Ring::kMin;
  sources_.clear();
  std::size_t candidates = 0;
  Index candidate = 0;
  for (Index operand : KnownValues::operands_of(graph, set)) {
    const Index source = known_.source_of(graph, operand);
    const auto number = number_of(graph, source);
    const bool may_be_it = !number || !number->is_word || (is_least ? number->key <= high : number->key >= low);
    if (number && number->is_neutral) continue;
    sources_.push_back(source);
    if (!may_be_it) continue;
    ++candidates;
    candidate = source;
  }
  if (candidates == 0) return false;
  if (candidates == 1 && !bound(graph, candidate, low, high)) return false;
  return std::ranges::all_of(sources_, [&](Index source) {
    return is_least ? bound(graph, source, low, kGreatest) : bound(graph, source, kLeast, high);
  });
}

}  // namespace swizzle
