// Which program this is, and which libraries decide what it answers.
//
//   version_text()      "swizzle-synth 0.1.0 (LLVM 19.1.7)", and Z3's where the program holds the solver
#pragma once

#include <optional>
#include <string>

namespace swizzle {

std::string tool_version();
std::string llvm_version();
std::optional<std::string> z3_version_linked();
std::string version_text();

}  // namespace swizzle
