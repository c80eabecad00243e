// Functions in a TrialGraph: which are evaluated, which are hashes, and which elements are only compared.
#include <algorithm>
#include <array>
#include <cmath>

#include "synth/provenance/casts.h"
#include "synth/provenance/indicators.h"
#include "synth/trials/residues.h"
#include "synth/trials/trial_graph_builder.h"

namespace swizzle {

void TrialGraphBuilder::note_functions() {
  std::unordered_set<std::uint32_t> seen;
  std::vector<NodeId> all;
  std::vector<Value> pending;
  for (std::size_t e : equations_)
    for (const Value& v : {problem_.equations[e].actual, problem_.equations[e].expected}) pending.push_back(v);
  for (const Requirement& r : problem_.requirements) pending.push_back(r.violation);
  bool any_bound = false;
  while (!pending.empty()) {
    const Value v = pending.back();
    pending.pop_back();
    if (!v.is_node() || !seen.insert(v.aux).second) continue;
    const Node& n = provenance_.node(v);
    if (n.kind == Node::Kind::kOpaque && n.has_choice) open_functions_.insert(n.tag);
    any_bound = any_bound || bound_of(n);
    all.push_back(v.as_node());
    n.for_each_part([&](Value part) { pending.push_back(part); });
  }
  if (!any_bound) return;
  for (NodeId node : all) note_bounds(provenance_.node(node));
}

// x == 0, x < 7
std::optional<std::int64_t> TrialGraphBuilder::bound_of(const Node& n) {
  if (n.kind != Node::Kind::kOpaque || n.tag >= kOpaqueCast || !is_comparison(static_cast<Operator>(n.tag)) ||
      is_real(n.scalar))
    return std::nullopt;
  std::optional<std::int64_t> bound;
  for (const Value& v : n.children())
    if (v.is_int()) bound = v.bits;
  return bound;
}

// Where nothing else is made of x.
void TrialGraphBuilder::note_bounds(const Node& n) {
  if (n.kind == Node::Kind::kChoice) return;  // what is chosen is told by who asks
  const std::optional<std::int64_t> bound = bound_of(n);
  n.for_each_part([&](Value part) {
    if (!part.is_node()) return;
    for (const Value& leaf : provenance_.leaves(part)) {
      if (!leaf.is_node() || provenance_.node(leaf).kind != Node::Kind::kInput) continue;
      const auto [known, fresh] = bounds_.try_emplace(leaf.aux, bound);
      if (!fresh && !bound) known->second = std::nullopt;
    }
  });
}

// Any number would hardly ever be equal to a bound, nor on both sides of it: of one input in two it is, of others
// mostly or hardly.
std::int64_t TrialGraphBuilder::near_bound(std::uint64_t random) const {
  constexpr std::array<std::uint64_t, 3> kOfSixteen{8, 14, 2};
  const bool is_equal = random % 16 < kOfSixteen[seed_ % kOfSixteen.size()];
  return is_equal ? 0 : (random >> 4) % 2 == 0 ? 1 : -1;
}

bool TrialGraphBuilder::divides(const Node& n) {
  return n.tag == static_cast<std::uint32_t>(Operator::kDiv) && is_real(n.scalar);
}

// What has no evaluation and no choices is like an input: nothing else comes to have its form.
bool TrialGraphBuilder::is_atom(const Node& n) const {
  const bool has_evaluation =
      n.tag < kOpaqueIntrinsic && !divides(n) &&
      std::ranges::none_of(
          n.children(),
          [&](const Value& v) {
            return v.is_real() ||
                   (v.is_node() && (is_real(provenance_.node(v).scalar) ||
                                    (provenance_.node(v).kind == Node::Kind::kOpaque && is_atom(provenance_.node(v)))));
          });
  if (is_indicator(n) && open_functions_.contains(kOpaqueSelect)) return false;  // selections ask for the truth itself
  return (!has_evaluation || is_indicator(n)) && !n.has_choice && !open_functions_.contains(n.tag);
}

TrialGraphBuilder::Index TrialGraphBuilder::atom(NodeId id) {
  const Node& n = provenance_.node(id);
  graph_.is_faithful_ = false;
  const auto cast = cast_of(n.tag);
  const Index index = element(id, cast ? cast->to : n.scalar);
  if (is_indicator(n)) {
    // The same small number in whatever type it is counted: conversions keep sums of some.
    graph_.numbers_[index].bits = scrambled(n.children()[0].aux + seed_) % 1024;
    holds_indicator_[index] = true;
  }
  return index;
}

std::optional<TrialGraphBuilder::Index> TrialGraphBuilder::function(const Node& n) {
  constexpr std::size_t kMostOperandsOfOne = 3;
  if (n.children().size() > kMostOperandsOfOne || n.tag >= kOpaqueJoin) return std::nullopt;
  TrialNode node;
  node.kind = Kind::kFunction;
  node.scalar = n.scalar;
  node.tag = n.tag;
  const bool hashes = n.tag >= kOpaqueIntrinsic || divides(n), compares = compares_reals(n);
  const bool is_partial = n.tag >= static_cast<std::uint32_t>(Operator::kDiv) &&
                          n.tag <= static_cast<std::uint32_t>(Operator::kShr);  // not defined for all operands
  if (hashes || is_partial) graph_.is_faithful_ = false;
  const auto cast = cast_of(n.tag);
  node.is_real = is_real(cast ? cast->to : n.scalar) && !compares;
  const bool becomes_real = cast && node.is_real && !is_real(cast->from);
  if (becomes_real && cast->from != Scalar::kBool) graph_.is_faithful_ = false;  // it may round
  if (node.is_real && !hashes && !becomes_real) return std::nullopt;
  std::vector<Index> operands;
  for (const Value& child : n.children()) {
    const auto index = add(child);
    if (!index || (graph_.nodes_[*index].is_real && !hashes && !compares)) return std::nullopt;
    if (holds_indicator_[*index] && n.has_choice && takes_truths_apart(n.tag)) return std::nullopt;
    operands.push_back(*index);
  }
  if (compares && !are_in_order(n, operands)) return std::nullopt;
  if (hashes && !node.is_real) return std::nullopt;  // the same integer may come in two forms
  if (hashes && !std::ranges::all_of(operands, [&](Index i) { return graph_.nodes_[i].is_real; })) return std::nullopt;
  const auto may_be_constant = [&](Index i) { return growths_[i].may_be_constant; };
  if (divides(n) && std::ranges::all_of(operands, may_be_constant)) return std::nullopt;  // a number then, and rounded
  const Index index = push(node, operands, {});
  if (graph_.nodes_[index].level > 0 && !hashes) growths_[index].is_monotone = false;
  if (graph_.nodes_[index].level == 0 && hashes) number_element(graph_.numbers_[index]);
  widths_[index] = node.is_real ? 0 : bit_width(compares ? Scalar::kBool : n.scalar);
  return index;
}

bool TrialGraphBuilder::compares_reals(const Node& n) {
  return n.tag < kOpaqueCast && is_comparison(static_cast<Operator>(n.tag)) && is_real(n.scalar);
}

// Residues stand in order around 0 where they are elements or whole numbers; sums and products have another order.
bool TrialGraphBuilder::are_in_order(const Node& comparison, std::vector<Index>& operands) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto index = as_real(comparison.children()[i], operands[i]);
    if (!index || growths_[*index].behind_point > 0) return false;
    operands[i] = *index;
    if (!growths_[*index].is_plain) graph_.is_faithful_ = false;
  }
  return true;
}

