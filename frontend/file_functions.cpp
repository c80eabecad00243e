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

bool can_be_named(clang::QualType type, clang::SourceLocation at, const clang::SourceManager& sources);

bool can_be_named(llvm::ArrayRef<clang::TemplateArgument> arguments, clang::SourceLocation at,
                  const clang::SourceManager& sources) {
  return std::ranges::all_of(arguments, [&](const clang::TemplateArgument& a) {
    if (a.getKind() == clang::TemplateArgument::Pack) return can_be_named(a.getPackAsArray(), at, sources);
    if (a.getKind() == clang::TemplateArgument::Integral) return can_be_named(a.getIntegralType(), at, sources);
    return a.getKind() != clang::TemplateArgument::Type || can_be_named(a.getAsType(), at, sources);
  });
}

// A class or an enumeration; those that it stands in count as well.
bool can_be_named(const clang::TagDecl* tag, clang::SourceLocation at, const clang::SourceManager& sources) {
  const clang::NamedDecl* declared = tag->getCanonicalDecl();
  if (const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(tag)) {
    declared = made->getSpecializedTemplate()->getCanonicalDecl();
    if (!can_be_named(made->getTemplateArgs().asArray(), at, sources)) return false;
  }
  const bool has_name = !tag->getDeclName().isEmpty() || tag->getTypedefNameForAnonDecl() != nullptr;
  const bool is_open = tag->getAccess() == clang::AS_none || tag->getAccess() == clang::AS_public;
  if (!has_name || !is_open || tag->getParentFunctionOrMethod() != nullptr) return false;
  if (!sources.isBeforeInTranslationUnit(declared->getLocation(), at)) return false;
  const auto* around = llvm::dyn_cast<clang::TagDecl>(tag->getDeclContext());
  return around == nullptr || can_be_named(around, at, sources);
}

// Whether text at this place can say it: not what is declared behind, in a function or without a name.
bool can_be_named(clang::QualType type, clang::SourceLocation at, const clang::SourceManager& sources) {
  const clang::Type* t = type->getUnqualifiedDesugaredType();
  if (const clang::TagDecl* tag = t->getAsTagDecl()) return can_be_named(tag, at, sources);
  if (const auto* member = llvm::dyn_cast<clang::MemberPointerType>(t))
    return can_be_named(clang::QualType(member->getClass(), 0), at, sources) &&
           can_be_named(member->getPointeeType(), at, sources);
  if (const auto* f = llvm::dyn_cast<clang::FunctionProtoType>(t))
    return can_be_named(f->getReturnType(), at, sources) &&
           std::ranges::all_of(f->param_types(), [&](clang::QualType p) { return can_be_named(p, at, sources); });
  if (const auto* array = llvm::dyn_cast<clang::ArrayType>(t))
    return can_be_named(array->getElementType(), at, sources);
  const clang::QualType pointee = t->getPointeeType();
  return pointee.isNull() || can_be_named(pointee, at, sources);
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
    const auto& sources = f->getASTContext().getSourceManager();
    if (made.kind != TemplateArgument::Kind::kOther && !can_be_named(argument, pattern->getLocation(), sources))
      made.kind = TemplateArgument::Kind::kUnnamed;
  }
  return instance;
}

bool is_annotated(const clang::Decl* decl, std::string_view annotation) {
  for (const auto* attribute : decl->specific_attrs<clang::AnnotateAttr>())
    if (std::string_view(attribute->getAnnotation()) == annotation) return true;
  return false;
}

std::optional<int> launch_bounds_of(const clang::FunctionDecl* f) {
  clang::Expr::EvalResult known;
  for (const auto* attribute : f->specific_attrs<clang::AnnotateAttr>())
    if (attribute->getAnnotation() == "swizzle_launch_bounds" && attribute->args_size() > 0)
      if (const clang::Expr* bound = *attribute->args_begin();
          !bound->isValueDependent() && bound->EvaluateAsInt(known, f->getASTContext()))
        return static_cast<int>(std::clamp<std::int64_t>(known.Val.getInt().getExtValue(), 1, 1024));
  return std::nullopt;
}

bool is_kernel(const clang::FunctionDecl* f) { return is_annotated(f, "swizzle_global"); }

}  // namespace swizzle
