// What a kernel's parameters are, as far as its name and its instructions tell: pointers, integers, the rest.
//
//   k(float*, int, P)   ld.param.u64 [p0]; ld.param.u32 [p1]; ld.param.u32 [p2+8];
//     p0    a buffer
//     p1    an integer, "param_1"
//     p2    a record, of which 4 bytes at 8 are an integer, "param_2+8"
//
// A part of a record that is 8 bytes long is a pointer if something is accessed there.
#pragma once

#include <string>
#include <vector>

#include "synth/ptx/trace.h"

namespace swizzle::ptx {

// By parameter, what is loaded of it; without values. `names`: in the source; "param_2" for what it does not tell.
std::vector<Argument> arguments_of(const Module& module, const Function& kernel,
                                   const std::vector<std::string>& names = {});

}  // namespace swizzle::ptx
