// Claims: an equation, and what it comes to where operations have no laws that are known.
//
//   exp(x - m) / s  =  exp(x - M) / S     that quotient; then  exp(x - m) = exp(x - M),  m = M,  s = S
//   (x - m) · rsqrt(q)  =  (x - M) · rsqrt(Q)     rsqrt(q) = rsqrt(Q), q = Q, m = M
//   a · b  =  A · B, sums of different buffers    a = A, b = B
//
// Each is true where the equation is, in form; and one that fewer steps decide is refuted sooner.
//
// Private to synth/trials/.
#pragma once

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

// Whether an operation, by its code, is but a function of its operands: nothing else comes to be equal to it.
bool has_no_laws(const Node& operation);

}  // namespace swizzle
