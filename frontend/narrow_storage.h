// Narrow storage: variables and buffers whose parts are looked at through a pointer to something narrower are kept as
// those parts.
//
//   unsigned w = x[t];
//   unsigned char* b = reinterpret_cast<unsigned char*>(&w);      w is kept as 4 unsigned chars
//   b[0] = b[3];  y[t] = w;                                       …, y[t] = *(unsigned*)&w
//
// Whatever is read as something wider is put together of its parts, as if the variable had been declared so: races,
// bank conflicts and undefined bytes are those of the bytes. A buffer is kept so by kernel and spec, whichever looks.
#pragma once

#include "synth/base/diagnostic.h"
#include "synth/program/program.h"

namespace swizzle {

// Whether a cast between pointers to these types looks at parts of single elements.
bool looks_inside(const Type& from, const Type& to);

// Errors: such a view of what is neither a variable nor a buffer, as of a pointer that lies in memory.
Diagnostics keep_narrow(Program& program);

// The buffers that the other program of a pair keeps narrower, by the places of their parameters.
void keep_narrow_as(Program& program, const Program& other);

}  // namespace swizzle
