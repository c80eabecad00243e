// The smallest changes that remove the bank conflicts of a shared array, found by checking the changed file.
//
//   __shared__ float tile[32][32];          tile[32][32 + 1]: 3168 wavefronts become 192, for 128 bytes more
//   tile[r][c]                              or tile[r][c ^ r] (Swizzle<5, 0, 5>): 192 as well, in the same memory
//
// Rows become longer by as few elements as will do, or the elements of each row change places: see array_changes.h.
// What is offered is counted: every access of the file, at all of its launches, before and after. Of equals the pad
// goes first, unless it costs a block that an SM would hold. Tried are arrays that are declared in the file itself and
// used in no other way than element by element: nothing else may see where elements lie.
#pragma once

#include "driver/array_changes.h"
#include "driver/check.h"

namespace swizzle {

struct ArrayFix {
  std::string kernel, array;
  SourceRange at;  // the name in its declaration
  ArrayChange change;
  std::int64_t wavefronts_before = 0, wavefronts_after = 0, ideal = 0;  // of all accesses to the array
  bool is_alternative = false;                                          // to the fix before it
  // That the kernel computes the same is to be shown. Of rows, C++ says so: an index beyond its row is undefined. A
  // swizzle of all elements is a permutation that each index goes through.
  bool needs_proof = false;
};

enum class FixKinds { kAll, kSwizzles };

// For each array with conflicts the changes that leave fewer, the best of each kind: the first is the one to make.
// `request` as `file` was checked.
std::vector<ArrayFix> array_fixes(const CheckedFile& file, const CheckRequest& request,
                                  FixKinds kinds = FixKinds::kAll);

// The file with these changes.
std::string fixed_text(const CheckedFile& file, const std::vector<ArrayFix>& fixes);

}  // namespace swizzle
