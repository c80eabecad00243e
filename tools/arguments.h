// The arguments of the command line as the parser of flags takes them.
//
//   @flags.txt            what the file holds: arguments between spaces and newlines, 'quoted', "quoted" or \escaped
//   -include a.h          --include a.h, since short flags have one letter; likewise -std=c++20
//   -- -include a.h       as it is: what `record` and `check --ptx` pass on
//
// Errors: a response file that cannot be read, or that leads to itself.
#pragma once

#include <string>
#include <vector>

#include "synth/base/diagnostic.h"

namespace swizzle {

// argv without the program's name.
Result<std::vector<std::string>> expanded_arguments(const std::vector<std::string>& arguments);

// Of a response file.
std::vector<std::string> split_arguments(const std::string& text);

}  // namespace swizzle
