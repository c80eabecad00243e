// The last iterations of a spec's loops over sizes, as loops of their own: a kernel may make them in another way.
//
//   for (int i = 0; i < n; ++i) f(i);      for (int i = 0; i < n / 4 * 4; ++i) f(i);
//                                          for (int i = n / 4 * 4; i < n; ++i) f(i);
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "synth/program/program.h"

namespace swizzle {

// Of the innermost loops over sizes, which go by the multiples that are named for these. Nothing: there is no such
// loop.
std::optional<Program> with_loop_tails(const Program& spec, const std::map<std::string, std::int64_t>& multiples);

}  // namespace swizzle
