// CompactTable: a hole whose tables can all be listed, as a constraint over its points.
//
//   ?sw_cond(lane) on 4 lanes:   tables   lane < 1: 1000   lane < 2: 1100   lane == 1: 0100   …
//   point (0) must be 1: live tables 1000, 1100, …; no live table has 1 at point (3) and 0 at point (1): and so on
//
// The live tables are a bit set; each value of each point has the set of tables that support it, so that a change of a
// domain is an intersection, and a value without a live supporter is removed. Source: Demeulenaere et al.,
// "Compact-Table: Efficiently filtering table constraints with reversible sparse bit-sets", CP 2016.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "synth/propagation/table_constraint.h"
#include "synth/tables/table_list.h"

namespace swizzle {

class CompactTable : public TableConstraint {
 public:
  CompactTable(const HoleSpace& space, std::shared_ptr<const TableList> list);

  const TableList& list() const { return *list_; }
  // The first table, from `table` on, that is left; or as many as there are.
  std::size_t next_live(std::size_t table) const;
  bool is_live(std::size_t table) const { return (live_[table / 64] >> (table % 64) & 1) != 0; }

  bool filter(Domains& domains, std::uint32_t id, std::vector<Saved>& trail) override;
  bool admits(const std::vector<std::pair<std::size_t, std::int16_t>>& values) override;

 private:
  bool remove_value(Domains& domains);
  bool remove_few(Domains& domains);
  bool remove_bits(Domains& domains);

  std::shared_ptr<const TableList> list_;
  std::vector<std::uint32_t> residues_;  // by point and value: a word in which it was last supported
  // Of the visit under way.
  std::vector<std::uint64_t> before_;
  std::vector<const std::uint64_t*> values_;  // supports of one point's values
  std::vector<const std::int16_t*> few_;      // values of the tables that are left
  std::vector<Domains::Word> supported_;
  std::vector<std::uint64_t> no_zero_, no_one_;  // points where the value is left, and no table was seen to have it
};

}  // namespace swizzle
