#include <algorithm>
#include <string_view>
#include <utility>

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecordLayout.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <fmt/format.h>

#include "frontend/file_functions.h"
#include "frontend/lowering.h"
#include "frontend/source_rewrite.h"
#include "synth/base/text.h"
#include "synth/program/places.h"

namespace swizzle {
namespace {

// Whether the file copies into a symbol, or passes its address on: `cudaMemcpyToSymbol(stride, &s, sizeof s)`.
bool is_filled_by_host(const std::string& source, const std::string& symbol) {
  for (const std::string_view call : {"ToSymbol", "GetSymbolAddress"})
    for (std::size_t at = source.find(call); at != std::string::npos; at = source.find(call, at + 1)) {
      const std::size_t open = std::min(source.find('(', at), source.size());
      const std::size_t end = parentheses_end(source, open).value_or(source.size());
      if (contains_word(std::string_view(source).substr(open, end - open), symbol)) return true;
    }
  return false;
}

}  // namespace

ExprId Lowering::too_deep(clang::SourceRange range) {
  if (!too_deep_)
    source_.error(source_.range_of(range),
                  fmt::format("more than {} levels of nesting are not supported in a sketch", kDeepest));
  too_deep_ = true;
  return tree_.placeholder(source_.range_of(range));
}

void Lowering::run(const clang::FunctionDecl* entry) {
  source_.set_use(source_.range_of(entry->getNameInfo().getSourceRange()));
  program_.entry = function(entry);
  append_symbols();
  if (checks_) return;
  accumulators_.set_types();
  for (VariableId id : program_.function(program_.entry).parameters) {
    const Variable& v = program_.variable(id);
    const Type& t = program_.type(v.type);
    if (t.form == Type::Form::kPointer && item_layout(program_, t.element).slots.empty())
      source_.error(
          v.range,
          fmt::format("a buffer of '{}' is not supported: its items must be scalars, or arrays and records of scalars",
                      program_.type(t.element).spelling));
    if (t.form != Type::Form::kPointer && t.form != Type::Form::kScalar)
      source_.error(v.range, fmt::format("a parameter of type '{}' is not supported in a sketch", t.spelling));
  }
  if (source_.errors().empty()) survey(entry->getNameAsString());
}

FunctionId Lowering::function(const clang::FunctionDecl* decl) {
  const clang::FunctionDecl* definition = decl;
  if (!decl->getBody(definition)) {
    source_.error(source_.use(), fmt::format("'{}' has no body here", decl->getNameAsString()));
    definition = decl;
  }
  // What is in a function of the prelude has the range of its call, and each call its own.
  const bool is_shared = !source_.in_prelude(definition->getLocation());
  const auto known = functions_.find(definition->getCanonicalDecl());
  if (is_shared && known != functions_.end()) return known->second;
  const FunctionId id(program_.functions.size());
  functions_[definition->getCanonicalDecl()] = id;
  Function f;
  f.name = definition->getNameAsString();
  llvm::raw_string_ostream qualified(f.qualified_name);
  clang::PrintingPolicy policy = context_.getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  definition->getNameForDiagnostic(qualified, policy, true);
  f.instance = template_arguments(definition, policy);
  f.range = source_.in_user_file(definition->getLocation())
                ? source_.range_of(definition->getNameInfo().getSourceRange())
                : source_.use();
  program_.functions.push_back(f);
  function_body(definition, f);
  program_.functions[id.value] = f;
  return id;
}

void Lowering::function_body(const clang::FunctionDecl* definition, Function& out) {
  bodies_.push_back(source_.range_of(definition));
  FunctionScope inner;
  inner.body = definition->getBody();
  std::swap(inner, scope_);
  const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(definition);
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
  if (method != nullptr && constructor == nullptr && method->isInstance()) {
    Variable self;
    self.name = "this";
    self.type = tree_.pointer_to(types_.of(method->getFunctionObjectParameterType()));
    self.range = out.range;
    out.parameters.push_back(tree_.make(std::move(self)));
    scope_.self = tree_.variable_use(out.parameters.back(), out.range);
  }
  for (const clang::ParmVarDecl* p : definition->parameters())
    if (!layout_number(p->getType())) out.parameters.push_back(variable(p, {}));
  scope_.returns_reference = definition->getReturnType()->isReferenceType();
  out.return_type = types_.of(definition->getReturnType());
  if (scope_.returns_reference) out.return_type = tree_.pointer_to(out.return_type);
  if (constructor != nullptr) construct_body(constructor, out);
  else out.body = definition->getBody() ? statement(definition->getBody()) : tree_.make(Stmt{});
  std::swap(inner, scope_);
}

// A constructor is a function that declares the object, initializes its members, runs its body and returns it.
void Lowering::construct_body(const clang::CXXConstructorDecl* constructor, Function& out) {
  Variable object;
  object.name = constructor->getNameAsString();
  object.type = out.return_type = types_.of(context_.getRecordType(constructor->getParent()));
  object.range = out.range;
  scope_.constructed = tree_.make(object);
  scope_.self = tree_.address_of(tree_.variable_use(scope_.constructed, out.range));
  Stmt block, step;
  block.range = step.range = out.range;
  step.kind = StmtKind::kDeclare;
  step.variable = scope_.constructed;
  block.body.push_back(tree_.make(step));
  step.kind = StmtKind::kExpr;
  for (const clang::CXXCtorInitializer* init : constructor->inits()) {
    if (checks_ && init->isBaseInitializer()) {
      const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(init->getInit()->IgnoreImplicit());
      if (made != nullptr && made->getNumArgs() == 0 && made->getConstructor()->isTrivial()) continue;
    } else if (!init->isMemberInitializer()) {
      source_.error(out.range, fmt::format("the constructor of '{}' is not supported in a sketch", object.name));
      continue;
    }
    step.expr = initialized(init, constructor->getParent(), out.range);
    block.body.push_back(tree_.make(step));
  }
  block.body.push_back(statement(constructor->getBody()));
  step.kind = StmtKind::kReturn;
  step.expr = tree_.variable_use(scope_.constructed, out.range);
  block.body.push_back(tree_.make(step));
  out.body = tree_.make(block);
}

// Assigns a member, or a base, of the object under construction.
ExprId Lowering::initialized(const clang::CXXCtorInitializer* init, const clang::CXXRecordDecl* of, SourceRange range) {
  Expr member, assign;
  member.kind = ExprKind::kMember;
  member.range = assign.range = source_.range_of(init);
  if (init->isBaseInitializer()) {
    const auto* base = init->getBaseClass()->getAsCXXRecordDecl();
    member.type = assign.type = types_.of(clang::QualType(init->getBaseClass(), 0));
    if (base != nullptr && !of->isInvalidDecl() && !init->isBaseVirtual())
      member.member_offset_bytes =
          static_cast<int>(context_.getASTRecordLayout(of).getBaseClassOffset(base).getQuantity());
  } else {
    member.type = assign.type = types_.of(init->getMember()->getType());
    member.member_slot = types_.field_slot(init->getMember());
    if (checks_) member.member_offset_bytes = types_.offset_bytes(init->getMember());
  }
  member.operands = {tree_.variable_use(scope_.constructed, range)};
  assign.kind = ExprKind::kAssign;
  assign.operands = {tree_.make(std::move(member)), expression(init->getInit())};
  return tree_.make(std::move(assign));
}

VariableId Lowering::variable(const clang::VarDecl* decl, SourceRange declaration) {
  decl = decl->getCanonicalDecl();
  if (const auto it = variables_.find(decl); it != variables_.end()) return it->second;
  const VariableId id(program_.variables.size());
  variables_[decl] = id;
  Variable v;
  v.name = decl->getNameAsString();
  v.range = source_.in_user_file(decl->getLocation()) ? source_.range_of_name(decl) : source_.use();
  v.declaration = declaration;
  v.is_reference = decl->getType()->isReferenceType();
  if (!checks_ && decl->isInvalidDecl())
    source_.error(v.range, fmt::format("the declaration of '{}' is not understood", v.name));
  {
    const SourceDiagnostics::Use use(source_, v.range);
    v.type = types_.of(decl->getType().getNonReferenceType());
  }
  if (!checks_ && llvm::isa<clang::ParmVarDecl>(decl) && is_prelude_object(decl->getType()))
    source_.error(v.range, "registers of load() and accumulators cannot be passed to a function");
  v.is_shared = is_annotated(decl, "swizzle_shared");
  v.is_constant_memory = is_annotated(decl, "swizzle_constant");
  if (!checks_ && v.is_shared && llvm::isa<clang::ParmVarDecl>(decl)) {
    source_.error(v.range, fmt::format("the parameter '{}' cannot be __shared__", v.name));
    v.is_shared = false;
  }
  v.is_extern = decl->hasExternalStorage();
  v.is_const = decl->getType().isConstQualified();
  v.is_constexpr = decl->isConstexpr();
  layouts_.note_sizes(decl);
  program_.variables.push_back(v);
  if (checks_ && v.is_shared) return id;
  if (v.is_shared && v.is_extern) {
    dynamic_array(decl, program_.variables[id.value]);
    return id;
  }
  if (v.is_shared && decl->isFileVarDecl())
    source_.error(v.range, "a __shared__ variable outside of the kernel is not supported in a sketch");
  if (is_symbol(decl)) symbol(decl, id);
  else if (decl->isFileVarDecl() || (decl->isStaticLocal() && !v.is_shared)) global(decl, id);
  return id;
}

// `extern __shared__ T a[];`: there is one, whatever the names; the launch tells how long it is.
void Lowering::dynamic_array(const clang::VarDecl* decl, Variable& v) {
  const auto is_other = [&](const Variable& other) { return &other != &v && other.is_shared && other.is_extern; };
  if (std::any_of(program_.variables.begin(), program_.variables.end(), is_other))
    source_.error(
        v.range,
        "a second `extern __shared__` array, which is the same memory as the first, is not supported in a sketch");
  if (!decl->getType()->isIncompleteArrayType())
    source_.error(v.range, fmt::format("'{}' is dynamic shared memory: declare it as an array without a size", v.name));
  if (v.declaration.end != 0 || !decl->isFileVarDecl()) return;
  v.declaration = source_.range_of(decl);
  v.declaration.end = static_cast<std::uint32_t>(program_.source.text().find(';', v.declaration.end) + 1);
}

void Lowering::global(const clang::VarDecl* decl, VariableId id) {
  program_.variables[id.value].is_global = true;
  const Variable v = program_.variable(id);
  const clang::Expr* initializer = decl->getAnyInitializer();
  const bool is_changed = checks_ && !v.is_const && is_filled_by_host(program_.source.text(), v.name);
  if (initializer == nullptr || is_changed || (checks_ && initializer->containsErrors())) {
    if (!checks_)
      source_.error(v.range,
                    fmt::format("'{}' has no value here: a global needs an initializer, or __constant__", v.name));
    return;
  }
  Stmt s;
  s.kind = StmtKind::kDeclare;
  s.range = v.range;
  s.variable = id;
  s.expr = expression(initializer);
  const StmtId made = tree_.make(s);
  program_.globals.push_back(made);
}

}  // namespace swizzle
