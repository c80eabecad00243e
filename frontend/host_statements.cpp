#include <algorithm>
#include <functional>

#include <clang/Basic/SourceManager.h>

#include "frontend/host_walk.h"
#include "synth/base/text.h"

namespace swizzle {
namespace {

bool has_label(const std::string& code) { return contains_word(code, "case") || contains_word(code, "default"); }

}  // namespace

struct HostWalk::Loop {
  const clang::Stmt* whole = nullptr;
  const clang::Stmt *init = nullptr, *body = nullptr, *step = nullptr;
  const clang::Expr* condition = nullptr;
  bool is_tested_last = false;
};

void HostWalk::meet(std::optional<HostVariables> other) {
  if (!variables_) variables_ = std::move(other);
  else if (other) variables_ = common(*variables_, *other);
}

// Behind what is left one comes from here, too.
void HostWalk::leave(std::optional<HostVariables>& to) const {
  if (to && variables_) to = common(*to, *variables_);
  else if (variables_) to = variables_;
}

void HostWalk::walk(const clang::FunctionDecl* function, std::vector<HostValue> arguments) {
  const clang::FunctionDecl* definition = function;
  if (function->getBody(definition) == nullptr || is_spent()) return;
  variables_ = HostVariables();
  aliases_.clear();
  addressed_.clear();
  escaped_.clear();
  expects_end_ = false;
  stored_lambdas_.clear();
  hidden_.clear();
  enter(definition, std::move(arguments), {});
  for (std::size_t i = 0; i < stored_lambdas_.size(); ++i) {
    if (has_entered(stored_lambdas_[i]->getCallOperator())) continue;
    variables_ = HostVariables();
    exec(stored_lambdas_[i]->getBody());
  }
  for (const HostLaunch& launch : found_) report_(launch);
  found_.clear();
}

void HostWalk::exec(const clang::Stmt* s) {
  if (s == nullptr || !variables_ || is_spent()) return;
  if (const auto* e = llvm::dyn_cast<clang::Expr>(s)) {
    evaluate(e);
    return;
  }
  if (const auto loop = loop_of(s)) return exec_loop(*loop);
  switch (s->getStmtClass()) {
    case clang::Stmt::CompoundStmtClass: return exec_block(llvm::cast<clang::CompoundStmt>(s));
    case clang::Stmt::IfStmtClass: return exec_if(llvm::cast<clang::IfStmt>(s));
    case clang::Stmt::SwitchStmtClass: return exec_switch(llvm::cast<clang::SwitchStmt>(s));
    case clang::Stmt::DeclStmtClass:
      for (const clang::Decl* d : llvm::cast<clang::DeclStmt>(s)->decls())
        if (const auto* v = llvm::dyn_cast<clang::VarDecl>(d)) exec_declaration(v);
      return;
    case clang::Stmt::ReturnStmtClass: return exec_return(llvm::cast<clang::ReturnStmt>(s));
    case clang::Stmt::BreakStmtClass:
      if (!breaks_.empty()) leave(breaks_.back());
      [[fallthrough]];
    case clang::Stmt::ContinueStmtClass:
    case clang::Stmt::GotoStmtClass: variables_.reset(); return;
    case clang::Stmt::NullStmtClass:
      if (!lost_.is_empty()) lose(lost_.in_place_of(llvm::cast<clang::NullStmt>(s)));
      return;
    case clang::Stmt::CXXTryStmtClass: return exec_try(llvm::cast<clang::CXXTryStmt>(s));
    default:
      for (const clang::Stmt* inner : s->children()) exec(inner);
  }
}

void HostWalk::exec_block(const clang::CompoundStmt* s) {
  const std::vector<std::string>& lost = lost_.before_each_of(s);
  auto before = lost.begin();
  for (const clang::Stmt* inner : s->body()) {
    if (llvm::isa<clang::LabelStmt>(inner)) {
      variables_ = variables_.value_or(HostVariables());
      variables_->clear();
    }
    lose(*before++);
    exec(inner);
  }
  lose(*before);
}

void HostWalk::exec_declaration(const clang::VarDecl* v) {
  const clang::QualType type = v->getType();
  const clang::Expr* init = v->getInit();
  aliases_.erase(v);
  forget(v);
  if (init == nullptr || type->isDependentType() || v->isInvalidDecl()) {
    if (init != nullptr) evaluate(init);
    else lose(lost_.behind(v));
    return;
  }
  if (type->isReferenceType()) {
    if (const auto place = place_of(init); place && place->path.empty()) aliases_[v] = place->variable;
    else evaluate(init), forget_changed_in(init);
    const bool is_of_others = type->isLValueReferenceType() && !type->getPointeeType().isConstQualified();
    if (is_of_others && !aliases_.contains(v)) escape(named_in(init));
    return;
  }
  if (const auto* stored = llvm::dyn_cast<clang::LambdaExpr>(init->IgnoreImplicit())) {
    stored_lambdas_.push_back(stored);
    return;
  }
  const bool is_constant = v->isConstexpr() && !init->isValueDependent() && !may_be_hidden(init);
  const clang::APValue* constant = is_constant ? v->evaluateValue() : nullptr;
  HostValue value = constant != nullptr ? host_value(*constant, type) : fitting(evaluate(init), type);
  const bool is_unknown =
      llvm::isa<clang::RecoveryExpr>(init->IgnoreParenImpCasts());  // of a function that is not here
  if (assumed_ && is_unknown) value = assumed_of(type);
  if (writes_at_its_end(type)) expect_end();
  if (variables_ && !v->isStaticLocal()) (*variables_)[v] = value;
}

// As if someone came: what the condition tells of is unknown.
void HostWalk::exec_unreached(const clang::Stmt* s, const clang::Expr* condition,
                              const std::function<void()>& suppose_it) {
  const auto before = variables_;
  const bool was_reached = std::exchange(is_reached_, false);
  if (variables_)
    std::erase_if(*variables_, [&](const auto& known) {
      const std::function<bool(const clang::Stmt*)> names = [&](const clang::Stmt* inner) {
        const auto* ref = llvm::dyn_cast_or_null<clang::DeclRefExpr>(inner);
        if (inner == nullptr) return false;
        const auto* e = llvm::dyn_cast<clang::Expr>(inner);
        if ((ref != nullptr && variable_named(ref) == known.first) || (e != nullptr && class_of_this(e) == known.first))
          return true;
        return std::any_of(inner->child_begin(), inner->child_end(), names);
      };
      return names(condition);
    });
  forget_made_of(condition);
  suppose_it();
  const auto returns = returns_;
  const auto returned = returned_;
  const auto breaks = breaks_;
  exec(s);
  returns_ = returns;
  returned_ = returned;
  breaks_ = breaks;
  is_reached_ = was_reached;
  variables_ = before;
}

void HostWalk::exec_if(const clang::IfStmt* s) {
  exec(s->getInit());
  if (s->getConditionVariable() != nullptr) exec_declaration(s->getConditionVariable());
  const HostValue condition = evaluate(s->getCond());
  const clang::Stmt *then = s->getThen(), *other = s->getElse();
  if (condition.integer) {
    if (*condition.integer == 0) std::swap(then, other);
    if (other != nullptr) exec_unreached(other, s->getCond(), [&] { suppose(s->getCond(), other == s->getThen()); });
    exec(then);
    return;
  }
  const auto before = variables_;
  const bool stays = changed(s->getCond()).empty();  // what the condition names
  if (stays) suppose(s->getCond(), true);
  exec(then);
  const auto after = std::exchange(variables_, before);
  if (stays) suppose(s->getCond(), false);
  exec(other);
  meet(after);
}

std::optional<HostWalk::Loop> HostWalk::loop_of(const clang::Stmt* s) {
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s))
    return Loop{s, loop->getInit(), loop->getBody(), loop->getInc(), loop->getCond()};
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(s))
    return Loop{s, nullptr, loop->getBody(), nullptr, loop->getCond()};
  if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(s))
    return Loop{s, nullptr, loop->getBody(), nullptr, loop->getCond(), true};
  if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(s))
    return Loop{s, loop->getRangeStmt(), loop->getBody()};
  return std::nullopt;
}

