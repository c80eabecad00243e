#include "synth/network/sum_compiler.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace swizzle {
namespace {

constexpr std::size_t kMaxVisits = 100'000;  // leaves of one term; past that the term stays open
constexpr std::size_t kSeldom = 1024;        // visits, before the time is looked at

double amount_of(Ring ring, Value coefficient) { return ring == Ring::kSum ? coefficient.as_real() : 1; }

// Of several, in another algebra.
bool has_others(const Node& n, Ring ring) {
  return n.kind == Node::Kind::kAppended || (n.kind == Node::Kind::kRing && n.ring != ring && n.terms().size() > 1);
}

// Whether it may come to one part that is of this ring, where choices make the others nothing.
bool may_become(const Provenance& provenance, Ring ring, Value v, std::unordered_set<std::uint32_t>& seen) {
  if (!v.is_node() || !seen.insert(v.aux).second) return false;
  const Node& n = provenance.node(v);
  if (n.kind == Node::Kind::kRing && n.ring == ring) return true;
  if (n.kind == Node::Kind::kOpaque) return n.has_choice;
  bool may = false;
  n.for_each_part([&](Value part) { may = may || may_become(provenance, ring, part, seen); });
  return may;
}

// Of max(sum, 0) against max(what the spec adds, 0): the sum, which is no maximum whatever the choices are, and what it
// has to be.
std::optional<std::pair<Value, Value>> only_open_member(const Provenance& provenance, Value actual, Value expected) {
  if (!actual.is_node() || !expected.is_node()) return std::nullopt;
  const Node &a = provenance.node(actual), &e = provenance.node(expected);
  const bool are_sets = a.kind == Node::Kind::kRing && e.kind == Node::Kind::kRing && is_set(a.ring);
  if (!are_sets || a.ring != e.ring || a.scalar != e.scalar || a.terms().size() != e.terms().size())
    return std::nullopt;
  const auto is_open = [&](const Term& t) {
    return std::ranges::any_of(t.factors, [&](NodeId f) { return provenance.node(f).has_choice; });
  };
  const auto open = std::ranges::find_if(a.terms(), is_open);
  if (open == a.terms().end() || open->factors.size() != 1 || !has_others(provenance.node(open->factors[0]), a.ring) ||
      std::ranges::count_if(a.terms(), is_open) != 1)
    return std::nullopt;
  const auto is_other = [&](const Term& t) { return std::ranges::find(a.terms(), t) == a.terms().end(); };
  const auto wanted = std::ranges::find_if(e.terms(), is_other);
  if (wanted == e.terms().end() || wanted->factors.size() != 1 || std::ranges::count_if(e.terms(), is_other) != 1)
    return std::nullopt;
  const Value sum = Value::node(open->factors[0]);
  if (std::unordered_set<std::uint32_t> seen; may_become(provenance, a.ring, sum, seen)) return std::nullopt;
  return std::pair{sum, Value::node(wanted->factors[0])};
}

std::optional<Conflict> split(Problem& problem, Reducible& reducible, Value actual, Value expected, std::size_t index,
                              std::vector<RingEquation>& parts) {
  Provenance& provenance = problem.provenance;
  if (actual == expected) return std::nullopt;
  if (!provenance.has_choice(actual)) return Conflict{index, 0, {}};
  const Node& a = provenance.node(actual);
  if (a.kind == Node::Kind::kOpaque && !reducible.to_operand(actual)) {
    const Node* e = expected.is_node() ? &provenance.node(expected) : nullptr;
    if (e != nullptr && e->kind == Node::Kind::kOpaque && e->tag == a.tag &&
        e->children().size() == a.children().size()) {
      for (std::size_t i = 0; i < a.children().size(); ++i)
        if (auto conflict = split(problem, reducible, a.children()[i], e->children()[i], index, parts)) return conflict;
      return std::nullopt;
    }
    if (!reducible.function(actual)) return Conflict{index, 0, {}};
  }
  if (const auto member = only_open_member(provenance, actual, expected))
    return split(problem, reducible, member->first, member->second, index, parts);
  if (a.kind == Node::Kind::kRing) {
    parts.push_back({index, a.ring, a.scalar, actual, expected});
  } else if (expected.is_node() && provenance.node(expected).kind == Node::Kind::kRing) {
    parts.push_back({index, provenance.node(expected).ring, provenance.node(expected).scalar, actual, expected});
  } else {
    const Scalar s = expected.is_node()   ? provenance.node(expected).scalar
                     : expected.is_real() ? Scalar::kF64
                                          : Scalar::kI64;
    parts.push_back({index, Ring::kSum, s, actual, expected});
  }
  return std::nullopt;
}

}  // namespace

