#include "frontend/switch_arms.h"

#include <algorithm>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace swizzle {
namespace {

// A `break` in it ends the switch around it.
bool breaks(const clang::Stmt* s) {
  if (s == nullptr ||
      llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::SwitchStmt, clang::CXXForRangeStmt>(s))
    return false;
  return llvm::isa<clang::BreakStmt>(s) || std::ranges::any_of(s->children(), breaks);
}

// What a block at the end stands for are its statements, and no `break`. Whether there is one, or a return.
bool ends(std::vector<const clang::Stmt*>& body) {
  if (body.empty()) return false;
  const clang::Stmt* last = body.back();
  if (llvm::isa<clang::ReturnStmt, clang::ContinueStmt>(last)) return true;
  if (llvm::isa<clang::BreakStmt>(last)) return body.pop_back(), true;
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(last);
  if (block == nullptr || body.size() > 1) return false;
  body.assign(block->body_begin(), block->body_end());
  return ends(body);
}

}  // namespace

std::optional<std::vector<SwitchArm>> arms_of(const clang::SwitchStmt* s, clang::ASTContext& ast) {
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(s->getBody());
  if (block == nullptr || s->getInit() != nullptr || s->getConditionVariable() != nullptr ||
      s->getCond()->HasSideEffects(ast))
    return std::nullopt;
  std::vector<SwitchArm> arms;
  for (const clang::Stmt* inner : block->body()) {
    bool is_new = true;
    while (const auto* label = llvm::dyn_cast<clang::SwitchCase>(inner)) {
      if (std::exchange(is_new, false)) arms.emplace_back();
      if (const auto* c = llvm::dyn_cast<clang::CaseStmt>(label)) {
        if (c->getRHS() != nullptr) return std::nullopt;
        arms.back().values.push_back(c->getLHS()->EvaluateKnownConstInt(ast).getExtValue());
      } else {
        arms.back().is_default = true;
      }
      inner = label->getSubStmt();
    }
    if (arms.empty()) return std::nullopt;
    arms.back().body.push_back(inner);
  }
  for (SwitchArm& arm : arms)
    if ((!ends(arm.body) && &arm != &arms.back()) || std::ranges::any_of(arm.body, breaks)) return std::nullopt;
  std::ranges::stable_partition(arms, [](const SwitchArm& arm) { return !arm.is_default; });
  return arms;
}

}  // namespace swizzle
