#include "synth/trials/trial_graph_builder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>

#include "synth/problem/doubts.h"
#include "synth/provenance/casts.h"
#include "synth/provenance/data_places.h"
#include "synth/provenance/indicators.h"
#include "synth/trials/doubles.h"
#include "synth/trials/residues.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostOperands = 4'000'000;

// Whole numbers are exact in a double up to here.
constexpr double kMostDigits = 52;

// A word that wraps around, as the number around 0 that it stands for.
double with_sign_of(Scalar s, std::int64_t word) {
  const int above = 64 - bit_width(s);
  return static_cast<double>(static_cast<std::int64_t>(static_cast<std::uint64_t>(word) << above) >> above);
}

}  // namespace

std::optional<TrialGraph> TrialGraph::of(Problem& problem, const std::vector<std::size_t>& equations,
                                         std::uint64_t seed, TrialArithmetic arithmetic) {
  return TrialGraphBuilder(problem, equations, seed, arithmetic).run();
}

std::optional<TrialGraph> TrialGraphBuilder::run() {
  if (!order_points()) return std::nullopt;
  note_functions();
  deciding_ = deciding_elements(problem_, equations_);
  make_steps();
  graph_.tables_.assign(graph_.steps_.size(), nullptr);
  graph_.since_.assign(graph_.steps_.size() + 1, 1);  // nothing is computed yet
  graph_.goals_.resize(graph_.steps_.size());
  graph_.checks_.resize(graph_.steps_.size());
  const bool looks_at_form = !graph_.on_doubles_;
  for (std::size_t e : equations_)
    for (const Claim& claim : claims_of(problem_.provenance, problem_.equations[e]))
      if ((claim.is_output || looks_at_form) && !add_claim(claim) && claim.is_output) return std::nullopt;
  if (looks_at_form) add_decided_claims();
  for (const Requirement& r : problem_.requirements) {
    if (!provenance_.has_choice(r.violation)) continue;
    const auto violation = add(r.violation);
    if (!violation) return std::nullopt;
    add_goal(*violation, {*violation, {}, Scalar::kI32, true});
  }
  if (!graph_.is_faithful_ && !looks_at_form) return std::nullopt;
  if (looks_at_form && !add_looking_ahead() && !add_signs()) add_inputs();
  if (looks_at_form) {
    graph_.look_ahead_.bits.complete(graph_);
    graph_.look_ahead_.orders.complete(graph_);
  }
  note_frontiers();
  return std::move(graph_);
}

bool TrialGraphBuilder::add_claim(const Claim& claim) {
  const auto expected = add(claim.expected), actual = add(claim.actual);
  if (!expected || !actual) return false;
  const bool real = is_real(claim.scalar);
  const auto both = real ? as_real(claim.expected, *expected) : expected;
  if (!both || (real && !graph_.nodes_[*actual].is_real)) return false;
  graph_.needs_.push_back(graph_.numbers_[*both]);
  const TrialGraph::Goal goal{summed_in_order(*actual), graph_.numbers_[*both], claim.scalar, false};
  if (claim.is_output) {
    const auto known = outputs_.try_emplace(TrialGraph::compared(goal.scalar, goal.expected.bits), claim.expected);
    if (known.first->second != claim.expected) graph_.tells_outputs_apart_ = false;
  }
  add_goal(goal.actual, goal);
  claims_.push_back(claim);
  return true;
}

// What is decided first is added up first: later steps go by the sum of it, not by what it is made of.
TrialGraphBuilder::Index TrialGraphBuilder::summed_in_order(Index sum) {
  const TrialNode node = graph_.nodes_[sum];  // a copy: what follows adds nodes
  if (node.kind != Kind::kSum || graph_.on_doubles_) return sum;
  const auto level = [&](Index i) { return graph_.nodes_[i].level; };
  const auto first = graph_.operands_.begin() + node.first;
  std::vector<Index> in_order(first, first + node.count), parts;
  std::ranges::stable_sort(in_order, {}, level);
  const auto add_up = [&] {
    const Index part =
        push(TrialNode{.kind = node.kind, .ring = node.ring, .scalar = node.scalar, .is_real = node.is_real}, parts,
             growths_[sum]);
    widths_[part] = widths_[sum];
    return part;
  };
  for (Index operand : in_order) {
    if (parts.size() > 1 && level(operand) != level(parts.back())) parts = {add_up()};
    parts.push_back(operand);
  }
  if (parts.size() == in_order.size()) return sum;
  summed_in_order_.insert(sum);
  return add_up();
}

