#include "synth/network/independent_terms.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "synth/network/function_products.h"
#include "synth/network/mixed_differences.h"
#include "synth/provenance/casts.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostTerms = 1 << 16;

// Both sides of an equation, and how many of their bits are compared.
struct Sums {
  Ring ring;
  Scalar scalar;
  int bits;
  Value actual, expected;
};

class IndependentTerms {
 public:
  IndependentTerms(Problem& problem, const Deadline& deadline)
      : problem_(problem),
        provenance_(problem.provenance),
        deadline_(deadline),
        fetches_(problem),
        functions_(problem.provenance, fetches_, FunctionProducts::Of::kFactors),
        differences_(problem.provenance) {}

  bool of(std::span<const std::size_t> equations) {
    std::vector<Sums> all;
    for (std::size_t e : equations) {
      const auto sums = sums_of(problem_.equations[e]);
      if (!sums) return false;
      functions_.note({e, sums->ring, sums->scalar, sums->actual, sums->expected});
      all.push_back(*sums);
    }
    if (!functions_.any()) return false;  // what is left is polynomials, of which laws.h tells
    functions_.complete();
    std::map<std::tuple<Ring, bool, int>, Terms> together;  // as they are told apart
    for (const Sums& sums : all)
      if (!take(sums, together[{sums.ring, is_real(sums.scalar), sums.bits}])) return false;
    return std::ranges::all_of(together, [&](const auto& some) {
      const auto& [ring, is_real, bits] = some.first;
      return differences_.are_independent(std::vector<Factors>(some.second.begin(), some.second.end()),
                                          {ring, is_real, bits}, deadline_);
    });
  }

 private:
  using Terms = std::set<Factors>;
  using Shared = std::shared_ptr<const Terms>;

  // Below a conversion to fewer bits.
  std::optional<Sums> sums_of(const Equation& equation) const {
    Sums sums{Ring::kSum, equation.scalar, 64, equation.actual, equation.expected};
    while (sums.actual.is_node() && sums.expected.is_node()) {
      const Node &a = provenance_.node(sums.actual), &e = provenance_.node(sums.expected);
      const auto cast = cast_of(a);
      if (!cast || is_real(cast->from) || is_real(cast->to) || cast->to == Scalar::kBool ||
          cast_of(e) == std::nullopt || e.tag != a.tag)
        break;
      sums.bits = std::min(sums.bits, bit_width(cast->to));
      sums.actual = a.children()[0];
      sums.expected = e.children()[0];
      sums.scalar = cast->from;
    }
    if (!sums.actual.is_node()) return std::nullopt;
    const Node& a = provenance_.node(sums.actual);
    if (!a.combines()) return std::nullopt;
    if (is_set(a.ring)) return std::nullopt;
    sums.ring = a.ring;
    sums.scalar = a.scalar;
    sums.bits = std::min(sums.bits, bit_width(a.scalar));
    return sums;
  }

  bool take(const Sums& sums, Terms& terms) {
    // Larger coefficients than are compared would be told only as far as that goes.
    if (sums.ring == Ring::kSum && !is_real(sums.scalar) && sums.bits < bit_width(sums.scalar)) return false;
    sums_ = &sums;
    for (const Value side : {sums.actual, sums.expected})
      for (const Term& term : provenance_.terms(sums.ring, sums.scalar, side))
        if (!take(term, terms)) return false;
    return true;
  }

  // What it may add, whatever the holes are. False: that is not known.
  bool take(const Term& term, Terms& terms) {
    if (!is_coefficient(term.coefficient)) return false;
    std::vector<Shared> factors;
    for (NodeId factor : term.factors) {
      factors.push_back(values_of(Value::node(factor)));
      if (factors.back() == nullptr) return false;
    }
    if (!taken_.emplace(&terms, factors).second) return true;
    std::vector<Factors> products{{}};
    for (const Shared& values : factors) {
      if (values->size() * products.size() > kMostTerms) return false;
      std::vector<Factors> longer;
      for (const Factors& product : products)
        for (const Factors& value : *values) longer.push_back(times(product, value));
      products = std::move(longer);
    }
    terms.insert(products.begin(), products.end());
    return terms.size() <= kMostTerms;
  }

  // One that bits tell: of a sum modulo 2, all or none of a term.
  bool is_coefficient(Value c) const {
    if (is_real(sums_->scalar)) return c.is_real() || c.is_int();
    return c.is_int() && (sums_->ring == Ring::kSum || wrap(sums_->scalar, c.bits) == wrap(sums_->scalar, -1));
  }

  Factors times(Factors product, const Factors& more) const {
    product.insert(product.end(), more.begin(), more.end());
    std::ranges::sort(product);
    if (sums_->ring == Ring::kXor) product.erase(std::ranges::unique(product).begin(), product.end());
    return product;
  }

  // The products that a factor may be; none of them: 0. Null: that is not known.
  Shared values_of(Value v) {
    const std::pair key{v.aux, sums_->ring};
    if (const auto it = values_.find(key); it != values_.end()) return it->second;
    const Shared values = find_values(v);
    values_.emplace(key, values);
    return values;
  }

  Shared find_values(Value v) {
    const Node& n = provenance_.node(v);
    if (!n.has_choice) return std::make_shared<Terms>(Terms{{v.as_node()}});
    if (n.kind == Node::Kind::kChoice) return chosen_values(n);
    const bool is_sum = n.combines();
    if (!is_sum || n.ring != sums_->ring || n.scalar != sums_->scalar) return values_of_function(v.as_node());
    const auto values = std::make_shared<Terms>();
    for (const Term& term : provenance_.terms(n.ring, n.scalar, v))
      if (!take(term, *values)) return nullptr;
    return values;
  }

  Shared chosen_values(const Node& choice) {
    std::set<Shared> some;
    for (const Value& child : choice.children()) {
      if (child.is_undefined() || truth(child) == false) continue;
      if (!child.is_node() && !is_coefficient(child)) return nullptr;
      some.insert(child.is_node() ? values_of(child) : one_);
    }
    if (some.contains(nullptr)) return nullptr;
    if (some.size() == 1) return *some.begin();
    const auto values = std::make_shared<Terms>();
    for (const Shared& more : some) values->insert(more->begin(), more->end());
    return values->size() <= kMostTerms ? values : nullptr;
  }

  Shared values_of_function(NodeId function) {
    const auto family = functions_.family_of(function);
    if (!family) return nullptr;
    Shared& values = of_family_[*family];
    if (values == nullptr) {
      Terms all;
      for (const Value& value : functions_.values_of(*family)) {
        if (value.is_node()) all.insert({value.as_node()});
        else if (!is_coefficient(value)) return nullptr;
        else if (truth(value) != false) all.insert(Factors{});
      }
      values = std::make_shared<Terms>(std::move(all));
    }
    return values;
  }

  Problem& problem_;
  Provenance& provenance_;
  const Deadline& deadline_;
  ElementBuilder fetches_;
  FunctionProducts functions_;
  MixedDifferences differences_;
  const Sums* sums_ = nullptr;  // at hand
  const Shared one_ = std::make_shared<Terms>(Terms{{}});
  std::map<std::pair<std::uint32_t, Ring>, Shared> values_;  // by factor
  std::map<std::size_t, Shared> of_family_;
  std::set<std::pair<const Terms*, std::vector<Shared>>> taken_;
};

}  // namespace

bool have_independent_terms(Problem& problem, std::span<const std::size_t> equations, const Deadline& deadline) {
  return IndependentTerms(problem, deadline).of(equations);
}

}  // namespace swizzle
