#include "synth/proof/loop_tails.h"

#include <utility>

#include "synth/proof/assigned_variables.h"
#include "synth/proof/counted_loop.h"
#include "synth/proof/program_edit.h"

namespace swizzle {
namespace {

class LoopTails : public ProgramEdit {
 public:
  LoopTails(const Program& spec, const std::map<std::string, std::int64_t>& multiples)
      : ProgramEdit(spec),
        multiples_(multiples) {}

  std::optional<Program> run() {
    return with_each([this](StmtId id) { return divide(id); });
  }

 private:
  bool has_loop(StmtId id) const {
    if (!id.valid()) return false;
    const StmtKind kind = stmt(id).kind;
    return is_loop(kind) || std::ranges::any_of(stmt(id).body, [&](StmtId part) { return has_loop(part); });
  }

  // Of the size that the loop ends at; nothing: it is another loop.
  std::optional<std::int64_t> multiple_of(const CountedLoop& loop) const {
    const Expr& end = expr(loop.end);
    if (end.kind != ExprKind::kVariable || !is_never_changed(end.variable)) return std::nullopt;
    const auto known = multiples_.find(program_.variable(end.variable).name);
    return known == multiples_.end() ? std::nullopt : std::optional(known->second);
  }

  bool divide(StmtId id) {
    if (stmt(id).kind != StmtKind::kFor || has_loop(stmt(id).body[2]) || leaves_by(StmtKind::kBreak, stmt(id).body[2]))
      return false;
    const auto loop = counted_loop(program_, stmt(id));
    if (!loop || loop->step.valid() || loop->beyond() != 0 || number(loop->first) != 0) return false;
    const auto multiple = multiple_of(*loop);
    const Stmt whole = stmt(id);
    if (!multiple || AssignedVariables::in(program_, whole.body[2]).variables.contains(loop->variable)) return false;
    const auto limit = [&] {
      const ExprId by = literal(*multiple, expr(loop->end).type, whole.range);
      return binary(Operator::kMul, binary(Operator::kDiv, loop->end, by), by);
    };
    Stmt first = whole, last = whole, both;
    Expr test = expr(whole.expr);
    test.operands[1] = as(expr(test.operands[1]).type, limit());
    first.expr = made(std::move(test));
    last.body[0] = declaration(loop->variable, as(program_.variable(loop->variable).type, limit()), whole.range);
    both.range = whole.range;
    const StmtId most = made(std::move(first)), rest = made(std::move(last));
    both.body = {most, rest};
    program_.stmts[id.value] = std::move(both);
    return true;
  }

  const std::map<std::string, std::int64_t>& multiples_;
};

}  // namespace

std::optional<Program> with_loop_tails(const Program& spec, const std::map<std::string, std::int64_t>& multiples) {
  return LoopTails(spec, multiples).run();
}

}  // namespace swizzle
