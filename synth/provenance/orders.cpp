#include "synth/provenance/orders.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <set>
#include <unordered_map>

#include "synth/provenance/casts.h"
#include "synth/provenance/indicators.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostElements = 6, kMostSteps = 400;
constexpr double kMostInputs = 20'000;  // that are gone through
constexpr double kMostCoefficient = 0x1p20;

enum class OrderStep : std::uint8_t {
  kElement,
  kConstant,
  kLeast,
  kGreatest,
  kLess,
  kNotMore,
  kAlike,
  kNot,
  kAnd,
  kOr,
  kSelect,
  kProduct,
  kSum
};

// A value as steps from elements, each one's operands before it.
class OrderProgram {
 public:
  struct One {
    OrderStep step;
    double constant = 0;  // kElement: its number
    std::vector<std::size_t> operands = {};
  };

  explicit OrderProgram(const Provenance& provenance) : provenance_(provenance) {}

  // Nothing: something else than orders decides it.
  std::optional<std::size_t> value(Value v) {
    if (const auto known = order(v)) return known;
    if (!v.is_node()) return std::nullopt;
    const Value sum = v;
    const Node& n = provenance_.node(sum);
    if (!n.combines() || n.ring != Ring::kSum) return std::nullopt;
    std::vector<std::size_t> terms;
    for (const Term& term : provenance_.terms(Ring::kSum, n.scalar, sum)) {
      const auto product = product_of(term, n.scalar);
      if (!product) return std::nullopt;
      terms.push_back(*product);
    }
    return add({OrderStep::kSum, 0, std::move(terms)});
  }

  const std::vector<One>& all() const { return steps_; }
  std::size_t elements() const { return elements_; }
  const std::set<double>& constants() const { return constants_; }
  // Of all elements, or what they are widened to. Nothing: there is no element, or only narrow ones by themselves.
  std::optional<Scalar> scalar() const {
    if (scalar_ || !width_) return scalar_;
    return *width_ == 32 ? Scalar::kI32 : Scalar::kI64;  // which holds all that is narrow, with a sign or without
  }

 private:
  std::size_t add(One one) {
    steps_.push_back(std::move(one));
    return steps_.size() - 1;
  }

  static bool is_narrow(Scalar s) { return !is_real(s) && s != Scalar::kBool && bit_width(s) < 32; }

  // All that is compared is of one type; or narrow, with a sign or without: then of any type that it was widened to.
  bool takes(Scalar s) {
    if (is_narrow(s)) {
      has_sign_ = has_sign_.value_or(!is_unsigned(s));
      return *has_sign_ != is_unsigned(s);
    }
    if ((scalar_ && *scalar_ != s) || (width_ && (is_real(s) || bit_width(s) != *width_))) return false;
    scalar_ = s;
    return s != Scalar::kBool && s != Scalar::kU64;
  }

  // What is compared by == has no sign of its own: a short -7 is as well one among ints.
  bool takes_alike(Scalar s) {
    if (is_real(s) || s == Scalar::kBool || is_narrow(s)) return takes(s);
    if ((scalar_ && (is_real(*scalar_) || bit_width(*scalar_) != bit_width(s))) || (width_ && *width_ != bit_width(s)))
      return false;
    width_ = bit_width(s);
    return true;
  }

  template <typename Make>
  std::optional<std::size_t> once(std::unordered_map<std::uint32_t, std::optional<std::size_t>>& known, Value v,
                                  Make&& make) {
    if (const auto it = known.find(v.aux); it != known.end()) return it->second;
    if (steps_.size() > kMostSteps) return std::nullopt;
    const std::optional<std::size_t> made = make(provenance_.node(v));
    return known[v.aux] = made;
  }

  // One of the elements or constants, which their order decides.
  std::optional<std::size_t> order(Value v) {
    if (v.is_int() || v.is_real()) {
      const double c = v.as_real();
      constants_.insert(c);
      return add({OrderStep::kConstant, c});
    }
    if (!v.is_node()) return std::nullopt;
    return once(orders_, v, [&](const Node& n) { return order_of(n); });
  }

