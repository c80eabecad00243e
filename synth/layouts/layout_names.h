// Layouts under the names that others have for them.
//
//   64×64 halves, r * 64 + (c ^ ((r & 7) * 8)):
//     CuTe     Swizzle<3, 3, 3> over Layout<Shape<_64, _64>, Stride<_64, _1>>       on the index of the element
//     Triton   vec 8, perPhase 1, maxPhase 8
//     TMA      CU_TENSOR_MAP_SWIZZLE_128B                                            Swizzle<3, 4, 3> of the byte
//     address
//
// A name is given only where it means the same address for every element, and where the thing exists: Triton's tensors
// have powers of two of rows and columns, a box of TMA's has at most 256 rows, of a multiple of 16 bytes each. Sources:
// NVIDIA/cutlass include/cute/swizzle.hpp; triton-lang/triton SwizzledSharedEncodingAttr; CUDA driver API,
// CUtensorMapSwizzle.
#pragma once

#include <optional>
#include <string>

#include "synth/layouts/layout.h"
#include "synth/program/program.h"

namespace swizzle {

// (r, c) at r · columns + ((c / vec) ^ (r / per_phase mod max_phase)) · vec + c mod vec
struct TritonSwizzle {
  int vec = 1, per_phase = 1, max_phase = 1;
  friend bool operator==(const TritonSwizzle&, const TritonSwizzle&) = default;
};

std::optional<BitSwizzle> cute_swizzle(
    const Layout& layout);  // of the index, over rows of layout.pitch; <0, 0, 0>: none is needed
std::optional<TritonSwizzle> triton_swizzle(const Layout& layout);
std::optional<int> tma_swizzle_bytes(const Layout& layout, int element_bytes);  // 0 (no swizzle), 32, 64 or 128

// And back. Nothing: no such layout.
std::optional<Layout> from_pitch(int rows, int columns, int pitch);
std::optional<Layout> from_cute(int rows, int columns, const BitSwizzle& swizzle);
std::optional<Layout> from_triton(int rows, int columns, const TritonSwizzle& swizzle);
// A row is as long as the swizzle's span.
std::optional<Layout> from_tma(int rows, int columns, int bytes, int element_bytes);

// sw_cute(…) and its kin, for elements of that size.
std::optional<Layout> layout_named(const NamedLayout& named, int rows, int columns, int element_bytes);

std::string cute_text(const Layout& layout,
                      const BitSwizzle& swizzle);  // "composition(Swizzle<3, 3, 3>{}, Layout<…>{})"

}  // namespace swizzle
