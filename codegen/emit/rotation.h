// Rotation: a register index as digits, each of which the thread turns by an amount of its own.
//
//   (2 * j + lane) % 3                                            one digit: known 2 * j, turned by lane
//   ((j + lane) & 1) * 3 + ((j >> 1) - (lane >> 1) + 15) % 3      weights 3 and 1, the second turned backwards
//   j ^ (lane >> 2)                                               of 8 registers, a digit of two values for each bit
//
// Turning all S registers by an unknown amount takes ⌈log2 m⌉ steps for a digit of m values: in step s each register
// takes its neighbour's value s further if bit s of the amount is set (a barrel shifter), S selects. Registers that are
// chosen one by one take S - 1 selects each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "synth/program/index_expr.h"

namespace swizzle {

struct Digit {
  std::int64_t weight = 1, modulus = 1;
  IndexExpr known, turn;    // the digit is (known + offset ± turn) mod modulus
  std::int64_t offset = 0;  // in [0, modulus)
  bool backwards = false;

  // How far step `bit` turns forwards, in [1, modulus).
  std::int64_t shift(std::int64_t bit) const { return backwards ? modulus - bit : bit; }
  // known + offset + shift, as short as it can be written for these arguments: in [0, modulus).
  IndexExpr without_turn(std::int64_t shift, const std::vector<std::vector<std::int64_t>>& arguments) const;
  // Register `i` with this digit `shift` further; `all` registers.
  IndexExpr turned(IndexExpr i, std::int64_t shift, std::int64_t all) const;
};

struct Rotation {
  IndexExpr base;             // what no thread decides
  std::vector<Digit> digits;  // index = base + Σ weight · digit
  // Of an XOR, what the thread flips; the digits are all of it only where it lies in [0, flips_below).
  IndexExpr flipped = IndexExpr::constant(0);
  std::int64_t flips_below = 1;

  // The index with every turn 0, but digit `d` turned by `shift`, for these arguments.
  IndexExpr known(std::size_t d, std::int64_t shift, const std::vector<std::vector<std::int64_t>>& arguments) const;
  // Whether turning the digits of known(0, 0) is turning this index: at these arguments, in all of `all` registers.
  bool turns_registers(const std::vector<std::int64_t>& arguments, std::int64_t all) const;
};

// The index of `all` registers as a rotation, if it is one. `is_known[a]` says whether argument `a` is known when loops
// are unrolled.
std::optional<Rotation> as_rotation(const IndexExpr& index, const std::vector<bool>& is_known, std::int64_t all);

}  // namespace swizzle
