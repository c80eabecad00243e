// What a condition tells of variables where it holds, and of what was made of them before:
//
//   dim3 block(n / 4);
//   switch (n) { case 256: f<256><<<grid, block>>>(x); }      n = 256, so that block is (64, 1, 1)
#include <algorithm>

#include "frontend/host_walk.h"
#include "frontend/walk.h"

namespace swizzle {
namespace {

// All variables that an expression names.
std::set<const clang::VarDecl*> named_in(const clang::Expr* e) {
  std::set<const clang::VarDecl*> out;
  Walk all;
  all.statement = [&](const clang::Stmt* s) {
    if (const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(s))
      if (const auto* v = llvm::dyn_cast<clang::VarDecl>(ref->getDecl())) out.insert(v);
  };
  walk(const_cast<clang::Expr*>(e), all);
  return out;
}

std::vector<const clang::VarDecl*> declared_in(const clang::Stmt* body) {
  std::vector<const clang::VarDecl*> out;
  Walk all;
  all.statement = [&](const clang::Stmt* s) {
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s))
      for (const clang::Decl* d : declared->decls())
        if (const auto* v = llvm::dyn_cast<clang::VarDecl>(d)) out.push_back(v);
  };
  walk(const_cast<clang::Stmt*>(body), all);
  return out;
}

}  // namespace

// And what was made of it, of it and of others that nothing changes, is made once more.
void HostWalk::know(const clang::VarDecl* v, std::int64_t value) {
  if (!variables_) return;
  (*variables_)[v] = fitting(HostValue::of(value), v->getType());
  if (stack_.empty()) return;
  const clang::FunctionDecl* definition = stack_.back();
  const clang::Stmt* body = definition->getBody(definition);
  const std::set<const clang::Decl*> changed = changed_in(body);
  std::set<const clang::VarDecl*> settled{v};
  if (changed.contains(v)) return;
  for (const clang::VarDecl* w : declared_in(body)) {
    const clang::Expr* init = w->getInit();
    const bool stays = init != nullptr && !changed.contains(w) && !w->isStaticLocal() && !w->isInvalidDecl() &&
                       !w->getType()->isReferenceType() && !w->getType()->isDependentType();
    if (!stays || !variables_->contains(w) || may_launch(init)) continue;
    const auto named = named_in(init);
    const auto is_in = [&](const auto& set) { return [&](const clang::VarDecl* n) { return set.contains(n); }; };
    if (std::any_of(named.begin(), named.end(), is_in(changed)) ||
        std::none_of(named.begin(), named.end(), is_in(settled)))
      continue;
    (*variables_)[w] = fitting(evaluate(init), w->getType());
    settled.insert(w);
  }
}

// Of what a condition names, where it is not what is known of that: nor is what was made of it. What is assumed stays.
void HostWalk::forget_made_of(const clang::Expr* condition) {
  if (!variables_ || stack_.empty() || assumed_) return;
  const clang::FunctionDecl* definition = stack_.back();
  std::set<const clang::VarDecl*> other = named_in(condition);
  for (const clang::VarDecl* w : declared_in(definition->getBody(definition))) {
    if (w->getInit() == nullptr || !variables_->contains(w)) continue;
    const auto named = named_in(w->getInit());
    if (std::none_of(named.begin(), named.end(), [&](const clang::VarDecl* n) { return other.contains(n); })) continue;
    (*variables_)[w] = HostValue{};
    other.insert(w);
  }
}

void HostWalk::suppose(const clang::Expr* condition, bool holds) {
  if (condition == nullptr || !variables_) return;
  condition = condition->IgnoreParenImpCasts();
  if (const auto* e = llvm::dyn_cast<clang::UnaryOperator>(condition); e && e->getOpcode() == clang::UO_LNot)
    return suppose(e->getSubExpr(), !holds);
  const auto* e = llvm::dyn_cast<clang::BinaryOperator>(condition);
  if (e == nullptr) return;
  if (e->getOpcode() == (holds ? clang::BO_LAnd : clang::BO_LOr)) {
    suppose(e->getLHS(), holds);
    return suppose(e->getRHS(), holds);
  }
  if (e->getOpcode() != (holds ? clang::BO_EQ : clang::BO_NE)) return;
  const clang::Expr *left = e->getLHS(), *right = e->getRHS();
  if (constant(left).integer) std::swap(left, right);
  const auto value = constant(right).integer;
  const auto place = value && left->getType()->isIntegerType() ? place_of(left) : std::nullopt;
  const auto* variable = place && place->path.empty() ? llvm::dyn_cast<clang::VarDecl>(place->variable) : nullptr;
  if (variable != nullptr) know(variable, *value);
}

}  // namespace swizzle
