#include "synth/problem/doubts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "synth/provenance/concrete.h"

namespace swizzle {
namespace {

// How many elements reach a value at most, whatever the choices below it are: counted along every way, so that it is
// too many where two ways go through the same choice.
class Slots {
 public:
  explicit Slots(const Provenance& provenance) : provenance_(provenance) {}

  double of(Value v) {
    if (!v.is_node()) return 0;
    if (const auto it = known_.find(v.aux); it != known_.end()) return it->second;
    const Node& node = provenance_.node(v);
    double slots = node.kind == Node::Kind::kInput ? 1 : 0;
    if (node.kind == Node::Kind::kChoice)
      for (const Value& child : node.children()) slots = std::max(slots, of(child));
    else node.for_each_part([&](Value part) { slots += of(part); });
    known_.emplace(v.aux, slots);
    return slots;
  }

 private:
  const Provenance& provenance_;
  std::unordered_map<std::uint32_t, double> known_;
};

// A value as the elements of a set that reach it, of those that matter. Where no more reach it than it needs, each
// must be another one: their sum says that, and is searched faster.
class Reach {
 public:
  static constexpr Scalar kScalar = Scalar::kU64;
  Reach(Provenance& provenance, const std::vector<NodeId>& needed, Ring ring)
      : provenance_(provenance),
        needed_(needed),
        ring_(ring) {}

  Value of(Value v) {
    if (v.is_undefined()) return v;
    if (!v.is_node()) return Value::integer(0);
    if (const auto it = known_.find(v.aux); it != known_.end()) return it->second;
    const Value reached = of_node(v);
    known_.emplace(v.aux, reached);
    return reached;
  }

  Value of_needed() {
    Value all = Value::integer(0);
    for (NodeId input : needed_) all = join(all, element(provenance_.node(input)));
    return provenance_.normalize(all);
  }

 private:
  // Of whatever type it is, a member.
  Value element(const Node& input) { return provenance_.input(BufferId(input.tag), input.index(), kScalar); }

  Value join(Value a, Value b) { return provenance_.combine(ring_, kScalar, a, b); }

  Value of_node(Value v) {
    const Node node = provenance_.node(v);  // a copy: what follows adds nodes
    switch (node.kind) {
      case Node::Kind::kInput:  // what is not needed would take the place of what is, where each is there once
        if (ring_ != Ring::kSum && !std::binary_search(needed_.begin(), needed_.end(), v.as_node())) break;
        return element(node);
      case Node::Kind::kChoice: {
        std::vector<Value> alternatives;
        for (const Value& child : node.children()) alternatives.push_back(of(child));
        return provenance_.choice(PointId(node.tag), alternatives);
      }
      default: break;
    }
    Value all = Value::integer(0);
    std::vector<Value> parts;
    node.for_each_part([&](Value part) { parts.push_back(part); });
    for (const Value& part : parts) all = join(all, of(part));
    return provenance_.normalize(all);
  }