// The arms are numbers of one kind: words, or residues.
std::optional<TrialGraphBuilder::Index> TrialGraphBuilder::selection(const Node& n) {
  TrialNode node;
  node.kind = Kind::kFunction;
  node.scalar = n.scalar;
  node.tag = n.tag;
  std::vector<Index> operands;
  for (const Value& child : n.children()) {
    const auto index = add(child);
    if (!index || (holds_indicator_[*index] && n.has_choice)) return std::nullopt;
    if (!operands.empty()) node.is_real = node.is_real || graph_.nodes_[*index].is_real;
    operands.push_back(*index);
  }
  if (graph_.nodes_[operands[0]].is_real) return std::nullopt;
  Growth growth{.most = 0};
  for (std::size_t arm = 1; arm < operands.size(); ++arm) {
    const auto index = node.is_real ? as_real(n.children()[arm], operands[arm]) : operands[arm];
    if (!index) return std::nullopt;
    operands[arm] = *index;
    growth.include(growths_[*index]);
  }
  if (graph_.nodes_[operands[0]].level > 0) growth.is_monotone = false;
  const Index index = push(node, operands, growth);
  widths_[index] = node.is_real ? 0 : std::max(widths_[operands[1]], widths_[operands[2]]);
  return index;
}

// Of the value of a function without laws that no choice reaches.
void TrialGraphBuilder::number_element(Number& number) {
  const bool is_numbered = elements_ < Number::kElements;
  const auto [element, fresh] =
      graph_.element_of_.try_emplace(number.bits, is_numbered ? elements_ : Number::kForeign + 1);
  if (fresh && is_numbered) ++elements_;
  number.once = {};
  number.has(element->second);
}

}  // namespace swizzle
