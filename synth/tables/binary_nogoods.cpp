#include "synth/tables/binary_nogoods.h"

#include <bit>

#include "synth/base/bits.h"

namespace swizzle {

void BinaryNogoods::insert(std::size_t p, int a, std::size_t q, int b) {
  others_.resize(points_ * values_);
  std::vector<Word>& others = others_[p * values_ + static_cast<std::size_t>(a)];
  if (others.empty()) {
    if (kept_ + words() > kMostWords) return;
    kept_ += words();
    others.resize(words(), 0);
  }
  others[static_cast<std::size_t>(b) * words_ + q / 64] |= Word{1} << (q % 64);
}

bool BinaryNogoods::allows(std::size_t value, const std::vector<Word>& assigned) const {
  for (std::size_t w = 0; w < words_ && !empty(); ++w)
    for (Word bits = assigned[value * words_ + w]; bits != 0; bits &= bits - 1) {
      const std::size_t point = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      const std::vector<Word>& others = others_[point * values_ + value];
      if (!others.empty() && meets(others.data(), assigned.data(), others.size())) return false;
    }
  return true;
}

}  // namespace swizzle