void HostWalk::exec_return(const clang::ReturnStmt* s) {
  const clang::Expr* value = s->getRetValue();
  HostValue known = value != nullptr ? evaluate(value) : HostValue{};
  if (s->getNRVOCandidate() != nullptr && has_own_copies(s->getNRVOCandidate()->getType())) known = {};  // or no copy
  returned_ = returned_ ? common(*returned_, known) : known;
  leave(returns_);
  variables_.reset();
}

void HostWalk::exec_try(const clang::CXXTryStmt* attempt) {
  const auto before = variables_;
  exec(attempt->getTryBlock());
  const auto after = std::exchange(variables_, before);
  for (unsigned i = 0; i < attempt->getNumHandlers(); ++i) {
    variables_ = before;
    forget_changed_in(attempt->getTryBlock());
    forget_lost_in(attempt->getTryBlock());
    exec(attempt->getHandler(i)->getHandlerBlock());
  }
  variables_ = after ? after : before;
  forget_changed_in(attempt);
  forget_lost_in(attempt);
}

// NOLINTNEXTLINE(readability-function-size): each label is entered with what those before leave
void HostWalk::exec_switch(const clang::SwitchStmt* s) {
  exec(s->getInit());
  if (s->getConditionVariable() != nullptr) exec_declaration(s->getConditionVariable());
  HostValue value = evaluate(s->getCond());
  const auto place = place_of(s->getCond()->IgnoreParenImpCasts());
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(s->getBody());
  if (body == nullptr) return exec_loop({s, nullptr, s->getBody()});
  const std::vector<std::string> lost = lost_.before_each_in_switch(body);
  if (std::any_of(lost.begin(), lost.end(), has_label)) value = {};
  bool has_match = false, has_default = false;
  const auto case_value = [&](const clang::SwitchCase* label) -> std::optional<std::int64_t> {
    const auto* c = llvm::dyn_cast<clang::CaseStmt>(label);
    return c != nullptr ? constant(c->getLHS()).integer : std::nullopt;
  };
  for (const auto* c = s->getSwitchCaseList(); c != nullptr; c = c->getNextSwitchCase()) {
    has_default |= llvm::isa<clang::DefaultStmt>(c);
    has_match |= value.integer && case_value(c) == value.integer;
  }
  const auto* of = place && place->path.empty() ? llvm::dyn_cast<clang::VarDecl>(place->variable) : nullptr;
  const auto entry = std::exchange(variables_, std::nullopt);
  breaks_.emplace_back();
  auto before = lost.begin();
  for (const clang::Stmt* inner : body->body()) {
    if (has_label(*before)) meet(entry);
    lose(*before++);
    bool enters = false, is_label = false;
    std::optional<std::int64_t> only;
    const auto suppose_it = [&] {
      if (only && of != nullptr) know(of, *only);
    };
    for (const auto* label = llvm::dyn_cast<clang::SwitchCase>(inner); label != nullptr;
         label = llvm::dyn_cast<clang::SwitchCase>(inner)) {
      const auto known = case_value(label);
      enters |= !value.integer || (llvm::isa<clang::DefaultStmt>(label) ? !has_match : known == value.integer);
      only = is_label ? std::nullopt : known;
      is_label = true;
      inner = label->getSubStmt();
    }
    if (is_label && enters) {
      const bool falls_in = variables_.has_value();
      meet(entry);
      if (!falls_in) suppose_it();
    }
    if (variables_) exec(inner);
    else if (is_label || !is_reached_)
      variables_ = entry, exec_unreached(inner, s->getCond(), suppose_it), variables_.reset();
  }
  if (has_label(*before)) meet(entry);
  lose(*before);
  if (!value.integer ? !has_default : !has_match && !has_default) meet(entry);
  meet(breaks_.back());
  breaks_.pop_back();
}

