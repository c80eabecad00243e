// Structural search: posing and solving a sketch with ?sw_const holes, structure by structure.
//
//   auto rc = load(x, base, 1, ?sw_const(1, 4));   and a 3-point stencil of 32 lanes
//     posed    1 register: at least 8 slots     2: at least 16     3: at least 24     visited in this order
//     solved   1: infeasible     2: found, 46 slots     3: not below 24 + …: only what costs less than 46 is looked for
//
// Each structure (structures.h) is a Problem of its own. What no completion of a structure can avoid to issue bounds its
// cost from below; structures are solved in the order of that bound, each for something cheaper than the best so far.
// The best is proved if every structure was solved to its end or costs at least as much by its bound alone. A structure
// that cannot be posed (it leaves a buffer, divides by zero, never ends) is no completion.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "synth/pose.h"
#include "synth/solve.h"
#include "synth/structures.h"

namespace swizzle {

struct StructuralTask {
  const Program& sketch;
  const Program& spec;
  std::vector<Sizes> instances;
  Deadline deadline;
  Machine machine;
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
  };
  std::vector<Bounded> posed;  // by non-decreasing bound
  std::vector<std::pair<Structure, Diagnostics>> rejected;  // they cannot be posed
  std::optional<Structured> first;  // of `posed`
  std::vector<std::pair<std::vector<HoleSpace>, std::size_t>> spaces;  // what is left to search, and in how many structures
};

// Errors: as structures_of(); as pose(), if no structure can be posed and all for one reason; the deadline.
Result<Structures> pose_structures(const StructuralTask& task);

struct StructuralSolution {
  Solution solution;  // tables of ?sw_const are its integer
  std::optional<Structured> best;  // the structure of the first completion
};

// Uses up `structures.first`.
StructuralSolution solve_structures(const StructuralTask& task, Structures& structures, const SolveOptions& options);

// log10 of the number of completions of all structures: of different tables. A rejected structure counts as one.
double distinct_space_log10(const Structures& structures);

}  // namespace swizzle
