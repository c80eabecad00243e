#include "synth/provenance/truth_polynomials.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "synth/provenance/indicators.h"

namespace swizzle {
namespace {

// A polynomial is looked at with the first of them 0, and 1, and so on. A product of many, or 1
// less such a product, takes a step for each.
class TruthTest {
 public:
  explicit TruthTest(Scalar s) : s_(s) {}

  bool passes(const std::vector<Term>& polynomial) {
    std::vector<Product> products;
    for (const Term& term : polynomial)
      products.push_back({signed_number(s_, term.coefficient), std::span(term.factors.data(), term.factors.size())});
    return is_truth(std::move(products));
  }

 private:
  struct Product {
    double coefficient = 0;
    std::span<const NodeId> factors;  // sorted; those that are known are gone
  };

  bool is_truth(std::vector<Product> products) {
    if (++steps_ > kMostSteps) return false;
    double constant = 0;
    std::optional<NodeId> first;
    for (const Product& product : products) {
      if (product.factors.empty()) constant += product.coefficient;
      else if (!first || product.factors[0] < *first) first = product.factors[0];
    }
    if (!first) return constant == 0 || constant == 1;
    std::vector<Product> without;
    std::ranges::copy_if(products, std::back_inserter(without), [&](const Product& product) {
      return product.factors.empty() || product.factors[0] != *first;
    });
    if (!is_truth(std::move(without))) return false;
    for (Product& product : products)
      if (!product.factors.empty() && product.factors[0] == *first) product.factors = product.factors.subspan(1);
    return is_truth(std::move(products));
  }

  static constexpr int kMostSteps = 256;
  Scalar s_;
  int steps_ = 0;
};

}  // namespace

double signed_number(Scalar s, Value c) {
  if (!c.is_int()) return c.as_real();
  return static_cast<double>(bit_width(s) == 64 ? c.bits : wrap(bit_width(s) == 32 ? Scalar::kI32 : s, c.bits));
}

bool is_condition_value(const Provenance& provenance, Value v) {
  if (v == Value::integer(0) || v == Value::integer(1)) return true;
  if (!v.is_node()) return false;
  const Node& n = provenance.node(v);
  if (n.kind != Node::Kind::kChoice) return is_indicator(n);
  return !n.maybe_undefined && std::ranges::all_of(provenance.leaves(v), [&](const Value& leaf) {
    return leaf.is_node() ? is_indicator(provenance.node(leaf)) : is_condition_value(provenance, leaf);
  });
}

std::optional<std::vector<Term>> indicator_polynomial(const Provenance& provenance, Scalar s, Value v,
                                                      std::size_t most) {
  if (!v.is_node()) return std::nullopt;
  const Node& n = provenance.node(v);
  const bool is_short = n.kind == Node::Kind::kRing && n.ring == Ring::kSum && n.terms().size() <= most;
  if (!is_short && n.kind != Node::Kind::kChoice && !is_indicator(n)) return std::nullopt;
  std::vector<Term> terms = provenance.terms(Ring::kSum, s, v);
  const bool is_pure = std::ranges::all_of(terms, [&](const Term& t) {
    return std::ranges::all_of(t.factors, [&](NodeId f) { return is_condition_value(provenance, Value::node(f)); });
  });
  return is_pure ? std::optional(std::move(terms)) : std::nullopt;
}

bool is_truth_polynomial(Scalar s, const std::vector<Term>& polynomial) { return TruthTest(s).passes(polynomial); }

}  // namespace swizzle
