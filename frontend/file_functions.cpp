#include "frontend/file_functions.h"

#include <functional>

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

namespace swizzle {

std::vector<FunctionOrTemplate> functions_of_file(const clang::ASTContext& context) {
  std::vector<FunctionOrTemplate> found;
  const auto& sources = context.getSourceManager();
  const std::function<void(const clang::DeclContext*)> visit = [&](const clang::DeclContext* around) {
    for (const clang::Decl* d : around->decls()) {
      if (llvm::isa<clang::LinkageSpecDecl>(d) || llvm::isa<clang::NamespaceDecl>(d))
        visit(llvm::cast<clang::DeclContext>(d));
      if (!sources.isInMainFile(sources.getExpansionLoc(d->getLocation()))) continue;
      if (const auto* t = llvm::dyn_cast<clang::FunctionTemplateDecl>(d)) found.push_back(t);
      if (const auto* f = llvm::dyn_cast<clang::FunctionDecl>(d); f != nullptr && f->isThisDeclarationADefinition())
        found.push_back(f);
    }
  };
  visit(context.getTranslationUnitDecl());
  return found;
}

std::vector<const clang::FunctionDecl*> instances_of(const clang::FunctionTemplateDecl* function) {
  std::vector<const clang::FunctionDecl*> instances;
  for (const clang::FunctionDecl* s : function->specializations())
    if (s->hasBody()) instances.push_back(s);
  return instances;
}

bool is_kernel(const clang::FunctionDecl* f) {
  for (const auto* attribute : f->specific_attrs<clang::AnnotateAttr>())
    if (attribute->getAnnotation() == "swizzle_global") return true;
  return false;
}

}  // namespace swizzle
