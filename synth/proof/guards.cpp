#include "synth/proof/guards.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_set>

#include "synth/base/integers.h"
#include "synth/proof/joined_choices.h"
#include "synth/provenance/definedness.h"

namespace swizzle {
namespace {

constexpr int kMostCases = 256;

// What divides all coefficients but the constant: p >= 0 just where p / divisor is, rounded down.
std::int64_t divisor_of(const Polynomial& p) {
  std::int64_t divisor = 0;
  for (const Polynomial::Term& t : p.terms())
    if (t.monomial != 0) divisor = std::gcd(divisor, t.coefficient);
  return std::max<std::int64_t>(divisor, 1);
}

Polynomial denied(const Polynomial& p) { return Polynomial(-1) - p; }

// What stands in p by an atom of the fact, a short one: of 16·w·k, by k < q, 16·w, where that is at least 0.
void add_cofactors(const Polynomial& p, const Polynomial& fact, const SizeRegion& region,
                   std::vector<Polynomial>& all) {
  constexpr std::size_t kShort = 4;  // terms
  if (fact.terms().size() > kShort) return;
  for (const Polynomial::Term& t : fact.terms()) {
    const bool is_atom = t.monomial > 0 && t.monomial <= 255 && std::abs(t.coefficient) == 1;
    const auto atom = is_atom ? static_cast<Atom>(t.monomial) : Atom{};
    if (!is_atom || !p.has(atom)) continue;
    const Polynomial by = (p.with(atom, Polynomial(1)) - p.with(atom, Polynomial())) * Polynomial(t.coefficient);
    if (!by.is_constant() && !by.has(atom) && region.least(by).value_or(-1) >= 0) all.push_back(by);
  }
}

// What a fact may be multiplied by so that a term of it becomes one of p's, and sizes.
std::vector<Polynomial> multipliers(const Polynomial& p, const Polynomial& fact, const SizeRegion& region) {
  std::vector<Polynomial> all{Polynomial(1)};
  for (const Polynomial::Term& t : fact.terms()) {
    const std::int64_t quotient = t.monomial == 0 ? 0 : p.coefficient(t.monomial) / t.coefficient;
    if (quotient > 1) all.emplace_back(quotient);
  }
  for (const auto& [name, size] : region.sizes)
    if (!size.is_constant() && region.least(size).value_or(-1) >= 0) all.push_back(size);
  add_cofactors(p, fact, region, all);
  return all;
}

}  // namespace

Value Guards::at_least_0(const Polynomial& p) {
  const std::int64_t divisor = divisor_of(p);
  const Polynomial q = p.divided(divisor).quotient;
  if (const auto value = q.value()) return *value >= 0 ? kEverywhere : kNowhere;
  const bool is_denied = q.terms().back().coefficient < 0;
  const Polynomial canonical = is_denied ? denied(q) : q;
  const auto [at, fresh] = point_of_.try_emplace(canonical, static_cast<std::uint32_t>(conditions_.size()));
  if (fresh) {
    conditions_.push_back(canonical);
    scales_.push_back(divisor);
    assignment_.push_back(-1);
    holds_.push_back(provenance_.choice(PointId(at->second), {kNowhere, kEverywhere}));
  }
  return is_denied ? negated(holds_[at->second]) : holds_[at->second];
}

Value Guards::both(Value a, Value b) {
  if (a == kNowhere || b == kNowhere) return kNowhere;
  if (a.is_undefined() || b.is_undefined()) return {};
  if (a == kEverywhere || a == b) return b;
  if (b == kEverywhere) return a;
  const auto [known, fresh] = both_.try_emplace(std::uint64_t{a.aux} << 32 | b.aux);
  if (fresh) known->second = provenance_.select(a, b, kNowhere);
  return known->second;
}

Value Guards::negated(Value a) {
  if (a == kNowhere || a == kEverywhere) return a == kNowhere ? kEverywhere : kNowhere;
  const auto [known, fresh] = negated_.try_emplace(a.aux);
  if (fresh) known->second = provenance_.select(a, kNowhere, kEverywhere);
  return known->second;
}

Polynomial Guards::fact(std::uint32_t point, bool holds) const {
  return holds ? conditions_[point] : denied(conditions_[point]);
}

// Calls f(point, whether it holds) for the points that the condition asks for before any others; what it says besides.
template <typename F>
Value Guards::each_part(Value condition, F&& f) const {
  while (is_choice(condition)) {
    const Node n = provenance_.node(condition);  // a copy: f may add nodes
    const Value no = n.children()[0], yes = n.children()[1];
    if (no != kNowhere && yes != kNowhere) break;
    f(n.tag, no == kNowhere);
    condition = no == kNowhere ? yes : no;
  }
  return condition;
}

const std::vector<Polynomial>& Guards::facts(Value condition, const SizeRegion& region) {
  if (!is_choice(condition)) return assumed_;
  const auto [known, fresh] = facts_.try_emplace(condition.aux, assumed_);
  Facts& facts = known->second;
  if (!fresh) return facts;
  const Value rest = each_part(condition, [&](std::uint32_t point, bool holds) {
    facts.push_back(fact(point, holds) * Polynomial(scales_[point]));
  });
  if (is_choice(rest)) add_implied(condition, region, facts);
  return facts;
}

// What was known without it may not be known with it, and the other way round.
void Guards::assume(const Polynomial& p) {
  assumed_.push_back(p);
  is_possible_.clear();
  facts_.clear();
}

void Guards::define(Atom atom, Polynomial p) {
  definitions_.emplace_back(atom, std::move(p));
  is_possible_.clear();
  facts_.clear();
}

void Guards::take_back() {
  assumed_.pop_back();
  is_possible_.clear();
  facts_.clear();
}

// Of a condition that is no conjunction.
void Guards::add_implied(Value condition, const SizeRegion& region, Facts& facts) {
  for (std::uint32_t point : points_of(condition, {})) {
    const bool holds = implies(condition, holds_[point], region);
    if (!holds && !implies(condition, negated(holds_[point]), region)) continue;
    const Polynomial implied = fact(point, holds) * Polynomial(scales_[point]);
    if (std::ranges::find(facts, implied) == facts.end()) facts.push_back(implied);
  }
}

Value Guards::within(Value v, Value condition) {
  std::vector<std::uint32_t> assigned;
  each_part(condition, [&](std::uint32_t point, bool holds) {
    assignment_[point] = holds;
    assigned.push_back(point);
  });
  PointId blocked;
  const Value known = provenance_.resolve(v, assignment_, blocked);
  for (std::uint32_t point : assigned) assignment_[point] = -1;
  return blocked.valid() ? v : known;
}

// p >= 0 where fact >= 0: p - fact is never negative; p < 0 there: neither is -1 - p - fact.
std::optional<bool> Guards::decided(std::uint32_t point, const Facts& facts, const SizeRegion& region) const {
  const Polynomial &p = conditions_[point], contrary = denied(p);
  for (const Polynomial& f : facts) {
    if (region.least(p - f).value_or(-1) >= 0) return true;
    if (region.least(contrary - f).value_or(-1) >= 0) return false;
  }
  if (is_assumed(p, region)) return true;
  return is_assumed(contrary, region) ? std::optional(false) : std::nullopt;
}

// Whether it is at least as much as something assumed, times a number.
bool Guards::is_assumed(const Polynomial& p, const SizeRegion& region) const {
  for (const Polynomial& f : assumed_)
    for (const Polynomial::Term& t : f.terms()) {
      const std::int64_t times = t.monomial == 0 ? 0 : p.coefficient(t.monomial) / t.coefficient;
      if (times > 0 && region.least(p - Polynomial(times) * f).value_or(-1) >= 0) return true;
    }
  return false;
}

std::int64_t Guards::remember(Combination c, std::int64_t least) {
  constexpr std::size_t kFew = 4;
  if (enough_before_.size() == kFew) enough_before_.pop_back();
  enough_before_.insert(enough_before_.begin(), std::move(c));
  return least;
}

std::optional<std::int64_t> Guards::least(const Polynomial& p, const std::vector<Polynomial>& facts,
                                          const SizeRegion& region, std::int64_t enough) {
  std::vector<Polynomial> with_definitions;
  for (const auto& [atom, definition] : definitions_)
    if (p.has(atom)) with_definitions.push_back(definition);
  if (with_definitions.empty()) return least_by(p, facts, region, enough);
  with_definitions.insert(with_definitions.end(), facts.begin(), facts.end());
  return least_by(p, with_definitions, region, enough);
}

std::optional<std::int64_t> Guards::least_by(const Polynomial& p, const std::vector<Polynomial>& facts,
                                             const SizeRegion& region, std::int64_t enough) {
  std::optional<std::int64_t> least = region.least(p);
  const auto improve = [&](const Polynomial& q) {
    least = std::max(least, region.least(q));  // none is less than all
    return least && *least >= enough;
  };
  if (facts.empty() || (least && *least >= enough)) return least;
  for (const Combination& c : enough_before_)
    if (std::max(c.a, c.b) < facts.size() && improve(p - c.by * facts[c.a] - c.also * facts[c.b])) return least;
  for (std::size_t a = 0; a < facts.size(); ++a)
    for (const Polynomial& by : multipliers(p, facts[a], region)) {
      const Polynomial rest = p - by * facts[a];
      if (improve(rest)) return remember({a, a, by, {}}, *least);
      for (std::size_t b = 0; b < facts.size(); ++b)  // maybe the same one: where rows are columns
        for (const Polynomial& also : multipliers(rest, facts[b], region))
          if (improve(rest - also * facts[b])) return remember({a, b, by, also}, *least);
    }
  return least;
}

std::vector<std::uint32_t> Guards::points_of(Value a, Value b) const {
  std::vector<std::uint32_t> points;
  std::unordered_set<std::uint32_t> seen;
  std::vector<Value> pending{a, b};
  while (!pending.empty()) {
    const Value v = pending.back();
    pending.pop_back();
    if (!provenance_.has_choice(v) || !seen.insert(v.aux).second) continue;
    if (is_choice(v)) points.push_back(provenance_.node(v).tag);
    provenance_.node(v).for_each_part([&](Value part) { pending.push_back(part); });
  }
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

// f is asked in each case in which the condition holds, its points being assigned.
bool Guards::in_cases(Value condition, const SizeRegion& region, Facts& facts, const std::function<bool()>& f) {
  if (condition == kNowhere) return true;
  if (!is_choice(condition)) return --cases_left_ >= 0 && f();
  if (cases_left_ <= 0 || deadline_.passed()) return false;
  const std::uint32_t point = provenance_.node(condition).tag;
  const auto known = decided(point, facts, region);
  bool holds = true;
  for (const bool value : {true, false}) {
    if (!holds || (known && *known != value)) continue;
    assignment_[point] = value;
    if (!known) facts.push_back(fact(point, value));
    holds = in_cases(provenance_.node(condition).children()[value ? 1 : 0], region, facts, f);
    if (!known) facts.pop_back();
  }
  assignment_[point] = -1;
  return holds;
}

bool Guards::is_possible(Value condition, const SizeRegion& region) {
  if (!condition.is_node()) return condition != kNowhere;
  const auto [known, fresh] = is_possible_.try_emplace(condition.aux);
  if (!fresh) return known->second;
  Facts facts = assumed_;
  cases_left_ = kMostCases;
  return known->second = !in_cases(condition, region, facts, [] { return false; });
}

Value Guards::weaker(Value a, Value b, const SizeRegion& region) {
  if (a == b || implies(b, a, region)) return a;
  return implies(a, b, region) ? b : either(a, b);
}

Value Guards::narrowed(Value path, Value condition, const SizeRegion& region) {
  const Value holds = truth_of(condition), kept = without_implied(path, holds, region);
  return kept == path ? both(path, truth_of(within(condition, path))) : both(kept, holds);
}

Value Guards::without_implied(Value path, Value by, const SizeRegion& region) {
  Value kept = kEverywhere;
  const Value rest = each_part(path, [&](std::uint32_t point, bool holds) {
    const Value part = holds ? holds_[point] : negated(holds_[point]);
    if (!implies(by, part, region)) kept = both(kept, part);
  });
  return is_choice(rest) ? path : kept;
}

Value Guards::chosen(Value condition, Value a, Value b, const SizeRegion& region, std::optional<Scalar> type) {
  const bool is_one_point = is_choice(condition) && !is_choice(provenance_.node(condition).children()[0]) &&
                            !is_choice(provenance_.node(condition).children()[1]);
  if (is_one_point && (is_choice(a) || is_choice(b))) {
    const Value fails = negated(condition);
    const Value here = outcome(a, condition, region), elsewhere = outcome(b, fails, region);
    if (outcome(a, fails, region) == elsewhere) return a;
    if (outcome(b, condition, region) == here) return b;
    a = here, b = elsewhere;
  }
  return provenance_.select(condition, a, b, type);
}

Value Guards::outcome(Value v, Value condition, const SizeRegion& region) const {
  if (!is_choice(v)) return v;
  Facts facts = assumed_;
  each_part(condition, [&](std::uint32_t point, bool holds) { facts.push_back(fact(point, holds)); });
  while (is_choice(v)) {
    const Node& n = provenance_.node(v);
    const auto known = decided(n.tag, facts, region);
    if (!known) break;
    v = n.children()[*known ? 1 : 0];
  }
  return v;
}

bool Guards::everywhere(Value condition, Value a, Value b, const SizeRegion& region,
                        const std::function<bool(Value, Value)>& f) {
  Facts facts = assumed_;
  cases_left_ = kMostCases;
  return in_cases(condition, region, facts, [&] { return agree(a, b, region, facts, f); });
}

// Points that facts decide are, then one in what only one of the values has: on others, both may depend alike.
bool Guards::agree(Value a, Value b, const SizeRegion& region, Facts& facts,
                   const std::function<bool(Value, Value)>& f) {
  if (deadline_.passed()) return false;
  std::vector<std::uint32_t> assigned;
  for (const std::uint32_t point : points_of(a, b))
    if (assignment_[point] < 0)
      if (const auto known = decided(point, facts, region)) assignment_[point] = *known, assigned.push_back(point);
  DecidedValues known_a, known_b;
  Value x = provenance_.normalize(provenance_.resolve_known(a, assignment_, known_a)),
        y = provenance_.normalize(provenance_.resolve_known(b, assignment_, known_b));
  const auto are_alike = [&] {
    return !may_be_undefined(provenance_, x) && !may_be_undefined(provenance_, y) && f(x, y);
  };
  bool holds = are_alike();
  const auto of_choices = [&] {
    return std::pair(with_joined_choices(provenance_, x), with_joined_choices(provenance_, y));
  };
  if (const auto joined = holds ? std::pair(x, y) : of_choices(); joined != std::pair(x, y)) {
    std::tie(x, y) = joined;
    holds = are_alike();
  }
  if (const auto point = holds ? std::nullopt : point_to_try(x, y); point && --cases_left_ >= 0) {
    holds = true;
    for (const bool value : {true, false}) {
      if (!holds) continue;
      assignment_[*point] = value;
      facts.push_back(fact(*point, value));
      holds = agree(x, y, region, facts, f);
      facts.pop_back();
    }
    assignment_[*point] = -1;
  }
  for (const std::uint32_t point : assigned) assignment_[point] = -1;
  return holds;
}

std::optional<std::uint32_t> Guards::point_to_try(Value a, Value b) const {
  if (a.is_node() && b.is_node() && provenance_.node(a).kind == Node::Kind::kOpaque &&
      provenance_.node(b).kind == Node::Kind::kOpaque) {
    const Children of_a = provenance_.node(a).children(), of_b = provenance_.node(b).children();
    if (provenance_.node(a).tag == provenance_.node(b).tag && of_a.size() == of_b.size())
      for (std::size_t i = 0; i < of_a.size(); ++i)
        if (!(of_a[i] == of_b[i]))
          if (const auto point = point_to_try(of_a[i], of_b[i])) return point;
  }
  for (const auto& [v, other] : {std::pair(a, b), std::pair(b, a)}) {
    if (!v.is_node() || !provenance_.node(v).combines()) continue;
    const Node& n = provenance_.node(v);
    const std::vector<Term> of_other = provenance_.terms(n.ring, n.scalar, other);
    for (const Term& term : provenance_.terms(n.ring, n.scalar, v))
      if (!std::ranges::binary_search(of_other, term.factors, {}, &Term::factors))
        for (const NodeId factor : term.factors)
          if (const auto point = first_point(Value::node(factor))) return point;
  }
  const auto point = first_point(a);
  return point ? point : first_point(b);
}

std::optional<std::uint32_t> Guards::first_point(Value v) const {
  if (!provenance_.has_choice(v)) return std::nullopt;
  if (is_choice(v)) return provenance_.node(v).tag;
  std::optional<std::uint32_t> point;
  provenance_.node(v).for_each_part([&](Value part) {
    if (!point) point = first_point(part);
  });
  return point;
}

}  // namespace swizzle
