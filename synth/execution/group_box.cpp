#include "synth/execution/group_box.h"

namespace swizzle {
namespace {

bool is_thread_coordinate(Builtin b) {
  return b == Builtin::kThreadIdxX || b == Builtin::kThreadIdxY || b == Builtin::kThreadIdxZ;
}

StmtId sole_statement(const Program& program, StmtId id) {
  while (program.stmt(id).kind == StmtKind::kBlock && program.stmt(id).body.size() == 1) id = program.stmt(id).body[0];
  return id;
}

}  // namespace

std::int64_t GroupBox::begin_of(Builtin builtin) const {
  for (std::size_t a = 0; a < axes.size(); ++a)
    if (axes[a].coordinate == builtin) return axes[a].step * begin[a];
  return 0;
}

Value GroupBox::coordinate(Builtin builtin, std::int64_t of_thread) {
  Steps steps(axes.size(), 0);
  for (std::size_t a = 0; a < steps.size(); ++a)
    if (axes[a].coordinate == builtin) steps[a] = axes[a].step;
  const std::int64_t v = of_thread + (is_thread_coordinate(builtin) ? begin_of(builtin) : 0);
  return strides.growing(Value::integer(v), std::move(steps));
}

std::vector<StmtId> nested_loops(const Program& program) {
  StmtId outermost;
  const Stmt& body = program.stmt(program.function(program.entry).body);
  for (StmtId id : body.body) {
    if (program.stmt(id).kind == StmtKind::kDeclare) continue;
    if (program.stmt(id).kind != StmtKind::kFor || outermost.valid()) return {};
    outermost = id;
  }
  std::vector<StmtId> loops;
  for (StmtId id = outermost; id.valid() && program.stmt(id).kind == StmtKind::kFor;
       id = sole_statement(program, program.stmt(id).body[2]))
    loops.push_back(id);
  return loops;
}

}  // namespace swizzle
