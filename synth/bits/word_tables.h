// Word tables: what stands in the place of a hole whose points are decided: a constant, or a choice of constants by its
// arguments.
//
//   ?sw_mask(k), points (k, bit) for k < 2: 0x0f and 0x33 of 8 bits      k == 0 ? 0x0fu : 0x33u (constant_rows.h)
#pragma once

#include "synth/problem/problem.h"
#include "synth/program/program.h"
#include "synth/provenance/provenance.h"
#include "synth/tables/tables.h"

namespace swizzle {

// Of a ?sw_const that is open, a ?sw_mask or a ?sw_bytes.
HoleTable word_table(const Hole& hole, const HoleSpace& space, const Assignment& assignment);

// Whether the sketch has such holes: solve_bits() decides them.
bool has_open_words(const Program& sketch, const Problem& problem);

}  // namespace swizzle
