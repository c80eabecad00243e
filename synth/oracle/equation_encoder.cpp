#include "synth/oracle/equation_encoder.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "synth/base/hashes.h"

namespace swizzle {
namespace {

constexpr std::size_t kMaxParts = 20'000;

// Coefficients are unsigned; -1 is smaller than 2^32 - 1.
Scalar signed_scalar(Scalar s) {
  switch (bit_width(s)) {
    case 8: return Scalar::kI8;
    case 16: return Scalar::kI16;
    case 64: return Scalar::kI64;
    case 1: return Scalar::kBool;
    default: return Scalar::kI32;
  }
}

}  // namespace

EquationEncoder::EquationEncoder(Problem& problem, const std::vector<Literals>& values, Formula& formula,
                                 const Deadline& deadline, std::size_t most_clauses)
    : problem_(problem),
      provenance_(problem.provenance),
      values_(values),
      formula_(formula),
      deadline_(deadline),
      most_clauses_(most_clauses) {}

bool EquationEncoder::fail(std::string why) {
  if (why_.empty()) why_ = std::move(why);
  return false;
}

bool EquationEncoder::is_too_long(std::size_t parts, const char* what) {
  if (deadline_.passed()) fail("no time is left");
  if (parts > kMaxParts) fail(what);
  if (formula_.clauses().size() > most_clauses_) fail("too many clauses");
  return !why_.empty();
}

bool EquationEncoder::encode() {
  for (const Equation& e : problem_.equations)
    if (is_too_long(0, "") || !equation(e)) return false;
  for (const Requirement& r : problem_.requirements) formula_.add({!violated(r.violation)});
  stores();
  return why_.empty();
}

// Where two threads store to the same slot, they store the same.
void EquationEncoder::stores() {
  struct Hit {
    std::uint32_t thread;
    Literal when;
    Value value;
  };
  std::map<std::tuple<std::size_t, std::uint32_t, std::int64_t>, std::vector<Hit>> hits;  // by instance, buffer, slot
  for (const Store& store : problem_.stores)
    for (const Value& leaf : provenance_.leaves(store.pointer)) {
      if (!leaf.is_pointer()) continue;
      const Value here = provenance_.map_leaves(store.pointer, [&](Value v) { return Value::integer(v == leaf); });
      hits[{store.instance, leaf.aux, leaf.bits}].push_back(
          {store.thread, formula_.all_of({violated(store.guard), violated(here)}), store.value});
    }
  for (const auto& [slot, all] : hits)
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < i && why_.empty(); ++j) {
        if (all[i].thread == all[j].thread) continue;
        for (const Part& a : values_of(all[i].value))
          for (const Part& b : values_of(all[j].value))
            if (!(a.value == b.value)) formula_.add({!all[i].when, !all[j].when, !a.when, !b.when});
      }
}

EquationEncoder::Parts EquationEncoder::values_of(Value v) {
  if (provenance_.has_choice(v)) return outcomes(v);
  return {{Formula::truth(), provenance_.normalize(v)}};
}

bool EquationEncoder::equation(const Equation& e) {
  const Value actual = e.actual, expected = e.expected;
  if (actual == expected) return true;
  if (!provenance_.has_choice(actual)) {
    formula_.add({!Formula::truth()});
    return true;
  }
  const Node& a = provenance_.node(actual);
  if (a.kind == Node::Kind::kRing) return in_ring(a.ring, a.scalar, actual, expected);
  if (a.kind == Node::Kind::kOpaque) {
    Literals equal;
    for (const Part& part : outcomes(actual))
      if (e.holds(part.value)) equal.push_back(part.when);
    formula_.add(std::move(equal));
    return why_.empty();
  }
  if (expected.is_node() && provenance_.node(expected).kind == Node::Kind::kRing)
    return in_ring(provenance_.node(expected).ring, provenance_.node(expected).scalar, actual, expected);
  const Scalar s = expected.is_node() ? provenance_.node(expected).scalar : e.scalar;
  return in_ring(Ring::kSum, s, actual, expected);
}

bool EquationEncoder::in_ring(Ring ring, Scalar s, Value actual, Value expected) {
  std::map<Factors, std::pair<Contributions, std::optional<Value>>> monomials;  // contributions, what is needed
  for (const Term& t : provenance_.terms(ring, s, expected)) monomials[t.factors].second = t.coefficient;
  for (const Part& part : summands(ring, s, actual)) {
    if (part.value.is_undefined()) formula_.add({!part.when});
    else
      for (const Term& t : provenance_.terms(ring, s, part.value))
        monomials[t.factors].first.emplace_back(part.when, t.coefficient);
  }
  if (!why_.empty()) return false;
  const Value nothing = is_real(s) ? Value::real(0) : Value::integer(0);
  for (const auto& [factors, sides] : monomials) {
    const auto& [contributions, need] = sides;
    if (ring == Ring::kSum && !counted(s, contributions, need.value_or(nothing))) return false;
    if (ring == Ring::kXor && !odd(s, contributions, need.value_or(nothing))) return false;
    if (!is_set(ring)) continue;
    if (factors.empty()) {
      constant_of_set(ring, s, contributions, need);
      continue;
    }
    Literals present;
    for (const auto& [when, coefficient] : contributions) present.push_back(when);
    if (need) formula_.add(std::move(present));
    else
      for (Literal l : present) formula_.add({!l});
  }
  return true;
}

