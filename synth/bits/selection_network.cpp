#include "synth/bits/selection_network.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "synth/provenance/deferred_words.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

using Network = SelectionNetwork;
using Reference = Network::Reference;

constexpr std::size_t kMostOfLeaf = 16;  // bits

struct HashOfValues {
  std::size_t operator()(const Value& v) const {
    return mix(mix(static_cast<std::size_t>(v.kind), v.aux), static_cast<std::size_t>(v.bits));
  }
};

class Compiler {
 public:
  Compiler(Problem& problem, const std::vector<Value>& actuals)
      : problem_(problem),
        provenance_(problem.provenance),
        actuals_(actuals) {}

  Network run(const std::vector<std::size_t>& equations) {
    for (const std::size_t e : equations) add_equation(e);
    for (std::size_t r = 0; r < problem_.requirements.size(); ++r)
      add(problem_.requirements[r].violation, Value::integer(0), {.requirement = r});
    number_leaves();
    link();
    return std::move(network_);
  }

 private:
  void add_equation(std::size_t e) {
    Equation equation = problem_.equations[e];
    equation.actual = actuals_[e];
    const bool has_word = is_word(provenance_, equation.actual) || is_word(provenance_, equation.expected);
    const auto width = static_cast<std::size_t>(bit_width(equation.scalar));
    if (!has_word || !has_bits(provenance_, equation.actual) || !has_bits(provenance_, equation.expected))
      return add(equation.actual, equation.expected, {.equation = e});
    for (std::size_t b = 0; b < width; ++b)
      add(word_bit(provenance_, equation.actual, b), word_bit(provenance_, equation.expected, b),
          {.equation = e, .bit = static_cast<int>(b)});
  }

  void add(Value actual, Value expected, Network::Demand demand) {
    if (actual == expected) return;
    demand.actual = reference(provenance_.normalize(actual));
    network_.demands.push_back(demand);
    expected_.push_back(leaf(expected));
  }

  // Leaves are numbered through the network first.
  std::uint32_t leaf(Value v) {
    const auto [it, fresh] = leaves_.try_emplace(v, static_cast<std::uint32_t>(kinds_.size()));
    if (fresh) kinds_.push_back(kind_of_leaf(v));
    return it->second;
  }

  Reference reference(Value v) {
    if (v.is_undefined()) return {};
    if (!provenance_.has_choice(v)) return {~static_cast<std::int32_t>(leaf(v))};
    if (const auto it = known_.find(v.aux); it != known_.end()) return it->second;
    Network::Node node = kind_of(v);
    std::vector<Reference> parts;
    if (node.kind != Network::Kind::kOpen) {
      const swizzle::Node made = provenance_.node(v);
      for (const Value& child : made.children()) parts.push_back(reference(child));
    } else {
      network_.has_open = true;
    }
    node.first = static_cast<std::uint32_t>(network_.references.size());
    node.count = static_cast<std::uint32_t>(parts.size());
    network_.references.insert(network_.references.end(), parts.begin(), parts.end());
    network_.nodes.push_back(node);
    const Reference result{static_cast<std::int32_t>(network_.nodes.size() - 1)};
    known_.emplace(v.aux, result);
    return result;
  }

  Network::Node kind_of(Value v) const {
    Network::Node node;
    const swizzle::Node& made = provenance_.node(v);
    if (made.kind == swizzle::Node::Kind::kChoice) {
      node.kind = Network::Kind::kChoice;
      node.point = PointId(made.tag);
    } else if (made.kind == swizzle::Node::Kind::kOpaque && made.tag >= kOpaqueGate) {
      const auto op = static_cast<Operator>(made.tag - kOpaqueGate);
      node.kind = op == Operator::kAnd  ? Network::Kind::kAnd
                  : op == Operator::kOr ? Network::Kind::kOr
                                        : Network::Kind::kXor;
    }
    return node;
  }

  std::uint32_t root(std::uint32_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }

  // 0 and 1 tie nothing together.
  void number_leaves() {
    is_demanded_.assign(kinds_.size(), false);
    for (const std::uint32_t leaf : expected_) is_demanded_[leaf] = true;
    const auto count = static_cast<std::uint32_t>(network_.nodes.size());
    parent_.resize(count);
    std::iota(parent_.begin(), parent_.end(), 0u);
    for (std::uint32_t n = 0; n < count; ++n)
      for_each_part(n, [&](Reference& r) {
        if (r.is_node()) parent_[root(r.node())] = root(n);
      });
    std::unordered_map<std::uint32_t, std::uint32_t> components;
    for (std::uint32_t n = 0; n < count; ++n) {
      const auto [it, fresh] = components.try_emplace(root(n), static_cast<std::uint32_t>(local_.size()));
      if (fresh) open_component();
      network_.nodes[n].component = it->second;
      for_each_part(n, [&](Reference& r) {
        if (r.is_leaf()) r = {~static_cast<std::int32_t>(local(it->second, r.leaf()))};
      });
    }
    for (std::size_t d = 0; d < network_.demands.size(); ++d) number_demand(d);
  }

