// XformSpace: all that a transformation swizzle may be over the points of one hole, as shapes and lists of rotations.
//
//   ?sw_xform(i, 4, k), i and k in 0 … 3:   keys k = 0, 1, 2, 3, each with 4 points
//     shape (i + y) mod 4, R(k) = -k, y = 2:      a table of 16 values, `(i - k + 2) & 3`, 3 operations
//
// Holes that are asked with the same arguments share one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "synth/tables/tables.h"
#include "synth/tables/xform_printer.h"
#include "synth/tables/xform_rotations.h"
#include "synth/tables/xform_shapes.h"

namespace swizzle {

// Operations and terms of a rotation so far, its constant being one, and the spread of their sum. factor: of the only
// variable that has one; kSeveral: there are more.
struct SpentOnRotation {
  static constexpr int kSeveral = -1;
  int ops = 0, terms = 0, spread = 0, constants = 0, factor = 0;
  bool varies() const { return terms > constants; }
  SpentOnRotation with(const RotationLists::Entry& e) const {
    const int own = e.rotation.factor;
    return {ops + e.least_ops, terms + e.terms(), spread + e.spread, constants,
            own == 0      ? factor
            : factor == 0 ? own
                          : kSeveral};
  }
  SpentOnRotation with_constant(int c) const {
    return {ops, terms + (c != 0 ? 1 : 0), spread, constants + (c != 0 ? 1 : 0), factor};
  }
};

class XformSpace {
 public:
  using Entry = RotationLists::Entry;
  using Chosen = std::vector<const Entry*>;  // by k…

  // A shape over the indices that there are: value = start + (offset + (shift + y) mod run) mod group.
  struct ShapeTable {
    std::vector<std::int16_t> start, shift;  // by position in indices()
    std::vector<std::int16_t> offset;        // by x, position in indices()
  };

  explicit XformSpace(const HoleSpace& space);

  const std::vector<XformShape>& shapes() const { return shapes_; }
  const ShapeTable& shape_table(const XformShape& shape) const;                 // of one of shapes()
  const std::vector<std::int64_t>& indices() const { return indices_; }         // distinct i
  const std::vector<std::size_t>& index_of() const { return index_of_; }        // by point: position in indices()
  const std::vector<std::vector<std::int64_t>>& keys() const { return keys_; }  // distinct (k…)
  const std::vector<std::vector<std::size_t>>& members() const {
    return members_;
  }  // by key: positions in HoleSpace::points
  std::size_t arity() const { return keys_[0].size(); }

  // R and P by variable j.
  const std::vector<Entry>& turns(std::size_t j, const XformShape& shape) const;
  const std::vector<Entry>& extras(std::size_t j, const XformShape& shape) const;

  // With the constants x and y. `at`: positions in HoleSpace::points.
  std::vector<std::int16_t> values(const XformShape& shape, const Chosen& extras, const Chosen& turns, int x, int y,
                                   const std::vector<std::size_t>& at) const;
  std::vector<std::int16_t> values(const XformShape& shape, const Chosen& extras, const Chosen& turns, int x,
                                   int y) const;
  // Of the members of one key, whose rotations add up to x and y.
  void values_of_key(const XformShape& shape, std::size_t key, int x, int y, std::vector<std::int16_t>& values) const;
  IndexExpr expression(const XformShape& shape, const Chosen& extras, const Chosen& turns, int x, int y) const;
  std::optional<double> distinct_log10(const Deadline& deadline) const;  // see TableGrammar

  // No printed expression of this shape, with so much in its rotations, costs less.
  int least_ops(const XformShape& shape, const SpentOnRotation& extra, const SpentOnRotation& turn) const;

  double settings() const;
  // Null where there are too many.
  std::shared_ptr<const TransformFamilies> families() const;

 private:
  // What of a shape's expression the indices that there are ask for.
  struct Needs {
    bool start = false;          // some index is not in the first group
    bool low = false;            // i mod period takes several values
    bool quotient = false;       // ⌊i mod group / period⌋ does
    int spread = 0, digits = 0;  // of what is reduced modulo the run, and, if swapped, modulo the period
  };
  Needs needs_of(const XformShape& shape) const;
  const Needs& needs(const XformShape& shape) const {
    return needs_[static_cast<std::size_t>(&shape - shapes_.data())];
  }
  int least_ops_swapped(const XformShape& shape, const SpentOnRotation& extra, const SpentOnRotation& turn) const;

  struct Column {
    const std::int16_t* offset;  // by index
    int turned;
  };
  std::vector<Column> columns(const XformShape& shape, const Chosen& extras, const Chosen& turns, int x,
                              int y) const;  // by key
  void fill(const XformShape& shape, const ShapeTable& table, const Column& column,
            std::int16_t* values) const;  // by index
  static std::int16_t value_at(const XformShape& shape, const ShapeTable& table, std::size_t i,
                               const std::int16_t* offset, int y);
  // The sums of one entry for each variable, modulo m, by key.
  template <typename Entries>
  std::vector<std::vector<std::int16_t>> sums(int m, Entries&& entries_of) const;
  void place_family(const XformShape& shape, const std::vector<std::int16_t>& extra_by_key, int x, std::size_t family,
                    TransformFamilies& families) const;
  std::vector<std::uint64_t> words(const XformShape& shape) const;
  template <typename Each>
  void each_setting(const XformShape& shape, const std::vector<std::uint64_t>& words, Chosen& extras, Chosen& turns,
                    Each&& each) const;

  std::vector<XformShape> shapes_;
  std::vector<Needs> needs_;  // by shape
  int domain_;
  XformPrinter printer_;
  std::vector<std::int64_t> indices_;
  std::vector<std::size_t> index_of_, everywhere_;  // by point; all points
  std::vector<std::uint32_t> cell_of_;              // by point: position of its key · indices + of its index
  std::vector<std::vector<std::int64_t>> keys_;
  std::vector<std::vector<std::size_t>> members_;
  std::optional<RotationLists> rotations_;
  mutable std::vector<ShapeTable> shape_tables_;  // filled in when first asked for
};

}  // namespace swizzle
