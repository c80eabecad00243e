#include "synth/provenance/indicators.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <vector>

#include "synth/provenance/arms.h"
#include "synth/provenance/casts.h"
#include "synth/provenance/rings.h"
#include "synth/provenance/truth_polynomials.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostProducts = 64;         // of a select that is multiplied out
constexpr std::size_t kMostClosedProducts = 128;  // likewise, where no hole has a say
constexpr std::size_t kMostFactors = 6;           // of one of its terms
constexpr std::size_t kMostInAll = 1024;          // likewise, where no hole has a say
constexpr std::size_t kMostOfConditions = 128;    // of a condition that is made of others: a || b || c || …
constexpr std::size_t kMostBranches = 4;          // conditions of a value whose arms are compared one by one
constexpr double kLargest = 0x1p24;               // constant that does not swallow what it is added to and taken from

// The same number in sums of another type.
Value rebuilt(Provenance& provenance, const std::vector<Term>& polynomial, Scalar from, Scalar to) {
  Value sum = is_real(to) ? Value::real(0) : Value::integer(0);
  for (const Term& term : polynomial) {
    const double c = signed_number(from, term.coefficient);
    Value product = is_real(to) ? Value::real(c) : Value::integer(wrap(to, static_cast<std::int64_t>(c)));
    for (NodeId f : term.factors)
      product = provenance.multiply(Ring::kSum, to, product, provenance.convert(Value::node(f), from, to));
    sum = provenance.combine(Ring::kSum, to, sum, product);
  }
  return provenance.normalize(sum);
}

class Indicator {
 public:
  Indicator(Provenance& provenance, Scalar s) : p_(provenance), s_(algebra_of(Ring::kSum, s)) {}

  Value of(Value condition) {
    const Node n = p_.node(condition);  // a copy: what follows adds nodes
    if (is_indicator(n)) return p_.convert(n.children()[0], Scalar::kBool, s_);
    const auto operand = [&](std::size_t i) { return p_.convert(n.children()[i], Scalar::kBool, s_); };
    if (n.is(Operator::kLogicalNot)) return negated(operand(0));
    if (n.is(Operator::kLogicalAnd) || n.is(Operator::kLogicalOr)) return joined(condition, n);
    if (n.is(Operator::kLe)) return negated(comparison(Operator::kLt, n, 1, 0));
    if (n.is(Operator::kNe)) return negated(comparison(Operator::kEq, n, 0, 1));
    if (n.is(Operator::kEq)) {
      if (const auto truth = as_truth(n)) return *truth;
      if (const auto parts = where_all_are_0(n)) return *parts;
      if (const auto bit = where_a_bit_is_1(n)) return *bit;
      if (const auto each = where_an_arm_is(n)) return *each;
      if (const auto clipped = where_clipped(n)) return *clipped;
    } else if (n.is(Operator::kLt) && !is_real(n.scalar)) {
      if (const auto bound = below_a_number(n)) return *bound;
    }
    return p_.opaque(cast_code({Scalar::kBool, s_}), s_, {condition});
  }

 private:
  Value one() const { return is_real(s_) ? Value::real(1) : Value::integer(1); }
  Value times(Value a, Value b) { return p_.multiply(Ring::kSum, s_, a, b); }
  Value negated(Value a) { return p_.normalize(p_.binary(Operator::kSub, s_, one(), a)); }
  Value comparison(Operator op, const Node& n, std::size_t lhs, std::size_t rhs) {
    return p_.convert(p_.binary(op, n.scalar, n.children()[lhs], n.children()[rhs]), Scalar::kBool, s_);
  }

  // Conditions that share their parts are gone through part by part.
  Value joined(Value condition, const Node& n) {
    constexpr std::uint64_t kKept = std::uint64_t{1} << 59;
    const ComputedTable::Key key{kKept + static_cast<std::uint64_t>(s_), condition.aux};
    if (const auto known = p_.computed().find(key)) return *known;
    const Value a = p_.convert(n.children()[0], Scalar::kBool, s_), b = p_.convert(n.children()[1], Scalar::kBool, s_);
    const bool is_long = p_.terms(Ring::kSum, s_, a).size() * p_.terms(Ring::kSum, s_, b).size() > kMostOfConditions;
    const Value result = is_long                       ? p_.opaque(cast_code({Scalar::kBool, s_}), s_, {condition})
                         : n.is(Operator::kLogicalAnd) ? times(a, b)
                                                       : negated(times(negated(a), negated(b)));
    p_.computed().keep(key, result);
    return result;
  }

