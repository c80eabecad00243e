// Threads that are numbered through a product of sizes (thread_digits.h), of which some are looked at: one, or as many
// as the numbers in the product make up.
//
//   grid((n * c * 4 + 255) / 256) block(256)     the threads 4 · (r · c + k) + 0, 1, 2, 3
#pragma once

#include <vector>

#include "synth/proof/polynomial.h"

namespace swizzle {

struct NumberedThreads {
  struct Thread {
    Polynomial number, block;  // in the launch, and of its block
  };
  std::vector<Thread> looked_at;
  Polynomial count;            // the product
  int threads = 0;             // of a block
  bool is_rounded_up = false;  // the last block may have threads beyond the product: `is_beyond` is one of those
  bool is_beyond = false;
  bool all_divide_digits = false;  // or the order of digits is a wrong one: divisions by sizes that leave some apart

  Polynomial in_block(const Thread& thread) const { return thread.number - thread.block * Polynomial(threads); }
  // Each thread stands in its block: at least 0. Those of one block stand one behind the other.
  std::vector<Polynomial> in_their_blocks() const {
    std::vector<Polynomial> bounds;
    for (std::size_t t = 0; t < looked_at.size(); ++t) {
      const bool is_first = t == 0 || !(looked_at[t].block == looked_at[t - 1].block);
      const bool is_last = t + 1 == looked_at.size() || !(looked_at[t].block == looked_at[t + 1].block);
      if (is_first) bounds.push_back(in_block(looked_at[t]));
      if (is_last) bounds.push_back(Polynomial(threads - 1) - in_block(looked_at[t]));
    }
    return bounds;
  }
};

}  // namespace swizzle
