// Repetition: one group of threads, or one iteration, that was executed for many.
//
//   y[4 * b + t] = x[4 * b + t + 1], 3 blocks of 4 threads: one block, counts {3}, of x steps {4}; cells 0 … 3 of y,
//   of steps {4}, so that y[9] is y[1] with x[2] replaced by x[10]
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "synth/provenance/strides.h"

namespace swizzle {

struct LaunchShape;
struct Program;

// Which of the groups of threads that behave alike are executed: each, or one for all of them (Repetition).
enum class Groups { kEach, kAlike };

// A group stands for a box of groups: blocks, warps, or iterations of a sequential program. The others do what it does,
// with elements of each buffer further along, and store where no other group does.
struct Repetition {
  std::vector<std::int64_t> counts;              // of groups, by axis
  std::vector<std::optional<Steps>> read_steps;  // by buffer; none: nothing is read of it
};

// So many groups of threads are launched that it pays to look for those that behave alike.
bool may_repeat(const Program& program, const LaunchShape& shape);

// f(where the group's elements are, by its steps), group after group, until one returns false; returns whether none
// did.
template <typename F>
bool each_group(const std::vector<std::int64_t>& counts, const Steps& steps, F&& f) {
  std::vector<std::int64_t> at(counts.size(), 0);
  std::int64_t moved = 0;
  while (true) {
    if (!f(moved)) return false;
    std::size_t axis = 0;
    for (; axis < counts.size(); ++axis) {
      moved += steps[axis];
      if (++at[axis] < counts[axis]) break;
      moved -= steps[axis] * std::exchange(at[axis], 0);
    }
    if (axis == counts.size()) return true;
  }
}

}  // namespace swizzle
