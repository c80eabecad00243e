// Data places: the slots of a buffer that data choose.
//
//   x[8 * idx[3] + 2]      the sum 8 * idx[3], and the offset 2 from there
//
// Such a slot has a number beyond those of all others, which tells both, so that what is read there is an input element
// like any other, and the same one wherever it is met. Two of them may be one, where data are alike: see laws.h.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "synth/program/operators.h"
#include "synth/provenance/value.h"
#include "synth/provenance/value_ranges.h"

namespace swizzle {

class Provenance;

struct DataPlace {
  Value sum;  // of type kI64, without a constant
  std::int64_t offset = 0;
};

bool is_data_place(std::int64_t slot);
DataPlace data_place(std::int64_t slot);
// Nothing: so far from the sum that it has no number.
std::optional<std::int64_t> slot_of(const DataPlace& place);

// What a factor of such a sum was before it was made as wide as that.
Value before_casts(const Provenance& provenance, Value v);

// "8 * idx[3] + 2", or the number of any other slot; buffers print by name.
std::string slot_text(const Provenance& provenance, std::int64_t slot, const std::vector<std::string>& buffer_names);

// An index: a place's sum and offset, and where that may lie.
struct DataIndex {
  DataPlace place;
  ValueRange values;         // of the sum
  bool is_by_guard = false;  // they say so where a condition holds alone
};
// `index`: a value of type `s` without choices, where `guard` holds. Nothing: its data have no known range, or what is
// made of them is not followed.
std::optional<DataIndex> data_index(Provenance& provenance, Value index, Scalar s, Value guard = Value::integer(1));

// What an integer of type `s` may be, whatever its holes choose, as far as the types of its elements tell. Nothing: not
// known.
std::optional<ValueRange> values_by_type(Provenance& provenance, Value v, Scalar s);

// f of the value as each setting of its holes makes it: a choice, if there are any.
Value over_choices(Provenance& provenance, Value v, const std::function<Value(Value)>& f);

}  // namespace swizzle
