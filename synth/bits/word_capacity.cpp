#include "synth/bits/word_capacity.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "synth/provenance/words.h"

namespace swizzle {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// False: some bit is more than an input bit.
template <typename Elements>
bool take_bits(const Provenance& provenance, const Node& word, Elements& elements) {
  return std::ranges::all_of(word.children(), [&](const Value& bit) {
    if (!bit.is_node()) return true;
    const Node& node = provenance.node(bit);
    if (node.kind == Node::Kind::kBit) elements.emplace(node.tag, node.index() / kMostBits);
    return node.kind == Node::Kind::kBit;
  });
}

// The lowest bit with which the word is of more elements than that.
std::size_t first_beyond(const Provenance& provenance, const Node& word, double capacity) {
  std::set<std::pair<std::uint32_t, std::int64_t>> elements;
  for (std::size_t i = 0; i < word.children().size(); ++i) {
    const Value bit = word.children()[i];
    if (bit.is_node()) elements.emplace(provenance.node(bit).tag, provenance.node(bit).index() / kMostBits);
    if (static_cast<double>(elements.size()) > capacity) return i;
  }
  return 0;
}

}  // namespace

void WordCapacity::take(Value word, Parts& parts) const {
  const Provenance& provenance = problem_.provenance;
  if (provenance.is_index(word) || !parts.seen.insert(word.aux).second) return;
  const Node& node = provenance.node(word);
  if (!is_word(provenance, word)) parts.is_unbounded = true;
  if (!is_word(provenance, word) || !node.has_data) return;
  if (node.kind == Node::Kind::kWord) {
    parts.is_unbounded = parts.is_unbounded || !take_bits(provenance, node, parts.elements);
  } else if (node.tag >= kDeferredChoice) {
    parts.choices[node.tag - kDeferredChoice].push_back(word.as_node());
  } else {
    for (const Value& operand : node.children()) take(operand, parts);
  }
}

// What choices by the same point bring together.
double WordCapacity::of_alternatives(const std::vector<NodeId>& choices, std::size_t value) {
  std::set<std::uint32_t> words;
  double sum = 0;
  for (const NodeId choice : choices) {
    const Value word = problem_.provenance.node(choice).children()[value];
    if (word.is_node() && words.insert(word.aux).second) sum += of(word);
  }
  return sum;
}

double WordCapacity::of(const Parts& parts) {
  if (parts.is_unbounded) return kUnbounded;
  auto sum = static_cast<double>(parts.elements.size());
  for (const auto& [point, choices] : parts.choices) {
    double largest = 0;
    for (int v = 0; v < problem_.points[PointId(point)].domain; ++v)
      largest = std::max(largest, of_alternatives(choices, static_cast<std::size_t>(v)));
    sum += largest;
  }
  return sum;
}

double WordCapacity::of(Value word) {
  if (const auto it = known_.find(word.aux); it != known_.end()) return it->second;
  Parts parts;
  take(word, parts);
  const double capacity = of(parts);
  known_.emplace(word.aux, capacity);
  return capacity;
}

std::string WordCapacity::overfull(const std::vector<std::size_t>& equations) {
  const Provenance& provenance = problem_.provenance;
  for (const std::size_t number : equations) {
    const Equation& e = problem_.equations[number];
    if (!is_word(provenance, e.actual) || !is_word(provenance, e.expected)) continue;
    std::set<Element> needed;
    if (!take_bits(provenance, provenance.node(e.expected), needed)) continue;
    const double capacity = of(e.actual);
    if (static_cast<double>(needed.size()) <= capacity) continue;
    const std::string word = fmt::format("{}[{}]", problem_.buffer_names[e.buffer.value], e.slot);
    const std::size_t bit = first_beyond(provenance, provenance.node(e.expected), capacity);
    return fmt::format(
        "bit {} of {} needs {}, which cannot come there beside the others: {} needs bits of {} elements, "
        "and no more than {} can come together there",
        bit, word, provenance.describe(provenance.node(e.expected).children()[bit], problem_.buffer_names), word,
        needed.size(), capacity);
  }
  return {};
}

}  // namespace swizzle
