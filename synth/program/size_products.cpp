#include "synth/program/size_products.h"

#include <vector>

namespace swizzle {
namespace {

constexpr std::size_t kMostFactors = 3, kMostSizes = 8;

// Each product of sizes from `first` on, by what is multiplied so far.
template <typename Visit>
void for_each_product(const std::vector<SizeProduct>& sizes, std::size_t first, std::size_t factors,
                      const SizeProduct& so_far, const Visit& visit) {
  for (std::size_t i = first; i < sizes.size(); ++i) {
    SizeProduct next{so_far.text.empty() ? sizes[i].text : so_far.text + " * " + sizes[i].text, 0};
    if (__builtin_mul_overflow(so_far.value, sizes[i].value, &next.value)) continue;
    visit(next);
    if (factors > 1) for_each_product(sizes, i, factors - 1, next, visit);
  }
}

}  // namespace

std::optional<SizeProduct> least_product_from(const Sizes& sizes, std::int64_t least) {
  std::vector<SizeProduct> one_by_one;
  for (const auto& [name, value] : sizes)
    if (value > 1 && one_by_one.size() < kMostSizes) one_by_one.push_back({name, value});
  std::optional<SizeProduct> best;
  for_each_product(one_by_one, 0, kMostFactors, {}, [&](const SizeProduct& product) {
    const bool is_shorter = best && product.value == best->value && product.text.size() < best->text.size();
    if (product.value >= least && (!best || product.value < best->value || is_shorter)) best = product;
  });
  return best;
}

}  // namespace swizzle
