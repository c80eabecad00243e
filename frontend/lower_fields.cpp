#include "frontend/lower_fields.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <utility>

namespace swizzle {
namespace {

bool is_reference(const clang::FieldDecl* field) { return field != nullptr && field->getType()->isReferenceType(); }

}  // namespace

ExprId FieldLowering::use(const clang::FieldDecl* field, Expr member) {
  if (!checks_ || !is_reference(field)) return tree_.make(std::move(member));
  member.type = tree_.pointer_to(member.type);
  return tree_.dereference(tree_.make(std::move(member)));
}

ExprId FieldLowering::value(const clang::FieldDecl* field, const clang::Expr* init) {
  if (!checks_ || !is_reference(field)) return nodes_.expression(init);
  return init->isGLValue() ? tree_.address_of(nodes_.expression(init)) : tree_.unknown(source_.range_of(init));
}

std::vector<ExprId> FieldLowering::values(const clang::InitListExpr* list) {
  std::vector<const clang::FieldDecl*> fields;
  if (const auto* record = list->getType()->getAsRecordDecl(); record != nullptr && !record->isUnion())
    fields.assign(record->field_begin(), record->field_end());
  std::vector<ExprId> values;
  for (unsigned i = 0; i < list->getNumInits(); ++i)
    values.push_back(value(i < fields.size() ? fields[i] : nullptr, list->getInit(i)));
  return values;
}

}  // namespace swizzle
