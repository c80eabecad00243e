#include "driver/needed_bits.h"

#include <algorithm>
#include <bit>

#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

Need wider(const Need& a, const Need& b) { return {std::max(a.integer, b.integer), std::max(a.real, b.real)}; }

bool compares(Operator op) {
  return op == Operator::kEq || op == Operator::kNe || op == Operator::kLt || op == Operator::kLe ||
         op == Operator::kGt || op == Operator::kGe || op == Operator::kLogicalAnd || op == Operator::kLogicalOr;
}

}  // namespace

bool grows(Operator op) { return op == Operator::kAdd || op == Operator::kSub || op == Operator::kMul; }

NeededBits::NeededBits(const Program& program)
    : program_(program),
      exprs_(program.exprs.size()),
      variables_(program.variables.size()),
      results_(program.functions.size()) {
  for (const VariableId v : program.function(program.entry).parameters)  // an integer is a size
    variables_[v.value].real = of_type(program.variable(v).type).real;
  do {
    changed_ = false;
    for (std::size_t i = 0; i < program.exprs.size(); ++i) {
      widen(exprs_[i], computed(program.exprs[i]));
      take(program.exprs[i]);
    }
    for (const Stmt& s : program.stmts)
      if (s.kind == StmtKind::kDeclare && s.expr.valid()) widen(variables_[s.variable.value], of(s.expr));
    for (std::size_t f = 0; f < program.functions.size(); ++f) {
      std::vector<StmtId> open{program.functions[f].body};
      while (!open.empty()) {
        const StmtId id = open.back();
        open.pop_back();
        if (!id.valid()) continue;
        const Stmt& s = program.stmts[id.value];
        if (s.kind == StmtKind::kReturn && s.expr.valid()) widen(results_[f], of(s.expr));
        open.insert(open.end(), s.body.begin(), s.body.end());
      }
    }
  } while (changed_);
}

void NeededBits::widen(Need& kept, const Need& more) {
  const Need both = wider(kept, more);
  changed_ = changed_ || !(both == kept);
  kept = both;
}

Need NeededBits::of_type(TypeId id) const {
  if (!id.valid()) return {};
  const Type& t = program_.type(id);
  if (t.form == Type::Form::kRecord) {
    Need all;
    for (const SlotPlace& place : t.places)
      all = wider(all, is_real(place.scalar) ? Need{0, bit_width(place.scalar)} : Need{bit_width(place.scalar), 0});
    return all;
  }
  if (t.form != Type::Form::kScalar) return {};
  if (t.scalar == Scalar::kBool) return {1, 0};
  return is_real(t.scalar) ? Need{0, bit_width(t.scalar)} : Need{bit_width(t.scalar), 0};
}

bool NeededBits::is_boolean(const Expr& e) const {
  return program_.type(e.type).form == Type::Form::kScalar && program_.type(e.type).scalar == Scalar::kBool;
}

// The variable that a place is part of, or the last step to it through a pointer.
const Expr* NeededBits::root_of(ExprId place) const {
  const Expr* e = &program_.expr(place);
  while (e->kind == ExprKind::kMember || (e->kind == ExprKind::kSubscript &&
                                          program_.type(program_.expr(e->operands[0]).type).form == Type::Form::kArray))
    e = &program_.expr(e->operands[0]);
  return e;
}

Need NeededBits::of_place(const Expr& e) const {
  const Expr* root = root_of(ExprId(static_cast<std::uint32_t>(&e - program_.exprs.data())));
  if (root->kind == ExprKind::kSubscript || root->kind == ExprKind::kDereference) return of_type(e.type);
  const Need kept = root->kind == ExprKind::kVariable ? variables_[root->variable.value]
                                                      : exprs_[static_cast<std::size_t>(root - program_.exprs.data())];
  const Need most = of_type(e.type);
  return {std::min(kept.integer, most.integer), std::min(kept.real, most.real)};
}

