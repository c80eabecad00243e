// Lattice: what minima and maxima make of values, each such function told by one number.
//
//   min(max(x[0], x[1]), x[2])                  (0 | 1) & 2
//   max(min(x[0], x[2]), min(x[1], x[2]))       0 & 2 | 1 & 2: the same
//
// With each value v taken as the truth of v >= t, for any t, a minimum is a conjunction and a maximum a disjunction.
// Two functions are the same if they are the same of truths (the 0-1 principle: Knuth, The Art of Computer Programming
// 3, section 5.3.4), and these are kept as reduced ordered decision diagrams (Bryant, IEEE Transactions on Computers
// 35, 1986). A condition is a truth at every threshold: c ? a : b is c & a | !c & b.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "synth/base/slot_table.h"

namespace swizzle {

class Lattice {
 public:
  using Function = std::uint32_t;
  using Atom = std::uint32_t;  // what minima and maxima are made of

  static constexpr Function kNever = 0, kAlways = 1;  // what no threshold reaches, and what each does

  Function of(Atom atom) { return diagram(atom, kNever, kAlways); }
  // Of an atom that is no value but a condition, that it fails.
  Function of_failing(Atom atom) { return diagram(atom, kAlways, kNever); }
  // Nothing: the diagram grows too large.
  std::optional<Function> least(Function a, Function b) { return bounded(true, a, b); }
  std::optional<Function> greatest(Function a, Function b) { return bounded(false, a, b); }
  // Of truths, not of minima and maxima: that one holds and the other does not.
  std::optional<Function> different(Function a, Function b);
  // a < b ? if_true : if_false, or with <=. Nothing: too large, or no minima and maxima are that.
  std::optional<Function> ordered(Function a, Function b, Function if_true, Function if_false);

  // The atoms of a function that is the least, or the greatest, of some atoms; nothing: it is another.
  struct Simple {
    bool is_least = false;  // of one atom: either
    std::vector<Atom> atoms;
  };
  std::optional<Simple> simple(Function f) const;

 private:
  static constexpr std::size_t kMostDiagrams = 1 << 18, kMostOfOne = 1 << 13;
  struct Diagram {
    Atom atom = ~0u;  // the least of those below; of constants: beyond all
    Function if_false = 0, if_true = 0;
  };
  struct Computed {
    std::uint64_t operands = ~std::uint64_t{0};
    bool is_least = false;
    Function result = 0;
  };

  Function diagram(Atom atom, Function if_false, Function if_true);
  std::optional<Function> bounded(bool is_least, Function a, Function b);
  Function apply(bool is_least, Function a, Function b);
  std::optional<Function> complement(Function f);

  std::vector<Diagram> diagrams_ = {{}, {}};
  SlotTable shared_;  // diagrams by what they are made of
  std::vector<Computed> computed_;
  std::size_t most_ = 0;  // diagrams while an operation is under way
};

}  // namespace swizzle
