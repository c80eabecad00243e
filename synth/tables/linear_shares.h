// LinearShares: all shares of an argument that few operations print, by what they cost. See linear_forms.h.
//
//   v in [0, 4), 2 rows, up to 1 operation:   nothing, v   0;   v & 1, v & 2, v >> 1   1   (joined to nothing)
//
// They are made term by term, and each is then printed in the fewest operations.
#pragma once

#include <vector>

#include "synth/tables/linear_forms.h"

namespace swizzle {

class LinearShares {
 public:
  LinearShares(const LinearForms& forms, bool around) : forms_(forms), around_(around) {}

  struct Share {
    LinearForms::Columns columns;
    int ops;  // LinearForms::Form::ops
  };
  // The cheapest first. Nothing: there are more than `limit`.
  const std::vector<Share>* up_to(int ops, std::size_t limit);

 private:
  bool list(int ops, std::size_t limit);
  void add_exchanged(int ops);
  void add_special(int ops);
  void add_moved(int diagonal, int ops);

  const LinearForms& forms_;
  bool around_;
  int listed_ = -1, too_many_ = -1;  // up to how many operations
  std::vector<Share> shares_;
  LinearForms::Diagonals now_{};
  std::vector<LinearForms::Columns> found_;
  std::size_t most_ = 0;
};

}  // namespace swizzle
