// Conflict: why no completion lies within the domains, as far as one constraint knows.
//
//   y[3] needs x[4], and no live option of any of its summands brings it:   {equation of y[3], missing x[4]}
#pragma once

#include <cstddef>
#include <string>

#include "synth/network/sum_constraint.h"
#include "synth/problem/problem.h"

namespace swizzle {

// Why there is no completion (any more).
struct Conflict {
  std::size_t equation = SumConstraint::npos;  // as in SumConstraint
  std::size_t requirement = 0;
  Value missing;                               // what nothing can bring any more, or undefined
  std::size_t needed = 0, offered = 0;         // of a matching with fewer tuples than monomials
  std::size_t matching = SumConstraint::npos;  // where it was found, if in a matching
  bool interrupted = false;                    // no conflict: the work was told to stop
  HoleId hole{};                               // valid: none of its tables fits, whatever the rest says
};

// "y[5], written by thread 5, needs x[99], which no choice of the holes brings there"
std::string explain(const Conflict& conflict, const Problem& problem);

}  // namespace swizzle