  std::optional<std::size_t> order_of(const Node& n) {
    if (n.kind == Node::Kind::kInput) {
      const bool is_taken = is_narrow(n.scalar) || takes(n.scalar);  // narrow ones as what they are widened to
      if (elements_ == kMostElements || n.scalar == Scalar::kBool || !is_taken) return std::nullopt;
      return add({OrderStep::kElement, static_cast<double>(elements_++)});
    }
    if (const auto cast = cast_of(n); cast && keeps_order(*cast))
      return takes(is_narrow(cast->from) ? cast->from : cast->to) ? order(n.children()[0]) : std::nullopt;
    if (n.kind == Node::Kind::kOpaque && n.tag == kOpaqueSelect) return select(n, [&](Value v) { return order(v); });
    if (n.kind != Node::Kind::kRing || (n.ring != Ring::kMin && n.ring != Ring::kMax) || !takes(n.scalar))
      return std::nullopt;
    std::vector<std::size_t> operands;
    for (const Term& term : n.terms()) {
      const auto one = order(term.factors.empty() ? term.coefficient : Value::node(term.factors[0]));
      if (!one) return std::nullopt;
      operands.push_back(*one);
    }
    return add({n.ring == Ring::kMin ? OrderStep::kLeast : OrderStep::kGreatest, 0, std::move(operands)});
  }

  static bool keeps_order(const Cast& cast) {
    return !is_real(cast.from) && !is_real(cast.to) && cast.from != Scalar::kBool &&
           bit_width(cast.from) < bit_width(cast.to) && (is_unsigned(cast.from) || !is_unsigned(cast.to));
  }

  template <typename Arm>
  std::optional<std::size_t> select(const Node& n, Arm&& arm) {
    const auto c = condition(n.children()[0]), a = c ? arm(n.children()[1]) : std::nullopt,
               b = a ? arm(n.children()[2]) : std::nullopt;
    return b ? std::optional(add({OrderStep::kSelect, 0, {*c, *a, *b}})) : std::nullopt;
  }

  std::optional<std::size_t> condition(Value v) {
    if (v.is_int()) return add({OrderStep::kConstant, truth(v) == true ? 1.0 : 0.0});
    if (!v.is_node()) return std::nullopt;
    return once(conditions_, v, [&](const Node& n) { return condition_of(n); });
  }

  std::optional<std::size_t> condition_of(const Node& n) {
    if (is_indicator(n)) return condition(n.children()[0]);
    if (n.kind != Node::Kind::kOpaque) return std::nullopt;
    if (n.tag == kOpaqueSelect) return select(n, [&](Value v) { return condition(v); });
    const auto of_both = [&](OrderStep step, auto&& operand) -> std::optional<std::size_t> {
      const auto a = operand(n.children()[0]), b = a ? operand(n.children()[1]) : std::nullopt;
      return b ? std::optional(add({step, 0, {*a, *b}})) : std::nullopt;
    };
    const auto compared = [&](Value v) { return order(v); };
    const auto truth_of = [&](Value v) { return condition(v); };
    if (n.is(Operator::kLogicalAnd)) return of_both(OrderStep::kAnd, truth_of);
    if (n.is(Operator::kLogicalOr)) return of_both(OrderStep::kOr, truth_of);
    if (n.is(Operator::kLogicalNot)) {
      const auto a = condition(n.children()[0]);
      return a ? std::optional(add({OrderStep::kNot, 0, {*a}})) : std::nullopt;
    }
    const bool is_less = n.is(Operator::kLt), is_not_more = n.is(Operator::kLe), is_alike = n.is(Operator::kEq);
    if ((!is_less && !is_not_more && !is_alike) || !(is_alike ? takes_alike(n.scalar) : takes(n.scalar)))
      return std::nullopt;
    return of_both(is_less ? OrderStep::kLess : is_not_more ? OrderStep::kNotMore : OrderStep::kAlike, compared);
  }

