// Word capacity: from how many input elements the bits of a word can come at once.
//
//   b = __shfl_xor_sync(~0u, a, ?sw_const(1, 4));  a = a & m | b & ~m     on 4 lanes, a holding bits of one element
//     each bit alone may come from any of the 4 elements, but all bits of a word come through the same distance:
//     b holds as many elements as a, and the new a twice as many: 2
//
// Two rounds make 4, which a 4 x 4 bit matrix needs to be transposed; with one round it has no completion, whatever the
// distances are. Counted is word by word: a choice by a point that all bits share is as large as its largest
// alternative, any other as all of them together.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "synth/problem/problem.h"

namespace swizzle {

class WordCapacity {
 public:
  explicit WordCapacity(const Problem& problem);

  // The first output that needs bits of more elements than can come together there, in words; empty: none.
  std::string overfull();

 private:
  using Element = std::pair<std::uint32_t, std::int64_t>;  // buffer, index
  struct Parts {
    std::set<std::uint32_t> bits;  // that stand in earlier words
    std::set<Element> elements;
    std::map<std::uint32_t, std::vector<Value>> shared;  // choices, by their point
    std::set<std::uint32_t> seen;
    bool is_unbounded = false;
    bool is_nested = false;  // below a choice that all bits share, not the bits of the word itself
  };

  double of_word(std::uint32_t word);
  double of(const std::vector<Value>& bits, std::uint32_t within, bool is_nested);
  std::set<std::uint32_t> words_of(std::set<std::uint32_t> bits, std::uint32_t before) const;
  void take(Value bit, std::uint32_t within, Parts& parts) const;
  bool take_leaf(Value bit, std::set<Element>& elements) const;

  const Problem& problem_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> words_;  // by node of a bit: those that it stands in
  std::unordered_map<std::uint32_t, double> known_;                      // by word
};

}  // namespace swizzle
