// Word capacity: from how many input elements the bits of a word can come at once.
//
//   b = __shfl_xor_sync(~0u, a, ?sw_const(1, 4));  a = a & m | b & ~m     on 4 lanes, a holding bits of one element
//     each bit alone may come from any of the 4 elements, but all bits of a word come through the same distance:
//     b holds as many elements as a, and the new a twice as many: 2
//
// Two rounds make 4, which a 4 x 4 bit matrix needs to be transposed; with one round it has no completion, whatever the
// distances are. Counted is word by word: a choice of words is as large as its largest alternative, whatever else is
// made of words as all of them together. Likewise for a bit, of how many bits of the input it can be a function:
//
//   w ^= w >> ?sw_const(1, 32)      a bit of the new w is one of two of the old one: four such rounds make 16, and a
//                                   parity of 32 bits needs five
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "synth/problem/problem.h"

namespace swizzle {

class WordCapacity {
 public:
  explicit WordCapacity(const Problem& problem) : problem_(problem) {}

  // The first of the equations whose output needs bits of more elements than can come together there, in words; empty:
  // none.
  std::string overfull(const std::vector<std::size_t>& equations);
  // The same of an output of which one bit needs more bits of the input than can come together in any of its bits.
  std::string too_deep(const std::vector<std::size_t>& equations);

 private:
  using Element = std::pair<std::uint32_t, std::int64_t>;  // buffer, index
  struct Parts {
    std::set<Element> elements;
    std::map<std::uint32_t, std::vector<NodeId>> choices;  // by their point
    std::set<std::uint32_t> seen;
    bool is_unbounded = false;
  };

  double of(Value word);
  double of_bit(Value word);
  double of_bit(const Node& word);
  double of(const Parts& parts);
  double of_alternatives(const std::vector<NodeId>& choices, std::size_t value);
  void take(Value word, Parts& parts) const;

  const Problem& problem_;
  std::unordered_map<std::uint32_t, double> known_, known_of_bit_;  // by word
};

}  // namespace swizzle
