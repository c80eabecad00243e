#include "frontend/walk.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

#include "frontend/prelude.h"
#include "frontend/user_files.h"

namespace swizzle {
namespace {

class Visitor : public clang::RecursiveASTVisitor<Visitor> {
 public:
  explicit Visitor(const Walk& how) : how_(how) {}
  bool shouldVisitTemplateInstantiations() const { return how_.instances; }
  bool shouldVisitImplicitCode() const { return how_.implicit_code; }

  bool VisitStmt(clang::Stmt* s) {
    if (how_.statement) how_.statement(s);
    return true;
  }
  bool VisitFunctionDecl(clang::FunctionDecl* f) {
    if (how_.function) how_.function(f);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* v) {
    if (how_.variable) how_.variable(v);
    return true;
  }

 private:
  const Walk& how_;
};

}  // namespace

void walk(clang::Stmt* root, const Walk& how) { Visitor(how).TraverseStmt(root); }

void walk_user_file(clang::ASTContext& context, const Walk& how) {
  Visitor visitor(how);
  const auto& sources = context.getSourceManager();
  for (clang::Decl* d : context.getTranslationUnitDecl()->decls())
    if (sources.isInMainFile(sources.getExpansionLoc(d->getLocation()))) visitor.TraverseDecl(d);
}

void walk_user_files(clang::ASTContext& context, const UserFiles& files, const Walk& how) {
  Visitor visitor(how);
  for (clang::Decl* d : context.getTranslationUnitDecl()->decls())
    if (d->getLocation().isValid() && files.hold(context.getSourceManager(), d->getLocation())) visitor.TraverseDecl(d);
}

bool is_modified(const clang::Stmt* within, const clang::VarDecl* v) {
  if (within == nullptr) return false;
  const auto names = [&](const clang::Expr* e) {
    const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenCasts());
    return ref != nullptr && ref->getDecl() == v;
  };
  if (const auto* e = llvm::dyn_cast<clang::BinaryOperator>(within);
      e != nullptr && e->isAssignmentOp() && names(e->getLHS()))
    return true;
  if (const auto* e = llvm::dyn_cast<clang::UnaryOperator>(within);
      e != nullptr && (e->isIncrementDecrementOp() || e->getOpcode() == clang::UO_AddrOf) && names(e->getSubExpr()))
    return true;
  const auto children = within->children();
  return std::any_of(children.begin(), children.end(), [&](const clang::Stmt* child) { return is_modified(child, v); });
}

void walk_all_files(clang::ASTContext& context, const Walk& how) {
  Visitor visitor(how);
  const auto& sources = context.getSourceManager();
  for (clang::Decl* d : context.getTranslationUnitDecl()->decls())
    if (const clang::SourceLocation at = sources.getExpansionLoc(d->getLocation());
        at.isValid() && !sources.getFilename(at).starts_with(kPreludeFolder))
      visitor.TraverseDecl(d);
}

}  // namespace swizzle
