// Constant search: posing and solving a sketch with ?sw_const holes, assignment by assignment.
//
//   int r[registers], sum = 0;  for (int i = 0; i < registers; i++) r[i] = x[4 * i + lane];    registers = ?sw_const(1,
//   4) for (int k = 0; k < 2; k++) sum += __shfl_sync(~0u, r[?sw_part(registers, lane, k)], ?sw_xform(lane, 4, k)); and
//   the sum of two neighbours on 4 lanes:
//     posed     1 register: rejected, no choice of the holes brings x[4] to y[3]
//               2: at least 28 slots (2 loads, 2 shuffles, 2 accumulates)     3: at least 36
//     solved    2: found, 36 slots     3: not at all, since nothing below 36 is left
//
// Each assignment (constant_assignments.h) is a Problem of its own. What no completion of an assignment can avoid to
// issue bounds its cost from below; assignments are solved in the order of that bound, each for something cheaper than
// the best so far. The best is proved if every assignment was solved to its end or costs at least as much by its bound
// alone. An assignment that cannot be posed (it leaves a buffer, divides by zero, never ends) has no completion, nor
// has one with an output that lacks an input.
//
// With `jobs`, as many assignments are posed, or solved, at a time. The least cost does not depend on that; which of
// several completions of that cost comes out may.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "synth/problem/pose.h"
#include "synth/program/constant_assignments.h"
#include "synth/search/solve.h"

namespace swizzle {

struct SynthesisTask {
  const Program& sketch;
  const Program& spec;
  std::vector<Sizes> instances;
  Deadline deadline;
  IssueCosts issue_costs;
  std::size_t jobs = 1;
  Groups groups = Groups::kAlike;  // that are executed
};

// An assignment at all instances.
struct PosedAssignment {
  ConstantAssignment assignment;
  Program sketch;  // specialized
  Problem problem;
  std::vector<Posed> posed;  // by instance
};

struct PosedAssignments {
  struct Bounded {
    ConstantAssignment assignment;
    double bound = 0;                          // issue slots of a warp that every completion takes
    std::optional<PosedAssignment> kept = {};  // of the first few, so that they need not be posed again
  };
  std::vector<Bounded> posed;                                        // by non-decreasing bound
  std::vector<std::pair<ConstantAssignment, Diagnostics>> rejected;  // they cannot be posed
  std::size_t lacking = 0;                                           // assignments with an output that lacks an input
  std::optional<PosedAssignment>
      first;  // posed[0]; if there are none, of those that lack something, the one that lacks least
  std::size_t size() const { return posed.size() + rejected.size() + lacking; }
  std::shared_ptr<const SpecRuns> spec;  // if there is more than one assignment
  std::vector<std::pair<std::vector<HoleSpace>, std::size_t>>
      spaces;  // what is left to search, and in how many assignments
};

// Errors: as constant_assignments(); as pose(), if no assignment can be posed and all for one reason; the deadline.
Result<PosedAssignments> pose_assignments(const SynthesisTask& task);

struct SynthesisSolution {
  Solution solution;  // tables of ?sw_const are its integer
  std::optional<PosedAssignment>
      best;  // the assignment of the first completion; of an infeasible sketch, the one that comes closest
};

// Uses up what is kept of `assignments`.
SynthesisSolution solve_assignments(const SynthesisTask& task, PosedAssignments& assignments,
                                    const SolveOptions& options);

// Why an infeasible sketch is so, in more words than the search has: see explanation.h.
std::string explain_infeasible(const SynthesisTask& task, const PosedAssignments& assignments,
                               SynthesisSolution& searched);

// log10 of the number of completions of all assignments: of different tables. A rejected assignment counts as one.
// Nothing: too many to count, or to count in time.
std::optional<double> distinct_space_log10(const PosedAssignments& assignments, const Deadline& deadline = {});

}  // namespace swizzle
