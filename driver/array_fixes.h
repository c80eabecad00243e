// The smallest change to the shape of a shared array that removes its bank conflicts, found by checking the changed
// file.
//
//   __shared__ float tile[32][32];          tile[32][32 + 1]: 3168 wavefronts become 192
//   __shared__ float s[R * C]; s[r * C + c]      s[R * C / C * (C + 1)], s[r * (C + 1) + c]
//
// Rows become longer by as few elements as will do, such that accesses of several elements stay aligned. What is
// offered is counted: every access of the file, at all of its launches, before and after. Tried are arrays that are
// declared in the file itself and used in no other way than element by element: nothing else may see where elements
// lie. Of an array of rows C++ says so (an index beyond its row is undefined); of a flat one, equality is to be shown.
#pragma once

#include "driver/check.h"
#include "synth/base/source_edits.h"

namespace swizzle {

struct ArrayFix {
  std::string kernel, array;
  SourceRange at;       // the name in its declaration
  std::string was, is;  // "tile[32][32]", "tile[32][32 + 1]"
  std::vector<SourceEdit> edits;
  std::int64_t wavefronts_before = 0, wavefronts_after = 0, ideal = 0;  // of all accesses to the array
  bool is_flat = false;
};

// For each array with conflicts for which a change is found that leaves fewer. `request` as `file` was checked.
std::vector<ArrayFix> array_fixes(const CheckedFile& file, const CheckRequest& request);

// The file with these changes.
std::string fixed_text(const CheckedFile& file, const std::vector<ArrayFix>& fixes);

}  // namespace swizzle