// Whether it is known how often the loop runs, and that is not often; if not, what was found in it does not count.
bool HostWalk::exec_rounds(const Loop& loop) {
  constexpr int kMost = 8;
  using clang::Stmt;
  const std::function<bool(const Stmt*, bool (*)(const Stmt*))> has = [&](const Stmt* s, bool (*is)(const Stmt*)) {
    return s != nullptr &&
           (is(s) || std::any_of(s->child_begin(), s->child_end(), [&](const Stmt* part) { return has(part, is); }));
  };
  const auto continues = [](const Stmt* s) { return llvm::isa<clang::ContinueStmt>(s); };
  const auto loops = [](const Stmt* s) { return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(s); };
  if (loop.condition == nullptr || has(loop.body, continues)) return false;
  if (has(loop.body, loops) && !may_launch(loop.body)) return false;  // it computes something
  for (int round = 0; variables_; ++round) {
    if (round > 0 || !loop.is_tested_last) {
      const HostValue goes_on = evaluate(loop.condition);
      if (!goes_on.integer) return false;
      if (*goes_on.integer == 0) return true;
    }
    if (round == kMost) return false;
    exec(loop.body);
    exec(loop.step);
  }
  return true;
}

void HostWalk::exec_loop(const Loop& loop) {
  exec(loop.init);
  const auto entry = variables_;
  const std::size_t found = found_.size();
  breaks_.emplace_back();
  const bool is_done = exec_rounds(loop);
  if (is_done) meet(breaks_.back());
  breaks_.pop_back();
  if (is_done) return;
  // One round stands for all: what a round changes is unknown in it.
  found_.resize(found);
  variables_ = entry;
  forget_changed_in(loop.whole);
  forget_lost_in(loop.whole);
  const auto before = variables_;
  breaks_.emplace_back();
  for (const clang::Stmt* part : {static_cast<const clang::Stmt*>(loop.is_tested_last ? nullptr : loop.condition),
                                  loop.body, static_cast<const clang::Stmt*>(loop.condition), loop.step}) {
    if (!variables_) variables_ = before;
    exec(part);
  }
  breaks_.pop_back();
  variables_ = before;
}

}  // namespace swizzle