// False: no claim is of what can only grow.
bool TrialGraphBuilder::add_looking_ahead() {
  const bool are_all = !graph_.is_faithful_ || are_told_by_form(problem_, equations_);
  bool any = false;
  for (std::size_t c = 0; c < claims_.size(); ++c) {
    if (!are_all && !claims_[c].is_told_by_form && !is_of_sets_of_inputs(claims_[c])) continue;
    if (!growths_[*add(claims_[c].actual)].is_monotone) continue;
    any = true;
    add_checks(c);
    add_bounds(c);
  }
  if (!any) return false;
  std::vector<char> may_vanish;
  for (const Growth& growth : growths_) may_vanish.push_back(growth.may_be_constant ? 1 : 0);
  graph_.look_ahead_.elements.complete(graph_, std::move(may_vanish));
  return true;
}

std::optional<TrialGraphBuilder::Index> TrialGraphBuilder::add(Value v) {
  switch (v.kind) {
    case Value::Kind::kNode: break;
    case Value::Kind::kPointer:
      graph_.is_faithful_ = false;
      return constant(
          Value::integer(static_cast<std::int64_t>(scrambled(v.aux + 1) ^ static_cast<std::uint64_t>(v.bits))), false);
    case Value::Kind::kUndefined: {
      const Index index = push({}, {}, {});
      graph_.numbers_[index].is_defined = false;
      return index;
    }
    default: return constant(v, v.is_real());
  }
  if (const auto it = index_of_.find(v.aux); it != index_of_.end()) return it->second;
  const auto index = add_node(v.as_node());
  if (index) index_of_.emplace(v.aux, *index);
  return index;
}

std::optional<TrialGraphBuilder::Index> TrialGraphBuilder::add_node(NodeId id) {
  const Node& n = provenance_.node(id);
  switch (n.kind) {
    case Node::Kind::kInput:
      // What differs on doubles differs; but elements that data choose may be one another, and others are in a range.
      if (graph_.on_doubles_ && (is_data_place(n.index()) || provenance_.value_ranges().narrowest(n.tag)))
        return std::nullopt;
      return element(id, n.scalar);
    case Node::Kind::kChoice: return choice(n);
    case Node::Kind::kOpaque:
      if (n.tag == kOpaqueSelect) return selection(n);
      if (graph_.on_doubles_) return function_on_doubles(n);
      return is_atom(n) ? atom(id) : function(n);
    case Node::Kind::kAppended:
    case Node::Kind::kRing: return ring(n);
    case Node::Kind::kBit:
    case Node::Kind::kWord:
    case Node::Kind::kDeferred: break;
  }
  return std::nullopt;
}

std::optional<TrialGraphBuilder::Index> TrialGraphBuilder::constant(Value v, bool is_real) {
  const auto key = std::pair{v.bits, is_real};
  if (const auto it = constants_.find(key); it != constants_.end() && v.is_real() == is_real) return it->second;
  TrialNode node;
  node.is_real = is_real;
  Growth growth{.most = std::abs(v.as_real()), .may_be_constant = true};
  std::uint64_t bits = static_cast<std::uint64_t>(v.bits);
  if (is_real && graph_.on_doubles_) {
    bits = std::bit_cast<std::uint64_t>(v.as_real());
  } else if (is_real && is_extreme(v.as_real())) {
    bits = residue_of_extreme(v.as_real());
    growth.most = 1;
    growth.may_be_extreme = true;
  } else if (is_real) {
    const auto residue = residue_of(v.as_real());
    if (!residue) return std::nullopt;
    bits = *residue;
    for (double r = v.as_real(); r != std::trunc(r); r *= 2) ++growth.behind_point;
  }
  const Index index = push(node, {}, growth);
  graph_.numbers_[index].bits = bits;
  if (v.is_real() == is_real) constants_.emplace(key, index);
  return index;
}

TrialGraphBuilder::Index TrialGraphBuilder::any_number(NodeId id, Scalar s) {
  TrialNode node;
  node.scalar = s;
  node.is_real = is_real(s);
  const Index index = push(node, {}, {.weight = 1});
  widths_[index] = node.is_real ? 0 : bit_width(s);
  Number& number = graph_.numbers_[index];
  std::uint64_t random = scrambled(scrambled(id.value) ^ (0x452821e638d01377ull + seed_));
  if (node.is_real && graph_.on_doubles_) {
    number.bits = std::bit_cast<std::uint64_t>(any_double(random, seed_));
    return index;
  }
  if (graph_.on_doubles_) random %= 4096;  // which a float holds
  number.bits = node.is_real ? random % kPrime : static_cast<std::uint64_t>(wrap(s, static_cast<std::int64_t>(random)));
  if (s == Scalar::kBool || deciding_.contains(id.value)) number.bits = random & 1;
  if (const auto bound = bounds_.find(id.value); bound != bounds_.end() && bound->second)
    number.bits = static_cast<std::uint64_t>(wrap(s, *bound->second + near_bound(random)));
  return index;
}