  Provenance& provenance_;
  const std::vector<NodeId>& needed_;
  Ring ring_;
  std::unordered_map<std::uint32_t, Value> known_;
};

}  // namespace

namespace {

// From 1 to the next number of the type.
double step_behind_one(Scalar s) {
  double step = 1;
  while (nearest(s, 1 + step / 2) > 1) step /= 2;
  return step;
}

// Sums of the same terms, whose constants are as near as those that are rounded once or twice more. Constants are
// rounded where the program computes them, and sums of elements are not: their order says which.
bool differ_by_rounding(const Equation& equation, const Provenance& provenance) {
  constexpr double kRoundings = 4;
  if (!is_real(equation.scalar)) return false;
  using Coefficients = std::map<std::vector<NodeId>, double>;
  const auto coefficients = [&](Value v) {
    Coefficients out;
    for (const Term& term : provenance.terms(Ring::kSum, equation.scalar, v))
      out[{term.factors.begin(), term.factors.end()}] += term.coefficient.as_real();
    return out;
  };
  const double step = step_behind_one(equation.scalar);
  return std::ranges::equal(coefficients(equation.actual), coefficients(equation.expected),
                            [&](const auto& a, const auto& b) {
                              const double most = std::max(std::abs(a.second), std::abs(b.second));
                              return a.first == b.first && std::abs(a.second - b.second) <= kRoundings * step * most;
                            });
}

}  // namespace

std::optional<Lawless> doubt_of(const Equation& equation, const Provenance& provenance) {
  if (equation.actual.is_undefined()) return std::nullopt;
  if (differ_by_rounding(equation, provenance)) return Lawless{.is_rounding = true};
  const std::vector<Lawless> found = lawless(provenance, std::array{equation.actual, equation.expected});
  if (found.empty() || Concrete(provenance).differ(equation.scalar, equation.actual, equation.expected))
    return std::nullopt;
  return found[0];
}

bool are_told_by_form(const Problem& problem, const std::vector<std::size_t>& equations) {
  std::vector<Value> values;
  for (std::size_t e : equations) {
    values.push_back(problem.equations[e].actual);
    values.push_back(problem.equations[e].expected);
  }
  return lawless(problem.provenance, values).empty();
}

namespace {

// What must be reached may be so under another name.
bool is_of_elements(const Lawless& what) {
  return !what.is_ring && (what.code == kOpaqueIndex || what.code == kOpaqueRange);
}

// Whether operations of some value have laws that are not known: those that have none beside all others have none
// alone.
bool any_is_lawless(const Problem& problem) {
  std::vector<Value> values;
  for (const Equation& e : problem.equations) values.insert(values.end(), {e.actual, e.expected});
  for (const Requirement& r : problem.requirements) values.insert(values.end(), r.compared.begin(), r.compared.end());
  for (const Store& s : problem.stores) values.push_back(s.value);
  return !lawless(problem.provenance, values).empty();
}

}  // namespace

Doubts doubts_of(Problem& problem, const Deadline& deadline) {
  Doubts doubts;
  if (!any_is_lawless(problem)) return doubts;
  Provenance& provenance = problem.provenance;
  const auto doubted = [&](const std::vector<Value>& values) {
    const std::vector<Lawless> found = lawless(provenance, values);
    if (!found.empty() && !doubts.because) doubts.because = found[0];
    doubts.are_of_elements = doubts.are_of_elements || std::ranges::any_of(found, is_of_elements);
    return !found.empty();
  };
  for (std::size_t e = 0; e < problem.equations.size(); ++e) {
    const Equation& equation = problem.equations[e];
    if (equation.actual == equation.expected || !equation.stored) continue;
    const bool open = provenance.has_choice(equation.actual);
    if (!open && (equation.holds(equation.actual) || (!deadline.passed() && !doubt_of(equation, provenance)))) continue;
    if (doubted({equation.actual, equation.expected})) doubts.equations.push_back(e);
  }
  for (std::size_t r = 0; r < problem.requirements.size(); ++r)
    if (!problem.requirements[r].compared.empty() && doubted(problem.requirements[r].compared))
      doubts.requirements.push_back(r);
  for (std::size_t s = 0; s < problem.stores.size(); ++s)
    if (doubted({problem.stores[s].value})) doubts.stores.push_back(s);
  return doubts;
}

std::optional<Problem> weakened(const Problem& problem, const Doubts& doubts, const Deadline& deadline) {
  if (deadline.passed()) return std::nullopt;
  Problem weak = problem;
  std::vector<std::pair<Scalar, Value>> doubted;
  for (std::size_t e : doubts.equations) doubted.emplace_back(weak.equations[e].scalar, weak.equations[e].expected);
  const std::vector<std::vector<NodeId>> needs = Concrete(weak.provenance).needed(doubted);
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (deadline.passed()) return std::nullopt;
    Equation& equation = weak.equations[doubts.equations[i]];
    if (std::ranges::any_of(lawless(weak.provenance, std::array{equation.actual, equation.expected}), is_of_elements)) {
      equation.actual = equation.expected;
      continue;
    }
    const std::vector<NodeId>& needed = needs[i];
    const bool is_each_once = Slots(weak.provenance).of(equation.actual) <= static_cast<double>(needed.size());
    Reach reach(weak.provenance, needed, is_each_once ? Ring::kSum : Ring::kOr);
    equation.actual = reach.of(equation.actual);
    equation.expected = reach.of_needed();
    equation.scalar = Reach::kScalar;
  }
  const auto erase = [](auto& all, const std::vector<std::size_t>& positions) {
    for (auto it = positions.rbegin(); it != positions.rend(); ++it)
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(*it));
  };
  erase(weak.requirements, doubts.requirements);
  erase(weak.stores, doubts.stores);
  return weak;
}

bool is_refuted(Problem& problem, const Doubts& doubts, const Assignment& assignment) {
  for (std::size_t e : doubts.equations) {
    const Equation& equation = problem.equations[e];
    PointId blocked;
    const Value actual = problem.provenance.normalize(problem.provenance.resolve(equation.actual, assignment, blocked));
    if (actual.is_undefined()) return true;
    if (!equation.holds(actual) && Concrete(problem.provenance).differ(equation.scalar, actual, equation.expected))
      return true;
  }
  return false;
}

}  // namespace swizzle
