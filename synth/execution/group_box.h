// GroupBox: groups of threads, or iterations, of which the first is executed for all: see repetition.h.
//
//   blockIdx.x of 3 blocks, of which the box has the last two    axes {blockIdx.x, step 1, count 3}, begin {1}
//     coordinate(blockIdx.x)   1, growing by 1 from each group to the next
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "synth/program/program.h"
#include "synth/provenance/strides.h"

namespace swizzle {

// What parts the groups of a box from each other: a coordinate of blocks or threads, or the variable of a loop, which
// is first + step · t in group t of the axis.
struct GroupAxis {
  std::optional<Builtin> coordinate;
  StmtId loop;  // otherwise
  std::int64_t first = 0, step = 1, count = 1;
};

// What becomes of an operation, or of a read: it counts as one on data, or on a buffer, or does not; or now this, now
// that.
struct IssuesOfPlace {
  bool counts = false, counts_not = false;
  bool is_shared = false;  // another box meets it, too
};
using IssuesByPlace = std::map<std::pair<bool, std::uint32_t>, IssuesOfPlace>;  // by operation, or where a read begins

// A box of groups, of which the first is executed: those of [begin[a], begin[a] + count) along each axis.
struct GroupBox {
  const std::vector<GroupAxis>& axes;
  bool by_warps = false;  // a group is a warp; otherwise a block, or an iteration
  std::vector<std::int64_t> begin;
  Strides strides;
  std::vector<std::optional<Steps>> read_steps = {};  // by buffer
  std::vector<char> is_written = {};                  // by buffer
  IssuesByPlace issues = {};                          // those of other boxes as well

  // Of the first group: 0 unless an axis parts the groups by this coordinate.
  std::int64_t begin_of(Builtin builtin) const;
  // `of_thread`: in the group's own block; of a thread's number, from the group's first thread on.
  Value coordinate(Builtin builtin, std::int64_t of_thread);
};

// The loops that a sequential program consists of, from the outside in, each alone in the one around it; how far they
// run is not known yet.
std::vector<StmtId> nested_loops(const Program& program);

}  // namespace swizzle
