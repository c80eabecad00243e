// GuardAlternatives: guards of which at most one holds, under each of which a matching's tuple is added to one output.
//
//   t is added where P = 1 and Q = 0, or P = 0 and Q = 1; P = 1 is known:   Q = 0 where the output needs t, else Q = 1
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "synth/network/matching.h"
#include "synth/tables/domains.h"

namespace swizzle {

class GuardAlternatives {
 public:
  explicit GuardAlternatives(const Matching& matching);

  // Takes from `may` (by tuple, Matching::words each) the monomials that no guard left adds with the coefficient
  // needed.
  void restrict(const Matching& matching, const Domains& domains, Mask& may) const;
  // False: no values are left to some point.
  bool narrow(const Matching& matching, const Mask& may, Domains& domains);

 private:
  using Group = std::vector<std::uint32_t>;  // positions in Matching::assignments
  bool keep_supported(const Matching& matching, const Group& live, Domains& domains);

  std::vector<Group> groups_;  // of one tuple and one sum
  Group live_;
};

// The only step of the guard that is not decided, where all others hold; or its last one, if all do. Nothing: there is
// none.
const std::pair<PointId, int>* deciding_step(const Guard& guard, const Domains& domains);

}  // namespace swizzle
