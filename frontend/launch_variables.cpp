#include "frontend/launch_variables.h"

#include <algorithm>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

#include "frontend/host_changes.h"
#include "frontend/launch_text.h"
#include "frontend/lost_text.h"
#include "frontend/walk.h"

namespace swizzle {
namespace {

const clang::Stmt* body_around(const clang::VarDecl* v) {
  const auto* around = llvm::dyn_cast_or_null<clang::FunctionDecl>(v->getParentFunctionOrMethod());
  return around != nullptr ? around->getBody() : nullptr;
}

bool is_made_once(const clang::VarDecl* v) {  // at the first call
  return v->isStaticLocal() || v->getTLSKind() != clang::VarDecl::TLS_None;
}

// The block that declares it.
const clang::CompoundStmt* block_of(const clang::VarDecl* v, const clang::Stmt* body) {
  const clang::CompoundStmt* block = nullptr;
  Walk blocks;
  blocks.statement = [&](const clang::Stmt* s) {
    const auto* one = llvm::dyn_cast<clang::CompoundStmt>(s);
    const auto declares = [&](const clang::Stmt* part) {
      const auto* d = llvm::dyn_cast<clang::DeclStmt>(part);
      return d != nullptr && std::find(d->decl_begin(), d->decl_end(), v) != d->decl_end();
    };
    if (one != nullptr && std::any_of(one->body_begin(), one->body_end(), declares)) block = one;
  };
  walk(const_cast<clang::Stmt*>(body), blocks);
  return block;
}

bool has_labels(const clang::Stmt* body) {
  bool has = false;
  Walk labels;
  labels.statement = [&](const clang::Stmt* s) { has |= llvm::isa<clang::LabelStmt>(s); };
  walk(const_cast<clang::Stmt*>(body), labels);
  return has;
}

// Where it no longer matters what changes: behind the launch, or the loops around it. Invalid: it always may.
clang::SourceLocation horizon_of(clang::SourceLocation launch, const clang::Stmt* body,
                                 const clang::SourceManager& sources) {
  const auto is_around = [&](const clang::Stmt* s) {
    return sources.isBeforeInTranslationUnit(s->getBeginLoc(), launch) &&
           sources.isBeforeInTranslationUnit(launch, s->getEndLoc());
  };
  if (launch.isInvalid() || !is_around(body) || has_labels(body)) return {};
  clang::SourceLocation horizon = launch;
  bool is_called_later = false;
  Walk around;
  around.statement = [&](const clang::Stmt* s) {
    const bool is_loop = llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s);
    is_called_later |= llvm::isa<clang::LambdaExpr>(s) && is_around(s);
    if (is_loop && is_around(s) && sources.isBeforeInTranslationUnit(horizon, s->getEndLoc())) horizon = s->getEndLoc();
  };
  walk(const_cast<clang::Stmt*>(body), around);
  return is_called_later ? clang::SourceLocation() : horizon;
}

std::vector<const clang::Stmt*> changes_before(const clang::VarDecl* v, const clang::Stmt* body,
                                               clang::SourceLocation launch) {
  std::vector<const clang::Stmt*> changes = changes_of(v, body);
  if (changes.empty()) return changes;
  const clang::SourceManager& sources = v->getASTContext().getSourceManager();
  const clang::SourceLocation horizon = horizon_of(launch, body, sources);
  if (horizon.isValid())
    std::erase_if(changes,
                  [&](const clang::Stmt* s) { return sources.isBeforeInTranslationUnit(horizon, s->getBeginLoc()); });
  return changes;
}

const clang::Stmt* only_statement(const clang::Stmt* s) {
  const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(s);
  return block == nullptr ? s : block->size() == 1 ? block->body_front() : nullptr;
}

// g++, ++g, g += 1
bool adds_one(const clang::Stmt* change) {
  if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(change)) return step->isIncrementOp();
  const auto* assign = llvm::dyn_cast<clang::CompoundAssignOperator>(change);
  const auto* one = assign != nullptr && assign->getOpcode() == clang::BO_AddAssign
                        ? llvm::dyn_cast<clang::IntegerLiteral>(assign->getRHS()->IgnoreParenImpCasts())
                        : nullptr;
  return one != nullptr && one->getValue() == 1;
}

}  // namespace

// By the function that it belongs to, or by any.
bool may_be_changed(const clang::VarDecl* v, clang::SourceLocation launch) {
  const clang::Stmt* body = body_around(v);
  if (body == nullptr) return !v->getType().isConstQualified();
  return v->getType()->isReferenceType() || !changes_before(v, body, launch).empty() || may_be_changed_where_lost(v);
}

const clang::Expr* only_value_of(const clang::VarDecl* v, clang::SourceLocation launch) {
  return llvm::isa<clang::ParmVarDecl>(v) || is_made_once(v) || may_be_changed(v, launch) ? nullptr : v->getInit();
}

std::optional<OneChange> one_change_of(const clang::VarDecl* v, clang::SourceLocation use,
                                       clang::SourceLocation launch) {
  const clang::Stmt* body = body_around(v);
  if (body == nullptr || is_made_once(v) || v->getType()->isReferenceType() || may_be_changed_where_lost(v) ||
      has_labels(body))
    return std::nullopt;
  const std::vector<const clang::Stmt*> changes = changes_before(v, body, launch);
  const auto* whole = llvm::isa<clang::ParmVarDecl>(v) ? llvm::dyn_cast<clang::CompoundStmt>(body) : nullptr;
  const clang::CompoundStmt* block = changes.size() != 1 ? nullptr : whole != nullptr ? whole : block_of(v, body);
  if (block == nullptr) return std::nullopt;
  for (const clang::Stmt* s : block->body()) {
    if (!v->getASTContext().getSourceManager().isBeforeInTranslationUnit(s->getEndLoc(), use)) break;
    const auto* assign = llvm::dyn_cast<clang::BinaryOperator>(s);
    if (s == changes[0] && assign != nullptr && assign->getOpcode() == clang::BO_Assign &&
        variable_in(assign->getLHS()) == v)
      return OneChange{assign->getRHS(), nullptr};
    const auto* choice = llvm::dyn_cast<clang::IfStmt>(s);
    const bool is_chosen = choice != nullptr && choice->getElse() == nullptr && choice->getInit() == nullptr &&
                           choice->getConditionVariable() == nullptr && v->getInit() != nullptr &&
                           only_statement(choice->getThen()) == changes[0];
    if (is_chosen && adds_one(changes[0])) return OneChange{nullptr, choice->getCond()};
    const auto* other = is_chosen ? llvm::dyn_cast<clang::BinaryOperator>(changes[0]) : nullptr;
    if (other != nullptr && other->getOpcode() == clang::BO_Assign && variable_in(other->getLHS()) == v)
      return OneChange{other->getRHS(), choice->getCond()};
  }
  return std::nullopt;
}

}  // namespace swizzle
