// What host code may change without that it is known how.
#include <clang/AST/DeclTemplate.h>

#include "frontend/host_walk.h"
#include "frontend/walk.h"

namespace swizzle {
namespace {

// Whose memory an expression names: `b` of b.x, b[3], (b).
const clang::Decl* base_variable(const clang::Expr* e) {
  for (e = e->IgnoreParenCasts(); e != nullptr;) {
    if (const auto* star = llvm::dyn_cast<clang::UnaryOperator>(e); star && star->getOpcode() == clang::UO_Deref)
      return class_of_this(star->getSubExpr());
    if (const clang::Decl* self = class_of_this(e)) return self;
    if (const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(e)) return variable_named(ref);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e)) e = member->getBase()->IgnoreParenCasts();
    else if (const auto* item = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) e = item->getBase()->IgnoreParenCasts();
    else break;
  }
  return nullptr;
}

// p[3], p->x, *p
bool is_through_pointer(const clang::Expr* e) {
  for (e = e->IgnoreParenCasts(); e != nullptr;) {
    const auto* star = llvm::dyn_cast<clang::UnaryOperator>(e);
    if (star != nullptr && star->getOpcode() == clang::UO_Deref) return class_of_this(star->getSubExpr()) == nullptr;
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(e);
    const auto* item = llvm::dyn_cast<clang::ArraySubscriptExpr>(e);
    if (member == nullptr && item == nullptr) break;
    const clang::Expr* base = (member != nullptr ? member->getBase() : item->getBase())->IgnoreParenImpCasts();
    if (!base->getType().isNull() && base->getType()->isPointerType()) return class_of_this(base) == nullptr;
    e = base;
  }
  return false;
}

// Of `(n > 0 ? a : b)` and `(a, b)`, each that it may be.
void add_bases(const clang::Expr* e, std::set<const clang::Decl*>& out) {
  const clang::Expr* plain = e->IgnoreParenCasts();
  const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(plain);
  const auto* list = llvm::dyn_cast<clang::BinaryOperator>(plain);
  if (choice != nullptr) {
    add_bases(choice->getTrueExpr(), out);
    add_bases(choice->getFalseExpr(), out);
  } else if (list != nullptr && list->getOpcode() == clang::BO_Comma) {
    add_bases(list->getRHS(), out);
  } else if (const clang::Decl* v = base_variable(plain)) {
    out.insert(v);
  }
}

bool may_be_changed_through(clang::QualType type) {
  return type->isLValueReferenceType() && !type->getPointeeType().isConstQualified();
}

// const_cast<int&>(n), (int&)n, (int*)&n
bool drops_const(const clang::Stmt* s) {
  bool drops = false;
  Walk casts;
  casts.statement = [&](const clang::Stmt* inner) {
    const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(inner);
    if (cast == nullptr) return;
    const clang::QualType to = cast->getTypeAsWritten(), from = cast->getSubExpr()->getType();
    const bool is_pointer = to->isPointerType() && from->isPointerType() && from->getPointeeType().isConstQualified() &&
                            !to->getPointeeType().isConstQualified();
    drops |= llvm::isa<clang::CXXConstCastExpr>(cast) || may_be_changed_through(to) || is_pointer;
  };
  if (s != nullptr) walk(const_cast<clang::Stmt*>(s), casts);
  return drops;
}

// What a reference in a record is made of.
void add_bound_fields(const clang::InitListExpr* list, std::set<const clang::Decl*>& out) {
  const clang::RecordDecl* record = list->getType()->getAsRecordDecl();
  if (record == nullptr) return;
  for (const clang::FieldDecl* field : record->fields()) {
    const unsigned i = field->getFieldIndex();
    if (i < list->getNumInits() && list->getInit(i)->isGLValue() && may_be_changed_through(field->getType()))
      add_bases(list->getInit(i), out);
  }
}

bool is_of_the_runtime(const clang::Stmt* callee) {
  const auto* named = llvm::dyn_cast_or_null<clang::Expr>(callee);
  const auto* open = named != nullptr ? llvm::dyn_cast<clang::OverloadExpr>(named->IgnoreParenImpCasts()) : nullptr;
  const std::string name = open != nullptr ? open->getName().getAsString() : "";
  const bool is_macro = std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return name.starts_with("cu") || name.starts_with("printf") || (!name.empty() && is_macro);
}

