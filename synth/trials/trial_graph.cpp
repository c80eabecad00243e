#include "synth/trials/trial_graph.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "synth/provenance/provenance.h"
#include "synth/trials/all_stand.h"
#include "synth/trials/doubles.h"
#include "synth/trials/residues.h"

namespace swizzle {

void TrialGraph::decide(std::size_t step, const HoleTable& table) {
  tables_[step] = table.values.data();
  changed(step);
}

void TrialGraph::open(std::size_t step) {
  tables_[step] = nullptr;
  changed(step);
}

void TrialGraph::changed(std::size_t step) {
  ++now_;
  for (std::size_t level = step + 1; level < since_.size(); ++level) since_[level] = now_;
}

bool TrialGraph::stands(std::size_t step, bool looks_ahead) {
  return all_stand(checks_[step], [this](const Check& check) { return is_within(check); }) &&
         (!looks_ahead || look_ahead_.stands(*this, step)) &&
         all_stand(goals_[step], [this](const Goal& goal) { return meets(goal); });
}

bool TrialGraph::meets(const Goal& goal) {
  const Number& actual = number(goal.actual);
  if (!actual.is_known || !goal.expected.is_known) return true;
  if (!actual.is_defined) return false;
  if (goal.is_requirement) return actual.bits == 0;
  if (on_doubles_ && is_real(goal.scalar)) return !are_apart(actual, goal.expected);
  return compared(goal.scalar, actual.bits) == compared(goal.scalar, goal.expected.bits);
}

std::uint64_t TrialGraph::compared(Scalar s, std::uint64_t bits) {
  return is_real(s) ? bits : static_cast<std::uint64_t>(wrap(s, static_cast<std::int64_t>(bits)));
}

void TrialGraph::join(Number& all, const Number& number) {
  for (std::size_t w = 0; w < 2; ++w) {
    all.twice[w] |= number.twice[w] | (all.once[w] & number.once[w]);
    all.once[w] |= number.once[w];
  }
}

// Of what is added.
void TrialGraph::add_elements(Number& total, const Number& number) const {
  if (!has_signs_) return join(total, number);
  for (std::size_t w = 0; w < 2; ++w) {
    total.once[w] |= number.once[w];
    total.twice[w] |= number.twice[w];
  }
}

bool TrialGraph::fits(const Check& check, const Number& number) const {
  const Number& need = needs_[check.claim];
  const bool counts = is_linear_ && !check.is_set;
  for (std::size_t w = 0; w < 2; ++w)
    if ((number.once[w] & ~need.once[w]) != 0 || (counts && (number.twice[w] & ~need.twice[w]) != 0)) return false;
  return true;
}

bool TrialGraph::is_within(const Check& check) {
  Number all;
  bool known = true;
  for (Index term : check.terms) {
    const Number& n = number(term);
    known = known && n.is_known;
    if (!n.is_known) continue;
    if (!n.is_defined) return false;
    join(all, n);
    if (!fits(check, all)) return false;
  }
  if (!known && !std::ranges::all_of(check.terms, [&](Index term) { return may_fit(check, term, all); })) return false;
  return !check.needs_each || may_be_completed(check, all);
}

// Of a term, the choice that its decided ones lead to, if that is open: steps from the level on are.
std::optional<TrialGraph::Index> TrialGraph::open_choice(Index term, std::size_t level) const {
  for (const Node* node = &nodes_[term]; node->kind == Kind::kChoice; node = &nodes_[term]) {
    const Place place = places_[node->tag];
    if (place.step >= level || tables_[place.step] == nullptr) return term;
    term = operands_[node->first + static_cast<std::size_t>(tables_[place.step][place.position])];
  }
  return std::nullopt;
}

// A term that is open adds one of the values that are chosen among.
bool TrialGraph::may_fit(const Check& check, Index term, const Number& others) {
  if (number(term).is_known) return true;
  const std::optional<Index> choice = open_choice(term, steps_.size());
  if (!choice) return true;
  const Node& node = nodes_[*choice];
  for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
    const Number& n = number(operands_[i]);
    if (!n.is_known) return true;
    Number all = others;
    join(all, n);
    if (n.is_defined && fits(check, all)) return true;
  }
  return false;
}

