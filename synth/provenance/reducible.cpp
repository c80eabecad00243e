#include "synth/provenance/reducible.h"
#include "synth/provenance/casts.h"

#include <algorithm>
#include <cmath>

namespace swizzle {
namespace {

bool is_operator(std::uint32_t tag, Operator op) { return tag == static_cast<std::uint32_t>(op); }

bool picks_an_operand(std::uint32_t tag) {
  return tag == kOpaqueSelect || is_operator(tag, Operator::kLogicalAnd) || is_operator(tag, Operator::kLogicalOr) ||
         is_operator(tag, Operator::kShl);
}

}  // namespace

bool may_wrap(Scalar s, Value coefficient, int together) {
  if (!coefficient.is_int() && !coefficient.is_real()) return false;
  const double c = coefficient.as_real();
  return c < 0 || (!is_real(s) && c > 1 && c >= std::exp2(bit_width(s) / together));
}

bool Reducible::to_constant(Value v) {
  if (!v.is_node()) return !v.is_undefined();
  if (const auto it = constant_.find(v.aux); it != constant_.end()) return it->second;
  const bool answer = node_to_constant(v);
  constant_.emplace(v.aux, answer);
  return answer;
}

bool Reducible::node_to_constant(Value v) {
  const Node& node = provenance_.node(v);
  if (node.kind == Node::Kind::kAppended) return true;
  if (!node.has_choice) return false;
  const auto constant = [&](const Value& child) { return to_constant(child); };
  switch (node.kind) {
    case Node::Kind::kInput: return false;
    case Node::Kind::kChoice: return std::any_of(node.children().begin(), node.children().end(), constant);
    case Node::Kind::kOpaque: return function(v);
    default: return sum_to_constant(node);
  }
}

// Every term has to be a constant, to vanish in a product, or to be taken away by another.
bool Reducible::sum_to_constant(const Node& node) {
  if (node.ring == Ring::kXor) return true;
  return std::all_of(node.terms().begin(), node.terms().end(), [&](const Term& term) {
    const bool may_take_away = node.ring == Ring::kSum && may_wrap(node.scalar, term.coefficient, 2);
    return may_take_away || term.factors.empty() ||
           std::any_of(term.factors.begin(), term.factors.end(), [&](NodeId f) { return to_constant(Value::node(f)); });
  });
}

// Coefficients of one product may vanish together: masks without a common bit, powers of two that are too large.
bool Reducible::to_zero(Value v) {
  if (!v.is_node()) return truth(v) == false;
  const Node& node = provenance_.node(v);
  if (node.kind == Node::Kind::kAppended) return true;
  const bool is_sum = node.kind == Node::Kind::kRing && (node.ring == Ring::kXor || node.ring == Ring::kSum);
  if (is_sum && std::any_of(node.terms().begin(), node.terms().end(), [&](const Term& term) {
        return node.ring == Ring::kXor || may_wrap(node.scalar, term.coefficient, 4);
      }))
    return true;
  if (!node.has_choice) return false;
  if (node.kind != Node::Kind::kChoice) return true;
  if (const auto it = zero_.find(v.aux); it != zero_.end()) return it->second;
  const bool answer =
      std::any_of(node.children().begin(), node.children().end(), [&](const Value& child) { return to_zero(child); });
  zero_.emplace(v.aux, answer);
  return answer;
}

bool Reducible::function(Value v) {
  const Node& node = provenance_.node(v);
  const std::uint32_t tag = node.tag;
  const auto cast = cast_of(tag);
  if (picks_an_operand(tag) || is_operator(tag, Operator::kEq) || is_operator(tag, Operator::kNe) ||
      (cast && !is_real(cast->to) && !is_real(cast->from)) || tag >= kOpaqueJoin)
    return true;
  return std::all_of(node.children().begin(), node.children().end(),
                     [&](const Value& child) { return to_constant(child); });
}

bool Reducible::to_operand(Value v) const {
  const Node& node = provenance_.node(v);
  return picks_an_operand(node.tag) && std::any_of(node.children().begin(), node.children().end(),
                                                   [&](const Value& child) { return leads_to(child, node.tag); });
}

// Some choice of the value is a function of that tag.
bool Reducible::leads_to(Value v, std::uint32_t tag) const {
  const std::vector<Value> leaves = provenance_.leaves(v);
  return std::any_of(leaves.begin(), leaves.end(), [&](const Value& leaf) {
    return leaf.is_node() && provenance_.node(leaf).kind == Node::Kind::kOpaque && provenance_.node(leaf).tag == tag;
  });
}

}  // namespace swizzle
