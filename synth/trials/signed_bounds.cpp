#include "synth/trials/signed_bounds.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "synth/trials/all_stand.h"
#include "synth/trials/trial_graph.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostGains = 500'000;

bool has(const std::array<std::uint64_t, 2>& elements, std::size_t element) {
  return (elements[element / 64] >> (element % 64) & 1) != 0;
}

template <typename Counts>
void raise(Counts& counts, const Counts& to) {
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = std::max(counts[i], to[i]);
}

// All that there are at most.
template <typename Counts>
void add(Counts& counts, const Counts& more) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto sum = static_cast<std::uint8_t>(counts[i] + more[i]);
    counts[i] = sum < more[i] ? std::uint8_t{255} : sum;
  }
}

}  // namespace

// An element that is wanted with both signs counts as none: nothing is known of it.
void SignedBounds::need(Index node, const TrialNumber& number) {
  Output output{node, number, static_cast<std::uint32_t>(outputs_.size()), 0};
  for (std::size_t w = 0; w < 2; ++w) {
    const std::uint64_t both = number.once[w] & number.twice[w];
    output.number.once[w] &= ~both;
    output.number.twice[w] &= ~both;
    output.least += static_cast<std::uint8_t>(std::popcount(output.number.once[w] | output.number.twice[w]));
  }
  outputs_.push_back(output);
}

void SignedBounds::complete(const TrialGraph& graph) {
  blocks_ = (outputs_.size() + kOutputs - 1) / kOutputs;
  if (graph.nodes_.size() * blocks_ > kMostGains) outputs_.clear();
  if (outputs_.empty()) return;
  of_element_.resize((TrialNumber::kElements + 1) * blocks_);
  for (const Output& output : outputs_)
    for (std::size_t e = 0; e <= TrialNumber::kElements; ++e) {
      Gains& gains = of_element_[e * blocks_ + output.place / kOutputs];
      gains.as_it_is[output.place % kOutputs] = has(output.number.once, e) ? 1 : 0;
      gains.turned[output.place % kOutputs] = has(output.number.twice, e) ? 1 : 0;
    }
  known_.complete(graph);
  gains_.resize(graph.nodes_.size() * blocks_);
  open_gains_.resize(gains_.size());
  made_at_.assign(graph.nodes_.size(), 0);
  open_made_at_.assign(graph.nodes_.size(), 0);
  for (std::size_t s = 0; s < graph.steps_.size(); ++s) note_values(graph, s);
}

// Where all steps are decided up to this one. What is taken away counts as what it is.
void SignedBounds::note_values(const TrialGraph& graph, std::size_t step) {
  std::vector<bool> is_value(graph.nodes_.size(), false);
  for (Index i = 0; i < graph.nodes_.size(); ++i) {
    if (graph.nodes_[i].level <= step + 1) continue;
    for (Index value : KnownValues::operands_of(graph, i)) {
      while (graph.nodes_[value].kind == TrialGraph::Kind::kProduct) value = KnownValues::operands_of(graph, value)[0];
      is_value[value] = graph.nodes_[value].level <= step + 1;
    }
  }
  values_.emplace_back();
  for (Index i = 0; i < graph.nodes_.size(); ++i)
    if (is_value[i]) values_.back().push_back(i);
  std::vector<std::uint32_t> known(graph.nodes_.size(), 0);
  most_made_.emplace_back(outputs_.size());
  for (const Output& output : outputs_) most_made_.back()[output.place] = most_values(graph, output.node, step, known);
}

// known: by node, what it is made of at most, or 0.
std::uint32_t SignedBounds::most_values(const TrialGraph& graph, Index node, std::size_t step,
                                        std::vector<std::uint32_t>& known) {
  constexpr std::uint32_t kMost = 1 << 16;
  if (graph.nodes_[node].level <= step + 1) return 1;
  if (known[node] != 0) return known[node];
  std::uint32_t most = 0;
  for (Index operand : KnownValues::operands_of(graph, node)) {
    const std::uint32_t more = most_values(graph, operand, step, known);
    most = graph.nodes_[node].kind == TrialGraph::Kind::kChoice ? std::max(most, more) : std::min(kMost, most + more);
  }
  return known[node] = most;
}

bool SignedBounds::stands(TrialGraph& graph, std::size_t step) {
  if (outputs_.empty()) return true;
  level_ = static_cast<std::uint16_t>(step + 1);
  known_.know_up_to(level_);
  ++now_;
  return are_enough(graph, step) && all_stand(outputs_, [&](const Output& output) {
           return gains(graph, output.node)[output.place / kOutputs].as_it_is[output.place % kOutputs] >= output.least;
         });
}

bool SignedBounds::are_enough(TrialGraph& graph, std::size_t step) {
  const auto is_known = [&](Index value) { return known_.is_known(graph, value); };
  if (!std::ranges::all_of(values_[step], is_known)) return true;
  for (Index value : values_[step]) gains(graph, value);
  return all_stand(outputs_, [&](const Output& output) {
    return graph.nodes_[output.node].level <= level_ || are_enough(graph, output, step);
  });
}

std::uint8_t SignedBounds::gain_of(Index value, const Output& output) const {
  const Gains& gains = gains_[value * blocks_ + output.place / kOutputs];
  return std::max(gains.as_it_is[output.place % kOutputs], gains.turned[output.place % kOutputs]);
}

