#include "synth/trials/element_bounds.h"

#include <algorithm>
#include <bit>
#include <map>
#include <span>

#include "synth/trials/all_stand.h"
#include "synth/trials/trial_graph.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostNeeds = 256, kMostBounds = 16'000'000;

}  // namespace

ElementBounds::Count ElementBounds::count(const Elements& elements) {
  return static_cast<Count>(kNone + std::popcount(elements[0]) + std::popcount(elements[1]));
}

ElementBounds::Block ElementBounds::filled(Count count) {
  Block block;
  block.fill(count);
  return block;
}

void ElementBounds::need(Index node, const Need& need, bool each) {
  auto known = std::ranges::find(needs_, need);
  if (known == needs_.end()) known = needs_.insert(known, need);
  outputs_.push_back({node, static_cast<std::uint32_t>(known - needs_.begin()), each ? count(need.once) : kNone});
}

void ElementBounds::complete(const TrialGraph& graph, std::vector<char> may_vanish) {
  using Kind = TrialGraph::Kind;
  const auto is_open_set = [](const TrialGraph::Node& n) { return n.kind == Kind::kSet && n.level > 0; };
  counts_twice_ = graph.is_linear_ && std::ranges::none_of(graph.nodes_, is_open_set);
  blocks_ = (needs_.size() + kLanes - 1) / kLanes;
  if (needs_.size() > kMostNeeds || graph.nodes_.size() * blocks_ * kLanes > kMostBounds) outputs_.clear();
  if (outputs_.empty()) return;
  others_.resize(blocks_);
  for (std::size_t i = 0; i < needs_.size(); ++i)
    for (std::size_t w = 0; w < 2; ++w) {
      others_[i / kLanes].once[w][i % kLanes] = ~needs_[i].once[w];
      if (counts_twice_) others_[i / kLanes].twice[w][i % kLanes] = ~needs_[i].twice[w];
    }
  without_clash_.resize(blocks_);
  any_twice_ = counts_twice_ && std::ranges::any_of(needs_, [](const Need& n) { return n.twice != Elements{}; });
  may_vanish_ = std::move(may_vanish);
  known_.complete(graph);
  const bool any_each = std::ranges::any_of(outputs_, [](const Output& o) { return o.least > kNone; });
  for (const TrialGraph::Node& n : graph.nodes_)
    if (n.kind == Kind::kSum || (any_each && n.kind == Kind::kSet)) last_sum_ = std::max(last_sum_, n.level);
  bounds_.resize(graph.nodes_.size() * blocks_);
  open_bounds_.resize(bounds_.size());
  made_at_.assign(graph.nodes_.size(), 0);
  open_made_at_.assign(graph.nodes_.size(), 0);
}

bool ElementBounds::stands(TrialGraph& graph, std::size_t step) {
  level_ = static_cast<std::uint16_t>(step + 1);
  known_.know_up_to(level_);
  const bool are_decided = std::none_of(graph.tables_.begin(), graph.tables_.begin() + level_,
                                        [](const std::int16_t* table) { return table == nullptr; });
  if (outputs_.empty() || (are_decided && level_ >= last_sum_)) return true;
  ++now_;
  const bool stand = all_stand(outputs_, [&](const Output& output) {
    if (are_decided && graph.nodes_[output.node].level <= level_) return true;  // compared as a number
    return bound(graph, output.node)[output.need / kLanes][output.need % kLanes] >= output.least;
  });
  return stand && are_enough(graph);
}

bool ElementBounds::are_enough(TrialGraph& graph) {
  if (!counts_twice_ || any_twice_) return true;
  const auto is_open = [&](const Output& o) { return o.least > kNone && graph.nodes_[o.node].level > level_; };
  for (const bool takes_sums : {false, true}) {
    known_.count_anew(takes_sums);
    for (const Output& output : outputs_)
      if (is_open(output)) known_.count(graph, output.node);
    for (Index value : known_.values()) bound(graph, value);
    for (const Output& output : outputs_)
      if (is_open(output) && !are_enough(output, known_.count(graph, output.node))) return false;
  }
  return true;
}

