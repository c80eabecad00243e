#include "synth/trials/claims.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "synth/provenance/casts.h"
#include "synth/provenance/rings.h"
#include "synth/trials/buffer_reach.h"
#include "synth/trials/residues.h"
#include "synth/trials/subtractions.h"

namespace swizzle {
namespace {

class Claims {
 public:
  explicit Claims(Provenance& provenance) : provenance_(provenance) {}

  std::vector<Claim> of(const Equation& equation) {
    take(equation, true);
    return std::move(claims_);
  }

 private:
  void take(const Equation& equation, bool is_output) {
    if (!provenance_.has_choice(equation.actual)) return;
    const Sides sides = without_subtractions(provenance_, equation);
    const Claim claim{sides.actual, sides.expected, equation.scalar, is_output};
    claims_.push_back(claim);
    if (const auto alone = open_term(claim)) return take(*alone, false);
    for (const auto& parts :
         {open_function(claim), common_function(claim), two_sums(claim), sum_of_two(claim), two_sets(claim)}) {
      if (!parts) continue;
      take(parts->first, false);
      return take(parts->second, false);
    }
    if (!sides.actual.is_node() || !sides.expected.is_node()) return;
    const Node &actual = provenance_.node(sides.actual), &expected = provenance_.node(sides.expected);
    const auto cast = cast_of(actual);
    const bool becomes_real = cast && is_real(cast->to) && !is_real(cast->from);
    if (!(has_no_laws(actual) || becomes_real) || expected.kind != actual.kind || actual.tag != expected.tag ||
        actual.children().size() != expected.children().size())
      return;
    std::vector<std::pair<Value, Value>> operands;
    for (std::size_t i = 0; i < actual.children().size(); ++i)
      operands.emplace_back(actual.children()[i], expected.children()[i]);
    for (const auto& [left, right] : operands)
      take(equal(left, right, becomes_real ? cast->from : claim.scalar), false);
  }

  static Equation equal(Value actual, Value expected, Scalar scalar) {
    Equation equation;
    equation.actual = actual;
    equation.expected = expected;
    equation.scalar = scalar;
    return equation;
  }

  // Nothing, where the claim is not of a sum.
  std::vector<Term> terms_of(Value v, Scalar s) const {
    if (!v.is_node()) return {};
    const Node& sum = provenance_.node(v);
    const bool is_sum =
        sum.kind == Node::Kind::kRing && sum.ring == Ring::kSum && sum.scalar == algebra_of(Ring::kSum, s);
    return is_sum ? provenance_.terms(Ring::kSum, s, v) : std::vector<Term>();
  }

  bool is_open(const Term& t) const {
    return std::ranges::any_of(t.factors, [&](NodeId f) { return provenance_.has_choice(Value::node(f)); });
  }

  static bool is_power_of_two(double v) {
    int exponent = 0;
    return std::abs(std::frexp(v, &exponent)) == 0.5;
  }

  Value negated(Value v, Scalar s) { return provenance_.unary(Operator::kNegate, s, v); }
  Value difference(Value a, Value b, Scalar s) {
    return provenance_.normalize(provenance_.combine(Ring::kSum, s, a, negated(b, s)));
  }

  // x[0] - m / 4 = E, where m is all that is open: m = 4 (x[0] - E).
  std::optional<Equation> open_term(const Claim& claim) {
    const Scalar s = claim.scalar;
    std::vector<Term> known = terms_of(claim.actual, s);
    const auto open = std::ranges::find_if(known, [&](const Term& t) { return is_open(t); });
    if (open == known.end() || open->factors.size() != 1 ||
        std::ranges::count_if(known, [&](const Term& t) { return is_open(t); }) != 1)
      return std::nullopt;
    const double factor = open->coefficient.as_real();
    if (is_real(s) ? !is_power_of_two(factor) : std::abs(factor) != 1) return std::nullopt;  // nothing is rounded
    const Value value = Value::node(open->factors[0]);
    known.erase(open);
    const Value rest = provenance_.from_terms(Ring::kSum, s, std::move(known));
    const Value left = factor > 0 ? difference(claim.expected, rest, s) : difference(rest, claim.expected, s);
    if (std::abs(factor) == 1) return equal(value, left, s);
    const Value all = provenance_.multiply(Ring::kSum, s, Value::real(1 / std::abs(factor)), left);
    return equal(value, provenance_.normalize(all), s);
  }

