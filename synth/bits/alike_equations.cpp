#include "synth/bits/alike_equations.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "synth/base/hashes.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostWritten = 1 << 22;  // numbers, of all equations: what lies beyond is like nothing

// Numbers things in the order in which they are met; again from 0 after restart().
class Numbering {
 public:
  void restart() { ++round_, count_ = 0; }

  // Whether it is met for the first time, and its number.
  std::pair<bool, std::uint32_t> of(std::uint32_t thing) {
    if (thing >= met_.size()) met_.resize(thing + std::size_t{1});
    Met& met = met_[thing];
    if (met.round == round_) return {false, met.number};
    met = {round_, count_};
    return {true, count_++};
  }

 private:
  struct Met {
    std::uint32_t round = 0, number = 0;
  };
  std::vector<Met> met_;  // by thing
  std::uint32_t round_ = 0, count_ = 0;
};

// What a value is, as numbers: elements and nodes are counted as they are met.
class Writing {
 public:
  explicit Writing(const Provenance& provenance) : provenance_(provenance) {}

  const std::vector<std::uint64_t>& of(const Equation& equation) {
    text_.clear(), nodes_.restart(), elements_.restart();
    put(static_cast<std::uint64_t>(equation.scalar) * 2 + (equation.stored ? 1 : 0));
    write(equation.actual);
    write(equation.expected);
    return text_;
  }

 private:
  void put(std::uint64_t number) { text_.push_back(number); }

  void write(const Value& v) {
    if (!v.is_node()) {
      put(static_cast<std::uint64_t>(v.kind) | std::uint64_t{v.aux} << 8);
      return put(static_cast<std::uint64_t>(v.bits));
    }
    const auto [is_fresh, number] = nodes_.of(v.aux);
    put(static_cast<std::uint64_t>(v.kind) | std::uint64_t{number} << 8);
    if (is_fresh) write(v.as_node());
  }

  void write(NodeId id) {
    const Node& node = provenance_.node(id);
    const Node* const element = whole_element(id);
    put(static_cast<std::uint64_t>(node.kind) << 48 | static_cast<std::uint64_t>(node.ring) << 40 |
        static_cast<std::uint64_t>(node.scalar) << 32 | (element != nullptr ? node.children().size() : 0));
    if (element != nullptr) return write_element(*element);
    if (node.kind == Node::Kind::kInput || node.kind == Node::Kind::kBit) return write_element(node);
    put(std::uint64_t{node.tag} << 32 | node.children().size());
    for (const Value& child : node.children()) write(child);
    put(node.terms().size());
    for (const Term& term : node.terms()) {
      write(term.coefficient);
      put(term.factors.size());
      for (const NodeId factor : term.factors) write(Value::node(factor));
    }
  }

  // Of a word whose bits are those of an element of the input, its lowest bit; looked for once.
  const Node* whole_element(NodeId word) {
    if (provenance_.node(word).kind != Node::Kind::kWord) return nullptr;
    if (word.value >= whole_.size()) whole_.resize(provenance_.size());
    std::optional<const Node*>& known = whole_[word.value];
    if (!known) known = find_whole_element(provenance_.node(word));
    return *known;
  }

  const Node* find_whole_element(const Node& word) const {
    const Node* lowest = nullptr;
    std::int64_t position = 0;
    for (const Value& v : word.children()) {
      if (!v.is_node() || provenance_.node(v).kind != Node::Kind::kBit) return nullptr;
      const Node& bit = provenance_.node(v);
      if (lowest == nullptr) lowest = &bit;
      if (bit.tag != lowest->tag || bit.index() != lowest->index() + position++) return nullptr;
    }
    return lowest != nullptr && lowest->index() % kMostBits == 0 ? lowest : nullptr;
  }

  void write_element(const Node& node) {
    const bool is_bit = node.kind == Node::Kind::kBit;
    const std::int64_t index = is_bit ? node.index() / kMostBits : node.index();
    const auto known = names_.try_emplace({node.tag, index}, static_cast<std::uint32_t>(names_.size())).first->second;
    put(std::uint64_t{elements_.of(known).second} << 8 |
        static_cast<std::uint64_t>(is_bit ? node.index() % kMostBits : 0));
  }

  struct HashOfPair {
    std::size_t operator()(const std::pair<std::uint32_t, std::int64_t>& e) const {
      return mix(e.first, static_cast<std::size_t>(e.second));
    }
  };

  const Provenance& provenance_;
  std::vector<std::uint64_t> text_;
  Numbering nodes_, elements_;
  std::unordered_map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t, HashOfPair> names_;  // buffer, index
  std::vector<std::optional<const Node*>> whole_;                                                // by node
};

}  // namespace

std::vector<std::size_t> unlike_equations(const Problem& problem) {
  Writing writing(problem.provenance);
  std::set<std::vector<std::uint64_t>> met;
  std::vector<std::size_t> unlike;
  std::size_t written = 0;
  for (std::size_t e = 0; e < problem.equations.size(); ++e) {
    if (written > kMostWritten) {
      unlike.push_back(e);
      continue;
    }
    const std::vector<std::uint64_t>& text = writing.of(problem.equations[e]);
    written += text.size();
    if (met.insert(text).second) unlike.push_back(e);
  }
  return unlike;
}

std::vector<std::size_t> some_of(const std::vector<std::size_t>& all, std::size_t most) {
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i)
    some.push_back(all[i * (all.size() - 1) / std::max<std::size_t>(1, std::min(most, all.size()) - 1)]);
  return some;
}

}  // namespace swizzle