std::optional<Conflict> split_equation(Problem& problem, std::size_t equation, std::vector<RingEquation>& parts) {
  const Equation& e = problem.equations[equation];
  Reducible reducible(problem.provenance);
  return split(problem, reducible, e.actual, e.expected, equation, parts);
}

std::uint32_t SumCompiler::monomial(SumConstraint& sum, const Factors& factors, bool& known) {
  const auto [it, fresh] = monomials_.try_emplace(factors, static_cast<std::uint32_t>(sum.need.size()));
  known = !fresh;
  if (fresh) {
    sum.need.push_back(0);
    sum.names.push_back(provenance_.from_terms(
        ring_, scalar_, {Term{ring_ == Ring::kXor ? Value::integer(-1) : Value::integer(1), factors}}));
    if (factors.size() == 1) single_[factors[0].value] = it->second;
  }
  return it->second;
}

bool SumCompiler::is_open(const Term& term) const {
  return std::any_of(term.factors.begin(), term.factors.end(),
                     [&](NodeId f) { return provenance_.node(f).has_choice; });
}

std::optional<Conflict> SumCompiler::add(const RingEquation& part) {
  assert(path_.empty() && around_.empty());  // each way was gone back
  ring_ = part.ring;
  scalar_ = part.scalar;
  monomials_.clear();
  single_.clear();
  useful_.clear();
  SumConstraint sum;
  sum.equation = part.equation;
  sum.is_set = is_set(ring_);
  scanned_.clear();
  bool known = false;
  const std::vector<Term> expected = provenance_.terms(ring_, scalar_, part.expected),
                          terms = provenance_.terms(ring_, scalar_, part.actual);
  for (const Term& term : expected) {
    const std::uint32_t m = monomial(sum, term.factors, known);
    sum.need[m] = amount_of(ring_, term.coefficient);
    for (NodeId f : term.factors) useful_.insert(f.value);
  }
  for (const Term& t : terms)
    if (!is_open(t) && !subtract_fixed(sum, t)) return Conflict{part.equation, 0, {}};
  strict_ = sum.cancel_free = is_cancel_free(sum, part, expected, terms);
  if (strict_ && std::any_of(sum.need.begin(), sum.need.end(), [](double need) { return need < 0; }))
    return Conflict{part.equation, 0, {}};
  // Two that are the same may take each other away, if the rest is enough for what is needed.
  const double choices =
      static_cast<double>(std::count_if(terms.begin(), terms.end(), [&](const Term& t) { return is_open(t); }));
  if (ring_ == Ring::kXor && choices >= std::accumulate(sum.need.begin(), sum.need.end(), 2.0))
    strict_ = sum.cancel_free = false;
  for (const Term& t : terms)
    if (is_open(t)) list_options(sum, t);
  if (ring_ == Ring::kSum && !strict_ && sum.terms.size() == 1 && !sum.terms[0].open && !keep_exact(sum))
    return Conflict{part.equation, 0, {}};
  sums_.push_back(std::move(sum));
  return std::nullopt;
}

// What one summand alone brings is what is needed, whatever its sign. False: no option does.
bool SumCompiler::keep_exact(SumConstraint& sum) const {
  constexpr double kMost = 0x1p62;
  const auto is_nothing = [&](double amount) {
    if (is_real(scalar_) || std::abs(amount) >= kMost) return amount == 0;
    return wrap(scalar_, static_cast<std::int64_t>(amount)) == 0;
  };
  std::vector<double> left;
  std::erase_if(sum.terms[0].options, [&](const Option& option) {
    left = sum.need;
    for (const Contribution& c : option.brings) left[c.monomial] -= c.amount;
    return !std::ranges::all_of(left, is_nothing);
  });
  for (Option& option : sum.terms[0].options) option.brings = {{0, 1}};
  const auto needed = std::ranges::find_if_not(sum.need, is_nothing);
  sum.names = {needed == sum.need.end() ? Value::integer(0)
                                        : sum.names[static_cast<std::size_t>(needed - sum.need.begin())]};
  sum.need = {1};
  sum.cancel_free = true;
  return !sum.terms[0].options.empty();
}