  // m + log(s) = M + log(S), where m has no log() in it: log(s) = log(S), and m = M.
  std::optional<std::pair<Equation, Equation>> open_function(const Claim& claim) {
    const Scalar s = claim.scalar;
    const std::vector<Term> terms = terms_of(claim.actual, s), expected = terms_of(claim.expected, s);
    for (const Term& term : terms) {
      const std::optional<std::uint32_t> code = code_of(term);
      if (!code || !is_open(term)) continue;
      const auto is_alike = [&](const Term& t) { return code_of(t) == code; };
      const auto other = std::ranges::find_if(expected, is_alike);
      const auto has_code = [&](const Term& t) {
        return std::ranges::any_of(t.factors, [&](NodeId f) { return reaches(Value::node(f), *code); });
      };
      if (std::ranges::count_if(terms, has_code) != 1 || std::ranges::count_if(expected, has_code) != 1 ||
          other == expected.end() || !(other->coefficient == term.coefficient))
        continue;
      const auto alone = [&](const Term& t) { return provenance_.from_terms(Ring::kSum, s, {t}); };
      return std::pair(
          equal(Value::node(term.factors[0]), Value::node(other->factors[0]), s),
          equal(difference(claim.actual, alone(term), s), difference(claim.expected, alone(*other), s), s));
    }
    return std::nullopt;
  }

  // (x - m) · rsqrt(q) = (x - M) · rsqrt(Q), where nothing else has an rsqrt() in it: rsqrt(q) = rsqrt(Q), and
  // x - m = x - M.
  std::optional<std::pair<Equation, Equation>> common_function(const Claim& claim) {
    const Scalar s = claim.scalar;
    const std::vector<Term> terms = terms_of(claim.actual, s), expected = terms_of(claim.expected, s);
    if (terms.empty() || expected.empty()) return std::nullopt;
    for (NodeId f : terms[0].factors) {
      const Node& n = provenance_.node(f);
      const auto is_alike = [&](NodeId g) {
        return has_no_laws(provenance_.node(g)) && provenance_.node(g).tag == n.tag;
      };
      const auto g = std::ranges::find_if(expected[0].factors, is_alike);
      if (!has_no_laws(n) || g == expected[0].factors.end()) continue;
      const auto rest = without(terms, f, s), wanted = without(expected, *g, s);
      if (rest && wanted) return std::pair(equal(Value::node(f), Value::node(*g), s), equal(*rest, *wanted, s));
    }
    return std::nullopt;
  }

  // What the function is multiplied by, in which there is none like it; nothing: it is not a factor of all.
  std::optional<Value> without(std::vector<Term> terms, NodeId function, Scalar s) {
    const std::uint32_t code = provenance_.node(function).tag;
    for (Term& t : terms) {
      const auto at = std::ranges::find(t.factors, function);
      if (at == t.factors.end()) return std::nullopt;
      t.factors.erase(at);
      if (std::ranges::any_of(t.factors, [&](NodeId f) { return reaches(Value::node(f), code); })) return std::nullopt;
    }
    return provenance_.normalize(provenance_.from_terms(Ring::kSum, s, std::move(terms)));
  }

  // (x[0] + P) · (z[0] + Q) = (x[0] + x[1]) · (z[0] + z[1]), of different buffers: x[0] + P = x[0] + x[1], and so of z.
  // As coefficients are whole numbers, and 1 on the right, no factor of one sum goes to the other: nor of words, where
  // 3 has an inverse, as long as the factor and its inverse, whose product is above 2^32, are not both that large.
  std::optional<std::pair<Equation, Equation>> two_sums(const Claim& claim) {
    const Scalar s = claim.scalar;
    const auto expected = parted(terms_of(claim.expected, s), s);
    if (!expected) return std::nullopt;
    const auto actual = parted(terms_of(claim.actual, s), s);
    if (!actual || actual->buffers != expected->buffers) return std::nullopt;
    if (!is_real(s) && actual->most >= std::ldexp(1.0, bit_width(s) / 2)) return std::nullopt;
    return std::pair(equal(actual->first, expected->first, s), equal(actual->second, expected->second, s));
  }

