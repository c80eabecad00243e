#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <fmt/format.h>

#include "frontend/lowering.h"

namespace swizzle {

bool Lowering::in_user_file(clang::SourceLocation location) const {
  const auto& sources = context_.getSourceManager();
  return sources.isInMainFile(sources.getExpansionLoc(location));
}

SourceRange Lowering::range_of(clang::SourceRange range) {
  const auto& sources = context_.getSourceManager();
  if (range.isInvalid() || !in_user_file(range.getBegin())) return context_range_;
  const clang::SourceLocation begin = sources.getExpansionLoc(range.getBegin());
  const clang::SourceLocation last = sources.getExpansionRange(range.getEnd()).getEnd();
  const clang::SourceLocation end = clang::Lexer::getLocForEndOfToken(last, 0, sources, context_.getLangOpts());
  const std::uint32_t from = sources.getFileOffset(begin);
  const std::uint32_t to = end.isValid() ? sources.getFileOffset(end) : from + 1;
  return {rewritten_.original(from), rewritten_.original(std::max(to, from))};
}

void Lowering::error(SourceRange range, std::string message) {
  diagnostics_.push_back(make_error(program_.source, range, std::move(message)));
}

ExprId Lowering::unsupported(clang::SourceRange range, const std::string& what) {
  error(range_of(range), fmt::format("{} is not supported in a sketch", what));
  return integer(0, scalar_type(Scalar::kI32), range_of(range));
}

void Lowering::run(const clang::FunctionDecl* entry) {
  program_.entry = function(entry);
}

FunctionId Lowering::function(const clang::FunctionDecl* decl) {
  const clang::FunctionDecl* definition = decl;
  if (!decl->getBody(definition)) {
    error(context_range_, fmt::format("'{}' has no body here", decl->getNameAsString()));
    definition = decl;
  }
  if (const auto it = functions_.find(definition->getCanonicalDecl()); it != functions_.end()) return it->second;
  const FunctionId id(program_.functions.size());
  functions_[definition->getCanonicalDecl()] = id;
  Function f;
  f.name = definition->getNameAsString();
  f.range = in_user_file(definition->getLocation()) ? range_of(definition->getNameInfo().getSourceRange()) : context_range_;
  program_.functions.push_back(f);
  for (const clang::ParmVarDecl* p : definition->parameters()) f.parameters.push_back(variable(p, {}));
  f.return_type = type(definition->getReturnType());
  if (definition->getReturnType()->isReferenceType()) error(f.range, "a function that returns a reference is not supported in a sketch");
  const auto loops = std::move(loop_variables_);
  loop_variables_.clear();
  f.body = definition->getBody() ? statement(definition->getBody()) : make(Stmt{});
  loop_variables_ = loops;
  program_.functions[id.value] = f;
  return id;
}

VariableId Lowering::variable(const clang::VarDecl* decl, SourceRange declaration) {
  decl = decl->getCanonicalDecl();
  if (const auto it = variables_.find(decl); it != variables_.end()) return it->second;
  const VariableId id(program_.variables.size());
  variables_[decl] = id;
  Variable v;
  v.name = decl->getNameAsString();
  v.range = in_user_file(decl->getLocation()) ? range_of({decl->getLocation(), decl->getLocation()}) : context_range_;
  v.declaration = declaration;
  v.is_reference = decl->getType()->isReferenceType();
  v.type = type(decl->getType().getNonReferenceType());
  for (const auto* attribute : decl->specific_attrs<clang::AnnotateAttr>())
    if (attribute->getAnnotation() == "swizzle_shared") v.is_shared = true;
  v.is_extern = decl->hasExternalStorage();
  program_.variables.push_back(v);
  if (v.is_shared && decl->isFileVarDecl()) error(v.range, "a __shared__ variable outside of the kernel is not supported in a sketch");
  if (decl->isFileVarDecl() || (decl->isStaticLocal() && !v.is_shared)) {
    program_.variables[id.value].is_global = true;
    if (!decl->getInit()) {
      error(v.range, fmt::format("'{}' has no value here: a global needs an initializer", v.name));
      return id;
    }
    Stmt s;
    s.kind = StmtKind::kDeclare;
    s.range = v.range;
    s.variable = id;
    s.expr = expression(decl->getInit());
    const StmtId made = make(s);
    program_.globals.push_back(made);
  }
  return id;
}

std::optional<Scalar> Lowering::scalar_of(clang::QualType type) {
  type = type.getCanonicalType();
  if (const auto* e = type->getAs<clang::EnumType>()) type = e->getDecl()->getIntegerType().getCanonicalType();
  const auto* b = type->getAs<clang::BuiltinType>();
  if (b == nullptr) return std::nullopt;
  if (type->isBooleanType()) return Scalar::kBool;
  const auto bits = context_.getTypeSize(type);
  if (type->isIntegerType()) {
    const bool is_signed = type->isSignedIntegerType();
    switch (bits) {
      case 8: return is_signed ? Scalar::kI8 : Scalar::kU8;
      case 16: return is_signed ? Scalar::kI16 : Scalar::kU16;
      case 32: return is_signed ? Scalar::kI32 : Scalar::kU32;
      case 64: return is_signed ? Scalar::kI64 : Scalar::kU64;
      default: return std::nullopt;
    }
  }
  if (b->getKind() == clang::BuiltinType::Float) return Scalar::kF32;
  if (b->getKind() == clang::BuiltinType::Double) return Scalar::kF64;
  return std::nullopt;
}

const clang::TemplateArgument* Lowering::registers_element(clang::QualType type) {
  const auto* record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type.getNonReferenceType()->getAsCXXRecordDecl());
  return record != nullptr && record->getName() == "$registers" ? &record->getTemplateArgs()[0] : nullptr;
}

