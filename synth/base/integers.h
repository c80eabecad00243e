// Integer functions that C has not: division that rounds down, powers of two.
//
//   floor_div(-1, 4) = -1 and floor_mod(-1, 4) = 3, where C has -1 / 4 = 0 and -1 % 4 = -1
#pragma once

#include <bit>
#include <cstdint>

namespace swizzle {

// b > 0.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
constexpr std::int64_t floor_mod(std::int64_t a, std::int64_t b) { return a - floor_div(a, b) * b; }

constexpr bool is_power_of_two(std::int64_t v) { return v > 0 && std::has_single_bit(static_cast<std::uint64_t>(v)); }
// Rounded down; v > 0.
constexpr int log2_of(std::int64_t v) { return std::bit_width(static_cast<std::uint64_t>(v)) - 1; }

}  // namespace swizzle
