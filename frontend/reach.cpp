#include "frontend/reach.h"

#include <algorithm>
#include <functional>

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

namespace swizzle {
namespace {

class Calls : public clang::RecursiveASTVisitor<Calls> {
 public:
  bool shouldVisitImplicitCode() const { return true; }
  bool VisitDeclRefExpr(clang::DeclRefExpr* e) { return add(e->getDecl()); }
  bool VisitMemberExpr(clang::MemberExpr* e) { return add(e->getMemberDecl()); }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* e) { return add(e->getConstructor()); }

  std::vector<const clang::FunctionDecl*> found;

 private:
  bool add(const clang::Decl* d) {
    const auto* f = llvm::dyn_cast_or_null<clang::FunctionDecl>(d);
    const clang::FunctionDecl* definition = f;
    if (f != nullptr && f->getBody(definition)) found.push_back(definition);
    return true;
  }
};

const clang::Decl* as_written(const clang::FunctionDecl* f) {
  const clang::FunctionDecl* pattern = f->getTemplateInstantiationPattern();
  const clang::FunctionDecl* written = pattern != nullptr ? pattern : f;
  if (const auto* t = written->getDescribedFunctionTemplate()) return t->getCanonicalDecl();
  return written->getCanonicalDecl();
}

}  // namespace

std::vector<const clang::FunctionDecl*> functions_reached(const clang::FunctionDecl* entry) {
  std::vector<const clang::FunctionDecl*> reached;
  const clang::FunctionDecl* first = entry;
  entry->getBody(first);
  reached.push_back(first);
  for (std::size_t next = 0; next < reached.size(); ++next) {
    Calls calls;
    calls.TraverseStmt(reached[next]->getBody());
    for (const clang::FunctionDecl* f : calls.found)
      if (std::find(reached.begin(), reached.end(), f) == reached.end()) reached.push_back(f);
  }
  return reached;
}

std::vector<const clang::Decl*> declarations_besides(const clang::ASTContext& context, const std::vector<const clang::FunctionDecl*>& reached) {
  std::vector<const clang::Decl*> kept, besides;
  for (const clang::FunctionDecl* f : reached) kept.push_back(as_written(f));
  const auto& sources = context.getSourceManager();
  const auto is_kept = [&](const clang::Decl* d) { return std::find(kept.begin(), kept.end(), d->getCanonicalDecl()) != kept.end(); };
  const std::function<void(const clang::DeclContext*)> visit = [&](const clang::DeclContext* around) {
    for (const clang::Decl* d : around->decls()) {
      if (llvm::isa<clang::LinkageSpecDecl>(d) || llvm::isa<clang::NamespaceDecl>(d)) visit(llvm::cast<clang::DeclContext>(d));
      else if (!sources.isInMainFile(sources.getExpansionLoc(d->getLocation())) || d->isImplicit()) continue;
      else if (d->isInvalidDecl() || ((llvm::isa<clang::FunctionDecl>(d) || llvm::isa<clang::FunctionTemplateDecl>(d)) && !is_kept(d))) besides.push_back(d);
    }
  };
  visit(context.getTranslationUnitDecl());
  return besides;
}

}  // namespace swizzle