TypeId Lowering::scalar_type(Scalar scalar) {
  for (std::size_t i = 0; i < program_.types.size(); ++i)
    if (program_.types[i].form == Type::Form::kScalar && program_.types[i].scalar == scalar) return TypeId(i);
  static constexpr const char* kNames[] = {"bool", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long", "unsigned long", "__half", "float", "double"};
  Type t;
  t.form = Type::Form::kScalar;
  t.scalar = scalar;
  t.slots = 1;
  t.size_bytes = size_bytes(scalar);
  t.spelling = kNames[static_cast<int>(scalar)];
  program_.types.push_back(t);
  return TypeId(program_.types.size() - 1);
}

TypeId Lowering::type(clang::QualType qualified) {
  const clang::QualType canonical = qualified.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (const auto it = types_.find(canonical.getAsOpaquePtr()); it != types_.end()) return it->second;
  const TypeId id = make_type(canonical);
  types_[canonical.getAsOpaquePtr()] = id;
  return id;
}

TypeId Lowering::make_type(clang::QualType t) {
  if (const auto scalar = scalar_of(t)) return scalar_type(*scalar);
  Type out;
  out.spelling = t.getAsString(context_.getPrintingPolicy());
  if (const auto* element = registers_element(t)) {
    out.form = Type::Form::kPointer;
    out.element = type(element->getAsType());
    out.slots = 1;
  } else if (t->isVoidType()) {
    out.form = Type::Form::kVoid;
  } else if (t->isNullPtrType() || (t->isPointerType() && t->getPointeeType()->isFunctionType())) {
    error(context_range_, fmt::format("the type '{}' is not supported in a sketch", out.spelling));
  } else if (t->isPointerType()) {
    out.form = Type::Form::kPointer;
    out.element = type(t->getPointeeType());
    out.pointee_is_const = t->getPointeeType().isConstQualified();
    out.slots = 1;
    out.size_bytes = 8;
  } else if (const auto* array = context_.getAsArrayType(t)) {
    out.form = Type::Form::kArray;
    out.element = type(array->getElementType());
    if (const auto* sized = llvm::dyn_cast<clang::ConstantArrayType>(array)) out.count = static_cast<std::int64_t>(sized->getSize().getZExtValue());
    else if (!llvm::isa<clang::IncompleteArrayType>(array)) error(context_range_, "an array of variable length is not supported in a sketch");
    const Type& element = program_.type(out.element);
    out.slots = static_cast<int>(out.count) * element.slots;
    out.size_bytes = static_cast<int>(out.count) * element.size_bytes;
    out.scalar = element.scalar;
  } else if (const auto* record = t->getAsRecordDecl()) {
    record_layout(record, out);
  } else {
    error(context_range_, fmt::format("the type '{}' is not supported in a sketch", out.spelling));
  }
  program_.types.push_back(out);
  return TypeId(program_.types.size() - 1);
}

void Lowering::record_layout(const clang::RecordDecl* record, Type& out) {
  out.form = Type::Form::kRecord;
  if (const auto* cxx = llvm::dyn_cast<clang::CXXRecordDecl>(record); record->isUnion() || (cxx != nullptr && cxx->hasDefinition() && (cxx->getNumBases() > 0 || cxx->isLambda())))
    error(context_range_, fmt::format("the type '{}' is not supported in a sketch", out.spelling));
  bool first = true;
  for (const clang::FieldDecl* field : record->fields()) {
    const Type& t = program_.type(type(field->getType()));
    if (first) out.scalar = t.scalar;
    first = false;
    out.slots += t.slots;
    out.size_bytes += t.size_bytes;
  }
}

int Lowering::field_slot(const clang::FieldDecl* field) {
  int slot = 0;
  for (const clang::FieldDecl* f : field->getParent()->fields()) {
    if (f == field) break;
    slot += program_.type(type(f->getType())).slots;
  }
  return slot;
}

}  // namespace swizzle
