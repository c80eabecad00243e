// Masks e & c and e | c, solved for c: what a point may be tells bits of it, each in its turn; bits that no point tells
// are 0.
//
//   e = 5 6 7, to be 1, 2 and 3:     e & 3
//
// Private to synth/tables.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

#include "synth/tables/demand.h"

namespace swizzle {

template <typename IsOver>
class SolvedMasks {
 public:
  using Values = ExpressionCatalogue::Values;

  SolvedMasks(const Demand& demand, IsOver is_over) : demand_(demand), is_over_(std::move(is_over)) {}

  // Calls with(kAnd or kOr, c).
  template <typename With>
  void each(const Values& e, const With& with) {
    std::int64_t reach = 0;
    const auto reached = [&](std::int64_t v) { reach |= v < 0 ? ~v : v; };
    for (std::size_t p = 0; p < e.size(); ++p) {
      reached(e[p]);
      if (!demand_.allowed(p).empty()) reached(demand_.allowed(p).front()), reached(demand_.allowed(p).back());
    }
    const std::int64_t all = (std::int64_t{1} << std::bit_width(static_cast<std::uint64_t>(reach))) - 1;
    mask_from(e, 0, {0, 0, true, all}, with);
    mask_from(e, 0, {0, 0, false, all}, with);
  }

 private:
  struct Mask {
    std::int64_t ones, zeros;  // bits that are known
    bool is_and;
    std::int64_t all;
  };
  template <typename With>
  void mask_from(const Values& e, std::size_t position, const Mask& known, const With& with) {
    for (; position < e.size(); ++position) {
      const std::size_t p = demand_.order()[position];
      const std::int64_t told = known.all & (known.is_and ? e[p] : ~e[p]);
      if ((told & ~known.ones & ~known.zeros) == 0) {
        if (!demand_.allows(p, known.is_and ? e[p] & known.ones : e[p] | known.ones)) return;
        continue;
      }
      for (const std::int64_t v : demand_.allowed(p)) {
        if ((known.is_and ? v < 0 || (v & ~e[p]) != 0 : (e[p] & ~v) != 0) || is_over_()) continue;
        const std::int64_t ones = v & told, zeros = told & ~v;
        if ((ones & known.zeros) == 0 && (zeros & known.ones) == 0)
          mask_from(e, position + 1, {known.ones | ones, known.zeros | zeros, known.is_and, known.all}, with);
      }
      return;
    }
    // e & 31 rather than e & 29, if no e has that bit.
    const std::int64_t run = (std::int64_t{1} << std::bit_width(static_cast<std::uint64_t>(known.ones))) - 1;
    if (known.is_and && (run & known.zeros) == 0) return with(ConstantOp::kAnd, run);
    if (known.ones != 0) with(known.is_and ? ConstantOp::kAnd : ConstantOp::kOr, known.ones);
  }

  const Demand& demand_;
  IsOver is_over_;
};

}  // namespace swizzle
