#include "synth/proof/loop_heads.h"

#include "synth/program/intrinsics.h"
#include "synth/proof/assigned_variables.h"
#include "synth/proof/program_edit.h"

namespace swizzle {
namespace {

bool is_of_lanes_alone(Intrinsic intrinsic) {
  switch (lane_behavior(intrinsic)) {
    case LaneBehavior::kOfWords:
    case LaneBehavior::kAlgebraic:
    case LaneBehavior::kUninterpreted:
    case LaneBehavior::kSameBits: return true;
    default: return false;
  }
}

class CallsBeforeLoops : public ProgramEdit {
 public:
  using ProgramEdit::ProgramEdit;

  std::optional<Program> run() {
    return with_each([this](StmtId id) { return put_before(id); });
  }

 private:
  static constexpr int kMostNested = 8;  // calls

  bool put_before(StmtId id) {
    if (stmt(id).kind != StmtKind::kFor) return false;
    Stmt around;
    around.kind = StmtKind::kBlock;
    around.range = stmt(id).range;
    put_before(stmt(id).expr, around);
    for (const std::size_t part : {0, 1})
      if (const StmtId head = stmt(id).body[part]; head.valid()) put_before(stmt(head).expr, around);
    if (around.body.empty()) return false;
    around.body.push_back(made(Stmt(stmt(id))));
    program_.stmts[id.value] = std::move(around);
    return true;
  }

  void put_before(ExprId id, Stmt& around) {
    if (!id.valid()) return;
    if (is_integer(id) && gives_the_same(id)) {
      const SourceRange range = expr(id).range;
      Variable& made_for = program_.variables.emplace_back();
      made_for.name = "of_" + program_.function(expr(id).callee).name;
      made_for.type = expr(id).type;
      const VariableId given(program_.variables.size() - 1);
      around.body.push_back(declaration(given, made(Expr(expr(id))), range));
      program_.exprs[id.value] = Expr(expr(read_of(given, range)));
      return;
    }
    for (const ExprId operand : std::vector(expr(id).operands)) put_before(operand, around);
  }

  // A call, whenever it is made.
  bool gives_the_same(ExprId id, int depth = 0) const {
    const Expr& call = expr(id);
    if (call.kind != ExprKind::kCall || depth > kMostNested) return false;
    const Function& callee = program_.function(call.callee);
    for (std::size_t i = 0; i < call.operands.size() && i < callee.parameters.size(); ++i)
      if (names(callee.body, callee.parameters[i]) && any_in(call.operands[i], [&](const Expr& e) {
            return is_other_later(e, depth) || (e.kind == ExprKind::kVariable && !is_never_changed(e.variable));
          }))
        return false;
    return reads_and_changes_nothing(callee, depth);
  }

  // Of the functions that it calls as well.
  void add_own(const Function& function, std::set<VariableId>& own, int depth) const {
    own.insert(function.parameters.begin(), function.parameters.end());
    declared_in(function.body, own);
    any_in(function.body, [&](const Expr& e) {
      if (e.kind == ExprKind::kCall && depth < kMostNested) add_own(program_.function(e.callee), own, depth + 1);
      return false;
    });
  }

  bool reads_and_changes_nothing(const Function& function, int depth) const {
    std::set<VariableId> own;
    add_own(function, own, depth);
    const auto changed = AssignedVariables::in(program_, function.body);
    return changed.through.empty() && std::ranges::includes(own, changed.variables) &&
           !any_in(function.body, [&](const Expr& e) {
             return is_other_later(e, depth) || (e.kind == ExprKind::kVariable && !is_own_integer(e.variable) &&
                                                 !program_.variable(e.variable).is_constexpr);
           });
  }

  bool is_other_later(const Expr& e, int depth) const {
    switch (e.kind) {
      case ExprKind::kDereference:
      case ExprKind::kSubscript:
      case ExprKind::kMember:
      case ExprKind::kHole:
      case ExprKind::kUnknown:
      case ExprKind::kTouch: return true;
      case ExprKind::kIntrinsic: return !is_of_lanes_alone(e.intrinsic);
      case ExprKind::kCall: return !gives_the_same(ExprId(index_of(e)), depth + 1);
      default: return false;
    }
  }
};

}  // namespace

std::optional<Program> with_calls_before_loops(const Program& program) { return CallsBeforeLoops(program).run(); }

}  // namespace swizzle
