// SizeTree: an expression over sizes, as a directive has it, taken apart: what its divisions ask of the sizes.
//
//   grid(n / 64)            is n / 64 blocks where n % 64 == 0; for any other n, some elements have no block
//   grid((n + 63) / 64)     rounds up, and asks nothing
//   grid(n / 64 + 1)        likewise
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "synth/program/directives.h"

namespace swizzle {

struct SizeTree {
  char op = '#';           // + - * / %, < (minimum), > (maximum); # a number, $ a name
  std::int64_t value = 0;  // of #
  std::string name;        // of $
  std::vector<SizeTree> operands;
  std::int64_t above = 0;  // of n + 256 - 1, which is n + 255 here: by how much what C computes on the way is more
};

// Errors: as evaluate()'s, but for names and values.
Result<SizeTree> parse_size(const SizeExpr& expr, const SourceText& source);

// Nothing: an unknown name, a division by zero, more than 64 bits.
std::optional<std::int64_t> value_of(const SizeTree& tree, const Sizes& sizes);

// As C writes it: "(n + 63) / 64".
std::string text_of(const SizeTree& tree);

std::set<std::string> names_in(const SizeTree& tree);
// Of a grid, say: the same whatever the sizes are.
bool is_fixed(const std::vector<SizeExpr>& extents, const SourceText& source);

// `dividend % divisor == 0`.
struct Divides {
  SizeTree dividend, divisor;
};

// The divisions that leave no remainder in any launch that the tree is meant for: those that do not round up.
std::vector<Divides> exact_divisions(const SizeTree& tree);

}  // namespace swizzle
