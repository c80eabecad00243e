// pose: sketch and spec, executed at the instances, become one Problem (problem.h): it encodes them as equations.
//
//   y[t] = x[?sw_xform(t, 4)] on 4 lanes, spec y[i] = x[3 - i], at n = 8:
//     Posed    2 blocks of 4 threads, extents x: 8, y: 8
//     Problem  8 equations over 4 points, since both blocks ask the same
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "synth/problem/problem.h"
#include "synth/provenance/laws.h"

namespace swizzle {

// One size: what spec and sketch do there, and how large the buffers are.
struct Posed {
  Sizes sizes;
  LaunchShape shape;
  std::vector<std::int64_t> extents;           // slots, by parameter of the kernel
  std::optional<LaunchShape> spec_shape = {};  // if the spec is a kernel
  std::int64_t dynamic_shared_bytes = 0;       // of an emitted kernel
};

// The extents, launch shape and equations of one size, added to `problem`. Errors: the spec's signature does not
// match, a parameter has no value, no launch directive, a spec or sketch that cannot be executed, a store that the
// spec does not make, an extent that is too short; the deadline.
Result<Posed> pose(const Program& sketch, const Program& spec, const Sizes& sizes, Problem& problem,
                   const Deadline& deadline = {}, Groups groups = Groups::kAlike);

// The same for sketches that differ in nothing but the values of ?sw_const: the spec is executed once for all of them.
// Errors: those of the spec; then those of the sketch.
class SpecRuns {
 public:
  static Result<SpecRuns> of(const Program& sketch, const Program& spec, const std::vector<Sizes>& sizes,
                             const Deadline& deadline = {}, Groups groups = Groups::kAlike);
  // All sizes, to a Problem of its own.
  Result<std::vector<Posed>> pose(const Program& sketch, Problem& problem, const Deadline& deadline = {}) const;

 private:
  struct Run {
    Trace spec;
    Posed posed;
  };
  Provenance provenance_;
  PointTable points_;
  std::vector<Run> runs_;  // by size
};

// The extents and launch shape of one size, from the spec alone.
Result<Posed> measure(const Program& sketch, const Program& spec, const Sizes& sizes, const Deadline& deadline = {});

// How many slots of each buffer the spec touches at one size, in whole items; the sizes are the kernel's. Errors: a
// spec that cannot be executed there.
Result<std::vector<std::int64_t>> touched_by(const Program& spec, const Program& kernel, const Sizes& sizes,
                                             std::int64_t step_limit);

// What the spec gives at one size, in symbols of its own.
struct Expectation {
  Posed posed;
  Provenance provenance;
  PointTable points;
  Trace spec;
};
// kMaybeNone: it may store nothing there, and of buffers of unknown length a kernel may then read much.
enum class Stores { kSome, kMaybeNone };
Result<Expectation> expect(const Program& sketch, const Program& spec, const Sizes& sizes,
                           const Deadline& deadline = {}, Groups groups = Groups::kAlike,
                           Stores stores = Stores::kSome);

// The first output that is not the spec's, in words; none, if all are. `doubt`: no input was found that tells them
// apart, and this operation is why nothing says that they are the same.
struct Refutation {
  std::string text;
  std::optional<Lawless> doubt = {};
  std::string output = {};                   // "y[65]"
  std::optional<std::uint32_t> thread = {};  // that stored it last, numbered through the launch
};

// Compares every output of a kernel without holes. Tells how much dynamic shared memory the kernel uses.
Result<Refutation> refute(const Program& kernel, Expectation expectation, const Deadline& deadline = {},
                          std::int64_t* dynamic_shared_bytes = nullptr);

// The machine that the sketch is for: sm_90, unless a directive names another.
SharedMemoryModel memory_of(const Program& kernel);

// Fills Problem::holes from the points that were met.
void collect_holes(const Program& sketch, Problem& problem);

// Every `instance` line of the sketch, with the values of `set` in place of its own.
Result<std::vector<Sizes>> instances_of(const Program& sketch, const Sizes& set);

// Every `check` line of the sketch; `set` has the values of what it does not name.
Result<std::vector<Sizes>> checks_of(const Program& sketch, const Sizes& set);

// Spec and kernel take the same parameters, by position: an error that points at the first that differs.
Result<bool> match_signatures(const Program& kernel, const Program& spec);

}  // namespace swizzle
