// Casts: conversions among the codes of opaque functions (node.h).
//
//   (float)k of an int k     opaque(cast_code({kI32, kF32}), kF32, {k}); cast_of() that code is {kI32, kF32}
#pragma once

#include <cstdint>
#include <optional>

#include "synth/provenance/node.h"

namespace swizzle {

struct Cast {
  Scalar from, to;
};

inline std::uint32_t cast_code(Cast cast) {
  return kOpaqueCast + static_cast<std::uint32_t>(cast.from) * 16 + static_cast<std::uint32_t>(cast.to);
}

// Nothing: another function.
inline std::optional<Cast> cast_of(std::uint32_t code) {
  if (code < kOpaqueCast || code >= kOpaqueSelect) return std::nullopt;
  return Cast{static_cast<Scalar>((code - kOpaqueCast) / 16), static_cast<Scalar>((code - kOpaqueCast) % 16)};
}
inline std::optional<Cast> cast_of(const Node& n) {
  return n.kind == Node::Kind::kOpaque ? cast_of(n.tag) : std::nullopt;
}

}  // namespace swizzle
