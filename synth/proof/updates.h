// Updates of memory in whatever order: atomics of a kernel, and `y[i] += v` of a spec. Private to this room.
//
//   atomicAdd(&y[0], v)            thread t     y[0] ⊕ (i < n ? x[i] : 0)
//   atomicAdd(&h[id[i]], 1)        thread t     h[id[64·b + t]] ⊕ 1, where i < n
//   for (i…) h[id[i]]++            iteration i  likewise
//
//   for (i = 64 * b + t; i < n; i += 64 * blocks) s += x[i];      turn v of block b     s = x[64·v + t], alone
//   atomicAdd(&y[0], s);
//
// What a buffer has in the end is what it had, and all that comes to it. So a block is right if to each index comes
// from its threads what comes from the iterations that it shares, one index being another only if it is the same
// polynomial, or the same sum of data: each iteration is one block's. Such a buffer is named by nothing else. What is
// added up over turns (size_region.h), and then added to memory, is looked at as if each turn had added its part.
#pragma once

#include <optional>

#include "synth/program/intrinsics.h"
#include "synth/proof/symbolic_run.h"

namespace swizzle {

inline bool is_atomic(const Expr& e) {
  return e.kind == ExprKind::kIntrinsic && lane_behavior(e.intrinsic) == LaneBehavior::kAtomic;
}

// Of an atomic; nothing: it is not followed. A difference is a sum.
std::optional<Ring> ring_of_updates(Intrinsic atomic);

// Whether those of a block come to the same; all of them, or none, are made where the conditions of both hold.
bool are_same_updates(const std::vector<UpdatedSymbol>& kernel, const std::vector<UpdatedSymbol>& spec,
                      Elements& elements, const SizeRegion& region);

// Nothing: there is no buffer that is updated alone.
std::optional<Program> with_updates(const Program& spec);

}  // namespace swizzle
