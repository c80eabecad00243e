// What a condition tells of variables where it holds, and of what was made of them before:
//
//   dim3 block(n / 4);
//   switch (n) { case 256: f<256><<<grid, block>>>(x); }      n = 256, so that block is (64, 1, 1)
#include <algorithm>

#include "frontend/host_walk.h"

namespace swizzle {

// And what was made of it, of it and of others that nothing changes, is made once more.
void HostWalk::know(const clang::VarDecl* v, std::int64_t value) {
  if (!variables_) return;
  (*variables_)[v] = fitting(HostValue::of(value), v->getType());
  if (stack_.empty()) return;
  const clang::FunctionDecl* definition = stack_.back();
  const HostBody& around = body(definition->getBody(definition));
  std::set<const clang::Decl*> settled{v};
  if (around.changed.contains(v)) return;
  for (const auto& [w, of] : around.declared) {
    const clang::Expr* init = w->getInit();
    const bool stays = init != nullptr && !around.changed.contains(w) && !w->isStaticLocal() && !w->isInvalidDecl() &&
                       !w->getType()->isReferenceType() && !w->getType()->isDependentType();
    const auto is_in = [&](const auto& set) { return [&](const clang::Decl* n) { return set.contains(n); }; };
    if (!stays || !variables_->contains(w) || std::none_of(of.begin(), of.end(), is_in(settled)) ||
        std::any_of(of.begin(), of.end(), is_in(around.changed)) || may_launch(init))
      continue;
    (*variables_)[w] = fitting(evaluate(init), w->getType());
    settled.insert(w);
  }
}

// Of what a condition names, where it is not what is known of that: nor is what was made of it. What is assumed stays.
void HostWalk::forget_made_of(const clang::Expr* condition) {
  if (!variables_ || stack_.empty() || assumed_) return;
  const clang::FunctionDecl* definition = stack_.back();
  std::set<const clang::Decl*> other = named_in(condition);
  for (const auto& [w, of] : body(definition->getBody(definition)).declared)
    if (variables_->contains(w) &&
        std::any_of(of.begin(), of.end(), [&](const clang::Decl* n) { return other.contains(n); })) {
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
