#include "frontend/lower_functions.h"

#include <string>
#include <utility>

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecordLayout.h>

#include <fmt/format.h>

#include "frontend/file_functions.h"

namespace swizzle {

FunctionId FunctionLowering::lower(const clang::FunctionDecl* decl) {
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
  clang::PrintingPolicy policy = ast_.getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  definition->getNameForDiagnostic(qualified, policy, true);
  f.instance = template_arguments(definition, policy);
  f.range = source_.in_user_file(definition->getLocation())
                ? source_.range_of(definition->getNameInfo().getSourceRange())
                : source_.use();
  program_.functions.push_back(f);
  body(definition, f);
  program_.functions[id.value] = f;
  return id;
}

// Empty: what the lowered type says is enough.
static std::string pointer_as_written(clang::QualType type, const clang::ASTContext& ast) {
  if (!type->isPointerType()) return "";
  clang::PrintingPolicy policy = ast.getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  const clang::QualType canonical = type.getCanonicalType(), to = canonical->getPointeeType();
  std::string text = canonical.getUnqualifiedType().getAsString(policy);
  const bool is_needed = to->isEnumeralType() || to->isArrayType() || text.find("::") != std::string::npos;
  const bool is_hidden = to.getAsString(policy) != to.getAsString(ast.getPrintingPolicy());
  return is_needed || is_hidden ? text : "";
}

void FunctionLowering::body(const clang::FunctionDecl* definition, Function& out) {
  bodies_.push_back(source_.range_of(definition));
  FunctionScope inner;
  inner.function = definition;
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
    if (!layout_number(p->getType())) {
      out.parameters.push_back(nodes_.variable(p, {}));
      program_.variables[out.parameters.back().value].pointer = pointer_as_written(p->getType(), ast_);
    }
  scope_.returns_reference = definition->getReturnType()->isReferenceType();
  out.return_type = types_.of(definition->getReturnType());
  if (scope_.returns_reference) out.return_type = tree_.pointer_to(out.return_type);
  if (constructor != nullptr) constructor_body(constructor, out);
  else out.body = definition->getBody() ? nodes_.statement(definition->getBody()) : tree_.make(Stmt{});
  std::swap(inner, scope_);
}

// A constructor is a function that declares the object, initializes its members, runs its body and returns it.
void FunctionLowering::constructor_body(const clang::CXXConstructorDecl* constructor, Function& out) {
  Variable object;
  object.name = constructor->getNameAsString();
  object.type = out.return_type = types_.of(ast_.getRecordType(constructor->getParent()));
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
    } else if (!init->isMemberInitializer() && !(checks_ && init->isIndirectMemberInitializer())) {
      source_.error(out.range, fmt::format("the constructor of '{}' is not supported in a sketch", object.name));
      continue;
    }
    step.expr = initialized(init, constructor->getParent(), out.range);
    block.body.push_back(tree_.make(step));
  }
  block.body.push_back(nodes_.statement(constructor->getBody()));
  step.kind = StmtKind::kReturn;
  step.expr = tree_.variable_use(scope_.constructed, out.range);
  block.body.push_back(tree_.make(step));
  out.body = tree_.make(block);
}

// Assigns a member, or a base, of the object under construction.
ExprId FunctionLowering::initialized(const clang::CXXCtorInitializer* init, const clang::CXXRecordDecl* of,
                                     SourceRange range) {
  Expr member, assign;
  member.kind = ExprKind::kMember;
  member.range = assign.range = source_.range_of(init);
  member.operands = {tree_.variable_use(scope_.constructed, range)};
  if (init->isBaseInitializer()) {
    const auto* base = init->getBaseClass()->getAsCXXRecordDecl();
    member.type = assign.type = types_.of(clang::QualType(init->getBaseClass(), 0));
    if (base != nullptr && !of->isInvalidDecl() && !init->isBaseVirtual())
      member.member_offset_bytes = static_cast<int>(ast_.getASTRecordLayout(of).getBaseClassOffset(base).getQuantity());
  } else {
    const auto set = [&](const clang::FieldDecl* field) {
      member.type = assign.type = types_.of_field(field);
      member.member_slot = types_.field_slot(field);
      if (checks_) member.member_offset_bytes = types_.offset_bytes(field);
    };
    if (const clang::IndirectFieldDecl* inner = init->getIndirectMember()) {  // of unions without a name
      for (const clang::NamedDecl* step : inner->chain().drop_back()) {
        set(llvm::cast<clang::FieldDecl>(step));
        member.operands = {tree_.make(member)};
      }
    }
    set(init->getAnyMember());
  }
  assign.kind = ExprKind::kAssign;
  const clang::FieldDecl* field = init->isBaseInitializer() ? nullptr : init->getAnyMember();
  assign.operands = {tree_.make(std::move(member)), fields_.value(field, init->getInit())};
  return tree_.make(std::move(assign));
}

}  // namespace swizzle
