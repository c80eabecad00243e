// Members of records, and what they begin as: private to frontend/. In a check, a member that is a reference is kept as
// a pointer, which every use goes through.
//
//   struct View { float& first; };  View v{x[4]};  v.first = 1;      as if:  float* first;  v{&x[4]};  *v.first = 1;
#pragma once

#include <vector>

#include "frontend/lowering_context.h"

namespace clang {
class Expr;
class FieldDecl;
class InitListExpr;
}  // namespace clang

namespace swizzle {

class FieldLowering {
 public:
  explicit FieldLowering(const LoweringContext& in)
      : tree_(in.tree),
        source_(in.source),
        nodes_(in.nodes),
        checks_(in.checks) {}

  // member: of the type that is written, not yet in the tree.
  ExprId use(const clang::FieldDecl* field, Expr member);
  // What a member begins as. Null: a base.
  ExprId value(const clang::FieldDecl* field, const clang::Expr* init);
  // Of a record or an array, in order.
  std::vector<ExprId> values(const clang::InitListExpr* list);

 private:
  TreeBuilder& tree_;
  SourceDiagnostics& source_;
  NodeLowering& nodes_;
  const bool checks_;
};

}  // namespace swizzle
