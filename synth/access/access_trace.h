// The accesses of a kernel to shared and global memory, and what the hardware makes of each.
//
// On a machine of 4 lanes and 4 banks, a block of 4 threads runs
//
//   __shared__ float s[4][4];
//   s[threadIdx.x][0] = x[threadIdx.x];
//
//   x[threadIdx.x]       global load, 32 bits    bytes 0 4 8 12      1 sector, ideal 1
//   s[threadIdx.x][0]    shared store, 32 bits   bytes 0 16 32 48    4 wavefronts, ideal 1; bank 0
//
// Unlike execute(), which follows data as provenance and refuses what it cannot follow, this follows only the integers
// that come from the launch (LaneValue), in bytes, and says what it had to leave out: an address or a branch that data
// decide, inline PTX, unknown functions. Both ways of such a branch are walked; the body of such a loop is walked once.
// All warps of some blocks are walked: the first, the middle and the last, unless others or all are asked for. An
// access of more than its alignment counts as the instructions that it takes (float3: three). Every array of shared
// memory is taken to start at bank 0, and every buffer at a multiple of 256 bytes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "synth/base/diagnostic.h"
#include "synth/machine/wavefronts.h"
#include "synth/program/directives.h"
#include "synth/program/program.h"

namespace swizzle {

enum class MemorySpace { kShared, kGlobal };

// How the wavefront model counts it: an atomic as a load.
SharedOperation shared_operation(MemoryOperation operation);

// One instruction of one warp.
struct Request {
  std::string array;  // the array or buffer that it goes to
  std::array<int, 3> block{};
  int warp = 0;
  LaneAddresses addresses;               // bytes from the start of the array or buffer
  std::optional<BankConflict> conflict;  // kShared
};

// A function that the compiler put into its caller, and where that called it.
struct InlinedCall {
  std::string function;
  SourceRange at;
};

// All requests of one place in the source. Their cost is counted in wavefronts (kShared) or sectors (kGlobal).
struct AccessSite {
  SourceRange range;
  SourceRange call_site;  // in the file, if the access stands in a function of a header; else empty
  MemorySpace space = MemorySpace::kShared;
  MemoryOperation operation = MemoryOperation::kLoad;
  int bits = 32;      // a lane
  std::string array;  // which it goes to; empty: several
  std::int64_t requests = 0;
  std::int64_t not_counted = 0;  // requests whose addresses depend on data
  std::int64_t total = 0, total_ideal = 0;
  int worst = 0, worst_ideal = 0;  // of the request furthest from its ideal
  std::optional<Request> worst_request;
  std::vector<InlinedCall> inlined = {};  // around it, from the inside; read off PTX alone
  bool is_conditional = false;            // data decide which threads take part: as if all did

  std::int64_t excess() const { return total - total_ideal; }
};

inline constexpr int kMostBoundElements = 16;  // an array in a parameter that has more depends on data

struct TraceOptions {
  // The kernel's integer parameters, "n", "p.n", "p.n[0]"; one that is not here depends on data. A pointer of 0 is
  // null.
  Sizes sizes;
  LaunchShape shape;
  std::optional<std::int64_t> dynamic_shared_bytes = {};  // nothing: as many as it takes
  SharedMemoryModel memory;
  bool all_blocks = false;
  std::set<std::int64_t> blocks = {};   // that are walked; none: sampled_blocks()
  bool follows_history = false;         // of shared memory, for races and reads before writes
  bool multiplies_loops = true;         // or walks every round of every loop
  std::int64_t step_limit = 3'000'000;  // statements, expressions and requests; then loops are left
};

// What a rule says that is more than a cost.
struct Violation {
  std::string rule;  // "misaligned", "out-of-bounds", "race", "warp-race", "read-before-write", "barrier"
  Diagnostic said;
};

struct AccessTrace {
  std::vector<AccessSite> sites;           // in source order
  std::vector<std::array<int, 3>> blocks;  // those that were walked
  Diagnostics remarks;                     // what was left out, or is as data decide: warnings
  Diagnostics uncounted;                   // those among them behind which accesses to shared memory may hide
  std::vector<Violation> violations;       // among the remarks
  std::set<std::string> passed_rows;       // shared arrays of which a[0][40] is used as an element of another row
  std::int64_t steps = 0;                  // that it took
  bool is_complete = true;                 // false: the step limit left rounds of loops out, or ended it
};

AccessTrace trace_accesses(const Program& program, const TraceOptions& options);

// Those that are asked for; of all blocks, as many as there are steps for.
std::set<std::int64_t> blocks_to_walk(const TraceOptions& options);

// Of so many blocks: the first, one in the middle, and the last; of three or more, an odd one among them.
std::set<std::int64_t> sampled_blocks(std::int64_t blocks);

}  // namespace swizzle
