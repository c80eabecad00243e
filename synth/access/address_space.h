// Memory by byte addresses: where variables, shared arrays and buffers lie, and the integers that they are known to
// hold.
//
//   region r of local variables, constants, buffers: (r + 2) · 2³⁶ + 2³⁵
//   region r of shared memory: 2³⁶ + its offset in the shared window, so that the low 32 bits of a pointer are the
//   address that inline PTX uses
//
// A pointer is then an integer, and casts between pointers and integers cost nothing. Reals and data are never stored:
// what is not stored is unknown. A part is found only by the offset and the size with which it was stored.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "synth/access/lane_value.h"

namespace swizzle {

enum class RegionKind { kLocal, kConstant, kShared, kGlobal };

// A value of any type: its known scalars, by offset.
struct Part {
  int size_bytes = 4;
  LaneValue value;
};
using Parts = std::map<std::int64_t, Part>;

// What an expression gives: a scalar (or pointer), or the known scalars of a record or an array.
struct Item {
  LaneValue value;
  Parts parts;
};

struct Region {
  RegionKind kind = RegionKind::kLocal;
  std::string name;
  std::int64_t base = 0;
  std::int64_t size_bytes = 0;
  std::optional<std::int64_t> launched_bytes = {};  // of dynamic shared memory, if the launch tells
  bool is_constant_memory = false;
  bool is_parameter = false;      // of the kernel: filled by the host
  std::uint64_t mask_serial = 0;  // kLocal: the threads that declared it
  int doubts = 0;                 // likewise: how many conditions that data decide stood around that
  Parts parts;                    // kLocal, kConstant: each thread its own
  struct Cell {
    int size_bytes = 0;
    std::int64_t value = 0;
  };
  std::unordered_map<std::int64_t, Cell> cells;  // kShared: by offset
  int cell_bytes = 0;  // of all that ever were, each at a multiple of it; -1: they are of several sizes
};

class AddressSpace {
 public:
  int allocate(RegionKind kind, std::string name, std::int64_t size_bytes, bool is_extern = false);
  int count() const { return static_cast<int>(regions_.size()); }
  Region& region(int id) { return regions_[static_cast<std::size_t>(id)]; }
  const Region& region(int id) const { return regions_[static_cast<std::size_t>(id)]; }
  LaneValue address_of(int id) const { return LaneValue::uniform(region(id).base).with_region(id); }

  // The region of an address: as it says, or that of any of its threads; kNoRegion if nothing is known.
  int region_of(const LaneValue& address, const Presences& present) const;
  int region_of(std::int64_t address) const;
  static std::int64_t shared_window() { return std::int64_t{1} << kRegionBits; }

  // What each thread finds in its own copy of a local region, or in a constant one. `size_bytes` of a scalar.
  LaneValue read_own(int id, const LaneValue& address, int size_bytes, std::size_t threads) const;
  Parts read_own_parts(int id, const LaneValue& address, std::int64_t size_bytes) const;
  LaneValue value_at(int id, std::int64_t offset, int size_bytes) const;
  // `replace`: whatever stood there does not count.
  void write_own(int id, const LaneValue& address, std::int64_t size_bytes, const Parts& parts,
                 const Presences& present, bool replace);
  // Those present perhaps hold this.
  void join(int id, std::int64_t offset, const Part& part, const Presences& present);
  // Called before a part of a local region changes, with what it holds, or null.
  void on_change(std::function<void(int, std::int64_t, const Part*)> told) { on_change_ = std::move(told); }

  // Where pointers lead that come out of global memory, or to one buffer or another: somewhere in global memory.
  int outside();
  // As overwrite(); of pointers to two buffers, one to somewhere in global memory.
  LaneValue merged(const LaneValue& old, const LaneValue& value, const Presences& present);

  LaneValue read_shared(int id, const LaneValue& address, int size_bytes, std::size_t threads) const;
  void write_shared(int id, const LaneValue& address, int size_bytes, const LaneValue& value, const Presences& present);
  void forget_shared();

 private:
  static constexpr int kRegionBits = 36;
  void write_part(int id, std::int64_t offset, const Part& part, const Presences& present, bool replace);
  void forget(int id, std::int64_t from, std::int64_t to, const Presences& present, bool replace);

  std::vector<Region> regions_;
  std::function<void(int, std::int64_t, const Part*)> on_change_;
  int outside_ = kNoRegion;
  std::int64_t shared_end_ = 0;
};

}  // namespace swizzle
