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

  double settings() const;
  // Null where there are too many.
  std::shared_ptr<const TransformFamilies> families() const;

 private:
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
  XformPrinter printer_;
  std::vector<std::int64_t> indices_;
  std::vector<std::size_t> index_of_, everywhere_;  // by point; all points
  std::vector<std::uint32_t> cell_of_;              // by point: position of its key · indices + of its index
  std::vector<std::vector<std::int64_t>> keys_;
  std::vector<std::vector<std::size_t>> members_;
  std::optional<RotationLists> rotations_;
  mutable std::vector<ShapeTable> shape_tables_;  // filled in when first asked for
};

// Operations and terms of a rotation so far.
struct SpentOnRotation {
  int ops = 0, terms = 0;
  SpentOnRotation with(const RotationLists::Entry& e) const { return {ops + e.least_ops, terms + e.terms()}; }
  SpentOnRotation with_constant(int c) const { return {ops, terms + (c != 0 ? 1 : 0)}; }
};

// No printed expression of this shape in [0, domain), with so much in its rotations, costs less.
int least_ops(const XformShape& shape, int domain, const SpentOnRotation& extra, const SpentOnRotation& turn);

}  // namespace swizzle
