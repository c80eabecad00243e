// Logic forms: words that `&`, `|` and `^` are mixed in, one form each.
//
//   x[0] | (x[0] & x[1])                                  x[0]
//   (g1 | p1 & g0) & p2 | g2                              g2 | p2 & (g1 | p1 & g0)
//
// Each bit is a function of the same bit of the words that it is made of, and constants other than 0 and ~0 count as
// such words: equal functions are equal values. They are told by the decision diagrams of Lattice. The first value that
// was made of a function stays its form. Only values that no hole decides any more have one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "synth/provenance/lattice.h"
#include "synth/provenance/value.h"

namespace swizzle {

class Provenance;

class LogicForms {
 public:
  // Of a word without choices, some operand of whose `|` is made by `&` or `^`, or the other way round.
  Value form(const Provenance& provenance, Value v);

 private:
  using Function = std::optional<Lattice::Function>;

  Function function_of(const Provenance& provenance, Scalar s, Value v);
  Function function_of_ring(const Provenance& provenance, Scalar s, Value v);
  Lattice::Function atom(Value v);

  Lattice lattice_;
  std::unordered_map<std::uint32_t, Function> functions_;  // by node
  std::map<std::pair<Scalar, Lattice::Function>, Value> values_;
  std::map<std::pair<bool, std::int64_t>, Lattice::Atom> atoms_;  // is a constant; its bits, or the node
};

}  // namespace swizzle
