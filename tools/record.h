// `swizzle-synth record -- APPLICATION ARGUMENTS…`: the launches that an application makes on a GPU, as a file for
// `check --recorded`.
#pragma once

#include "tools/options.h"

namespace swizzle {

// The whole command; returns the exit code. The application has standard input, output and error.
int record(const RecordOptions& options);

// With the library that the driver is to load, and whatever GPU there is.
int record_with(const std::string& library, const RecordOptions& options);

}  // namespace swizzle
