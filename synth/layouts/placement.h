// Placement: where the tiles of a completion lie, and the wavefronts that its accesses then take.
//
//   tile[L(warp, lane)] = x[…];  y[…] = tile[L(lane, warp)];  with L = r * 33 + c on 32 lanes:
//     layouts   r * 33 + c, of 1056 cells
//     accesses  a store and a load, 1 wavefront each where 1 is ideal: no bank conflicts
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "synth/layouts/layout_search.h"

namespace swizzle {

// One access in the source, over all its executions.
struct PlacedAccess {
  SharedOperation operation = SharedOperation::kLoad;
  int bits = 32;
  SourceRange range;
  double executions = 0, wavefronts = 0, ideal = 0;  // per warp
  int worst = 0, worst_ideal = 0;                    // of one execution
  std::optional<BankConflict> witness;               // of the worst
};

struct Placement {
  std::vector<LayoutChoice> layouts;   // by LayoutId
  std::vector<PlacedAccess> accesses;  // those that holes have a say in, in source order
  double wavefronts = 0, ideal = 0;    // per warp, of these accesses
  double integer_ops = 0;              // per warp, of the layouts' addresses
  std::int64_t bytes = 0;              // of the arrays that layouts size
  bool exhausted = true;
  std::vector<int> element_bytes;  // by LayoutId: the largest that it is used with
};

}  // namespace swizzle
