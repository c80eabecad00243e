#include "frontend/integer_constants.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include "frontend/file_functions.h"

namespace swizzle {

Sizes integer_constants(const clang::ASTContext& context) {
  Sizes constants;
  const clang::SourceManager& sources = context.getSourceManager();
  for (const clang::Decl* d : context.getTranslationUnitDecl()->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(d);
    if (variable == nullptr || !sources.isInMainFile(sources.getExpansionLoc(d->getLocation()))) continue;
    if (!variable->getType()->isIntegralOrEnumerationType() || !variable->mightBeUsableInConstantExpressions(context) ||
        variable->getInit() == nullptr || variable->getInit()->isValueDependent())
      continue;
    const clang::APValue* value = variable->evaluateValue();
    if (value != nullptr && value->isInt()) {
      if (const auto number = value->getInt().tryExtValue()) constants[variable->getNameAsString()] = *number;
    }
  }
  for (const FunctionOrTemplate& one : functions_of_file(context)) {
    const auto* const* function = std::get_if<const clang::FunctionDecl*>(&one);
    const clang::FunctionDecl* kernel =
        function != nullptr ? *function : std::get<const clang::FunctionTemplateDecl*>(one)->getTemplatedDecl();
    if (!is_kernel(kernel)) continue;
    for (const clang::ParmVarDecl* parameter : kernel->parameters()) constants.erase(parameter->getNameAsString());
  }
  return constants;
}

}  // namespace swizzle
