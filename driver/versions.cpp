#include "driver/versions.h"

#include <fmt/format.h>

#include "frontend/clang_version.h"

namespace swizzle {

// Of synth/oracle/z3_solver.cpp. A weak name fetches nothing from an archive: it is there if the program uses Z3.
[[gnu::weak]] std::string z3_version();

std::string tool_version() { return SWIZZLE_VERSION; }

std::string llvm_version() { return clang_version(); }

std::optional<std::string> z3_version_linked() {
  return z3_version != nullptr ? std::optional(z3_version()) : std::nullopt;
}

std::string version_text() {
  const auto z3 = z3_version_linked();
  return fmt::format("swizzle-synth {} (LLVM {}{})", tool_version(), llvm_version(), z3 ? ", Z3 " + *z3 : "");
}

}  // namespace swizzle
