// Problem: what a completion must fulfil, as equations between provenances and requirements.
//
//   sketch y[t] on 4 lanes:  choice P_t (x[0] … x[3])       spec: x[3 - t]
//   Problem: 4 equations  y[t]: choice P_t (…) = x[3 - t];  the hole's points P_0 … P_3, shared by every warp
//
// A completion is a table for every hole; it solves the Problem if every equation holds in the algebra of its ⊕ and
// no requirement is violated.
#pragma once

#include <cstdint>
#include <map>
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
  std::vector<GuardedIssue> guarded;          // likewise: what holes decide whether it is issued
  std::vector<SharedAccess> shared_accesses;  // see Trace; those of all but the last instance count nothing
  std::vector<std::map<std::uint32_t, SharedObject>> shared_objects;  // by instance
};

}  // namespace swizzle
