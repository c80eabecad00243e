// Register choices: what stands for a subscript of a local array whose index a hole decides. A dynamic index would put
// the array into local memory, so there is none:
//
//   index                                   4 lanes, 4 registers
//   known once loops are unrolled           r[(3 * j + 1) & 3]
//   a condition's                           (lane < k ? r[1] : r[0])
//   turned by an amount of the thread's     r_turned1[i] = lane & 1 ? r[(i + 1) & 3] : r[i], before the loop over j,
//   and
//                                           (lane & 2 ? r_turned1[(j + 2) & 3] : r_turned1[j]) in it: see rotation.h
//   any other                               select_register(r, lane ^ j), a function that is written out above the file
//
// The last two do not branch; nvcc makes branches of a nest of `?:`.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/emit/barrel_shifter.h"

namespace swizzle {

class RegisterChoices {
 public:
  explicit RegisterChoices(const ChoiceContext& context)
      : context_(context),
        program_(context.program),
        unrolling_(context.program, context.completion),
        shifters_(context, unrolling_) {}

  // The text for a subscript and those around it: `base` is the array's.
  std::string text(ExprId subscript, const std::string& base);
  // Asks for `#pragma unroll` before loops that decide what a hole is asked with, where nvcc might keep them and a
  // compiler that unrolls them knows the hole's value, or most of it.
  void unroll_around(ExprId hole);
  // What texts so far need: lines around loops, by offset, and functions for the top of the file.
  std::map<std::uint32_t, std::string> insertions() const { return shifters_.insertions(); }
  std::string functions() const;
  // A name that nothing in the file has, this one if it can be.
  std::string fresh(const std::string& name) { return shifters_.fresh(name); }

 private:
  using Element = std::function<std::string(const std::string&)>;

  std::string level(const std::vector<ExprId>& levels, std::size_t at, const std::string& prefix);
  std::string by_index(const std::vector<ExprId>& levels, std::size_t at, const std::string& prefix, int length,
                       const Element& element);
  std::string by_expression(const IndexExpr& e, const std::vector<std::string>& arguments, int length,
                            const Element& element) const;
  std::optional<std::int64_t> constant_of(ExprId id, HoleId hole, const std::string& value) const;
  std::optional<HoleId> only_hole_inside(SourceRange range) const;
  bool is_known(ExprId site) const;

  const ChoiceContext& context_;
  const Program& program_;
  Unrolling unrolling_;
  BarrelShifters shifters_;
  std::string select_register_;  // its name, if it is used
};

}  // namespace swizzle
