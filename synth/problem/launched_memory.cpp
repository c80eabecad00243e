#include "synth/problem/launched_memory.h"

#include <fmt/format.h>

#include "synth/program/size_tree.h"

namespace swizzle {

std::optional<Diagnostic> lacking_shared_memory(const Program& kernel, const Sizes& sizes, std::int64_t used_bytes) {
  const std::optional<SizeExpr>& given = kernel.directives.launch->shared_bytes;
  const auto tree = given && used_bytes > 0 ? parse_size(*given, kernel.source) : Result<SizeTree>(SizeTree());
  const auto bytes = given && tree.ok() ? value_of(*tree, sizes) : std::nullopt;
  if (!bytes || used_bytes <= *bytes) return std::nullopt;
  Diagnostic lacks = make_error(
      kernel.source, given->range,
      fmt::format("this launch gives {} bytes of dynamic shared memory, and {} are used", *bytes, used_bytes));
  lacks.breaks_rule = true;
  return lacks;
}

}  // namespace swizzle
