// A TrialGraph on doubles: see doubles.h.
#include <algorithm>
#include <bit>
#include <span>

#include <boost/container/small_vector.hpp>

#include "synth/provenance/casts.h"
#include "synth/trials/doubles.h"
#include "synth/trials/trial_graph_builder.h"

namespace swizzle {
namespace {

Approximate approximate(const TrialNumber& n) { return {std::bit_cast<double>(n.bits), n.error()}; }

Approximate of_integer(std::int64_t integer) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  const auto value = static_cast<double>(integer);
  return {value, std::abs(integer) <= kExact ? 0 : std::abs(value) * std::numeric_limits<double>::epsilon()};
}

TrialNumber number_of(Approximate a) {
  TrialNumber number;
  number.is_known = a.is_known();
  number.bits = std::bit_cast<std::uint64_t>(a.value);
  number.set_error(a.error);
  return number;
}

TrialNumber least_or_greatest(bool is_least, std::span<const Approximate> operands) {
  TrialNumber number;
  number.is_neutral = operands.empty();
  if (operands.empty()) return number;
  Approximate all = operands[0];
  for (Approximate a : operands) {
    if ((a.value < all.value) == is_least) all.value = a.value;
    all.error = std::max(all.error, a.error);
  }
  number = number_of(all);
  number.is_known = std::ranges::none_of(operands, &Approximate::is_none);  // infinity is where such a set begins
  return number;
}

TrialNumber value_of(const TrialNode& node, std::span<const Approximate> operands) {
  Approximate all;
  switch (node.kind) {
    case TrialNode::Kind::kSum:
      for (Approximate a : operands) all = all + a;
      return number_of(all);
    case TrialNode::Kind::kProduct:
      all.value = std::bit_cast<double>(node.coefficient);
      for (Approximate a : operands) all = all * a;
      return number_of(all);
    case TrialNode::Kind::kSet: return least_or_greatest(node.ring == Ring::kMin, operands);
    default: break;
  }
  const auto value = function_on_doubles(node.tag, operands);
  if (!value) return {.is_known = false};
  TrialNumber number = number_of(*value);
  if (!node.is_real) number.bits = static_cast<std::uint64_t>(value->value);
  return number;
}

}  // namespace

bool TrialGraph::are_apart(const Number& a, const Number& b) {
  return swizzle::are_apart(approximate(a), approximate(b));
}

// Of real numbers, or made of them; what is chosen is told by who asks.
bool TrialGraph::is_of_doubles(const Node& node) const {
  if (node.kind == Kind::kFixed || node.kind == Kind::kChoice || node.tag == kOpaqueSelect) return false;
  return node.is_real || (node.count > 0 && nodes_[operands_[node.first]].is_real);
}

TrialGraph::Number TrialGraph::on_doubles(const Node& node) {
  boost::container::small_vector<Approximate, 8> operands;
  for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
    const Number& n = number(operands_[i]);
    if (!n.is_known || !n.is_defined) return n.is_known ? undefined() : unknown();
    if (n.is_neutral) continue;
    operands.push_back(nodes_[operands_[i]].is_real ? approximate(n) : of_integer(static_cast<std::int64_t>(n.bits)));
  }
  return value_of(node, std::span(operands.data(), operands.size()));
}

// Of words, as ever; of real numbers, where it has a value.
std::optional<TrialGraphBuilder::Index> TrialGraphBuilder::function_on_doubles(const Node& n) {
  std::vector<Index> operands;
  for (const Value& child : n.children()) {
    const auto index = add(child);
    if (!index) return std::nullopt;
    operands.push_back(*index);
  }
  const auto cast = cast_of(n.tag);
  TrialNode node;
  node.kind = Kind::kFunction;
  node.scalar = n.scalar;
  node.tag = n.tag;
  node.is_real = is_real(cast ? cast->to : n.scalar) && !compares_reals(n);
  if (!node.is_real && std::ranges::none_of(operands, [&](Index i) { return graph_.nodes_[i].is_real; }))
    return function(n);
  if (!has_doubles(n.tag, n.scalar, operands.size())) return std::nullopt;
  const Index index = push(node, operands, {});
  widths_[index] = node.is_real ? 0 : bit_width(Scalar::kBool);
  return index;
}

}  // namespace swizzle
