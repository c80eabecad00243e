// Unit inputs: what bits come to where all of the input is 0, or all but one bit of it.
//
//   y[0].0 = (x[0].0 & M0) ^ (x[0].1 & M1), the spec has x[0].1
//     where x[0].0 alone is 1      M0 = 0
//     where x[0].1 alone is 1      M1 = 1
//
// Two functions that are sums of bits (a CRC, a Gray code, a delta swap) are equal if they are equal on these; of
// others it is necessary. So each tells what holes must be, where an exclusive-or of several bits tells nothing.
#pragma once

#include <optional>
#include <vector>

#include "synth/provenance/provenance.h"

namespace swizzle {

class UnitInput {
 public:
  // `one`: the bit that is 1; none: no bit is.
  UnitInput(const Provenance& provenance, std::optional<NodeId> one) : provenance_(provenance), one_(one) {}

  // Of a bit that no hole decides. Nothing: it is no sum of products of input bits.
  std::optional<bool> value_of(Value bit) const;

 private:
  const Provenance& provenance_;
  std::optional<NodeId> one_;
};

// All input bits that these are made of, those of earlier ones first.
std::vector<NodeId> input_bits_of(const Provenance& provenance, const std::vector<Value>& bits);

}  // namespace swizzle
