#include "synth/provenance/flags.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "synth/provenance/indicators.h"
#include "synth/provenance/truth_polynomials.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostTermsOfFlags = 256;  // of a word
constexpr std::size_t kMostOdd = 5;             // products of which a bit is the exclusive-or

using Flags = std::vector<Value>;  // by bit, the lowest first: 0, 1, or a sum of indicators that is either

std::size_t flag_count(Scalar s) { return static_cast<std::size_t>(bit_width(s)); }

Flags flags_of_number(Scalar s, std::int64_t number) {
  Flags flags;
  for (std::size_t k = 0; k < flag_count(s); ++k)
    flags.push_back(Value::integer(static_cast<std::int64_t>(static_cast<std::uint64_t>(number) >> k & 1)));
  return flags;
}

// An integer polynomial of indicators, of which only the residue modulo 2^width is asked for.
using FlagPolynomial = std::map<Factors, std::uint64_t>;  // coefficients by product

void add_term(FlagPolynomial& sum, const Factors& product, std::uint64_t coefficient) {
  if ((sum[product] += coefficient) == 0) sum.erase(product);
}

Factors product_of(const Factors& a, const Factors& b) {
  Factors product;
  std::ranges::set_union(a, b, std::back_inserter(product));
  return product;
}

// 0 or 1 as the exclusive-or of the products of odd coefficients is: a ⊕ b is a + b - 2 · a · b. Nothing: they are too
// many.
std::optional<FlagPolynomial> lowest_bit(const FlagPolynomial& number) {
  FlagPolynomial bit;
  std::size_t odd = 0;
  for (const auto& [product, coefficient] : number) {
    if ((coefficient & 1) == 0) continue;
    if (++odd > kMostOdd) return std::nullopt;
    FlagPolynomial next = bit;
    add_term(next, product, 1);
    for (const auto& [other, of_other] : bit) add_term(next, product_of(product, other), -2 * of_other);
    bit = std::move(next);
  }
  return bit;
}

// (number - bit) / 2, of which `width` bits are known.
FlagPolynomial without_lowest_bit(FlagPolynomial number, const FlagPolynomial& bit, std::size_t width) {
  for (const auto& [product, coefficient] : bit) add_term(number, product, -coefficient);
  const std::uint64_t known = width == 0 ? 0 : ~std::uint64_t{0} >> (64 - width);
  FlagPolynomial rest;
  for (const auto& [product, coefficient] : number) add_term(rest, product, coefficient >> 1 & known);
  std::erase_if(rest, [](const auto& term) { return term.second == 0; });
  return rest;
}

class FlagWords {
 public:
  FlagWords(Provenance& provenance, Scalar s) : p_(provenance), s_(s) {}

  std::optional<Flags> of(Value v) {
    if (v.stride != 0 || v.is_undefined()) return std::nullopt;
    if (v.is_int()) return flags_of_number(s_, v.bits);
    const auto terms = indicator_polynomial(p_, s_, p_.normalize(v), kMostTermsOfFlags);
    if (!terms) return std::nullopt;
    FlagPolynomial number;
    for (const Term& term : *terms) add_term(number, term.factors, static_cast<std::uint64_t>(term.coefficient.bits));
    Flags flags;
    for (std::size_t left = flag_count(s_); left > 0; --left) {
      const auto bit = lowest_bit(number);
      if (!bit || number.size() > kMostTermsOfFlags) return std::nullopt;
      flags.push_back(value_of(*bit));
      number = without_lowest_bit(std::move(number), *bit, left - 1);
    }
    return flags;
  }

  // Σ 2^k · flags[k], in sums of type `to`.
  Value word_of(const Flags& flags, Scalar to) {
    Value sum = Value::integer(0);
    for (std::size_t k = 0; k < flags.size(); ++k) {
      const Value flag = p_.convert(flags[k], s_, to);
      const Value place = Value::integer(wrap(to, static_cast<std::int64_t>(std::uint64_t{1} << k)));
      sum = p_.combine(Ring::kSum, to, sum, p_.multiply(Ring::kSum, to, flag, place));
    }
    return p_.normalize(sum);
  }

  Value operated(Operator op, Value a, Value b) {
    for (const auto& [known, other] : {std::pair{a, b}, std::pair{b, a}}) {
      if (known == Value::integer(0)) return op == Operator::kAnd ? known : other;
      if (known == Value::integer(1) && op != Operator::kXor) return op == Operator::kAnd ? other : known;
    }
    const Value both = p_.multiply(Ring::kSum, s_, a, b);
    if (op == Operator::kAnd) return p_.normalize(both);
    const Value times = Value::integer(op == Operator::kOr ? -1 : -2), sum = p_.combine(Ring::kSum, s_, a, b);
    return p_.normalize(p_.combine(Ring::kSum, s_, sum, p_.multiply(Ring::kSum, s_, both, times)));
  }

