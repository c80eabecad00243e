#include "synth/search/monomial_degrees.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "synth/base/hashes.h"
#include "synth/trials/residues.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostDegree = 32;
constexpr double kMostMonomials = 1e9;

// Counted as often as they come, no coefficient grows so large that it wraps around to 0.
double most_monomials(Scalar s) {
  return is_real(s) ? kMostMonomials : std::min(kMostMonomials, std::exp2(bit_width(s) - 1));
}

// A value on random elements, each times t: the coefficients of the powers of t, modulo a prime. One that is not 0
// is that of products which the value has.
class ScaledValue {
 public:
  explicit ScaledValue(const Provenance& provenance) : provenance_(provenance) {}

  struct Polynomial {
    std::vector<std::uint64_t> coefficients;
    double monomials = 0;
  };
  using Result = std::optional<Polynomial>;  // nothing: it is none, or too large

  Result of(Value v) {
    if (v.is_int() || v.is_real()) return constant(v);
    if (!v.is_node()) return std::nullopt;
    if (const auto known = known_.find(v.aux); known != known_.end()) return known->second;
    return known_.emplace(v.aux, compute(v)).first->second;
  }

 private:
  static Result constant(Value v) {
    const double c = v.as_real();
    const auto residue = residue_of(c);
    if (!residue) return std::nullopt;
    return Polynomial{{*residue}, std::abs(c)};
  }

  Result compute(Value v) {
    const Node& node = provenance_.node(v);
    if (node.kind == Node::Kind::kInput) return Polynomial{{0, scrambled(v.aux + 1) % kPrime}, 1};
    if (node.ring != Ring::kSum) return std::nullopt;
    Polynomial sum;
    const auto add = [&](const Result& term) {
      if (!term) return false;
      auto& into = sum.coefficients;
      into.resize(std::max(into.size(), term->coefficients.size()), 0);
      for (std::size_t d = 0; d < term->coefficients.size(); ++d) into[d] = added(into[d], term->coefficients[d]);
      sum.monomials += term->monomials;
      return sum.monomials < most_monomials(node.scalar);
    };
    if (node.kind == Node::Kind::kAppended) {
      for (const Value& child : node.children())
        if (!add(of(child))) return std::nullopt;
      return sum;
    }
    if (node.kind != Node::Kind::kRing) return std::nullopt;
    for (const Term& t : node.terms()) {
      Result product = constant(t.coefficient);
      for (NodeId factor : t.factors) product = times(product, of(Value::node(factor)));
      if (!add(product)) return std::nullopt;
    }
    return sum;
  }

  static Result times(const Result& a, const Result& b) {
    if (!a || !b || a->coefficients.size() + b->coefficients.size() > kMostDegree) return std::nullopt;
    Polynomial product{std::vector<std::uint64_t>(a->coefficients.size() + b->coefficients.size(), 0),
                       a->monomials * b->monomials};
    for (std::size_t i = 0; i < a->coefficients.size(); ++i)
      for (std::size_t j = 0; j < b->coefficients.size(); ++j)
        product.coefficients[i + j] =
            added(product.coefficients[i + j], multiplied(a->coefficients[i], b->coefficients[j]));
    return product;
  }

  const Provenance& provenance_;
  std::unordered_map<std::uint32_t, Result> known_;
};

void join(Degrees& all, const Degrees& more) {
  all.least = std::min(all.least, more.least);
  all.most = std::max(all.most, more.most);
}

}  // namespace

std::optional<Degrees> attained_degrees(const Provenance& provenance, Value v) {
  const auto polynomial = ScaledValue(provenance).of(v);
  if (!polynomial) return std::nullopt;
  Degrees degrees;
  for (std::size_t d = 0; d < polynomial->coefficients.size(); ++d)
    if (polynomial->coefficients[d] != 0) join(degrees, {static_cast<int>(d), static_cast<int>(d)});
  return degrees;
}

Degrees DegreeBounds::of(Value v) {
  if (v.is_int() || v.is_real()) return v.as_real() == 0 ? Degrees{} : Degrees{0, 0};
  if (v.is_undefined()) return {};
  if (!v.is_node()) return Degrees::any();
  if (const auto known = known_.find(v.aux); known != known_.end()) return known->second;
  return known_.emplace(v.aux, compute(provenance_.node(v))).first->second;
}

Degrees DegreeBounds::compute(const Node& node) {
  if (node.kind == Node::Kind::kInput) return {1, 1};
  Degrees all;
  if (node.kind == Node::Kind::kChoice) {
    for (std::size_t i = 0; i < node.children().size(); ++i)
      if (allows_(PointId(node.tag), i)) join(all, of(node.children()[i]));
    return all;
  }
  if (node.ring != Ring::kSum) return Degrees::any();
  if (node.kind == Node::Kind::kAppended) {
    for (const Value& child : node.children()) join(all, of(child));
    return all;
  }
  if (node.kind != Node::Kind::kRing) return Degrees::any();
  for (const Term& t : node.terms()) {
    Degrees product{0, 0};
    for (NodeId f : t.factors) {
      const Degrees factor = of(Value::node(f));
      if (factor.most < 0) product = {};
      if (product.most < 0) break;
      product.least = std::min(Degrees::kUnbounded, product.least + factor.least);
      product.most = std::min(Degrees::kUnbounded, product.most + factor.most);
    }
    join(all, product);
  }
  return all;
}

}  // namespace swizzle
