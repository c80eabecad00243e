// MonomialDegrees: how many factors the products have that a value is a sum of.
//
//   (x[0] - x[1]) · c[1]              2
//   P ? x[0] : (x[0] - x[1]) · c[1]   between 1 and 2, whatever P is; 2 where P is 0
//
// What a value must have all of (attained) and what it may have at most (bounds) tell that a step which multiplies, or
// one that does not, is part of every completion: of a Fourier transform, y[0] is a plain sum, the last y a product of
// each step.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <unordered_map>

#include "synth/provenance/provenance.h"

namespace swizzle {

struct Degrees {
  static constexpr int kUnbounded = std::numeric_limits<int>::max() / 4;
  int least = kUnbounded, most = -1;  // nothing: no product at all

  bool contains(const Degrees& other) const { return least <= other.least && most >= other.most; }
  static Degrees any() { return {0, kUnbounded}; }
};

// Of products that a value without choices has for certain; nothing, where it is more than sums of products, or these
// are many.
std::optional<Degrees> attained_degrees(const Provenance& provenance, Value v);

// Of products that a value may have, where points are kept from some values.
class DegreeBounds {
 public:
  DegreeBounds(const Provenance& provenance, std::function<bool(PointId, std::size_t)> allows)
      : provenance_(provenance),
        allows_(std::move(allows)) {}

  Degrees of(Value v);

 private:
  Degrees compute(const Node& node);

  const Provenance& provenance_;
  std::function<bool(PointId, std::size_t)> allows_;
  std::unordered_map<std::uint32_t, Degrees> known_;
};

}  // namespace swizzle
