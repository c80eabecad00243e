// What is told of an operation whose laws are not known (laws.h): its name and where it stands.
//
//   __byte_perm at 7:14 is compared as an opaque function
//   '|' at 7:12 is compared by its own laws alone, not by those that it has with other operators
#pragma once

#include <string>

#include "synth/program/program.h"
#include "synth/provenance/laws.h"

namespace swizzle {

// The place is the first one in the sketch, or else in the spec, whose file is then named.
std::string told(const Lawless& operation, const Program& sketch, const Program& spec);

}  // namespace swizzle
