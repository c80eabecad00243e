#include "codegen/emit/index_signs.h"

#include <algorithm>

#include "synth/program/initial_values.h"
#include "synth/program/intrinsics.h"

namespace swizzle {

IndexSigns::IndexSigns(const Program& program)
    : program_(program),
      initial_(fixed_values(program)),
      growing_(initial_values(program)) {
  std::erase_if(growing_, [&](const auto& v) { return initial_.contains(v.first); });
  for (const Expr& e : program.exprs) {
    if (e.kind != ExprKind::kAssign && e.kind != ExprKind::kIncDec && e.kind != ExprKind::kAddressOf) continue;
    const Expr& changed = program.expr(e.operands[0]);
    const bool grows = e.kind == ExprKind::kIncDec && e.op == Operator::kAdd;
    if (!grows && changed.kind == ExprKind::kVariable) growing_.erase(changed.variable);
  }
}

// What a value was computed as, through casts and variables that never change.
ExprId IndexSigns::behind(ExprId value) const {
  for (;;) {
    const Expr& e = program_.expr(value);
    const auto initial = e.kind == ExprKind::kVariable ? initial_.find(e.variable) : initial_.end();
    if (initial != initial_.end()) value = initial->second;
    else if (e.kind == ExprKind::kCast && program_.type(e.type).form == Type::Form::kScalar) value = e.operands[0];
    else return value;
  }
}

bool IndexSigns::is_same(ExprId left, ExprId right) const {
  const ExprId l = behind(left), r = behind(right);
  if (l == r) return true;
  const Expr &a = program_.expr(l), &b = program_.expr(r);
  if (a.kind != b.kind || a.operands.size() != b.operands.size()) return false;
  switch (a.kind) {
    case ExprKind::kIntLiteral: return a.int_value == b.int_value;
    case ExprKind::kBuiltin: return a.builtin == b.builtin;
    case ExprKind::kVariable:  // what changes is not the same everywhere
      return a.variable == b.variable && program_.variable(a.variable).is_const;
    case ExprKind::kUnary:
    case ExprKind::kBinary:
      if (a.op != b.op) return false;
      for (std::size_t i = 0; i < a.operands.size(); ++i)
        if (!is_same(a.operands[i], b.operands[i])) return false;
      return true;
    default: return false;
  }
}

// A remainder or some bits of the whole, or of what is added to something in it; the whole is not negative.
bool IndexSigns::is_at_most(ExprId part, ExprId whole) const {
  const Expr& p = program_.expr(behind(part));
  if (is_same(part, whole)) return true;
  if (p.kind == ExprKind::kBinary &&
      (p.op == Operator::kRem || p.op == Operator::kDiv || p.op == Operator::kAnd || p.op == Operator::kShr) &&
      is_never_negative(p.operands[0]) && is_never_negative(p.operands[1]) && is_at_most(p.operands[0], whole))
    return true;
  const Expr& w = program_.expr(behind(whole));
  return w.kind == ExprKind::kBinary && w.op == Operator::kAdd &&
         std::any_of(w.operands.begin(), w.operands.end(), [&](ExprId term) { return is_at_most(part, term); });
}

bool IndexSigns::is_never_negative(ExprId value) const {
  const Expr& e = program_.expr(behind(value));
  const auto all = [&](std::size_t from = 0) {
    return std::all_of(e.operands.begin() + static_cast<std::ptrdiff_t>(from), e.operands.end(),
                       [&](ExprId operand) { return is_never_negative(operand); });
  };
  switch (e.kind) {
    case ExprKind::kIntLiteral: return e.int_value >= 0;
    case ExprKind::kBuiltin: return true;
    case ExprKind::kVariable: {
      const auto grown = growing_.find(e.variable);
      return grown != growing_.end() && is_never_negative(grown->second);
    }
    case ExprKind::kConditional: return all(1);
    case ExprKind::kIntrinsic: return (e.intrinsic == Intrinsic::kMin || e.intrinsic == Intrinsic::kMax) && all();
    case ExprKind::kBinary: break;
    default: return false;
  }
  switch (e.op) {
    case Operator::kAdd:
    case Operator::kMul:
    case Operator::kDiv:
    case Operator::kRem:
    case Operator::kShl:
    case Operator::kShr:
    case Operator::kOr:
    case Operator::kXor: return all();
    case Operator::kAnd: return is_never_negative(e.operands[0]) || is_never_negative(e.operands[1]);
    case Operator::kSub: return is_never_negative(e.operands[0]) && is_at_most(e.operands[1], e.operands[0]);
    default: return is_comparison(e.op);
  }
}

}  // namespace swizzle