// What is missing may come with what later terms choose among. What they chose the last time is of no account.
bool TrialGraph::may_be_completed(const Check& check, const Number& others) {
  std::array<std::uint64_t, 2> missing = needs_[check.claim].once;
  const auto bring = [&](const Number& n) {
    for (std::size_t w = 0; w < 2; ++w) missing[w] &= ~n.once[w];
  };
  const auto is_known = [&](Index node) { return nodes_[node].level <= check.level && number(node).is_known; };
  const auto may_bring = [&](Index term) {  // false: something that is not known yet
    if (is_known(term)) return bring(number(term)), true;
    const std::optional<Index> choice = open_choice(term, check.level);
    if (!choice) return false;
    const Node& node = nodes_[*choice];
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      if (!is_known(operands_[i])) return false;
      const Number& n = number(operands_[i]);
      Number all = others;
      join(all, n);
      if (n.is_defined && fits(check, all)) bring(n);
    }
    return true;
  };
  bring(others);
  for (const std::vector<Index>* terms : {&check.later, &check.terms})
    for (Index term : *terms)
      if ((missing[0] | missing[1]) == 0 || !may_bring(term)) return true;
  return (missing[0] | missing[1]) == 0;
}

TrialGraph::State TrialGraph::state(std::size_t step) {
  State state{0x243f6a8885a308d3ull, 0x13198a2e03707344ull};
  const auto take = [&](std::uint64_t word) {
    state[0] = scrambled(state[0] ^ word);
    state[1] = scrambled(state[1] + (word ^ 0xa4093822299f31d0ull) * 0x9e3779b97f4a7c15ull);
  };
  for (std::uint32_t point : asked_later_[step]) {
    const Place place = places_[point];
    take(static_cast<std::uint64_t>(tables_[place.step][place.position]));
  }
  for (Index node : frontier_[step]) {
    const Number& n = number(node);
    if (!n.is_known) take(now_);  // whatever it is: like no other
    const std::uint64_t bits = on_doubles_ && nodes_[node].is_real ? leading_bits(n.bits) : n.bits;
    take(n.is_defined && !n.is_neutral ? bits : 0x5bd1e9955bd1e995ull + (n.is_defined ? 1 : 0));
    for (std::size_t w = 0; w < 2 && !has_signs_ && !tells_inputs_ && !on_doubles_; ++w) {
      if (n.once[w] != 0) take(n.once[w]);
      if (n.twice[w] != 0) take(~n.twice[w]);
    }
  }
  return state;
}

int TrialGraph::elements(std::size_t step) {
  int all = 0;
  if (has_signs_ || on_doubles_) return all;
  for (Index node : frontier_[step]) {
    const Number& n = number(node);
    for (std::size_t w = 0; w < 2 && n.is_known; ++w) all += std::popcount(n.once[w]) - std::popcount(n.twice[w]);
  }
  return all;
}

const TrialGraph::Number& TrialGraph::number(Index index) {
  const Node& node = nodes_[index];
  if (node.level == 0 || made_[index] >= since_[node.level]) return numbers_[index];
  ++computed_;
  numbers_[index] = compute(node);
  made_[index] = now_;
  return numbers_[index];
}

TrialGraph::Number TrialGraph::compute(const Node& node) {
  if (on_doubles_ && is_of_doubles(node)) return on_doubles(node);
  switch (node.kind) {
    case Kind::kChoice: {
      const Place place = places_[node.tag];
      if (tables_[place.step] == nullptr) return unknown();
      return number(operands_[node.first + static_cast<std::size_t>(tables_[place.step][place.position])]);
    }
    case Kind::kSum: return sum(node);
    case Kind::kProduct: return product(node);
    case Kind::kSet: return set(node);
    case Kind::kFunction: return function(node);
    case Kind::kFixed: break;
  }
  return {};
}

// An operand in the numbers of the node that asks for it.
std::uint64_t TrialGraph::as(const Node& node, Index operand, std::uint64_t bits) const {
  return node.is_real && !nodes_[operand].is_real ? residue_of(static_cast<std::int64_t>(bits)) : bits;
}

TrialGraph::Number TrialGraph::sum(const Node& node) {
  Number total;
  for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
    const Number& n = number(operands_[i]);
    if (!n.is_known || !n.is_defined) return n.is_known ? undefined() : unknown();
    const std::uint64_t bits = as(node, operands_[i], n.bits);
    total.bits = node.ring == Ring::kXor ? total.bits ^ bits
                 : node.is_real          ? added(total.bits, bits)
                                         : total.bits + bits;
    add_elements(total, n);
  }
  if (!node.is_real) total.bits = static_cast<std::uint64_t>(wrap(node.scalar, static_cast<std::int64_t>(total.bits)));
  return total;
}

