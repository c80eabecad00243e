// TableConstraint: that the values of a hole's points are one of its tables, as something to propagate.
//
// Told which points changed, filter() removes values that no table has any more. What it forgets about tables on
// the way down a search tree goes to a trail, word by word, and comes back by restore().
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "synth/tables/domains.h"
#include "synth/tables/tables.h"

namespace swizzle {

class TableConstraint {
 public:
  struct Saved {
    std::uint32_t id;
    std::size_t word;
    std::uint64_t bits;
  };

  explicit TableConstraint(const HoleSpace& space) : space_(&space) {
    for (std::size_t p = 0; p < space.points.size(); ++p) changed_.push_back(p);
  }
  virtual ~TableConstraint() = default;

  const HoleSpace& space() const { return *space_; }
  void note_changed(std::size_t position) { changed_.push_back(position); }
  void forget_changes() { changed_.clear(); }

  // False: no table is left. Overwritten words are appended to `trail` under `id`.
  virtual bool filter(Domains& domains, std::uint32_t id, std::vector<Saved>& trail) = 0;
  // Whether some table that is left has these values, by position.
  virtual bool admits(const std::vector<std::pair<std::size_t, std::int16_t>>& values) = 0;
  void restore(const Saved& saved) {
    assert((live_[saved.word] & ~saved.bits) == 0);  // nothing was added in between
    live_[saved.word] = saved.bits;
  }

 protected:
  const HoleSpace* space_;
  std::vector<std::uint64_t> live_;   // which tables are left, in whatever way
  std::vector<std::size_t> changed_;  // positions; one may stand here several times
};

}  // namespace swizzle
