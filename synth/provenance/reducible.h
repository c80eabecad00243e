// What values may become once the points below them are decided: private to synth/.
//
// A node stands for a value in its normal form, but the normal form of what is left when a point is decided may be
// another kind of node. At a point P of two values:
//
//   x · choice P (0, 1)              may be 0
//   float(choice P (x, -1))          may be the constant -1
//   x << choice P (0, 3)             is no shift any more: x, or 8 · x
//
// Who says that a sum needs no product with x, or that no function of another name can become the one that is needed,
// has to ask here first. The answers are safe, not exact: "may" can be wrong, "may not" cannot. A sum under way
// (kAppended) may be anything.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "synth/provenance/provenance.h"

namespace swizzle {

// Of integers modulo 2^width: so many such coefficients, added or multiplied, may be 0. -1 is 2^width - 1.
bool may_wrap(Scalar s, Value coefficient, int together);

class Reducible {
 public:
  explicit Reducible(const Provenance& provenance) : provenance_(provenance) {}

  bool to_constant(Value v);
  bool to_zero(Value v);

  // Of a function of operands with choices: to something else than this function of other operands; to an operand that
  // is itself such a function.
  bool function(Value v);
  bool to_operand(Value v) const;

 private:
  bool node_to_constant(Value v);
  bool sum_to_constant(const Node& node);
  bool leads_to(Value v, std::uint32_t tag) const;

  const Provenance& provenance_;
  std::unordered_map<std::uint32_t, bool> constant_, zero_;  // by node
};

}  // namespace swizzle
