// Mixed differences: functions of input elements, told apart by what none of their parts has.
//
//   mul(x[0], y[1]) on four inputs, x[0] one number or another, y[1] likewise, all else the same:
//     what does not depend on both drops out of the difference of the differences; mul(x[0], y[1]) does not
//   so it has no part in a combination of such functions that is 0 on all inputs
//
// Terms with the same elements are told apart together, by the rank of their differences on several inputs; those with
// most elements come first, for they would not drop out of those of others.
//
// Private to synth/network/.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "synth/base/deadline.h"
#include "synth/provenance/concrete.h"

namespace swizzle {

// How terms are added up.
struct Addition {
  Ring ring;     // kSum or kXor
  bool is_real;  // or integers, of which
  int bits;      // are compared
};

class MixedDifferences {
 public:
  explicit MixedDifferences(const Provenance& provenance) : provenance_(provenance), concrete_(provenance) {}

  // Whether no combination of the terms is 0 on all inputs but that of none. False: that is not seen.
  bool are_independent(std::span<const Factors> terms, const Addition& addition, const Deadline& deadline);

 private:
  using Elements = std::vector<NodeId>;
  // A term on an input: a word, or a real number and how large those are that it is the difference of. Numbers of one
  // input may be scaled together, never one by one: what they add up to would be lost.
  struct Number {
    std::uint64_t word = 0;
    double real = 0, largest = 0;
  };

  bool are_told_apart(const Elements& elements, std::span<const Factors> terms, const Addition& addition);
  std::optional<std::vector<Number>> differences(const Elements& elements, std::span<const Factors> terms,
                                                 const Addition& addition, std::uint64_t trial);
  std::optional<Number> number(const Factors& term, const Addition& addition);
  const Elements& elements_of(NodeId factor);

  const Provenance& provenance_;
  Concrete concrete_;
  std::map<std::uint32_t, Elements> elements_;  // by factor, sorted
};

}  // namespace swizzle