// Arguments that the function gets as they are, to change them. Of an unknown function, all.
void add_references(const clang::CallExpr* e, std::set<const clang::Decl*>& out) {
  const clang::FunctionDecl* callee = e->getDirectCallee();
  const bool is_operator = llvm::isa<clang::CXXOperatorCallExpr>(e);
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  const unsigned shift = is_operator && method != nullptr ? 1 : 0;
  if (callee == nullptr && is_of_the_runtime(e->getCallee())) return;
  for (unsigned i = 0; i < e->getNumArgs(); ++i) {
    const clang::Decl* v = base_variable(e->getArg(i));
    if (v == nullptr || !e->getArg(i)->isGLValue()) continue;
    bool may_change = callee == nullptr;
    if (callee != nullptr && i < shift) may_change = !method->isConst();
    else if (callee != nullptr && i - shift < callee->getNumParams()) {
      const clang::QualType type = callee->getParamDecl(i - shift)->getType();
      may_change =
          type->isReferenceType() && (!type->getPointeeType().isConstQualified() || drops_const(callee->getBody()));
    }
    if (may_change) out.insert(v);
  }
  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(e)) {
    const auto* of = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    const clang::Decl* v = base_variable(member->getImplicitObjectArgument());
    if (v != nullptr && (of == nullptr || !of->isConst())) out.insert(v);
  }
}

// as_const: what is bound as const, which casts may change all the same.
void add_changed(const clang::Stmt* s, std::set<const clang::Decl*>& out, std::set<const clang::Decl*>& as_const) {
  const auto add = [&](const clang::Expr* e) { add_bases(e, out); };
  if (const auto* e = llvm::dyn_cast<clang::BinaryOperator>(s); e != nullptr && e->isAssignmentOp()) add(e->getLHS());
  if (const auto* e = llvm::dyn_cast<clang::UnaryOperator>(s);
      e != nullptr && (e->isIncrementDecrementOp() || e->getOpcode() == clang::UO_AddrOf))
    add(e->getSubExpr());
  if (const auto* e = llvm::dyn_cast<clang::CallExpr>(s)) add_references(e, out);
  if (const auto* e = llvm::dyn_cast<clang::CXXConstructExpr>(s))
    for (unsigned i = 0; i < e->getNumArgs() && i < e->getConstructor()->getNumParams(); ++i)
      if (may_be_changed_through(e->getConstructor()->getParamDecl(i)->getType())) add(e->getArg(i));
  if (const auto* e = llvm::dyn_cast<clang::InitListExpr>(s)) add_bound_fields(e, out);
  if (const auto* e = llvm::dyn_cast<clang::DeclRefExpr>(s))
    if (const clang::CXXRecordDecl* lambda = lambda_class(e->getType())) out.merge(changed_by(lambda));
  if (const auto* e = llvm::dyn_cast<clang::CXXForRangeStmt>(s))
    if (may_be_changed_through(e->getLoopVariable()->getType()) &&
        changed_in(e->getBody()).contains(e->getLoopVariable()))
      add(e->getRangeInit());
  if (const auto* e = llvm::dyn_cast<clang::LambdaExpr>(s))
    for (const clang::LambdaCapture& capture : e->captures()) {
      const auto* v = capture.capturesVariable() ? llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()) : nullptr;
      if (v != nullptr && v->isInitCapture() && may_be_changed_through(v->getType())) add(v->getInit());
    }
  if (llvm::isa<clang::RecoveryExpr>(s) &&
      !(s->child_begin() != s->child_end() && is_of_the_runtime(*s->child_begin())))
    for (const clang::Stmt* part : s->children())
      if (const auto* e = llvm::dyn_cast_or_null<clang::Expr>(part); e != nullptr && e->isGLValue()) add(e);
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s))
    for (const clang::Decl* d : declared->decls())
      if (const auto* v = llvm::dyn_cast<clang::VarDecl>(d); v != nullptr && v->getInit() != nullptr) {
        const clang::QualType type = v->getType();
        if (type->isReferenceType())
          add_bases(v->getInit(), type->getPointeeType().isConstQualified() ? as_const : out);
      }
}

// Of a function that has no body here, or that clang does not know.
bool calls_elsewhere(const clang::Stmt* s) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
  if (call == nullptr) return llvm::isa<clang::RecoveryExpr>(s);
  const clang::FunctionDecl* callee = call->getDirectCallee();
  return callee == nullptr || !callee->hasBody();
}

// `&n`, or `(void**)&n`.
const clang::UnaryOperator* address_taken(const clang::Stmt* s) {
  const auto* e = llvm::dyn_cast_or_null<clang::Expr>(s);
  const auto* address = e != nullptr ? llvm::dyn_cast<clang::UnaryOperator>(e->IgnoreParenCasts()) : nullptr;
  return address != nullptr && address->getOpcode() == clang::UO_AddrOf ? address : nullptr;
}