  // The truth that became a number and is compared with 0 or 1.
  std::optional<Value> as_truth(const Node& equality) {
    const Value number = equality.children()[0], constant = equality.children()[1];
    if (constant.is_node() || constant.as_real() != (truth(constant) == true ? 1 : 0)) return std::nullopt;
    const auto polynomial = indicator_polynomial(p_, equality.scalar, number);
    if (!polynomial || !is_truth_polynomial(equality.scalar, *polynomial)) return std::nullopt;
    const Value same = rebuilt(p_, *polynomial, equality.scalar, s_);
    return truth(constant) == true ? same : negated(same);
  }

  // a | b is 0 where both are, as is the greater of two that have no sign.
  std::optional<Value> where_all_are_0(const Node& equality) {
    const Value number = equality.children()[0], constant = equality.children()[1];
    if (truth(constant) != false || !number.is_node() || p_.has_choice(number)) return std::nullopt;
    const Node all = p_.node(number);  // a copy: what follows adds nodes
    const bool has_no_sign = all.ring == Ring::kMax && is_unsigned(all.scalar);
    if (!all.combines() || !(all.ring == Ring::kOr || has_no_sign)) return std::nullopt;
    const std::vector<Term> terms = p_.terms(all.ring, all.scalar, p_.normalize(number));
    if (terms.size() < 2) return std::nullopt;
    Value product = one();
    for (const Term& t : terms) {
      const Value part = t.factors.empty() ? t.coefficient : Value::node(t.factors[0]);
      const Value is_0 = p_.binary(Operator::kEq, equality.scalar, part, constant);
      product = times(product, p_.convert(is_0, Scalar::kBool, s_));
    }
    return p_.normalize(product);
  }

  // (x & 1) == 1 is not (x & 1) == 0.
  std::optional<Value> where_a_bit_is_1(const Node& equality) {
    const Value number = equality.children()[0], constant = equality.children()[1];
    if (constant != Value::integer(1) || !number.is_node() || p_.has_choice(number)) return std::nullopt;
    const Node& masked = p_.node(number);
    const bool is_bit = masked.kind == Node::Kind::kRing && masked.ring == Ring::kXor && masked.terms().size() == 1 &&
                        masked.terms()[0].coefficient == Value::integer(1);
    if (!is_bit || is_real(equality.scalar)) return std::nullopt;
    return negated(p_.convert(p_.binary(Operator::kEq, equality.scalar, number, Value::integer(0)), Scalar::kBool, s_));
  }

  // (c ? a : b) == 0 is [c] · [a == 0] + [!c] · [b == 0], where a few conditions choose, or one after the other does.
  std::optional<Value> where_an_arm_is(const Node& equality) {
    const Value number = equality.children()[0], constant = equality.children()[1];
    if (constant.is_node() || !number.is_node() || !p_.node(number).selects || p_.has_choice(number))
      return std::nullopt;
    const Value chosen = p_.normalize(number);
    const auto condition = commonest_condition(p_, chosen);
    const auto arms = condition ? arms_of(p_, chosen, *condition) : std::nullopt;
    if (!arms) return std::nullopt;
    const bool is_few = !conditions_of(p_, chosen, kMostBranches).empty(),
               is_chain = !commonest_condition(p_, arms->if_false);
    if (!is_few && !is_chain) return std::nullopt;
    const auto arm_is_constant = [&](Value arm) {
      return p_.convert(p_.binary(Operator::kEq, equality.scalar, arm, constant), Scalar::kBool, s_);
    };
    const Value holds = of(*condition), if_true = arm_is_constant(known_where(*condition, arms->if_true));
    return p_.normalize(
        p_.combine(Ring::kSum, s_, times(holds, if_true), times(negated(holds), arm_is_constant(arms->if_false))));
  }

