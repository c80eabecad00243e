// What demands make of what may be reached.
#include <algorithm>
#include <bit>

#include "synth/bits/leaf_sets.h"
#include "synth/bits/reach.h"

namespace swizzle {

using namespace leaf_sets;
using Kind = SelectionNetwork::Kind;

namespace {

constexpr int kNear = 6;  // gates below one another

}  // namespace

bool Reach::demand(Reference r, std::uint32_t component, std::uint32_t leaf) {
  while (true) {
    if (!may_be(r, component, leaf)) return false;
    if (!r.is_node()) return true;
    if (visited_[r.node()] == pass_ && forced_[r.node()] == leaf) return true;
    visited_[r.node()] = pass_;
    force(r.node(), leaf);
    const SelectionNetwork::Node& node = network_.nodes[r.node()];
    if (node.kind != Kind::kChoice) return demand_of_gate(node, leaf);
    Reference next;
    if (!keep_values(node, [&](Reference x) { return may_be(x, component, leaf); }, next)) return false;
    if (domains_.count(node.point) > 1) {
      asked_.push_back(node.point);
      return true;
    }
    r = next;
  }
}

// Of a choice, the values whose alternative may stay; `next`: one of those.
template <typename F>
bool Reach::keep_values(const SelectionNetwork::Node& node, F&& may_stay, Reference& next) {
  allowed_.assign(domains_.words(), 0);
  bool shrinks = false;
  for (std::uint32_t v = 0; v < node.count; ++v) {
    if (!domains_.allows(node.point, static_cast<int>(v))) continue;
    const Reference r = network_.references[node.first + v];
    if (!may_stay(r)) {
      shrinks = true;
      continue;
    }
    next = r;
    allowed_[v / kBits] |= std::uint64_t{1} << (v % kBits);
  }
  if (!shrinks) return true;
  touch(node.point);
  return domains_.keep(node.point, allowed_.data());
}

// An operand of a gate that is to be an input bit: it is that bit, or changes nothing, or is implied.
bool Reach::demand_either(Reference r, std::uint32_t component, std::uint32_t leaf, Kind gate) {
  const std::uint32_t neutral = gate == Kind::kAnd ? kOne : kZero;
  const More implied = kAnything | kMixed | (gate == Kind::kAnd ? kOrs : kAnds);
  const auto is_implied = [&](Reference x) {
    const std::uint32_t forced = x.is_node() ? forced_[x.node()] : SelectionNetwork::kNoLeaf;
    if (forced != SelectionNetwork::kNoLeaf) x = {~static_cast<std::int32_t>(forced)};
    return (more_of(x, component) & implied) != 0;
  };
  const auto may_stay = [&](Reference x) {
    return may_be(x, component, leaf) || may_be(x, component, neutral) || is_implied(x);
  };
  while (true) {
    if (!may_stay(r)) return false;
    if (!r.is_node() || limited_[r.node()] == pass_) return true;
    if (!is_implied(r) && !may_be(r, component, neutral)) return demand(r, component, leaf);
    if (!is_implied(r) && !may_be(r, component, leaf)) return demand(r, component, neutral);
    limited_[r.node()] = pass_;
    const SelectionNetwork::Node& node = network_.nodes[r.node()];
    if (node.kind == gate)
      return demand_either(network_.references[node.first], component, leaf, gate) &&
             demand_either(network_.references[node.first + 1], component, leaf, gate);
    if (node.kind != Kind::kChoice) return true;
    Reference next;
    if (!keep_values(node, may_stay, next)) return false;
    if (domains_.count(node.point) > 1) return true;
    r = next;
  }
}

bool Reach::is_only(Reference r, std::uint32_t component, std::uint32_t leaf) const {
  if (!may_be(r, component, leaf)) return false;
  if (r.is_leaf()) return true;
  if (more_[r.node()] != kNone) return false;
  int count = 0;
  for (std::size_t w = 0; w < words_[component]; ++w) count += std::popcount(sets_[offset_[r.node()] + w]);
  return count == 1;
}

const std::vector<std::uint32_t>* Reach::parts_of(std::uint32_t component, std::uint32_t leaf, Kind gate) const {
  using enum SelectionNetwork::LeafKind;
  if (leaf == SelectionNetwork::kNoLeaf || (gate != Kind::kOr && gate != Kind::kAnd)) return nullptr;
  const auto kind = static_cast<std::size_t>(gate == Kind::kOr ? kDisjunction : kConjunction);
  const auto known = network_.parts.find({component, leaf});
  return known != network_.parts.end() && has(leaves_[component][kind].data(), leaf) ? &known->second : nullptr;
}

// An operand of an OR that is to be a disjunction of bits: one of them, 0, or another function; likewise of an AND.
bool Reach::demand_within(Reference r, std::uint32_t component, std::uint32_t leaf, Kind gate) {
  const std::vector<std::uint32_t>& parts = *parts_of(component, leaf, gate);
  const std::uint32_t neutral = gate == Kind::kAnd ? kOne : kZero;
  const auto may_stay = [&](Reference x) {
    return more_of(x, component) != kNone || may_be(x, component, neutral) ||
           std::ranges::any_of(parts, [&](std::uint32_t part) {
             return part != SelectionNetwork::kNoLeaf && may_be(x, component, part);
           });
  };
  while (true) {
    if (!may_stay(r)) return false;
    if (!r.is_node() || limited_[r.node()] == pass_ || forced_[r.node()] != SelectionNetwork::kNoLeaf) return true;
    limited_[r.node()] = pass_;
    const SelectionNetwork::Node& node = network_.nodes[r.node()];
    if (node.kind == gate)
      return demand_within(network_.references[node.first], component, leaf, gate) &&
             demand_within(network_.references[node.first + 1], component, leaf, gate);
    if (node.kind != Kind::kChoice) return true;
    Reference next;
    if (!keep_values(node, may_stay, next)) return false;
    if (domains_.count(node.point) > 1) return true;
    r = next;
  }
}

// Where neither operand is a function itself, each is one of two bits.
bool Reach::demand_parts(const SelectionNetwork::Node& node, std::uint32_t leaf,
                         const std::vector<std::uint32_t>& parts) {
  const std::uint32_t in = node.component;
  const Reference a = network_.references[node.first], b = network_.references[node.first + 1];
  if (!demand_within(a, in, leaf, node.kind) || !demand_within(b, in, leaf, node.kind)) return false;
  if (more_of(a, in) != kNone || more_of(b, in) != kNone) return true;
  if (parts.size() != 2) return false;
  const auto may_be_bit = [&](Reference r, std::uint32_t part) {
    return part != SelectionNetwork::kNoLeaf && may_be(r, in, part);
  };
  const bool in_order = may_be_bit(a, parts[0]) && may_be_bit(b, parts[1]),
             turned = may_be_bit(a, parts[1]) && may_be_bit(b, parts[0]);
  if (in_order && turned) return true;
  if (in_order) return demand(a, in, parts[0]) && demand(b, in, parts[1]);
  return turned && demand(a, in, parts[1]) && demand(b, in, parts[0]);
}

bool Reach::demand_of_gate(const SelectionNetwork::Node& node, std::uint32_t leaf) {
  waits_ = true;
  if (node.kind == Kind::kOpen) return true;
  const std::uint32_t in = node.component, neutral = node.kind == Kind::kAnd ? kOne : kZero, absorbing = kOne - neutral;
  const Reference a = network_.references[node.first], b = network_.references[node.first + 1];
  const bool is_bit = leaf != SelectionNetwork::kNoLeaf && leaf > kOne && is_plain(in, leaf);
  const bool has_complements = network_.has_complements[in];  // see gate()
  const More not_followed = has_complements ? static_cast<More>(kFunctions | kAnything) : static_cast<More>(kAnything);
  const bool is_known = node.kind != Kind::kXor && ((more_of(a, in) | more_of(b, in)) & not_followed) == 0;
  const std::vector<std::uint32_t>* const parts = is_known ? parts_of(in, leaf, node.kind) : nullptr;
  if (parts != nullptr && !demand_parts(node, leaf, *parts)) return false;
  for (const auto& [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
    if (is_only(x, in, neutral)) return demand(y, in, leaf);
    if (node.kind == Kind::kXor && leaf <= kOne && is_only(x, in, kOne)) return demand(y, in, kOne - leaf);
    if (node.kind == Kind::kXor) continue;
    if (leaf == neutral && !demand(x, in, neutral)) return false;
    if (!is_known) continue;
    const bool has_no_more = more_of(x, in) == kNone;
    if (is_bit && has_no_more && !may_be(x, in, neutral) && !demand(x, in, leaf)) return false;
    if ((is_bit || (leaf == absorbing && !has_complements)) && !may_be(x, in, leaf) && !demand(y, in, leaf))
      return false;
    if (is_bit && !demand_either(x, in, leaf, node.kind)) return false;
  }
  for (const Reference r : {a, b}) ask(r, kNear);
  return true;
}

// The undecided points next to a gate.
void Reach::ask(Reference r, int depth) {
  while (r.is_node() && depth > 0) {
    const SelectionNetwork::Node& node = network_.nodes[r.node()];
    if (node.kind == Kind::kOpen) return;
    if (node.kind != Kind::kChoice) {
      ask(network_.references[node.first], depth - 1);
      r = network_.references[node.first + 1];
      --depth;
      continue;
    }
    if (domains_.count(node.point) > 1) {
      asked_.push_back(node.point);
      return;
    }
    r = network_.references[node.first + static_cast<std::uint32_t>(domains_.first(node.point))];
  }
}

bool Reach::matters(PointId point) const {
  const auto is_live = [&](std::uint32_t node) { return live_.contains(node); };
  return std::ranges::any_of(network_.nodes_at[point.value], is_live) || std::ranges::any_of(open_, is_live);
}

std::optional<std::size_t> Reach::propagate() {
  while (true) {
    live_.release_excluded();
    refresh();
    asked_.clear();
    waits_ = false;
    domains_.changed().clear();
    ++pass_;
    const std::size_t forced = forced_nodes_.size();
    for (std::size_t d = 0; d < network_.demands.size(); ++d) {
      const SelectionNetwork::Demand& demand = network_.demands[d];
      if (!this->demand(demand.actual, demand.component, demand.leaf)) return d;
    }
    if (domains_.changed().empty() && forced == forced_nodes_.size()) return std::nullopt;
  }
}

bool may_be_reached(const SelectionNetwork& network, std::size_t demand, const PointTable& points) {
  SelectionNetwork alone = network;
  alone.demands = {network.demands[demand]};
  Domains domains(points);
  return !Reach(alone, domains).propagate();
}

}  // namespace swizzle
