// TransformTable: a transformation hole as a constraint over its points, without listing its tables.
//
// Every table is base(p) + (shift(p) + R(key) + c) mod m, and its family is (base, shift, m). On 4 lanes, m = 4, base = 0,
// shift = lane, R = k or 0:
//   point (lane 1, k = 0) must be 2:                   c = 1, with either R
//   point (lane 3, k = 0) must be 3 as well:           c = 0: no table of this family is left
//   point (lane 1, k = 1) must be 3 instead:           c = 1 and R = k
// A family keeps for each key the rotations that all points of that key allow, and for each R the constants that all
// keys allow; both are bit masks, and a change at a point is a few intersections in each family that is left. Once few
// tables are left, values that none of them has are struck out.
#pragma once

#include <memory>

#include "synth/hole_constraint.h"

namespace swizzle {

class TransformTable : public HoleConstraint {
 public:
  TransformTable(const HoleSpace& space, std::shared_ptr<const TransformFamilies> families);
  bool filter(Domains& domains, std::uint32_t id, std::vector<Saved>& trail) override;
  bool admits(const std::vector<std::pair<std::size_t, std::int16_t>>& values) override;

 private:
  using Word = std::uint64_t;
  bool narrow_all(Domains& domains, std::uint32_t id, std::vector<Saved>& trail);
  bool narrow(std::size_t family, const Domains& domains);
  bool strike_out(Domains& domains) const;
  bool admits(std::size_t family, const std::vector<std::pair<std::size_t, std::int16_t>>& values);

  std::shared_ptr<const TransformFamilies> families_;
  // live_ holds for each family: one word that is 1 while it has tables; by key, the rotations; by R, the constants.
  std::vector<std::size_t> first_;  // by family: its first word
  std::vector<Word> mine_;          // of the family under way
  std::size_t idle_ = 0, skipped_ = 0;  // visits since it last struck out a value or found a conflict
  std::vector<std::uint8_t> narrowed_;  // by key, of the family under way
  std::vector<int> rotation_;           // by key, of the family under way; -1: not asked
  std::vector<std::size_t> asked_;      // keys
};

}  // namespace swizzle
