// Execution of a Program on concrete indices and symbolic data: sketch, spec and emitted kernel alike.
//
//   y[t] = x[t] + x[t + 1] on 4 lanes leaves the trace   y[0] ↦ x[0] + x[1], …, y[3] ↦ x[3] + x[4]
//
// Threads of a block advance together, statement by statement, under a mask; blocks follow one another. A branch on
// a hole runs both ways with a guard, and what it writes becomes a choice. What a candidate must not do (leave a
// buffer, race, store where the spec does not) is required when a hole decides it, and is an error when none does.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "synth/base/deadline.h"
#include "synth/execution/buffer_cell.h"
#include "synth/machine/wavefronts.h"
#include "synth/program/program.h"
#include "synth/provenance/points.h"
#include "synth/provenance/provenance.h"

namespace swizzle {

// A parameter that data come in by: a pointer (extent elements), or a scalar that is no size (one element).
struct Buffer {
  std::string name;
  bool is_pointer = false;
  bool is_const = false;
  std::vector<Scalar> scalars = {Scalar::kF32};  // of an item's slots; float4: 4
  bool has_bits = false;                         // its words are followed bit by bit: see words.h
  std::int64_t slots_per_item() const { return static_cast<std::int64_t>(scalars.size()); }
  Scalar scalar_at(std::int64_t slot) const { return scalars[static_cast<std::size_t>(slot % slots_per_item())]; }
};

// A store to a buffer, of a kernel with holes.
struct Store {
  Value guard;    // 1, or a choice of 1 and 0
  Value pointer;  // Value::pointer(buffer, slot), or a choice of such; undefined: elsewhere
  Value value;
  std::uint32_t thread = 0;  // numbered through the launch
  SourceRange range;
  std::size_t instance = 0;  // see pose.h
};

// `violation` must come out as 0 in every completion.
struct Requirement {
  Value violation;
  std::string message;
  SourceRange range;
  std::vector<Value> compared = {};  // that it takes for different: see laws.h
};

// What one warp issues on average. Units: warp instructions; wavefronts for shared memory. `loads` are those from
// global memory; load() issues one for each of its registers, also where its guard keeps lanes out.
struct Counts {
  double shuffles = 0, accumulates = 0, multiplies = 0, shared_wavefronts = 0, loads = 0;
};

// What a warp issues where some of its lanes' guards, 1 or 0 as holes choose, is true. That of other lanes is 0.
struct GuardedIssue {
  std::vector<Value> guards;  // no two alike
  Counts counts;
};

// An array, or what a layout makes of it: its cells by rows, tile after tile.
struct SharedObject {
  std::string name;
  std::int64_t base_bytes = 0;
  int slot_bytes = 4;
  ItemLayout uneven;  // see offset_of()
  // Behind a layout:
  LayoutId layout;
  int element_slots = 1;
  std::int64_t tile_elements = 0;  // from a tile to the next; there may be several side by side
  std::int64_t tiles = 1;
  bool is_sized = false;  // by the layout: tile_elements are its cells, and the real distance follows from it
};

// An instruction whose wavefronts holes have a say in.
struct SharedAccess {
  SharedOperation operation = SharedOperation::kLoad;
  int bits = 32;
  int offset_bytes = 0;  // behind each lane's pointer
  SourceRange range;
  std::vector<Value> lanes;  // pointers into Trace::shared_objects, or choices of them; undefined: inactive
  double count = 0;          // per warp
  std::size_t instance = 0;  // see pose.h
};

struct Trace {
  std::vector<Buffer> buffers;                      // by BufferId: the position of the parameter
  std::vector<std::map<std::int64_t, Cell>> cells;  // by buffer; the slots that were stored to
  std::vector<std::int64_t> touched;                // by buffer: 1 + the highest slot read or written
  std::vector<Requirement> requirements;
  std::vector<Store> stores;                  // as they were executed, if the kernel has holes
  std::map<HoleId, double> hole_executions;   // per warp
  std::map<ExprId, int> hole_indexed;         // subscripts of local arrays whose index a hole decides → length
  Counts counts;                              // of what is issued whatever the holes are
  std::vector<SharedAccess> shared_accesses;  // not in `counts`
  std::map<std::uint32_t, SharedObject> shared_objects;  // by Value::aux: those in shared_accesses
  std::int64_t dynamic_shared_bytes = 0;                 // of `extern __shared__` arrays, as far as they are used
  std::vector<GuardedIssue> guarded;                     // of what holes decide whether it is issued
  std::vector<Repetition> repetitions;                   // none: each group was executed; else no `stores`
};

// A register of a lane, in the launch's first warp, comes to hold `value`.
struct RegisterWrite {
  SourceRange range;     // of the assignment or declaration; of a shuffle, its own
  std::string variable;  // empty: what a shuffle gives
  std::int64_t slot = 0, slots = 1;
  int lane = 0;
  std::optional<int> from_lane = {};  // of a shuffle
  Value value;
};

struct Execution {
  Sizes sizes = {};                                       // the kernel's integer parameters
  std::optional<LaunchShape> shape = {};                  // none: a sequential program
  std::optional<std::vector<std::int64_t>> extents = {};  // slots, by parameter; none: whatever is touched
  std::vector<bool> has_bits = {};                        // by parameter: see Buffer
  std::vector<std::optional<ValueRange>> ranges = {};     // of elements, by parameter
  std::set<std::size_t> by_cases = {};                    // parameters, where data choose elements: see data_cases.h
  Groups groups = Groups::kEach;                          // that are executed
  bool counts_issues = true;                              // false: nobody asks what is issued, which stays unknown
  bool extents_only = false;                              // data are one symbol a buffer: only Trace::touched is meant
  std::int64_t step_limit = 50'000'000;                   // evaluated expressions · lanes
  Deadline deadline;
  SharedMemoryModel memory;
  std::vector<RegisterWrite>* register_writes = nullptr;  // as they happen; null: nobody asks
};

// Errors: data decide an address or a loop, an undefined condition, an access outside its buffer, a race, a loop
// that passes the step limit, the deadline, a barrier in divergent code, and what the language here does not have.
Result<Trace> execute(const Program& program, const Execution& execution, Provenance& provenance, PointTable& points);

}  // namespace swizzle