TrialGraphBuilder::Index TrialGraphBuilder::element(NodeId id, Scalar s) {
  const Index index = any_number(id, s);
  Number& number = graph_.numbers_[index];
  if (elements_ < Number::kElements && !graph_.on_doubles_) number.has(elements_++);
  return index;
}

std::optional<TrialGraphBuilder::Index> TrialGraphBuilder::choice(const Node& n) {
  std::vector<Index> operands;
  TrialNode node;
  node.kind = Kind::kChoice;
  node.tag = n.tag;
  node.level = step_of_[n.tag];
  Growth growth{.most = 0};
  for (const Value& child : n.children()) {
    const auto index = add(child);
    if (!index) return std::nullopt;
    node.is_real = node.is_real || graph_.nodes_[*index].is_real;
    operands.push_back(*index);
  }
  int width = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (node.is_real) {
      const auto index = as_real(n.children()[i], operands[i]);
      if (!index) return std::nullopt;
      operands[i] = *index;
    }
    const int w = widths_[operands[i]];
    if (w != 0 && width != 0 && w != width) return std::nullopt;
    width = std::max(width, w);
    growth.include(growths_[operands[i]]);
  }
  const Index index = push(node, operands, growth);
  widths_[index] = width;
  return index;
}

std::optional<TrialGraphBuilder::Index> TrialGraphBuilder::as_real(Value v, Index index) {
  if (graph_.nodes_[index].is_real || v.is_undefined()) return index;
  return v.is_int() ? constant(v, true) : std::nullopt;
}

std::optional<TrialGraphBuilder::Index> TrialGraphBuilder::ring(const Node& n) {
  TrialNode node;
  node.kind = is_set(n.ring) ? Kind::kSet : Kind::kSum;
  node.ring = n.ring;
  node.scalar = n.scalar;
  node.is_real = is_real(n.scalar);
  std::vector<Index> operands;
  Growth growth{.most = 0, .may_be_constant = true};
  const auto take = [&](std::optional<Index> index) {
    if (!index) return false;
    operands.push_back(*index);
    const Growth& g = growths_[*index];
    growth.most = is_set(n.ring) ? std::max(growth.most, g.most) : growth.most + g.most;
    growth.weight += g.weight;
    growth.has_signs = growth.has_signs && is_of_one_kind(node, *index);
    growth.behind_point = std::max(growth.behind_point, g.behind_point);
    growth.is_plain = growth.is_plain && g.is_plain && is_set(n.ring);
    growth.may_be_constant = growth.may_be_constant && g.may_be_constant;
    growth.may_be_extreme = growth.may_be_extreme || g.may_be_extreme;
    return true;
  };
  if (n.kind == Node::Kind::kAppended) {
    for (const Value& child : n.children())
      if (!take(add(child))) return std::nullopt;
  } else {
    for (const Term& t : n.terms())
      if (!take(term(n, t))) return std::nullopt;
  }
  const bool is_logic = n.ring == Ring::kXor || n.ring == Ring::kOr;
  if (is_logic && std::ranges::any_of(operands, [&](Index i) { return holds_indicator_[i]; })) return std::nullopt;
  if (n.ring == Ring::kXor) growth.is_monotone = false;
  growth.has_signs = growth.has_signs && n.ring == Ring::kSum && !growth.may_be_extreme;
  if (!is_set(n.ring) && growth.may_be_extreme) graph_.is_faithful_ = false;
  const bool has_order = graph_.on_doubles_ || !node.is_real || growth.is_plain;  // residues have another one
  if (is_set(n.ring) && !has_order) graph_.is_faithful_ = false;
  if (is_set(n.ring) && node.is_real && growth.behind_point > 0) return std::nullopt;  // in order around 0
  if (!is_exact(node, growth)) return std::nullopt;
  const Index index = push(node, operands, growth);
  widths_[index] = node.is_real ? 0 : bit_width(n.scalar);
  return index;
}

