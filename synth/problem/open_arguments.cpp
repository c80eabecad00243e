#include "synth/problem/open_arguments.h"

#include <algorithm>
#include <map>
#include <set>

#include "synth/program/initial_values.h"

namespace swizzle {
namespace {

// What depends on a size: variables and functions, as long as there are more.
class SizeDependence {
 public:
  explicit SizeDependence(const Program& program) : program_(program) {
    for (VariableId id : program.function(program.entry).parameters)
      if (program.type(program.variable(id).type).form == Type::Form::kScalar) variables_.insert(id);
    const auto& launch = program.directives.launch;
    const auto has_name = [&](const SizeExpr& e) { return !evaluate(e, {}, program.source).ok(); };
    block_grows_ = !launch || std::any_of(launch->block.begin(), launch->block.end(), has_name);
    for (std::size_t before = 0; before != known();) {
      before = known();
      for (const Function& f : program.functions) {
        function_ = &f;
        if (f.body.valid()) follow(f.body, false);
      }
    }
  }

  bool depends(ExprId id) const {
    const Expr& e = program_.expr(id);
    if (e.kind == ExprKind::kBuiltin) return depends(e.builtin);
    if (e.kind == ExprKind::kVariable && variables_.contains(e.variable)) return true;
    if (e.kind == ExprKind::kCall && functions_.contains(e.callee)) return true;
    return std::any_of(e.operands.begin(), e.operands.end(), [&](ExprId operand) { return depends(operand); });
  }

 private:
  std::size_t known() const { return variables_.size() + functions_.size(); }

  bool depends(Builtin b) const {
    switch (b) {
      case Builtin::kThreadIdxX:
      case Builtin::kThreadIdxY:
      case Builtin::kThreadIdxZ:
      case Builtin::kBlockDimX:
      case Builtin::kBlockDimY:
      case Builtin::kBlockDimZ: return block_grows_;
      case Builtin::kWarpSize:
      case Builtin::kLaneId: return false;
      default: return true;
    }
  }

  VariableId root_of(ExprId place) const {
    const Expr* e = &program_.expr(place);
    while (e->kind != ExprKind::kVariable && !e->operands.empty()) e = &program_.expr(e->operands[0]);
    return e->kind == ExprKind::kVariable ? e->variable : VariableId();
  }

  void note(VariableId id) {
    if (id.valid()) variables_.insert(id);
  }

  // `grows`: how often, or whether, this is executed depends on a size.
  void follow(ExprId id, bool grows) {
    const Expr& e = program_.expr(id);
    for (ExprId operand : e.operands) follow(operand, grows);
    if (e.kind == ExprKind::kAssign && (grows || depends(e.operands[0]) || depends(e.operands[1])))
      note(root_of(e.operands[0]));
    if (e.kind == ExprKind::kIncDec && grows) note(root_of(e.operands[0]));
    if (e.kind != ExprKind::kCall || !e.callee.valid()) return;
    const bool any = grows || depends(id);
    const auto& parameters = program_.function(e.callee).parameters;
    for (std::size_t i = 0; i < e.operands.size(); ++i) {
      if (i < parameters.size() && depends(e.operands[i])) note(parameters[i]);
      if (any && program_.expr(e.operands[i]).kind == ExprKind::kAddressOf) note(root_of(e.operands[i]));
    }
  }

  // A way out of a loop whose condition depends on a size.
  bool leaves(StmtId id, bool grows) const {
    if (!id.valid()) return false;
    const Stmt& s = program_.stmt(id);
    if (s.kind == StmtKind::kBreak || s.kind == StmtKind::kContinue || s.kind == StmtKind::kReturn) return grows;
    const bool inside = grows || (s.expr.valid() && s.kind != StmtKind::kDeclare && depends(s.expr));
    return std::any_of(s.body.begin(), s.body.end(), [&](StmtId inner) { return leaves(inner, inside); });
  }

