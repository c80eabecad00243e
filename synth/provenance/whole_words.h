// Whole words: what an operation makes of words in which no hole has a say, all bits at once.
//
//   {x[0].0, x[0].1, 0, 1} << 1     {0, x[0].0, x[0].1, 0}: moved as a whole
//   …              & 0b0110         {0, x[0].1, 0, 0}
//
// The bits of sums, masks and shifts of a spec are many and simple: this is where most of them are made.
#pragma once

#include <cstdint>
#include <span>

#include "synth/provenance/provenance.h"

namespace swizzle {

// As word_operation(), of operands that are words without choices, or integers.
Value whole_word(Provenance& provenance, std::uint32_t code, Scalar s, std::span<const Value> operands);

}  // namespace swizzle
