#include "synth/bits/word_capacity.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "synth/provenance/casts.h"
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

// Of how many bits of the input a bit that no hole decides is a function, in its normal form; more than that, of
// others.
double bits_below(const Provenance& provenance, Value bit) {
  if (!bit.is_node()) return 0;
  const Node& node = provenance.node(bit);
  if (node.kind == Node::Kind::kBit) return 1;
  if (node.kind != Node::Kind::kRing || node.ring != Ring::kXor) return kUnbounded;
  std::set<NodeId> bits;
  for (const Term& term : node.terms()) bits.insert(term.factors.begin(), term.factors.end());
  const bool are_bits =
      std::ranges::all_of(bits, [&](NodeId b) { return provenance.node(b).kind == Node::Kind::kBit; });
  return are_bits ? static_cast<double>(bits.size()) : kUnbounded;
}

// Each bit of what the operation makes is made of one bit of each operand.
bool is_bitwise(const Provenance& provenance, const Node& word) {
  const auto is = [&](Operator op) { return word.tag == static_cast<std::uint32_t>(op); };
  if (is(Operator::kAnd) || is(Operator::kOr) || is(Operator::kXor)) return true;
  if (is(Operator::kShl) || is(Operator::kShr)) return provenance.is_index(word.children()[1]);
  const auto cast = cast_of(word.tag);
  return cast && cast->to != Scalar::kBool;
}

}  // namespace

// Sign bits are copied by casts and shifts, which makes them no functions of more.
double WordCapacity::of_bit(const Node& word) {
  const Provenance& provenance = problem_.provenance;
  if (!word.has_data) return 0;
  double most = 0, sum = 0;
  if (word.kind == Node::Kind::kWord) {
    for (const Value& bit : word.children()) most = std::max(most, bits_below(provenance, bit));
    return most;
  }
  const bool is_choice = word.tag >= kDeferredChoice;
  if (!is_choice && !is_bitwise(provenance, word)) return kUnbounded;
  for (const Value& operand : word.children()) {
    const double below = of_bit(operand);
    most = std::max(most, below);
    sum += below;
  }
  return is_choice ? most : sum;
}

double WordCapacity::of_bit(Value word) {
  const Provenance& provenance = problem_.provenance;
  if (provenance.is_index(word)) return 0;
  if (!is_word(provenance, word)) return kUnbounded;
  if (const auto it = known_of_bit_.find(word.aux); it != known_of_bit_.end()) return it->second;
  return known_of_bit_[word.aux] = of_bit(provenance.node(word));
}

std::string WordCapacity::too_deep(const std::vector<std::size_t>& equations) {
  const Provenance& provenance = problem_.provenance;
  for (const std::size_t number : equations) {
    const Equation& e = problem_.equations[number];
    if (!is_word(provenance, e.actual) || !is_word(provenance, e.expected)) continue;
    const double most = of_bit(e.actual);
    const Children expected = provenance.node(e.expected).children();
    for (std::size_t bit = 0; bit < expected.size() && most < kUnbounded; ++bit) {
      const double needed = bits_below(provenance, expected[bit]);
      if (needed > most && needed < kUnbounded)
        return fmt::format("bit {} of {}[{}] needs {} bits of the input, and no more than {} can come together there",
                           bit, problem_.buffer_names[e.buffer.value], e.slot, needed, most);
    }
  }
  return {};
}

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
