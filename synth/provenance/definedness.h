// Definedness: an undefined value makes all undefined that is computed from it, also where it is taken away again.
//
//   u = choice P (undefined, x[0])
//   u ^ u          choice P (undefined, 0), not 0: with P = 0 the output depends on what nobody wrote
#pragma once

#include <vector>

#include "synth/provenance/provenance.h"

namespace swizzle {

bool may_be_undefined(const Provenance& provenance, Value v);
// Whether both are defined, and the same in normal form.
bool are_one(Provenance& provenance, Value a, Value b);

// 0 of type s where v is defined, undefined where it is not.
Value definedness(Provenance& provenance, Ring ring, Scalar s, Value v);

// Adds the definedness of factors that were taken away to the terms that are left, which are sorted. False: one of them
// is undefined whatever the holes are.
bool keep_definedness(Provenance& provenance, Ring ring, Scalar s, const std::vector<NodeId>& gone,
                      std::vector<Term>& left);

}  // namespace swizzle
