#include "frontend/lower_device.h"

#include <algorithm>
#include <map>
#include <utility>

#include <clang/AST/Expr.h>

#include <fmt/format.h>

#include "frontend/file_functions.h"

namespace swizzle {
namespace {

struct DeviceAccess {
  MemoryOperation operation;
  unsigned pointer;    // which argument
  int bytes_argument;  // -1: the size of what it points to
};

const std::multimap<std::string, DeviceAccess>& device_accesses() {
  static const std::multimap<std::string, DeviceAccess> table = [] {
    std::multimap<std::string, DeviceAccess> t;
    for (const char* name : {"Add", "Sub", "Exch", "Min", "Max", "Inc", "Dec", "And", "Or", "Xor", "CAS"})
      for (const char* scope : {"", "_block", "_system"})
        t.insert({fmt::format("atomic{}{}", name, scope), {MemoryOperation::kAtomic, 0, -1}});
    for (const char* name : {"gpuAtomicAdd", "gpuAtomicAddNoReturn", "gpuAtomicMul", "gpuAtomicMax", "gpuAtomicMin"})
      t.insert({name, {MemoryOperation::kAtomic, 0, -1}});
    for (const char* name : {"__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv"})
      t.insert({name, {MemoryOperation::kLoad, 0, -1}});
    for (const char* name : {"__stwb", "__stcg", "__stcs", "__stwt"})
      t.insert({name, {MemoryOperation::kStore, 0, -1}});
    t.insert({"__pipeline_memcpy_async", {MemoryOperation::kStore, 0, 2}});
    t.insert({"__pipeline_memcpy_async", {MemoryOperation::kLoad, 1, 2}});
    for (const char* name : {"memcpy", "memmove"}) {
      t.insert({name, {MemoryOperation::kLoad, 1, 2}});
      t.insert({name, {MemoryOperation::kStore, 0, 2}});
    }
    t.insert({"memset", {MemoryOperation::kStore, 0, 2}});
    return t;
  }();
  return table;
}

// That a pointer or an array is of, in bytes; 1: nothing says.
int alignment_of_items(const clang::ASTContext& ast, const clang::Expr* e) {
  const clang::ArrayType* array = ast.getAsArrayType(e->getType());
  const clang::QualType item = array != nullptr ? array->getElementType() : e->getType()->getPointeeType();
  const bool is_known = !item.isNull() && !item->isIncompleteType() && !item->isDependentType();
  return is_known ? static_cast<int>(ast.getTypeAlignInChars(item).getQuantity()) : 1;
}

// That the shared arrays which an address names are declared with, in bytes; 0: it names none.
int declared_alignment(const clang::ASTContext& ast, const clang::Stmt* address) {
  int most = 0;
  if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(address))
    if (is_annotated(named->getDecl(), "swizzle_shared"))
      most = static_cast<int>(ast.getDeclAlign(named->getDecl()).getQuantity());
  for (const clang::Stmt* part : address->children())
    if (part != nullptr) most = std::max(most, declared_alignment(ast, part));
  return most;
}

}  // namespace

// A copy to or from an array that is declared with more than its items' alignment, of which nvcc may see that it has
// it.
bool DeviceLowering::may_be_wider(const clang::CallExpr* copy, const clang::Expr* pointer, int items_alignment) const {
  const int declared = declared_alignment(ast_, pointer);
  clang::Expr::EvalResult bytes;
  const clang::Expr* size = copy->getArg(2);
  if (declared <= items_alignment || size->isValueDependent()) return false;
  if (!size->EvaluateAsInt(bytes, ast_)) return true;
  const std::int64_t known = bytes.Val.getInt().getExtValue();
  return (known & -known) > items_alignment;
}

ExprId DeviceLowering::call(const clang::CallExpr* expr, const std::string& name) {
  if (const ExprId fragment = fragments_.call(expr, name); fragment.valid()) return fragment;
  if (name == "__cvta_generic_to_shared" && expr->getNumArgs() == 1) {  // its low 32 bits are
    Expr out = types_.node(ExprKind::kCast, expr);
    out.operands = {nodes_.expression(expr->getArg(0))};
    return tree_.make(std::move(out));
  }
  const auto [begin, end] = device_accesses().equal_range(name);
  if (begin == end) return {};
  const SourceRange range = source_.range_of(expr);
  Expr out = program_.expr(tree_.unknown(range));
  if (!expr->getType()->isVoidType()) out.type = types_.of(expr->getType());
  for (auto it = begin; it != end; ++it) {
    const DeviceAccess& access = it->second;
    if (access.pointer >= expr->getNumArgs()) return {};
    const clang::Expr* pointer = expr->getArg(access.pointer);
    ExprId bytes;
    if (access.bytes_argument >= 0) {
      bytes = nodes_.expression(expr->getArg(static_cast<unsigned>(access.bytes_argument)));
    } else {
      const clang::QualType pointee = pointer->getType()->getPointeeType();
      bytes = tree_.integer(is_opaque(pointee) ? 4 : std::max(1, program_.type(types_.of(pointee)).size_bytes),
                            tree_.scalar_type(Scalar::kI32), range);
    }
    Touch touch;
    touch.operation = access.operation;
    if (name.starts_with("mem")) {
      touch.copied_alignment = alignment_of_items(ast_, pointer->IgnoreParenImpCasts());
      if (may_be_wider(expr, pointer, touch.copied_alignment)) {
        source_.unsupported(pointer, "how wide nvcc makes this copy, which what it knows of its alignment decides,");
        continue;
      }
    }
    const SourceRange at = begin->second.bytes_argument >= 0 ? source_.range_of(pointer) : range;
    out.operands.push_back(tree_.touch(nodes_.expression(pointer), bytes, touch, at));
  }
  for (unsigned i = 1; i < expr->getNumArgs() && begin->second.bytes_argument < 0; ++i)
    out.operands.push_back(nodes_.expression(expr->getArg(i)));
  return tree_.make(std::move(out));
}

}  // namespace swizzle
