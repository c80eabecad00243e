#include "synth/bits/word_capacity.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "synth/provenance/words.h"

namespace swizzle {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

}  // namespace

WordCapacity::WordCapacity(const Problem& problem) : problem_(problem) {
  const Provenance& provenance = problem.provenance;
  for (std::uint32_t n = 0; n < provenance.size(); ++n) {
    const Value word = Value::node(NodeId(n));
    if (!is_word(provenance, word)) continue;
    for (const Value& bit : provenance.node(word).children())
      if (provenance.has_choice(bit)) words_[bit.aux].push_back(n);
  }
}

// False: it is more than an input bit.
bool WordCapacity::take_leaf(Value bit, std::set<Element>& elements) const {
  if (!bit.is_node()) return true;
  const Node& node = problem_.provenance.node(bit);
  if (node.kind == Node::Kind::kBit) elements.emplace(node.tag, node.index() / kMostBits);
  return node.kind == Node::Kind::kBit;
}

// `within`: the word whose bits are taken; earlier words that it was made of are counted by themselves.
void WordCapacity::take(Value bit, std::uint32_t within, Parts& parts) const {
  const Provenance& provenance = problem_.provenance;
  if (!provenance.has_choice(bit)) {
    parts.is_unbounded = parts.is_unbounded || !take_leaf(bit, parts.elements);
    return;
  }
  if (!parts.seen.insert(bit.aux).second) return;
  const Node& node = provenance.node(bit);
  const bool is_gate = node.kind == Node::Kind::kOpaque && node.tag >= kOpaqueGate;
  if (node.kind != Node::Kind::kChoice && !is_gate) {
    parts.is_unbounded = true;
  } else if (is_gate || problem_.holes[problem_.points[PointId(node.tag)].hole.value].traits().is_word()) {
    for (const Value& child : node.children()) take(child, within, parts);
  } else if (const auto in = words_.find(bit.aux); parts.is_nested && in != words_.end() && in->second[0] < within) {
    parts.bits.insert(bit.aux);
  } else {
    parts.shared[node.tag].push_back(bit);
  }
}

// Few words that have all the bits among theirs: next comes the one that has most of what is left.
std::set<std::uint32_t> WordCapacity::words_of(std::set<std::uint32_t> bits, std::uint32_t before) const {
  std::set<std::uint32_t> words;
  while (!bits.empty()) {
    std::map<std::uint32_t, std::size_t> counts;
    for (const std::uint32_t bit : bits)
      for (const std::uint32_t word : words_.at(bit))
        if (word < before) ++counts[word];
    const auto most = std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
    words.insert(most->first);
    for (const Value& bit : problem_.provenance.node(NodeId(most->first)).children())
      if (bit.is_node()) bits.erase(bit.aux);
  }
  return words;
}

double WordCapacity::of(const std::vector<Value>& bits, std::uint32_t within, bool is_nested) {
  Parts parts;
  parts.is_nested = is_nested;
  for (const Value& bit : bits) take(bit, within, parts);
  if (parts.is_unbounded) return kUnbounded;
  auto sum = static_cast<double>(parts.elements.size());
  for (const std::uint32_t word : words_of(std::move(parts.bits), within)) sum += of_word(word);
  for (const auto& [point, choices] : parts.shared) {
    double largest = 0;
    for (int v = 0; v < problem_.points[PointId(point)].domain; ++v) {
      std::vector<Value> chosen;
      for (const Value& choice : choices)
        chosen.push_back(problem_.provenance.node(choice).children()[static_cast<std::size_t>(v)]);
      largest = std::max(largest, of(chosen, within, true));
    }
    sum += largest;
  }
  return sum;
}

double WordCapacity::of_word(std::uint32_t word) {
  if (const auto it = known_.find(word); it != known_.end()) return it->second;
  const Children children = problem_.provenance.node(NodeId(word)).children();
  const double capacity = of({children.begin(), children.end()}, word, false);
  known_.emplace(word, capacity);
  return capacity;
}

std::string WordCapacity::overfull() {
  const Provenance& provenance = problem_.provenance;
  for (const Equation& e : problem_.equations) {
    if (!is_word(provenance, e.actual) || !is_word(provenance, e.expected)) continue;
    std::set<Element> needed;
    const Children bits = provenance.node(e.expected).children();
    if (!std::ranges::all_of(bits, [&](const Value& bit) { return take_leaf(bit, needed); })) continue;
    const double capacity = of_word(e.actual.aux);
    if (static_cast<double>(needed.size()) > capacity)
      return fmt::format("{}[{}] needs bits of {} elements, and no more than {} can come together there",
                         problem_.buffer_names[e.buffer.value], e.slot, needed.size(), capacity);
  }
  return {};
}

}  // namespace swizzle