// What the kernel adds to a sum whatever the holes are is settled with the spec, term by term: `-2 * x[i]` on both
// sides takes nothing away, and `-x[i]` where the spec has none is one more that choices must bring.
bool SumCompiler::is_cancel_free(const SumConstraint& sum, const RingEquation& part, const std::vector<Term>& expected,
                                 const std::vector<Term>& actual) {
  if (ring_ != Ring::kSum) return !may_cancel(part.actual) && !may_cancel(part.expected);
  const auto is_settled = [&](const Term& t) {
    const auto it = monomials_.find(t.factors);
    return it != monomials_.end() && !may_wrap(scalar_, Value::real(sum.need[it->second]), 2);
  };
  const auto cancels = [&](const Term& t) {
    const bool open = is_open(t);
    if (may_cancel(t.coefficient) && (open || !is_settled(t))) return true;
    return open &&
           std::any_of(t.factors.begin(), t.factors.end(), [&](NodeId f) { return may_cancel(Value::node(f)); });
  };
  return std::none_of(actual.begin(), actual.end(), cancels) && std::none_of(expected.begin(), expected.end(), cancels);
}

// Amounts are counted upwards: a negative one, a large one of a ring that wraps around (-2 is 4294967294 of unsigned),
// or one that holds only some bits, may take away what another brings. So may the constant that a function of choices
// becomes.
bool SumCompiler::may_cancel(Value v) {
  if (!v.is_node()) {
    if (ring_ == Ring::kXor) return v.is_int() && v.bits != 0 && wrap(scalar_, v.bits) != wrap(scalar_, -1);
    return ring_ == Ring::kSum && may_wrap(scalar_, v, 2);
  }
  if (!scanned_.insert(v.aux).second) return false;
  const Node& node = provenance_.node(v);
  const bool same = node.combines() && node.ring == ring_;
  if (node.kind != Node::Kind::kChoice && !same && !node.has_choice) return false;
  for (const Value& child : node.children())
    if (may_cancel(child) || (node.kind == Node::Kind::kChoice && brings_several(child))) return true;
  for (const Term& term : node.terms()) {
    if ((same || term.factors.empty()) && may_cancel(term.coefficient)) return true;
    for (NodeId f : term.factors)
      if (may_cancel(Value::node(f))) return true;
  }
  return false;
}

// Of the two that are chosen together, another term may take one away again.
bool SumCompiler::brings_several(Value leaf) const {
  if (ring_ != Ring::kXor || !leaf.is_node()) return false;
  const Node& node = provenance_.node(leaf);
  return node.ring == ring_ &&
         (node.kind == Node::Kind::kAppended || (node.kind == Node::Kind::kRing && node.terms().size() > 1));
}

// What the kernel adds whatever the holes are. False: the spec does not have it, and nothing can take it out of a set.
bool SumCompiler::subtract_fixed(SumConstraint& sum, const Term& term) {
  bool known = false;
  const std::uint32_t m = monomial(sum, term.factors, known);
  if (sum.is_set) {
    if (!known) return false;
    return true;  // stays needed: serving it twice does no harm, so it is simply served
  }
  if (ring_ == Ring::kXor) {  // to be taken away again, if the spec does not have it
    sum.need[m] = sum.need[m] == 0 ? 1 : 0;
    for (NodeId f : term.factors) useful_.insert(f.value);
  } else {
    sum.need[m] -= amount_of(ring_, term.coefficient);
  }
  return true;
}

void SumCompiler::list_options(SumConstraint& sum, const Term& listed) {
  Summand out;
  visits_ = 0;
  path_.clear();
  Term term = listed;
  const auto rest = std::stable_partition(term.factors.begin(), term.factors.end(),
                                          [&](NodeId f) { return reducible_.to_zero(Value::node(f)); });
  vanishing_ = is_set(ring_) ? 0 : static_cast<std::size_t>(rest - term.factors.begin());
  const Value unit = provenance_.from_terms(ring_, scalar_, {Term{term.coefficient, {}}});
  expand(sum, term, 0, unit, out);
  if (visits_ > kMaxVisits) {
    out.options.clear();
    out.open = true;
  }
  sum.terms.push_back(std::move(out));
}

void SumCompiler::expand(SumConstraint& sum, const Term& term, std::size_t factor, Value product, Summand& out) {
  if (visits_ > kMaxVisits) return;
  if (factor == term.factors.size()) return finish(sum, product, out);
  walk(sum, term, factor, Value::node(term.factors[factor]), product, out);
}

bool SumCompiler::may_help(Value leaf) const {
  if (!strict_ || !leaf.is_node()) return true;
  const Node::Kind kind = provenance_.node(leaf).kind;
  return kind == Node::Kind::kRing || kind == Node::Kind::kAppended || useful_.contains(leaf.aux);
}

