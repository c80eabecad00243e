// Orders: values that the order of few elements decides are the same if they are so in every order.
//
//   max(min(a, b), min(max(a, b), c))   against   a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b)
//     each is one of a, b and c, whichever stands in the middle: the same in all 13 orders of three, ties among them
//   a + b - min(a, b)                   against   max(a, b)
//     a sum of such, whose parts are gone through at as many inputs of each order as tell its coefficients
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "synth/provenance/provenance.h"

namespace swizzle {

// Remembers what it was asked about values that differ in their elements alone.
class Orders {
 public:
  // True: the same, whatever the elements are. Of values without choices; false also where nothing is known.
  bool are_alike(const Provenance& provenance, Value a, Value b);

 private:
  std::map<std::vector<double>, bool> known_;  // by what is compared
};

}  // namespace swizzle
