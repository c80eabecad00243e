#include "frontend/lower_fragments.h"

#include <optional>
#include <utility>
#include <vector>

#include <clang/AST/DeclTemplate.h>

#include <fmt/format.h>

#include "synth/program/matrix_fragments.h"

namespace swizzle {
namespace {

std::string name_of(const clang::TemplateArgument& argument) {
  if (argument.getKind() != clang::TemplateArgument::Type) return "";
  const auto* record = argument.getAsType()->getAsCXXRecordDecl();
  return record != nullptr ? record->getNameAsString()
                           : argument.getAsType().getCanonicalType().getUnqualifiedType().getAsString();
}

MatrixFragment::Element element_of(const std::string& type) {
  using Element = MatrixFragment::Element;
  if (type == "half" || type == "__half") return Element::kHalf;
  if (type == "__nv_bfloat16") return Element::kBfloat16;
  if (type == "tf32") return Element::kTf32;
  if (type == "float") return Element::kFloat;
  if (type == "int") return Element::kInt32;
  return type == "signed char" || type == "unsigned char" || type == "char" ? Element::kInt8 : Element::kOther;
}

// wmma::fragment<matrix_a, 16, 16, 16, half, row_major>. Nothing: it is none, or part of a template.
std::optional<MatrixFragment> fragment_of(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  const auto* instance = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
  if (instance == nullptr || instance->getNameAsString() != "fragment") return std::nullopt;
  const auto& arguments = instance->getTemplateArgs();
  if (arguments.size() < 6) return std::nullopt;
  const auto size = [&](unsigned i) {
    return arguments[i].getKind() == clang::TemplateArgument::Integral
               ? static_cast<int>(arguments[i].getAsIntegral().getExtValue())
               : 0;
  };
  MatrixFragment f;
  const std::string use = name_of(arguments[0]);
  f.use = use == "matrix_a"   ? MatrixFragment::Use::kA
          : use == "matrix_b" ? MatrixFragment::Use::kB
                              : MatrixFragment::Use::kAccumulator;
  f.m = size(1);
  f.n = size(2);
  f.k = size(3);
  f.element = element_of(name_of(arguments[4]));
  f.is_row_major = name_of(arguments[5]) != "col_major";
  return f;
}

}  // namespace

// Where lanes access memory: start + (line * stride + element) * bytes, each of them by the lane's group and place in
// it.
ExprId FragmentLowering::place(const FragmentAccess& access, ExprId start, ExprId stride, int bytes,
                               SourceRange range) {
  const TypeId i64 = tree_.scalar_type(Scalar::kI64);
  const auto part_of_lane = [&](Operator op) {
    const ExprId lane = tree_.lane(range);
    return tree_.binary(op, lane, tree_.integer(access.split, i64, range), i64, range);
  };
  const ExprId high = part_of_lane(Operator::kDiv), low = part_of_lane(Operator::kRem);
  ExprId line = tree_.integer(access.line, i64, range), element = tree_.integer(access.element, i64, range);
  line = tree_.plus_scaled(tree_.plus_scaled(line, high, access.line_of_high, range), low, access.line_of_low, range);
  element = tree_.plus_scaled(tree_.plus_scaled(element, high, access.element_of_high, range), low,
                              access.element_of_low, range);
  const ExprId lines = tree_.binary(Operator::kMul, line, stride, i64, range);
  return tree_.plus_scaled(tree_.plus_scaled(start, lines, bytes, range), element, bytes, range);
}

ExprId FragmentLowering::call(const clang::CallExpr* expr, const std::string& name) {
  const bool is_store = name == "store_matrix_sync";
  if ((!is_store && name != "load_matrix_sync") || expr->getNumArgs() < 3) return {};
  const SourceRange range = source_.range_of(expr);
  const unsigned pointer = is_store ? 0 : 1;
  auto fragment = fragment_of(expr->getArg(1 - pointer)->getType());
  clang::Expr::EvalResult layout;
  const bool has_layout = expr->getNumArgs() > 3;
  const bool is_known = !has_layout || expr->getArg(3)->EvaluateAsInt(layout, ast_);
  if (fragment && has_layout && is_known) fragment->is_row_major = layout.Val.getInt() == 0;
  if (fragment) fragment->is_stored = is_store;
  const auto accesses = fragment && is_known ? fragment_accesses(*fragment) : std::vector<FragmentAccess>{};
  if (accesses.empty()) {
    source_.error(range, fmt::format("which lane accesses what is not known of this '{}': it is not counted", name));
    return {};
  }
  Expr out = program_.expr(tree_.unknown(range));
  const TypeId i64 = tree_.scalar_type(Scalar::kI64);
  Expr address = types_.node(ExprKind::kCast, expr->getArg(pointer));
  address.type = i64;
  address.operands = {nodes_.expression(expr->getArg(pointer))};
  const ExprId start = tree_.make(std::move(address)), stride = nodes_.expression(expr->getArg(2));
  for (const FragmentAccess& a : accesses) {
    const ExprId at = place(a, start, stride, bytes_of(fragment->element), range);
    Touch touch;
    touch.operation = a.operation;
    touch.matrices = a.matrices;
    out.operands.push_back(tree_.touch(at, tree_.integer(a.bits / 8, i64, range), touch, range));
  }
  unknown_.add_operand(out, expr->getArg(1 - pointer));
  return tree_.make(std::move(out));
}

}  // namespace swizzle
