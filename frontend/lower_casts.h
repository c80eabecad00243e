// Conversions, those that are written and those that C++ adds: private to frontend/.
//
//   (int)x                     a kCast, or x itself where nothing is converted
//   *(float4*)&a[i]            in a sketch, a place that is seen as another type: see TreeBuilder::may_be_seen_as
//
// In a program that is checked, addresses are integers: casts of pointers are free.
#pragma once

#include "frontend/lowering_context.h"

namespace clang {
class CastExpr;
}

namespace swizzle {

class CastLowering {
 public:
  explicit CastLowering(const LoweringContext& in)
      : ast_(in.ast),
        program_(in.program),
        tree_(in.tree),
        source_(in.source),
        types_(in.types),
        nodes_(in.nodes),
        checks_(in.checks) {}

  ExprId lower(const clang::CastExpr* expr);

 private:
  ExprId in_sketch(const clang::CastExpr* expr);
  ExprId written(const clang::CastExpr* expr, ExprId converted);
  ExprId unsupported(const clang::CastExpr* expr);
  bool is_pointer_cast(const clang::CastExpr* expr);
  ExprId seen_as(const clang::CastExpr* expr);
  bool widens_mask(ExprId value, TypeId wanted_type);
  ExprId checked(const clang::CastExpr* expr);
  ExprId base_of(const clang::CastExpr* expr);

  clang::ASTContext& ast_;
  Program& program_;
  TreeBuilder& tree_;
  SourceDiagnostics& source_;
  TypeLowering& types_;
  NodeLowering& nodes_;
  const bool checks_;
};

}  // namespace swizzle
