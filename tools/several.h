// Several sketches in one call: each in a process of its own, so that one that fails costs itself alone.
//
//   swizzle-synth a.cu b.cu --spec specs/ -o kernels/ --report all.json --jobs 8
//
//     sketch  outcome     cost  optimality  seconds
//     a.cu    found         46  proved         0.81
//     b.cu    infeasible     -  -              0.07
#pragma once

#include <string>

#include "tools/options.h"

namespace swizzle {

// The whole command; returns the exit code of the first sketch that has another than 0.
int synthesize_several(const Options& options);

// Of the sketch of this number: the one of its place, or of its name in a folder ("specs/a.cpp", "specs/a.cu").
std::string spec_of(const Options& options, std::size_t sketch);

}  // namespace swizzle
