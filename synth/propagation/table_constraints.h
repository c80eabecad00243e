// TableConstraints: the holes that take part in propagation as a whole.
//
//   y[t] = x[?sw_part(2, t)] on 4 lanes: 5 tables (0000, 0001, 0011, 0111, 1111); 0 at t = 2 leaves 0000 and 0001
//
// With all its tables listed (CompactTable) a hole is asked at once; by its families (TransformTable) when nothing else
// is left to do.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "synth/propagation/compact_table.h"
#include "synth/propagation/implied_literals.h"
#include "synth/propagation/transform_table.h"

namespace swizzle {

class TableConstraints {
 public:
  explicit TableConstraints(Domains& domains) : domains_(domains) {}

  // What is given outlives this.
  void add(const HoleSpace& space, std::shared_ptr<const TableList> list);
  void add(const HoleSpace& space, std::shared_ptr<const TransformFamilies> families);
  // Lists what is left of a hole that takes part by its families.
  void list(const HoleSpace& space, std::shared_ptr<const TableList> list);

  bool has_families(const HoleSpace& space) const;
  // The tables of a hole that are left; nothing if they are not listed.
  const CompactTable* table_of(const HoleSpace& space) const;
  // By point: the constraint that has it, and its position there.
  ImpliedLiterals::Constraints by_point() const;

  void note_change(PointId point);
  bool any_listed_waits() const { return !listed_queue_.empty(); }
  bool any_family_waits() const { return !family_queue_.empty(); }
  // Asks one that waits. The hole, if none of its tables is left.
  std::optional<HoleId> ask_listed() { return ask(listed_queue_); }
  std::optional<HoleId> ask_family() { return ask(family_queue_); }
  void forget_changes();

  std::size_t mark() const { return trail_.size(); }
  void undo(std::size_t mark);

 private:
  static constexpr std::uint32_t kNone = ~0u;
  void add(std::unique_ptr<TableConstraint> constraint, const CompactTable* listed);
  std::uint32_t id_of(const HoleSpace& space) const;
  std::optional<HoleId> ask(std::vector<std::uint32_t>& queue);

  Domains& domains_;
  std::vector<std::unique_ptr<TableConstraint>> tables_;
  std::vector<const CompactTable*> listed_;                      // by table; or nothing
  std::vector<std::pair<std::uint32_t, std::size_t>> table_at_;  // by point: table and position in it
  std::vector<std::uint8_t> queued_;                             // by table
  std::vector<std::uint32_t> listed_queue_, family_queue_;
  std::vector<TableConstraint::Saved> trail_;
};

}  // namespace swizzle
