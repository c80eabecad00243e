// Value ranges: what elements of integer buffers are known to be.
//
//   #pragma swizzle range idx(0, m)      every element of idx is in [0, m)
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "synth/program/operators.h"

namespace swizzle {

struct ValueRange {  // least and greatest
  std::int64_t low = 0, high = 0;
  bool is_distinct = false;  // no two elements are alike
};

// All integers of a type. Precondition: it is no real one, and not kU64.
inline ValueRange range_of(Scalar s) {
  const auto all = [&](int width) { return static_cast<std::int64_t>(~std::uint64_t{0} >> (64 - width)); };
  if (is_unsigned(s)) return {0, all(bit_width(s))};
  const std::int64_t most = all(bit_width(s) - 1);
  return {-most - 1, most};
}

class ValueRanges {
 public:
  // From here on; sizes may have other ranges each.
  void set(std::vector<std::optional<ValueRange>> by_buffer) {
    now_ = std::move(by_buffer);
    narrowest_.resize(std::max(narrowest_.size(), now_.size()));
    for (std::size_t b = 0; b < now_.size(); ++b) {
      const std::optional<ValueRange>& range = now_[b];
      std::optional<ValueRange>& all = narrowest_[b];
      if (!all || !range) all = range;
      else if (std::max(all->low, range->low) <= std::min(all->high, range->high))
        all = ValueRange{std::max(all->low, range->low), std::min(all->high, range->high), range->is_distinct};
    }
  }
  std::optional<ValueRange> now(std::size_t buffer) const { return of(now_, buffer); }
  // At no size anything is known.
  bool are_unknown() const {
    return std::ranges::none_of(narrowest_, [](const auto& range) { return range.has_value(); });
  }
  std::optional<ValueRange> narrowest(std::size_t buffer) const { return of(narrowest_, buffer); }  // of all sizes

 private:
  using Ranges = std::vector<std::optional<ValueRange>>;  // by buffer
  static std::optional<ValueRange> of(const Ranges& ranges, std::size_t buffer) {
    return buffer < ranges.size() ? ranges[buffer] : std::nullopt;
  }
  Ranges now_, narrowest_;
};

}  // namespace swizzle
