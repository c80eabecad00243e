// Executes a kernel's PTX at one launch, a block at a time, and counts what its accesses to memory take.
//
//   ld.param.u64 %rd1, [y];  mov.u32 %r1, %tid.x;  shl.b32 %r2, %r1, 7;  mov.u32 %r3, s;  add.s32 %r4, %r3, %r2;
//   st.shared.f32 [%r4], %f1;      bytes 0 128 256 … of s: 32 wavefronts, where 1 is ideal, at the place of its .loc
//
// The same AccessTrace as trace_accesses() gives of a Program, by the same rules: integers are followed lane by lane,
// data from global memory and reals are unknown. All threads of a block go in lockstep; where they part, the sides of
// the branch run one after the other until they meet. Where data decide, lanes take both sides, *perhaps*, and what
// differs behind is unknown; a loop that data end is walked once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "synth/access/access_trace.h"
#include "synth/ptx/module.h"

namespace swizzle::ptx {

// Where a Place is in the sources that the trace tells of.
struct PlaceInSource {
  SourceRange range;
  SourceRange call_site = {};  // as AccessSite has it
  std::vector<InlinedCall> inlined = {};
};

// A scalar parameter, or what lies at `offset_bytes` of a record.
struct ArgumentPart {
  enum class Kind { kData, kInteger, kBuffer };  // kBuffer: a pointer to a buffer of its own
  std::int64_t offset_bytes = 0;
  int size_bytes = 8;
  std::string name;
  Kind kind = Kind::kData;
  std::optional<std::int64_t> value = {};  // kInteger; nothing: it depends on data
};
using Argument = std::vector<ArgumentPart>;

struct KernelRun {
  const Module& module;
  const Function& kernel;
  const SourceText& source;
  std::vector<PlaceInSource> places;  // by Module::places
  std::vector<PlaceInSource> lines;   // by line of the PTX, 1 being the first: of what no .loc tells of; or none
  PlaceInSource kernel_place;         // likewise, where there are no lines
  std::vector<Argument> arguments;    // by parameter
};

// `how.sizes` is not looked at.
AccessTrace trace_accesses(const KernelRun& run, const TraceOptions& how);

}  // namespace swizzle::ptx
