#include "frontend/stand_ins.h"

#include <algorithm>

#include <clang/AST/DeclTemplate.h>
#include <fmt/format.h>

#include "frontend/file_functions.h"
#include "frontend/launch_syntax.h"
#include "frontend/walk.h"

namespace swizzle {
namespace {

// Of a parameter without default.
std::optional<std::string> argument_for(const clang::NamedDecl* parameter) {
  if (llvm::isa<clang::TemplateTypeParmDecl>(parameter)) return "float";
  const auto* number = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameter);
  if (number == nullptr || !number->getType()->isIntegerType() || number->getType()->isEnumeralType())
    return std::nullopt;
  return number->getType()->isBooleanType() ? "false" : "32";
}

bool has_default(const clang::NamedDecl* parameter) {
  if (parameter->isParameterPack()) return true;
  if (const auto* type = llvm::dyn_cast<clang::TemplateTypeParmDecl>(parameter)) return type->hasDefaultArgument();
  const auto* number = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameter);
  return number != nullptr && number->hasDefaultArgument();
}

bool launches(const clang::FunctionDecl* f) {
  bool found = false;
  Walk statements;
  statements.statement = [&](const clang::Stmt* s) { found |= launch_syntax(s).has_value(); };
  walk(f->getBody(), statements);
  return found;
}

}  // namespace

std::optional<std::string> stand_in(const clang::FunctionDecl* pattern) {
  std::string arguments;
  for (const clang::NamedDecl* parameter : *pattern->getDescribedFunctionTemplate()->getTemplateParameters()) {
    if (has_default(parameter)) break;
    const auto argument = argument_for(parameter);
    if (!argument) return std::nullopt;
    arguments += (arguments.empty() ? "" : ", ") + *argument;
  }
  return fmt::format("{}<{}>", pattern->getQualifiedNameAsString(), arguments);
}

std::vector<std::string> host_stand_ins(const clang::ASTContext& context, HostTemplates which) {
  std::vector<std::string> out;
  for (const FunctionOrTemplate& one : functions_of_file(context)) {
    const auto* of = std::get_if<const clang::FunctionTemplateDecl*>(&one);
    const clang::FunctionDecl* pattern = of != nullptr ? (*of)->getTemplatedDecl() : nullptr;
    const bool is_open =
        pattern != nullptr && !is_kernel(pattern) && pattern->doesThisDeclarationHaveABody() &&
        pattern->getBody() != nullptr &&
        (which == HostTemplates::kUninstantiated ? (*of)->specializations().empty() : instances_of(*of).empty());
    if (!is_open || !launches(pattern)) continue;
    if (auto name = stand_in(pattern); name && std::find(out.begin(), out.end(), *name) == out.end())
      out.push_back(std::move(*name));
  }
  return out;
}

bool has_invented_number(const clang::FunctionDecl* instance) {
  const auto* of = instance->getPrimaryTemplate();
  if (of == nullptr) return false;
  const clang::TemplateParameterList& parameters = *of->getTemplateParameters();
  return std::any_of(parameters.begin(), parameters.end(), [](const clang::NamedDecl* p) {
    return llvm::isa<clang::NonTypeTemplateParmDecl>(p) && !has_default(p);
  });
}

}  // namespace swizzle
