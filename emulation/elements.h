// Elements of buffers, as bytes: what the harness fills them with, how it compares and prints them.
//
//   kF32: a small whole number; as poison a NaN that tells its index; 1.0000001 agrees with 1
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <string>

#include "harness.h"

namespace swizzle_harness {

size_t bytes_of(Element element);

double small_real(uint64_t random);  // whole, -8 … 8: sums of them are exact in any order
void put_random(Element element, uint64_t random, unsigned char* to);
// What no program computes by chance, as far as the type has such.
void put_poison(Element element, uint64_t random, unsigned char* to);

// Whether what a kernel left where `initial` was is what the spec left there. Reals may differ by rounding.
bool agree(Element element, const unsigned char* initial, const unsigned char* expected, const unsigned char* got);

std::string text_of(Element element, const unsigned char* at);

}  // namespace swizzle_harness
