#include "synth/provenance/data_places.h"

#include <cmath>
#include <map>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "synth/provenance/casts.h"
#include "synth/provenance/guard_bounds.h"
#include "synth/provenance/provenance.h"

namespace swizzle {
namespace {

// A slot's number: kFirst, the node of the sum, and the offset plus kMiddle, which stays below kOffsets: no steps from
// there on that a program takes lead to another sum.
constexpr int kOffsetBits = 37, kNodeBits = 24;
constexpr std::int64_t kFirst = std::int64_t{1} << 62, kOffsets = std::int64_t{1} << kOffsetBits,
                       kMiddle = kOffsets / 2;
constexpr std::int64_t kFar = std::int64_t{1} << 45;  // no index is

ValueRange joined(const ValueRange& a, const ValueRange& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

bool contains(const ValueRange& all, const ValueRange& some) { return all.low <= some.low && some.high <= all.high; }

// Integers are kept without a sign where they are added.
std::int64_t as_signed(Scalar s, std::int64_t v) {
  return bit_width(s) >= 64 ? v : v << (64 - bit_width(s)) >> (64 - bit_width(s));
}

// An integer as a sum of others, whose sum it is without any overflow.
struct LinearSum {
  struct Term {
    std::int64_t coefficient = 0;
    ValueRange values;  // of the node
    Scalar scalar;
  };
  std::map<std::uint32_t, Term> terms;  // by node
  std::int64_t constant = 0;

  // Of the terms; nothing: beyond all indices.
  std::optional<ValueRange> values() const {
    ValueRange all;
    for (const auto& [node, term] : terms) {
      const double most =
          std::max(std::abs(static_cast<double>(term.values.low)), std::abs(static_cast<double>(term.values.high)));
      if (most * std::abs(static_cast<double>(term.coefficient)) > static_cast<double>(kFar)) return std::nullopt;
      const std::int64_t a = term.coefficient * term.values.low, b = term.coefficient * term.values.high;
      all.low += std::min(a, b), all.high += std::max(a, b);
      if (all.low < -kFar || all.high > kFar) return std::nullopt;
    }
    return all;
  }
};

class IndexReader {
 public:
  enum class Choices { kNone, kAny };  // met on the way
  explicit IndexReader(Provenance& provenance, Choices choices = Choices::kNone, NodeBounds bounds = {})
      : provenance_(provenance),
        choices_(choices),
        bounds_(std::move(bounds)) {}

  bool takes_bounds() const { return takes_bounds_; }

  std::optional<LinearSum> sum_of(Value v, Scalar s) {
    if (v.is_int()) return LinearSum{{}, wrap(s, v.bits)};
    if (!v.is_node()) return std::nullopt;
    v = provenance_.normalize(v);
    const Node n = provenance_.node(v);  // a copy: what follows adds nodes
    if (const auto cast = cast_of(n); cast && !is_real(cast->from)) {
      auto before = sum_of(n.children()[0], cast->from);
      if (before && fits(*before, cast->to)) return before;
    }
    if (n.kind == Node::Kind::kRing && n.ring == Ring::kSum)
      if (auto parts = sum_of_terms(n, s); parts && fits(*parts, s)) return parts;
    const auto values = values_of(v, s);
    if (!values || !holds(s, *values)) return std::nullopt;
    const Scalar as = values->high <= range_of(as_signed_type(s)).high ? as_signed_type(s) : s;
    return LinearSum{{{v.aux, {1, *values, as}}}, 0};
  }

 private:
  static Scalar as_signed_type(Scalar s) {
    switch (s) {
      case Scalar::kU8: return Scalar::kI8;
      case Scalar::kU16: return Scalar::kI16;
      case Scalar::kU32: return Scalar::kI32;
      case Scalar::kU64: return Scalar::kI64;
      default: return s;
    }
  }

  // As such numbers: -1 is none of an unsigned type.
  static bool holds(Scalar s, const ValueRange& values) {
    return s == Scalar::kU64 ? values.low >= 0 : contains(range_of(s), values);
  }

  static bool fits(const LinearSum& sum, Scalar s) {
    const auto values = sum.values();
    return values && std::abs(sum.constant) < kFar &&
           holds(s, {values->low + sum.constant, values->high + sum.constant});
  }

  // `s`: as what it is used; the sum itself does not know a sign.
  std::optional<LinearSum> sum_of_terms(const Node& n, Scalar s) {
    const Scalar of_factors = bit_width(s) == bit_width(n.scalar) ? s : n.scalar;
    LinearSum all;
    for (const Term& term : n.terms()) {
      if (!term.coefficient.is_int()) return std::nullopt;
      const std::int64_t coefficient = as_signed(n.scalar, term.coefficient.bits);
      if (std::abs(coefficient) > kFar || std::abs(all.constant) > kFar) return std::nullopt;
      if (term.factors.empty()) {
        all.constant += coefficient;
        continue;
      }
      if (term.factors.size() > 1) return std::nullopt;
      const auto factor = sum_of(Value::node(term.factors[0]), of_factors);
      if (!factor || std::abs(factor->constant) > kFar / std::max<std::int64_t>(1, std::abs(coefficient)))
        return std::nullopt;
      all.constant += coefficient * factor->constant;
      for (const auto& [node, of] : factor->terms) {
        LinearSum::Term& to = all.terms.try_emplace(node, LinearSum::Term{0, of.values, of.scalar}).first->second;
        to.coefficient += coefficient * of.coefficient;
        if (to.coefficient == 0) all.terms.erase(node);
      }
    }
    return all;
  }

  // What it may be; nothing: not known.
  std::optional<ValueRange> values_of(Value v, Scalar s) {
    const auto values = values_anywhere(v, s);
    const auto bounds = v.is_node() ? bounds_.find(v.aux) : bounds_.end();
    if (bounds == bounds_.end()) return values;
    ValueRange here = bounds->second;
    if (values) here = {std::max(here.low, values->low), std::min(here.high, values->high), values->is_distinct};
    if (here.low > here.high) return values;  // which is nowhere
    takes_bounds_ = true;
    return here;
  }

  std::optional<ValueRange> values_anywhere(Value v, Scalar s) {
    const auto sum = v.is_int() ? std::nullopt : values_of_node(provenance_.node(provenance_.normalize(v)), s);
    if (sum) return sum;
    if (v.is_int()) return ValueRange{wrap(s, v.bits), wrap(s, v.bits)};
    return bit_width(s) <= 16 ? std::optional(range_of(s)) : std::nullopt;
  }

  std::optional<ValueRange> values_of_sum(Value v, Scalar s) {
    const auto sum = sum_of(v, s);
    const auto terms = sum ? sum->values() : std::nullopt;
    return terms ? std::optional(ValueRange{terms->low + sum->constant, terms->high + sum->constant}) : std::nullopt;
  }

  std::optional<ValueRange> values_of_node(const Node n, Scalar s) {  // a copy: what follows adds nodes
    switch (n.kind) {
      case Node::Kind::kInput: {
        const auto given = provenance_.value_ranges().now(n.tag);
        return given                                           ? given
               : is_real(n.scalar) || bit_width(n.scalar) > 16 ? std::nullopt
                                                               : std::optional(range_of(n.scalar));
      }
      case Node::Kind::kRing: return values_of_ring(n);
      case Node::Kind::kOpaque: return values_of_function(n, s);
      case Node::Kind::kChoice: return choices_ == Choices::kAny ? values_of_choice(n, s) : std::nullopt;
      default: return std::nullopt;
    }
  }

  // What is undefined is nowhere used.
  std::optional<ValueRange> values_of_choice(const Node& n, Scalar s) {
    std::optional<ValueRange> all;
    for (const Value& one : n.children()) {
      if (one.is_undefined()) continue;
      const auto known = one.is_node() ? of_alternatives_.find(one.aux) : of_alternatives_.end();
      const auto values = known != of_alternatives_.end() ? known->second : values_of_sum(one, s);
      if (one.is_node()) of_alternatives_.emplace(one.aux, values);
      if (!values) return std::nullopt;
      all = all ? joined(*all, *values) : *values;
    }
    return all;
  }

  // Of minima and maxima, and of a value under a mask.
  std::optional<ValueRange> values_of_ring(const Node& n) {
    if (n.ring == Ring::kXor && n.terms().size() == 1 && n.terms()[0].factors.size() == 1) {
      const std::int64_t mask = as_signed(n.scalar, n.terms()[0].coefficient.bits);
      return mask >= 0 ? std::optional(ValueRange{0, mask}) : std::nullopt;
    }
    if (n.ring != Ring::kMin && n.ring != Ring::kMax) return std::nullopt;
    std::optional<ValueRange> all;
    for (const Term& term : n.terms()) {
      const auto one = values_of_sum(term.factors.empty() ? term.coefficient : Value::node(term.factors[0]), n.scalar);
      if (!one) return std::nullopt;
      all = !all                   ? *one
            : n.ring == Ring::kMin ? ValueRange{std::min(all->low, one->low), std::min(all->high, one->high)}
                                   : ValueRange{std::max(all->low, one->low), std::max(all->high, one->high)};
    }
    return all;
  }

  static bool is_truth(const Node& n) {
    return n.is(Operator::kLogicalAnd) || n.is(Operator::kLogicalOr) || n.is(Operator::kLogicalNot) ||
           is_comparison(static_cast<Operator>(n.tag));
  }

  std::optional<ValueRange> values_of_function(const Node& n, Scalar s) {
    if (n.tag == kOpaqueSelect) {
      const auto a = values_of_sum(n.children()[1], s), b = values_of_sum(n.children()[2], s);
      return a && b ? std::optional(joined(*a, *b)) : std::nullopt;
    }
    if (is_truth(n)) return ValueRange{0, 1};
    const bool divides = n.is(Operator::kDiv), remains = n.is(Operator::kRem), shifts = n.is(Operator::kShr);
    if ((!divides && !remains && !shifts) || !n.children()[1].is_int() || is_real(n.scalar)) return std::nullopt;
    const auto of = values_of_sum(n.children()[0], n.scalar);
    const std::int64_t by =
        shifts ? std::int64_t{1} << std::clamp<std::int64_t>(n.children()[1].bits, 0, 40) : n.children()[1].bits;
    if (!of || of->low < 0 || by <= 0) return std::nullopt;
    return remains ? ValueRange{0, std::min(of->high, by - 1)} : ValueRange{of->low / by, of->high / by};
  }

  Provenance& provenance_;
  Choices choices_;
  const NodeBounds bounds_;  // where a condition holds
  bool takes_bounds_ = false;
  std::map<std::uint32_t, std::optional<ValueRange>> of_alternatives_;  // by node
};

// The first point below, and how many alternatives it has; `last`: the last point of all.
struct OpenPoint {
  std::optional<std::uint32_t> first;
  std::size_t alternatives = 0;
  std::uint32_t last = 0;
};

OpenPoint open_point(const Provenance& provenance, Value v) {
  OpenPoint found;
  std::unordered_set<std::uint32_t> seen;
  std::vector<Value> pending{v};
  while (!pending.empty()) {
    const Value one = pending.back();
    pending.pop_back();
    if (!provenance.has_choice(one) || !seen.insert(one.aux).second) continue;
    const Node& n = provenance.node(one);
    if (n.kind == Node::Kind::kChoice) {
      if (!found.first || n.tag < *found.first) found.first = n.tag, found.alternatives = n.children().size();
      found.last = std::max(found.last, n.tag);
    }
    n.for_each_part([&](Value part) { pending.push_back(part); });
  }
  return found;
}

}  // namespace

bool is_data_place(std::int64_t slot) { return slot >= kFirst; }

DataPlace data_place(std::int64_t slot) {
  const std::int64_t rest = slot - kFirst;
  return {Value::node(NodeId(static_cast<std::uint32_t>(rest >> kOffsetBits))), (rest & (kOffsets - 1)) - kMiddle};
}

std::optional<std::int64_t> slot_of(const DataPlace& place) {
  constexpr std::int64_t kFarthest = kMiddle / 2;  // an access may go on behind
  if (std::abs(place.offset) > kFarthest || place.sum.aux >> kNodeBits != 0) return std::nullopt;
  return kFirst + (std::int64_t{place.sum.aux} << kOffsetBits) + place.offset + kMiddle;
}

Value before_casts(const Provenance& provenance, Value v) {
  while (v.is_node() && cast_of(provenance.node(v))) v = provenance.node(v).children()[0];
  return v;
}

std::string slot_text(const Provenance& provenance, std::int64_t slot, const std::vector<std::string>& buffer_names) {
  if (!is_data_place(slot)) return fmt::format("{}", slot);
  const DataPlace place = data_place(slot);
  std::string text;
  for (const Term& term : provenance.terms(Ring::kSum, Scalar::kI64, place.sum)) {
    if (!text.empty()) text += " + ";
    if (term.coefficient.bits != 1) text += fmt::format("{} * ", term.coefficient.bits);
    text += provenance.describe(before_casts(provenance, Value::node(term.factors[0])), buffer_names);
  }
  return place.offset == 0 ? text : fmt::format("{} {} {}", text, place.offset < 0 ? '-' : '+', std::abs(place.offset));
}

// Ranges that a sketch states may differ from size to size, and what is made of a value here is kept for all.
std::optional<ValueRange> values_by_type(Provenance& provenance, Value v, Scalar s) {
  if (!provenance.value_ranges().are_unknown()) return std::nullopt;
  const auto sum = IndexReader(provenance, IndexReader::Choices::kAny).sum_of(v, s);
  const auto values = sum ? sum->values() : std::nullopt;
  return values ? std::optional(ValueRange{values->low + sum->constant, values->high + sum->constant}) : std::nullopt;
}

std::optional<DataIndex> data_index(Provenance& provenance, Value index, Scalar s, Value guard) {
  IndexReader reader(provenance, IndexReader::Choices::kNone, bounds_under(provenance, guard));
  const auto sum = reader.sum_of(index, s);
  const auto values = sum ? sum->values() : std::nullopt;
  if (!values) return std::nullopt;
  Value all = Value::integer(0);
  for (const auto& [node, term] : sum->terms)
    all = provenance.combine(
        Ring::kSum, Scalar::kI64, all,
        provenance.multiply(Ring::kSum, Scalar::kI64, Value::integer(term.coefficient),
                            provenance.convert(Value::node(NodeId(node)), term.scalar, Scalar::kI64)));
  return DataIndex{{provenance.normalize(all), sum->constant}, *values, reader.takes_bounds()};
}

Value over_choices(Provenance& provenance, Value v, const std::function<Value(Value)>& f) {
  const OpenPoint open = open_point(provenance, v);
  if (!open.first) return f(v.is_node() ? provenance.normalize(v) : v);
  Assignment assignment(open.last + std::size_t{1}, -1);
  std::vector<Value> alternatives;
  for (std::size_t a = 0; a < open.alternatives; ++a) {
    DecidedValues known;
    assignment[*open.first] = static_cast<int>(a);
    alternatives.push_back(over_choices(provenance, provenance.resolve_known(v, assignment, known), f));
  }
  return provenance.choice(PointId(*open.first), alternatives);
}

}  // namespace swizzle
