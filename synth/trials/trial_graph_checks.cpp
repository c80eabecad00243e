// What the equations of a TrialGraph ask of values that are not known yet.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "synth/problem/doubts.h"
#include "synth/provenance/concrete.h"
#include "synth/provenance/inputs_below.h"
#include "synth/trials/trial_graph_builder.h"

namespace swizzle {

// What follows from the equations where the elements that only decide are alike.
void TrialGraphBuilder::add_decided_claims() {
  for (const Equation& equation : decided_equations(problem_, equations_, deciding_))
    for (Claim claim : claims_of(problem_.provenance, equation)) {
      claim.is_output = false;
      claim.is_told_by_form = true;
      add_claim(claim);
    }
}

// One set has the greatest of another's numbers as often as not; of inputs, the sets must be the same.
bool TrialGraphBuilder::is_of_sets_of_inputs(const Claim& claim) const {
  if (!claim.actual.is_node() || !claim.expected.is_node()) return false;
  const Node& expected = provenance_.node(claim.expected);
  return expected.combines() && is_set(expected.ring) && size_of_set(provenance_, claim.actual, expected.ring) &&
         size_of_set(provenance_, claim.expected, expected.ring);
}

// The terms that are decided with each step, with those before.
void TrialGraphBuilder::add_checks(std::size_t claim) {
  const Value actual = claims_[claim].actual;
  if (!provenance_.has_choice(actual) || !provenance_.node(actual).combines()) return;
  const Node& n = provenance_.node(actual);
  std::vector<Index> terms;
  collect_terms(actual, n.ring, n.scalar, terms);
  std::ranges::stable_sort(terms, std::greater(), [&](Index t) { return graph_.nodes_[t].level; });
  const bool is_whole_set = is_of_sets_of_inputs(claims_[claim]);
  const bool needs_each = is_whole_set || (n.ring == Ring::kSum && is_polynomial(claims_[claim].expected));
  std::set<std::uint16_t> levels;
  for (Index t : terms) levels.insert(graph_.nodes_[t].level);
  for (std::uint16_t level : levels) {
    if (level == 0 || (level == *levels.rbegin() && !is_whole_set)) continue;
    TrialGraph::Check check{claim, is_set(n.ring), needs_each, level, {}, {}};
    for (Index t : terms) (graph_.nodes_[t].level <= level ? check.terms : check.later).push_back(t);
    graph_.checks_[level - 1].push_back(std::move(check));
  }
}

void TrialGraphBuilder::add_bounds(std::size_t claim) {
  const Number& needed = graph_.needs_[claim];
  const bool needs_each = is_polynomial(claims_[claim].expected) || is_of_sets_of_inputs(claims_[claim]);
  graph_.look_ahead_.elements.need(*add(claims_[claim].actual), {needed.once, needed.twice}, needs_each);
}

// Anew: what numbers tell has changed.
void TrialGraphBuilder::compute_what_is_known() {
  for (Index i = 0; i < graph_.nodes_.size(); ++i)
    if (graph_.nodes_[i].level == 0 && graph_.nodes_[i].kind != Kind::kFixed)
      graph_.numbers_[i] = graph_.compute(graph_.nodes_[i]);
}

// Where elements are taken away from each other in all outputs, but with coefficients that are known. False: they are
// not, or an output wants an element with either sign.
bool TrialGraphBuilder::add_signs() {
  const bool are_all = !graph_.is_faithful_ || are_told_by_form(problem_, equations_);
  const auto has_signs = [&](const Claim& claim, Value v) {
    const Growth& growth = growths_[*add(v)];
    const bool may_wrap =
        !is_real(claim.scalar) && std::log2(std::max(growth.weight, 1.0)) >= bit_width(claim.scalar) - 1;
    return growth.has_signs && !may_wrap;
  };
  const auto is_output = [&](const Claim& claim) { return claim.is_output; };
  if (!are_all || !std::ranges::all_of(claims_, [&](const Claim& claim) {
        return !is_output(claim) || (has_signs(claim, claim.actual) && has_signs(claim, claim.expected));
      }))
    return false;
  graph_.has_signs_ = true;
  compute_what_is_known();
  for (const Claim& claim : claims_)
    if (is_output(claim)) graph_.look_ahead_.signs.need(*add(claim.actual), graph_.numbers_[*add(claim.expected)]);
  graph_.look_ahead_.signs.complete(graph_);
  return true;
}

// Where neither tells more: what an output of words joined by `&` and `|` was seen to depend on must reach it.
void TrialGraphBuilder::add_inputs() {
  for (Number& n : graph_.numbers_) n.once = n.twice = {};
  // Of others, it takes longer to see what outputs depend on than to try the tables; and one graph looks ahead.
  if (!BitBounds::joins_bits(graph_) || seed_ != 0) return;
  graph_.tells_inputs_ = true;
  std::vector<std::pair<Scalar, Value>> values;
  std::vector<Index> outputs;
  for (const Claim& claim : claims_) {
    if (!claim.is_output) continue;
    values.emplace_back(claim.scalar, claim.expected);
    outputs.push_back(*add(claim.actual));
  }
  const std::vector<std::vector<NodeId>> needed = Concrete(provenance_).needed(values);
  std::map<NodeId, Number> numbered;
  for (const std::vector<NodeId>& inputs : needed)
    for (NodeId input : inputs)
      if (const auto [it, fresh] = numbered.try_emplace(input); fresh && numbered.size() < Number::kElements)
        it->second.has(numbered.size() - 1);
  for (const auto& [id, index] : index_of_) {
    if (graph_.nodes_[index].kind != Kind::kFixed) continue;
    for (NodeId input : inputs_below(provenance_, Value::node(NodeId(id))))
      if (const auto it = numbered.find(input); it != numbered.end())
        TrialGraph::join(graph_.numbers_[index], it->second);
  }
  compute_what_is_known();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Number need;
    for (NodeId input : needed[i]) TrialGraph::join(need, numbered.at(input));
    graph_.look_ahead_.inputs.need(outputs[i], need.once);
  }
  graph_.look_ahead_.inputs.complete(graph_);
}

// Equal polynomials are made of the same elements.
bool TrialGraphBuilder::is_polynomial(Value v) const {
  if (!v.is_node()) return v.is_int() || v.is_real();
  const Node& n = provenance_.node(v);
  if (n.kind == Node::Kind::kInput || (n.kind == Node::Kind::kOpaque && (is_atom(n) || has_no_laws(n)))) return true;
  if (!n.combines() || n.ring != Ring::kSum) return false;
  bool all = true;
  n.for_each_part([&](Value part) { all = all && is_polynomial(part); });
  return all;
}

void TrialGraphBuilder::collect_terms(Value v, Ring ring, Scalar s, std::vector<Index>& terms) {
  while (v.is_node() && provenance_.node(v).kind == Node::Kind::kAppended && provenance_.node(v).ring == ring &&
         provenance_.node(v).scalar == s) {
    const Children children = provenance_.node(v).children();
    terms.push_back(*add(children[1]));
    v = children[0];
  }
  const Index rest = *add(v);
  const bool splits = v.is_node() && provenance_.node(v).combines() && provenance_.node(v).ring == ring &&
                      provenance_.node(v).scalar == s;
  if (!splits) return terms.push_back(rest);
  const TrialNode& node = graph_.nodes_[rest];
  terms.insert(terms.end(), graph_.operands_.begin() + node.first, graph_.operands_.begin() + node.first + node.count);
}

}  // namespace swizzle