// What a choice leads to, each once, and when.
std::vector<std::pair<Value, Literal>> EquationEncoder::by_child(const Node& choice) {
  std::vector<std::pair<Value, Literals>> found;
  for (std::size_t i = 0; i < choice.children().size(); ++i) {
    const auto same =
        std::find_if(found.begin(), found.end(), [&](const auto& f) { return f.first == choice.children()[i]; });
    if (same != found.end()) same->second.push_back(values_[choice.tag][i]);
    else found.push_back({choice.children()[i], {values_[choice.tag][i]}});
  }
  std::vector<std::pair<Value, Literal>> result;
  for (auto& [child, when] : found) result.emplace_back(child, formula_.any_of(std::move(when)));
  return result;
}

// Values that together make up v in the ring: those whose condition holds.
EquationEncoder::Parts EquationEncoder::summands(Ring ring, Scalar s, Value v) {
  if (!provenance_.has_choice(v)) return {{Formula::truth(), v}};
  if (const auto it = summands_.find({ring, v.aux}); it != summands_.end()) return it->second;
  Parts parts;
  const Node node = provenance_.node(v);  // a copy: products add nodes
  if (node.kind == Node::Kind::kChoice) {
    parts = summands_of_choice(ring, s, node);
  } else {
    const std::vector<Term> terms = provenance_.terms(ring, s, v);
    const bool atomic = terms.size() == 1 && terms[0].factors.size() == 1 && terms[0].factors[0] == v.as_node();
    if (atomic) parts = outcomes(v);
    else
      for (const Term& t : terms) {
        if (is_too_long(parts.size(), "an output with too many alternatives")) return {};
        const Parts more = product(ring, s, t);
        parts.insert(parts.end(), more.begin(), more.end());
      }
  }
  return summands_[{ring, v.aux}] = std::move(parts);
}

// What the children have alike, as often as each has it, is there once: a step that all come to by way of others stays
// as large as what it may read.
EquationEncoder::Parts EquationEncoder::summands_of_choice(Ring ring, Scalar s, const Node& choice) {
  std::vector<std::pair<Value, Literals>> found;
  const auto hash = [](const std::pair<Value, std::size_t>& key) {
    const Value& v = key.first;
    return mix(mix(mix(static_cast<std::size_t>(v.kind), v.aux), static_cast<std::size_t>(v.bits)), key.second);
  };
  std::unordered_map<std::pair<Value, std::size_t>, std::size_t, decltype(hash)> places(16, hash);
  for (const auto& [child, when] : by_child(choice)) {
    if (is_too_long(found.size(), "an output with too many alternatives")) return {};
    std::unordered_map<std::pair<Value, std::size_t>, std::size_t, decltype(hash)> times(16, hash);
    for (const Part& part : summands(ring, s, child)) {
      const Literal both = formula_.all_of({when, part.when});
      if (both == !Formula::truth()) continue;
      const auto [it, is_new] = places.try_emplace({part.value, times[{part.value, 0}]++}, found.size());
      if (is_new) found.push_back({part.value, {}});
      found[it->second].second.push_back(both);
    }
  }
  Parts parts;
  for (auto& [value, when] : found) parts.push_back({formula_.any_of(std::move(when)), value});
  return parts;
}

EquationEncoder::Parts EquationEncoder::product(Ring ring, Scalar s, const Term& term) {
  if (is_set(ring))
    return term.factors.empty() ? Parts{{Formula::truth(), term.coefficient}}
                                : summands(ring, s, Value::node(term.factors[0]));
  Parts product{{Formula::truth(), provenance_.from_terms(ring, s, {Term{term.coefficient, {}}})}};
  for (NodeId f : term.factors) {
    const Parts factor = summands(ring, s, Value::node(f));
    Parts next;
    for (const Part& a : product)
      for (const Part& b : factor) {
        const Literal both = formula_.all_of({a.when, b.when});
        if (both != !Formula::truth()) next.push_back({both, provenance_.multiply(ring, s, a.value, b.value)});
      }
    product = std::move(next);
    if (is_too_long(product.size(), "a product with too many alternatives")) return {};
  }
  return product;
}

