#include "synth/problem/decided_equations.h"

#include <array>

#include "synth/provenance/indicators.h"
#include "synth/provenance/laws.h"

namespace swizzle {
namespace {

bool is_comparison_of_data(const Node& n) {
  return n.kind == Node::Kind::kOpaque && n.tag < kOpaqueCast && is_comparison(static_cast<Operator>(n.tag));
}

bool is_condition(const Node& n) { return is_indicator(n) || is_comparison_of_data(n); }

// Which of several is the greatest is told where all differ.
bool is_order(const Node& n) {
  return is_comparison_of_data(n) && !n.is(Operator::kEq) && !n.is(Operator::kNe) && n.children()[0].is_node() &&
         n.children()[1].is_node();
}

class Elements {
 public:
  explicit Elements(const Provenance& provenance) : provenance_(provenance) {}

  void visit(Value v, bool decides) {
    if (!v.is_node() || !seen_[decides].insert(v.aux).second) return;
    const Node& n = provenance_.node(v);
    if (n.kind == Node::Kind::kInput) elements_[decides].insert(v.aux);
    has_bits_ = has_bits_ || n.kind == Node::Kind::kBit;
    bool is_selector = n.kind == Node::Kind::kOpaque && n.tag == kOpaqueSelect;  // the first part of a select
    n.for_each_part([&](Value part) {
      visit(part, (decides || is_selector || is_condition(n)) && !is_order(n));
      is_selector = false;
    });
  }

  // None, where some are looked at bit by bit.
  NodeSet take() {
    if (has_bits_) return {};
    std::erase_if(elements_[true], [&](std::uint32_t e) { return elements_[false].contains(e); });
    return std::move(elements_[true]);
  }

 private:
  const Provenance& provenance_;
  std::array<NodeSet, 2> seen_, elements_;  // as data, in conditions
  bool has_bits_ = false;
};

}  // namespace

NodeSet deciding_elements(const Problem& problem, const std::vector<std::size_t>& equations) {
  Elements elements(problem.provenance);
  for (std::size_t e : equations)
    for (const Value& side : {problem.equations[e].actual, problem.equations[e].expected}) elements.visit(side, false);
  for (const Requirement& r : problem.requirements) elements.visit(r.violation, false);
  return elements.take();
}

std::vector<Equation> decided_equations(Problem& problem, const std::vector<std::size_t>& equations,
                                        const NodeSet& deciding) {
  std::vector<Equation> decided;
  if (deciding.empty()) return decided;
  Provenance& provenance = problem.provenance;
  for (int constant : {0, 1}) {
    DecidedValues known;
    for (std::uint32_t element : deciding)
      known.emplace(
          element, is_real(provenance.node(NodeId(element)).scalar) ? Value::real(constant) : Value::integer(constant));
    for (std::size_t e : equations) {
      Equation there = problem.equations[e];
      there.actual = provenance.normalize(provenance.substitute(there.actual, known));
      there.expected = provenance.normalize(provenance.substitute(there.expected, known));
      if (lawless(provenance, std::array{there.actual, there.expected}).empty()) decided.push_back(there);
    }
  }
  return decided;
}

}  // namespace swizzle
