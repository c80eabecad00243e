// A launch as host code comes to it: private to frontend/. See host_walk.h.
#pragma once

#include <string>
#include <vector>

#include <clang/Basic/SourceLocation.h>

#include "frontend/host_values.h"

namespace swizzle {

struct HostLaunch {
  const clang::FunctionDecl* kernel = nullptr;  // an instance, or the pattern of a template; null: who knows which one
  HostValue grid, block;
  HostValue shared_bytes;  // of dynamic shared memory
  std::string block_text;  // as it is written; empty: elsewhere
  std::vector<HostValue> arguments;
  std::vector<std::optional<std::int64_t>> numbers;  // among the template arguments as they are written
  clang::SourceRange range;
  std::size_t path = 0;    // what leads here: functions and calls
  bool is_reached = true;  // false: as far as is known, nobody comes here
};

}  // namespace swizzle
