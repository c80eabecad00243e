// Buffers that are read and stored to: what is read must be what was there before the launch.
//
//   y[i] = a * x[i] + y[i]       iteration i reads what it alone stores, and before it does
//   y[i] = y[i - 1] + x[i]       … or what an iteration of the block's share stored that is before it
//   the kernel, thread t         likewise, block by block: what it reads, its block stores, and no other one
//
// Of a spec, iterations store to different elements (iterations.h): an element that one of them stores to, none of the
// others does. Of a kernel, the block's share of iterations is what it stores; an element of that share may be stored
// to by other threads of the block only behind a barrier that is behind the read.
#pragma once

#include <functional>

#include "synth/proof/symbolic_run.h"

namespace swizzle {

// Of a spec's run: reads of such buffers by iterations that do not store there themselves, y[i - 1] say. Where those
// of a loop are made in order, nothing is left of what they read of each other's.
std::vector<const ReadInPlace*> reads_of_others(const SymbolicTrace& spec);
// Of a kernel's. is_own: of the share of the block.
bool reads_before_stores(const SymbolicTrace& kernel, const std::function<bool(const ReadInPlace&)>& is_own);

}  // namespace swizzle
