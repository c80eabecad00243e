// The solver wall: Z3 answers questions about a Formula.
//
//   (p0 ∨ p1), p0 + p1 ≤ 1, minimize 3·p0 + 2·p1     →  kFound, p0 = false, p1 = true, objective 2
//
// z3++.h is included by z3_solver.cpp alone, and Z3's exceptions end there: what it cannot decide is kUnknown, with its
// reason. Every question can be written down as a stand-alone SMT-LIB script.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "synth/base/outcome.h"
#include "synth/oracle/formula.h"

namespace swizzle {

struct Z3Answer {
  Outcome outcome = Outcome::kUnknown;
  std::string reason;          // of kUnknown
  std::vector<bool> model;     // of kFound: by variable; [0] is unused
  std::int64_t objective = 0;  // of kFound

  bool holds(Literal l) const {
    return l.code > 0 ? model[static_cast<std::size_t>(l.code)] : !model[static_cast<std::size_t>(-l.code)];
  }
};

// A model of least objective. Time in seconds; kUnknown if the least is not proved by then.
Z3Answer minimize(const Formula& formula, double time_limit_seconds);

// The formula, without its objective, in SMT-LIB 2 with Z3's pseudo-Boolean operators.
std::string to_smt2(const Formula& formula);

}  // namespace swizzle