  // min(x, 5) is 5 where x is not below it, and 3 where x is.
  std::optional<Value> where_clipped(const Node& equality) {
    const Value number = equality.children()[0], constant = equality.children()[1];
    if (constant.is_node() || !number.is_node() || p_.has_choice(number)) return std::nullopt;
    const Node set = p_.node(p_.normalize(number));  // a copy: what follows adds nodes
    if (set.kind != Node::Kind::kRing || !is_order(set.ring) || set.terms().size() != 2) return std::nullopt;
    const Scalar s = set.scalar;
    const Term &a = set.terms()[0], &b = set.terms()[1];
    const Term &bound = a.factors.empty() ? a : b, &other = a.factors.empty() ? b : a;
    if (!bound.factors.empty() || other.factors.size() != 1) return std::nullopt;
    const auto typed = [&](Value v) { return is_real(s) ? Value::real(v.as_real()) : Value::integer(wrap(s, v.bits)); };
    const Value x = Value::node(other.factors[0]), most = typed(bound.coefficient), asked = typed(constant);
    const bool is_least = set.ring == Ring::kMin;
    if (asked == most) {
      const Value beyond = p_.binary(Operator::kLt, s, is_least ? x : most, is_least ? most : x);
      return negated(p_.convert(beyond, Scalar::kBool, s_));
    }
    const bool is_within = truth(p_.binary(Operator::kLt, s, is_least ? asked : most, is_least ? most : asked)) == true;
    if (!is_within) return is_real(s_) ? Value::real(0) : Value::integer(0);
    return p_.convert(p_.binary(Operator::kEq, equality.scalar, x, constant), Scalar::kBool, s_);
  }

  // x + y is y where x == 0.
  Value known_where(Value condition, Value arm) {
    if (!arm.is_node() || p_.node(arm).kind != Node::Kind::kRing) return arm;
    const Scalar s = p_.node(arm).scalar;
    const Value truth = p_.normalize(indicator(p_, condition, s));
    const auto arms = arms_of(p_, p_.normalize(p_.multiply(Ring::kSum, s, truth, arm)), condition);
    return arms && truth.is_node() && is_indicator(p_.node(truth)) ? arms->if_true : arm;
  }

  // 2 < x is not x < 3, of integers.
  std::optional<Value> below_a_number(const Node& less) {
    const Value bound = less.children()[0], x = less.children()[1];
    bool defined = true;
    if (!bound.is_int()) return std::nullopt;
    const std::int64_t next = apply(Operator::kAdd, less.scalar, bound.bits, 1, defined);
    if (!defined || apply(Operator::kLt, less.scalar, bound.bits, next, defined) == 0) return std::nullopt;
    return negated(p_.convert(p_.binary(Operator::kLt, less.scalar, x, Value::integer(next)), Scalar::kBool, s_));
  }

  Provenance& p_;
  Scalar s_;
};

}  // namespace

// [a < b] and [b < a], or either and [a == b]; [a == 1] and [a == 2].
bool exclude_each_other(const Provenance& provenance, const Node& f, const Node& g) {
  if (!f.children()[0].is_node() || !g.children()[0].is_node()) return false;
  const Node &a = provenance.node(f.children()[0]), &b = provenance.node(g.children()[0]);
  const auto orders = [](const Node& n) { return n.is(Operator::kLt) || n.is(Operator::kEq); };
  if (!orders(a) || !orders(b) || a.scalar != b.scalar || a.maybe_undefined || b.maybe_undefined) return false;
  const Value x = a.children()[0], y = a.children()[1], u = b.children()[0], v = b.children()[1];
  if (a.is(Operator::kEq) && b.is(Operator::kEq)) {
    const bool are_numbers = !y.is_node() && !v.is_node() && y.kind == v.kind && !a.has_choice;
    return are_numbers && x == u && !(y == v);
  }
  if (x == v && y == u) return true;
  return a.tag != b.tag && x == u && y == v;
}

namespace {

// The type of its sums, if an element tells it; kBool: it is no number, or one that is made bit by bit.
std::optional<Scalar> sum_type_of(const Provenance& provenance, Value v) {
  std::optional<Scalar> found;
  for (const Value& leaf : provenance.leaves(v)) {
    if (leaf.is_pointer()) return Scalar::kBool;
    if (!leaf.is_node()) continue;
    const Node& n = provenance.node(leaf);
    if (n.combines() && (n.ring == Ring::kXor || n.ring == Ring::kOr)) return Scalar::kBool;
    const Scalar s = is_truth(provenance, leaf) ? Scalar::kBool : algebra_of(Ring::kSum, n.scalar);
    if (found && *found != s) return Scalar::kBool;
    found = s;
  }
  return found;
}

// A comparison among the factors that holes have a say in.
bool compares_open(const Provenance& provenance, Scalar s, Value v) {
  return std::ranges::any_of(provenance.terms(Ring::kSum, s, v), [&](const Term& t) {
    return std::ranges::any_of(
        t.factors, [&](NodeId f) { return is_indicator(provenance.node(f)) && provenance.node(f).has_choice; });
  });
}

std::size_t most_products(const Provenance& provenance, Value v) {
  return provenance.has_choice(v) ? kMostProducts : kMostClosedProducts;
}

bool may_be_multiplied_out(const Provenance& provenance, Scalar s, Value v) {
  const std::vector<Term> terms = provenance.terms(Ring::kSum, s, v);
  if (terms.size() > most_products(provenance, v)) return false;
  std::size_t most = 0, in_all = 0;
  for (const Term& t : terms) {
    most = std::max(most, t.factors.size());
    in_all += t.factors.size();
    if (!t.coefficient.is_int() && std::abs(t.coefficient.as_real()) > kLargest) return false;
  }
  return most < kMostFactors || (in_all <= kMostInAll && !provenance.has_choice(v));
}

}  // namespace