  // Conditions, and one element or what is one, at most.
  std::optional<std::size_t> product_of(const Term& term, Scalar s) {
    const int unused = is_real(s) ? 0 : 64 - bit_width(s);  // above its bits, the highest of which is its sign
    const double c =
        is_real(s)
            ? term.coefficient.as_real()
            : static_cast<double>(
                  static_cast<std::int64_t>(static_cast<std::uint64_t>(term.coefficient.bits) << unused) >> unused);
    if (std::abs(c) > kMostCoefficient) return std::nullopt;
    std::vector<std::size_t> factors{add({OrderStep::kConstant, c})};
    bool has_element = false;
    for (NodeId f : term.factors) {
      const bool is_condition = is_indicator(provenance_.node(f));
      if (!is_condition && has_element) return std::nullopt;
      has_element = has_element || !is_condition;
      const auto factor = is_condition ? condition(Value::node(f)) : order(Value::node(f));
      if (!factor || (!is_condition && !adds_as(s))) return std::nullopt;
      factors.push_back(*factor);
    }
    return add({OrderStep::kProduct, 0, std::move(factors)});
  }

  bool adds_as(Scalar s) const {
    const std::optional<Scalar> compared = scalar();
    if (is_narrow(s)) return !compared || !is_real(*compared);
    if (!compared || is_real(*compared) != is_real(s)) return false;
    return is_real(s) || bit_width(*compared) == bit_width(s);
  }

  const Provenance& provenance_;
  std::vector<One> steps_;
  std::size_t elements_ = 0;
  std::set<double> constants_;
  std::optional<Scalar> scalar_;
  std::optional<int> width_;                                                           // of integers that may be alike
  std::optional<bool> has_sign_;                                                       // what is narrow
  std::unordered_map<std::uint32_t, std::optional<std::size_t>> orders_, conditions_;  // by node
};

// Doubles, as long as nothing of them is rounded off.
class ExactDoubles {
 public:
  double sum(double a, double b) {
    const double all = a + b, of_b = all - a;
    is_exact_ = is_exact_ && (a - (all - of_b)) + (b - of_b) == 0;  // Knuth's TwoSum; not of infinities
    return all;
  }
  double product(double a, double b) {
    is_exact_ = is_exact_ && std::fma(a, b, -(a * b)) == 0;
    return a * b;
  }
  bool is_exact() const { return is_exact_; }

 private:
  bool is_exact_ = true;
};

double value_of_step(const OrderProgram::One& one, const std::vector<double>& values,
                     const std::vector<double>& elements, ExactDoubles& exact) {
  const auto operand = [&](std::size_t i) { return values[one.operands[i]]; };
  double all = one.step == OrderStep::kProduct ? 1
               : one.step == OrderStep::kSum   ? 0
               : one.operands.empty()          ? 0
                                               : operand(0);
  switch (one.step) {
    case OrderStep::kElement: return elements[static_cast<std::size_t>(one.constant)];
    case OrderStep::kConstant: return one.constant;
    case OrderStep::kLeast:
      for (std::size_t o : one.operands) all = std::min(all, values[o]);
      return all;
    case OrderStep::kGreatest:
      for (std::size_t o : one.operands) all = std::max(all, values[o]);
      return all;
    case OrderStep::kLess: return operand(0) < operand(1) ? 1 : 0;
    case OrderStep::kNotMore: return operand(0) <= operand(1) ? 1 : 0;
    case OrderStep::kAlike: return operand(0) == operand(1) ? 1 : 0;
    case OrderStep::kNot: return operand(0) == 0 ? 1 : 0;
    case OrderStep::kAnd: return operand(0) != 0 && operand(1) != 0 ? 1 : 0;
    case OrderStep::kOr: return operand(0) != 0 || operand(1) != 0 ? 1 : 0;
    case OrderStep::kSelect: return operand(0) != 0 ? operand(1) : operand(2);
    case OrderStep::kProduct:
      for (std::size_t o : one.operands) all = exact.product(all, values[o]);
      return all;
    case OrderStep::kSum:
      for (std::size_t o : one.operands) all = exact.sum(all, values[o]);
      return all;
  }
  return 0;
}

