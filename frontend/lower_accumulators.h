// The slides' accumulators: each call becomes the C++ that the emitter writes for it, so that both cost and mean the
// same. Private to frontend/.
//
//   auto o = create_accumulator(0, plus, times);      o is a variable of the type that it takes
//   accumulate(o, {a, b}, c);                         if (c) o = o + a * b
//   out[i] = eval(o);
//
// An operator is one of the prelude's, or a lambda: a function whose captures are the variables themselves.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "frontend/lowering_context.h"

namespace clang {
class CallExpr;
class QualType;
}  // namespace clang

namespace swizzle {

class AccumulatorLowering {
 public:
  explicit AccumulatorLowering(const LoweringContext& in)
      : program_(in.program),
        tree_(in.tree),
        source_(in.source),
        types_(in.types),
        nodes_(in.nodes) {}

  ExprId create(const clang::CallExpr* expr);
  ExprId accumulate(const clang::CallExpr* expr);
  ExprId eval(const clang::CallExpr* expr);
  // What eval() gives, as the type in which it is wanted.
  ExprId evaluated(ExprId eval, TypeId wanted);
  // To be called last: what stands before the first accumulate() did not know yet what it takes.
  void set_types();

 private:
  bool takes(ExprId accumulator, TypeId type, SourceRange range);
  ExprId combined(clang::QualType by, clang::QualType element, ExprId a, ExprId b);

  Program& program_;
  TreeBuilder& tree_;
  SourceDiagnostics& source_;
  TypeLowering& types_;
  NodeLowering& nodes_;
  std::unordered_map<std::uint32_t, TypeId> accumulated_;  // by accumulator variable: the type of what it takes
};

}  // namespace swizzle
