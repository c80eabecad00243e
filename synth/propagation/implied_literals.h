// ImpliedLiterals: what the values of one hole force at the points of the others, as a test of its tables.
//
// Lane 0 needs x[5], which only lane 5 holds, in register 0; it may come by lane hole P and register hole Q:
//   P(0) = 5 → Q(5) = 0      P(1) = 5 → Q(5) = 1, for lane 1 needs x[37], from the same lane's register 1
//   so P(0) and P(1) are not both 5, and no table of P passes in which they are
// What a table forces at one hole's points must fit some table of that hole, too.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "synth/network/constraint_network.h"
#include "synth/propagation/table_constraint.h"

namespace swizzle {

// Where a point has a value, each of these holds as well.
struct Implication {
  PointId point;
  int value;
  std::vector<std::pair<PointId, int>> others;
};

// What it says that exactly one of these holds: of points that all of them pass.
std::vector<Implication> implications(const std::vector<Path>& alternatives);

class ImpliedLiterals : public TableTest {
 public:
  // By point: the constraint of its hole (or null) and its position there.
  using Constraints = std::vector<std::pair<TableConstraint*, std::size_t>>;

  ImpliedLiterals(const HoleSpace& space, Constraints constraints);

  // Of those that begin with a point of the hole.
  void add(const std::vector<Implication>& implications);
  // The same, with the positions of points in `points` for points.
  void add(const std::vector<Implication>& implications, const std::vector<PointId>& points);
  bool any() const { return any_; }

  bool passes(const std::vector<std::size_t>& positions, const std::vector<std::int16_t>& values) override;

 private:
  using Literal = std::pair<PointId, int>;
  template <typename PointOf>
  void add(const std::vector<Implication>& implications, PointOf&& point_of);
  bool force(PointId point, int value);

  const HoleSpace& space_;
  Constraints constraints_;
  std::vector<std::size_t> position_of_;      // by point, of the hole's own
  std::vector<std::vector<Literal>> forced_;  // by position and value
  bool any_ = false;
  // Of the table that is being tested.
  std::vector<std::pair<std::uint64_t, int>> value_;  // by point: in which test it was set, and to what
  std::uint64_t test_ = 0;
  std::vector<std::pair<TableConstraint*, std::vector<std::pair<std::size_t, std::int16_t>>>> asked_;  // of other holes
  std::vector<std::size_t> place_of_;  // by point: in asked_, or none
};

}  // namespace swizzle
