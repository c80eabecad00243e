// `swizzle-synth check KERNEL.cu`: bank conflicts and coalescing of kernels as they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "synth/directives.h"

namespace swizzle {

struct CheckOptions {
  std::string file, kernel, json, launch, draw, machine;
  std::vector<std::string> include_folders;
  Sizes set;
  bool fail_on_conflicts = false, all_blocks = false;
  std::int64_t step_limit = 3'000'000;
};

// As parse_options(), for the arguments behind `check`.
std::optional<int> parse_check_options(int argc, char** argv, CheckOptions& options);

// The whole command; returns the exit code.
int check(const CheckOptions& options);

}  // namespace swizzle
