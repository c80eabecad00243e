// What text may do that is lost: see LostText.
#include <algorithm>

#include "frontend/host_walk.h"
#include "synth/base/text.h"

namespace swizzle {

void HostWalk::lose(const std::string& code) {
  if (!variables_ || code.empty()) return;
  hidden_.merge(declared_names(code));
  forget_named_in(code);
  if (may_return(code)) {
    returned_ = HostValue{};
    leave(returns_);
  }
  if (contains_word(code, "break") && !breaks_.empty()) leave(breaks_.back());
  if (contains_word(code, "continue") || contains_word(code, "goto")) variables_->clear();
}

void HostWalk::forget_named_in(const std::string& code) {
  if (!variables_) return;
  const auto names = [&](const clang::Decl* d) {  // who holds of `this`: any member
    const auto* v = llvm::dyn_cast<clang::VarDecl>(d);
    if (v == nullptr || v->getName().empty()) return v == nullptr;
    return assumed_ ? names_whole(code, v->getName()) : mentions(code, v->getName());
  };
  for (const auto& [variable, value] : *variables_)
    if (const auto* v = llvm::dyn_cast<clang::VarDecl>(variable);
        v != nullptr && !v->getName().empty() && takes_address(code, v->getName()))
      escaped_.insert(v);
  std::erase_if(*variables_, [&](const auto& known) { return names(known.first); });
  for (const auto& [alias, of] : aliases_)
    if (names(alias)) forget(aliased(alias));
  if (code.find('(') != std::string::npos) {
    forget_addressed();
    for (const clang::LambdaExpr* stored : stored_lambdas_) escape(changed_by(stored->getLambdaClass()));
  }
}

void HostWalk::forget_lost_in(const clang::Stmt* s) {
  lost_.each_in(s, [&](const std::string& code) { forget_named_in(code); });
}

// Whether a variable that it names may be another one, whose declaration is lost.
bool HostWalk::may_be_hidden(const clang::Stmt* e) const {
  if (hidden_.empty() || e == nullptr) return false;
  const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto* v = ref != nullptr ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
  if (v != nullptr && hidden_.contains(v->getName().str())) return true;
  return std::any_of(e->child_begin(), e->child_end(), [&](const clang::Stmt* part) { return may_be_hidden(part); });
}

}  // namespace swizzle
