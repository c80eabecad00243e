// SymbolicRun: a program executed for all sizes and blocks of a region at once. Indices are polynomials, threads of the
// block are concrete, and data are provenance whose leaves are elements at polynomial addresses.
//
//   y[i] = x[i] + x[i + 1], i = blockIdx.x * 64 + threadIdx.x, stores for thread 5:   y[64·b + 5] ↦ x[64·b + 5] +
//   x[64·b + 6]
//
// A condition that part of the region meets is followed both ways (guards.h), of some regions only if its atoms have
// bounds. Else it must have one value: the run stops and says where to split the region. What is not followed (data
// that decide an address, memory that is read after it was written, atomics, …) stops it with a reason. Of a spec,
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
#include "synth/base/hashes.h"
#include "synth/program/program.h"
#include "synth/proof/elements.h"
#include "synth/proof/size_region.h"
#include "synth/provenance/provenance.h"

namespace swizzle {

// What a thread has in a slot.
struct Symbol {
  enum class Kind { kUndefined, kInteger, kPointer, kData } kind = Kind::kUndefined;
  Polynomial number;         // kInteger: itself; kPointer: slots from the start of the object
  std::uint32_t object = 0;  // kPointer
  Value data;                // kData; kPointer: slots that guards choose among, in place of `number`

  static Symbol integer(Polynomial p) { return {Kind::kInteger, std::move(p), 0, {}}; }
  static Symbol pointer(std::uint32_t object, Polynomial slot) { return {Kind::kPointer, std::move(slot), object, {}}; }
  bool is_integer() const { return kind == Kind::kInteger; }
  bool is_pointer() const { return kind == Kind::kPointer; }
  bool is_undefined() const { return kind == Kind::kUndefined; }
  // A constant.
  bool is_plain() const { return kind == Kind::kData ? data.is_real() : number.is_constant() && !data.is_node(); }
  friend bool operator==(const Symbol&, const Symbol&) = default;
};

struct Touched {
  std::size_t buffer = 0;  // by parameter
  Polynomial slot;
  bool is_certain = true;          // not under a condition that depends on an index
  Value where = kEverywhere;       // the condition under which it is
  std::vector<StmtId> loops = {};  // index loops around it
};

struct StoredSymbol {
  std::size_t buffer = 0;
  Polynomial slot;
  Value value;
  int thread = 0;
  SourceRange range;
  std::vector<StmtId> loops;           // index loops around it
  Value where = kEverywhere;           // the condition under which it is made
  int epoch = 0;                       // barriers of the block before it
  std::vector<Polynomial> facts = {};  // of a run for all iterations: at least 0, as conditions say
};

// Of a buffer that may be stored to: see in_place.h.
struct ReadInPlace {
  std::size_t buffer = 0;
  Polynomial slot;
  int thread = 0, epoch = 0;
  std::vector<StmtId> loops;
  Value where = kEverywhere;
};

// for (i = first; i < first + step · count; i += step)
struct IndexLoop {
  Polynomial first, count;
  std::int64_t step = 1;
  Atom index = 0;  // of a run for all of them: the number of the iteration
};

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

// A value of an integer of 32 bits that is not bounded in the region.
struct LargeInteger {
  Polynomial value;
  Value where;  // the condition under which it is computed
  friend bool operator==(const LargeInteger&, const LargeInteger&) = default;
};

struct HashOfLargeInteger {
  std::size_t operator()(const LargeInteger& l) const { return mix(HashOfPolynomial()(l.value), l.where.aux); }
};

struct SymbolicTrace {
  std::vector<StoredSymbol> stores;
  std::vector<Touched> reads;
  std::vector<ReadInPlace> in_place;
  std::set<std::size_t> gathered;  // buffers that are read at indices that data decide: nothing may store there
  std::map<StmtId, IndexLoop> loops;
  std::set<StmtId> sequences;             // of a run for all: loops of which an iteration changes what others see
  LoopSteps steps;                        // of a kernel's loops, in a region that has none
  std::optional<std::size_t> turns_over;  // the dimension whose blocks share out the turns of all loops; else none
  std::vector<LargeInteger> large;        // of those that differ by a constant, the largest one
  std::unordered_map<LargeInteger, std::size_t, HashOfLargeInteger> large_at;  // by what is left without the constant

  void keep_large(const Polynomial& p, Value where);
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