// coefficient · factor · factor …
std::optional<TrialGraphBuilder::Index> TrialGraphBuilder::term(const Node& ring, const Term& term) {
  TrialNode node;
  node.kind = Kind::kProduct;
  node.ring = ring.ring;
  node.scalar = ring.scalar;
  node.is_real = is_real(ring.scalar);
  const auto coefficient = constant(term.coefficient, node.is_real);
  if (!coefficient) return std::nullopt;
  if (growths_[*coefficient].may_be_extreme && !(is_set(ring.ring) && term.factors.empty())) return std::nullopt;
  if (term.factors.empty()) return coefficient;
  if (is_set(ring.ring)) return add(Value::node(term.factors[0]));
  node.coefficient = graph_.numbers_[*coefficient].bits;
  Growth growth = growths_[*coefficient];
  growth.is_plain = growth.may_be_constant = false;
  const double c = term.coefficient.as_real();
  growth.is_monotone = c >= 0;
  const double with_sign = node.is_real ? c : with_sign_of(ring.scalar, term.coefficient.bits);
  node.is_negative = with_sign < 0;
  growth.has_signs = term.factors.size() == 1;
  if (c != std::trunc(c)) graph_.is_linear_ = false;
  std::vector<Index> operands;
  for (NodeId f : term.factors) {
    const auto index = add(Value::node(f));
    if (!index) return std::nullopt;
    operands.push_back(*index);
    growth.most *= growths_[*index].most;
    growth.behind_point += growths_[*index].behind_point;
    growth.weight = std::abs(with_sign) * growths_[*index].weight;
    growth.has_signs = growth.has_signs && is_of_one_kind(node, *index);
    growth.may_be_constant = growth.may_be_constant || growths_[*index].may_be_constant;
    growth.may_be_extreme = growth.may_be_extreme || growths_[*index].may_be_extreme;
  }
  if (growth.may_be_extreme) graph_.is_faithful_ = false;
  if (operands.size() == 1 && c == 1 && ring.ring == Ring::kSum) return operands[0];
  if (!is_exact(node, growth)) return std::nullopt;
  const Index index = push(node, operands, growth);
  widths_[index] = node.is_real ? 0 : bit_width(ring.scalar);
  return index;
}

// Real numbers both, or integers that wrap around alike.
bool TrialGraphBuilder::is_of_one_kind(const TrialNode& node, Index operand) const {
  const int width = widths_[operand];
  return graph_.nodes_[operand].is_real == node.is_real &&
         (node.is_real || width == 0 || width == bit_width(node.scalar));
}

// Real numbers do not round on the way; integers that may wrap around may take away what was there.
bool TrialGraphBuilder::is_exact(const TrialNode& node, Growth& growth) {
  if (node.is_real && graph_.on_doubles_) return true;
  if (node.is_real) return std::log2(std::max(growth.most, 1.0)) + growth.behind_point <= kMostDigits;
  if (std::log2(std::max(growth.most, 1.0)) >= bit_width(node.scalar) - 1) growth.is_monotone = false;
  if (std::log2(std::max(growth.weight, 1.0)) >= bit_width(node.scalar) - 1) growth.has_signs = false;
  return true;
}

TrialGraphBuilder::Index TrialGraphBuilder::push(TrialNode node, const std::vector<Index>& operands, Growth growth) {
  for (Index operand : operands) {
    node.level = std::max(node.level, graph_.nodes_[operand].level);
    growth.has_signs = growth.has_signs && growths_[operand].has_signs;
    if (node.kind != Kind::kFunction) growth.is_monotone = growth.is_monotone && growths_[operand].is_monotone;
  }
  growth.has_signs = growth.has_signs && node.kind != Kind::kFunction;
  node.first = static_cast<std::uint32_t>(graph_.operands_.size());
  node.count = static_cast<std::uint32_t>(operands.size());
  graph_.operands_.insert(graph_.operands_.end(), operands.begin(), operands.end());
  graph_.nodes_.push_back(node);
  graph_.numbers_.emplace_back();
  if (node.level == 0 && node.kind != Kind::kFixed) graph_.numbers_.back() = graph_.compute(node);
  graph_.made_.push_back(0);
  growths_.push_back(growth);
  widths_.push_back(0);
  holds_indicator_.push_back(std::ranges::any_of(operands, [&](Index i) { return holds_indicator_[i]; }));
  return static_cast<Index>(graph_.nodes_.size() - 1);
}

void TrialGraphBuilder::add_goal(Index actual, TrialGraph::Goal goal) {
  const std::uint16_t level = graph_.nodes_[actual].level;
  if (level > 0) graph_.goals_[level - 1].push_back(goal);
}

}  // namespace swizzle