// Of the class, its bases and its fields: whether `is` holds of one of them. What clang does not understand may be a
// part of itself.
bool any_part(clang::QualType type, const std::function<bool(const clang::CXXRecordDecl*)>& is) {
  std::vector<const clang::CXXRecordDecl*> parts;
  const auto add = [&](clang::QualType part) {
    const auto* record = part.isNull() ? nullptr : part->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (record == nullptr || !record->hasDefinition()) return;
    if (std::ranges::find(parts, record->getDefinition()) == parts.end()) parts.push_back(record->getDefinition());
  };
  add(type);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const clang::CXXRecordDecl* record = parts[i];
    if (is(record)) return true;
    for (const clang::CXXBaseSpecifier& base : record->bases()) add(base.getType());
    for (const clang::FieldDecl* field : record->fields()) add(field->getType());
  }
  return false;
}

}  // namespace

const clang::Decl* variable_named(const clang::DeclRefExpr* e) {
  const auto* binding = llvm::dyn_cast<clang::BindingDecl>(e->getDecl());
  const auto* v = binding != nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(e->getDecl());
  return binding != nullptr ? binding->getDecomposedDecl() : v != nullptr ? v->getCanonicalDecl() : nullptr;
}

bool writes_at_its_end(clang::QualType type) {
  return any_part(type, [](const clang::CXXRecordDecl* record) {
    const clang::CXXDestructorDecl* end = record->getDestructor();
    return end != nullptr && end->hasBody() && writes_through_pointers(end->getBody());
  });
}

bool has_own_copies(clang::QualType type) {
  return any_part(type, [](const clang::CXXRecordDecl* record) {
    return std::ranges::any_of(record->ctors(), [](const clang::CXXConstructorDecl* c) {
      return c->isCopyOrMoveConstructor() && c->isUserProvided();
    });
  });
}

const clang::Decl* class_of_this(const clang::Expr* e) {
  const auto* self = llvm::dyn_cast<clang::CXXThisExpr>(e->IgnoreParenCasts());
  const clang::CXXRecordDecl* record = self != nullptr ? self->getType()->getPointeeCXXRecordDecl() : nullptr;
  return record != nullptr ? record->getCanonicalDecl() : nullptr;
}

std::set<const clang::Decl*> changed_in(const clang::Stmt* s) {
  std::set<const clang::Decl*> out, as_const;
  Walk statements;
  statements.statement = [&](const clang::Stmt* inner) { add_changed(inner, out, as_const); };
  if (s != nullptr) walk(const_cast<clang::Stmt*>(s), statements);
  if (!as_const.empty() && drops_const(s)) out.merge(as_const);
  return out;
}

bool writes_through_pointers(const clang::Stmt* s) {
  bool writes = false;
  const auto is_elsewhere = [](const clang::Expr* target) {
    std::set<const clang::Decl*> known;
    add_bases(target, known);
    return known.empty() || is_through_pointer(target);
  };
  Walk statements;
  statements.statement = [&](const clang::Stmt* inner) {
    if (const auto* e = llvm::dyn_cast<clang::BinaryOperator>(inner))
      writes |= e->isAssignmentOp() && is_elsewhere(e->getLHS());
    if (const auto* e = llvm::dyn_cast<clang::UnaryOperator>(inner))
      writes |= e->isIncrementDecrementOp() && is_elsewhere(e->getSubExpr());
    if (const auto* e = llvm::dyn_cast<clang::CallExpr>(inner))
      writes |= std::any_of(e->arg_begin(), e->arg_end(), [](const clang::Expr* a) {
        const clang::QualType type = a->getType();
        return !type.isNull() && type->isPointerType() && !type->getPointeeType().isConstQualified();
      });
  };
  if (s != nullptr) walk(const_cast<clang::Stmt*>(s), statements);
  return writes;
}

std::set<const clang::Decl*> named_in(const clang::Stmt* s) {
  std::set<const clang::Decl*> out;
  Walk all;
  all.implicit_code = true;  // `this`
  all.statement = [&](const clang::Stmt* inner) {
    const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(inner);
    const auto* e = llvm::dyn_cast<clang::Expr>(inner);
    const clang::Decl* named = ref != nullptr ? variable_named(ref) : e != nullptr ? class_of_this(e) : nullptr;
    if (named != nullptr) out.insert(named);
  };
  if (s != nullptr) walk(const_cast<clang::Stmt*>(s), all);
  return out;
}

