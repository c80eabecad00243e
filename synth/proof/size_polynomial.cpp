#include "synth/proof/size_polynomial.h"

namespace swizzle {

std::optional<Polynomial> polynomial_of(const SizeTree& tree, const SizeRegion& region) {
  if (tree.op == '#') return Polynomial(tree.value);
  if (tree.op == '$') {
    const auto it = region.sizes.find(tree.name);
    return it != region.sizes.end() ? std::optional(it->second) : std::nullopt;
  }
  const auto a = polynomial_of(tree.operands[0], region), b = polynomial_of(tree.operands[1], region);
  if (!a || !b) return std::nullopt;
  if (tree.op == '+') return *a + *b;
  if (tree.op == '-') return *a - *b;
  if (tree.op == '*') return *a * *b;
  const auto divisor = b->value();
  if (tree.op != '/' || !divisor || *divisor <= 0 || !region.least(*a) || *region.least(*a) < 0) return std::nullopt;
  const auto [quotient, rest] = a->divided(*divisor);
  const bool is_below = region.least(rest).value_or(-1) >= 0 && region.most(rest).value_or(*divisor) < *divisor;
  return is_below ? std::optional(quotient) : std::nullopt;
}

}  // namespace swizzle