// So many different values, the largest that fit, have what the output needs.
bool ElementBounds::are_enough(const Output& output, std::uint32_t most) const {
  std::array<std::uint32_t, kMost + 1> of_size{};
  for (Index value : known_.values()) ++of_size[bounds_[value * blocks_ + output.need / kLanes][output.need % kLanes]];
  std::uint32_t elements = 0;
  for (std::uint32_t size = kMost; size > kNone && most > 0; --size) {
    const std::uint32_t taken = std::min(most, of_size[size]);
    elements += taken * (size - kNone);
    most -= taken;
  }
  return elements >= std::uint32_t{output.least} - kNone;
}

const ElementBounds::Block* ElementBounds::bound(TrialGraph& graph, Index node) {
  using Kind = TrialGraph::Kind;
  const TrialGraph::Node& n = graph.nodes_[node];
  Block* bounds = of(node);
  if (made_at_[node] == now_ || (n.level == 0 && made_at_[node] != 0)) return bounds;
  made_at_[node] = now_;
  const bool is_sum = n.kind == Kind::kSum || n.kind == Kind::kSet || (n.kind == Kind::kProduct && !may_vanish_[node]);
  if (known_.is_known(graph, node)) {
    const TrialGraph::Number& number = graph.number(node);
    if (number.is_defined) bound_number({number.once, number.twice}, bounds);
    else std::fill_n(bounds, blocks_, filled(kUnfit));
  } else if (n.kind == Kind::kChoice) {
    bound_choice(graph, node, bounds);
  } else if (is_sum) {
    bound_sum(graph, node, bounds);
  } else {
    std::fill_n(bounds, blocks_, filled(kMost));
  }
  return bounds;
}

void ElementBounds::bound_number(const Known& number, Block* bounds) const {
  const Count has = count(number.once);
  if (has == kNone) return void(std::fill_n(bounds, blocks_, filled(kNone)));
  for (std::size_t b = 0; b < blocks_; ++b) {
    const OtherElements& others = others_[b];
    for (std::size_t l = 0; l < kLanes; ++l) {
      const std::uint64_t once = (number.once[0] & others.once[0][l]) | (number.once[1] & others.once[1][l]);
      const std::uint64_t twice = (number.twice[0] & others.twice[0][l]) | (number.twice[1] & others.twice[1][l]);
      bounds[b][l] = (once | twice) == 0 ? has : kUnfit;
    }
  }
}

void ElementBounds::bound_choice(TrialGraph& graph, Index node, Block* bounds) {
  if (const std::optional<Index> chosen = known_.chosen_by(graph, node))
    return void(std::copy_n(bound(graph, *chosen), blocks_, bounds));
  const Index first = known_.first_alike(node);
  if (open_made_at_[first] != now_) bound_open_choice(graph, first);
  std::copy_n(open_bounds_.data() + first * blocks_, blocks_, bounds);
}

void ElementBounds::bound_open_choice(TrialGraph& graph, Index node) {
  open_made_at_[node] = now_;
  Block* bounds = open_bounds_.data() + node * blocks_;
  std::fill_n(bounds, blocks_, filled(kUnfit));
  for (Index one : KnownValues::operands_of(graph, node)) raise(bounds, bound(graph, one));
}

ElementBounds::Known ElementBounds::known_operands(TrialGraph& graph, Index node) const {
  const TrialGraph::Node& n = graph.nodes_[node];
  TrialGraph::Number all;
  for (std::uint32_t i = n.first; i < n.first + n.count; ++i) {
    if (!known_.is_known(graph, graph.operands_[i])) continue;
    const TrialGraph::Number& one = graph.number(graph.operands_[i]);
    if (n.kind == TrialGraph::Kind::kSum) TrialGraph::join(all, one);
    else
      for (std::size_t w = 0; w < 2; ++w) all.once[w] |= one.once[w], all.twice[w] |= one.twice[w];
  }
  return {all.once, all.twice};
}