  // `op`: << or >>. The latter of an integer with a sign repeats its highest bit.
  Flags shifted(Operator op, const Flags& flags, std::int64_t by) const {
    const auto distance = static_cast<std::ptrdiff_t>(by);
    const bool repeats = op == Operator::kShr && !is_unsigned(s_);
    Flags result(flags.size(), repeats ? flags.back() : Value::integer(0));
    if (op == Operator::kShr) std::copy(flags.begin() + distance, flags.end(), result.begin());
    else std::copy(flags.begin(), flags.end() - distance, result.begin() + distance);
    return result;
  }

 private:
  Value value_of(const FlagPolynomial& polynomial) {
    Value sum = Value::integer(0);
    for (const auto& [product, coefficient] : polynomial) {
      Value term = Value::integer(wrap(s_, static_cast<std::int64_t>(coefficient)));
      for (const NodeId factor : product) term = p_.multiply(Ring::kSum, s_, term, Value::node(factor));
      sum = p_.combine(Ring::kSum, s_, sum, term);
    }
    return p_.normalize(sum);
  }

  Provenance& p_;
  Scalar s_;
};

bool is_chosen_word(const Provenance& provenance, Value v) {
  return v.is_node() && provenance.node(v).kind == Node::Kind::kChoice;
}

// False, soon, of most of what is no word of flags, nor a choice of such.
bool may_be_flags(const Provenance& provenance, Value v) {
  while (is_chosen_word(provenance, v)) v = provenance.node(v).children()[0];
  if (!v.is_node()) return true;
  const Node& n = provenance.node(v);
  return (n.combines() && n.ring == Ring::kSum) || is_indicator(n);
}

// What is asked for of the same words in many lanes. Nothing: an integer that takes more than 32 bits.
std::optional<ComputedTable::Key> key_of(std::uint64_t operation, Scalar s, Value lhs, Value rhs) {
  constexpr std::uint64_t kKeptFlags = std::uint64_t{1} << 60;
  ComputedTable::Key key{kKeptFlags + operation * 64 + static_cast<std::uint64_t>(s) * 4, 0};
  for (const Value& v : {lhs, rhs}) {
    if (!v.is_node() && (v.bits < INT32_MIN || v.bits > UINT32_MAX)) return std::nullopt;
    key.operation = (key.operation << 1) + (v.is_node() ? 0 : 1);
    key.operands = key.operands << 32 | (v.is_node() ? v.aux : static_cast<std::uint32_t>(v.bits));
  }
  return key;
}

// Functions of words that holes choose, or choose parts of, are choices of what they are of each: of some hundreds.
class Choosing {
 public:
  Choosing(Provenance& provenance, Scalar s) : p_(provenance), s_(s), words_(provenance, s) {}

  std::optional<Value> operated(Operator op, Value lhs, Value rhs) {
    if (lhs.is_int() && rhs.is_int()) return p_.binary(op, s_, lhs, rhs);
    if (!may_be_flags(p_, lhs) || !may_be_flags(p_, rhs) || --left_ < 0) return std::nullopt;
    const auto key = key_of(static_cast<std::uint64_t>(op) + 1, s_, lhs, rhs);
    return kept(key, [&] { return newly_operated(op, lhs, rhs); });
  }

  std::optional<Value> count(Value v) {
    if (!may_be_flags(p_, v) || --left_ < 0) return std::nullopt;
    return kept(key_of(0, s_, v, v), [&] { return newly_counted(v); });
  }

 private:
  std::optional<Value> kept(const std::optional<ComputedTable::Key>& key,
                            const std::function<std::optional<Value>()>& f) {
    if (const auto known = key ? p_.computed().find(*key) : std::nullopt) return known;
    const std::optional<Value> result = f();
    if (key && result) p_.computed().keep(*key, *result);
    return result;
  }

  std::optional<Value> newly_operated(Operator op, Value lhs, Value rhs) {
    const auto of_lhs = words_.of(lhs);
    if (!of_lhs) return of_each(lhs, [&](Value word) { return operated(op, word, rhs); });
    const bool shifts = op == Operator::kShl || op == Operator::kShr;
    if (shifts && rhs.is_int()) {
      if (rhs.bits < 0 || rhs.bits >= bit_width(s_)) return std::nullopt;
      return words_.word_of(words_.shifted(op, *of_lhs, rhs.bits), s_);
    }
    const auto of_rhs = shifts ? std::nullopt : words_.of(rhs);
    if (!of_rhs) return of_each(rhs, [&](Value word) { return operated(op, lhs, word); });
    Flags result;
    for (std::size_t k = 0; k < of_lhs->size(); ++k) result.push_back(words_.operated(op, (*of_lhs)[k], (*of_rhs)[k]));
    return words_.word_of(result, s_);
  }

