// Computed table: what operations on nodes came to, for as long as there is room (Brace, Rudell, Bryant 1990).
//
//   keep({1, 4 | 7 << 32}, z)     find({1, 4 | 7 << 32}) is z, until another key takes its place
//
// Diagrams that share their parts are walked part by part with this, not path by path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "synth/base/hashes.h"
#include "synth/provenance/value.h"

namespace swizzle {

class ComputedTable {
 public:
  struct Key {
    std::uint64_t operation = 0;  // never 0
    std::uint64_t operands = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };

  std::optional<Value> find(Key key) const {
    if (places_.empty()) return std::nullopt;
    const Place& place = places_[place_of(key)];
    return place.key == key ? std::optional(place.result) : std::nullopt;
  }

  void keep(Key key, Value result) {
    if (kept_ * 2 >= places_.size() && places_.size() < kLargest) grow();
    put({key, result});
  }

 private:
  static constexpr std::size_t kSmallest = 1 << 10, kLargest = 1 << 17, kGrowth = 4;
  struct Place {
    Key key;
    Value result;
  };

  std::size_t place_of(Key key) const {
    return (mix(mix(0, key.operation), key.operands) >> kHighBits) & (places_.size() - 1);
  }

  void put(const Place& what) {
    Place& place = places_[place_of(what.key)];
    kept_ += place.key.operation == 0 ? 1 : 0;
    place = what;
  }

  void grow() {
    std::vector<Place> old(places_.empty() ? kSmallest : places_.size() * kGrowth);
    old.swap(places_);
    kept_ = 0;
    for (const Place& place : old)
      if (place.key.operation != 0) put(place);
  }

  static constexpr int kHighBits = 32;  // of a product, which its factors decide best
  std::vector<Place> places_;
  std::size_t kept_ = 0;
};

}  // namespace swizzle
