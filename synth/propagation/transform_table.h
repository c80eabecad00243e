// TransformTable: a transformation hole as a constraint over its points, without listing its tables.
//
// Every table is base(p) + (shift(p) + R(key) + c) mod m, and its family is (base, shift, m). On 4 lanes, m = 4, base =
// 0, shift = lane, R = k or 0:
//   point (lane 1, k = 0) must be 2:                   c = 1, with either R
//   point (lane 3, k = 0) must be 3 as well:           c = 0: no table of this family is left
//   point (lane 1, k = 1) must be 3 instead:           c = 1 and R = k
// A family keeps for each key the rotations that all points of that key allow, and for each R the constants that all
// keys allow; both are bit masks, and a change at a point is a few intersections in each family that is left. Once few
// tables are left, values that none of them has are removed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "synth/propagation/table_constraint.h"

namespace swizzle {

class TransformTable : public TableConstraint {
 public:
  TransformTable(const HoleSpace& space, std::shared_ptr<const TransformFamilies> families);
  bool filter(Domains& domains, std::uint32_t id, std::vector<Saved>& trail) override;
  bool admits(const std::vector<std::pair<std::size_t, std::int16_t>>& values) override;

 private:
  using Word = std::uint64_t;
  bool narrow_all(Domains& domains, std::uint32_t id, std::vector<Saved>& trail);
  bool narrow(std::size_t family, const Domains& domains);
  bool remove_value(Domains& domains) const;
  bool admits(std::size_t family, const std::vector<std::pair<std::size_t, std::int16_t>>& values);
  // Which R have a difference between one key and another: by the other and the difference, `words` words each.
  struct Differences {
    std::size_t words;
    std::vector<Word> with;
  };
  const Differences& differences(const TransformFamily& f, std::size_t from);
  bool admits_rotations(std::size_t family);
  std::size_t words_of_families() const { return families_->families.size() / 64 + 1; }
  const Word* reaching_at(std::size_t position, std::int16_t value);
  std::vector<Word> reaching_from(const std::int16_t* base) const;

  Word& rotations(std::size_t key, std::size_t family) { return live_[(1 + key) * first_.size() + family]; }
  void write_back(std::size_t family, std::uint32_t id, std::vector<Saved>& trail);
  void set(std::size_t word, Word bits, std::uint32_t id, std::vector<Saved>& trail);

  std::shared_ptr<const TransformFamilies> families_;
  // live_ holds by family one word that is 1 while it has tables; then by key and family the rotations; then, from
  // first_ on, by R the constants of one family after the other.
  std::vector<std::size_t> first_;               // by family: its first word of constants
  std::map<int, std::vector<Word>> of_modulus_;  // families
  std::size_t idle_ = 0, skipped_ = 0;           // visits since it last removed a value or found a conflict
  bool narrowed_any_ = false;
  // Of the visit under way: the keys that changed, and of one family what is left of their rotations and of its
  // constants.
  std::vector<std::size_t> keys_;
  std::vector<std::size_t> place_;  // by key: in keys_
  std::vector<Word> mine_;
  std::vector<std::uint8_t> tells_;  // by place: whether its rotations were narrowed to a few
  // Of the question under way.
  std::vector<std::pair<std::size_t, std::int16_t>> spread_;  // the values, in another order
  std::vector<Word> candidates_;                              // families
  std::vector<int> rotation_;                                 // by key, of the family under way; -1: not asked
  std::vector<std::size_t> asked_;                            // keys
  // By position, as far as asked and memory goes: for each value the families that reach it.
  std::vector<std::vector<Word>> reaching_;
  std::size_t reaching_words_ = 0;
  // By the rotations of a modulus and a key: see Differences.
  std::map<std::pair<const TransformFamily::Rotations*, std::size_t>, Differences> differences_;
  std::vector<Word> left_;  // R, of the family under way
};

}  // namespace swizzle
