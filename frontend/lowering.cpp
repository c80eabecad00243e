#include "frontend/lowering.h"

#include <fmt/format.h>

#include "synth/program/places.h"

namespace swizzle {

void Lowering::run(const clang::FunctionDecl* entry) {
  source_.set_use(source_.range_of(entry->getNameInfo().getSourceRange()));
  program_.entry = function(entry);
  variables_.append_symbols();
  if (checks_) return;
  accumulators_.set_types();
  for (VariableId id : program_.function(program_.entry).parameters) {
    const Variable& v = program_.variable(id);
    const Type& t = program_.type(v.type);
    if (t.form == Type::Form::kPointer && item_layout(program_, t.element).slots.empty())
      source_.error(
          v.range,
          fmt::format("a buffer of '{}' is not supported: its items must be scalars, or arrays and records of scalars",
                      program_.type(t.element).spelling));
    if (t.form != Type::Form::kPointer && t.form != Type::Form::kScalar)
      source_.error(v.range, fmt::format("a parameter of type '{}' is not supported in a sketch", t.spelling));
  }
  if (source_.errors().empty()) survey(entry->getNameAsString());
}

FunctionId Lowering::function(const clang::FunctionDecl* decl) { return functions_.lower(decl); }

VariableId Lowering::variable(const clang::VarDecl* decl, SourceRange declaration) {
  return variables_.lower(decl, declaration);
}

ExprId Lowering::expression(const clang::Expr* expr) {
  if (depth_ > kDeepest) return too_deep(expr->getSourceRange());
  const SourceDiagnostics::Use use(source_, source_.range_of(expr));
  ++depth_;
  ExprId id = expressions_.lower(expr);
  if (checks_) id = unknown_.with_operands(id, expr);
  --depth_;
  return id;
}

StmtId Lowering::statement(const clang::Stmt* s) {
  if (s == nullptr) return tree_.make(Stmt{});
  if (depth_ > kDeepest) {
    too_deep(s->getSourceRange());
    return tree_.make(Stmt{});
  }
  ++depth_;
  const StmtId id = statements_.lower(s);
  --depth_;
  return id;
}

ExprId Lowering::too_deep(clang::SourceRange range) {
  if (!too_deep_)
    source_.error(source_.range_of(range),
                  fmt::format("more than {} levels of nesting are not supported in a sketch", kDeepest));
  too_deep_ = true;
  return tree_.placeholder(source_.range_of(range));
}

}  // namespace swizzle
