// ExcludedPairs: values of two points of one hole that no completion has together.
//
//   fetch A is x[1] where Q(1) = 0, fetch B is x[1] where Q(2) = 1, and only one of them may be:
//   no table of Q has 0 at point 1 and 1 at point 2
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace swizzle {

class ExcludedPairs {
 public:
  using Word = std::uint64_t;

  ExcludedPairs(std::size_t points, int domain) : words_((points + 63) / 64), values_(static_cast<std::size_t>(domain)), others_(points * values_) {}

  // Points p and q (positions in HoleSpace::points) with values a and b.
  void add(std::size_t p, int a, std::size_t q, int b) {
    insert(p, a, q, b);
    insert(q, b, p, a);
  }
  bool empty() const { return empty_; }
  // Whether points may have `value` next to what the points of the larger or smaller values have: by value words_for_points() words each,
  // `value` included.
  bool allows(std::size_t value, const std::vector<Word>& assigned) const;
  std::size_t words_for_points() const { return words_; }
  std::size_t words() const { return words_ * values_; }

 private:
  void insert(std::size_t p, int a, std::size_t q, int b);

  std::size_t words_, values_;
  std::vector<std::vector<Word>> others_;  // by point and value: what cannot be with it, as in allows; none, if that is nothing
  bool empty_ = true;
};

}  // namespace swizzle
