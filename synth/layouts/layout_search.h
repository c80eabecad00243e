// The layout of a tile that its accesses, all together, are served fastest through.
//
// A layout only renames the cells of a tile, so what a kernel computes does not depend on it, and each access is known
// by the cells that its lanes use. A 4×4 tile of words on 4 banks, stored by rows and loaded by columns:
//
//   accesses     4 × store (0,0) (0,1) (0,2) (0,3) …          4 × load (0,0) (1,0) (2,0) (3,0) …
//   r * 4 + c    1 wavefront each                             4 each: 20 together
//   r * 5 + c    1                                            1: 8, the ideal
//
// Compared are first wavefronts, then operations of the printed address, then the bytes of the buffer. Layouts come in
// the order of the latter two, so the search ends with the first that reaches the ideal, or with the last of all.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "synth/base/deadline.h"
#include "synth/base/diagnostic.h"
#include "synth/layouts/layout_families.h"
#include "synth/machine/wavefronts.h"

namespace swizzle {

// What one lane uses: `rest` bytes into an element of a tile, or of one of several tiles side by side.
struct TileCell {
  int row = 0, column = 0;
  int rest_bytes = 0;
  int tile = 0;
  friend auto operator<=>(const TileCell&, const TileCell&) = default;
};

// One instruction of a warp.
struct TileAccess {
  SharedOperation operation = SharedOperation::kLoad;
  int bits = 32;
  int element_bytes = 4;
  std::optional<std::int64_t> tile_stride;  // elements from a tile to the next; none: as many as the layout asks for
  std::vector<std::optional<TileCell>> lanes;
  double weight = 1;  // how often a warp issues it
  SourceRange range;
};

LaneAddresses addresses_of(const TileAccess& access, const Layout& layout);  // in bytes

struct TileProblem {
  int rows = 1, columns = 1;
  std::vector<TileAccess> accesses;
  std::optional<std::int64_t> capacity;  // see LayoutShape
  SharedMemoryModel memory;
  std::optional<Layout> given = {};  // the only member
};

// The elements of each access stay side by side, aligned to the access.
bool keeps_together(const TileProblem& problem, const Layout& layout);

struct LayoutChoice {
  Layout layout;
  double wavefronts = 0, ideal = 0;  // of a warp, over all accesses
  std::size_t members = 0, tried = 0;
  bool exhausted = true;  // no member of the families is better; false: the deadline ended the search
};

// Several elements at a time that no layout keeps together: columns 2 … 5 of a row, for a float4 at column 2.
bool is_aligned(const TileProblem& problem);

// What layouts_of() is to be asked for.
LayoutShape shape_of(const TileProblem& problem);

// Nothing: no member fits the capacity. Past the deadline, the first one will do. `members` are the layouts of the
// shape, unless the problem gives one.
std::optional<LayoutChoice> search_layout(const TileProblem& problem, const std::vector<RankedLayout>& members,
                                          const Deadline& deadline = {});
std::optional<LayoutChoice> search_layout(const TileProblem& problem, const Deadline& deadline = {});

}  // namespace swizzle
