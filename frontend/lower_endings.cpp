#include "frontend/lower_endings.h"

#include <ranges>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecordLayout.h>

#include <fmt/format.h>

#include "frontend/walk.h"

namespace swizzle {
namespace {

constexpr const char* kOfArrays = "what runs where the elements of an array end is not followed";

// Null: nothing runs where such an object ends.
const clang::CXXRecordDecl* ending_record(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  const bool ends = record != nullptr && record->hasDefinition() && !record->isInvalidDecl() && !record->isUnion() &&
                    !record->isDependentContext() && record->hasNonTrivialDestructor();
  return ends ? record->getDefinition() : nullptr;
}

clang::QualType element_type(const clang::ASTContext& ast, clang::QualType type) {
  return type->isArrayType() ? ast.getBaseElementType(type) : type;
}

}  // namespace

void EndingLowering::begins(const clang::VarDecl* v, VariableId id) {
  const clang::QualType type = v->getType();
  if (!checks_ || !v->hasLocalStorage() || type->isReferenceType() ||
      ending_record(element_type(ast_, type)) == nullptr)
    return;
  if (type->isArrayType()) source_.error(source_.range_of_name(v), kOfArrays);
  else scope_.objects.push_back({v, id});
}

StmtId EndingLowering::leaving(std::size_t begun, StmtId leave) {
  if (scope_.objects.size() == begun) return leave;
  Stmt block;
  ends_since(begun, block);
  block.body.push_back(leave);
  return tree_.make(std::move(block));
}

// What is returned is made before.
StmtId EndingLowering::returning(Stmt leave) {
  if (scope_.objects.empty()) return tree_.make(std::move(leave));
  Stmt block;
  if (leave.expr.valid()) {
    Stmt keep;
    keep.kind = StmtKind::kDeclare;
    keep.range = leave.range;
    keep.expr = leave.expr;
    Variable result;
    result.name = "result";
    result.type = program_.expr(leave.expr).type;
    result.range = leave.range;
    keep.variable = tree_.make(std::move(result));
    leave.expr = tree_.variable_use(keep.variable, leave.range);
    block.body.push_back(tree_.make(std::move(keep)));
  }
  ends_since(0, block);
  block.body.push_back(tree_.make(std::move(leave)));
  return tree_.make(std::move(block));
}

StmtId EndingLowering::behind(std::size_t begun, StmtId first) {
  if (scope_.objects.size() == begun) return first;
  Stmt block;
  block.body.push_back(first);
  ends_since(begun, block);
  scope_.objects.resize(begun);
  return tree_.make(std::move(block));
}

void EndingLowering::ends_since(std::size_t begun, Stmt& block) {
  const std::vector<LocalObject> ending(scope_.objects.begin() + static_cast<std::ptrdiff_t>(begun),
                                        scope_.objects.end());
  for (const LocalObject& object : std::views::reverse(ending))
    end(tree_.variable_use(object.id, source_.range_of_name(object.declared)),
        ending_record(object.declared->getType()), block);
}

// Its own body, then its members and its bases, last first.
void EndingLowering::end(ExprId object, const clang::CXXRecordDecl* record, Stmt& block) {
  if (record == nullptr) return;
  if (const clang::CXXDestructorDecl* own = record->getDestructor(); own != nullptr && own->isUserProvided())
    block.body.push_back(call(own, object));
  Expr part;
  part.kind = ExprKind::kMember;
  part.range = program_.expr(object).range;
  part.operands = {object};
  const std::vector<const clang::FieldDecl*> fields(record->field_begin(), record->field_end());
  for (const clang::FieldDecl* field : std::views::reverse(fields)) {
    const clang::CXXRecordDecl* inner = ending_record(element_type(ast_, field->getType()));
    if (inner == nullptr) continue;
    if (field->getType()->isArrayType()) {
      source_.error(part.range, kOfArrays);
      continue;
    }
    part.type = types_.of_field(field);
    part.member_slot = types_.field_slot(field);
    part.member_offset_bytes = types_.offset_bytes(field);
    end(tree_.make(part), inner, block);
  }
  part.member_slot = 0;
  const std::vector<clang::CXXBaseSpecifier> bases(record->bases_begin(), record->bases_end());
  for (const clang::CXXBaseSpecifier& base : std::views::reverse(bases)) {
    const clang::CXXRecordDecl* inner = ending_record(base.getType());
    if (inner == nullptr || base.isVirtual()) continue;
    part.type = types_.of(base.getType());
    part.member_offset_bytes =
        static_cast<int>(ast_.getASTRecordLayout(record).getBaseClassOffset(inner).getQuantity());
    end(tree_.make(part), inner, block);
  }
}

StmtId EndingLowering::call(const clang::CXXDestructorDecl* destructor, ExprId object) {
  Expr out;
  out.kind = ExprKind::kCall;
  out.range = program_.expr(object).range;
  out.type = types_.of(ast_.VoidTy);
  out.operands = {tree_.address_of(object)};
  out.callee = nodes_.function(destructor);
  Stmt step;
  step.kind = StmtKind::kExpr;
  step.range = out.range;
  step.expr = tree_.make(std::move(out));
  return tree_.make(std::move(step));
}

bool EndingLowering::ends_temporaries(const clang::Expr* statement) {
  if (!checks_ || !llvm::isa<clang::ExprWithCleanups>(statement)) return false;
  const clang::CXXBindTemporaryExpr* made = nullptr;
  Walk how;
  how.statement = [&](clang::Stmt* inner) {
    const auto* e = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(inner);
    if (e != nullptr && ending_record(e->getType()) != nullptr) made = e;
  };
  walk(const_cast<clang::Expr*>(statement), how);
  if (made != nullptr) source_.error(source_.range_of(made), "what runs where this temporary ends is not followed");
  return made != nullptr;
}

}  // namespace swizzle
