// Structural search: posing and solving a sketch with ?sw_const holes, structure by structure.
//
//   int r[registers], sum = 0;  for (int i = 0; i < registers; i++) r[i] = x[4 * i + lane];    registers = ?sw_const(1, 4)
//   for (int k = 0; k < 2; k++) sum += __shfl_sync(~0u, r[?sw_part(registers, lane, k)], ?sw_xform(lane, 4, k));
//   and the sum of two neighbours on 4 lanes:
//     posed     1 register: rejected, no choice of the holes brings x[4] to y[3]
//               2: at least 28 slots (2 loads, 2 shuffles, 2 accumulates)     3: at least 36
//     solved    2: found, 36 slots     3: not at all, since nothing below 36 is left
//
// Each structure (constant_assignments.h) is a Problem of its own. What no completion of a structure can avoid to issue bounds its
// cost from below; structures are solved in the order of that bound, each for something cheaper than the best so far.
// The best is proved if every structure was solved to its end or costs at least as much by its bound alone. A structure
// that cannot be posed (it leaves a buffer, divides by zero, never ends) has no completion, nor has one with an output
// that lacks an input.
//
// With `jobs`, as many structures are posed, or solved, at a time. The least cost does not depend on that; which of
// several completions of that cost comes out may.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "synth/problem/pose.h"
#include "synth/search/solve.h"
#include "synth/program/constant_assignments.h"

namespace swizzle {

struct StructuralTask {
  const Program& sketch;
  const Program& spec;
  std::vector<Sizes> instances;
  Deadline deadline;
  Machine machine;
  std::size_t jobs = 1;
};

// A structure at all instances.
struct Structured {
  Structure structure;
  Program sketch;  // specialized
  Problem problem;
  std::vector<Posed> posed;  // by instance
};

struct Structures {
  struct Bounded {
    Structure structure;
    double bound = 0;  // issue slots of a warp that every completion takes
    std::optional<Structured> kept = {};  // of the first few, so that they need not be posed again
  };
  std::vector<Bounded> posed;  // by non-decreasing bound
  std::vector<std::pair<Structure, Diagnostics>> rejected;  // they cannot be posed
  std::size_t lacking = 0;     // structures with an output that lacks an input
  std::optional<Structured> first;  // posed[0]; if there are none, of those that lack something, the one that lacks least
  std::size_t size() const { return posed.size() + rejected.size() + lacking; }
  std::shared_ptr<const SpecRuns> spec;  // if there is more than one structure
  std::vector<std::pair<std::vector<HoleSpace>, std::size_t>> spaces;  // what is left to search, and in how many structures
};

// Errors: as structures_of(); as pose(), if no structure can be posed and all for one reason; the deadline.
Result<Structures> pose_structures(const StructuralTask& task);

struct StructuralSolution {
  Solution solution;  // tables of ?sw_const are its integer
  std::optional<Structured> best;  // the structure of the first completion; of an infeasible sketch, the one that comes closest
};

// Uses up what is kept of `structures`.
StructuralSolution solve_structures(const StructuralTask& task, Structures& structures, const SolveOptions& options);

// Why an infeasible sketch is so, in more words than the search has: see explanation.h.
std::string explain_infeasible(const StructuralTask& task, const Structures& structures, StructuralSolution& searched);

// log10 of the number of completions of all structures: of different tables. A rejected structure counts as one.
double distinct_space_log10(const Structures& structures);

}  // namespace swizzle
