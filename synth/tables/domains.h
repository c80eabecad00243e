// Domains: the values that each point may still take, as bit masks that can be undone.
//
//   point   0      1      2           keep(1, {2}) narrows point 1, remembers what it was,
//   values  {0,1}  {1,2}  {0,1,2,3}   and appends it to changed(); undo(mark) brings it back
//
// Values only disappear on the way down a search tree; undo() is the way up.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "synth/provenance/points.h"

namespace swizzle {

class Domains {
 public:
  using Word = std::uint64_t;
  static constexpr int kBits = 64;

  explicit Domains(const PointTable& points) {
    int largest = 1;
    for (std::size_t p = 0; p < points.size(); ++p) largest = std::max(largest, points[PointId(p)].domain);
    words_ = static_cast<std::size_t>((largest + kBits - 1) / kBits);
    values_.assign(points.size() * words_, 0);
    counts_.assign(points.size(), 0);
    for (std::size_t p = 0; p < points.size(); ++p) {
      counts_[p] = points[PointId(p)].domain;
      for (int v = 0; v < counts_[p]; ++v) values_[p * words_ + word_of(v)] |= bit_of(v);
    }
  }

  std::size_t points() const { return counts_.size(); }
  std::size_t words() const { return words_; }  // of one point
  const Word* values(PointId p) const { return &values_[p.value * words_]; }
  bool allows(PointId p, int value) const { return (values_[p.value * words_ + word_of(value)] & bit_of(value)) != 0; }
  int count(PointId p) const { return counts_[p.value]; }
  // The smallest value that is left.
  int first(PointId p) const {
    const Word* w = values(p);
    std::size_t i = 0;
    while (w[i] == 0) ++i;
    return static_cast<int>(i) * kBits + std::countr_zero(w[i]);
  }

  // Keeps the values that are also in `mask` (words() words). False: none is left.
  bool keep(PointId p, const Word* mask) {
    Word* mine = &values_[p.value * words_];
    bool shrinks = false;
    for (std::size_t i = 0; i < words_; ++i) shrinks |= (mine[i] & ~mask[i]) != 0;
    if (!shrinks) return true;
    trail_.push_back(p.value);
    trail_.push_back(static_cast<Word>(counts_[p.value]));
    int left = 0;
    for (std::size_t i = 0; i < words_; ++i) {
      trail_.push_back(mine[i]);
      mine[i] &= mask[i];
      left += std::popcount(mine[i]);
    }
    counts_[p.value] = left;
    changed_.push_back(p);
    return left > 0;
  }

  bool fix(PointId p, int value) {
    if (counts_[p.value] == 1) return allows(p, value);
    std::vector<Word>& mask = scratch_;
    mask.assign(words_, 0);
    mask[word_of(value)] = bit_of(value);
    return keep(p, mask.data());
  }

  // False: it was the last one.
  bool remove_value(PointId p, int value) {
    if (!allows(p, value)) return true;
    scratch_.assign(words_, ~Word{0});
    scratch_[word_of(value)] &= ~bit_of(value);
    return keep(p, scratch_.data());
  }

  // Points that keep() narrowed since this was last emptied; a point may stand here several times.
  std::vector<PointId>& changed() { return changed_; }

  std::size_t mark() const { return trail_.size(); }
  void undo(std::size_t mark) {
    while (trail_.size() > mark) {
      const std::size_t entry = trail_.size() - words_ - 2;
      const auto p = static_cast<std::size_t>(trail_[entry]);
      counts_[p] = static_cast<int>(trail_[entry + 1]);
      for (std::size_t i = 0; i < words_; ++i) values_[p * words_ + i] = trail_[entry + 2 + i];
      trail_.resize(entry);
    }
    changed_.clear();
  }

 private:
  static std::size_t word_of(int value) { return static_cast<std::size_t>(value) / kBits; }
  static Word bit_of(int value) { return Word{1} << (static_cast<std::size_t>(value) % kBits); }

  std::size_t words_ = 1;
  std::vector<Word> values_;  // words_ a point
  std::vector<int> counts_;
  std::vector<Word> trail_;  // point, count, words: what was
  std::vector<PointId> changed_;
  std::vector<Word> scratch_;
};

}  // namespace swizzle
