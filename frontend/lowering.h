// clang's tree → Program: private to frontend/ (the one header here that shows clang).
//
// Functions are lowered when a call reaches them, types when an expression has them. What a sketch cannot use is
// reported at its range, once, and stands in the tree as a literal so that lowering goes on.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "frontend/lower_accumulators.h"
#include "frontend/lower_asm.h"
#include "frontend/lower_calls.h"
#include "frontend/lower_casts.h"
#include "frontend/lower_copies.h"
#include "frontend/lower_functions.h"
#include "frontend/lower_holes.h"
#include "frontend/lower_matrices.h"
#include "frontend/lower_unknown.h"
#include "frontend/lower_variables.h"
#include "frontend/node_lowering.h"
#include "frontend/source_diagnostics.h"
#include "frontend/tree_builder.h"
#include "synth/program/program.h"

namespace swizzle {

class Lowering : private NodeLowering {
 public:
  Lowering(clang::ASTContext& context, const UserFiles& files, Program& program, Purpose purpose = Purpose::kComplete)
      : context_(context),
        program_(program),
        tree_(program),
        source_(context, files, program, tree_, purpose),
        layouts_(context, program, source_),
        types_(context, program, tree_, source_, layouts_, *this, purpose),
        in_{context, program, tree_, source_, types_, *this, scope_, purpose == Purpose::kCheck},
        functions_(in_),
        variables_(in_, layouts_),
        holes_(in_, layouts_),
        accumulators_(in_),
        unknown_(in_),
        calls_(in_, layouts_, holes_, accumulators_, unknown_),
        casts_(in_),
        asm_(in_),
        copies_(in_),
        matrices_(in_),
        checks_(purpose == Purpose::kCheck) {}

  // Lowers `entry` and all that it calls. Errors are in diagnostics().
  void run(const clang::FunctionDecl* entry);
  const Diagnostics& diagnostics() const { return source_.errors(); }
  SourceRange range_of(clang::SourceRange range) const { return source_.range_of(range); }
  // Where the functions stand that were lowered.
  const std::vector<SourceRange>& bodies() const { return functions_.bodies(); }

 private:
  FunctionId function(const clang::FunctionDecl* decl) override;
  VariableId variable(const clang::VarDecl* decl, SourceRange declaration) override;
  // lower_statements.cpp
  StmtId statement(const clang::Stmt* stmt) override;
  StmtId ptx_statement(const clang::GCCAsmStmt* s);
  StmtId lower(const clang::Stmt* stmt);
  ExprId returned(const clang::ReturnStmt* stmt);
  StmtId block(const clang::CompoundStmt* stmt);
  StmtId while_statement(const clang::WhileStmt* stmt);
  StmtId declaration(const clang::DeclStmt* stmt);
  StmtId if_statement(const clang::IfStmt* stmt);
  StmtId for_statement(const clang::ForStmt* stmt);
  StmtId switch_statement(const clang::SwitchStmt* stmt);
  void switch_labels(const clang::Stmt* stmt, std::vector<StmtId>& out);

  // lower_expressions.cpp
  ExprId expression(const clang::Expr* expr) override;
  ExprId lower(const clang::Expr* expr);
  ExprId literal(const clang::Expr* expr);
  ExprId subscript(const clang::ArraySubscriptExpr* expr);
  ExprId reference(const clang::DeclRefExpr* expr);
  ExprId as_union(ExprId member, const Expr& whole);
  ExprId unary(const clang::UnaryOperator* expr);
  ExprId binary(const clang::BinaryOperator* expr);
  ExprId member(const clang::MemberExpr* expr);
  ExprId lambda(const clang::LambdaExpr* expr);

  // lower_uses.cpp
  void survey(const std::string& entry_name);
  void find_sole_uses(const std::vector<std::pair<const clang::Expr*, const clang::VarDecl*>>& uses);

  ExprId too_deep(clang::SourceRange range);

  clang::ASTContext& context_;
  Program& program_;
  TreeBuilder tree_;
  SourceDiagnostics source_;
  LayoutLowering layouts_;
  TypeLowering types_;
  FunctionScope scope_;
  LoweringContext in_;
  FunctionLowering functions_;
  VariableLowering variables_;
  HoleLowering holes_;
  AccumulatorLowering accumulators_;
  UnknownLowering unknown_;
  CallLowering calls_;
  CastLowering casts_;
  AsmLowering asm_;
  CopyLowering copies_;
  MatrixLowering matrices_;
  const bool checks_;
  static constexpr int kDeepest = 1000;
  int depth_ = 0;  // of the expression or statement around
  bool too_deep_ = false;
};

}  // namespace swizzle
