// The children of a node, as a range of values.
//
//   P = 5 ? a : b, P in 0 … 7      stretches: b until 5, a until 6, b until 8
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "synth/provenance/value.h"

namespace swizzle {

// Where long stretches of them are alike, as those of `P = 5 ? a : b` are, each stretch is kept
// once.
class Children {
 public:
  struct Stretch {
    Value value;
    std::uint32_t end = 0;  // one past the last child
  };
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using pointer = const Value*;
    using reference = const Value&;
    Iterator() = default;
    Iterator(const Value* each, const Stretch* stretch, std::size_t at) : each_(each), stretch_(stretch), at_(at) {}
    reference operator*() const { return stretch_ != nullptr ? stretch_->value : each_[at_]; }
    Iterator& operator++() {
      ++at_;
      if (stretch_ != nullptr && at_ == stretch_->end) ++stretch_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    const Value* each_ = nullptr;
    const Stretch* stretch_ = nullptr;
    std::size_t at_ = 0;
  };

  Children() = default;
  Children(const Value* each, std::size_t size) : each_(each), size_(size) {}
  Children(std::span<const Stretch> stretches, std::size_t size) : stretches_(stretches), size_(size) {}

  std::size_t size() const { return size_; }
  // All of them, where no stretches are kept; or none.
  std::span<const Value> each() const {
    return stretches_.empty() ? std::span(each_, size_) : std::span<const Value>();
  }
  const Value& operator[](std::size_t i) const { return stretches_.empty() ? each_[i] : stretch_of(i).value; }
  Iterator begin() const { return {each_, stretches_.empty() ? nullptr : stretches_.data(), 0}; }
  Iterator end() const { return {each_, nullptr, size_}; }

 private:
  const Stretch& stretch_of(std::size_t i) const {
    return *std::upper_bound(stretches_.begin(), stretches_.end(), i,
                             [](std::size_t at, const Stretch& s) { return at < s.end; });
  }

  const Value* each_ = nullptr;
  std::span<const Stretch> stretches_;  // instead of each_
  std::size_t size_ = 0;
};

}  // namespace swizzle
