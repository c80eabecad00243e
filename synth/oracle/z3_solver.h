// The solver wall: Z3 answers questions about a Formula.
//
//   (p0 ∨ p1), p0 + p1 ≤ 1, minimize 3·p0 + 2·p1     →  kFound, p0 = false, p1 = true, objective 2
//
// z3++.h is included by z3_solver.cpp alone, and Z3's exceptions end there: what it cannot decide is kUnknown, with its
// reason. Every question can be written down as a stand-alone SMT-LIB script.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
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
  bool is_least = false;       // of minimize(): none is less

  bool holds(Literal l) const {
    return l.code > 0 ? model[static_cast<std::size_t>(l.code)] : !model[static_cast<std::size_t>(-l.code)];
  }
};

// What is asked of a formula besides its own clauses.
struct Query {
  Literals facts = {};  // they hold
  std::optional<std::int64_t> objective_at_most = {};
  std::vector<Literals> clauses = {};
};

std::string z3_version();  // "4.8.12"

// Answers several queries of one formula, which outlives it and does not change.
class Z3Session {
 public:
  explicit Z3Session(const Formula& formula);
  ~Z3Session();

  // The model of the least objective that is met by then. Times in seconds.
  Z3Answer minimize(const Query& query, double time_limit_seconds);
  // Any model.
  Z3Answer decide(const Query& query, double time_limit_seconds);
  // The query in SMT-LIB 2 with Z3's pseudo-Boolean operators; the objective is in it only as far as it is bounded.
  std::string to_smt2(const Query& query);

 private:
  class Impl;
  Impl& impl();

  const Formula& formula_;
  std::unique_ptr<Impl> impl_;  // from the first query on
};

}  // namespace swizzle
