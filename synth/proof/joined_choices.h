// Products of choices by one condition, as choices: private to this room.
//
//   (P ? a : 0) · (P ? b : 0), as padded tiles are multiplied     P ? a · b : 0, as a guard around the sum says it
#pragma once

#include "synth/provenance/provenance.h"

namespace swizzle {

// Of each term of a sum; anything else as it is.
Value with_joined_choices(Provenance& provenance, Value v);

}  // namespace swizzle
