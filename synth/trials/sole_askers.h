// Sole askers: the points that one output alone asks.
//
//   v = x + shuffle(x, P); y[lane] = shuffle(v, Q)     every P(l) is asked by several outputs, Q(l) by y[l] alone
//
// What one output asks alone is best decided output by output: few tables of Q serve even y[0].
//
// Private to synth/trials/.
#pragma once

#include <cstdint>
#include <vector>

#include "synth/provenance/provenance.h"

namespace swizzle {

inline constexpr std::uint32_t kSeveralAsk = ~std::uint32_t{0};  // or none

// By point: a position in outputs, or kSeveralAsk.
std::vector<std::uint32_t> sole_askers(const Provenance& provenance, std::size_t points,
                                       const std::vector<Value>& outputs);

}  // namespace swizzle
