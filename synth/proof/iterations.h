// The iterations of a spec, as the blocks of a launch share them out: private to this room.
#pragma once

#include "synth/proof/symbolic_run.h"

namespace swizzle {

// A loop over a size, of which block b of a dimension of the grid has indices share · b … share · b + share - 1. They
// number iterations, or, where the loop begins at another's index, they are its values: iteration 0 is `first` then.
// Each block makes all of those that no dimension shares out, if assumptions bound how many they may be.
// Of threads that are numbered through a product of sizes, one loop may run over all of it.
inline constexpr std::size_t kEachBlock = kPositions, kNumber = kPositions + 1;
struct SharedLoop {
  StmtId loop;
  std::size_t dimension = 0, first = 0, count = 0;  // the latter two in SizeRegion::carried, by iterations of others
  std::int64_t share = 1;
  Atom iteration = 0;
};

// Stores within the same loops.
struct LoopNest {
  std::vector<StmtId> loops;
  std::vector<SharedLoop> shared;
  std::set<std::size_t> buffers;
  bool has_updates = false;

  // No two blocks have the same iterations. Else the stores of one are repeated, which must not see the first ones.
  // `turns_over`: the dimension whose blocks share out turns.
  bool takes_all_blocks(const SizeRegion& region, std::optional<std::size_t> turns_over) const;
  bool is_of_first_blocks = false;  // no loop over a size makes the stores: the first block along each axis does
  bool is_sequence = false;  // of the innermost loop: its iterations hand something on, or each block makes all of them
};

// What the spec reads up to, if all loops around it have an iteration: in SizeRegion::carried.
struct BufferEnd {
  std::size_t end = 0;
  std::vector<std::size_t> counts;  // of those that may have none in some region

  bool holds(const SizeRegion& region) const {
    return std::ranges::all_of(counts, [&](std::size_t c) { return region.least(region.carried[c]).value_or(0) >= 1; });
  }
};

struct Iterations {
  std::vector<LoopNest> nests;
  std::set<StmtId> loops;
  // By parameter: where the buffer does not end before; and whether a directive says so.
  std::vector<std::vector<BufferEnd>> ends;
  std::vector<char> is_given;
  std::vector<std::size_t> bounds;       // of sizes and buffers, likewise
  std::vector<std::size_t> wide_bounds;  // of images with rows that are computed beyond their last one; 2 * n
  bool has_other_shares = false;         // several dimensions may share out a loop
  std::string reason;                    // why they are not followed

  bool store_to_any(const std::set<std::size_t>& buffers) const {
    return std::ranges::any_of(nests, [&](const LoopNest& nest) {
      return std::ranges::any_of(buffers, [&](std::size_t buffer) { return nest.buffers.contains(buffer); });
    });
  }
  std::set<StmtId> shared_loops() const {
    std::set<StmtId> all;
    for (const LoopNest& nest : nests) all.insert(nest.loops.begin(), nest.loops.end());
    return all;
  }
};

// Behind the item of the spec's buffer in which the slot is: of an item that is read in part, all is there.
Polynomial end_of_item(const Program& spec, std::size_t buffer, const Polynomial& slot);

// Without those that another one is never below in the region.
std::vector<Polynomial> longest(const std::set<Polynomial>& ends, const SizeRegion& region);

struct HowShared {
  bool takes_last = false;  // of dimensions that may share out a loop
  bool are_apart = false;   // loops that store to one buffer: they are parts of one, whose stores are apart
};

// Puts what it finds into whole.carried.
Iterations iterations_of(const Program& kernel, const Program& spec, SizeRegion& whole,
                         const std::map<std::string, Polynomial>& spec_sizes, const Deadline& deadline, HowShared how);

// Of two iterations of the spec, or two stores of one, which may go to one element; empty: none do.
std::string why_stores_meet(const Program& kernel, const Program& spec, const SizeRegion& whole,
                            const std::map<std::string, Polynomial>& spec_sizes, const Deadline& deadline);

}  // namespace swizzle
