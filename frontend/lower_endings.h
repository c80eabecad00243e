// What runs where objects end, in a check: destructors of local variables, last first. Private to frontend/.
//
//   { Guard g(p); if (c) return v; f(); }      { Guard g(p); if (c) { T r = v; ~g; return r; } f(); ~g; }
//
// Of temporaries it is told that nothing of it is followed.
#pragma once

#include <cstddef>

#include "frontend/lowering_context.h"

namespace clang {
class CXXDestructorDecl;
class CXXRecordDecl;
class VarDecl;
}  // namespace clang

namespace swizzle {

class EndingLowering {
 public:
  explicit EndingLowering(const LoweringContext& in)
      : ast_(in.ast),
        program_(in.program),
        tree_(in.tree),
        source_(in.source),
        types_(in.types),
        nodes_(in.nodes),
        scope_(in.scope),
        checks_(in.checks) {}

  void begins(const clang::VarDecl* v, VariableId id);
  // What began since there were so many objects ends behind this statement; before it, which goes out of them; and
  // before a return, all that began.
  StmtId behind(std::size_t begun, StmtId first);
  StmtId leaving(std::size_t begun, StmtId leave);
  StmtId returning(Stmt leave);
  // Whether it makes objects that end with it, of which it is told.
  bool ends_temporaries(const clang::Expr* statement);

 private:
  void ends_since(std::size_t begun, Stmt& block);
  StmtId call(const clang::CXXDestructorDecl* destructor, ExprId object);
  void end(ExprId object, const clang::CXXRecordDecl* record, Stmt& block);

  clang::ASTContext& ast_;
  Program& program_;
  TreeBuilder& tree_;
  SourceDiagnostics& source_;
  TypeLowering& types_;
  NodeLowering& nodes_;
  FunctionScope& scope_;
  const bool checks_;
};

}  // namespace swizzle
