// ArmWrite: what the arms of a branch on data have left in a local cell, kept apart from what was there before.
//
//   if (a < b) { r = a; r += 1; } else r = b;     in the first arm r is a, whatever it was before the branch
//     after the first arm    guard a < b          value a + 1     before: nothing
//     after both             the cell is a < b ? a + 1 : b, as all of it is written
//   if (v < w) v = w; else if (v == w) …          in the second arm v is what it was before
//
// Guards are conjunctions, as branches within branches make them: and(and(outer, p), !q).
#pragma once

#include <optional>

#include "synth/provenance/provenance.h"

namespace swizzle {

struct ArmWrite {
  Value guard;  // where `value` is seen
  Value value;
  Value before;  // elsewhere; undefined: nothing

  // What is there, as far as it is known.
  Value seen(Provenance& provenance, std::optional<Scalar> type) const;
  // Under another guard: in this arm, before it, or neither; nothing: what the arms left together.
  std::optional<Value> seen_under(const Provenance& provenance, Value reader) const;
  // False: what is written has nothing to do with this branch.
  bool write(Provenance& provenance, Value writer, Value written, std::optional<Scalar> type);
  // All of the cell is written.
  bool is_whole(Provenance& provenance) const;
};

}  // namespace swizzle