// Every value that v may have, each once.
EquationEncoder::Parts EquationEncoder::outcomes(Value v) {
  if (const auto it = outcomes_.find(v.aux); it != outcomes_.end()) return it->second;
  std::vector<std::pair<Value, Literals>> found;
  const auto add = [&](Value value, Literal when) {
    const auto same = std::find_if(found.begin(), found.end(), [&](const auto& f) { return f.first == value; });
    if (same != found.end()) same->second.push_back(when);
    else found.push_back({value, {when}});
  };
  std::size_t visits = 0;
  Assignment assignment(problem_.points.size(), -1);
  Literals path;
  const auto walk = [&](auto&& self) -> void {
    if (is_too_long(++visits, "a function of too many alternatives")) return;
    PointId blocked;
    const Value value = provenance_.resolve(v, assignment, blocked);
    if (!blocked.valid()) return add(provenance_.normalize(value), formula_.all_of(path));
    for (std::size_t i = 0; i < values_[blocked.value].size(); ++i) {
      assignment[blocked.value] = static_cast<int>(i);
      path.push_back(values_[blocked.value][i]);
      self(self);
      path.pop_back();
    }
    assignment[blocked.value] = -1;
  };
  walk(walk);
  Parts parts;
  for (auto& [value, when] : found) parts.push_back({formula_.any_of(std::move(when)), value});
  return outcomes_[v.aux] = std::move(parts);
}

Literal EquationEncoder::violated(Value v) {
  if (!provenance_.has_choice(v)) return truth(v) == false && !v.is_undefined() ? !Formula::truth() : Formula::truth();
  if (const auto it = violated_.find(v.aux); it != violated_.end()) return it->second;
  Literals ways;
  const Node node = provenance_.node(v);  // a copy: resolving adds nodes
  if (node.kind == Node::Kind::kChoice) {
    for (const auto& [child, when] : by_child(node)) ways.push_back(formula_.all_of({when, violated(child)}));
  } else {
    for (const Part& part : outcomes(v))
      if (truth(part.value) != false) ways.push_back(part.when);
  }
  return violated_[v.aux] = formula_.any_of(std::move(ways));
}

// Σ coefficient · [condition] = expected, modulo 2^width for integers.
bool EquationEncoder::counted(Scalar s, const Contributions& actual, Value expected) {
  std::vector<double> amounts;
  const auto amount = [&](Value v) {
    return is_real(s) ? v.as_real() : static_cast<double>(wrap(signed_scalar(s), v.bits));
  };
  for (const auto& [when, coefficient] : actual) amounts.push_back(amount(coefficient));
  const double need = amount(expected);
  double unit = 1, total = std::abs(need);
  for (double a : amounts) total += std::abs(a);
  if (!is_real(s) && total >= std::ldexp(1.0, bit_width(s))) return fail("coefficients that may wrap around");
  if (is_real(s)) {
    const auto fits = [&](double a) { return std::abs(a / unit - std::round(a / unit)) == 0; };
    for (int scale = 0; scale <= 60 && !(fits(need) && std::all_of(amounts.begin(), amounts.end(), fits)); ++scale)
      unit /= 2;
    double common = 0;  // a unit of 2^-60 is too small for weights of 31 bits: divide by what all have in common
    const auto gcd = [](double a, double b) {
      while (b != 0) a = std::exchange(b, std::fmod(a, b));
      return a;
    };
    for (double a : amounts) common = gcd(common, std::abs(a / unit));
    common = gcd(common, std::abs(need / unit));
    if (common > 0) unit *= common;
  }
  std::vector<WeightedLiteral> terms;
  for (std::size_t i = 0; i < actual.size(); ++i) terms.push_back({actual[i].first, std::llround(amounts[i] / unit)});
  formula_.equal(std::move(terms), std::llround(need / unit));
  return true;
}

bool EquationEncoder::odd(Scalar s, const Contributions& actual, Value expected) {
  std::set<std::pair<Literals, bool>> seen;  // most bits have the same contributors
  for (int bit = 0; bit < bit_width(s); ++bit) {
    const auto has = [&](Value v) { return (static_cast<std::uint64_t>(v.bits) >> bit & 1) != 0; };
    Literals contributors;
    for (const auto& [when, coefficient] : actual)
      if (has(coefficient)) contributors.push_back(when);
    if (seen.emplace(contributors, has(expected)).second) formula_.parity(std::move(contributors), has(expected));
  }
  return true;
}

// The constants of a set fold into one: the least, the largest, or all bits together.
void EquationEncoder::constant_of_set(Ring ring, Scalar s, const Contributions& actual, std::optional<Value> expected) {
  if (ring == Ring::kOr) {
    for (int bit = 0; bit < 64; ++bit) {
      const auto has = [&](Value v) { return (static_cast<std::uint64_t>(v.bits) >> bit & 1) != 0; };
      Literals contributors;
      for (const auto& [when, constant] : actual)
        if (has(constant)) contributors.push_back(when);
      if (expected && has(*expected)) formula_.add(std::move(contributors));
      else
        for (Literal l : contributors) formula_.add({!l});
    }
    return;
  }
  Literals meets;
  for (const auto& [when, constant] : actual) {
    const double c = constant.as_real(), need = expected ? expected->as_real() : 0;
    if (expected && c == need) meets.push_back(when);
    else if (expected ? (ring == Ring::kMin ? c < need : c > need) : !provenance_.is_neutral(ring, s, constant))
      formula_.add({!when});
  }
  if (expected) formula_.add(std::move(meets));
}

}  // namespace swizzle
