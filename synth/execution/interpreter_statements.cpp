// Statements: masks, guards, and the ways out of a block.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "synth/execution/interpreter.h"

namespace swizzle {

void Interpreter::run_under(const ThreadMask& mask, const std::function<void()>& body) {
  if (!mask.any()) return;
  ThreadMask outer = std::move(run_.mask);
  run_.mask = mask;
  body();
  // Threads that left meanwhile stay out.
  for (std::size_t t = 0; t < outer.on.size(); ++t)
    if (returned_[t] || broken_[t] || continued_[t]) outer.on[t] = 0;
  run_.mask = std::move(outer);
}

void Interpreter::exec(StmtId id) {
  if (run_.failed() || !id.valid() || !run_.mask.any()) return;
  const Stmt& stmt = program_.stmt(id);
  run_.charge(stmt.range);
  switch (stmt.kind) {
    case StmtKind::kExpr:
      statement_ = &program_.expr(stmt.expr);
      eval(stmt.expr);
      return;
    case StmtKind::kDeclare: exec_declare(stmt); return;
    case StmtKind::kBlock: exec_block(stmt); return;
    case StmtKind::kIf: exec_if(stmt); return;
    case StmtKind::kFor:
    case StmtKind::kWhile:
    case StmtKind::kDoWhile: exec_loop(stmt); return;
    case StmtKind::kReturn: exec_return(stmt); return;
    case StmtKind::kBreak: leave(broken_, *break_guard_, stmt.range, "break"); return;
    case StmtKind::kContinue: leave(continued_, *continue_guard_, stmt.range, "continue"); return;
    case StmtKind::kSwitch: exec_switch(stmt); return;
    case StmtKind::kCase: return;
  }
}

void Interpreter::exec_block(const Stmt& stmt) {
  for (StmtId s : stmt.body) {
    if (run_.failed() || !run_.mask.any()) return;
    exec(s);
  }
}

void Interpreter::exec_declare(const Stmt& stmt) {
  const Variable& variable = program_.variable(stmt.variable);
  const std::uint32_t object = objects_.object_of(stmt.variable);
  if (variable.is_shared) return;
  const int slots = static_cast<int>(objects_[object].slots);
  Lanes values = run_.blank(slots);
  if (stmt.expr.valid()) {
    Lanes initial = eval(stmt.expr);
    if (run_.failed()) return;
    if (initial.size() != values.size()) {
      run_.fail(stmt.range, fmt::format("the initializer of '{}' has another size than the variable", variable.name));
      return;
    }
    values = std::move(initial);
  }
  if (!variable.is_global) return cells_.make_fresh(objects_[object], values, stmt.range);
  run_.for_active([&](int t) {
    for (int s = 0; s < slots; ++s) objects_[object].cells.entry(at(s)) = values[at(t, slots, s)];
  });
}

void Interpreter::exec_if(const Stmt& stmt) {
  Lanes condition = eval(stmt.expr);
  run_.change(condition, [&](Value c) { return arithmetic_.as_condition(c); });
  if (run_.failed()) return;
  if (condition.are_alike() && truth(condition[0])) {
    if (*truth(condition[0])) exec(stmt.body[0]);
    else if (stmt.body.size() > 1) exec(stmt.body[1]);
    return;
  }
  ThreadMask then = run_.mask, other = run_.mask;
  run_.for_active([&](int t) {
    const auto i = static_cast<std::size_t>(t);
    if (condition[i].is_undefined())
      return run_.break_rule(program_.expr(stmt.expr).range, "the condition is undefined");
    arithmetic_.reject_undefined(condition[i], run_.mask.guard[i], program_.expr(stmt.expr).range);
    if (const auto known = truth(condition[i])) {
      (*known ? other : then).on[i] = 0;
      return;
    }
    const Value guard = run_.mask.guard[i];
    then.guard.entry(i) = provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, guard, condition[i]);
    other.guard.entry(i) = provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, guard,
                                              provenance_.unary(Operator::kLogicalNot, Scalar::kBool, condition[i]));
    if (truth(then.guard[i]) == false) then.on[i] = 0;
    if (truth(other.guard[i]) == false) other.on[i] = 0;
  });
  run_under(then, [&] { exec(stmt.body[0]); });
  if (stmt.body.size() > 1) run_under(other, [&] { exec(stmt.body[1]); });
}

