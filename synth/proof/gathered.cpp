#include "synth/proof/gathered.h"

#include <algorithm>

#include "synth/proof/size_polynomial.h"
#include "synth/provenance/casts.h"

namespace swizzle {
namespace {

bool is_at_least_0(const Polynomial& p, const SizeRegion& region) { return region.least(p).value_or(-1) >= 0; }

// What the type alone says.
std::optional<IndexRange> range_of_type(Scalar s) {
  if (!is_unsigned(s) || bit_width(s) > 16) return std::nullopt;
  return IndexRange{Polynomial(0), Polynomial((std::int64_t{1} << bit_width(s)) - 1)};
}

std::optional<IndexRange> up_to(std::int64_t most) {
  return most >= 0 ? std::optional(IndexRange{Polynomial(0), Polynomial(most)}) : std::nullopt;
}

// It may be below 0, which an unsigned integer is not.
bool subtracts(const GatheredIndex& index) {
  return std::ranges::any_of(index.terms, [](const auto& t) {
    return t.second.is_broken() ||
           std::ranges::any_of(t.second.terms(), [](const Polynomial::Term& part) { return part.coefficient < 0; });
  });
}

}  // namespace

IndexRanges ranges_of(const Program& kernel, const SizeRegion& region) {
  const auto& parameters = kernel.function(kernel.entry).parameters;
  IndexRanges ranges(parameters.size());
  for (const ElementRange& given : kernel.directives.ranges) {
    const auto low = parse_size(given.low, kernel.source), high = parse_size(given.high, kernel.source);
    const auto from = low.ok() ? polynomial_of(*low, region) : std::nullopt,
               to = high.ok() ? polynomial_of(*high, region) : std::nullopt;
    for (std::size_t i = 0; i < parameters.size() && from && to; ++i)
      if (kernel.variable(parameters[i]).name == given.buffer) ranges[i] = IndexRange{*from, *to - Polynomial(1)};
  }
  return ranges;
}

GatheredIndex operator*(const GatheredIndex& a, const GatheredIndex& b) {
  GatheredIndex product;
  const auto add = [&](const std::vector<std::uint32_t>& data, const Polynomial& by) {
    Polynomial& p = product.terms.try_emplace(data).first->second;
    p = p + by;
    if (GatheredIndex::is_0(p)) product.terms.erase(data);
  };
  for (const auto& [left, p] : a.terms)
    for (const auto& [right, q] : b.terms) {
      std::vector<std::uint32_t> data = left;
      data.insert(data.end(), right.begin(), right.end());
      std::ranges::sort(data);
      add(data, p * q);
    }
  product.is_narrow = a.is_narrow || b.is_narrow;
  return product;
}

void GatheredIndex::add(const GatheredIndex& other) {
  for (const auto& [data, p] : other.terms) {
    Polynomial& sum = terms.try_emplace(data).first->second;
    sum = sum + p;
    if (is_0(sum)) terms.erase(data);
  }
  is_narrow = is_narrow || other.is_narrow;
}

GatheredIndex Elements::index_of(Value v) {
  v = provenance_.normalize(v);
  if (const auto number = polynomial_of(v)) return GatheredIndex::of(*number);
  const Node n = provenance_.node(v);  // a copy: normal forms add nodes
  const bool is_sum =
      n.kind == Node::Kind::kRing && n.ring == Ring::kSum && !is_real(n.scalar) && size_bytes(n.scalar) >= 4;
  if (is_sum) {
    GatheredIndex sum;
    const std::vector<Term> terms(n.terms().begin(), n.terms().end());
    for (const Term& term : terms) {
      const std::int64_t by =
          size_bytes(n.scalar) == 4 ? wrap(Scalar::kI32, term.coefficient.bits) : term.coefficient.bits;
      GatheredIndex product = GatheredIndex::of(Polynomial(by));
      for (NodeId factor : term.factors) product = product * index_of(Value::node(factor));
      sum.add(product);
    }
    sum.is_narrow = sum.is_narrow || size_bytes(n.scalar) == 4;
    if (!is_unsigned(n.scalar) || !subtracts(sum)) return sum;
  }
  const auto cast = cast_of(n);
  const bool widens = cast && !is_real(cast->from) && !is_real(cast->to) &&
                      bit_width(cast->from) <= bit_width(cast->to) && size_bytes(cast->to) >= 4;
  if (widens) {
    const GatheredIndex index = index_of(n.children()[0]);
    if (!is_unsigned(cast->to) || is_unsigned(cast->from) || !subtracts(index)) return index;
  }
  GatheredIndex leaf;
  leaf.terms.emplace(std::vector{v.aux}, Polynomial(1));
  return leaf;
}

Value Elements::value_of(const GatheredIndex& index) {
  Value all = provenance_.from_terms(Ring::kSum, Scalar::kI64, {});
  for (const auto& [data, p] : index.terms) {
    Value product = number(p, Scalar::kI64);
    for (std::uint32_t node : data)
      product = provenance_.multiply(Ring::kSum, Scalar::kI64, product, Value::node(NodeId(node)));
    all = provenance_.combine(Ring::kSum, Scalar::kI64, all, product);
  }
  return provenance_.normalize(all);
}

Value Elements::at_data(std::size_t buffer, const GatheredIndex& index, Scalar scalar) {
  return provenance_.opaque(kOpaqueElement + static_cast<std::uint32_t>(buffer), scalar, {value_of(index)});
}

std::optional<IndexRange> Elements::range_of(const GatheredIndex& index, const SizeRegion& region) const {
  IndexRange sum;
  for (const auto& [data, by] : index.terms) {
    IndexRange product{Polynomial(1), Polynomial(1)};
    for (std::uint32_t node : data) {
      const auto factor = range_of(Value::node(NodeId(node)), region);
      if (!factor || !is_at_least_0(factor->low, region)) return std::nullopt;
      product = {product.low * factor->low, product.high * factor->high};
    }
    if (data.empty()) product = {by, by};
    else if (is_at_least_0(by, region)) product = {product.low * by, product.high * by};
    else return std::nullopt;
    sum = {sum.low + product.low, sum.high + product.high};
  }
  return sum;
}

// The most that an integer of at least 0 may be; -1: that is not known.
std::int64_t Elements::most_of(Value v, const SizeRegion& region) const {
  if (v.is_int()) return v.bits;
  if (!v.is_node()) return -1;
  if (const auto range = range_of(v, region)) {
    const auto low = range->low.value(), high = range->high.value();
    return low && high && *low >= 0 ? *high : -1;
  }
  const Scalar s = provenance_.node(v).scalar;
  return is_unsigned(s) && size_bytes(s) == 4 ? std::int64_t{UINT32_MAX} : -1;
}

// `i < n ? id[i] : 0`, both being in the range of one of them.
std::optional<IndexRange> Elements::range_of_choice(const Node& n, const SizeRegion& region) const {
  std::optional<IndexRange> all;
  for (const Value part : n.children()) {
    const auto number = polynomial_of(part);
    const auto one = number           ? std::optional(IndexRange{*number, *number})
                     : part.is_node() ? range_of(part, region)
                                      : std::nullopt;
    if (!one) return std::nullopt;
    if (!all) all = one;
    const bool is_lower = is_at_least_0(all->low - one->low, region),
               is_higher = is_at_least_0(one->high - all->high, region);
    if ((!is_lower && !is_at_least_0(one->low - all->low, region)) ||
        (!is_higher && !is_at_least_0(all->high - one->high, region)))
      return std::nullopt;
    all = IndexRange{is_lower ? one->low : all->low, is_higher ? one->high : all->high};
  }
  return all;
}

// Of one element, or of what is computed of one.
std::optional<IndexRange> Elements::range_of(Value v, const SizeRegion& region) const {
  const Node& n = provenance_.node(v);
  if (n.kind == Node::Kind::kInput) {
    const bool is_given = n.tag < ranges_.size() && ranges_[n.tag].has_value();
    return is_given ? ranges_[n.tag] : range_of_type(n.scalar);
  }
  if (n.kind == Node::Kind::kRing && n.ring == Ring::kXor && n.terms().size() == 1 && n.terms()[0].factors.size() == 1)
    return up_to(n.terms()[0].coefficient.bits);  // & 15
  if (n.kind == Node::Kind::kChoice) return range_of_choice(n, region);
  if (n.kind != Node::Kind::kOpaque) return std::nullopt;
  const Children parts = n.children();
  const auto constant = [&](std::size_t i) { return parts.size() > i && parts[i].is_int() ? parts[i].bits : -1; };
  if (n.is(Operator::kAnd)) return up_to(std::max(constant(0), constant(1)));
  if (n.is(Operator::kRem)) return most_of(parts[0], region) >= 0 ? up_to(constant(1) - 1) : std::nullopt;
  if (n.is(Operator::kShr) && constant(1) >= 0 && constant(1) < 32)
    return most_of(parts[0], region) >= 0 ? up_to(most_of(parts[0], region) >> constant(1)) : std::nullopt;
  if (const auto cast = cast_of(n); cast && size_bytes(cast->to) >= 4) {  // of what the type holds
    const std::int64_t most = most_of(parts[0], region);
    return most <= INT32_MAX ? up_to(most) : std::nullopt;
  }
  return range_of_type(n.scalar);
}

}  // namespace swizzle
