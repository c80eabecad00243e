// Data cases: a slot that data choose, as each of those that it may be.
//
//   bins[x[3] & 3]      bins[0] when (x[3] & 3) == 0, …, bins[3] when (x[3] & 3) == 3
//
// For memory that is written: what is there is known by numbers alone. Elsewhere such a slot has a number of its own
// (data_places.h).
#pragma once

#include <cstdint>
#include <vector>

#include "synth/provenance/data_places.h"

namespace swizzle {

inline constexpr std::int64_t kMostDataCases = 1024;

struct DataCase {
  std::int64_t slot = 0;
  Value when;
};

// How many there are, of a sum in this range.
std::int64_t count_cases(const Provenance& provenance, const DataPlace& place, ValueRange sum);
std::vector<DataCase> cases_of(Provenance& provenance, const DataPlace& place, ValueRange sum);

}  // namespace swizzle
