#include "synth/provenance/three_ways.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "synth/provenance/arms.h"

namespace swizzle {
namespace {

// a < b ? p : a == b ? q : r, also as a < b ? p : b < a ? r : q.
class ThreeWays {
 public:
  ThreeWays(Provenance& p, Value if_true, Value if_false) : p_(p), if_true_(if_true), if_false_(if_false) {}

  // True: q is p, r, the lesser or greater of both, or t ? p : r; and `precedence` says which of p and r, `if_false`
  // being r.
  bool join(Precedence& precedence, Value& if_false) {
    if (precedence.or_equal || precedence.tie) return false;
    const Value a = precedence.less, b = precedence.more;
    return join_both(precedence, if_false) ||
           join_by(p_.binary(Operator::kEq, precedence.scalar, a, b), true, precedence, if_false) ||
           join_by(p_.binary(Operator::kLt, precedence.scalar, b, a), false, precedence, if_false);
  }

 private:
  // a < b ? p : a == b && t ? p : r, too long to be multiplied out.
  bool join_both(Precedence& precedence, Value& if_false) {
    if (!if_false_.is_node()) return false;
    const Node n = p_.node(if_false_);  // a copy: what follows adds nodes
    if (n.kind != Node::Kind::kOpaque || n.tag != kOpaqueSelect || !(n.children()[1] == if_true_)) return false;
    const Value either =
        p_.binary(Operator::kLogicalOr, Scalar::kBool,
                  p_.binary(Operator::kLt, precedence.scalar, precedence.less, precedence.more), n.children()[0]);
    const auto joined = as_precedence(p_, either);
    if (!joined || !joined->tie) return false;
    precedence = *joined;
    if_false = n.children()[2];
    return true;
  }

  bool join_by(Value condition, bool is_alike, Precedence& precedence, Value& if_false) {
    const auto arms = condition.is_node() ? arms_of(p_, if_false_, condition) : std::nullopt;
    if (!arms) return false;
    const Value last = p_.normalize(is_alike ? arms->if_false : arms->if_true);
    alike_ = is_alike ? condition : p_.unary(Operator::kLogicalNot, Scalar::kBool, condition);
    if (p_.normalize(is_alike ? arms->if_true : arms->if_false) == if_true_) precedence.or_equal = true;
    else precedence.tie = tie(last);
    if (!precedence.or_equal && !precedence.tie) return false;
    if_false = last;
    return true;
  }

  std::optional<Value> tie(Value last) {
    const auto width = [&](Value v) { return v.is_node() ? bit_width(p_.node(v).scalar) : 0; };
    const bool is_long = std::max(width(if_true_), width(last)) == 64;
    for (const Scalar s : is_long ? std::array{Scalar::kI64, Scalar::kU64} : std::array{Scalar::kI32, Scalar::kU32})
      for (const auto& [ring, less, more] :
           {std::tuple{Ring::kMin, if_true_, last}, std::tuple{Ring::kMax, last, if_true_}}) {
        const Value less_first = p_.binary(Operator::kLt, s, less, more);
        const Value both = p_.binary(Operator::kLogicalAnd, Scalar::kBool, alike_, less_first);
        for (const Value& made :
             {p_.select(alike_, p_.combine(ring, s, less, more), last), p_.select(both, if_true_, last)})
          if (p_.normalize(made) == if_false_) return less_first;
      }
    return std::nullopt;
  }

  Provenance& p_;
  const Value if_true_, if_false_;
  Value alike_;
};

}  // namespace

bool join_three_ways(Provenance& provenance, Precedence& precedence, Value if_true, Value& if_false) {
  return ThreeWays(provenance, if_true, if_false).join(precedence, if_false);
}

}  // namespace swizzle
