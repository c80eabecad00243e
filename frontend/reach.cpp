#include "frontend/reach.h"

#include <algorithm>
#include <functional>

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include "frontend/walk.h"

namespace swizzle {
namespace {

// What an expression names, if that is a declaration.
const clang::Decl* named_by(const clang::Stmt* s) {
  if (const auto* e = llvm::dyn_cast<clang::DeclRefExpr>(s)) return e->getDecl();
  if (const auto* e = llvm::dyn_cast<clang::MemberExpr>(s)) return e->getMemberDecl();
  if (const auto* e = llvm::dyn_cast<clang::CXXConstructExpr>(s)) return e->getConstructor();
  return nullptr;
}

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
    clang::Stmt* body = reached[next]->getBody();
    Walk calls;
    calls.implicit_code = true;
    calls.statement = [&](const clang::Stmt* s) {
      const auto* f = llvm::dyn_cast_or_null<clang::FunctionDecl>(named_by(s));
      const clang::FunctionDecl* definition = f;
      if (f != nullptr && f->getBody(definition) != nullptr &&
          std::find(reached.begin(), reached.end(), definition) == reached.end())
        reached.push_back(definition);
    };
    walk(body, calls);
  }
  return reached;
}

std::vector<const clang::Decl*> declarations_besides(const clang::ASTContext& context,
                                                     const std::vector<const clang::FunctionDecl*>& reached) {
  std::vector<const clang::Decl*> kept, besides;
  for (const clang::FunctionDecl* f : reached) kept.push_back(as_written(f));
  const auto& sources = context.getSourceManager();
  const auto is_kept = [&](const clang::Decl* d) {
    return std::find(kept.begin(), kept.end(), d->getCanonicalDecl()) != kept.end();
  };
  const std::function<void(const clang::DeclContext*)> visit = [&](const clang::DeclContext* around) {
    for (const clang::Decl* d : around->decls()) {
      if (llvm::isa<clang::LinkageSpecDecl>(d) || llvm::isa<clang::NamespaceDecl>(d))
        visit(llvm::cast<clang::DeclContext>(d));
      else if (!sources.isInMainFile(sources.getExpansionLoc(d->getLocation())) || d->isImplicit()) continue;
      else if (d->isInvalidDecl() ||
               ((llvm::isa<clang::FunctionDecl>(d) || llvm::isa<clang::FunctionTemplateDecl>(d)) && !is_kept(d)))
        besides.push_back(d);
    }
  };
  visit(context.getTranslationUnitDecl());
  return besides;
}

}  // namespace swizzle