  std::optional<Value> newly_counted(Value v) {
    const auto flags = words_.of(v);
    if (!flags) return of_each(v, [&](Value word) { return count(word); });
    Value sum = Value::integer(0);
    for (const Value& flag : *flags)
      sum = p_.combine(Ring::kSum, Scalar::kI32, sum, p_.convert(flag, s_, Scalar::kI32));
    return p_.normalize(sum);
  }

  std::optional<Value> of_each(Value v, const std::function<std::optional<Value>(Value)>& f) {
    if (is_chosen_word(p_, v)) return of_leaves(v, f);
    v = p_.normalize(v);
    const std::vector<Term> terms = p_.terms(Ring::kSum, s_, v);
    for (const Term& term : terms)
      for (const NodeId factor : term.factors)
        if (is_chosen_word(p_, Value::node(factor)) && !is_condition_value(p_, Value::node(factor)))
          return of_leaves(Value::node(factor), [&](Value leaf) { return f(with(terms, factor, leaf)); });
    return std::nullopt;
  }

  // If it is of all leaves.
  std::optional<Value> of_leaves(Value choice, const std::function<std::optional<Value>(Value)>& f) {
    bool is_of_all = true;
    const Value mapped = p_.map_leaves(choice, [&](Value leaf) -> Value {
      if (leaf.is_undefined()) return {};
      const auto result = is_of_all ? f(leaf) : std::nullopt;
      is_of_all = is_of_all && result;
      return result.value_or(Value{});
    });
    return is_of_all ? std::optional(mapped) : std::nullopt;
  }

  // The sum, where `factor` is `leaf`.
  Value with(const std::vector<Term>& terms, NodeId factor, Value leaf) {
    Value sum = Value::integer(0);
    for (const Term& term : terms) {
      Value product = term.coefficient;
      for (const NodeId f : term.factors)
        product = p_.multiply(Ring::kSum, s_, product, f == factor ? leaf : Value::node(f));
      sum = p_.combine(Ring::kSum, s_, sum, product);
    }
    return p_.normalize(sum);
  }

  Provenance& p_;
  Scalar s_;
  FlagWords words_;
  int left_ = 512;  // words that are looked at
};

}  // namespace

Value vote(Provenance& provenance, Intrinsic kind, Scalar s, const std::map<int, Value>& predicates) {
  const bool counts = kind == Intrinsic::kBallot;
  const Operator op = counts ? Operator::kAdd : kind == Intrinsic::kAll ? Operator::kAnd : Operator::kOr;
  const Scalar type = counts ? Scalar::kU32 : Scalar::kI32;
  Value all = Value::integer(kind == Intrinsic::kAll ? 1 : 0);
  for (const auto& [lane, predicate] : predicates) {
    const Value is_set = provenance.convert(predicate, s, Scalar::kBool);
    const Value one = provenance.convert(is_set, Scalar::kBool, type);
    const Value place = counts ? provenance.binary(Operator::kShl, type, one, Value::integer(lane)) : one;
    all = provenance.binary(op, type, all, place);
  }
  return all;
}

std::optional<Value> operate_on_flags(Provenance& provenance, Operator op, Scalar s, Value lhs, Value rhs) {
  const bool is_of_bits = op == Operator::kAnd || op == Operator::kOr || op == Operator::kXor || op == Operator::kShl ||
                          op == Operator::kShr;
  if (!is_of_bits || is_real(s)) return std::nullopt;
  return Choosing(provenance, s).operated(op, lhs, rhs);
}

std::optional<Value> count_flags(Provenance& provenance, Scalar s, Value v) { return Choosing(provenance, s).count(v); }

std::optional<Value> widen_flags(Provenance& provenance, Value v, Scalar from, Scalar to) {
  if (is_real(from) || is_real(to) || from == Scalar::kBool || bit_width(to) <= bit_width(from)) return std::nullopt;
  if (!may_be_flags(provenance, v)) return std::nullopt;
  FlagWords words(provenance, from);
  auto flags = words.of(v);
  if (!flags || (*flags)[0] == provenance.normalize(v)) return std::nullopt;  // a truth is widened by itself
  flags->resize(flag_count(to), is_unsigned(from) ? Value::integer(0) : flags->back());
  return words.word_of(*flags, to);
}

}  // namespace swizzle