Need NeededBits::of_cast(const Expr& e) const {
  const Need given = of(e.operands[0]), most = of_type(e.type);
  if (most.real > 0) return {0, std::max(std::min(given.real, most.real), given.integer > 0 ? 32 : 0)};
  if (given.real > 0) return most;
  return {std::min(given.integer, most.integer), 0};
}

Need NeededBits::of_binary(const Expr& e) const {
  const Need a = of(e.operands[0]), b = of(e.operands[1]), both = wider(a, b), most = of_type(e.type);
  if (!both.any()) return {};
  if (compares(e.op)) return {1, 0};
  if (most.real > 0) return both;
  if (e.op == Operator::kAnd) {
    int bits = both.integer;
    for (const ExprId o : e.operands)
      if (const Expr& mask = program_.expr(o); mask.kind == ExprKind::kIntLiteral && mask.int_value >= 0)
        bits = std::min(bits, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(mask.int_value))));
    return {bits, 0};
  }
  return {grows(e.op) ? most.integer : both.integer, 0};
}

Need NeededBits::of_intrinsic(const Expr& e) const {
  Need given;
  for (const ExprId o : e.operands) given = wider(given, of(o));
  const LaneBehavior behavior = lane_behavior(e.intrinsic);
  if (behavior == LaneBehavior::kRead) return of_type(e.type);
  if (!given.any()) return {};
  const Need most = of_type(e.type);
  if (behavior == LaneBehavior::kShuffle || most.real > 0) {
    const int real = most.real == 0 ? 0 : given.real > 0 ? std::min(given.real, most.real) : most.real;
    return {std::min(given.integer, most.integer), real};
  }
  const bool keeps = e.intrinsic == Intrinsic::kMin || e.intrinsic == Intrinsic::kMax;
  return keeps ? Need{std::min(given.integer, most.integer), 0} : most;
}

Need NeededBits::computed(const Expr& e) const {
  switch (e.kind) {
    case ExprKind::kVariable: return variables_[e.variable.value];
    case ExprKind::kSubscript:
    case ExprKind::kMember:
    case ExprKind::kDereference: return of_place(e);
    case ExprKind::kUnary: {
      const Need given = of(e.operands[0]);
      if (!given.any() || is_boolean(e)) return given.any() ? Need{1, 0} : Need{};
      return given.real > 0 ? given : of_type(e.type);
    }
    case ExprKind::kBinary: return of_binary(e);
    case ExprKind::kCast: return of_cast(e);
    case ExprKind::kIntrinsic: return of_intrinsic(e);
    case ExprKind::kConditional: return wider(of(e.operands[1]), of(e.operands[2]));
    case ExprKind::kComma: return of(e.operands[1]);
    case ExprKind::kAssign:
    case ExprKind::kIncDec:
    case ExprKind::kAddressOf: return of(e.operands[0]);
    case ExprKind::kCall: return e.callee.valid() ? results_[e.callee.value] : Need{};
    case ExprKind::kConstruct: {
      Need all;
      for (const ExprId o : e.operands) all = wider(all, of(o));
      return all;
    }
    default: return {};
  }
}

void NeededBits::take(const Expr& e) {
  if (e.kind == ExprKind::kAssign) {
    if (const Expr* root = root_of(e.operands[0]); root->kind == ExprKind::kVariable) {
      const Need most = of_type(e.type), before = of(e.operands[0]);
      Need given = of(e.operands[1]);
      if (e.compound && grows(e.op) && wider(before, given).integer > 0) given.integer = most.integer;
      widen(variables_[root->variable.value], {std::min(given.integer, most.integer), std::min(given.real, most.real)});
    }
  }
  if (e.kind != ExprKind::kCall || !e.callee.valid()) return;
  const std::vector<VariableId>& parameters = program_.functions[e.callee.value].parameters;
  for (std::size_t i = 0; i < std::min(parameters.size(), e.operands.size()); ++i)
    widen(variables_[parameters[i].value], of(e.operands[i]));
}

}  // namespace swizzle
