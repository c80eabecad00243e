#include "synth/bits/selection_network.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "synth/base/hashes.h"
#include "synth/base/slot_table.h"
#include "synth/bits/unit_inputs.h"
#include "synth/provenance/deferred_words.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

using Network = SelectionNetwork;
using Reference = Network::Reference;

constexpr std::size_t kMostOfLeaf = 16;        // bits
constexpr std::size_t kMostOfInputs = 50'000;  // nodes that unit inputs add, and as many as there are without

std::size_t hash_of(const Value& v) {
  return mix(mix(static_cast<std::size_t>(v.kind), v.aux), static_cast<std::size_t>(v.bits));
}

// Of nodes, which of them refer to which: those that node n is of stand from first[n] to first[n + 1].
void link_users(Network& network) {
  const std::size_t count = network.nodes.size();
  std::vector<std::uint32_t>&first = network.first_user, &users = network.users;
  first.assign(count + 1, 0);
  for (const Reference r : network.references)
    if (r.is_node()) ++first[r.node() + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  users.resize(first.back());
  std::vector<std::uint32_t> end(first.begin(), first.end() - 1);
  for (std::uint32_t n = 0; n < count; ++n)
    for (std::uint32_t i = 0; i < network.nodes[n].count; ++i)
      if (const Reference r = network.references[network.nodes[n].first + i]; r.is_node()) users[end[r.node()]++] = n;
}

class Compiler {
 public:
  Compiler(Problem& problem, const std::vector<Value>& actuals, Sums sums)
      : problem_(problem),
        provenance_(problem.provenance),
        actuals_(actuals),
        sums_(sums) {}

  Network run(const std::vector<std::size_t>& equations) {
    for (const std::size_t e : equations) add_equation(e);
    for (std::size_t r = 0; r < problem_.requirements.size(); ++r)
      add(problem_.requirements[r].violation, Value::integer(0), {.requirement = r});
    add_unit_inputs();
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
    const Value known = provenance_.normalize(actual);
    demand.actual = reference(known);
    network_.demands.push_back(demand);
    expected_.push_back(leaf(expected));
    if (!demand.actual.is_node() || !has_sums_[demand.actual.node()]) return;
    network_.has_sums = true;
    sums_demanded_.push_back({known, expected, demand});
  }

  // What holds of sums where one bit of the input is 1, those first that are asked for.
  void add_unit_inputs() {
    if (sums_demanded_.empty()) return;
    std::vector<Value> bits;
    for (const SumDemanded& d : sums_demanded_) bits.push_back(d.expected);
    for (const SumDemanded& d : sums_demanded_) bits.push_back(d.actual);
    const std::size_t most = 2 * network_.nodes.size() + kMostOfInputs;
    add_unit_input(UnitInput(provenance_, std::nullopt));
    for (const NodeId bit : input_bits_of(provenance_, bits))
      if (network_.nodes.size() < most) add_unit_input(UnitInput(provenance_, bit));
  }

  void add_unit_input(const UnitInput& input) {
    there_.clear();
    for (const SumDemanded& d : sums_demanded_) {
      const auto wanted = input.value_of(d.expected);
      if (!wanted) continue;
      Network::Demand demand = d.demand;
      demand.actual = where(input, d.actual);
      if (demand.actual.number == constant(*wanted).number) continue;
      network_.demands.push_back(demand);
      expected_.push_back(*wanted ? one_ : zero_);
    }
  }

  Reference constant(bool value) const { return {~static_cast<std::int32_t>(value ? one_ : zero_)}; }

  // What the bit is on this input.
  Reference where(const UnitInput& input, Value v) {
    if (v.is_undefined()) return {};
    if (const auto it = there_.find(v.aux); v.is_node() && it != there_.end()) return it->second;
    Network::Node node = kind_of(v);
    const std::size_t begin = parts_.size();
    Reference result;
    if (!provenance_.has_choice(v)) {
      const auto known = input.value_of(v);
      result = known ? constant(*known) : add_node({}, begin);
    } else {
      if (node.kind != Network::Kind::kOpen)
        for (const Value& child : provenance_.node(v).children()) parts_.push_back(where(input, child));
      const auto known = simplified(node.kind, std::span(parts_).subspan(begin));
      if (known) parts_.resize(begin);
      result = known ? *known : add_node(node, begin);
    }
    if (v.is_node()) there_.emplace(v.aux, result);
    return result;
  }

  // What is no node of its own.
  std::optional<Reference> simplified(Network::Kind kind, std::span<const Reference> parts) const {
    const auto is = [](Reference a, Reference b) { return a.number == b.number; };
    if (kind == Network::Kind::kOpen) return std::nullopt;
    if (kind == Network::Kind::kChoice) {
      const bool are_same = std::ranges::all_of(parts, [&](Reference r) { return is(r, parts[0]); });
      return are_same ? std::optional(parts[0]) : std::nullopt;
    }
    const Reference neutral = constant(kind == Network::Kind::kAnd), absorbing = constant(kind == Network::Kind::kOr);
    const bool is_sum = kind == Network::Kind::kXor;
    for (const auto& [a, b] : {std::pair{parts[0], parts[1]}, std::pair{parts[1], parts[0]}}) {
      if (is(a, neutral) || (!is_sum && is(a, b))) return b;
      if (!is_sum && is(a, absorbing)) return absorbing;
    }
    return is_sum && is(parts[0], parts[1]) ? std::optional(constant(false)) : std::nullopt;
  }

  // Leaves are numbered through the network first.
  std::uint32_t leaf(Value v) {
    const auto is_same = [&](std::uint32_t known) { return leaves_[known] == v; };
    return leaf_numbers_.find_or_add(hash_of(v), is_same, [&] {
      leaves_.push_back(v);
      kinds_.push_back(kind_of_leaf(v));
      return static_cast<std::uint32_t>(leaves_.size() - 1);
    });
  }

  Reference reference(Value v) {
    if (v.is_undefined()) return {};
    if (!provenance_.has_choice(v)) return {~static_cast<std::int32_t>(leaf(v))};
    if (known_.size() <= v.aux) known_.resize(provenance_.size());
    if (known_[v.aux].is_node()) return known_[v.aux];
    const Network::Node node = kind_of(v);
    if (node.kind == Network::Kind::kXor && sums_ == Sums::kLeftOut) return {};
    const std::size_t begin = parts_.size();
    if (node.kind != Network::Kind::kOpen)
      for (const Value& child : provenance_.node(v).children()) parts_.push_back(reference(child));
    return known_[v.aux] = add_node(node, begin);
  }

  // Of the parts from `begin` on.
  Reference add_node(Network::Node node, std::size_t begin) {
    const auto first = parts_.begin() + static_cast<std::ptrdiff_t>(begin);
    node.first = static_cast<std::uint32_t>(network_.references.size());
    node.count = static_cast<std::uint32_t>(parts_.size() - begin);
    has_sums_.push_back(node.kind == Network::Kind::kXor || std::any_of(first, parts_.end(), [&](Reference r) {
                          return r.is_node() && has_sums_[r.node()];
                        }));
    network_.references.insert(network_.references.end(), first, parts_.end());
    network_.nodes.push_back(node);
    parts_.resize(begin);
    return {static_cast<std::int32_t>(network_.nodes.size() - 1)};
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
    const std::set<std::uint32_t> demanded(expected_.begin(), expected_.end());
    for (const std::uint32_t leaf : demanded) bits_of_leaf_.emplace(leaf, parts_of(leaf));
    is_demanded_.assign(kinds_.size(), false);
    for (const auto& [leaf, parts] : bits_of_leaf_) {
      is_demanded_[leaf] = true;
      for (const std::uint32_t part : parts) is_demanded_[part] = true;
    }
    const auto count = static_cast<std::uint32_t>(network_.nodes.size());
    parent_.resize(count);
    std::iota(parent_.begin(), parent_.end(), 0u);
    for (std::uint32_t n = 0; n < count; ++n)
      for_each_part(n, [&](Reference& r) {
        if (r.is_node()) parent_[root(r.node())] = root(n);
      });
    constexpr std::uint32_t kNone = UINT32_MAX;
    std::vector<std::uint32_t> component_of(count, kNone);  // by root
    for (std::uint32_t n = 0; n < count; ++n) {
      std::uint32_t& component = component_of[root(n)];
      if (component == kNone) component = open_component();
      network_.nodes[n].component = component;
      for_each_part(n, [&](Reference& r) {
        if (r.is_leaf()) r = {~static_cast<std::int32_t>(local(component, r.leaf()))};
      });
    }
    for (std::size_t d = 0; d < network_.demands.size(); ++d) number_demand(d);
  }

  void number_demand(std::size_t d) {
    Network::Demand& demand = network_.demands[d];
    demand.leaf = Network::kNoLeaf;  // unequal to what is expected, whatever the holes are
    if (!demand.actual.is_node()) return;
    demand.component = network_.nodes[demand.actual.node()].component;
    const std::vector<std::uint32_t>& parts = bits_of_leaf_.at(expected_[d]);
    demand.leaf = local(demand.component, expected_[d], !parts.empty());
    if (parts.empty() || network_.parts.contains({demand.component, demand.leaf})) return;
    std::vector<std::uint32_t>& locals = network_.parts[{demand.component, demand.leaf}];
    for (const std::uint32_t part : parts) locals.push_back(local(demand.component, part, false));
  }

  std::uint32_t open_component() {
    network_.leaf_kinds.emplace_back();
    network_.has_complements.push_back(false);
    const auto component = static_cast<std::uint32_t>(network_.leaf_kinds.size() - 1);
    for (const std::uint32_t constant : {zero_, one_}) local(component, constant);
    return component;
  }

  struct Local {
    std::uint32_t component = UINT32_MAX, leaf = 0, number = 0;
  };

  Local find_local(std::uint32_t component, std::uint32_t leaf, bool is_there) {
    if (is_complement(leaves_[leaf])) network_.has_complements[component] = true;
    const bool is_itself = is_demanded_[leaf] || leaf == zero_ || leaf == one_;
    const std::uint32_t named = is_itself ? leaf : Network::kNoLeaf - 1 - static_cast<std::uint32_t>(kinds_[leaf]);
    const auto is_same = [&](std::uint32_t known) {
      return locals_[known].component == component && locals_[known].leaf == named;
    };
    const auto place = local_numbers_.find_or_add(mix(mix(0, component), named), is_same, [&] {
      std::vector<Network::LeafKind>& kinds = network_.leaf_kinds[component];
      locals_.push_back({component, named, is_there ? static_cast<std::uint32_t>(kinds.size()) : Network::kNoLeaf});
      if (is_there) kinds.push_back(kinds_[leaf]);
      return static_cast<std::uint32_t>(locals_.size() - 1);
    });
    return {component, leaf, locals_[place].number};
  }

  // `is_there`: some node of the component has it; otherwise it is kNoLeaf, if none has.
  std::uint32_t local(std::uint32_t component, std::uint32_t leaf, bool is_there = true) {
    last_of_leaf_.resize(kinds_.size());
    Local& last = last_of_leaf_[leaf];
    if (last.component != component || last.leaf != leaf) last = find_local(component, leaf, is_there);
    return last.number;
  }

  // The bits of a disjunction or conjunction; none: of anything else.
  std::vector<std::uint32_t> parts_of(std::uint32_t function) {
    using enum Network::LeafKind;
    std::vector<std::uint32_t> parts;
    if (kinds_[function] == kDisjunction || kinds_[function] == kConjunction)
      for (const NodeId bit : bits_of(provenance_.node(leaves_[function]))) parts.push_back(leaf(Value::node(bit)));
    return parts;
  }

  static std::set<NodeId> bits_of(const swizzle::Node& sum) {
    std::set<NodeId> bits;
    for (const Term& term : sum.terms()) bits.insert(term.factors.begin(), term.factors.end());
    return bits;
  }

  bool is_bit(NodeId id) const { return provenance_.node(Value::node(id)).kind == swizzle::Node::Kind::kBit; }

  bool is_complement(Value v) const {
    if (!v.is_node() || provenance_.node(v).kind != swizzle::Node::Kind::kRing) return false;
    const swizzle::Node& node = provenance_.node(v);
    const auto terms = node.terms();
    return node.ring == Ring::kXor && terms.size() == 2 && terms[0].factors.size() + terms[1].factors.size() == 1 &&
           is_bit((terms[0].factors.empty() ? terms[1] : terms[0]).factors[0]);
  }

  // In normal form a conjunction is one product, a disjunction of n bits the sum of all their 2^n - 1 products.
  Network::LeafKind kind_of_leaf(Value v) const {
    if (v == Value::integer(0) || v == Value::integer(1)) return Network::LeafKind::kPlain;
    if (!v.is_node()) return Network::LeafKind::kOther;
    const swizzle::Node& node = provenance_.node(v);
    if (node.kind == swizzle::Node::Kind::kBit || is_complement(v)) return Network::LeafKind::kPlain;
    if (node.kind != swizzle::Node::Kind::kRing || node.ring != Ring::kXor) return Network::LeafKind::kOther;
    if (std::ranges::any_of(node.terms(), [](const Term& term) { return term.factors.empty(); }))
      return Network::LeafKind::kOther;
    const std::set<NodeId> bits = bits_of(node);
    const bool are_bits = std::ranges::all_of(bits, [&](NodeId b) { return is_bit(b); });
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
    for (std::uint32_t n = 0; n < network_.nodes.size(); ++n)
      if (network_.nodes[n].kind == Network::Kind::kChoice)
        network_.nodes_at[network_.nodes[n].point.value].push_back(n);
    link_users(network_);
  }

  Problem& problem_;
  Provenance& provenance_;
  const std::vector<Value>& actuals_;  // by equation
  Sums sums_;
  Network network_;
  struct SumDemanded {
    Value actual, expected;
    Network::Demand demand;
  };
  std::vector<SumDemanded> sums_demanded_;
  std::vector<bool> has_sums_;                          // by node of the network: an exclusive-or is below
  std::unordered_map<std::uint32_t, Reference> there_;  // by node of the provenance: what it is on the input at hand
  std::vector<std::uint32_t> expected_;                 // by demand: the leaf
  std::vector<Value> leaves_;
  std::vector<Network::LeafKind> kinds_;                              // by leaf
  std::map<std::uint32_t, std::vector<std::uint32_t>> bits_of_leaf_;  // of what is demanded
  std::vector<bool> is_demanded_;                                     // by leaf
  SlotTable leaf_numbers_;
  const std::uint32_t zero_ = leaf(Value::integer(0)), one_ = leaf(Value::integer(1));
  std::vector<Reference> known_;  // by node of the provenance
  std::vector<Reference> parts_;  // of nodes that are under way
  std::vector<std::uint32_t> parent_;
  std::vector<Local> locals_;        // leaves of components, and their numbers there
  std::vector<Local> last_of_leaf_;  // by leaf: where it was asked for last
  SlotTable local_numbers_;
};

}  // namespace

SelectionNetwork selection_network(Problem& problem) {
  std::vector<std::size_t> all(problem.equations.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<Value> actuals;
  for (const Equation& e : problem.equations) actuals.push_back(e.actual);
  return selection_network(problem, all, actuals, Sums::kFollowed);
}

SelectionNetwork selection_network(Problem& problem, const std::vector<std::size_t>& equations,
                                   const std::vector<Value>& actuals, Sums sums) {
  return Compiler(problem, actuals, sums).run(equations);
}

}  // namespace swizzle
