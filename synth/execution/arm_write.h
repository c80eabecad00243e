// ArmWrite: what the arms of branches on data have left in a local cell, kept apart from what was there before.
//
//   if (a < b) { r = a; r += 1; } else r = b;     in the first arm r is a, whatever it was before the branch
//     after the first arm    guard a < b          value a + 1     before: nothing
//     after both             the cell is a < b ? a + 1 : b, as all of it is written
//   if (v < w) v = w; else if (v == w) …          in the second arm v is what it was before
//   if (a < b) { t = a; … } if (b < c) { t = b; … }   in each arm t is what that one has written
//
// Guards are conjunctions, as branches within branches make them: and(and(outer, p), !q).
#pragma once

#include <optional>
#include <vector>

#include "synth/provenance/provenance.h"

namespace swizzle {

class ArmWrite {
 public:
  // `value` is seen where the guard holds, `before` elsewhere; undefined: nothing.
  ArmWrite(Value guard, Value value, Value before) : layers_{{guard, value}}, before_(before) {}

  // What is there, as far as it is known.
  Value seen(Provenance& provenance, std::optional<Scalar> type) const;
  // The same, where nothing was written being `other`.
  Value seen_or(Provenance& provenance, std::optional<Scalar> type, Value other) const;
  // Under another guard: in this arm, before it, or neither; nothing: what the arms left together.
  std::optional<Value> seen_under(Provenance& provenance, Value reader, std::optional<Scalar> type) const;
  // False: what is written has nothing to do with this branch.
  bool write(Provenance& provenance, Value writer, Value written, std::optional<Scalar> type);

 private:
  struct Layer {
    Value guard, value;
  };

  void fold(Provenance& provenance, std::optional<Scalar> type);
  bool is_whole(Provenance& provenance) const;
  bool may_be_whole(const Provenance& provenance) const;

  std::vector<Layer> layers_;  // where guards of two hold, the later one is seen; of one alone, if something was before
  Value before_;
};

// No input makes this guard hold, as far as its conditions deny each other.
bool is_never(Provenance& provenance, Value guard);

}  // namespace swizzle
