// EquationEncoder: what the outputs of a Problem are, under every choice of its points, as a Formula.
//
//   y[1] = choice P (x[0], x[1]) + choice Q (x[1], x[2])  must be  x[1] + x[2]
//     x[0] comes with P = 0, x[1] with P = 1 and with Q = 0, x[2] with Q = 1:
//     [P = 0] = 0     [P = 1] + [Q = 0] = 1     [Q = 1] = 1
//
// kSum counts, kXor counts modulo 2 for each bit of the coefficients, the others ask for presence.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "synth/base/deadline.h"
#include "synth/oracle/formula.h"
#include "synth/problem/problem.h"

namespace swizzle {

class EquationEncoder {
 public:
  // values[point][v]: the point has value v
  EquationEncoder(Problem& problem, const std::vector<Literals>& values, Formula& formula, const Deadline& deadline,
                  std::size_t most_clauses);

  // Every equation holds, no requirement is violated, and stores agree. False: too much to write down; why() says what.
  bool encode();
  const std::string& why() const { return why_; }

 private:
  struct Part {
    Literal when;
    Value value;  // without choices
  };
  using Parts = std::vector<Part>;
  using Contributions = std::vector<std::pair<Literal, Value>>;  // condition, coefficient

  bool equation(const Equation& e);
  void stores();
  Parts values_of(Value v);
  std::vector<std::pair<Value, Literal>> by_child(const Node& choice);
  bool in_ring(Ring ring, Scalar s, Value actual, Value expected);
  Parts summands(Ring ring, Scalar s, Value v);
  Parts summands_of_choice(Ring ring, Scalar s, const Node& choice);
  Parts product(Ring ring, Scalar s, const Term& term);
  Parts outcomes(Value v);
  Literal violated(Value v);
  bool counted(Scalar s, const Contributions& actual, Value expected);
  bool odd(Scalar s, const Contributions& actual, Value expected);
  void constant_of_set(Ring ring, Scalar s, const Contributions& actual, std::optional<Value> expected);
  bool fail(std::string why);
  bool is_too_long(std::size_t parts, const char* what);

  Problem& problem_;
  Provenance& provenance_;
  const std::vector<Literals>& values_;
  Formula& formula_;
  const Deadline deadline_;
  const std::size_t most_clauses_;
  std::map<std::pair<Ring, std::uint32_t>, Parts> summands_;  // by node
  std::map<std::uint32_t, Parts> outcomes_;
  std::map<std::uint32_t, Literal> violated_;
  std::string why_;
};

}  // namespace swizzle
