// Claims: an equation, and what it comes to where operations have no laws that are known.
//
//   exp(x - m) / s  =  exp(x - M) / S     that quotient; then  exp(x - m) = exp(x - M),  m = M,  s = S
//   (x - m) · rsqrt(q)  =  (x - M) · rsqrt(Q)     rsqrt(q) = rsqrt(Q), q = Q, m = M
//   a · b  =  A · B, sums of different buffers    a = A, b = B;  and so of a + b
//   max(a…) - min(b…)  =  max(A…) - min(B…)       max(a…) = max(A…), min(b…) = min(B…)
//
// Each is true where the equation is, in form; and one that fewer steps decide is refuted sooner.
#pragma once

#include <optional>
#include <vector>

#include "synth/problem/problem.h"

namespace swizzle {

struct Claim {
  Value actual, expected;
  Scalar scalar = Scalar::kI32;
  bool is_output = false;        // the equation as a whole
  bool is_told_by_form = false;  // whatever other equations are made of
};

// The whole comes first. Of values without choices, nothing is claimed.
std::vector<Claim> claims_of(Provenance& provenance, const Equation& equation);

// Of the least, the greatest or the disjunction of inputs alone, whatever is chosen: how many there are among them.
// Nothing: another value.
std::optional<std::size_t> size_of_set(const Provenance& provenance, Value v, Ring ring);

// Whether an operation, by its code, is but a function of its operands: nothing else comes to be equal to it.
bool has_no_laws(const Node& operation);

}  // namespace swizzle
