// BufferReach: which buffers a polynomial in elements is made of, whatever holes choose.
//
//   x[0] + 2 * choice P (x[1], z[0])     of x and z; its coefficients add up to 3 at most, and it has no constant
//   x[0] / z[0]                          no polynomial: of no buffers
//
// Private to synth/trials/.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "synth/provenance/provenance.h"

namespace swizzle {

struct BufferReach {
  std::uint64_t buffers = 0;  // a bit for each that it may have elements of; none: it is no polynomial
  double most = 0;            // that its coefficients may add up to, where they are whole numbers; else infinite
  bool has_constant = false;  // it may
};

// Remembers what it was asked.
class BufferReaches {
 public:
  explicit BufferReaches(const Provenance& provenance) : provenance_(provenance) {}

  const BufferReach& of(NodeId id);
  // The buffers of a term. 0: it may have a constant, or be no polynomial.
  std::uint64_t without_constant(const Term& term);

 private:
  BufferReach of_parts(const Node& n);

  const Provenance& provenance_;
  std::unordered_map<std::uint32_t, BufferReach> known_;  // by node
};

}  // namespace swizzle
