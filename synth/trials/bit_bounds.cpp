#include "synth/trials/bit_bounds.h"

#include <algorithm>
#include <utility>

#include "synth/trials/all_stand.h"
#include "synth/trials/trial_graph.h"

namespace swizzle {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};
constexpr std::size_t kFewWords = 2;  // more hardly ever have a bit alike

std::uint64_t bits_of_type(Scalar s) { return bit_width(s) == 64 ? kAll : (std::uint64_t{1} << bit_width(s)) - 1; }

}  // namespace

bool BitBounds::is_bitwise(const TrialNode& n) {
  if (n.is_real) return false;
  return (n.kind == TrialNode::Kind::kSet && n.ring == Ring::kOr) ||
         ((n.kind == TrialNode::Kind::kSum || n.kind == TrialNode::Kind::kProduct) && n.ring == Ring::kXor);
}

bool BitBounds::joins_bits(const TrialGraph& graph) {
  const auto keeps_bits = [](const TrialNode& n) {  // of some operand
    const bool is_conjunction = n.kind == TrialNode::Kind::kProduct && n.ring == Ring::kXor && n.count > 1;
    return n.level > 0 && n.scalar != Scalar::kBool && is_bitwise(n) &&
           (n.kind == TrialNode::Kind::kSet || is_conjunction);
  };
  return std::ranges::any_of(graph.nodes_, keeps_bits);
}

void BitBounds::complete(const TrialGraph& graph) {
  if (!joins_bits(graph)) return;
  for (const std::vector<TrialGoal>& goals : graph.goals_)
    for (const TrialGoal& goal : goals)
      if (!goal.is_requirement && goal.expected.is_known && !is_real(goal.scalar)) outputs_.push_back(goal);
  known_.complete(graph);
  made_.resize(graph.nodes_.size());
}

bool BitBounds::stands(TrialGraph& graph, std::size_t step) {
  if (outputs_.empty()) return true;
  ++now_;
  known_.know_up_to(static_cast<std::uint16_t>(step + 1));
  return all_stand(outputs_, [&](const TrialGoal& goal) {
    if (known_.is_known(graph, goal.actual)) return true;  // compared as a number
    const Bits now = bits(graph, goal.actual);
    const std::uint64_t wrong = (now.ones & ~goal.expected.bits) | (now.zeros & goal.expected.bits);
    return (wrong & bits_of_type(goal.scalar)) == 0;
  });
}

BitBounds::Bits BitBounds::bits(TrialGraph& graph, Index node) {
  Made& made = made_[node];
  if (std::exchange(made.at, now_) == now_) return made.bits;
  if (!known_.is_known(graph, node)) return made.bits = bits_of_open(graph, node);
  const TrialNumber& number = graph.number(node);
  return made.bits = number.is_defined ? Bits{number.bits, ~number.bits} : Bits{kAll, kAll};
}

BitBounds::Bits BitBounds::bits_of_open(TrialGraph& graph, Index node) {
  const TrialNode& n = graph.nodes_[node];
  if (const std::optional<Index> chosen = known_.chosen_by(graph, node)) return bits(graph, *chosen);
  if (n.kind == TrialNode::Kind::kChoice) {
    Bits all{kAll, kAll};
    if (n.count > kFewWords) return {};
    for (Index one : KnownValues::operands_of(graph, node)) {
      const Bits more = bits(graph, one);
      all = {all.ones & more.ones, all.zeros & more.zeros};
    }
    return all;
  }
  if (!is_bitwise(n)) return {};
  const bool is_product = n.kind == TrialNode::Kind::kProduct;
  Bits all = is_product ? Bits{n.coefficient, ~n.coefficient} : Bits{0, kAll};
  for (Index operand : KnownValues::operands_of(graph, node)) join(n, all, bits(graph, operand));
  return all;
}

void BitBounds::join(const TrialNode& node, Bits& all, Bits operand) {
  if (node.kind == TrialNode::Kind::kProduct) all = {all.ones & operand.ones, all.zeros | operand.zeros};
  else if (node.kind == TrialNode::Kind::kSet) all = {all.ones | operand.ones, all.zeros & operand.zeros};
  else
    all = {(all.ones & operand.zeros) | (all.zeros & operand.ones),
           (all.ones & operand.ones) | (all.zeros & operand.zeros)};
}

}  // namespace swizzle
