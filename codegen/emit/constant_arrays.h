// Constant arrays: lists of constants in the place of holes become arrays with names.
//
//   for (int k = 0; k < 3; k++) a = rotated(a & ?sw_mask(k));      found: {0x1u, 0x6u, 0x8u}[k]
//     emitted     const unsigned masks[3] = {0x1u, 0x6u, 0x8u};    at the start of the function
//                 … a & masks[k]                                   a part of the instruction, once the loop is unrolled
//
// An index that no unrolling knows, as the lane, would make an array of memory: there it is a choice,
// `lane == 0 ? 0x1u : lane == 1 ? 0x6u : 0x8u`.
#pragma once

#include <optional>
#include <vector>

#include "codegen/emit/emit.h"
#include "synth/base/source_edits.h"

namespace swizzle {

// The sketch and the completion, with the arrays' names among the texts of arguments, and their declarations.
struct NamedArrays {
  Program sketch;
  Completion completion;
  std::vector<SourceEdit> declarations;
};

// Nothing, if no hole is a list.
std::optional<NamedArrays> with_named_arrays(const Program& sketch, const Completion& completion);

}  // namespace swizzle
