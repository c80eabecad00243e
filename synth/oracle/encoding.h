// Encoding: a Problem as a Formula, its holes by the parameters of their grammars or by the tables that are left.
//
//   ?sw_xor(lane, 4, d), of which a search left two tables, a and b:   a or b; a → the values of a; b → those of b
//   ?sw_linear(lane, 8, k), too many to list:                          a literal for each bit of a basis of its points
//   any other that is too many to list:                                the values that are left, and nothing else
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "synth/base/deadline.h"
#include "synth/machine/machine.h"
#include "synth/oracle/formula.h"
#include "synth/oracle/hole_encoder.h"
#include "synth/oracle/z3_solver.h"
#include "synth/problem/problem.h"

namespace swizzle {

// What a search leaves of a problem.
struct LeftOpen {
  Domains values;                                   // of the points
  std::vector<std::vector<HoleTable>> tables = {};  // by HoleId, all that fit; empty: too many to list
};

class Encoding {
 public:
  Encoding(Problem& problem, const IssueCosts& machine) : problem_(problem), machine_(machine) {}

  // By the grammars' parameters alone, or by what is left, within limits. False: see why().
  bool encode();
  bool encode(const LeftOpen& left, const Deadline& deadline, std::size_t most_clauses);
  const std::string& why() const { return why_; }
  const Formula& formula() const { return formula_; }
  // Every completion's cost is known by its formula.
  bool is_priced() const { return is_priced_; }

  Literal value(PointId point, int value) const { return values_[point.value][static_cast<std::size_t>(value)]; }
  // The literals that give the holes these tables.
  Literals choice_of(const std::vector<HoleTable>& tables) const;
  // What a completion's holes may add, in units of the objective, for a total of at most `cost`, or of less.
  std::int64_t left_of(double cost) const;
  std::int64_t left_below(double cost) const;

  double cost_in(const Z3Answer& answer) const;
  std::vector<std::vector<std::int16_t>> tables_in(const Z3Answer& answer) const;  // by HoleId, by position

 private:
  void take(const HoleSpace& space, EncodedHole hole);
  EncodedHole listed(const HoleSpace& space, const std::vector<HoleTable>& tables);
  EncodedHole unlisted(const HoleSpace& space);
  void add_linear(const HoleSpace& space, const EncodedHole& hole);
  bool encode_equations(const Deadline& deadline, std::size_t most_clauses);
  bool price();
  void issue_where(Value guard, const Literals& clause);

  Problem& problem_;
  const IssueCosts machine_;
  Formula formula_;
  std::vector<Literals> values_;    // by PointId
  std::vector<EncodedHole> holes_;  // by HoleId
  int denominator_ = 1;
  bool is_priced_ = true;
  std::string why_;
};

}  // namespace swizzle
