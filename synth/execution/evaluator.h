// Evaluator: what parts of the interpreter ask of it, so that they need not know it: the operands of what they execute.
#pragma once

#include "synth/execution/lanes.h"
#include "synth/program/program.h"

namespace swizzle {

class Evaluator {
 public:
  // The slots of all threads. Blank if an error is reported.
  virtual Lanes eval(ExprId id) = 0;
  // One pointer per thread.
  virtual Lanes place(ExprId id) = 0;

 protected:
  ~Evaluator() = default;
};

}  // namespace swizzle
