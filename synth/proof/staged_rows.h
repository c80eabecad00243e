// Rows of a size that a block puts into dynamic shared memory: what is read there is computed once more.
//
//   extern __shared__ float s[];                                       launched with n * sizeof(float) bytes
//   for (int j = threadIdx.x; j < n; j += blockDim.x) s[j] = f(j);
//   __syncthreads();
//   y = s[n - 1 - t];                                                  y = 0 <= n - 1 - t && n - 1 - t < n ? f(n - 1 -
//   t) : undefined
//
// The threads share all elements out, so that each is what one thread stores there. What a thread reads of others'
// elements stands behind a barrier, and depends on nothing that threads have of their own; of its own elements, in a
// loop with the same head, on nothing that is changed in between. Elements that are stored to once more, s[j] =
// expf(s[j] - most), are no longer read by others then, but behind a barrier.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "synth/program/program.h"

namespace swizzle {

struct StagedRows {
  Program kernel;
  std::map<std::string, std::int64_t> most;  // by size: of so many elements there is room
};

// Nothing: there are no such rows.
std::optional<StagedRows> with_staged_rows(const Program& kernel);

}  // namespace swizzle
