// Which elements values depend on: each element becomes another number, and what is made of it is computed anew.
//
//   y[t] = e[t] / (e[0] + … + e[31]), e[t] = f(x[t])   another x[3] is another e[3], another sum, and 32 other outputs
//
// What a change does not reach keeps the number that it has in the trial, and what several values are made of is
// computed once for all of them.
#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>
#include <utility>

#include "synth/provenance/concrete.h"
#include "synth/provenance/data_places.h"

namespace swizzle {
namespace {

// Whether some are conjunctions or disjunctions of words.
bool joins_bits(const Provenance& provenance, const std::vector<NodeId>& nodes) {
  return std::ranges::any_of(nodes, [&](NodeId id) {
    const Node& n = provenance.node(id);
    const auto is_conjunction = [](const Term& t) { return t.factors.size() > 1; };
    return n.combines() &&
           (n.ring == Ring::kOr || (n.ring == Ring::kXor && std::ranges::any_of(n.terms(), is_conjunction)));
  });
}

}  // namespace

// The numbers of a trial, in which one element after the other is changed.
class ChangedElement {
 public:
  ChangedElement(Concrete& concrete, const std::vector<NodeId>& nodes) : concrete_(concrete), nodes_(nodes) {
    for (NodeId id : nodes) concrete.for_each_operand(id, [&](NodeId operand) { users_[operand.value].push_back(id); });
  }

  void start(std::uint64_t trial) {
    concrete_.start(trial);
    for (NodeId id : nodes_) concrete_.number(Value::node(id));
  }

  void change(NodeId element) {
    concrete_.changed_ = {element};
    std::set<std::uint32_t> pending{element.value};  // operands come before what is made of them
    while (!pending.empty()) {
      const NodeId id(*pending.begin());
      pending.erase(pending.begin());
      Concrete::Numbers& number = concrete_.known_.at(id.value);
      const Concrete::Numbers now = concrete_.compute(id);
      if (now == number) {
        absorbing_.push_back(id);  // as roundings do, and maxima
        continue;
      }
      before_.emplace(id.value, number);
      number = now;
      for (NodeId user : users_[id.value]) pending.insert(user.value);
    }
  }

  bool is_known(Value v) const { return !v.is_node() || concrete_.known_.at(v.aux).has_value(); }
  bool touches(Value v) const { return v.is_node() && before_.contains(v.aux); }
  // Also where all that the change did is gone on the way.
  bool reaches(Value v) const {
    if (!v.is_node() || touches(v)) return v.is_node();
    std::unordered_set<std::uint32_t> seen;
    for (std::vector<NodeId> pending = absorbing_; !pending.empty();) {
      const NodeId id = pending.back();
      pending.pop_back();
      if (id.value == v.aux) return true;
      if (const auto users = users_.find(id.value); users != users_.end() && seen.insert(id.value).second)
        pending.insert(pending.end(), users->second.begin(), users->second.end());
    }
    return false;
  }

  bool differs(Scalar s, Value v) const {
    if (!touches(v)) return false;
    const auto it = before_.find(v.aux);
    const Concrete::Numbers& now = concrete_.known_.at(v.aux);
    return it->second && now && Concrete::are_different(s, *it->second, *now, kNoise);
  }

  bool is_symbolic(Value v) const {
    return v.is_node() && concrete_.known_.at(v.aux) && concrete_.known_.at(v.aux)->is_symbolic;
  }

  void undo() {
    for (const auto& [id, number] : before_) concrete_.known_.at(id) = number;
    before_.clear();
    absorbing_.clear();
    concrete_.changed_.clear();
  }

