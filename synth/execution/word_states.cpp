#include "synth/execution/word_states.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "synth/provenance/deferred_words.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

struct Element {
  std::uint32_t buffer;
  std::int64_t index;
  friend auto operator<=>(const Element&, const Element&) = default;
};

Element element_of(const Node& bit) { return {bit.tag, bit.index() / kMostBits}; }

void add_elements(const Provenance& provenance, Value v, std::set<Element>& elements) {
  if (!v.is_node()) return;
  const Node& node = provenance.node(v);
  if (node.kind == Node::Kind::kBit) elements.insert(element_of(node));
  node.for_each_part([&](Value part) { add_elements(provenance, part, elements); });
}

// An exclusive-or of so many bits, or anything else.
std::string brief_function(const Node& node) {
  const bool is_sum = node.kind == Node::Kind::kRing &&
                      std::ranges::all_of(node.terms(), [](const Term& term) { return term.factors.size() == 1; });
  return is_sum ? fmt::format("^{}", node.terms().size()) : "f";
}

std::string element_text(Element e, const std::vector<std::string>& inputs, bool is_one_input) {
  return fmt::format("{}{}", is_one_input ? "" : inputs[e.buffer], e.index);
}

}  // namespace

void tell_bits(Provenance& provenance, const std::vector<std::string>& inputs, std::vector<WordState>& states) {
  std::set<Element> elements;
  for (const WordState& state : states) add_elements(provenance, state.word, elements);
  const bool is_one_element = elements.size() <= 1,
             is_one_input = elements.empty() || elements.begin()->buffer == elements.rbegin()->buffer;
  for (WordState& state : states)
    for (const Value bit : bits_of(provenance, state.word, word_width(provenance, state.word))) {
      Held& held = state.bits.emplace_back(Held{provenance.describe(bit, inputs), "."});
      if (bit.is_int() && bit.bits != 0) held.brief = "#";
      if (!bit.is_node()) continue;
      const Node& node = provenance.node(bit);
      const std::int64_t position = node.index() % kMostBits;
      held.brief = node.kind != Node::Kind::kBit ? brief_function(node)
                   : is_one_element
                       ? std::to_string(position)
                       : fmt::format("{}:{}", element_text(element_of(node), inputs, is_one_input), position);
    }
}

Held held_word(Provenance& provenance, Value word, const std::vector<std::string>& inputs, bool is_one_input) {
  const std::vector<Value> bits = bits_of(provenance, word, word_width(provenance, word));
  std::set<Element> elements;
  for (const Value bit : bits) add_elements(provenance, bit, elements);
  Held held{describe_word(provenance, word, inputs), fmt::format("*{}", elements.size())};
  if (elements.size() != 1) return held;
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (!bits[i].is_node() || provenance.node(bits[i]).kind != Node::Kind::kBit ||
        provenance.node(bits[i]).index() % kMostBits != static_cast<std::int64_t>(i))
      return held;
  const std::string element = element_text(*elements.begin(), inputs, is_one_input);
  return {fmt::format("{}[{}]", inputs[elements.begin()->buffer], elements.begin()->index), element};
}

}  // namespace swizzle
