// Statements: masks, guards, and the ways out of a block.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "synth/execution/interpreter.h"

namespace swizzle {

void Interpreter::run_under(const Mask& mask, const std::function<void()>& body) {
  if (!mask.any()) return;
  Mask outer = std::move(mask_);
  mask_ = mask;
  body();
  // Threads that left meanwhile stay out.
  for (std::size_t t = 0; t < outer.on.size(); ++t)
    if (returned_[t] || broken_[t] || continued_[t]) outer.on[t] = 0;
  mask_ = std::move(outer);
}

void Interpreter::exec(StmtId id) {
  if (failed() || !id.valid() || !mask_.any()) return;
  const Stmt& stmt = program_.stmt(id);
  charge(stmt.range);
  switch (stmt.kind) {
    case StmtKind::kExpr: eval(stmt.expr); return;
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
    if (failed() || !mask_.any()) return;
    exec(s);
  }
}

void Interpreter::exec_declare(const Stmt& stmt) {
  const Variable& variable = program_.variable(stmt.variable);
  const std::uint32_t object = object_of(stmt.variable);
  if (variable.is_shared) return;
  const int slots = static_cast<int>(objects_[object].slots);
  Lanes values = blank(slots);
  if (stmt.expr.valid()) {
    Lanes initial = eval(stmt.expr);
    if (failed()) return;
    if (initial.size() != values.size()) {
      fail(stmt.range, fmt::format("the initializer of '{}' has another size than the variable", variable.name));
      return;
    }
    values = std::move(initial);
  }
  if (!variable.is_global) return make_fresh(objects_[object], values, stmt.range);
  for_active([&](int t) {
    for (int s = 0; s < slots; ++s) objects_[object].cells.entry(at(s)) = values[at(t, slots, s)];
  });
}

// What a declaration makes has no older value that a guard could keep: in
//
//   if (?sw_cond(t)) for (int k = 0; k < 2; k++) …
//
// k is 0, then 1, wherever it is seen at all, and the loop's end is known.
void Interpreter::make_fresh(Object& object, const Lanes& values, SourceRange range) {
  const int slots = static_cast<int>(object.slots);
  if (mask_.all() && object.cells.size() == values.size() && execution_.register_writes == nullptr) {
    object.cells = values;
    object.declared_under = mask_.guard;
    return;
  }
  if (object.declared_under.size() == 0) object.declared_under = blank();
  for_active([&](int t) {
    object.declared_under.entry(at(t)) = mask_.guard[at(t)];
    for (int s = 0; s < slots; ++s) {
      object.cells.entry(at(t, slots, s)) = values[at(t, slots, s)];
      tell_register(object, t, s, values[at(t, slots, s)], range);
    }
  });
}

void Interpreter::exec_if(const Stmt& stmt) {
  Lanes condition = eval(stmt.expr);
  change(condition, [&](Value c) { return as_condition(c); });
  if (failed()) return;
  if (condition.are_alike() && truth(condition[0])) {
    if (*truth(condition[0])) exec(stmt.body[0]);
    else if (stmt.body.size() > 1) exec(stmt.body[1]);
    return;
  }
  Mask then = mask_, other = mask_;
  for_active([&](int t) {
    const auto i = static_cast<std::size_t>(t);
    if (condition[i].is_undefined()) return fail(program_.expr(stmt.expr).range, "the condition is undefined");
    reject_undefined(condition[i], mask_.guard[i], program_.expr(stmt.expr).range);
    if (const auto known = truth(condition[i])) {
      (*known ? other : then).on[i] = 0;
      return;
    }
    const Value guard = mask_.guard[i];
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
  Mask outer = mask_;
  const Lanes* const outer_break = std::exchange(break_guard_, &outer.guard);
  const Lanes* const outer_continue = std::exchange(continue_guard_, &outer.guard);
  bool first = true;
  while (!failed() && mask_.any()) {
    charge(stmt.range);
    const bool test = stmt.expr.valid() && (stmt.kind != StmtKind::kDoWhile || !first);
    first = false;
    if (test) {
      const Lanes condition = eval(stmt.expr);
      if (failed()) break;
      const bool all_go_on = condition.are_alike() && truth(condition[0]) == true;
      if (!all_go_on)
        for_active([&](int t) {
          const auto i = static_cast<std::size_t>(t);
          const auto known = truth(condition[i]);
          if (!known)
            return fail(program_.expr(stmt.expr).range,
                        condition[i].is_undefined()
                            ? "the loop's condition is undefined"
                            : "a hole or data decide how often this loop runs, which is not supported");
          if (!*known) mask_.on[i] = 0;
        });
      if (failed() || !mask_.any()) break;
    }
    exec(body);
    // `continue` ends here.
    for (std::size_t t = 0; t < mask_.on.size(); ++t)
      if (continued_[t] && !outer_continued[t]) {
        continued_[t] = outer_continued[t];
        if (outer.on[t] && !returned_[t] && !broken_[t]) mask_.on[t] = 1;
      }
    if (is_for) exec(stmt.body[1]);
  }
  break_guard_ = outer_break;
  continue_guard_ = outer_continue;
  broken_ = outer_broken;
  mask_ = std::move(outer);
  for (std::size_t t = 0; t < mask_.on.size(); ++t)
    if (returned_[t]) mask_.on[t] = 0;
}

void Interpreter::exec_switch(const Stmt& stmt) {
  const Lanes value = eval(stmt.expr);
  if (failed()) return;
  const std::vector<char> outer_broken = broken_;
  Mask outer = mask_;
  const Lanes* const outer_break = std::exchange(break_guard_, &outer.guard);
  const Stmt& block = program_.stmt(stmt.body[0]);
  std::vector<char> unmatched = mask_.on;
  for_active([&](int t) {
    if (!value[static_cast<std::size_t>(t)].is_int())
      fail(program_.expr(stmt.expr).range, "a switch on a hole or on data is not supported");
  });
  const auto matches = [&](const Stmt& label, std::size_t t) {
    return std::find(label.case_values.begin(), label.case_values.end(), value[t].bits) != label.case_values.end();
  };
  std::vector<char> to_default = mask_.on;
  for (StmtId s : block.body)
    for (std::size_t t = 0; t < to_default.size(); ++t)
      if (to_default[t] && program_.stmt(s).kind == StmtKind::kCase && matches(program_.stmt(s), t)) to_default[t] = 0;
  std::fill(mask_.on.begin(), mask_.on.end(), 0);
  for (StmtId s : block.body) {
    const Stmt& inner = program_.stmt(s);
    if (failed()) return;
    if (inner.kind != StmtKind::kCase) {
      exec(s);
      continue;
    }
    for (std::size_t t = 0; t < unmatched.size(); ++t)
      if (unmatched[t] && (inner.case_values.empty() ? to_default[t] != 0 : matches(inner, t))) {
        mask_.on[t] = 1;
        unmatched[t] = 0;
      }
  }
  break_guard_ = outer_break;
  broken_ = outer_broken;
  mask_ = std::move(outer);
  for (std::size_t t = 0; t < mask_.on.size(); ++t)
    if (returned_[t] || continued_[t]) mask_.on[t] = 0;
}

void Interpreter::leave(std::vector<char>& set, const Lanes& entered, SourceRange range, const char* what) {
  for_active([&](int t) {
    const auto i = static_cast<std::size_t>(t);
    if (!(mask_.guard[i] == entered[i]))
      return fail(range, fmt::format("a '{}' that a hole or data decide is not supported", what));
    set[i] = 1;
    mask_.on[i] = 0;
  });
}

void Interpreter::exec_return(const Stmt& stmt) {
  if (stmt.expr.valid()) {
    const Lanes value = eval(stmt.expr);
    if (failed()) return;
    if (return_value_.size() != value.size()) return_value_ = Lanes(value.size());
    const std::size_t slots = value.size() / static_cast<std::size_t>(threads_);
    for_active([&](int t) {
      for (std::size_t s = 0; s < slots; ++s) {
        const std::size_t at = static_cast<std::size_t>(t) * slots + s;
        return_value_.entry(at) = value[at];
      }
    });
  }
  leave(returned_, *call_guard_, stmt.range, "return");
  if (call_depth_ == 0) exited_ = returned_;
}

}  // namespace swizzle
