// pose: sketch and spec, executed at the instances, become one Problem: equations between provenances.
//
//   sketch y[t] on 4 lanes:  choice P_t (x[0] … x[3])       spec: x[3 - t]
//   Problem: 4 equations  y[t]: choice P_t (…) = x[3 - t];  the hole's points P_0 … P_3, shared by every warp
//
// A completion is a table for every hole; it solves the Problem if every equation holds in the algebra of its ⊕ and
// no requirement is violated.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "synth/execution/execute.h"
#include "synth/tables/tables.h"

namespace swizzle {

struct Equation {
  Value actual;    // the sketch's output, with choices
  Value expected;  // the spec's
  BufferId buffer;
  std::int64_t slot = 0;
  std::uint32_t thread = 0;  // numbered through the launch
  std::size_t instance = 0;
  bool stored = true;            // false: the sketch never stores there
  Scalar scalar = Scalar::kI32;  // of the buffer

  // What is left of a sum of integers is a constant without a sign: 4294967295 is -1.
  bool holds(Value resolved) const {
    const bool integers = resolved.is_int() && expected.is_int() && !is_real(scalar);
    return integers ? wrap(scalar, resolved.bits) == wrap(scalar, expected.bits) : resolved == expected;
  }
};

struct Problem {
  Provenance provenance;
  PointTable points;
  std::vector<Equation> equations;
  std::vector<Requirement> requirements;
  std::vector<Store> stores;           // that may meet others: see stores.h
  std::vector<HoleSpace> holes;        // by HoleId
  std::vector<double> executions;      // by HoleId: per warp
  std::map<ExprId, int> hole_indexed;  // see Trace
  std::vector<std::string> buffer_names;
  Counts counts;                              // of the last instance: see Trace
  std::vector<Counts> guarded;                // by HoleId
  std::vector<SharedAccess> shared_accesses;  // see Trace; those of all but the last instance count nothing
  std::vector<std::map<std::uint32_t, SharedObject>> shared_objects;  // by instance
};

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
                   const Deadline& deadline = {});

// The same for sketches that differ in nothing but the values of ?sw_const: the spec is executed once for all of them.
// Errors: those of the spec; then those of the sketch.
class SpecRuns {
 public:
  static Result<SpecRuns> of(const Program& sketch, const Program& spec, const std::vector<Sizes>& sizes,
                             const Deadline& deadline = {});
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

// What the spec gives at one size, in symbols of its own.
struct Expectation {
  Posed posed;
  Provenance provenance;
  PointTable points;
  Trace spec;
};
Result<Expectation> expect(const Program& sketch, const Program& spec, const Sizes& sizes,
                           const Deadline& deadline = {});

// Every output of a kernel without holes equals the spec's: nothing, or a description of the first that does not. Tells
// how much dynamic shared memory the kernel uses.
Result<std::string> refute(const Program& kernel, Expectation expectation,
                           std::int64_t* dynamic_shared_bytes = nullptr);

// The machine that the sketch is for: sm_90, unless a directive names another.
SharedMemoryModel memory_of(const Program& kernel);

// Fills Problem::holes from the points that were met.
void collect_holes(const Program& sketch, Problem& problem);

// Every `instance` (or `check`) line of the sketch, overridden by `set`.
Result<std::vector<Sizes>> sizes_of(const Program& sketch, const std::vector<SizeLine>& lines, const Sizes& set);

// Spec and kernel take the same parameters, by position: an error that points at the first that differs.
Result<bool> match_signatures(const Program& kernel, const Program& spec);

}  // namespace swizzle
