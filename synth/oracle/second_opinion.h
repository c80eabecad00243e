// A second opinion: the Problem handed to Z3 whole, with neither propagation nor table search.
//
//   y[t] = x[?sw_xform(t, 4)] on 4 lanes, spec y[t] = x[3 - t]:
//     the hole's parameters   exactly one group, fan and period; one constant c
//     its points              group 4, fan 3, period 4, c = 3  →  P_1 = 2
//     y[1] = x[2]             P_1 = 2 and none of P_1 = 0, P_1 = 1, P_1 = 3
//     cost                    group 4, fan 3, period 4, c = 3  →  at least 2 operations, `3 - t` as it would be printed
//
// solve() counts tables and bounds costs; here the parameters of the grammar (tables.h) and the provenance of every
// output are written down as they are defined, so that an error in one is seen by the other. For reduced sizes: some
// 8 lanes and 8 iterations.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "synth/base/outcome.h"
#include "synth/machine/machine.h"
#include "synth/oracle/z3_solver.h"
#include "synth/problem/problem.h"

namespace swizzle {

struct SecondOpinion {
  Outcome outcome = Outcome::kUnknown;
  std::string reason;                             // of kUnknown
  double cost = 0;                                // of kFound: the least Cost::total of all completions
  std::vector<std::vector<std::int16_t>> tables;  // of kFound: by HoleId, by position in HoleSpace::points
};

SecondOpinion ask_z3(Problem& problem, const IssueCosts& machine, double time_limit_seconds);

// The same question, without costs, as a stand-alone SMT-LIB 2 script; a comment if it cannot be written.
std::string problem_to_smt2(Problem& problem, const IssueCosts& machine);

class Encoding;

// Questions about completions of a Problem, which outlives this: whether there is one.
//
//   Inquiry inquiry(problem, machine);
//   inquiry.ask(inquiry.completed_by(best.tables, 13), 10)    kFound: Z3 agrees that this is one, and costs no more
//   inquiry.ask(inquiry.cheaper_than(13), 10)                 kInfeasible: none is cheaper
class Inquiry {
 public:
  Inquiry(Problem& problem, const IssueCosts& machine);
  ~Inquiry();

  const std::string& why_not() const;  // not empty: the problem cannot be written down, so that nothing may be asked

  Query any() const { return {}; }
  Query completed_by(const std::vector<HoleTable>& tables, double cost) const;  // by HoleId
  Query cheaper_than(double cost) const;

  Z3Answer ask(const Query& query, double time_limit_seconds);
  std::string script(const Query& query);  // stand-alone SMT-LIB 2

 private:
  std::unique_ptr<Encoding> encoding_;
  Z3Session session_;
};

}  // namespace swizzle
