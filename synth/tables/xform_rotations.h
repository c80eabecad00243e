// RotationLists: the distinct rotations by one variable, as tables.
//
//   k in {0, 1, 2, 3}, modulo 4:   k → 0 1 2 3     ⌊k / 2⌋ → 0 0 1 1     -k → 0 3 2 1     k + ⌊k / 2⌋ → 0 1 3 0     …
//
// Of two that are equal the cheaper is kept, and the other one where its sum, in k another one, may need no reduction.
// Divisors are those of the number of values, 0 … largest.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "synth/tables/xform_printer.h"

namespace swizzle {

class RotationLists {
 public:
  enum class Kind { kPlain, kScaled };  // c·k + ⌊k / d⌋, or one term of c·k and c·⌊k / d⌋

  struct Entry {
    XformParameters::Rotation rotation;
    int least_ops = 0;       // of its terms, before they are added up
    int least = 0;           // of the values of their sum as it is printed
    int spread = 0;          // its largest value minus its least
    std::vector<int> table;  // by key
    int terms() const { return (rotation.factor != 0 ? 1 : 0) + (rotation.divisor > 0 ? 1 : 0); }
  };

  // keys: distinct (k…)
  explicit RotationLists(std::vector<std::vector<std::int64_t>> keys);

  // Of variable j modulo m, the cheaper ones first.
  const std::vector<Entry>& of(std::size_t j, int m, Kind kind) const;

 private:
  std::vector<Entry> listed(std::size_t j, int m, Kind kind) const;
  Entry entry(const XformParameters::Rotation& rotation, std::size_t j, int m) const;

  std::vector<std::vector<std::int64_t>> keys_;
  std::vector<std::int64_t> reach_;  // by variable: its largest value
  mutable std::map<std::tuple<std::size_t, int, Kind>, std::vector<Entry>> known_;
};

}  // namespace swizzle
