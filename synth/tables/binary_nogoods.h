// BinaryNogoods: values of two points of one hole that no completion has together.
//
//   fetch A is x[1] where Q(1) = 0, fetch B is x[1] where Q(2) = 1, and only one of them may be:
//   no table of Q has 0 at point 1 and 1 at point 2
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace swizzle {

class BinaryNogoods {
 public:
  using Word = std::uint64_t;

  BinaryNogoods(std::size_t points, int domain)
      : words_((points + 63) / 64),
        values_(static_cast<std::size_t>(domain)),
        points_(points) {}

  // Points p and q (positions in HoleSpace::points) with values a and b. Past kMostWords, what is added is forgotten.
  void add(std::size_t p, int a, std::size_t q, int b) {
    insert(p, a, q, b);
    insert(q, b, p, a);
  }
  bool empty() const { return others_.empty(); }
  // By value, words_for_points() words each, the points that have it: whether those of `value` may have it next to all
  // the others.
  bool allows(std::size_t value, const std::vector<Word>& assigned) const;
  std::size_t words_for_points() const { return words_; }
  std::size_t words() const { return words_ * values_; }

 private:
  void insert(std::size_t p, int a, std::size_t q, int b);

  static constexpr std::size_t kMostWords = 1'000'000;

  std::size_t words_, values_, points_;
  std::vector<std::vector<Word>>
      others_;            // by point and value: what cannot be with it, as in allows(); none, if that is nothing
  std::size_t kept_ = 0;  // words in others_
};

}  // namespace swizzle
