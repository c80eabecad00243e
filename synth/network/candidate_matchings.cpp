#include "synth/network/candidate_matchings.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

namespace swizzle {
namespace {

// All children but one are 0, which adds nothing; to a minimum or a maximum it does.
std::optional<int> guarded_value(Ring ring, const Node& choice) {
  if (ring == Ring::kMin || ring == Ring::kMax) return std::nullopt;
  std::optional<int> found;
  for (std::size_t i = 0; i < choice.children().size(); ++i) {
    if (truth(choice.children()[i]) == false) continue;
    if (found) return std::nullopt;
    found = static_cast<int>(i);
  }
  return choice.children().size() > 1 ? found : std::nullopt;
}

// A product in which no factor stands twice: the fetches of a tuple bring one each.
bool is_matched(const Factors& monomial) {
  return !monomial.empty() && std::adjacent_find(monomial.begin(), monomial.end()) == monomial.end();
}

class Grouping {
 public:
  Grouping(const std::vector<CandidateMatching>& candidates, const CandidateMatchingBuilder& builder)
      : candidates_(candidates),
        root_(candidates.size()),
        needed_(builder.monomials(), kNone),
        offered_(builder.tuples(), kNone) {
    std::iota(root_.begin(), root_.end(), std::size_t{0});
  }