  // max(P) - min(Q) = max(x[0] … x[31]) - min(x[0] … x[31]): max(P) = max(x[0] … x[31]), and so of min. Where three
  // elements and more are wanted of each, one alone among the others tells whether it is there, by rising or falling.
  std::optional<std::pair<Equation, Equation>> two_sets(const Claim& claim) {
    const auto actual = extremes(terms_of(claim.actual, claim.scalar)),
               expected = extremes(terms_of(claim.expected, claim.scalar));
    constexpr std::size_t kFewest = 3;
    if (!actual || !expected || !(actual->of_greatest == expected->of_greatest) ||
        !(actual->of_least == expected->of_least) ||
        size_of_set(provenance_, expected->greatest, Ring::kMax).value_or(0) < kFewest ||
        size_of_set(provenance_, expected->least, Ring::kMin).value_or(0) < kFewest)
      return std::nullopt;
    return std::pair(equal(actual->greatest, expected->greatest, claim.scalar),
                     equal(actual->least, expected->least, claim.scalar));
  }

  struct Extremes {
    Value greatest, least;
    Value of_greatest, of_least;  // coefficients
  };
  std::optional<Extremes> extremes(std::vector<Term> terms) const {
    if (terms.size() != 2 || terms[0].factors.size() != 1 || terms[1].factors.size() != 1) return std::nullopt;
    const auto is_of = [&](const Term& t, Ring ring) {
      const Value v = Value::node(t.factors[0]);
      return provenance_.node(v).combines() && provenance_.node(v).ring == ring && size_of_set(provenance_, v, ring);
    };
    if (!is_of(terms[0], Ring::kMax)) std::swap(terms[0], terms[1]);
    if (!is_of(terms[0], Ring::kMax) || !is_of(terms[1], Ring::kMin)) return std::nullopt;
    return Extremes{Value::node(terms[0].factors[0]), Value::node(terms[1].factors[0]), terms[0].coefficient,
                    terms[1].coefficient};
  }

  struct Parted {
    Value first, second;
    std::uint64_t buffers;  // of the first
    double most;            // that a coefficient of either comes to
  };
  std::optional<Parted> parted(const std::vector<Term>& terms, Scalar s) {
    std::uint64_t all = 0, first = 0;
    for (const Term& t : terms)
      for (NodeId f : t.factors) {
        const BufferReach& reach = reaches_.of(f);
        if (reach.buffers == 0 || std::isinf(reach.most) || t.coefficient.as_real() != 1) return std::nullopt;
        all |= reach.buffers;
      }
    first = all & ~(all - 1);
    for (const Term& t : terms)
      for (NodeId f : t.factors)
        if (const std::uint64_t of = reaches_.of(f).buffers; (of & first) != 0 && (of & ~first) != 0)
          return std::nullopt;  // a factor of both
    std::set<Factors> firsts, seconds;
    for (const Term& t : terms) {
      Factors a, b;
      for (NodeId f : t.factors) ((reaches_.of(f).buffers & first) != 0 ? a : b).push_back(f);
      if (a.empty() || b.empty()) return std::nullopt;
      firsts.insert(std::move(a));
      seconds.insert(std::move(b));
    }
    if (terms.empty() || firsts.size() * seconds.size() != terms.size()) return std::nullopt;  // each with each
    double most = 0;
    const auto sum = [&](const std::set<Factors>& parts) {
      std::vector<Term> some;
      double weight = 0;
      for (const Factors& factors : parts) {
        some.push_back({terms[0].coefficient, factors});
        weight += std::accumulate(factors.begin(), factors.end(), 1.0,
                                  [&](double product, NodeId f) { return product * reaches_.of(f).most; });
      }
      most = std::max(most, weight);
      return provenance_.normalize(provenance_.from_terms(Ring::kSum, s, std::move(some)));
    };
    const Value one = sum(firsts), other = sum(seconds);
    return Parted{one, other, first, most};
  }

