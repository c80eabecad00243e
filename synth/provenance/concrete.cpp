#include "synth/provenance/concrete.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "synth/base/hashes.h"
#include "synth/program/intrinsics.h"
#include "synth/provenance/casts.h"
#include "synth/provenance/data_places.h"

namespace swizzle {
namespace {

double real_of(bool is_real, double real, std::int64_t integer) {
  return is_real ? real : static_cast<double>(integer);
}

}  // namespace

void Concrete::start(std::uint64_t trial, std::vector<NodeId> changed) {
  trial_ = trial;
  changed_ = std::move(changed);
  known_.clear();
}

std::optional<std::int64_t> Concrete::integer(Value v) {
  const Numbers known = number(v);
  return known && !known->is_real && !known->is_symbolic ? std::optional(known->integer) : std::nullopt;
}

std::optional<double> Concrete::real(Value v) {
  const Numbers known = number(v);
  return known && known->is_real && !known->is_symbolic ? std::optional(known->real) : std::nullopt;
}

Concrete::Numbers Concrete::number(Value v) {
  switch (v.kind) {
    case Value::Kind::kInt: return Number{false, false, v.bits, 0};
    case Value::Kind::kReal: return Number{true, false, 0, v.as_real()};
    case Value::Kind::kNode: break;
    default: return std::nullopt;
  }
  if (const auto it = known_.find(v.aux); it != known_.end()) return it->second;
  const Numbers result = compute(v.as_node());
  known_.emplace(v.aux, result);
  return result;
}

Concrete::Numbers Concrete::compute(NodeId id) {
  const Node& n = provenance_.node(id);
  switch (n.kind) {
    case Node::Kind::kInput: return input(id);
    case Node::Kind::kChoice:
    case Node::Kind::kBit:
    case Node::Kind::kWord:
    case Node::Kind::kDeferred: return std::nullopt;
    case Node::Kind::kOpaque: return function(n);
    case Node::Kind::kAppended:
    case Node::Kind::kRing: return is_set(n.ring) ? set(id) : sum(id);
  }
  return std::nullopt;
}

// Nothing: an index among data that is not computed here.
std::optional<std::int64_t> Concrete::slot_of_element(const Node& input) {
  if (!is_data_place(input.index())) return input.index();
  const DataPlace place = data_place(input.index());
  const auto sum = integer(place.sum);
  return sum ? std::optional(*sum + place.offset) : std::nullopt;
}

// Any integer of the range; of distinct ones, another one for each slot, as far as they go.
std::int64_t Concrete::in_range(const ValueRange& range, std::uint64_t bits, std::int64_t slot) const {
  const auto count = static_cast<std::uint64_t>(range.high - range.low) + 1;
  if (range.is_distinct) bits = scrambled(trial_) + static_cast<std::uint64_t>(slot);
  return range.low + static_cast<std::int64_t>(count == 0 ? bits : bits % count);
}

// Small integers in some trials, any bits in others; real numbers that have a square root and a logarithm in some. What
// comes through a long chain of `&` and `|` is hardly ever seen on any bits: in some trials, words of one buffer, with
// an even or an odd index, have all bits alike, or all but one, which is another one for each word.
Concrete::Numbers Concrete::input(NodeId id) {
  const Node& n = provenance_.node(id);
  const auto slot = slot_of_element(n);
  if (!slot) return std::nullopt;
  const std::uint64_t element = scrambled(trial_ << 32 ^ scrambled(static_cast<std::uint64_t>(*slot) << 8 ^ n.tag));
  std::uint64_t bits = scrambled(element + (is_changed(id) ? 1 : 0));
  if (const auto range = provenance_.value_ranges().narrowest(n.tag); range && !is_real(n.scalar))
    return Number{false, false, in_range(*range, bits, *slot), 0};
  if (!bounds_.empty() && element % 4 != 3) {
    constexpr std::array<double, 4> kBeside = {0, 0, -1, 1};
    const double bound = bounds_[(element >> 8) % bounds_.size()], beside = kBeside[(element >> 4) % kBeside.size()];
    if (is_real(n.scalar)) return Number{true, false, 0, nearest(n.scalar, bound + beside / 8)};
    return Number{false, false, wrap(n.scalar, static_cast<std::int64_t>(bound + beside)), 0};
  }
  if (is_real(n.scalar)) {
    const double real = static_cast<double>(bits % 4096) / 256 - 8;
    return Number{true, false, 0, nearest(n.scalar, trial_ % 3 == 2 ? std::abs(real) + 0.125 : real)};
  }
  if (trial_ >= kUniform) {
    const std::uint64_t kind = scrambled(trial_ << 32 ^ n.tag << 1 ^ (trial_ % 2 == 0 ? 0 : *slot & 1));
    const std::uint64_t one = std::uint64_t{1} << (static_cast<std::uint64_t>(*slot) % bit_width(n.scalar));
    bits = ((kind & 1) != 0 ? one : 0) ^ ((kind & 2) != 0 ? ~std::uint64_t{0} : 0);
    if (is_changed(id)) bits = ~bits;
  } else if (trial_ % 3 == 1) {
    bits %= 8;
  }
  if (n.scalar == Scalar::kBool) bits = (element & 1) ^ (is_changed(id) ? 1 : 0);
  return Number{false, false, wrap(n.scalar, static_cast<std::int64_t>(bits)), 0};
}

Concrete::Numbers Concrete::sum(NodeId id) {
  const Node& n = provenance_.node(id);
  const bool real = is_real(n.scalar), is_xor = n.ring == Ring::kXor;
  Number total{real, false, 0, 0};
  for (const Term& term : provenance_.terms(n.ring, n.scalar, Value::node(id))) {
    const Numbers coefficient = number(term.coefficient);
    if (!coefficient) return std::nullopt;
    Number product = *coefficient;
    if (real && !product.is_real) product.real = static_cast<double>(product.integer);
    for (NodeId f : term.factors) {
      const Numbers factor = number(Value::node(f));
      if (!factor) return std::nullopt;
      product.is_symbolic = product.is_symbolic || factor->is_symbolic;
      product.real *= factor->is_real ? factor->real : static_cast<double>(factor->integer);
      const auto a = static_cast<std::uint64_t>(product.integer), b = static_cast<std::uint64_t>(factor->integer);
      product.integer = static_cast<std::int64_t>(is_xor ? a & b : a * b);
    }
    total.is_symbolic = total.is_symbolic || product.is_symbolic;
    total.real += product.real;
    const auto a = static_cast<std::uint64_t>(total.integer), b = static_cast<std::uint64_t>(product.integer);
    total.integer = static_cast<std::int64_t>(is_xor ? a ^ b : a + b);
  }
  if (!real) total.integer = wrap(n.scalar, total.integer);
  return total;
}

Concrete::Numbers Concrete::set(NodeId id) {
  const Node& n = provenance_.node(id);
  Numbers total;
  for (const Term& term : provenance_.terms(n.ring, n.scalar, Value::node(id))) {
    Numbers operand = number(term.factors.empty() ? term.coefficient : Value::node(term.factors[0]));
    if (!operand) return std::nullopt;
    if (!operand->is_real) operand->integer = wrap(n.scalar, operand->integer);
    if (!total) {
      total = operand;
      continue;
    }
    const bool symbolic = total->is_symbolic || operand->is_symbolic;
    const bool less = operand->is_real ? operand->real < total->real
                      : is_unsigned(n.scalar)
                          ? static_cast<std::uint64_t>(operand->integer) < static_cast<std::uint64_t>(total->integer)
                          : operand->integer < total->integer;
    if (n.ring == Ring::kOr) total->integer |= operand->integer;
    else if (less == (n.ring == Ring::kMin)) total = operand;
    total->is_symbolic = symbolic;
  }
  return total;
}

Concrete::Number Concrete::cast(Scalar from, Scalar to, const Number& v) const {
  Number result{is_real(to), v.is_symbolic, 0, 0};
  const std::int64_t integer = v.is_real ? 0 : wrap(from, v.integer);
  const double real = v.is_real ? v.real : nearest(Scalar::kF64, from, integer);
  if (is_real(to)) result.real = v.is_real ? nearest(to, real) : nearest(to, from, integer);
  else if (to == Scalar::kBool) result.integer = v.is_real ? real != 0 : integer != 0;
  else result.integer = wrap(to, v.is_real ? static_cast<std::int64_t>(std::clamp(real, -9e18, 9e18)) : integer);
  return result;
}

// Any function of the operands, the same wherever they are the same. Small in some trials, or a real sum with it would
// hide what else is in the sum.
Concrete::Number Concrete::symbolic(const Node& n, const std::vector<Number>& operands) const {
  std::uint64_t bits = n.tag;
  for (const Number& v : operands)
    bits = scrambled(bits ^ scrambled(v.is_real ? static_cast<std::uint64_t>(std::llround(v.real * 1024))
                                                : static_cast<std::uint64_t>(v.integer)));
  if (is_real(n.scalar)) return {true, true, 0, static_cast<double>(bits % 4096) / 256 - 8};
  return {false, true, wrap(n.scalar, static_cast<std::int64_t>(trial_ % 3 == 1 ? bits % 8 : bits)), 0};
}

// What was there before something was written: a number, which a kernel may read.
Concrete::Number Concrete::anything(const Node& n, const std::vector<Number>& operands) const {
  Number number = symbolic(n, operands);
  number.is_symbolic = false;
  return number;
}

// Of a real number that is as exact as its type; nothing: it is another value.
std::optional<std::int64_t> Concrete::bits_of_element(Value v, const Number& number) const {
  if (!number.is_real || !v.is_node() || provenance_.node(v).kind != Node::Kind::kInput) return std::nullopt;
  const Scalar s = provenance_.node(v).scalar;
  if (s == Scalar::kF32) return std::bit_cast<std::int32_t>(static_cast<float>(number.real));
  return s == Scalar::kF64 ? std::optional(std::bit_cast<std::int64_t>(number.real)) : std::nullopt;
}

// Parts of a word, or parts that make a word.
Concrete::Numbers Concrete::sliced(const Node& n, const std::vector<Number>& operands) {
  const bool joins = n.tag < kOpaquePart;
  const auto bits = joins ? std::nullopt : bits_of_element(n.children()[0], operands[0]);
  const bool real = is_real(n.scalar) || std::ranges::any_of(operands, [](const Number& v) { return v.is_real; });
  if (real && !bits) return symbolic(n, operands);
  Number result = bits ? Number{false, false, *bits, 0} : operands[0];
  if (joins) {
    const int bits = bit_width(n.scalar) / static_cast<int>(operands.size());
    std::uint64_t word = 0;
    for (std::size_t i = operands.size(); i-- > 0;) {
      word = word << bits | (static_cast<std::uint64_t>(operands[i].integer) & ((std::uint64_t{1} << bits) - 1));
      result.is_symbolic = result.is_symbolic || operands[i].is_symbolic;
    }
    result.integer = static_cast<std::int64_t>(word);
  } else {
    const int index = static_cast<int>((n.tag - kOpaquePart) / 16);
    result.integer >>= bit_width(n.scalar) * index;
  }
  result.integer = wrap(n.scalar, result.integer);
  return result;
}

Concrete::Numbers Concrete::operation(const Node& n, const std::vector<Number>& operands) {
  const auto op = static_cast<Operator>(n.tag);
  const bool symbolic = std::ranges::any_of(operands, [](const Number& v) { return v.is_symbolic; });
  const auto is_true = [](const Number& v) { return v.is_real ? v.real != 0 : v.integer != 0; };
  const auto truth = [&](bool holds) { return Number{false, symbolic, holds, 0}; };
  if (op == Operator::kLogicalNot) return truth(!is_true(operands[0]));
  if (op == Operator::kLogicalAnd) return truth(is_true(operands[0]) && is_true(operands[1]));
  if (op == Operator::kLogicalOr) return truth(is_true(operands[0]) || is_true(operands[1]));
  if (!is_real(n.scalar)) {
    bool defined = true;
    const std::int64_t result =
        apply(op, n.scalar, wrap(n.scalar, operands[0].integer), wrap(n.scalar, operands[1].integer), defined);
    return defined ? Numbers(Number{false, symbolic, result, 0}) : std::nullopt;
  }
  const double a = real_of(operands[0].is_real, operands[0].real, operands[0].integer),
               b = real_of(operands[1].is_real, operands[1].real, operands[1].integer);
  if (is_comparison(op) && a != b && std::isfinite(a) && std::isfinite(b) && !are_apart(a, b)) return std::nullopt;
  switch (op) {
    case Operator::kDiv: return std::abs(b) < kRealTolerance ? Numbers() : Number{true, symbolic, 0, a / b};
    case Operator::kLt: return truth(a < b);
    case Operator::kLe: return truth(a <= b);
    case Operator::kEq: return truth(a == b);
    case Operator::kNe: return truth(a != b);
    default: return this->symbolic(n, operands);
  }
}

Concrete::Numbers Concrete::function(const Node& n) {
  std::vector<Number> operands;
  for (const Value& child : n.children()) {
    const Numbers operand = number(child);
    if (!operand) return std::nullopt;
    operands.push_back(*operand);
  }
  if (n.tag < kOpaqueCast) return operation(n, operands);
  if (n.tag >= kOpaqueJoin) return sliced(n, operands);
  if (const auto types = cast_of(n.tag)) {
    if (operands[0].is_real && !is_real(types->to) && std::abs(operands[0].real) > 1e9) return std::nullopt;
    return cast(types->from, types->to, operands[0]);
  }
  if (n.tag == kOpaqueSelect) {
    const Number& condition = operands[0];
    Number chosen = operands[(condition.is_real ? condition.real != 0 : condition.integer != 0) ? 1 : 2];
    chosen.is_symbolic = chosen.is_symbolic || condition.is_symbolic;
    return chosen;
  }
  if (n.tag == kOpaqueUnwritten) return anything(n, operands);
  const auto kind = static_cast<Intrinsic>(n.tag - kOpaqueIntrinsic);
  if (const auto holds = predicate(n, operands)) return *holds;
  if (is_real(n.scalar) && std::ranges::all_of(operands, &Number::is_real)) return real_function(n, operands);
  std::vector<std::int64_t> integers;
  bool symbolic = false;
  for (const Number& v : operands) {
    if (v.is_real) return this->symbolic(n, operands);
    integers.push_back(v.integer);
    symbolic = symbolic || v.is_symbolic;
  }
  const Value first = n.children()[0];
  const Scalar s = kind == Intrinsic::kAbs || !first.is_node() ? n.scalar : provenance_.node(first).scalar;
  if (kind == Intrinsic::kAbs) integers[0] = wrap(s, integers[0]);
  const auto result = evaluate(kind, s, integers);
  return result ? Number{false, symbolic, wrap(n.scalar, *result), 0} : this->symbolic(n, operands);
}

// Numbers here are finite. Nothing: it is another function.
std::optional<Concrete::Numbers> Concrete::predicate(const Node& n, const std::vector<Number>& operands) {
  const auto kind = static_cast<Intrinsic>(n.tag - kOpaqueIntrinsic);
  if (!is_real_predicate(kind)) return std::nullopt;
  const auto holds = operands[0].is_real ? real_predicate(kind, operands[0].real) : std::nullopt;
  return holds ? Numbers(Number{false, operands[0].is_symbolic, *holds, 0}) : Numbers();
}

Concrete::Numbers Concrete::real_function(const Node& n, const std::vector<Number>& operands) const {
  std::vector<double> given;
  for (const Number& v : operands) given.push_back(v.real);
  const auto result = swizzle::real_function(static_cast<Intrinsic>(n.tag - kOpaqueIntrinsic), given);
  if (!result) return symbolic(n, operands);
  if (!std::isfinite(*result)) return std::nullopt;
  return Number{true, std::ranges::any_of(operands, &Number::is_symbolic), 0, *result};
}

bool Concrete::are_different(Scalar s, const Number& a, const Number& b, double tolerance) {
  if (a.is_real || b.is_real)
    return are_apart(real_of(a.is_real, a.real, a.integer), real_of(b.is_real, b.real, b.integer), tolerance);
  return wrap(s, a.integer) != wrap(s, b.integer);
}

// What elements are compared with, or clipped to.
std::vector<double> Concrete::bounds_in(const std::vector<Value>& values) const {
  constexpr std::size_t kMost = 16;
  std::vector<double> bounds;
  for (NodeId id : nodes_of(values)) {
    const Node& n = provenance_.node(id);
    const bool compares = n.kind == Node::Kind::kOpaque && n.tag < kOpaqueCast && is_comparison(Operator(n.tag));
    const auto note = [&](Value v) {
      const bool is_bound = (v.is_int() || v.is_real()) && bounds.size() < kMost;
      if (is_bound && std::ranges::find(bounds, v.as_real()) == bounds.end()) bounds.push_back(v.as_real());
    };
    if (compares)
      for (const Value& side : n.children()) note(side);
    if (n.kind == Node::Kind::kRing && (n.ring == Ring::kMin || n.ring == Ring::kMax))
      for (const Term& term : n.terms())
        if (term.factors.empty()) note(term.coefficient);
  }
  std::erase_if(bounds, [](double bound) { return !(std::abs(bound) < 0x1p53); });
  return bounds;
}

bool Concrete::are_seen_apart(Scalar s, Value a, Value b) {
  const auto are_apart_in = [&](std::uint64_t trial) {
    start(trial);
    const Numbers x = number(a), y = number(b);
    return x && y && !x->is_symbolic && !y->is_symbolic && are_different(s, *x, *y);
  };
  bool are = false;
  for (std::uint64_t trial = 0; trial < kTrials && !are; ++trial) are = are_apart_in(trial);
  if (are) return true;
  bounds_ = bounds_in({a, b});
  for (std::uint64_t trial = 0; trial < 2 * kTrials && !are && !bounds_.empty(); ++trial) are = are_apart_in(trial);
  bounds_.clear();
  return are;
}

bool Concrete::differ(Scalar s, Value a, Value b) { return are_seen_apart(s, a, b) || depends_on_others(s, a, b); }

}  // namespace swizzle