bool is_indicator(const Node& n) {
  const auto cast = cast_of(n);
  return cast && cast->from == Scalar::kBool;
}

Value indicator(Provenance& provenance, Value condition, Scalar s) { return Indicator(provenance, s).of(condition); }

bool is_truth(const Provenance& provenance, Value v) {
  if (!v.is_node() || provenance.node(v).kind != Node::Kind::kOpaque) return v.is_int() && (v.bits == 0 || v.bits == 1);
  const std::uint32_t op = provenance.node(v).tag;
  return op < kOpaqueCast &&
         (is_comparison(static_cast<Operator>(op)) || op == static_cast<std::uint32_t>(Operator::kLogicalAnd) ||
          op == static_cast<std::uint32_t>(Operator::kLogicalOr) ||
          op == static_cast<std::uint32_t>(Operator::kLogicalNot));
}

bool takes_truths_apart(std::uint32_t code) {
  if (code >= kOpaqueCast) return code == kOpaqueSelect;
  return code != static_cast<std::uint32_t>(Operator::kLt) && code != static_cast<std::uint32_t>(Operator::kLe);
}

Value condition_of(Provenance& provenance, Value condition) {
  if (!condition.is_node()) return condition;
  const Node& n = provenance.node(condition);
  return is_indicator(n) ? n.children()[0] : condition;
}

std::optional<Value> times_indicator(Provenance& provenance, Scalar s, Value indicator, Value factor) {
  if (!factor.is_node() || !indicator.is_node() || !is_indicator(provenance.node(indicator))) return std::nullopt;
  const Value condition = provenance.node(indicator).children()[0];
  if (!condition.is_node() || !provenance.node(condition).is(Operator::kLt)) return std::nullopt;
  const Node less = provenance.node(condition);  // a copy: what follows adds nodes
  if (algebra_of(Ring::kSum, less.scalar) != algebra_of(Ring::kSum, s)) return std::nullopt;
  const Value a = less.children()[0], b = less.children()[1];
  const auto minus = [&](Value x, Value y) { return provenance.normalize(provenance.binary(Operator::kSub, s, x, y)); };
  if (factor == minus(b, a)) return minus(provenance.combine(Ring::kMax, less.scalar, a, b), a);
  if (factor == minus(a, b)) return minus(provenance.combine(Ring::kMin, less.scalar, a, b), b);
  return std::nullopt;
}

std::optional<Value> operate_on_indicators(Provenance& provenance, Operator op, Scalar s, Value lhs, Value rhs) {
  const bool is_logic =
      op == Operator::kXor || op == Operator::kAnd || op == Operator::kOr || op == Operator::kEq || op == Operator::kNe;
  const Value zero = Value::integer(0);
  if (!is_logic || is_real(s) || lhs == zero || rhs == zero) return std::nullopt;
  for (Value* v : {&lhs, &rhs})
    if (v->is_node() && provenance.node(*v).combines()) {
      if (provenance.node(*v).ring != Ring::kSum) return std::nullopt;
      *v = provenance.normalize(*v);
    }
  if (provenance.is_index(lhs) && provenance.is_index(rhs)) return std::nullopt;
  for (const Value& v : {lhs, rhs}) {
    const auto polynomial = indicator_polynomial(provenance, s, v);
    if (!(polynomial ? is_truth_polynomial(s, *polynomial) : is_condition_value(provenance, v))) return std::nullopt;
  }
  const Value both = provenance.multiply(Ring::kSum, s, lhs, rhs);
  if (op == Operator::kAnd) return both;
  const Value sum = provenance.combine(Ring::kSum, s, lhs, rhs);
  const Value times = Value::integer(op == Operator::kOr ? -1 : -2);
  const Value result =
      provenance.normalize(provenance.combine(Ring::kSum, s, sum, provenance.multiply(Ring::kSum, s, both, times)));
  if (op == Operator::kOr || op == Operator::kXor) return result;
  return provenance.binary(op, s, result, zero);  // lhs == rhs if lhs ^ rhs is 0
}

