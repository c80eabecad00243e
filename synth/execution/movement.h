// What moves between the registers of a warp's lanes, step by step: shuffles, and copies that change a register's
// place.
//
//   float tmp = __shfl_sync(m, rc[0], (lane + 1) & 3);       on 4 lanes, of which each holds two elements of x
//
//   before   rc[0]   x[0]  x[1]  x[2]  x[3]
//            rc[1]   x[4]  x[5]  x[6]  x[7]
//   after    tmp     x[1]  x[2]  x[3]  x[0]      moves (row 0, lane 1) → (row 0, lane 0), …
//
// A statement that is executed again is a step of its own, unless it fills other registers from the same ones.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "synth/execution/word_states.h"

namespace swizzle {

struct RegisterRow {
  std::string name;         // "rc[1]"; "sent" and "received" have none
  std::vector<Held> holds;  // by lane
};

// From a row of `before` to one of `after`.
struct LaneMove {
  int from_row = 0, from_lane = 0, to_row = 0, to_lane = 0;
};

struct MovementStep {
  SourceRange range;                                        // of the shuffle, or of the assignment
  bool is_shuffle = false;                                  // else nothing leaves its lane
  std::vector<std::pair<std::string, std::int64_t>> loops;  // around it, outermost first: "k" is 1
  std::vector<RegisterRow> before, after;
  std::vector<LaneMove> moves;
};

struct Movement {
  int lanes = 32;
  std::vector<MovementStep> steps;
  std::vector<WordState> words = {};  // of lane 0, where words are followed bit by bit
};

// Of the first warp of a kernel without holes. Errors: as execute().
Result<Movement> movement_of(const Program& kernel, Execution execution);

}  // namespace swizzle
