// Statements: private to frontend/.
//
//   if (int n = f(); n > 0) g(n);      { int n = f(); if (n > 0) g(n); }
//   case 1: case 2: h();               two labels and a statement of the switch's block
#pragma once

#include <vector>

#include "frontend/lower_asm.h"
#include "frontend/lower_copies.h"
#include "frontend/lower_endings.h"
#include "frontend/lower_matrices.h"
#include "frontend/lowering_context.h"
#include "frontend/switch_arms.h"

namespace clang {
class AttributedStmt;
class CXXForRangeStmt;
class CompoundStmt;
class DecompositionDecl;
class DeclStmt;
class ForStmt;
class IfStmt;
class ReturnStmt;
class SwitchStmt;
class WhileStmt;
}  // namespace clang

namespace swizzle {

class StatementLowering {
 public:
  StatementLowering(const LoweringContext& in, LayoutLowering& layouts)
      : ast_(in.ast),
        program_(in.program),
        tree_(in.tree),
        source_(in.source),
        nodes_(in.nodes),
        scope_(in.scope),
        lost_(in.lost),
        layouts_(layouts),
        asm_(in),
        copies_(in),
        endings_(in),
        matrices_(in),
        checks_(in.checks) {}

  StmtId lower(const clang::Stmt* stmt);

 private:
  StmtId of_kind(const clang::Stmt* stmt);
  StmtId expression(const clang::Expr* e, Stmt out);
  StmtId block(const clang::CompoundStmt* stmt);
  StmtId declaration(const clang::DeclStmt* stmt);
  void declare_parts(const clang::DecompositionDecl* parts, Stmt& block);
  void mind_constant(const clang::VarDecl* v, ExprId id);
  ExprId initializer(const clang::VarDecl* v, SourceRange range);
  ExprId returned(const clang::ReturnStmt* stmt);
  StmtId attributed(const clang::AttributedStmt* stmt);
  StmtId if_statement(const clang::IfStmt* stmt);
  StmtId for_statement(const clang::ForStmt* stmt);
  StmtId for_range(const clang::CXXForRangeStmt* stmt);
  StmtId while_statement(const clang::WhileStmt* stmt);
  StmtId as_ifs(const clang::SwitchStmt* stmt, const std::vector<SwitchArm>& arms);
  StmtId switch_statement(const clang::SwitchStmt* stmt);
  void switch_labels(const clang::Stmt* stmt, std::vector<StmtId>& out);
  StmtId inline_ptx(const clang::GCCAsmStmt* stmt);
  StmtId perhaps_left();
  StmtId whatever_it_does(const std::string& lost, const clang::Stmt* behind);

  clang::ASTContext& ast_;
  Program& program_;
  TreeBuilder& tree_;
  SourceDiagnostics& source_;
  NodeLowering& nodes_;
  FunctionScope& scope_;
  const LostText* lost_;
  LayoutLowering& layouts_;
  AsmLowering asm_;
  CopyLowering copies_;
  EndingLowering endings_;
  MatrixLowering matrices_;
  const bool checks_;
};

}  // namespace swizzle
