#include "synth/bits/reach.h"

#include <algorithm>

#include "synth/bits/leaf_sets.h"

namespace swizzle {
using namespace leaf_sets;
using Kind = SelectionNetwork::Kind;

Reach::Reach(const SelectionNetwork& network, Domains& domains)
    : network_(network),
      domains_(domains),
      live_(network, domains) {
  for (const std::vector<SelectionNetwork::LeafKind>& kinds : network.leaf_kinds) {
    words_.push_back((kinds.size() + kBits - 1) / kBits);
    leaves_.emplace_back().fill(std::vector<Word>(words_.back(), 0));
    for (std::size_t leaf = 0; leaf < kinds.size(); ++leaf)
      put(leaves_.back()[static_cast<std::size_t>(kinds[leaf])], static_cast<std::uint32_t>(leaf));
  }
  std::size_t end = 0;
  for (const SelectionNetwork::Node& node : network.nodes) {
    if (node.kind == Kind::kOpen) open_.push_back(static_cast<std::uint32_t>(offset_.size()));
    offset_.push_back(end);
    end += words_[node.component];
  }
  sets_.assign(end, 0);
  more_.assign(network.nodes.size(), kNone);
  dirty_.assign(network.nodes.size() / kBits + 1, 0);
  forced_.assign(network.nodes.size(), SelectionNetwork::kNoLeaf);
  visited_.assign(network.nodes.size(), 0);
  limited_.assign(network.nodes.size(), 0);
  for (std::uint32_t n = 0; n < network.nodes.size(); ++n)  // each after its parts
    if (live_.contains(n)) recompute(n);
  replaced_.clear(), former_.clear();  // nobody goes back behind this
}

void Reach::touch(PointId point) {
  for (const std::uint32_t node : network_.nodes_at[point.value]) touch(node);
}

void Reach::touch(std::uint32_t node) {
  if (!live_.contains(node)) return;
  Word& word = dirty_[node / kBits];
  const Word bit = Word{1} << (node % kBits);
  if ((word & bit) != 0) return;
  word |= bit;
  touched_.push_back(node);
}

void Reach::undo(Mark mark) {
  domains_.undo(mark.domains);
  for (; touched_.size() > mark.touched; touched_.pop_back())
    dirty_[touched_.back() / kBits] &= ~(Word{1} << (touched_.back() % kBits));
  live_.undo(mark.live);
  while (replaced_.size() > mark.sets) {
    const std::uint32_t node = replaced_.back();
    const std::size_t words = words_[network_.nodes[node].component];
    more_[node] = static_cast<More>(former_.back());
    std::copy_n(former_.end() - 1 - static_cast<std::ptrdiff_t>(words), words,
                sets_.begin() + static_cast<std::ptrdiff_t>(offset_[node]));
    former_.resize(former_.size() - words - 1);
    replaced_.pop_back();
  }
  for (; forced_nodes_.size() > mark.forced; forced_nodes_.pop_back())
    forced_[forced_nodes_.back()] = SelectionNetwork::kNoLeaf;
}

void Reach::force(std::uint32_t node, std::uint32_t leaf) {
  if (leaf == SelectionNetwork::kNoLeaf || forced_[node] == leaf) return;
  forced_[node] = leaf;
  forced_nodes_.push_back(node);
  touch(node);
}

// Of what may come out, what must.
void Reach::keep_forced(std::uint32_t node) {
  const std::uint32_t leaf = forced_[node], component = network_.nodes[node].component;
  const bool is_function = !is_plain(component, leaf);
  const bool is_reached =
      has(made_.data(), leaf) || (made_more_ & kAnything) != 0 || (is_function && made_more_ != kNone);
  made_.assign(made_.size(), 0);
  made_more_ = kNone;
  if (is_reached) put(made_, leaf);
}

void Reach::refresh() {
  for (std::size_t w = 0; w < dirty_.size(); ++w) {
    Word seen = 0;
    while (const Word left = dirty_[w] & ~seen) {
      const Word lowest = left & (~left + 1);
      seen |= lowest;
      const auto n = static_cast<std::uint32_t>(w * kBits) + static_cast<std::uint32_t>(std::countr_zero(left));
      if (!live_.contains(n)) continue;
      dirty_[w] &= ~lowest;
      if (!recompute(n)) continue;
      for (const std::uint32_t user : network_.users_of(n)) touch(user);
    }
  }
}

Reach::Set Reach::set_of(Reference r, std::uint32_t component, std::vector<Word>& scratch) const {
  if (r.is_node()) return {&sets_[offset_[r.node()]], more_[r.node()]};
  scratch.assign(words_[component], 0);
  if (r.is_leaf()) put(scratch, r.leaf());
  return {scratch.data(), kNone};
}

bool Reach::recompute(std::uint32_t n) {
  const SelectionNetwork::Node& node = network_.nodes[n];
  made_.assign(words_[node.component], 0);
  made_more_ = node.kind == Kind::kOpen ? kAnything : kNone;
  if (node.kind == Kind::kChoice) unite(node);
  else if (node.kind != Kind::kOpen)
    gate(node.kind, set_of(network_.references[node.first], node.component, scratch_[0]),
         set_of(network_.references[node.first + 1], node.component, scratch_[1]), node.component);
  if (forced_[n] != SelectionNetwork::kNoLeaf) keep_forced(n);
  Word* const mine = &sets_[offset_[n]];
  if (made_more_ == more_[n] && std::equal(made_.begin(), made_.end(), mine)) return false;
  replaced_.push_back(n);
  former_.insert(former_.end(), mine, mine + made_.size());
  former_.push_back(more_[n]);
  std::copy(made_.begin(), made_.end(), mine);
  more_[n] = made_more_;
  return true;
}

// What the alternatives of a choice that are left may be.
void Reach::unite(const SelectionNetwork::Node& choice) {
  const std::size_t words = made_.size();
  for (std::size_t w = 0; w < domains_.words(); ++w)
    for_each_bit(domains_.values(choice.point)[w], [&](std::uint32_t v) {
      const Reference r = network_.references[choice.first + w * kBits + v];
      if (r.is_leaf()) put(made_, r.leaf());
      if (!r.is_node()) return;
      made_more_ |= more_[r.node()];
      const Word* const from = &sets_[offset_[r.node()]];
      for (std::size_t i = 0; i < words; ++i) made_[i] |= from[i];
    });
}

Reach::More Reach::more_of(const Set& s, std::uint32_t component) const {
  constexpr More kMore[] = {kNone, kOrs, kAnds, kAnything};  // by LeafKind
  More more = s.more;
  for (std::size_t kind = 1; kind < std::size(kMore); ++kind)
    for (std::size_t w = 0; w < words_[component] && (more & kMore[kind]) == 0; ++w)
      if ((s.words[w] & leaves_[component][kind][w]) != 0) more |= kMore[kind];
  return more;
}

Reach::More Reach::more_of(Reference r, std::uint32_t component) const {
  return more_of(set_of(r, component, scratch_[0]), component);
}

// What the functions of AND or OR of two sets are, given which have input bits.
Reach::More Reach::functions_of(Kind kind, const Set& a, bool bits_a, const Set& b, bool bits_b) {
  const More same = kind == Kind::kOr ? kOrs : kAnds, more_a = a.more, more_b = b.more;
  More more = more_a | more_b;
  if ((bits_a || (more_a & same) != 0) && (bits_b || (more_b & same) != 0)) more |= same;
  if (((more_a & ~same) != 0 && (bits_b || more_b != kNone)) || ((more_b & ~same) != 0 && (bits_a || more_a != kNone)))
    more |= kMixed;
  return more;
}

// With complements, bits may come to 0 and 1, and what is said here of functions of several no longer holds:
// (a | b) & (a | ~b) is a.
//
// Of input bits, 0 and 1, a conjunction is one of them where the other is 1, or the same; of two different bits it is a
// function of both. Such functions are monotone and no constants: a disjunction of two is an input bit only where one
// of them is (where that bit alone is 1, one of them must be 1) and the other implies it, which no disjunction of
// different bits does, and never 0 or 1. Likewise a conjunction.
void Reach::gate(Kind kind, Set a, Set b, std::uint32_t component) {
  a.more = more_of(a, component), b.more = more_of(b, component);
  const bool zero_a = has(a.words, kZero), one_a = has(a.words, kOne), zero_b = has(b.words, kZero),
             one_b = has(b.words, kOne);
  const auto has_bits = [&](const Set& s) {
    Word found = s.words[0] & ~Word{3};
    for (std::size_t w = 1; w < made_.size(); ++w) found |= s.words[w];
    return found != 0;
  };
  const bool bits_a = has_bits(a), bits_b = has_bits(b), is_xor = kind == Kind::kXor;
  const bool has_complements = network_.has_complements[component];
  made_more_ = functions_of(kind, a, bits_a, b, bits_b);
  if (has_complements && (bits_a || a.more != kNone) && (bits_b || b.more != kNone) && (a.more | b.more) != kNone)
    made_more_ |= kAnything;
  if ((made_more_ & kAnything) != 0 ||
      (is_xor && (made_more_ != kNone || (bits_a && bits_b) || ((one_a || one_b) && (bits_a || bits_b))))) {
    made_more_ = kAnything;
    return;
  }
  const More implied = kMixed | (kind == Kind::kAnd ? kOrs : kAnds);
  const bool pass_a = (b.more & implied) != 0 || (kind == Kind::kAnd ? one_b : zero_b),
             pass_b = (a.more & implied) != 0 || (kind == Kind::kAnd ? one_a : zero_a);
  for (std::size_t w = 0; w < made_.size(); ++w)
    made_[w] = (pass_a ? a.words[w] : 0) | (pass_b ? b.words[w] : 0) | (is_xor ? 0 : a.words[w] & b.words[w]);
  made_[0] &= ~Word{3};
  const bool cancel = has_complements && bits_a && bits_b;
  const bool zero = kind == Kind::kAnd  ? zero_a || zero_b || cancel
                    : kind == Kind::kOr ? zero_a && zero_b
                                        : (zero_a && zero_b) || (one_a && one_b);
  const bool one = kind == Kind::kAnd  ? one_a && one_b
                   : kind == Kind::kOr ? one_a || one_b || cancel
                                       : (zero_a && one_b) || (one_a && zero_b);
  if (zero) put(made_, kZero);
  if (one) put(made_, kOne);
}

bool Reach::is_plain(std::uint32_t component, std::uint32_t leaf) const {
  return has(leaves_[component][static_cast<std::size_t>(SelectionNetwork::LeafKind::kPlain)].data(), leaf);
}

bool Reach::may_be(Reference r, std::uint32_t component, std::uint32_t leaf) const {
  if (r.is_leaf()) return r.leaf() == leaf;
  if (!r.is_node()) return false;
  if (forced_[r.node()] != SelectionNetwork::kNoLeaf && forced_[r.node()] != leaf) return false;
  if ((more_[r.node()] & kAnything) != 0) return true;
  if (leaf == SelectionNetwork::kNoLeaf) return more_[r.node()] != kNone;
  const bool is_function = !is_plain(component, leaf);
  return has(&sets_[offset_[r.node()]], leaf) || (is_function && more_[r.node()] != kNone);
}

}  // namespace swizzle