TrialGraph::Number TrialGraph::product(const Node& node) {
  Number result;
  result.bits = node.coefficient;
  for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
    const Number& n = number(operands_[i]);
    if (!n.is_known || !n.is_defined) return n.is_known ? undefined() : unknown();
    const std::uint64_t bits = as(node, operands_[i], n.bits);
    result.bits = node.ring == Ring::kXor ? result.bits & bits
                  : node.is_real          ? multiplied(result.bits, bits)
                                          : result.bits * bits;
    for (std::size_t w = 0; w < 2; ++w) {
      result.once[w] |= n.once[w];
      result.twice[w] |= n.twice[w];
    }
  }
  if (!node.is_real)
    result.bits = static_cast<std::uint64_t>(wrap(node.scalar, static_cast<std::int64_t>(result.bits)));
  if (has_signs_ && node.is_negative) std::swap(result.once, result.twice);
  if (!has_signs_ && node.ring == Ring::kSum && node.coefficient > 1)
    for (std::size_t w = 0; w < 2; ++w) result.twice[w] |= result.once[w];
  if (!has_signs_ && !tells_inputs_ && node.level > 0 && result.bits == 0)
    result.once = result.twice = {};  // a product with 0 has nothing
  return result;
}

bool TrialGraph::is_less(const Node& node, std::uint64_t a, std::uint64_t b) {
  if (node.is_real) return centered(a) < centered(b);
  return is_unsigned(node.scalar) ? a < b : static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
}

TrialGraph::Number TrialGraph::set(const Node& node) {
  Number total;
  total.is_neutral = true;
  for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
    const Number& n = number(operands_[i]);
    if (!n.is_known || !n.is_defined) return n.is_known ? undefined() : unknown();
    if (n.is_neutral) continue;
    std::uint64_t bits = as(node, operands_[i], n.bits);
    if (!node.is_real) bits = static_cast<std::uint64_t>(wrap(node.scalar, static_cast<std::int64_t>(bits)));
    if (total.is_neutral) total.bits = bits;
    else if (node.ring == Ring::kOr) total.bits |= bits;
    else if (is_less(node, bits, total.bits) == (node.ring == Ring::kMin)) total.bits = bits;
    total.is_neutral = false;
    for (std::size_t w = 0; w < 2; ++w) total.once[w] |= n.once[w];
  }
  return total;
}

// An arm that is not taken may be undefined: where the condition is a constant in the end, nobody reads it.
TrialGraph::Number TrialGraph::selection(const Node& node) {
  const Number& condition = number(operands_[node.first]);
  if (!condition.is_known || !condition.is_defined) return condition.is_known ? undefined() : unknown();
  const Number& arm = number(operands_[node.first + (condition.bits != 0 ? 1 : 2)]);
  if (!arm.is_known || !arm.is_defined) return arm.is_known ? undefined() : unknown();
  Number result{.bits = arm.bits, .once = on_doubles_ ? arm.once : Number().once};
  for (std::uint32_t i = node.first; i < node.first + node.count && tells_inputs_; ++i) {
    const Number& n = number(operands_[i]);
    if (n.is_known) join(result, n);
    else result.once.fill(~std::uint64_t{0});
  }
  return result;
}

TrialGraph::Number TrialGraph::function(const Node& node) {
  if (node.tag == kOpaqueSelect) return selection(node);
  std::array<std::uint64_t, 3> bits{};
  Number result;
  for (std::uint32_t i = 0; i < node.count; ++i) {
    const Number& n = number(operands_[node.first + i]);
    if (!n.is_known || !n.is_defined) return n.is_known ? undefined() : unknown();
    bits[i] = n.bits;
    if (tells_inputs_) join(result, n);
  }
  result.bits = value_of_function(node.tag, node.scalar, std::span(bits.data(), node.count));
  if (node.is_real && is_hashed(node.tag, node.scalar) && !element_of_.empty() && !tells_inputs_) {
    const auto element = element_of_.find(result.bits);
    result.has(element == element_of_.end() ? Number::kForeign : element->second);
  }
  return result;
}

}  // namespace swizzle
