// `swizzle-synth sweep SWEEP.toml`: many sketches, by the Python module that is installed with the program.
#pragma once

#include <string>
#include <vector>

namespace swizzle {

// Becomes `python3 -m swizzle_synth sweep …`, which runs this very program for each task; returns where there is no
// Python.
int sweep(const std::vector<std::string>& arguments);

}  // namespace swizzle