// So many different values, those that bring most, bring all elements; and so do those alone that bring enough for
// that to be so with them.
bool SignedBounds::are_enough(TrialGraph& graph, const Output& output, std::size_t step) const {
  std::uint32_t most = most_made_[step][output.place];
  std::array<std::uint32_t, 256> of_gain{};
  for (Index value : values_[step]) ++of_gain[gain_of(value, output)];
  std::uint32_t total = 0, last = 0;
  for (std::uint32_t gain = 255; gain > 0 && most > 0; --gain) {
    const std::uint32_t taken = std::min(most, of_gain[gain]);
    total += taken * gain;
    most -= taken;
    if (taken > 0) last = most > 0 ? 0 : gain;
  }
  if (total < output.least) return false;
  const std::uint32_t spare = total - output.least;
  return last <= spare || bring_all(graph, output, step, last - spare);
}

// With one sign or the other, each value for itself.
bool SignedBounds::bring_all(TrialGraph& graph, const Output& output, std::size_t step,
                             std::uint32_t least_gain) const {
  std::array<std::uint64_t, 2> missing{};
  const TrialNumber& wanted = output.number;
  for (std::size_t w = 0; w < 2; ++w) missing[w] = wanted.once[w] | wanted.twice[w];
  for (Index value : values_[step]) {
    const Gains& gains = gains_[value * blocks_ + output.place / kOutputs];
    const TrialNumber& has = graph.number(value);
    const bool as_it_is = gains.as_it_is[output.place % kOutputs] >= least_gain;
    const bool turned = gains.turned[output.place % kOutputs] >= least_gain;
    for (std::size_t w = 0; w < 2; ++w) {
      if (as_it_is) missing[w] &= ~((has.once[w] & wanted.once[w]) | (has.twice[w] & wanted.twice[w]));
      if (turned) missing[w] &= ~((has.once[w] & wanted.twice[w]) | (has.twice[w] & wanted.once[w]));
    }
  }
  return (missing[0] | missing[1]) == 0;
}

const SignedBounds::Gains* SignedBounds::gains(TrialGraph& graph, Index node) {
  using Kind = TrialGraph::Kind;
  const TrialGraph::Node& n = graph.nodes_[node];
  Gains* gains = of(node);
  if (made_at_[node] == now_ || (n.level == 0 && made_at_[node] != 0)) return gains;
  made_at_[node] = now_;
  if (known_.is_known(graph, node)) gain_number(graph.number(node), gains);
  else if (n.kind == Kind::kChoice) gain_choice(graph, node, gains);
  else if (n.kind == Kind::kProduct) gain_product(graph, node, gains);
  else gain_sum(graph, node, gains);
  return gains;
}

void SignedBounds::gain_number(const TrialNumber& number, Gains* gains) const {
  std::fill_n(gains, blocks_, Gains{});
  for (std::size_t w = 0; w < 2; ++w)
    for (std::uint64_t left = number.once[w] | number.twice[w]; left != 0; left &= left - 1) {
      const auto e = static_cast<std::size_t>(std::countr_zero(left)) + w * 64;
      for (std::size_t b = 0; b < blocks_; ++b) {
        const Gains& of = of_element_[e * blocks_ + b];
        if (has(number.once, e)) add(gains[b].as_it_is, of.as_it_is), add(gains[b].turned, of.turned);
        if (has(number.twice, e)) add(gains[b].as_it_is, of.turned), add(gains[b].turned, of.as_it_is);
      }
    }
}

void SignedBounds::gain_choice(TrialGraph& graph, Index node, Gains* gains) {
  if (const std::optional<Index> chosen = known_.chosen_by(graph, node))
    return void(std::copy_n(this->gains(graph, *chosen), blocks_, gains));
  const Index first = known_.first_alike(node);
  if (open_made_at_[first] != now_) gain_open_choice(graph, first);
  std::copy_n(of_open(first), blocks_, gains);
}

void SignedBounds::gain_open_choice(TrialGraph& graph, Index node) {
  open_made_at_[node] = now_;
  std::fill_n(of_open(node), blocks_, Gains{});
  for (Index one : KnownValues::operands_of(graph, node)) {
    const Gains* of = gains(graph, one);
    for (std::size_t b = 0; b < blocks_; ++b) {
      raise(of_open(node)[b].as_it_is, of[b].as_it_is);
      raise(of_open(node)[b].turned, of[b].turned);
    }
  }
}

void SignedBounds::gain_sum(TrialGraph& graph, Index node, Gains* gains) {
  std::fill_n(gains, blocks_, Gains{});
  for (Index term : KnownValues::operands_of(graph, node)) {
    const Gains* of = this->gains(graph, term);
    for (std::size_t b = 0; b < blocks_; ++b) {
      add(gains[b].as_it_is, of[b].as_it_is);
      add(gains[b].turned, of[b].turned);
    }
  }
}

void SignedBounds::gain_product(TrialGraph& graph, Index node, Gains* gains) {
  std::copy_n(this->gains(graph, KnownValues::operands_of(graph, node)[0]), blocks_, gains);
  if (!graph.nodes_[node].is_negative) return;
  for (std::size_t b = 0; b < blocks_; ++b) std::swap(gains[b].as_it_is, gains[b].turned);
}

}  // namespace swizzle
