#include "synth/provenance/data_cases.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "synth/provenance/indicators.h"

namespace swizzle {
namespace {

// Values as they are in one case. Only what is asked for is looked at: of c ? a : b, one arm.
class Case {
 public:
  Case(Provenance& provenance, const std::unordered_map<std::uint32_t, bool>& holds, CasesLeft& left)
      : p_(provenance),
        holds_(holds),
        left_(left) {}

  // Nothing: `asked` decides it, or there is nothing left.
  std::optional<Value> of(Value v) {
    if (!v.is_node()) return v;
    if (const auto it = known_.find(v.aux); it != known_.end()) return it->second;
    if (left_.steps == 0) return std::nullopt;
    --left_.steps;
    const auto found = of_node(v);
    if (found) known_.emplace(v.aux, *found);
    return found;
  }
  std::optional<NodeId> asked;

 private:
  std::optional<Value> of_node(Value v) {
    const Node n = p_.node(v);  // a copy: what follows adds nodes
    const auto operand = [&](std::size_t i) { return of(n.children()[i]); };
    switch (n.kind) {
      case Node::Kind::kInput:
      case Node::Kind::kBit: return v;
      case Node::Kind::kRing: return sum(n);
      case Node::Kind::kAppended: return of(p_.normalize(v));
      case Node::Kind::kOpaque: break;
      default: return std::nullopt;
    }
    if (n.is(Operator::kLogicalAnd) || n.is(Operator::kLogicalOr)) {
      const auto first = operand(0);
      const auto decided = first ? truth(*first) : std::nullopt;
      if (!first || (decided && *decided == n.is(Operator::kLogicalOr))) return first;
      return decided ? operand(1) : made(n);
    }
    if (n.tag == kOpaqueSelect) {
      const auto condition = operand(0);
      if (!condition) return std::nullopt;
      if (const auto decided = truth(*condition)) return operand(*decided ? 1 : 2);
    }
    return made(n);
  }

  std::optional<Value> made(const Node& n) {
    std::vector<Value> operands;
    for (const Value& child : n.children()) {
      const auto one = of(child);
      if (!one) return std::nullopt;
      operands.push_back(*one);
    }
    const Value v = p_.reapply(n.tag, n.scalar, operands);
    if (!v.is_node()) return v;
    const Node& function = p_.node(v);
    const bool is_comparison = function.is(Operator::kLt) || function.is(Operator::kLe) || function.is(Operator::kEq) ||
                               function.is(Operator::kNe);
    if (!is_comparison) return v;
    if (const auto it = holds_.find(v.aux); it != holds_.end()) return Value::integer(it->second);
    asked = v.as_node();
    return std::nullopt;
  }

  // What is not decided yet may be gone, once the rest is: [a] + [b] - [a] · [b] where a holds.
  std::optional<Value> sum(const Node& n) {
    const bool multiplies = n.ring == Ring::kSum || n.ring == Ring::kXor;
    std::optional<Value> all;
    std::optional<NodeId> first;
    std::unordered_set<std::uint32_t> open;
    for (const Term& term : n.terms()) {
      Value product = p_.from_terms(n.ring, n.scalar, {Term{term.coefficient, {}}});
      std::vector<NodeId> factors(term.factors.begin(), term.factors.end());
      std::ranges::stable_partition(factors, [&](NodeId f) { return is_indicator(p_.node(f)); });
      for (const NodeId f : factors) {
        auto factor = of(Value::node(f));
        if (!factor && (left_.steps == 0 || !asked)) return std::nullopt;
        if (!factor) {
          open.insert(Value::node(f).aux);
          if (!first) first = asked;
          factor = Value::node(f);
        }
        product = multiplies ? p_.multiply(n.ring, n.scalar, product, *factor) : *factor;
        if (multiplies && factor->is_int() && factor->bits == 0) break;
      }
      all = all ? p_.combine(n.ring, n.scalar, *all, product) : product;
    }
    const Value result = p_.normalize(all ? *all : p_.from_terms(n.ring, n.scalar, {}));
    asked = std::nullopt;
    for (const Term& term : p_.terms(n.ring, n.scalar, result))
      for (const NodeId f : term.factors)
        if (open.contains(Value::node(f).aux)) return asked = first, std::nullopt;
    return result;
  }

  Provenance& p_;
  const std::unordered_map<std::uint32_t, bool>& holds_;  // by comparison
  CasesLeft& left_;
  std::unordered_map<std::uint32_t, Value> known_;
};

class Cases {
 public:
  Cases(Provenance& provenance, Value a, Value b, CasesLeft& left) : p_(provenance), a_(a), b_(b), left_(left) {}

  bool are_alike() {
    if (left_.cases == 0) return false;
    --left_.cases;
    Case here(p_, holds_, left_);
    const auto a = here.of(a_);
    const auto b = a ? here.of(b_) : std::nullopt;
    if (a && b) return p_.normalize(*a) == p_.normalize(*b);
    if (!here.asked) return false;
    for (const bool holds : {true, false}) {
      const auto known = decided(*here.asked, holds);
      const bool is_same = are_alike();
      for (const std::uint32_t node : known) holds_.erase(node);
      if (!is_same) return false;
    }
    return true;
  }

 private:
  // Where it holds, or fails: a < b, and not b <= a, of integers; a == b, and not a != b.
  std::vector<std::uint32_t> decided(NodeId comparison, bool holds) {
    const Node n = p_.node(comparison);  // a copy: what follows adds nodes
    std::vector<std::uint32_t> known;
    const auto add = [&](Value v, bool is) {
      if (v.is_node() && holds_.emplace(v.aux, is).second) known.push_back(v.aux);
    };
    const auto opposite = [&](Operator op, std::size_t lhs, std::size_t rhs) {
      add(p_.opaque(static_cast<std::uint32_t>(op), n.scalar, {n.children()[lhs], n.children()[rhs]}), !holds);
    };
    add(Value::node(comparison), holds);
    if (n.is(Operator::kEq)) opposite(Operator::kNe, 0, 1);
    if (n.is(Operator::kNe)) opposite(Operator::kEq, 0, 1);
    if (n.is(Operator::kLt) && !is_real(n.scalar)) opposite(Operator::kLe, 1, 0);
    if (n.is(Operator::kLe) && !is_real(n.scalar)) opposite(Operator::kLt, 1, 0);
    return known;
  }

  Provenance& p_;
  const Value a_, b_;
  CasesLeft& left_;
  std::unordered_map<std::uint32_t, bool> holds_;
};

}  // namespace

bool are_alike_by_cases(Provenance& provenance, Value a, Value b, CasesLeft& left) {
  return a == b || Cases(provenance, a, b, left).are_alike();
}

}  // namespace swizzle