// The terms that are known are taken together; one that is open is held against them.
void ElementBounds::bound_sum(TrialGraph& graph, Index node, Block* bounds) {
  const TrialGraph::Node& n = graph.nodes_[node];
  const Known others = known_operands(graph, node);
  const Elements added = n.kind == TrialGraph::Kind::kSum ? others.once : Elements{};
  bound_number(others, bounds);
  for (std::uint32_t i = n.first; i < n.first + n.count; ++i) {
    const Index term = graph.operands_[i];
    if (known_.is_known(graph, term) && graph.number(term).is_defined) continue;
    add(bounds, bound_term(graph, term, added));
  }
}

// Of a choice that is open, what has an element of the others once more only fits where that may be there twice.
const ElementBounds::Block* ElementBounds::bound_term(TrialGraph& graph, Index term, const Elements& others) {
  const Block* alone = bound(graph, term);
  if (!counts_twice_ || any_twice_ || others == Elements{}) return alone;
  std::fill_n(without_clash_.data(), blocks_, filled(kUnfit));
  raise_without_clash(graph, term, others);
  return without_clash_.data();
}

// What a node has whatever is chosen.
ElementBounds::Elements ElementBounds::certain_elements(TrialGraph& graph, Index node) const {
  node = known_.source_of(graph, node);
  if (known_.is_known(graph, node)) return graph.number(node).once;
  Elements all{};
  if (graph.nodes_[node].kind != TrialGraph::Kind::kSum) return all;
  for (Index operand : KnownValues::operands_of(graph, node)) {
    const Elements more = certain_elements(graph, operand);
    for (std::size_t w = 0; w < all.size(); ++w) all[w] |= more[w];
  }
  return all;
}

// All that is below a choice has its bounds by now.
void ElementBounds::raise_without_clash(TrialGraph& graph, Index term, const Elements& others) {
  term = known_.source_of(graph, term);
  const Elements has = certain_elements(graph, term);
  if (((has[0] & others[0]) | (has[1] & others[1])) != 0) return;
  const TrialGraph::Node& n = graph.nodes_[term];
  const auto is_near = [&](Index node) {  // known, or among such
    const TrialGraph::Node& operand = graph.nodes_[node];
    return known_.is_known(graph, node) ||
           (operand.kind == TrialGraph::Kind::kChoice && known_.is_known(graph, graph.operands_[operand.first]));
  };
  const auto operands = KnownValues::operands_of(graph, term);
  if (n.kind != TrialGraph::Kind::kChoice || known_.is_known(graph, term) || std::ranges::none_of(operands, is_near))
    return raise(without_clash_.data(), bound(graph, term));
  for (Index one : operands) raise_without_clash(graph, one, others);
}

void ElementBounds::raise(Block* bounds, const Block* to) const {
  for (std::size_t b = 0; b < blocks_; ++b) {
    Block most = bounds[b];
    const Block more = to[b];
    for (std::size_t l = 0; l < kLanes; ++l) most[l] = std::max(most[l], more[l]);
    bounds[b] = most;
  }
}

// kUnfit, where one is.
void ElementBounds::add(Block* bounds, const Block* more) const {
  for (std::size_t b = 0; b < blocks_; ++b) {
    Block sum = bounds[b];
    const Block term = more[b];
    for (std::size_t l = 0; l < kLanes; ++l) {
      const Count fits = sum[l] != kUnfit && term[l] != kUnfit ? 0xff : 0;
      sum[l] = static_cast<Count>(std::min(sum[l] + term[l] - kNone, int{kMost})) & fits;
    }
    bounds[b] = sum;
  }
}

}  // namespace swizzle
