#include "frontend/stand_ins.h"

#include <algorithm>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <fmt/format.h>
#include <llvm/Support/raw_ostream.h>

#include "frontend/file_functions.h"
#include "frontend/launch_syntax.h"
#include "frontend/walk.h"

namespace swizzle {
namespace {

bool is_by_value(const clang::TemplateTypeParmDecl* type, const clang::FunctionDecl* pattern) {
  const auto is_it = [&](clang::QualType t) {
    const auto* named = t.getNonReferenceType()->getAs<clang::TemplateTypeParmType>();
    return named != nullptr && named->getDepth() == type->getDepth() && named->getIndex() == type->getIndex();
  };
  bool by_value = false;
  for (const clang::ParmVarDecl* p : pattern->parameters()) {
    by_value |= is_it(p->getType());
    if (const clang::QualType t = p->getType(); t->isPointerType() && is_it(t->getPointeeType())) return false;
  }
  return by_value;
}

// Of a parameter without default.
std::optional<std::string> argument_for(const clang::NamedDecl* parameter, const clang::FunctionDecl* pattern,
                                        StandInTypes types) {
  if (const auto* type = llvm::dyn_cast<clang::TemplateTypeParmDecl>(parameter))
    return types == StandInTypes::kInt || (types == StandInTypes::kIntByValue && is_by_value(type, pattern)) ? "int"
                                                                                                             : "float";
  const auto* number = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameter);
  if (number == nullptr || !number->getType()->isIntegerType() || number->getType()->isEnumeralType())
    return std::nullopt;
  return number->getType()->isBooleanType() ? "false" : "32";
}

// Of a parameter with default that others without follow.
std::optional<std::string> default_of(const clang::NamedDecl* parameter) {
  const auto* number = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameter);
  if (number == nullptr || number->isParameterPack()) return std::nullopt;
  const clang::TemplateArgument& argument = number->getDefaultArgument().getArgument();
  if (argument.isDependent()) return std::nullopt;
  std::string text;
  llvm::raw_string_ostream out(text);
  argument.print(number->getASTContext().getPrintingPolicy(), out, false);
  return text;
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

std::optional<std::string> stand_in(const clang::FunctionDecl* pattern, StandInTypes types, const KnownNumbers& known) {
  const clang::TemplateParameterList& all = *pattern->getDescribedFunctionTemplate()->getTemplateParameters();
  const auto open = std::find_if(std::make_reverse_iterator(all.end()), std::make_reverse_iterator(all.begin()),
                                 [](const clang::NamedDecl* p) { return !has_default(p); });
  std::string arguments;
  for (auto p = all.begin(); p != open.base(); ++p) {
    const auto i = static_cast<std::size_t>(p - all.begin());
    auto argument = has_default(*p) ? default_of(*p) : argument_for(*p, pattern, types);
    if (argument && i < known.size() && known[i]) argument = std::to_string(*known[i]);
    if (!argument) return std::nullopt;
    arguments += (arguments.empty() ? "" : ", ") + *argument;
  }
  return fmt::format("{}<{}>", pattern->getQualifiedNameAsString(), arguments);
}

std::map<const clang::FunctionDecl*, KnownNumbers> launched_numbers(clang::ASTContext& context) {
  std::map<const clang::FunctionDecl*, KnownNumbers> out;
  Walk launches;
  launches.statement = [&](const clang::Stmt* s) {
    const auto launch = launch_syntax(s);
    const clang::Expr* kernel = launch ? launch->kernel : nullptr;
    const auto* open = kernel != nullptr ? llvm::dyn_cast<clang::OverloadExpr>(kernel->IgnoreParenImpCasts()) : nullptr;
    const clang::FunctionDecl* pattern = open != nullptr ? named_function(kernel) : nullptr;
    if (pattern == nullptr || out.contains(pattern)) return;
    for (const clang::TemplateArgumentLoc& a : open->template_arguments()) {
      const bool is_value = a.getArgument().getKind() == clang::TemplateArgument::Expression;
      const clang::Expr* value = is_value ? a.getArgument().getAsExpr() : nullptr;
      clang::Expr::EvalResult known;
      const bool is_known = value != nullptr && !value->isValueDependent() && !value->containsErrors() &&
                            value->getType()->isIntegerType() && value->EvaluateAsInt(known, context);
      out[pattern].push_back(is_known ? std::optional(known.Val.getInt().getExtValue()) : std::nullopt);
    }
  };
  walk_user_file(context, launches);
  return out;
}

std::vector<std::string> host_stand_ins(const clang::ASTContext& context, HostTemplates which, StandInTypes types) {
  std::vector<std::string> out;
  for (const FunctionOrTemplate& one : functions_of_file(context)) {
    const auto* of = std::get_if<const clang::FunctionTemplateDecl*>(&one);
    const clang::FunctionDecl* pattern = of != nullptr ? (*of)->getTemplatedDecl() : nullptr;
    const bool is_open =
        pattern != nullptr && !is_kernel(pattern) && pattern->doesThisDeclarationHaveABody() &&
        pattern->getBody() != nullptr &&
        (which == HostTemplates::kUninstantiated ? (*of)->specializations().empty() : instances_of(*of).empty());
    if (!is_open || !launches(pattern)) continue;
    if (auto name = stand_in(pattern, types); name && std::find(out.begin(), out.end(), *name) == out.end())
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

bool may_be_of(const clang::FunctionDecl* instance, const KnownNumbers& numbers) {
  const clang::TemplateArgumentList* arguments = instance->getTemplateSpecializationArgs();
  for (unsigned i = 0; arguments != nullptr && i < arguments->size() && i < numbers.size(); ++i) {
    const clang::TemplateArgument& argument = arguments->get(i);
    if (argument.getKind() == clang::TemplateArgument::Pack) break;
    const bool is_number = argument.getKind() == clang::TemplateArgument::Integral;
    if (is_number && numbers[i] && argument.getAsIntegral().getExtValue() != *numbers[i]) return false;
  }
  return true;
}

}  // namespace swizzle