// NOLINTNEXTLINE(readability-function-size): what is saved is restored at its end
void Interpreter::exec_loop(const Stmt& stmt) {
  if (meets_group(stmt)) return exec_iteration(stmt);
  const bool is_for = stmt.kind == StmtKind::kFor;
  const StmtId body = is_for ? stmt.body[2] : stmt.body[0];
  if (is_for) exec(stmt.body[0]);
  const std::vector<char> outer_broken = broken_, outer_continued = continued_;
  ThreadMask outer = run_.mask;
  const Lanes* const outer_break = std::exchange(break_guard_, &outer.guard);
  const Lanes* const outer_continue = std::exchange(continue_guard_, &outer.guard);
  bool first = true;
  while (!run_.failed() && run_.mask.any()) {
    run_.charge(stmt.range);
    const bool test = stmt.expr.valid() && (stmt.kind != StmtKind::kDoWhile || !first);
    first = false;
    if (test) {
      const Lanes condition = eval(stmt.expr);
      if (run_.failed()) break;
      const bool all_go_on = condition.are_alike() && truth(condition[0]) == true;
      if (!all_go_on)
        run_.for_active([&](int t) {
          const auto i = static_cast<std::size_t>(t);
          const auto known = truth(condition[i]);
          const SourceRange range = program_.expr(stmt.expr).range;
          if (condition[i].is_undefined()) return run_.break_rule(range, "the loop's condition is undefined");
          if (!known)
            return run_.refuse(range, "a hole or data decide how often this loop runs, which is not supported");
          if (!*known) run_.mask.on[i] = 0;
        });
      if (run_.failed() || !run_.mask.any()) break;
    }
    exec(body);
    // `continue` ends here.
    for (std::size_t t = 0; t < run_.mask.on.size(); ++t)
      if (continued_[t] && !outer_continued[t]) {
        continued_[t] = outer_continued[t];
        if (outer.on[t] && !returned_[t] && !broken_[t]) run_.mask.on[t] = 1;
      }
    if (is_for) exec(stmt.body[1]);
  }
  break_guard_ = outer_break;
  continue_guard_ = outer_continue;
  broken_ = outer_broken;
  run_.mask = std::move(outer);
  for (std::size_t t = 0; t < run_.mask.on.size(); ++t)
    if (returned_[t]) run_.mask.on[t] = 0;
}

void Interpreter::exec_switch(const Stmt& stmt) {
  const Lanes value = eval(stmt.expr);
  if (run_.failed()) return;
  const std::vector<char> outer_broken = broken_;
  ThreadMask outer = run_.mask;
  const Lanes* const outer_break = std::exchange(break_guard_, &outer.guard);
  const Stmt& block = program_.stmt(stmt.body[0]);
  std::vector<char> unmatched = run_.mask.on;
  run_.for_active([&](int t) {
    if (!value[static_cast<std::size_t>(t)].is_int())
      run_.refuse(program_.expr(stmt.expr).range, "a switch on a hole or on data is not supported");
  });
  const auto matches = [&](const Stmt& label, std::size_t t) {
    return std::find(label.case_values.begin(), label.case_values.end(), value[t].bits) != label.case_values.end();
  };
  std::vector<char> to_default = run_.mask.on;
  for (StmtId s : block.body)
    for (std::size_t t = 0; t < to_default.size(); ++t)
      if (to_default[t] && program_.stmt(s).kind == StmtKind::kCase && matches(program_.stmt(s), t)) to_default[t] = 0;
  std::fill(run_.mask.on.begin(), run_.mask.on.end(), 0);
  for (StmtId s : block.body) {
    const Stmt& inner = program_.stmt(s);
    if (run_.failed()) return;
    if (inner.kind != StmtKind::kCase) {
      exec(s);
      continue;
    }
    for (std::size_t t = 0; t < unmatched.size(); ++t)
      if (unmatched[t] && (inner.case_values.empty() ? to_default[t] != 0 : matches(inner, t))) {
        run_.mask.on[t] = 1;
        unmatched[t] = 0;
      }
  }
  break_guard_ = outer_break;
  broken_ = outer_broken;
  run_.mask = std::move(outer);
  for (std::size_t t = 0; t < run_.mask.on.size(); ++t)
    if (returned_[t] || continued_[t]) run_.mask.on[t] = 0;
}

void Interpreter::leave(std::vector<char>& set, const Lanes& entered, SourceRange range, const char* what) {
  run_.for_active([&](int t) {
    const auto i = static_cast<std::size_t>(t);
    if (!(run_.mask.guard[i] == entered[i]))
      return run_.refuse(range, fmt::format("a '{}' that a hole or data decide is not supported", what));
    set[i] = 1;
    run_.mask.on[i] = 0;
  });
}

void Interpreter::exec_return(const Stmt& stmt) {
  if (stmt.expr.valid()) {
    const Lanes value = eval(stmt.expr);
    if (run_.failed()) return;
    if (return_value_.size() != value.size()) return_value_ = Lanes(value.size());
    const std::size_t slots = value.size() / static_cast<std::size_t>(run_.threads);
    run_.for_active([&](int t) {
      for (std::size_t s = 0; s < slots; ++s) {
        const std::size_t at = static_cast<std::size_t>(t) * slots + s;
        return_value_.entry(at) = value[at];
      }
    });
  }
  leave(returned_, *call_guard_, stmt.range, "return");
  if (call_depth_ == 0) run_.exited = returned_;
}

}  // namespace swizzle
