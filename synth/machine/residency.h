// How many blocks of a kernel an SM holds at once, as far as threads and shared memory decide it.
//
//   256 threads, 32 KB:   228 / (32 + 1) = 6 blocks of the 8 that threads would allow
//   256 threads, 37 KB:   6                            a pad of 16 % costs nothing
//   256 threads, 38 KB:   5                            a little more, a block
//
// CUDA C++ Programming Guide, compute capability 9.0: 2,048 threads and 32 blocks an SM, 228 KB of shared memory, of
// which each block takes 1 KB for the system; 227 KB a block, 48 of them static.
#pragma once

#include <algorithm>
#include <cstdint>

namespace swizzle {

// Of a block: in all, and of what no launch gives, as nvcc allows.
inline constexpr std::int64_t kMostSharedBytes = 227 * 1024, kMostStaticSharedBytes = 48 * 1024;

constexpr std::int64_t resident_blocks(std::int64_t shared_bytes, int threads) {
  constexpr std::int64_t kThreads = 2048, kBlocks = 32, kSharedBytes = 228 * 1024, kOfSystem = 1024;
  return std::min({kBlocks, kThreads / std::max(threads, 1), kSharedBytes / (shared_bytes + kOfSystem)});
}

}  // namespace swizzle
