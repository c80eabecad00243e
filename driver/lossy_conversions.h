// Conversions that nobody wrote and that lose something: warned about where they stand, before any search.
//
//   int out = 0;
//   out += x[i];      of floats:   a.cu:8:3: warning: what is behind the point is lost: '+=' is computed in 'float' and
//                                  kept in 'int'; write a cast if that is meant
//
// To the engine each is a function of its own, which the spec must have, too.
#pragma once

#include "synth/base/diagnostic.h"
#include "synth/program/program.h"

namespace swizzle {

// Of data: reals that become integers or narrower reals, integers that become narrower ones, either that is kept as
// true or false. Not what `other`, the spec of a sketch or the
// sketch of a spec, converts likewise, unless it is real and becomes an integer. In the order of the
// file.
Diagnostics lossy_conversions(const Program& program, const Program* other = nullptr);

}  // namespace swizzle
