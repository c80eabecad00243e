#include "synth/proof/loops_from_zero.h"

#include "synth/proof/assigned_variables.h"
#include "synth/proof/counted_loop.h"
#include "synth/proof/program_edit.h"

namespace swizzle {
namespace {

class LoopsFromZero : public ProgramEdit {
 public:
  using ProgramEdit::ProgramEdit;

  std::optional<Program> run() {
    return with_each([this](StmtId id) { return begin_at_zero(id); });
  }

 private:
  bool begin_at_zero(StmtId id) {
    if (stmt(id).kind != StmtKind::kFor) return false;
    const auto loop = counted_loop(program_, stmt(id));
    if (!loop || loop->step.valid() || !is_own_integer(loop->variable) || number(loop->end)) return false;
    const auto first = number(loop->first);
    Stmt counting = stmt(id);
    const TypeId type = program_.variable(loop->variable).type;
    if (!first || *first < 1 || stmt(counting.body[0]).kind != StmtKind::kDeclare ||
        AssignedVariables::in(program_, counting.body[2]).variables.contains(loop->variable))
      return false;
    Stmt guarded;
    guarded.kind = StmtKind::kIf;
    guarded.range = counting.range;
    guarded.expr =
        TreeBuilder(program_).binary(Operator::kGe, read_of(loop->variable, counting.range),
                                     literal(*first, type, counting.range), expr(counting.expr).type, counting.range);
    guarded.body = {counting.body[2]};
    counting.body[2] = made(std::move(guarded));
    counting.body[0] = declaration(loop->variable, literal(0, type, counting.range), counting.range);
    program_.stmts[id.value] = std::move(counting);
    return true;
  }
};

}  // namespace

std::optional<Program> with_loops_from_zero(const Program& program) { return LoopsFromZero(program).run(); }

}  // namespace swizzle
