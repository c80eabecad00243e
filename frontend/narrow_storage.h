// Narrow storage: variables whose parts are looked at through a pointer to something narrower are kept as those parts.
//
//   unsigned w = x[t];
//   unsigned char* b = reinterpret_cast<unsigned char*>(&w);      w is kept as 4 unsigned chars
//   b[0] = b[3];  y[t] = w;                                       …, y[t] = *(unsigned*)&w
//
// Whatever is read as something wider is put together of its parts, as if the variable had been declared so: races,
// bank conflicts and undefined bytes are those of the bytes. Only variables of the kernel's can be kept so: a buffer is
// made of the elements that its parameter says.
#pragma once

#include "synth/base/diagnostic.h"
#include "synth/program/program.h"

namespace swizzle {

// Whether a cast between pointers to these types looks at parts of single elements.
bool looks_inside(const Type& from, const Type& to);

// Errors: a cast of what is no variable of the kernel's, or as parts of the same size with and without a sign.
Diagnostics keep_narrow(Program& program);

}  // namespace swizzle
