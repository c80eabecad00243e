// Deferred words: what an operation makes of words that holes decide, of which each bit is worked out when it is asked
// for.
//
//   w = x[0] & M << D, M a mask, D in {1, 2}        a node kDeferred: & of x[0] and another kDeferred, << of M and D
//   word_bit(w, 3)                                  D (1: M2 (0: 0, 1: x[0].3), 2: M1 (0: 0, 1: x[0].3))
//
// A kernel of many rounds makes thousands of words of which every bit may be anything; a search that asks for a few
// bits of its outputs works out those that these depend on. What no hole decides is worked out at once.
//
// An operation is a code of provenance, as an opaque function's: operators, kOpaqueCast, kOpaqueSelect, kOpaqueJoin,
// kOpaquePart, kOpaqueIntrinsic; and kDeferredChoice. Of a deferred word `scalar` is the type that the operation is
// computed in, that a cast makes, or that has as many bits as the longest alternative of a choice.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>

#include "synth/provenance/provenance.h"

namespace swizzle {

// How many bits a word has; higher ones are 0.
std::size_t word_width(const Provenance& provenance, Value word);

// Of a word, an integer or an index; undefined, of anything else.
Value word_bit(Provenance& provenance, Value v, std::size_t position);

// What the operation makes of words, integers and indices: a word, deferred if holes decide an operand, or an integer.
// Undefined: one of them is, or is nothing that has bits.
Value word_operation(Provenance& provenance, std::uint32_t code, Scalar s, std::span<const Value> operands);
inline Value word_operation(Provenance& provenance, std::uint32_t code, Scalar s,
                            std::initializer_list<Value> operands) {
  return word_operation(provenance, code, s, std::span(operands));
}

// One bit of that.
Value operation_bit(Provenance& provenance, std::uint32_t code, Scalar s, const Children& operands,
                    std::size_t position);

// The word with all its bits worked out.
Value worked_out(Provenance& provenance, Value word);

}  // namespace swizzle
