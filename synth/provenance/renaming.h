// Renaming: the same value of elements that lie elsewhere.
//
//   x[1] + 2 * x[2], x moved by 8    x[9] + 2 * x[10]
//
// Elements of a buffer all move alike, so that different ones stay different, and a normal form stays one.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "synth/provenance/provenance.h"

namespace swizzle {

class Renaming {
 public:
  // `moves`: by buffer, in slots.
  Renaming(Provenance& provenance, std::vector<std::int64_t> moves)
      : provenance_(provenance),
        moves_(std::move(moves)) {}

  Value of(Value v);

 private:
  Value of_node(Value v);
  Value of_sum(Value v);

  Provenance& provenance_;
  std::vector<std::int64_t> moves_;
  std::unordered_map<std::uint32_t, Value> known_;
};

}  // namespace swizzle
