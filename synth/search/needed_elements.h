// NeededElements: of how many elements outputs must be made, held against what they may come to where points are kept
// from some values.
//
//   y[7] = x[0] + … + x[7] in three steps, each v += C ? shuffle(v, …) : 0
//     without the second step    y[7] has four elements at most: the step is part of every completion
//
// Likewise by the factors of products (monomial_degrees.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "synth/problem/problem.h"
#include "synth/search/monomial_degrees.h"

namespace swizzle {

class NeededElements {
 public:
  // Of these equations, and what follows from them.
  NeededElements(Problem& problem, const std::vector<std::size_t>& equations);

  using Allows = std::function<bool(PointId, std::size_t value)>;
  // False: some output cannot have what it needs. Takes as long as the problem is large.
  bool may_be_met(const Allows& allows) const;

 private:
  // All together, or side by side in one minimum or the like.
  struct Need {
    Value actual;
    std::optional<Ring> ring = {};  // a set
    std::uint32_t elements = 0;
    bool is_lawless = false;              // elements are those that it was seen to depend on
    std::optional<Degrees> degrees = {};  // of products that it must have
  };
  class MostElements;
  class DistinctElements;
  static Need need_of(const Provenance& provenance, Value actual, Value expected);

  const Problem& problem_;
  std::vector<Need> needs_;
};

}  // namespace swizzle
