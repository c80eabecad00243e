// What a kernel stores that its spec does not: private to problem/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "synth/execution/execute.h"

namespace swizzle {

std::vector<std::string> names_of(const std::vector<Buffer>& buffers);

// The first such store, as an error. Those that holes decide become requirements of `actual`.
std::optional<Diagnostic> stray_store(const Program& kernel, const Trace& spec, Trace& actual, Provenance& provenance);

}  // namespace swizzle
