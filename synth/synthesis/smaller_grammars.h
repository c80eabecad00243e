// Smaller grammars: what a ?sw_expr or a ?sw_pred may become is so much that a chain of steps of them cannot be listed;
// what a ?sw_xform or a ?sw_xor, a ?sw_part or a ?sw_cond of the same arguments may become are expressions as well, and
// can.
//
//   w = __shfl_sync(m, v, ?sw_expr(0, 32, d, lane));  if (?sw_pred(lane, d)) v += w;
//     is searched as    ?sw_xform(lane, 32, d)    and as    ?sw_cond(lane, d)
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "synth/problem/problem.h"
#include "synth/search/solve.h"

namespace swizzle {

// The problem's holes have smaller grammars as long as this lives.
class SmallerGrammars {
 public:
  // `of_index`: what an expression is searched as that has an argument with about as many values.
  SmallerGrammars(Problem& problem, HoleKind of_index);
  ~SmallerGrammars();
  SmallerGrammars(const SmallerGrammars&) = delete;
  SmallerGrammars& operator=(const SmallerGrammars&) = delete;

  bool any() const { return any_; }
  // Over the arguments as they are written.
  void restore_arguments(Completion& completion) const;

 private:
  Problem& problem_;
  std::vector<HoleSpace> holes_;                   // as they were
  std::vector<std::vector<std::size_t>> written_;  // by hole and argument, its position; empty: as it was
  bool any_ = false;
};

}  // namespace swizzle