  std::vector<MatchingComponent> run() {
    join();
    std::map<std::size_t, MatchingComponent> by_root;
    for (std::size_t d = 0; d < candidates_.size(); ++d) by_root[root(d)].candidates.push_back(d);
    std::vector<MatchingComponent> groups;
    for (auto& [r, group] : by_root) {
      describe(r, group);
      groups.push_back(std::move(group));
    }
    assert(std::accumulate(groups.begin(), groups.end(), std::size_t{0},
                           [](std::size_t sum, const MatchingComponent& g) { return sum + g.candidates.size(); }) ==
           candidates_.size());
    return groups;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::size_t root(std::size_t d) {
    while (root_[d] != d) d = root_[d] = root_[root_[d]];
    return d;
  }

  void join() {
    std::vector<std::size_t> first_with(offered_.size(), kNone);
    for (std::size_t d = 0; d < candidates_.size(); ++d)
      for (const CandidateMatching::CandidateAssignment& assignment : candidates_[d].assignments) {
        std::size_t& first = first_with[assignment.tuple];
        if (first == kNone) first = d;
        else root_[root(d)] = root(first);
      }
  }

  void describe(std::size_t id, MatchingComponent& group) {
    for (std::size_t d : group.candidates) {
      const CandidateMatching& candidate = candidates_[d];
      for (const CandidateMatching::Need& need : candidate.needs)
        if (std::exchange(needed_[need.monomial], id) != id) ++group.monomials;
      group.repeated |= candidate.repeated;
      group.same_ring = group.same_ring && candidate.equation.ring == candidates_[group.candidates[0]].equation.ring;
      for (const CandidateMatching::CandidateAssignment& assignment : candidate.assignments)
        if (std::exchange(offered_[assignment.tuple], id) != id) group.tuples.push_back(assignment.tuple);
    }
    for (std::size_t d : group.candidates)
      for (std::uint32_t m : candidates_[d].served) group.served |= needed_[m] == id;
  }

  const std::vector<CandidateMatching>& candidates_;
  std::vector<std::size_t> root_;
  std::vector<std::size_t> needed_;   // by monomial: the group that was seen to need it last
  std::vector<std::size_t> offered_;  // by tuple: the group that it was counted for last
};

}  // namespace

// a · b of coefficients
Value CandidateMatchingBuilder::multiplied(const RingEquation& part, Value a, Value b) {
  return is_set(part.ring) ? a : provenance_.multiply(part.ring, part.scalar, a, b);
}

Value CandidateMatchingBuilder::negated(const RingEquation& part, Value a) {
  if (part.ring == Ring::kXor) return a;
  return multiplied(part, a, a.is_real() ? Value::real(-1) : Value::integer(-1));
}

std::uint32_t CandidateMatchingBuilder::number_of(const Factors& monomial, const Factors& written) {
  const std::uint32_t number = monomials_(monomial);
  if (number == written_.size()) written_.push_back(written);
  return number;
}

std::optional<CandidateMatching> CandidateMatchingBuilder::build_whole(const RingEquation& part) {
  if (!provenance_.has_choice(part.actual) || !part.expected.is_node()) return std::nullopt;
  const std::span<const NodeId> fetches = outputs_.fetches_of(part.actual.as_node());
  const Factors needed = outputs_.as_product({part.expected.as_node()});
  if (fetches.empty() || !is_matched(needed)) return std::nullopt;
  CandidateMatching candidate{part, {}, {}, {}};
  candidate.equation.ring = Ring::kSum;
  const Value one = is_real(part.scalar) ? Value::real(1) : Value::integer(1);
  candidate.needs.push_back({number_of(needed, {part.expected.as_node()}), one});
  CandidateTuple tuple{{fetches.begin(), fetches.end()}, {}};
  std::ranges::sort(tuple.open);
  candidate.assignments.push_back({one, {}, tuples_(std::move(tuple))});
  return candidate;
}

std::optional<CandidateMatching> CandidateMatchingBuilder::build(const RingEquation& part) {
  CandidateMatching candidate{part, {}, {}, {}};
  for (const Term& term : provenance_.terms(part.ring, part.scalar, part.expected))
    candidate.needs.push_back({number_of(functions_.as_product(term.factors), term.factors), term.coefficient});
  for (const Term& term : provenance_.terms(part.ring, part.scalar, part.actual))
    if (!assignment(term, {}, candidate)) return std::nullopt;
  if (std::any_of(candidate.needs.begin(), candidate.needs.end(),
                  [&](const CandidateMatching::Need& need) { return !is_matched(monomials_[need.monomial]); }))
    return std::nullopt;
  mark_alternatives(candidate);
  return candidate;
}

bool CandidateMatchingBuilder::assignment(const Term& term, const Guard& guard, CandidateMatching& candidate) {
  CandidateMatching::CandidateAssignment assignment{term.coefficient, guard};
  CandidateTuple tuple;
  functions_in_term_ = 0;
  is_constant_in_term_ = false;
  if (!expand(candidate.equation, term, assignment, tuple)) return assign_alternatives(term, guard, candidate);
  if (tuple.open.empty() && assignment.guard.empty()) return take_fixed(term, candidate);
  if (!assignment.guard.empty() &&
      (truth(assignment.coefficient) == false || (tuple.open.empty() && tuple.fixed.empty())))
    return false;
  if (exclude_each_other(assignment.guard, assignment.guard)) return true;  // never added
  // A constant alone is no monomial that a matching has; times others it may be one.
  const bool is_product = tuple.open.size() + tuple.fixed.size() > 1;
  if (is_constant_in_term_ && term.factors.size() > 1) return false;
  if (is_product &&
      std::any_of(tuple.open.begin(), tuple.open.end(), [&](NodeId f) { return fetches_.has_constants(f); }))
    return false;
  std::sort(tuple.open.begin(), tuple.open.end());
  std::sort(tuple.fixed.begin(), tuple.fixed.end());
  assignment.tuple = tuples_(std::move(tuple));
  candidate.assignments.push_back(std::move(assignment));
  return true;
}

// `P ? a·b : -a·b` offers the one product where P is 1, and the other where it is 0.
bool CandidateMatchingBuilder::assign_alternatives(const Term& term, const Guard& guard, CandidateMatching& candidate) {
  constexpr std::size_t kMostAlternatives = 8, kMostSteps = 4;
  const RingEquation& part = candidate.equation;
  if (is_set(part.ring) || term.factors.size() != 1 || guard.size() == kMostSteps) return false;
  const Node choice = provenance_.node(term.factors[0]);
  if (choice.kind != Node::Kind::kChoice || choice.children().size() > kMostAlternatives) return false;
  for (std::size_t value = 0; value < choice.children().size(); ++value) {
    if (choice.children()[value].is_undefined()) return false;
    Guard then = guard;
    then.emplace_back(PointId(choice.tag), static_cast<int>(value));
    if (exclude_each_other(then, then)) continue;
    for (Term& inner : provenance_.terms(part.ring, part.scalar, choice.children()[value])) {
      inner.coefficient = multiplied(part, term.coefficient, inner.coefficient);
      if (!assignment(inner, then, candidate)) return false;
    }
  }
  return true;
}

// What is offered several times is offered by guards of which no two hold together: Karatsuba's three products have
// some that are taken away again.
void CandidateMatchingBuilder::mark_alternatives(CandidateMatching& candidate) {
  ++candidates_;
  offered_.resize(tuples_.size(), 0);
  const auto is_repeated = [&](const Assignment& assignment) {
    return std::exchange(offered_[assignment.tuple], candidates_) == candidates_;
  };
  if (std::ranges::none_of(candidate.assignments, is_repeated)) return;
  std::map<std::uint32_t, std::vector<GuardedCoefficient>> by_tuple;
  for (const Assignment& assignment : candidate.assignments)
    by_tuple[assignment.tuple].push_back({assignment.guard, assignment.coefficient});
  candidate.assignments.clear();
  for (auto& [tuple, added] : by_tuple) {
    const bool known = added.size() < 2 || make_exclusive(candidate.equation, added);
    candidate.repeated |= !known;
    for (const GuardedCoefficient& one : added)
      candidate.assignments.push_back({one.coefficient, one.guard, tuple, known && added.size() > 1});
  }
}

// False: some may hold together, and how often they do is not told.
bool CandidateMatchingBuilder::make_exclusive(const RingEquation& part, std::vector<GuardedCoefficient>& added) {
  bool are_exclusive = true;
  for (std::size_t i = 0; i < added.size() && are_exclusive; ++i)
    for (std::size_t j = i + 1; j < added.size() && are_exclusive; ++j)
      are_exclusive = exclude_each_other(added[i].guard, added[j].guard);
  if (are_exclusive) return true;
  if (is_set(part.ring)) return false;
  auto made = exclusive(
      added, [&](PointId p) { return fetches_.domain_of(p); },
      [&](Value a, Value b) { return provenance_.combine(part.ring, part.scalar, a, b); });
  if (made) added = std::move(*made);
  return made.has_value();
}

// What the kernel adds whatever the holes are is no more needed, or to be taken away again.
bool CandidateMatchingBuilder::take_fixed(const Term& term, CandidateMatching& candidate) {
  const RingEquation& part = candidate.equation;
  const std::uint32_t monomial = number_of(functions_.as_product(term.factors), term.factors);
  const auto need = std::find_if(candidate.needs.begin(), candidate.needs.end(),
                                 [&](const CandidateMatching::Need& n) { return n.monomial == monomial; });
  if (is_set(part.ring)) {
    if (need == candidate.needs.end() || !(need->coefficient == term.coefficient)) return false;
    candidate.served.push_back(monomial);
    candidate.needs.erase(need);
  } else if (need == candidate.needs.end()) {
    candidate.needs.push_back({monomial, negated(part, term.coefficient)});
  } else {
    need->coefficient = provenance_.combine(part.ring, part.scalar, need->coefficient, negated(part, term.coefficient));
    if (truth(need->coefficient) == false) candidate.needs.erase(need);
  }
  return true;
}

// False: it is neither there whatever the holes are, nor a fetch, nor a function of fetches.
bool CandidateMatchingBuilder::take_factor(NodeId factor, CandidateTuple& tuple) {
  const Node& node = provenance_.node(factor);
  if (!node.has_choice) {
    const Factors product = functions_.as_product({factor});
    tuple.fixed.insert(tuple.fixed.end(), product.begin(), product.end());
    return takes_places(product.size());
  }
  if (node.kind == Node::Kind::kChoice) {
    if (fetches_.is_plain(factor)) tuple.open.push_back(factor);
    return fetches_.is_plain(factor);
  }
  const std::span<const NodeId> fetches = functions_.fetches_of(factor);
  is_constant_in_term_ = is_constant_in_term_ || functions_.may_be_constant(factor);
  tuple.open.insert(tuple.open.end(), fetches.begin(), fetches.end());
  return !fetches.empty() && takes_places(fetches.size());
}

// Of two functions in one product it would not be told which fetch belongs to which.
bool CandidateMatchingBuilder::takes_places(std::size_t places) { return places < 2 || ++functions_in_term_ < 2; }

// A factor that is 0 unless a point has one value is a guard; what it guards may be a product itself.
bool CandidateMatchingBuilder::expand(const RingEquation& part, const Term& term,
                                      CandidateMatching::CandidateAssignment& assignment, CandidateTuple& tuple) {
  for (NodeId factor : term.factors) {
    Value v = Value::node(factor);
    while (v.is_node() && provenance_.node(v).kind == Node::Kind::kChoice) {
      const auto guarded = guarded_value(part.ring, provenance_.node(v));
      if (!guarded) break;
      assignment.guard.emplace_back(PointId(provenance_.node(v).tag), *guarded);
      v = provenance_.node(v).children()[static_cast<std::size_t>(*guarded)];
    }
    if (!v.is_node()) {
      if (is_set(part.ring) || !truth(v).value_or(false)) return false;
      assignment.coefficient = multiplied(part, assignment.coefficient, v);
      continue;
    }
    const Node& node = provenance_.node(v);
    if (node.combines()) {
      const std::vector<Term> inner = provenance_.terms(part.ring, part.scalar, v);
      const bool foreign = inner.size() == 1 && inner[0].factors == Factors{v.as_node()};  // a sum in another algebra
      if (!foreign) {
        if (inner.size() != 1 || !expand(part, inner[0], assignment, tuple)) return false;
        assignment.coefficient = multiplied(part, assignment.coefficient, inner[0].coefficient);
        continue;
      }
    }
    if (!take_factor(v.as_node(), tuple)) return false;
  }
  return true;
}

std::vector<MatchingComponent> grouped(const std::vector<CandidateMatching>& candidates,
                                       const CandidateMatchingBuilder& builder) {
  return Grouping(candidates, builder).run();
}

}  // namespace swizzle
