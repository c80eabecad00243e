#include "frontend/file_functions.h"

#include <algorithm>
#include <functional>

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/Support/raw_ostream.h>

#include "frontend/user_files.h"

namespace swizzle {

namespace {

template <typename IsWanted>
std::vector<FunctionOrTemplate> functions_where(const clang::ASTContext& context, IsWanted&& is_wanted) {
  std::vector<FunctionOrTemplate> found;
  const std::function<void(const clang::DeclContext*)> visit = [&](const clang::DeclContext* around) {
    for (const clang::Decl* d : around->decls()) {
      if (llvm::isa<clang::LinkageSpecDecl>(d) || llvm::isa<clang::NamespaceDecl>(d))
        visit(llvm::cast<clang::DeclContext>(d));
      if (!d->getLocation().isValid() || !is_wanted(d->getLocation())) continue;
      if (const auto* t = llvm::dyn_cast<clang::FunctionTemplateDecl>(d)) found.push_back(t);
      if (const auto* f = llvm::dyn_cast<clang::FunctionDecl>(d); f != nullptr && f->isThisDeclarationADefinition())
        found.push_back(f);
    }
  };
  visit(context.getTranslationUnitDecl());
  return found;
}

}  // namespace

std::vector<FunctionOrTemplate> functions_of_file(const clang::ASTContext& context) {
  const auto& sources = context.getSourceManager();
  return functions_where(context,
                         [&](clang::SourceLocation at) { return sources.isInMainFile(sources.getExpansionLoc(at)); });
}

std::vector<FunctionOrTemplate> functions_of_unit(const clang::ASTContext& context) {
  return functions_where(context, [](clang::SourceLocation) { return true; });
}

std::vector<FunctionOrTemplate> functions_of_files(const clang::ASTContext& context, const UserFiles& files) {
  return functions_where(context, [&](clang::SourceLocation at) { return files.hold(context.getSourceManager(), at); });
}

std::vector<const clang::FunctionDecl*> instances_of(const clang::FunctionTemplateDecl* function) {
  std::vector<const clang::FunctionDecl*> instances;
  for (const clang::FunctionDecl* s : function->specializations())
    if (s->hasBody()) instances.push_back(s);
  return instances;
}

std::vector<TemplateArgument> template_arguments(const clang::FunctionDecl* f, const clang::PrintingPolicy& policy) {
  std::vector<TemplateArgument> instance;
  const clang::FunctionDecl* pattern = f->getTemplateInstantiationPattern();
  const auto* of = pattern == nullptr ? nullptr : pattern->getDescribedFunctionTemplate();
  const clang::TemplateArgumentList* arguments = f->getTemplateSpecializationArgs();
  if (of == nullptr || arguments == nullptr) return instance;
  for (unsigned i = 0; i < std::min(arguments->size(), of->getTemplateParameters()->size()); ++i) {
    TemplateArgument& made = instance.emplace_back();
    const clang::TemplateArgument& argument = arguments->get(i);
    made.parameter = of->getTemplateParameters()->getParam(i)->getNameAsString();
    llvm::raw_string_ostream text(made.value);
    if (argument.getKind() == clang::TemplateArgument::Type) {
      made.kind = TemplateArgument::Kind::kType;
      const clang::QualType type = argument.getAsType().getCanonicalType();
      if (type->isNullPtrType()) text << "decltype(nullptr)";  // std::nullptr_t asks for a header
      else type.print(text, policy);
    } else {
      if (argument.getKind() == clang::TemplateArgument::Integral) made.kind = TemplateArgument::Kind::kInteger;
      // As a number, where Clang would write a character.
      if (argument.getKind() == clang::TemplateArgument::Integral && argument.getIntegralType()->isAnyCharacterType())
        text << argument.getAsIntegral();
      else argument.print(policy, text, false);
    }
  }
  return instance;
}

bool is_annotated(const clang::Decl* decl, std::string_view annotation) {
  for (const auto* attribute : decl->specific_attrs<clang::AnnotateAttr>())
    if (std::string_view(attribute->getAnnotation()) == annotation) return true;
  return false;
}

bool is_kernel(const clang::FunctionDecl* f) { return is_annotated(f, "swizzle_global"); }

}  // namespace swizzle
