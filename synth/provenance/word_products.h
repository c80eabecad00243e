// Functions that multiply and are no operators: what they come to in terms of such.
//
//   __umulhi(a, b)     unsigned((unsigned long long)a * b >> 32)
//   __dp4a(a, b, c)    c and the products of the four bytes of a and b
#pragma once

#include <optional>
#include <span>

#include "synth/program/intrinsics.h"
#include "synth/provenance/provenance.h"

namespace swizzle {

// Of operands of type s. Nothing: it is another function.
std::optional<Value> word_product(Provenance& provenance, Intrinsic kind, Scalar s, std::span<const Value> operands);

}  // namespace swizzle
