// SymbolicRun: a program executed for all sizes and blocks of a region at once. Indices are polynomials, threads of the
// block are concrete, and data are provenance whose leaves are elements at polynomial addresses.
//
//   y[i] = x[i] + x[i + 1], i = blockIdx.x * 64 + threadIdx.x, stores for thread 5:   y[64·b + 5] ↦ x[64·b + 5] +
//   x[64·b + 6]
//
// A condition that part of the region meets is followed both ways (guards.h), of some regions only if its atoms have
// bounds. Else it must have one value: the run stops and says where to split the region. What is not followed (data
// that decide an address, memory that is read after it was written, …) stops it with a reason. Of a spec,
// loops whose bounds depend on sizes are index loops: their bodies run for one value of the index, which the caller
// gives, or for a new atom. An iteration must not depend on another one.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "synth/base/deadline.h"
#include "synth/program/program.h"
#include "synth/proof/symbolic_trace.h"

namespace swizzle {

// How a spec's index loops run. Without `iterations`, for all values at once, to see what is stored where: conditions
// that an index decides are taken both ways. Else several iterations run side by side, like threads.
struct SpecRun {
  std::set<StmtId> index_loops;  // known from an earlier run; found in a run for all
  std::set<StmtId> with_stores;  // those of them that store: the others are followed by rounds (rounds.h)
  std::optional<std::map<StmtId, std::vector<Polynomial>>> iterations;  // of each thread, those of the loops around
  std::vector<Value> where{kEverywhere};  // by thread: the condition under which there are these iterations
  // The innermost of the loops, whose iterations hand something on: the given one and those that follow it, in order.
  StmtId sequence;
  std::int64_t sequence_length = 1;
};

// A reason.
inline constexpr std::string_view kUndividedLength = "the steps of a loop of the spec do not divide its length";

struct SymbolicOutcome {
  SymbolicTrace trace;
  std::optional<Split> split;
  std::string reason;  // why it is not followed, if it is not
  bool ok() const { return !split && reason.empty(); }
};

// How far a buffer may be read: below one of `ends`, each of which is no longer than it, and what the spec reads
// itself, by the condition under which it does.
struct Readable {
  std::vector<Polynomial> ends;
  std::unordered_map<Polynomial, Value, HashOfPolynomial> touched;
};
using Extents = std::vector<Readable>;  // by parameter

// `region` may get new atoms. Without `spec`, all threads of the block; without `extents`, no read is looked at.
SymbolicOutcome run_symbolically(const Program& program, SizeRegion& region, Elements& elements,
                                 const std::map<std::string, Polynomial>& sizes, const SpecRun* spec,
                                 const Extents* extents, const Deadline& deadline);

}  // namespace swizzle