 private:
  Concrete& concrete_;
  const std::vector<NodeId>& nodes_;  // operands first
  std::unordered_map<std::uint32_t, std::vector<NodeId>> users_;
  std::unordered_map<std::uint32_t, Concrete::Numbers> before_;  // of what has changed
  std::vector<NodeId> absorbing_;                                // what has not, though an operand has
};

void Concrete::for_each_operand(NodeId id, const std::function<void(NodeId)>& f) const {
  const Node& n = provenance_.node(id);
  if (n.combines()) {
    for (const Term& term : provenance_.terms(n.ring, n.scalar, Value::node(id)))
      for (NodeId factor : term.factors) f(factor);
    return;
  }
  n.for_each_part([&](Value part) {
    if (part.is_node()) f(part.as_node());
  });
}

std::vector<NodeId> Concrete::nodes_of(const std::vector<Value>& values) const {
  std::vector<NodeId> nodes;
  std::unordered_set<std::uint32_t> seen;
  std::vector<NodeId> pending;
  const auto take = [&](NodeId id) {
    if (seen.insert(id.value).second) pending.push_back(id);
  };
  for (Value v : values)
    if (v.is_node()) take(v.as_node());
  while (!pending.empty()) {
    nodes.push_back(pending.back());
    pending.pop_back();
    for_each_operand(nodes.back(), take);
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

// A sum whose summands share no elements depends on what each of them does.
std::vector<Value> Concrete::apart(Value v) const {
  if (!v.is_node()) return {};
  const Node& n = provenance_.node(v);
  if (!n.combines() || n.ring != Ring::kSum) return {v};
  std::vector<Value> summands;
  std::unordered_set<std::uint32_t> seen;
  for (const Term& term : provenance_.terms(n.ring, n.scalar, v)) {
    if (term.factors.empty()) continue;
    const bool tells = is_real(n.scalar) || term.coefficient.bits % 2 != 0;
    if (term.factors.size() != 1 || !tells) return {v};
    summands.push_back(Value::node(term.factors[0]));
    for (NodeId id : nodes_of({summands.back()}))
      if (provenance_.node(id).kind == Node::Kind::kInput && !seen.insert(id.value).second) return {v};
  }
  return summands;
}

// Some element changes one of both, and the other, which is computed there as well, not even by a rounding error. What
// a function without an evaluation shows may be no change, as of lrint: then the element is not to reach the other.
bool Concrete::depends_on_others(Scalar s, Value a, Value b) {
  struct Seen {
    NodeId element;
    std::array<bool, 2> apart{}, touched{}, apart_by_symbols{}, reached{};  // in some trial
    bool tells() const {
      const bool is_by_symbols = (apart_by_symbols[0] || apart_by_symbols[1]) && !(reached[0] && reached[1]);
      return is_by_symbols || apart[0] || apart[1];
    }
  };
  const std::array<Value, 2> both{a, b};
  const std::vector<NodeId> nodes = nodes_of({a, b});
  std::vector<Seen> open;
  for (NodeId id : nodes)
    if (provenance_.node(id).kind == Node::Kind::kInput) open.push_back({id});
  if (std::ranges::any_of(open,
                          [&](const Seen& seen) { return is_data_place(provenance_.node(seen.element).index()); }))
    return false;  // they may be one another
  ChangedElement changed(*this, nodes);
  for (std::uint64_t trial = 0; trial < kTrials && !open.empty(); ++trial) {
    changed.start(trial);
    for (Seen& seen : open) {
      changed.change(seen.element);
      for (std::size_t i : {0, 1}) {
        const bool is_by_symbols = changed.is_symbolic(both[0]) || changed.is_symbolic(both[1]);
        bool& apart = (is_by_symbols ? seen.apart_by_symbols : seen.apart)[i];
        apart = apart || (changed.differs(s, both[i]) && changed.is_known(both[1 - i]));
        seen.touched[i] = seen.touched[i] || changed.touches(both[i]);
        seen.reached[i] = seen.reached[i] || changed.reaches(both[i]);
      }
      changed.undo();
    }
    std::erase_if(open, [](const Seen& seen) { return seen.touched[0] && seen.touched[1]; });
  }
  return std::ranges::any_of(open, &Seen::tells);
}

std::vector<std::vector<NodeId>> Concrete::needed(const std::vector<std::pair<Scalar, Value>>& values) {
  struct Part {
    std::size_t of;  // which of the values
    Scalar scalar;
    Value value;
  };
  std::vector<Part> parts;
  std::vector<Value> all;
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> asked;  // of an element, which parts are made of it
  std::set<NodeId> elements;
  for (std::size_t of = 0; of < values.size(); ++of)
    for (const Value& part : apart(values[of].second)) {
      for (NodeId id : nodes_of({part}))
        if (provenance_.node(id).kind == Node::Kind::kInput) {
          asked[id.value].push_back(parts.size());
          elements.insert(id);
        }
      parts.push_back({of, values[of].first, part});
      all.push_back(part);
    }
  std::vector<std::vector<NodeId>> found(values.size());
  const std::vector<NodeId> nodes = nodes_of(all);
  ChangedElement changed(*this, nodes);
  const std::uint64_t trials = kTrials + (joins_bits(provenance_, nodes) ? kUniformTrials : 0);
  for (std::uint64_t trial = 0; trial < trials && !elements.empty(); ++trial) {
    changed.start(trial < kTrials ? trial : kUniform + trial - kTrials);
    for (NodeId element : elements) {
      changed.change(element);
      std::erase_if(asked[element.value], [&](std::size_t p) {
        const bool differs = changed.differs(parts[p].scalar, parts[p].value);
        if (differs) found[parts[p].of].push_back(element);
        return differs;
      });
      changed.undo();
    }
    std::erase_if(elements, [&](NodeId element) { return asked[element.value].empty(); });
  }
  for (std::vector<NodeId>& of_value : found) std::sort(of_value.begin(), of_value.end());
  return found;
}

}  // namespace swizzle
