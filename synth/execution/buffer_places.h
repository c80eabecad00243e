// BufferPlaces: whether the slots of a buffer that are used can be told apart, where data choose some of them.
//
//   y[8 * idx[i] + f], f < 8, idx of distinct elements     apart: one store to each, whatever the data are
//   y[idx[i]], and y[3]                                    either may be the other
//
// Slots that are only read need not be told apart.
#pragma once

#include <cstdint>
#include <optional>

#include "synth/execution/data_cases.h"
#include "synth/provenance/provenance.h"

namespace swizzle {

class BufferPlaces {
 public:
  // `cases`: how many slots it may be.
  void note(const Provenance& provenance, std::int64_t slot, std::int64_t cases, bool is_write);
  // Some slot is written, and may be one that another number stands for.
  bool are_mixed() const {
    return data_ && ((is_written_ && (has_numbers_ || !are_apart_)) || (!is_written_ && writes_numbers_));
  }
  std::int64_t by_data() const { return last_; }  // a slot that data choose, where they choose some
  // Each may be gone through by cases, which says more than that they are written.
  bool are_few() const { return most_ <= kMostDataCases && (is_read_ || has_numbers_); }

 private:
  void note_data(const Provenance& provenance, std::int64_t slot);

  bool data_ = false, is_written_ = false;             // where data choose
  bool is_read_ = false;                               // some slot, however it is chosen
  bool has_numbers_ = false, writes_numbers_ = false;  // elsewhere
  bool are_apart_ = true;  // where data choose: all slots are c * idx[i] + offset, idx distinct
  std::optional<std::uint32_t> index_buffer_;
  std::int64_t most_ = 0, last_ = 0;
  std::int64_t factor_ = 0, least_ = 0, greatest_ = 0;  // c, and the offsets
};

}  // namespace swizzle
