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
#include "frontend/lower_calls.h"
#include "frontend/lower_expressions.h"
#include "frontend/lower_functions.h"
#include "frontend/lower_holes.h"
#include "frontend/lower_statements.h"
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
        expressions_(in_, calls_, unknown_),
        statements_(in_, layouts_),
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
  ExprId expression(const clang::Expr* expr) override;
  StmtId statement(const clang::Stmt* stmt) override;

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
  ExpressionLowering expressions_;
  StatementLowering statements_;
  const bool checks_;
  static constexpr int kDeepest = 1000;
  int depth_ = 0;  // of the expression or statement around
  bool too_deep_ = false;
};

}  // namespace swizzle
