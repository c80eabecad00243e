// SymbolicTrace: what a symbolic run (symbolic_run.h) stores, adds to memory and reads, in all threads or iterations.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

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
  Value stays = kEverywhere;           // … and that no other store of the thread comes behind it
  int epoch = 0;                       // barriers of the block before it
  std::vector<Polynomial> facts = {};  // of a run for all iterations: at least 0, as conditions say
};

// What comes to what there is: see updates.h.
struct UpdatedSymbol {
  std::size_t buffer = 0;
  Value index;             // of its element: a number, or of data
  bool is_narrow = false;  // … of 32 bits, which may not be enough
  Ring ring = Ring::kSum;
  Scalar scalar = Scalar::kI32;
  Value value;
  std::vector<StmtId> loops = {};  // index loops around it
  Value where = kEverywhere;       // the condition under which it comes
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
  std::vector<UpdatedSymbol> updates;
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

}  // namespace swizzle