  // P + 3 Q = x[0] + x[1] + 3 z[0], P of x and Q of z: P = x[0] + x[1], and 3 Q = 3 z[0]. Neither has a constant that
  // the other could take away.
  std::optional<std::pair<Equation, Equation>> sum_of_two(const Claim& claim) {
    const Scalar s = claim.scalar;
    const std::vector<Term> actual = terms_of(claim.actual, s), expected = terms_of(claim.expected, s);
    const std::uint64_t first = connected({&expected}) == 0 ? 0 : connected({&expected, &actual});
    if (first == 0) return std::nullopt;
    const auto part = [&](const std::vector<Term>& terms, bool is_first) {
      std::vector<Term> some;
      for (const Term& t : terms)
        if (((reaches_.without_constant(t) & first) != 0) == is_first) some.push_back(t);
      return provenance_.normalize(provenance_.from_terms(Ring::kSum, s, std::move(some)));
    };
    return std::pair(equal(part(actual, true), part(expected, true), s),
                     equal(part(actual, false), part(expected, false), s));
  }

  // One buffer, and what stands in one term with it, and so on. 0: that is all, or a term may have a constant.
  std::uint64_t connected(std::initializer_list<const std::vector<Term>*> sums) {
    std::uint64_t all = 0, some = 0;
    std::vector<std::uint64_t> terms;
    for (const std::vector<Term>* sum : sums)
      for (const Term& t : *sum) {
        terms.push_back(reaches_.without_constant(t));
        if (terms.back() == 0) return 0;
        all |= terms.back();
      }
    for (std::uint64_t next = all & ~(all - 1); next != some;) {
      some = next;
      for (std::uint64_t of : terms)
        if ((of & some) != 0) next |= of;
    }
    return some == all ? 0 : some;
  }

  // Of a multiple of a function without laws.
  std::optional<std::uint32_t> code_of(const Term& term) const {
    if (term.factors.size() != 1 || !has_no_laws(provenance_.node(term.factors[0]))) return std::nullopt;
    return provenance_.node(term.factors[0]).tag;
  }

  // Whether a value may come to have the function in it.
  bool reaches(Value v, std::uint32_t code) const {
    std::unordered_set<std::uint32_t> seen;
    std::vector<Value> pending{v};
    while (!pending.empty()) {
      const Value next = pending.back();
      pending.pop_back();
      if (!next.is_node() || !seen.insert(next.aux).second) continue;
      const Node& n = provenance_.node(next);
      if (n.kind == Node::Kind::kOpaque && n.tag == code) return true;
      n.for_each_part([&](Value part) { pending.push_back(part); });
    }
    return false;
  }

  Provenance& provenance_;
  std::vector<Claim> claims_;
  BufferReaches reaches_{provenance_};
};

}  // namespace

std::vector<Claim> claims_of(Provenance& provenance, const Equation& equation) {
  return Claims(provenance).of(equation);
}

std::optional<std::size_t> size_of_set(const Provenance& provenance, Value v, Ring ring) {
  std::unordered_set<std::uint32_t> seen;
  std::vector<Value> pending{v};
  std::size_t inputs = 0;
  while (!pending.empty()) {
    const Value part = pending.back();
    pending.pop_back();
    if (part.is_undefined()) continue;  // what comes to an output is defined
    if (!part.is_node()) return std::nullopt;
    if (!seen.insert(part.aux).second) continue;
    const Node& n = provenance.node(part);
    inputs += n.kind == Node::Kind::kInput ? 1 : 0;
    if (n.kind == Node::Kind::kInput) continue;
    if (n.kind != Node::Kind::kChoice && !(n.combines() && n.ring == ring)) return std::nullopt;
    n.for_each_part([&](Value of) { pending.push_back(of); });
  }
  return inputs;
}

bool has_no_laws(const Node& operation) {
  return operation.kind == Node::Kind::kOpaque && operation.tag < kOpaqueJoin &&
         is_hashed(operation.tag, operation.scalar);
}

}  // namespace swizzle
