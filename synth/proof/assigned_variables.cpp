#include "synth/proof/assigned_variables.h"

#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

class AssignmentFinder {
 public:
  explicit AssignmentFinder(const Program& program) : program_(program) {}

  void look_at(StmtId id) {
    if (!id.valid()) return;
    const Stmt& stmt = program_.stmt(id);
    if (stmt.expr.valid()) look_at(stmt.expr);
    if (stmt.kind == StmtKind::kDeclare && program_.variable(stmt.variable).is_reference && stmt.expr.valid())
      change(stmt.expr);
    for (StmtId part : stmt.body) look_at(part);
  }

  AssignedVariables found;

 private:
  void look_at(ExprId id) {
    const Expr& e = program_.expr(id);
    for (ExprId operand : e.operands) look_at(operand);
    if (e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec || is_to_be_changed(e)) change(e.operands[0]);
    if (e.kind == ExprKind::kIntrinsic && lane_behavior(e.intrinsic) != LaneBehavior::kShuffle)
      for (ExprId operand : e.operands)
        if (is_address(operand) || lane_behavior(e.intrinsic) == LaneBehavior::kMatrix) change(operand);
    if (e.kind != ExprKind::kCall) return;
    for (ExprId operand : e.operands)
      if (is_address(operand)) change(operand);
    if (called_.insert(e.callee).second) look_at(program_.function(e.callee).body);
  }

  bool is_address(ExprId id) const { return program_.type(program_.expr(id).type).form == Type::Form::kPointer; }

  // An address that is taken of what is not read alone.
  bool is_to_be_changed(const Expr& e) const {
    if (e.kind != ExprKind::kAddressOf) return false;
    const Expr* place = &program_.expr(e.operands[0]);
    while (place->kind == ExprKind::kMember) place = &program_.expr(place->operands[0]);
    if (place->kind != ExprKind::kSubscript && place->kind != ExprKind::kDereference) return true;
    const Type& base = program_.type(program_.expr(place->operands[0]).type);
    return base.form != Type::Form::kPointer || !base.pointee_is_const;
  }

  // What the place or the address belongs to. `leads_on`: what an address leads to is changed.
  void change(ExprId id, bool leads_on = false) {
    const Expr& e = program_.expr(id);
    if (e.kind == ExprKind::kVariable) {
      found.variables.insert(e.variable);
      if (leads_on || program_.variable(e.variable).is_reference) found.through.insert(e.variable);
      return;
    }
    leads_on = leads_on || e.kind == ExprKind::kDereference || is_address(id) ||
               (e.kind == ExprKind::kSubscript && is_address(e.operands[0]));
    const bool is_moved = e.kind == ExprKind::kBinary && is_address(id);  // by an integer, which stays as it is
    for (std::size_t i = 0; i < e.operands.size(); ++i)
      if (is_moved ? is_address(e.operands[i])
                   : i == 0 || e.kind == ExprKind::kBinary || e.kind == ExprKind::kConditional)
        change(e.operands[i], leads_on);
  }

  const Program& program_;
  std::set<FunctionId> called_;
};

}  // namespace

AssignedVariables AssignedVariables::in(const Program& program, StmtId stmt) {
  AssignmentFinder finder(program);
  finder.look_at(stmt);
  return std::move(finder.found);
}

}  // namespace swizzle
