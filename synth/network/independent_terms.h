// Independent terms: sums of functions that are equal only where they are equal by form.
//
//   y[0]  =  a sum of some mul(x[i], y[j]), which the holes choose
//     no sum of some of the mul(x[i], y[j]) is that of others on all inputs (mixed_differences.h)
//
// So no completion serves that does not by form, although nothing is known of mul. Of integers this is seen by the
// lowest bits: a combination that is 0 on all inputs has even coefficients, and half of it is 0 up to the highest bit.
#pragma once

#include <cstddef>
#include <span>

#include "synth/base/deadline.h"
#include "synth/problem/problem.h"

namespace swizzle {

// Whether it is seen of all these equations. They may be so, and it is not seen: what their terms may become is not
// known here, or too much.
bool have_independent_terms(Problem& problem, std::span<const std::size_t> equations, const Deadline& deadline);

}  // namespace swizzle
