// Known bits: those bits of deferred words (deferred_words.h) that were asked for.
//
//   keep(w, 3, x[0].5)       find(w, 3) is x[0].5, and find(w, 4) nothing
//
// A word has room for all its bits from the first one on that is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "synth/provenance/value.h"

namespace swizzle {

class KnownBits {
 public:
  std::optional<Value> find(NodeId word, std::size_t position) const {
    if (word.value >= first_.size() || first_[word.value] == 0) return std::nullopt;
    const Value bit = bits_[first_[word.value] + position];
    return bit == kUnasked ? std::nullopt : std::optional(bit);
  }

  // `width`: of the word; the position is less.
  void keep(NodeId word, std::size_t position, std::size_t width, Value bit) {
    if (word.value >= first_.size()) first_.resize(word.value + std::size_t{1}, 0);
    if (first_[word.value] == 0) {
      first_[word.value] = static_cast<std::uint32_t>(bits_.size());
      bits_.resize(bits_.size() + width, kUnasked);
    }
    bits_[first_[word.value] + position] = bit;
  }

 private:
  static constexpr Value kUnasked = {Value::Kind::kPointer, 0, ~0u, 0};  // no bit is a pointer
  std::vector<std::uint32_t> first_;                                     // by node: in bits_; 0: nothing is known
  std::vector<Value> bits_ = {Value{}};
};

}  // namespace swizzle
