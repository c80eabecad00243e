// What inline PTX computes with integers, as expressions: private to frontend/.
//
//   mad.lo.u32 a, %0, 128, %1;      a = %0 * 128 + %1
//   mov.u32 %0, %laneid;            %0 = the lane
//   setp.lt.s32 p, %1, 8;           p = %1 < 8
//
// Source: PTX ISA, integer, logic and shift instructions, special registers.
#pragma once

#include <map>
#include <string>

#include "frontend/ptx.h"
#include "synth/program/tree_builder.h"

namespace swizzle {

class AsmIntegers {
 public:
  explicit AsmIntegers(TreeBuilder& tree) : tree_(tree) {}

  // Of operands ("%0") and registers, what is known.
  std::map<std::string, ExprId> values;

  // An operand: a known one, a number or a special register. Invalid: none of them.
  ExprId operand(const std::string& text, SourceRange at) const;
  // "p" or "!p"; of one that is not known, something unknown.
  ExprId predicate(const std::string& text, SourceRange at) const;
  // What an instruction computes, without its predicate. Invalid: not followed.
  ExprId value(const PtxInstruction& p, SourceRange at) const;

 private:
  ExprId special(const std::string& name, SourceRange at) const;
  ExprId lanes_below(ExprId lane, SourceRange at) const;  // a bit for each
  ExprId ones(ExprId count, SourceRange at) const;        // as many low bits, of 64

  TreeBuilder& tree_;
};

}  // namespace swizzle
