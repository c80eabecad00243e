// Stores of a spec that go to different elements, each iteration to its own: private to this room.
//
//   y[r * w + c],                c < w                mixed radix: the stride of r is at least c's count
//   x[r * n + c], x[c * n + r],  c <= r < n           equal where r = c' and c = r'; then r = c' <= r' = c <= r
//   y[(64 * i + 5) * w + 64 * j + 8] if 64 * j + 8 < w    … in row 64 * i + 5, which no other (i, 5) has
//
// An index of a loop may be looked at by its value where it begins at that of another, `for (c = r + 1; …)`.
#pragma once

#include <string>
#include <vector>

#include "synth/proof/size_region.h"

namespace swizzle {

struct SpecIndex {
  Atom atom = 0;
  Polynomial end;  // 0 <= atom < end, whatever others are
};

struct SpecStore {
  Polynomial slot;                // over the indices
  std::vector<Polynomial> facts;  // at least 0, where it is made
};

// Why that is not seen of these stores within the same loops, each of which has an index; empty, if it is.
std::string why_not_apart(const std::vector<SpecIndex>& indices, const std::vector<SpecStore>& stores,
                          const SizeRegion& region);

// p = rest + factor · a, if a occurs in it so.
struct Linear {
  Polynomial rest, factor;
};
std::optional<Linear> linear_in(const Polynomial& p, Atom a);

}  // namespace swizzle