const clang::CXXRecordDecl* lambda_class(clang::QualType type) {
  const auto* record = type.isNull() ? nullptr : type.getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr && record->isLambda() ? record : nullptr;
}

std::set<const clang::Decl*> changed_by(const clang::CXXRecordDecl* lambda) {
  thread_local std::set<const clang::CXXRecordDecl*> under_way;  // one may name itself
  const clang::CXXMethodDecl* body = lambda->getLambdaCallOperator();
  std::set<const clang::Decl*> out;
  if (body == nullptr || !under_way.insert(lambda).second) return out;
  const auto captures = lambda->captures();
  for (const clang::Decl* v : changed_in(body->getBody()))
    if (std::any_of(captures.begin(), captures.end(), [&](const clang::LambdaCapture& capture) {
          return capture.capturesVariable()
                     ? capture.getCaptureKind() == clang::LCK_ByRef && capture.getCapturedVar() == v
                     : capture.capturesThis() && llvm::isa<clang::CXXRecordDecl>(v);
        }))
      out.insert(v);
  under_way.erase(lambda);
  return out;
}

std::vector<const clang::Stmt*> changes_of(const clang::Decl* declared, const clang::Stmt* s) {
  const clang::Decl* variable = declared->getCanonicalDecl();
  std::vector<const clang::Stmt*> changes;
  Walk statements;
  statements.statement = [&](const clang::Stmt* inner) {
    std::set<const clang::Decl*> changed, as_const;
    add_changed(inner, changed, as_const);
    if (changed.contains(variable) || (as_const.contains(variable) && drops_const(s))) changes.push_back(inner);
  };
  if (s != nullptr) walk(const_cast<clang::Stmt*>(s), statements);
  return changes;
}

HostBody survey(const clang::Stmt* body) {
  HostBody out{changed_in(body), {}};
  Walk all;
  all.statement = [&](const clang::Stmt* s) {
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(s))
      for (const clang::Decl* d : declared->decls())
        if (const auto* v = llvm::dyn_cast<clang::VarDecl>(d)) out.declared.push_back({v, named_in(v->getInit())});
  };
  if (body != nullptr) walk(const_cast<clang::Stmt*>(body), all);
  return out;
}

HostChanges changes_in(const clang::Stmt* s) {
  std::set<const clang::Decl*> filled, otherwise, as_const;
  std::set<const clang::Stmt*> handed;
  Walk calls, others;
  calls.statement = [&](const clang::Stmt* inner) {
    if (!calls_elsewhere(inner)) return;
    for (const clang::Stmt* argument : inner->children())
      if (const auto* address = address_taken(argument))
        if (const clang::Decl* v = base_variable(address->getSubExpr())) handed.insert(address), filled.insert(v);
  };
  others.statement = [&](const clang::Stmt* inner) {
    if (!handed.contains(inner) && !calls_elsewhere(inner)) add_changed(inner, otherwise, as_const);
  };
  walk(const_cast<clang::Stmt*>(s), calls);
  walk(const_cast<clang::Stmt*>(s), others);
  std::erase_if(filled, [&](const clang::Decl* v) { return otherwise.contains(v); });
  return {changed_in(s), std::move(filled)};
}

void HostWalk::forget(const clang::Decl* v) {
  if (variables_) variables_->erase(v);
}

void HostWalk::take_address(const clang::Decl* v) {
  addressed_.insert(v);
  if (expects_end_) escaped_.insert(v);
}

// Something writes where pointers lead once it ends, wherever that is.
void HostWalk::expect_end() {
  expects_end_ = true;
  escape(addressed_);
}

void HostWalk::forget_addressed() {
  for (const clang::Decl* v : addressed_) forget(v);
}

void HostWalk::forget_changed_in(const clang::Stmt* s) {
  for (const clang::Decl* v : changed(s)) forget(aliased(v));
  if (!addressed_.empty() && writes_through_pointers(s)) forget_addressed();
}

const HostBody& HostWalk::body(const clang::Stmt* s) {
  const auto [known, is_new] = bodies_.try_emplace(s);
  if (is_new) known->second = survey(s);
  return known->second;
}

void HostWalk::escape(const std::set<const clang::Decl*>& variables) {
  for (const clang::Decl* v : variables) escaped_.insert(aliased(v));
}

void HostWalk::forget_those_that_may_change(const clang::CallExpr* e) {
  std::set<const clang::Decl*> changed;
  add_references(e, changed);
  for (const clang::Decl* v : changed) forget(aliased(v));
}

}  // namespace swizzle
