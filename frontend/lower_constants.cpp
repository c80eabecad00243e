// ?sw_const, and what it may decide where C++ wants constants: register counts and array sizes. Arrays that the launch
// sizes.
#include <algorithm>
#include <limits>

#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>

#include "frontend/lowering.h"
#include "synth/program/constant_assignments.h"

namespace swizzle {

ExprId Lowering::bounded_hole(const clang::CallExpr* expr, const HoleTraits& traits) {
  Hole out;
  out.kind = traits.kind;
  out.range = source_.range_of(expr);
  const auto no_hole = [&] { return tree_.placeholder(out.range); };
  if (source_.in_macro_body(expr)) return no_hole();
  if (expr->getNumArgs() < 2) {
    source_.error(out.range,
                  fmt::format("{} takes two arguments or more, and here are {}", traits.usage(), expr->getNumArgs()));
    return no_hole();
  }
  std::int64_t bounds[2] = {0, 0};
  for (unsigned i = 0; i < 2; ++i) {
    clang::Expr::EvalResult known;
    const clang::Expr* bound = expr->getArg(i);
    if (!bound->getType()->isIntegralOrUnscopedEnumerationType() || !bound->EvaluateAsInt(known, context_)) {
      source_.error(source_.range_of(bound), fmt::format("the bounds of {} must be integer constants", traits.usage()));
      return no_hole();
    }
    bounds[i] = known.Val.getInt().getExtValue();
    if (bounds[i] < std::numeric_limits<std::int32_t>::min() || bounds[i] > std::numeric_limits<std::int32_t>::max()) {
      source_.error(source_.range_of(bound),
                    fmt::format("a bound of {} must be an int, and is {}", traits.usage(), bounds[i]));
      return no_hole();
    }
  }
  if (bounds[0] >= bounds[1]) {
    source_.error(out.range, fmt::format("?{}({}, {}) has no value: it is one of lo, …, hi - 1", traits.name, bounds[0],
                                         bounds[1]));
    return no_hole();
  }
  out.low = bounds[0];
  out.high = bounds[1];
  for (unsigned i = 2; i < expr->getNumArgs(); ++i)
    if (!hole_argument(expr->getArg(i), out)) return no_hole();
  if (traits.of_arguments && !out.arguments.empty() && program_.directives.bits.empty())
    out.kind = *traits.of_arguments;
  const SourceRange range = out.range;
  return make_hole(std::move(out), range);
}

// The number of registers that an array or load() has; invalid if it is not known.
ExprId Lowering::register_count(const clang::Expr* registers, SourceRange range) {
  const TypeId i32 = tree_.scalar_type(Scalar::kI32);
  registers = registers->IgnoreParenImpCasts();
  if (const auto* array = context_.getAsConstantArrayType(registers->getType()))
    return tree_.integer(static_cast<std::int64_t>(array->getSize().getZExtValue()), i32, range);
  const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(registers);
  const auto* decl = ref != nullptr ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
  const auto* init = decl != nullptr && decl->getInit() != nullptr
                         ? llvm::dyn_cast<clang::CallExpr>(decl->getInit()->IgnoreImplicit())
                         : nullptr;
  if (init == nullptr || init->getNumArgs() != 4) return {};
  const ExprId slice = expression(init->getArg(2)), slices = expression(init->getArg(3));
  const ExprId made = tree_.binary(Operator::kMul, slice, slices, i32, range);
  if (const auto known = constant_value(program_, made)) return tree_.integer(*known, i32, range);
  return tree_.is_constant(made) ? made : ExprId{};
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

}  // namespace swizzle
