// Lanes: a value for each thread that executes together, and each slot of it.
//
//   float2 v of 4 threads   x[0] y[0]  x[1] y[1]  x[2] y[2]  x[3] y[3]     8 values: [thread * slots + slot]
//   k of 4 threads          7                                              4 values, all alike
//
// Literals, loop counters and addresses of registers are the same for all threads: they are held once, and computed
// once. An entry of its own parts them.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>

#include <boost/container/small_vector.hpp>

#include "synth/provenance/value.h"

namespace swizzle {

class Lanes {
 public:
  Lanes() = default;
  explicit Lanes(std::size_t size, Value of_all = {}) : size_(size), values_(size == 0 ? 0 : 1, of_all) {}

  std::size_t size() const { return size_; }
  // True: each entry is what the first is. False: nothing is known; they may be.
  bool are_alike() const { return values_.size() <= 1; }

  Value operator[](std::size_t i) const {
    assert(i < size_);
    return values_[are_alike() ? 0 : i];
  }
  Value& entry(std::size_t i) {
    assert(i < size_);
    if (values_.size() != size_) part();
    return values_[i];
  }
  void join_alike();  // of each its own, those that are alike after all
  // Each value at least once.
  std::span<const Value> values() const { return {values_.data(), values_.size()}; }

 private:
  void part() { values_.resize(size_, Value(values_[0])); }

  std::size_t size_ = 0;
  boost::container::small_vector<Value, 1> values_;  // one, or `size_` of them
};

inline void Lanes::join_alike() {
  for (const Value& v : values_)
    if (!(v == values_[0])) return;
  if (!values_.empty()) values_.resize(1);
}

// Positions in Lanes: of a thread's only slot, and of one of several.
inline std::size_t at(int thread) { return static_cast<std::size_t>(thread); }
inline std::size_t at(int thread, int slots, int slot) { return static_cast<std::size_t>(thread * slots + slot); }

}  // namespace swizzle