  void follow(StmtId id, bool grows) {
    if (!id.valid()) return;
    const Stmt& s = program_.stmt(id);
    if (s.expr.valid()) follow(s.expr, grows);
    const bool decides = s.expr.valid() && depends(s.expr);
    if (s.kind == StmtKind::kDeclare && decides) note(s.variable);
    if (s.kind == StmtKind::kReturn && (grows || decides)) functions_.insert(id_of(*function_));
    const bool inside =
        grows || (s.kind != StmtKind::kDeclare && s.kind != StmtKind::kExpr && decides) ||
        (is_loop(s.kind) && std::any_of(s.body.begin(), s.body.end(), [&](StmtId b) { return leaves(b, false); }));
    for (StmtId inner : s.body) follow(inner, inside);
  }

  FunctionId id_of(const Function& f) const {
    return FunctionId(static_cast<std::size_t>(&f - program_.functions.data()));
  }

  const Program& program_;
  bool block_grows_ = false;
  const Function* function_ = nullptr;
  std::set<VariableId> variables_;
  std::set<FunctionId> functions_;
};

// Of arguments as they are written, whatever is in them.
class WrittenBounds {
 public:
  explicit WrittenBounds(const Program& program) : program_(program), initial_(fixed_values(program)) {}

  ValueBounds of(ExprId id) const {
    const Expr& e = behind(id);
    if (e.kind == ExprKind::kIntLiteral) return {e.int_value, e.int_value};
    if (e.kind != ExprKind::kBinary) return kAnyValue;
    if (is_comparison(e.op)) return {0, 1};
    const Expr& by = behind(e.operands[1]);
    const std::int64_t number = by.kind == ExprKind::kIntLiteral                                    ? by.int_value
                                : by.kind == ExprKind::kBuiltin && by.builtin == Builtin::kWarpSize ? kWarpSize
                                                                                                    : -1;
    if (e.op == Operator::kAnd && number >= 0) return {0, number};
    if (e.op != Operator::kRem || number <= 0) return kAnyValue;
    const Type& type = program_.type(e.type);
    const bool is_positive = type.form == Type::Form::kScalar && is_unsigned(type.scalar);
    return {is_positive ? 0 : 1 - number, number - 1};
  }

 private:
  static constexpr std::int64_t kWarpSize = 32;

  // Through casts and variables that never change.
  const Expr& behind(ExprId id) const {
    for (;;) {
      const Expr& e = program_.expr(id);
      const auto initial = e.kind == ExprKind::kVariable ? initial_.find(e.variable) : initial_.end();
      if (initial != initial_.end()) id = initial->second;
      else if (e.kind == ExprKind::kCast) id = e.operands[0];
      else return e;
    }
  }

  const Program& program_;
  std::map<VariableId, ExprId> initial_;
};

}  // namespace

std::vector<std::vector<OpenArgument>> open_arguments(const Program& sketch) {
  std::vector<std::map<std::size_t, ValueBounds>> open(sketch.holes.size());
  if (sketch.holes.empty()) return {};
  const SizeDependence sizes(sketch);
  const WrittenBounds written(sketch);
  for (const Expr& e : sketch.exprs) {
    if (e.kind != ExprKind::kHole) continue;
    for (std::size_t a = 0; a < e.operands.size(); ++a) {
      if (!sizes.depends(e.operands[a])) continue;
      const ValueBounds here = written.of(e.operands[a]);
      const auto [known, fresh] = open[e.hole.value].try_emplace(a, here);
      if (fresh) continue;
      known->second = {std::min(known->second.least, here.least), std::max(known->second.most, here.most)};
    }
  }
  std::vector<std::vector<OpenArgument>> result(open.size());
  for (std::size_t h = 0; h < open.size(); ++h)
    for (const auto& [argument, bounds] : open[h]) result[h].push_back({argument, bounds});
  return result;
}

}  // namespace swizzle