std::optional<Value> convert_indicators(Provenance& provenance, Value v, Scalar from, Scalar to) {
  const auto polynomial = indicator_polynomial(provenance, from, v);
  const bool is_one = polynomial && polynomial->size() == 1 && (*polynomial)[0].factors.size() == 1;
  if (!polynomial || is_one || !is_truth_polynomial(from, *polynomial)) return std::nullopt;
  return rebuilt(provenance, *polynomial, from, to);
}

// x[0], where the indicator is that of x[0] == 0.
static bool is_zero_under(const Provenance& provenance, const Node& indicator, NodeId factor) {
  const Value condition = indicator.children()[0];
  if (!condition.is_node() || !provenance.node(condition).is(Operator::kEq)) return false;
  const Children sides = provenance.node(condition).children();
  const auto is_zero = [](Value v) { return !v.is_node() && truth(v) == false; };
  const bool is_equal =
      (sides[0] == Value::node(factor) && is_zero(sides[1])) || (sides[1] == Value::node(factor) && is_zero(sides[0]));
  return is_equal && !provenance.node(Value::node(factor)).has_choice;
}

bool reduce_indicators(const Provenance& provenance, Factors& product) {
  for (auto at = product.begin(); at != product.end(); ++at) {
    const Node& n = provenance.node(*at);
    if (!is_indicator(n)) continue;
    const auto next = std::next(at);
    product.erase(next, std::find_if(next, product.end(), [&](NodeId f) { return f != *at; }));
    for (auto other = next; other != product.end(); ++other)
      if (is_indicator(provenance.node(*other)) && exclude_each_other(provenance, n, provenance.node(*other)))
        return false;
    if (std::ranges::any_of(product, [&](NodeId f) { return is_zero_under(provenance, n, f); })) return false;
  }
  return true;
}

std::optional<Value> select_by_indicator(Provenance& provenance, Value condition, Value if_true, Value if_false,
                                         std::optional<Scalar> type) {
  if (condition.is_node() && provenance.node(condition).is(Operator::kLe)) {  // a <= b ? x : y is b < a ? y : x
    const Node order = provenance.node(condition);                            // a copy: what follows adds nodes
    condition = provenance.opaque(static_cast<std::uint32_t>(Operator::kLt), order.scalar,
                                  {order.children()[1], order.children()[0]});
    std::swap(if_true, if_false);
  }
  const auto a = sum_type_of(provenance, if_true), b = sum_type_of(provenance, if_false);
  std::optional<Scalar> known = type && *type != Scalar::kBool ? algebra_of(Ring::kSum, *type) : type;
  if (!known) known = a ? a : b;
  if (!known || *known == Scalar::kBool || (a && *a != *known) || (b && *b != *known)) return std::nullopt;
  const Scalar s = *known;
  const auto minus = [&](Value x, Value y) { return provenance.normalize(provenance.binary(Operator::kSub, s, x, y)); };
  const Value difference = minus(if_true, if_false);
  if (!may_be_multiplied_out(provenance, s, difference)) return std::nullopt;
  const Value factor = indicator(provenance, condition, s);
  // Comparisons of what holes decide, each of what was selected by the one before, have too many cases to be multiplied
  // out.
  const auto is_selected = [&](Value v) { return v.is_node() && provenance.node(v).selects; };
  if ((is_selected(condition) || is_selected(difference)) && compares_open(provenance, s, factor)) return std::nullopt;
  if (provenance.terms(Ring::kSum, s, factor).size() * provenance.terms(Ring::kSum, s, difference).size() >
      std::min(most_products(provenance, factor), most_products(provenance, difference)))
    return std::nullopt;
  const auto clipped = times_indicator(provenance, s, factor, difference);
  return provenance.combine(Ring::kSum, s, if_false,
                            clipped ? *clipped : provenance.multiply(Ring::kSum, s, factor, difference));
}

}  // namespace swizzle
