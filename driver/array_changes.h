// Changes to where the elements of a shared array lie, as edits of the file: what is written, not whether it helps.
//
//   padded(1)       tile[DIM][DIM]             tile[DIM][DIM + 1]
//                   s[R * C]; s[r * C + c]     s[R * C / C * (C + 1)]; s[r * (C + 1) + c]
//   swizzled        tile[r][c]                 tile[r][c ^ r]             every use; CuTe's Swizzle<5, 0, 5>
//                   s[i]                       s[i ^ ((i >> 5) & 31)]     whatever the index, with no row in sight
//
// A swizzle permutes the elements of each row (flat: of each group of some 2^n elements), so that the array stays as
// large as it was. That rows have the length for it is asserted in the file where a name says how long they are:
//
//   __shared__ float tile[DIM][DIM]; static_assert(DIM % 32 == 0 && DIM <= 32, "for the swizzle of tile");
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/shared_array.h"
#include "synth/base/source_edits.h"
#include "synth/layouts/layout_families.h"
#include "synth/machine/wavefronts.h"

namespace swizzle {

struct ArrayChange {
  std::string was, is;  // what tells of all uses
  std::vector<SourceEdit> edits;
  std::int64_t bytes_more = 0;
  std::string swizzle;  // "Swizzle<5, 0, 5>"; empty: none
};

// Rows of `more` elements more; the array has a pitch.
ArrayChange padded(const SourceText& source, const SharedArray& array, std::int64_t more);

// What swizzled() can write, in the order of layouts_of(): permutations of the elements that leave those together which
// are accessed together. Rows are those of the last two extents; of a flat array, the whole is one.
std::vector<RankedLayout> swizzles_of(const SharedArray& array, const SharedMemoryModel& memory);

// The same layout serves an array of these extents, too: one instance of a template as the other.
bool serves(const Layout& layout, const std::vector<std::int64_t>& extents);

ArrayChange swizzled(const SourceText& source, const SharedArray& array, const Layout& layout);

}  // namespace swizzle
