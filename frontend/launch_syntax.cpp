#include "frontend/launch_syntax.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include "frontend/file_functions.h"

namespace swizzle {
namespace {

const clang::Expr* plain(const clang::Stmt* s) {
  const auto* e = llvm::dyn_cast_or_null<clang::Expr>(s);
  return e != nullptr ? e->IgnoreUnlessSpelledInSource()->IgnoreParenCasts() : nullptr;
}

// Which argument an `$argument<2>` is.
std::optional<unsigned> argument_index(const clang::CallExpr* call) {
  const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
  llvm::ArrayRef<clang::TemplateArgumentLoc> written;
  if (const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(callee)) written = ref->template_arguments();
  if (const auto* open = llvm::dyn_cast<clang::OverloadExpr>(callee)) written = open->template_arguments();
  if (written.empty() || written[0].getArgument().getKind() != clang::TemplateArgument::Expression) return std::nullopt;
  const auto* index = llvm::dyn_cast<clang::IntegerLiteral>(
      written[0].getArgument().getAsExpr()->IgnoreParenImpCasts()->IgnoreUnlessSpelledInSource());
  return index != nullptr ? std::optional(static_cast<unsigned>(index->getValue().getZExtValue())) : std::nullopt;
}

// Of a `$kernel(f)` where clang finds several functions f.
const clang::Expr* overloaded_kernel(const clang::Expr* e) {
  const auto* failed = llvm::dyn_cast_or_null<clang::RecoveryExpr>(e);
  if (failed == nullptr || failed->subExpressions().size() != 2) return nullptr;
  const auto* callee = llvm::dyn_cast<clang::OverloadExpr>(failed->subExpressions()[0]->IgnoreParenImpCasts());
  const bool is_named = callee != nullptr && callee->getName().getAsString() == "$kernel";
  return is_named ? failed->subExpressions()[1] : nullptr;
}

const clang::FunctionDecl* function_of(const clang::NamedDecl* named) {
  const clang::NamedDecl* d = named->getUnderlyingDecl();
  const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(d);
  return pattern != nullptr ? pattern->getTemplatedDecl() : llvm::dyn_cast<clang::FunctionDecl>(d);
}

// Whether a pointer to one type cannot be one to the other: a number or a record that has another name.
bool are_other_pointers(clang::QualType a, clang::QualType b) {
  if (a.isNull() || b.isNull() || !a->isPointerType() || !b->isPointerType()) return false;
  const clang::QualType from = a->getPointeeType().getCanonicalType().getUnqualifiedType(),
                        to = b->getPointeeType().getCanonicalType().getUnqualifiedType();
  const auto is_known = [](clang::QualType t) {
    return !t->isDependentType() && (t->isArithmeticType() || t->isRecordType());
  };
  return is_known(from) && is_known(to) && from != to && !(from->isRecordType() && to->isRecordType());
}

// As far as their pointers tell. Null among the arguments: nothing is known of it; nor is of those behind.
bool may_take(const clang::FunctionDecl* f, const LaunchArguments& arguments) {
  if (arguments.size() > f->getNumParams()) return f->isVariadic();
  for (unsigned i = 0; i < arguments.size(); ++i)
    if (arguments[i] != nullptr &&
        are_other_pointers(arguments[i]->IgnoreParenImpCasts()->getType(), f->getParamDecl(i)->getType()))
      return false;
  return true;
}

// The only kernel among functions of a name, or the only function; among several, the only one that takes these.
const clang::FunctionDecl* meant_by(const clang::OverloadExpr* open, const LaunchArguments* arguments) {
  const clang::FunctionDecl* only = nullptr;
  bool has_kernel = false;
  for (const clang::NamedDecl* named : open->decls()) {
    const clang::FunctionDecl* f = function_of(named);
    if (f == nullptr || (has_kernel && !is_kernel(f)) || (arguments != nullptr && !may_take(f, *arguments))) continue;
    const bool is_second = only != nullptr && is_kernel(only) == is_kernel(f);
    if (is_second && only->getCanonicalDecl() != f->getCanonicalDecl()) return nullptr;
    has_kernel |= is_kernel(f);
    only = f;
  }
  return only;
}

}  // namespace

std::string called_name(const clang::CallExpr* call) {
  const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
  if (const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(callee)) return ref->getNameInfo().getAsString();
  if (const auto* open = llvm::dyn_cast<clang::OverloadExpr>(callee)) return open->getName().getAsString();
  return "";
}

std::optional<LaunchSyntax> launch_syntax(const clang::Stmt* stmt) {
  const auto* block = llvm::dyn_cast_or_null<clang::StmtExpr>(stmt);
  if (block == nullptr || block->getSubStmt()->body_empty()) return std::nullopt;
  LaunchSyntax out;
  bool is_launch = false;
  for (const clang::Stmt* s : block->getSubStmt()->body()) {
    const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(plain(s));
    if (call == nullptr && out.kernel == nullptr) out.kernel = overloaded_kernel(plain(s));
    if (call == nullptr) continue;
    const std::string name = called_name(call);
    const clang::Expr* first = call->getNumArgs() > 0 ? call->getArg(0) : nullptr;
    if (name == "$launched") is_launch = true;
    else if (!is_launch) return std::nullopt;
    else if (name == "$kernel") out.kernel = first;
    else if (name == "$grid") out.grid = first;
    else if (name == "$block") out.block = first;
    else if (name == "$shared") out.shared = first;
    else if (name != "$argument") out.call = call;
    else if (const auto index = argument_index(call); index && call->getNumArgs() == 1) {
      out.arguments.resize(std::max<std::size_t>(out.arguments.size(), *index + 1), nullptr);
      out.arguments[*index] = first;
    }
  }
  return is_launch ? std::optional(out) : std::nullopt;
}

const clang::FunctionDecl* named_function(const clang::Expr* expr, const LaunchArguments* arguments) {
  const clang::Expr* named = plain(expr);
  if (const auto* address = llvm::dyn_cast_or_null<clang::UnaryOperator>(named);
      address != nullptr && (address->getOpcode() == clang::UO_AddrOf || address->getOpcode() == clang::UO_Deref))
    return named_function(address->getSubExpr(), arguments);
  if (const auto* ref = llvm::dyn_cast_or_null<clang::DeclRefExpr>(named))
    return llvm::dyn_cast<clang::FunctionDecl>(ref->getDecl());
  const auto* open = llvm::dyn_cast_or_null<clang::OverloadExpr>(named);
  if (open == nullptr) return nullptr;
  const clang::FunctionDecl* only = meant_by(open, nullptr);
  return only != nullptr || arguments == nullptr ? only : meant_by(open, arguments);
}

}  // namespace swizzle
