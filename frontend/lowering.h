// clang's tree → Program: private to frontend/ (the one header here that shows clang).
//
// Functions are lowered when a call reaches them, types when an expression has them. What a sketch cannot use is
// reported at its range, once, and stands in the tree as a literal so that lowering goes on.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "frontend/source_rewrite.h"
#include "synth/program.h"

namespace swizzle {

class Lowering {
 public:
  Lowering(clang::ASTContext& context, const RewrittenSource& rewritten, Program& program)
      : context_(context), rewritten_(rewritten), program_(program) {}

  // Lowers `entry` and all that it calls. Errors are in diagnostics().
  void run(const clang::FunctionDecl* entry);
  const Diagnostics& diagnostics() const { return diagnostics_; }
  SourceRange range_of(clang::SourceRange range);

 private:
  // lower_declarations.cpp
  FunctionId function(const clang::FunctionDecl* decl);
  VariableId variable(const clang::VarDecl* decl, SourceRange declaration);
  TypeId type(clang::QualType type);
  TypeId make_type(clang::QualType type);
  TypeId scalar_type(Scalar scalar);
  void record_layout(const clang::RecordDecl* record, Type& out);
  int field_slot(const clang::FieldDecl* field);
  std::optional<Scalar> scalar_of(clang::QualType type);
  const clang::TemplateArgument* registers_element(clang::QualType type);

  // lower_statements.cpp
  StmtId statement(const clang::Stmt* stmt);
  StmtId declaration(const clang::DeclStmt* stmt);
  StmtId switch_statement(const clang::SwitchStmt* stmt);
  void switch_labels(const clang::Stmt* stmt, std::vector<StmtId>& out);
  StmtId make(Stmt stmt);

  // lower_expressions.cpp
  ExprId expression(const clang::Expr* expr);
  ExprId lower(const clang::Expr* expr);
  ExprId reference(const clang::DeclRefExpr* expr);
  ExprId cast(const clang::CastExpr* expr);
  ExprId unary(const clang::UnaryOperator* expr);
  ExprId binary(const clang::BinaryOperator* expr);
  ExprId member(const clang::MemberExpr* expr);
  ExprId construct(const clang::CXXConstructExpr* expr);
  ExprId operator_call(const clang::CXXOperatorCallExpr* expr);
  ExprId integer(std::int64_t value, TypeId type, SourceRange range);
  ExprId make(Expr expr);
  Expr base(ExprKind kind, const clang::Expr* expr);

  // lower_calls.cpp
  ExprId call(const clang::CallExpr* expr);
  ExprId prelude_call(const clang::CallExpr* expr, const std::string& name);
  ExprId hole(const clang::CallExpr* expr, HoleKind kind);
  ExprId magic_get(const clang::CallExpr* expr);
  ExprId make_hole(Hole hole, SourceRange range, bool is_bool);
  ExprId accumulator_call(const clang::CallExpr* expr, const std::string& name);
  ExprId lane();
  std::string lane_text();
  std::int64_t register_count(const clang::Expr* registers);

  bool in_user_file(clang::SourceLocation location) const;
  ExprId unsupported(clang::SourceRange range, const std::string& what);
  void error(SourceRange range, std::string message);

  clang::ASTContext& context_;
  const RewrittenSource& rewritten_;
  Program& program_;
  Diagnostics diagnostics_;
  std::unordered_map<const clang::Decl*, FunctionId> functions_;
  std::unordered_map<const clang::Decl*, VariableId> variables_;
  std::unordered_map<const void*, TypeId> types_;
  std::vector<const clang::VarDecl*> loop_variables_;  // of the `for`s around, outermost first
  std::vector<const clang::VarDecl*> lane_candidates_; // integer locals seen so far
  SourceRange context_range_;                          // for nodes of the prelude: the use in the user's file
};

}  // namespace swizzle
