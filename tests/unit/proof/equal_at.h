// One size of a kernel and its spec, as the interpreter for concrete sizes has it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "synth/problem/pose.h"
#include "synth/proof/further_sizes.h"

namespace swizzle::test {

// Nothing, where the spec has no such size.
inline std::optional<bool> is_equal_at(const Program& kernel, const Program& spec, const Sizes& sizes) {
  auto expected = expect(kernel, spec, sizes);
  if (!expected.ok()) return std::nullopt;
  const auto refuted = refute(kernel, std::move(*expected));
  return refuted.ok() && refuted->text.empty();
}
inline std::optional<bool> is_equal_at(const Program& kernel, const Program& spec, std::int64_t n) {
  return is_equal_at(kernel, spec, Sizes{{"n", n}});
}

}  // namespace swizzle::test
