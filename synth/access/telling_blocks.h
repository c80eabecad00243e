// Blocks beyond those that are sampled which use shared memory in another way: blocks may share out different work.
//
//   const int pitch = blockIdx.x / 8 == 1 ? 32 : 33;       of 32 blocks, the first, the middle and the last have 33;
//   … s[threadIdx.x * pitch] …                             block 8 is walked as well
//
//   if (blockIdx.x == 77) …                                block 77, as the kernel compares with it
//
// As many are looked at as there are steps for. What none of them does is not seen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "synth/access/access_trace.h"

namespace swizzle {

// What the program compares anything with: numbers, and parameters that are known.
std::set<std::int64_t> numbers_compared(const Program& program, const Sizes& sizes);

// Those to look at, first those that `numbers` name along an axis: all of a few blocks; of many the neighbours of the
// corners, and others evenly spread. Less what is sampled.
std::vector<std::int64_t> blocks_to_look_at(const LaunchShape& shape, const std::set<std::int64_t>& numbers);

// Whether `block` has an access to shared memory that `seen` lacks, or one that is further from its ideal.
bool tells_more(const AccessTrace& block, const AccessTrace& seen);

// `trace` gives the AccessTrace of a kernel under TraceOptions; `how` keeps the blocks that tell something.
template <typename Trace>
AccessTrace traced_with_telling_blocks(TraceOptions& how, const std::set<std::int64_t>& numbers, Trace&& trace) {
  constexpr std::int64_t kSteps = 200'000;
  constexpr std::size_t kMostTelling = 8;
  AccessTrace all = trace(how);
  if (how.all_blocks) return all;
  TraceOptions look = how;
  look.follows_history = false;
  look.step_limit = std::min(look.step_limit, kSteps);
  std::set<std::int64_t> telling;
  AccessTrace seen = all;
  for (const std::int64_t block : blocks_to_look_at(how.shape, numbers)) {
    if (look.step_limit <= 0 || telling.size() == kMostTelling) break;
    look.blocks = {block};
    const AccessTrace of_block = trace(look);
    look.step_limit -= of_block.steps;
    if (!tells_more(of_block, seen)) continue;
    telling.insert(block);
    seen.sites.insert(seen.sites.end(), of_block.sites.begin(), of_block.sites.end());
  }
  if (telling.empty()) return all;
  how.blocks = sampled_blocks(how.shape.blocks());
  how.blocks.merge(telling);
  return trace(how);
}

}  // namespace swizzle