// A leaf of a factor, with which the product goes on.
void SumCompiler::reach(SumConstraint& sum, const Term& term, std::size_t factor, Value v, Value product,
                        Summand& out) {
  const bool is_useless = factor + 1 >= vanishing_ && truth(product) != false && !may_help(v);
  if (v.is_undefined() || is_useless) return;
  const bool direct = term.factors.size() == 1 && v.is_node() && provenance_.node(v).kind != Node::Kind::kRing &&
                      provenance_.node(v).kind != Node::Kind::kAppended && strict_ && !sum.is_set;
  if (direct) {  // the common case, without arithmetic: one factor, one symbol
    const auto it = single_.find(v.aux);
    const double amount = amount_of(ring_, term.coefficient);
    if (it != single_.end() && amount <= sum.need[it->second]) add_options({path_, {{it->second, amount}}}, out);
    return;
  }
  const Value next = ring_ == Ring::kSum || ring_ == Ring::kXor ? provenance_.multiply(ring_, scalar_, product, v) : v;
  expand(sum, term, factor + 1, next, out);
}

// Follows the choices below `v`, one branch for each value of each open point on the way.
void SumCompiler::walk(SumConstraint& sum, const Term& term, std::size_t factor, Value v, Value product, Summand& out) {
  if (++visits_ % kSeldom == 0 && deadline_.passed()) visits_ = kMaxVisits + 1;
  if (visits_ > kMaxVisits) return;
  PointId blocked;
  if (v.is_node() && provenance_.node(v).kind == Node::Kind::kChoice) {
    blocked = PointId(provenance_.node(v).tag);
    if (const int known = assignment_[blocked.value]; known >= 0)
      return walk(sum, term, factor, provenance_.node(v).children()[static_cast<std::size_t>(known)], product, out);
  } else if (provenance_.has_choice(v)) {
    const Value leaf = provenance_.resolve(v, assignment_, blocked);
    if (!blocked.valid()) return walk(sum, term, factor, leaf, product, out);
  }
  if (!blocked.valid()) return reach(sum, term, factor, v, product, out);
  const bool is_choice = provenance_.node(v).kind == Node::Kind::kChoice;
  const bool has_default_edges = is_bypassed(around_, blocked);
  const DefaultEdges::Split split = is_choice && !has_default_edges ? ways_.split(v.as_node()) : DefaultEdges::Split{};
  if (split.others.empty()) {
    for (int value = 0; value < problem_.points[blocked].domain; ++value)
      branch(sum, term, factor, {{blocked, value}},
             is_choice ? provenance_.node(v).children()[static_cast<std::size_t>(value)] : v, product, out);
    return;
  }
  for (const DefaultEdges::Branch& other : split.others) branch(sum, term, factor, other.steps, other.to, product, out);
  const std::size_t before = around_.size();
  for (const DefaultEdges::Branch& other : split.others) around_.push_back(other.steps);
  walk(sum, term, factor, split.rest, product, out);
  around_.resize(before);
}

void SumCompiler::branch(SumConstraint& sum, const Term& term, std::size_t factor, const Path& steps, Value to,
                         Value product, Summand& out) {
  const std::size_t length = path_.size();
  bool fits = true;
  for (const auto& [point, value] : steps) {
    const int known = assignment_[point.value];
    fits = fits && (known < 0 ? is_left(around_, point, value) : known == value);
    if (!fits) break;
    if (known >= 0) continue;
    assignment_[point.value] = value;
    path_.emplace_back(point, value);
  }
  if (fits) walk(sum, term, factor, to, product, out);
  for (std::size_t i = length; i < path_.size(); ++i) assignment_[path_[i].first.value] = -1;
  path_.resize(length);
}

// With the conditions of the default edges on the way.
void SumCompiler::add_options(const Option& option, Summand& out) const {
  bool relaxed = false;  // a sum is not the last word on its equation
  for (const Path& condition : ways_.conditions(path_, around_, relaxed)) {
    out.options.push_back(option);
    out.options.back().path.insert(out.options.back().path.end(), condition.begin(), condition.end());
  }
}

void SumCompiler::finish(SumConstraint& sum, Value product, Summand& out) {
  if (product.is_undefined()) return;
  Option option{path_, {}};
  for (const Term& term : provenance_.terms(ring_, scalar_, provenance_.normalize(product))) {
    bool known = false;
    const double amount = amount_of(ring_, term.coefficient);
    if (term.factors.empty() && provenance_.is_neutral(ring_, scalar_, term.coefficient)) continue;
    if (strict_ && amount > 0) {
      const auto it = monomials_.find(term.factors);
      if (it == monomials_.end() || (!sum.is_set && amount > sum.need[it->second])) return;
    }
    option.brings.push_back({monomial(sum, term.factors, known), amount});
  }
  add_options(option, out);
}

}  // namespace swizzle