// Constants, and beside each as many integers as there are elements, and one more: so all orders are met, and in each
// of them as many inputs as tell apart what is linear in the elements. Real numbers have room for them between any two.
// None: doubles are too far apart there.
std::vector<double> numbers_of(const OrderProgram& steps) {
  constexpr double kMostConstant = 0x1p50;
  const auto beside = static_cast<double>(steps.elements() + 1);
  const auto pieces = static_cast<double>(std::bit_ceil(steps.elements() + 2));
  std::set<double> all = steps.constants();
  if (std::ranges::any_of(all, [](double c) { return !(std::abs(c) <= kMostConstant); })) return {};
  const bool real = steps.scalar() && is_real(*steps.scalar());
  if (all.empty()) all.insert(0);
  ExactDoubles exact;
  for (auto at = steps.constants().begin(); at != steps.constants().end(); ++at) {
    const auto next = std::next(at);
    for (double i = 1; i <= beside; ++i) {
      if (next == steps.constants().end()) all.insert(exact.sum(*at, i));
      else if (real) all.insert(exact.sum(*at, exact.product(exact.sum(*next, -*at), i / pieces)));
      else if (*at + i < *next) all.insert(*at + i);
      if (at == steps.constants().begin()) all.insert(exact.sum(*at, -i));
    }
  }
  if (!exact.is_exact()) return {};
  if (steps.constants().empty())
    for (double i = 1; i < beside; ++i) all.insert(i);
  if (real || !steps.scalar()) return {all.begin(), all.end()};
  const auto is_beyond = [&](double v) {
    return v < static_cast<double>(range_of(*steps.scalar()).low) ||
           v > static_cast<double>(range_of(*steps.scalar()).high);
  };
  if (std::ranges::any_of(steps.constants(), is_beyond)) return {};  // of integers, -7 may be said as 4294967289
  std::erase_if(all, is_beyond);
  return {all.begin(), all.end()};
}

bool are_alike_everywhere(const OrderProgram& steps, std::size_t a, std::size_t b) {
  const std::vector<double> of = numbers_of(steps);
  if (of.empty() || std::pow(static_cast<double>(of.size()), static_cast<double>(steps.elements())) > kMostInputs)
    return false;
  std::vector<std::size_t> at(steps.elements(), 0);
  std::vector<double> elements(steps.elements(), of[0]), values(steps.all().size());
  ExactDoubles exact;
  while (true) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_of_step(steps.all()[i], values, elements, exact);
    if (values[a] != values[b] || !exact.is_exact()) return false;
    std::size_t next = 0;
    while (next < at.size() && ++at[next] == of.size()) elements[next] = of[0], at[next++] = 0;
    if (next == at.size()) return true;
    elements[next] = of[at[next]];
  }
}

}  // namespace

bool Orders::are_alike(const Provenance& provenance, Value a, Value b) {
  OrderProgram steps(provenance);
  const auto first = steps.value(a), second = first ? steps.value(b) : std::nullopt;
  if (!second || steps.elements() == 0) return false;
  std::vector<double> key{static_cast<double>(*first), static_cast<double>(*second),
                          static_cast<double>(steps.scalar().value_or(Scalar::kBool))};
  for (const OrderProgram::One& one : steps.all()) {
    key.insert(key.end(), {static_cast<double>(one.step), one.constant, static_cast<double>(one.operands.size())});
    for (std::size_t o : one.operands) key.push_back(static_cast<double>(o));
  }
  const auto [known, fresh] = known_.try_emplace(std::move(key), false);
  if (fresh) known->second = are_alike_everywhere(steps, *first, *second);
  return known->second;
}

}  // namespace swizzle