  void number_demand(std::size_t d) {
    Network::Demand& demand = network_.demands[d];
    if (demand.actual.is_node()) {
      demand.component = network_.nodes[demand.actual.node()].component;
      const auto it = local_[demand.component].find(expected_[d]);
      demand.leaf = it == local_[demand.component].end() ? Network::kNoLeaf : it->second;
    } else {  // unequal to what is expected, whatever the holes are
      demand.leaf = Network::kNoLeaf;
    }
  }

  void open_component() {
    local_.emplace_back();
    network_.leaf_kinds.emplace_back();
    const auto component = static_cast<std::uint32_t>(local_.size() - 1);
    for (const std::uint32_t constant : {zero_, one_}) local(component, constant);
  }

  std::uint32_t local(std::uint32_t component, std::uint32_t leaf) {
    std::vector<Network::LeafKind>& kinds = network_.leaf_kinds[component];
    const bool is_itself = is_demanded_[leaf] || leaf == zero_ || leaf == one_;
    const std::uint32_t named = is_itself ? leaf : Network::kNoLeaf - 1 - static_cast<std::uint32_t>(kinds_[leaf]);
    const auto [it, fresh] = local_[component].try_emplace(named, static_cast<std::uint32_t>(kinds.size()));
    if (fresh) kinds.push_back(kinds_[leaf]);
    return it->second;
  }

  // In normal form a conjunction is one product, a disjunction of n bits the sum of all their 2^n - 1 products.
  Network::LeafKind kind_of_leaf(Value v) const {
    if (v == Value::integer(0) || v == Value::integer(1)) return Network::LeafKind::kPlain;
    if (!v.is_node()) return Network::LeafKind::kOther;
    const swizzle::Node& node = provenance_.node(v);
    if (node.kind == swizzle::Node::Kind::kBit) return Network::LeafKind::kPlain;
    if (node.kind != swizzle::Node::Kind::kRing || node.ring != Ring::kXor) return Network::LeafKind::kOther;
    std::set<NodeId> bits;
    for (const Term& term : node.terms()) {
      if (term.factors.empty()) return Network::LeafKind::kOther;
      bits.insert(term.factors.begin(), term.factors.end());
    }
    const bool are_bits = std::ranges::all_of(
        bits, [&](NodeId b) { return provenance_.node(Value::node(b)).kind == swizzle::Node::Kind::kBit; });
    if (!are_bits || bits.size() > kMostOfLeaf) return Network::LeafKind::kOther;
    if (node.terms().size() == 1) return Network::LeafKind::kConjunction;
    return node.terms().size() + 1 == std::size_t{1} << bits.size() ? Network::LeafKind::kDisjunction
                                                                    : Network::LeafKind::kOther;
  }

  template <typename F>
  void for_each_part(std::uint32_t node, F&& f) {
    const Network::Node& n = network_.nodes[node];
    for (std::uint32_t i = n.first; i < n.first + n.count; ++i) f(network_.references[i]);
  }

  void link() {
    network_.nodes_at.resize(problem_.points.size());
    network_.users.resize(network_.nodes.size());
    for (std::uint32_t n = 0; n < network_.nodes.size(); ++n) {
      if (network_.nodes[n].kind == Network::Kind::kChoice)
        network_.nodes_at[network_.nodes[n].point.value].push_back(n);
      for_each_part(n, [&](Reference& r) {
        if (r.is_node()) network_.users[r.node()].push_back(n);
      });
    }
  }

  Problem& problem_;
  Provenance& provenance_;
  const std::vector<Value>& actuals_;  // by equation
  Network network_;
  std::vector<std::uint32_t> expected_;  // by demand: the leaf
  std::unordered_map<Value, std::uint32_t, HashOfValues> leaves_;
  std::vector<Network::LeafKind> kinds_;  // by leaf
  std::vector<bool> is_demanded_;         // likewise
  const std::uint32_t zero_ = leaf(Value::integer(0)), one_ = leaf(Value::integer(1));
  std::unordered_map<std::uint32_t, Reference> known_;  // by node of the provenance
  std::vector<std::uint32_t> parent_;
  std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> local_;  // by component: leaf → its number there
};

}  // namespace

SelectionNetwork selection_network(Problem& problem) {
  std::vector<std::size_t> all(problem.equations.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<Value> actuals;
  for (const Equation& e : problem.equations) actuals.push_back(e.actual);
  return selection_network(problem, all, actuals);
}

SelectionNetwork selection_network(Problem& problem, const std::vector<std::size_t>& equations,
                                   const std::vector<Value>& actuals) {
  return Compiler(problem, actuals).run(equations);
}

}  // namespace swizzle
