// prove_all_sizes: that an emitted kernel equals its spec at every size that its launch is for.
//
//   stencil, grid(n / 64) block(64):  block b, n = 64 · (b + s + 1).  Thread t stores y[64·b + t] ↦ x[64·b + t] + …
//   the spec, in iteration i = 64·b + t < n, stores                         y[64·b + t] ↦ x[64·b + t] + …
//
// 1. The spec is executed once for all iterations: which loops run over sizes, what they store where. Different ones
// must
//    store to different elements (mixed radix: each stride is at least the next one times its count).
// 2. Each loop over a size is shared out by a dimension of the grid: of each block, T iterations T·b … T·b + T - 1.
//    T times the blocks is at least the count, so that every iteration belongs to a block.
// 3. The block's threads and its iterations of the spec are executed for all sizes and blocks at once, conditions being
//    guards (guards.h), and must store the same values to the same elements: each store of a thread is one of the
//    spec's, and each of the spec's is made by some thread, where guards say so. Reads stay within the buffers. Where
//    that is too much, conditions on blocks split the region until they have one value; where it still is, the region
//    is halved.
//    A block whose warps share nothing is looked at by one of them, with the warp's number unknown, if the warps share
//    out the block's iterations in order.
// 4. Integers of 32 bits that grow with the sizes stay below 2^31 while buffers and sizes do, which bounds the sizes.
//
// Nothing here is assumed: what is not followed is not proved. Equality of polynomials and their signs over atoms of at
// least 0 decide; no solver is asked.
#pragma once

#include <string>
#include <vector>

#include "synth/base/deadline.h"
#include "synth/proof/size_region.h"

namespace swizzle {

struct AllSizesProof {
  bool is_proved = false;
  std::vector<std::string> conditions = {};  // under which it holds: {"n % 64 == 0", "64 <= n <= 2147483584"}
  std::string reason = {};                   // why it is not proved
  std::optional<Sizes> suspect = {};         // the least size of where it was not, if there is one
  // Where it is not proved: conditions under which it is, of multiples of what sizes are divided by. None: it is not.
  std::vector<std::string> of_multiples = {};
  int regions = 0;
  bool keeps_sizes = false;  // some have the one value that was given, or multiples, though nothing says so

  std::string holds_for() const;  // "n % 64 == 0, 64 <= n <= 2147483584"
};

// `known`: the given sizes, one at least, at which kernel and spec were executed and are equal. Parameters that the
// launch does not name and that have one value there may vary, if that is proved, and else stay as they are.
AllSizesProof prove_all_sizes(const Program& kernel, const Program& spec, const std::vector<Sizes>& known,
                              const Deadline& deadline);

}  // namespace swizzle
