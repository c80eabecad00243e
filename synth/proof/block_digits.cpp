#include "synth/proof/block_digits.h"

#include <algorithm>
#include <vector>

namespace swizzle {
namespace {

// Names and numbers; false: there is something else.
bool find_factors(const SizeTree& tree, std::vector<std::string>& names, std::int64_t& number) {
  if (tree.op == '*')
    return find_factors(tree.operands[0], names, number) && find_factors(tree.operands[1], names, number);
  if (tree.op == '#') return tree.value > 0 && !__builtin_mul_overflow(number, tree.value, &number);
  names.push_back(tree.name);
  return tree.op == '$';
}

// Different ones; none: it is no such product.
std::vector<std::string> sizes_in(const SizeTree& count) {
  std::vector<std::string> names;
  std::int64_t number = 1;
  if (count.op != '*' || !find_factors(count, names, number) || number != 1) return {};
  std::vector<std::string> sorted = names;
  std::ranges::sort(sorted);
  const bool is_digits = std::ranges::adjacent_find(sorted) == sorted.end() && names.size() <= kMostDigits;
  return is_digits ? names : std::vector<std::string>();
}

}  // namespace

std::size_t orders_of_block_digits(const SizeTree& count) {
  std::size_t orders = 1;
  for (std::size_t i = 2; i <= sizes_in(count).size(); ++i) orders *= i;
  return orders;
}

bool add_block_digits(SizeRegion& whole, std::size_t axis, const SizeTree& count, std::size_t order,
                      const AddDimension& add) {
  const std::vector<std::string> names = sizes_in(count);
  if (names.empty() || whole.looks_at_threads()) return false;
  for (std::size_t slot = kDigits; slot < kPositions; ++slot)
    if (whole.dimensions[slot]) return false;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < names.size(); ++i) places.push_back(i);
  for (std::size_t i = 0; i < order % orders_of_block_digits(count); ++i) std::ranges::next_permutation(places);
  Polynomial number, all(1);
  for (std::size_t slot = kDigits; const std::size_t place : places) {
    if (!add(slot, SizeTree{'$', 0, names[place], {}})) return false;
    number = number * whole.grid[slot] + whole.block[slot];
    all = all * whole.grid[slot];
    whole.digits[axis].push_back(slot++);
  }
  whole.block[axis] = number;
  whole.grid[axis] = all;
  return true;
}

std::optional<Multiple> multiple_in(const SizeTree& count) {
  std::vector<std::string> names;
  std::int64_t number = 1;
  if (count.op != '*' || !find_factors(count, names, number) || names.size() != 1) return std::nullopt;
  return Multiple{names[0], number};
}

}  // namespace swizzle
