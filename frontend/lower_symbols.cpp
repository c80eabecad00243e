// Device symbols that the host fills, and what a spec has in their place: `__constant__ float w[49];`, `float w[49];`.
// They are inputs like buffers and numbers that are passed, and follow the parameters, sorted by their names.
#include <algorithm>

#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include "frontend/file_functions.h"
#include "frontend/lowering.h"

namespace swizzle {

bool Lowering::is_symbol(const clang::VarDecl* decl) const {
  if (checks_ || !decl->hasGlobalStorage() || !decl->isFileVarDecl() || decl->getAnyInitializer() != nullptr)
    return false;
  if (!source_.in_user_file(decl->getLocation())) return false;
  if (is_annotated(decl, "swizzle_shared") || (program_.is_kernel && !is_annotated(decl, "swizzle_constant")))
    return false;
  const clang::QualType type = decl->getType();
  return type->isConstantArrayType() || type->isArithmeticType();
}

// Of an array a pointer to its elements, which nobody may write.
void Lowering::symbol(const clang::VarDecl* decl, VariableId id) {
  Variable& v = program_.variables[id.value];
  v.symbol = decl->getQualifiedNameAsString();
  symbols_.push_back(id);
  const auto* array = context_.getAsConstantArrayType(decl->getType());
  if (array == nullptr) return;
  v.symbol_items = array->getSize().getSExtValue();
  const SourceRange range = v.range;
  const std::string name = v.name, items = fmt::format("{}", v.symbol_items);
  program_.directives.extents.push_back({name, {items, range}, range});
  const TypeId elements = types_.of(context_.getPointerType(array->getElementType().withConst()));
  program_.types[elements.value].pointee_is_const = true;
  program_.variables[id.value].type = elements;
}

void Lowering::append_symbols() {
  std::ranges::sort(symbols_, {}, [&](VariableId id) { return program_.variable(id).name; });
  std::vector<VariableId>& parameters = program_.functions[program_.entry.value].parameters;
  parameters.insert(parameters.end(), symbols_.begin(), symbols_.end());
}

}  // namespace swizzle
