// Laws: whether values are told apart by their normal forms, or only by what is known of the operations in them.
//
// Each ⊕ has a normal form of its own, and equal forms are equal values, always. Different forms are different values
// where one ⊕ combines values that know nothing of each other:
//
//   x[0] ^ x[1]            against x[0] ^ x[2]      different: one family, and each element stands for itself
//   x[0] | (x[0] & x[4])   against x[0]             equal, but no law of ours says so: two families
//   __byte_perm(x[0], 0, 0x1032)   against x[0] << 16 | x[0] >> 16     likewise: opaque functions
//
// Of the latter kind, a form may prove equality, never difference.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "synth/provenance/provenance.h"

namespace swizzle {

// An operation whose laws are not all known here: an opaque function, or a ⊕ beside another.
struct Lawless {
  bool is_ring = false;
  Ring ring = Ring::kSum;
  std::uint32_t code = 0;    // of an opaque function: see provenance.h
  bool is_rounding = false;  // of constants
  friend bool operator==(const Lawless&, const Lawless&) = default;
};

// The operations that keep the normal forms of these values, whatever the holes below them are, from being the last
// word. None: different forms are different values. Opaque functions come first.
std::vector<Lawless> lawless(const Provenance& provenance, std::span<const Value> values);

}  // namespace swizzle
