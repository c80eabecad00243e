// Statements: who is in, who is out, who left.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "synth/access/loop_jump.h"

namespace swizzle {

AccessTracer::Mask AccessTracer::make_mask(Presences present, int doubts) const {
  Mask mask;
  mask.doubts = doubts;
  mask.any = std::any_of(present.begin(), present.end(), [](Presence p) { return p != Presence::kOut; });
  mask.perhaps = std::find(present.begin(), present.end(), Presence::kPerhaps) != present.end();
  mask.all = std::all_of(present.begin(), present.end(), [](Presence p) { return p == Presence::kIn; });
  if (mask.perhaps) {
    mask.inside = present;
    std::replace(mask.inside.begin(), mask.inside.end(), Presence::kPerhaps, Presence::kIn);
  }
  mask.present = std::move(present);
  mask.serial = ++serials_;
  return mask;
}

AccessTracer::Mask AccessTracer::narrowed(const LaneValue& condition, bool wanted) const {
  if (condition.is_uniform() && (condition.at(0) != 0) == wanted) return mask_;
  Presences present = mask_.present;
  bool changed = false, doubted = false;
  const bool everywhere = condition.is_known_everywhere();
  for (std::size_t t = 0; t < present.size(); ++t) {
    if (present[t] == Presence::kOut) continue;
    const int thread = static_cast<int>(t);
    const bool known = everywhere || condition.knows(thread);
    const Presence now = !known                                  ? Presence::kPerhaps
                         : (condition.at(thread) != 0) == wanted ? present[t]
                                                                 : Presence::kOut;
    doubted |= !known;
    changed |= now != present[t] || !known;
    present[t] = now;
  }
  return changed ? make_mask(std::move(present), mask_.doubts + (doubted ? 1 : 0)) : mask_;
}

bool AccessTracer::decides(const LaneValue& condition) const {
  if (condition.is_known_everywhere()) return true;
  for (std::size_t t = 0; t < mask_.present.size(); ++t)
    if (mask_.present[t] != Presence::kOut && !condition.knows(static_cast<int>(t))) return false;
  return true;
}

void AccessTracer::drop_those_who_left() {
  Presences present = mask_.present;
  bool changed = false;
  for (std::size_t t = 0; t < present.size(); ++t) {
    if (present[t] == Presence::kOut || !gone_.is_out(t)) continue;
    present[t] = Presence::kOut;
    changed = true;
  }
  if (changed) mask_ = make_mask(std::move(present), mask_.doubts);
}

void AccessTracer::run_under(Mask mask, const std::function<void()>& body) {
  if (!mask.any || stopped_) return;
  const std::int64_t before = departures_;
  Mask outer = std::move(mask_);
  mask_ = std::move(mask);
  body();
  mask_ = std::move(outer);
  if (departures_ != before) drop_those_who_left();
}

void AccessTracer::exec(StmtId id) {
  if (!id.valid() || !mask_.any || stopped_) return;
  const Stmt& stmt = program_.stmt(id);
  if (!charge(stmt.range)) return;
  switch (stmt.kind) {
    case StmtKind::kExpr: eval(stmt.expr); return;
    case StmtKind::kDeclare: return exec_declare(stmt);
    case StmtKind::kBlock:
      for (const StmtId inner : stmt.body) exec(inner);
      return;
    case StmtKind::kIf: return exec_if(stmt);
    case StmtKind::kFor:
    case StmtKind::kWhile:
    case StmtKind::kDoWhile: return exec_loop(stmt);
    case StmtKind::kReturn: return exec_return(stmt);
    case StmtKind::kBreak: return leave(Departures::From::kLoop);
    case StmtKind::kContinue: return leave(Departures::From::kIteration);
    case StmtKind::kSwitch: return exec_switch(stmt);
    case StmtKind::kCase: return;
  }
}

void AccessTracer::exec_declare(const Stmt& stmt) {
  const int region = region_of(stmt.variable);
  const Variable& variable = program_.variable(stmt.variable);
  if (variable.is_shared || (space_.region(region).kind == RegionKind::kGlobal && !variable.is_const)) return;
  Parts parts;
  if (stmt.expr.valid())
    parts = variable.is_reference ? Parts{{0, {kPointerBytes, value_of(stmt.expr)}}}
                                  : parts_of(variable.type, eval(stmt.expr));
  Region& own = space_.region(region);
  own.mask_serial = mask_.serial;
  own.doubts = mask_.doubts;
  own.parts = std::move(parts);
}

void AccessTracer::exec_if(const Stmt& stmt) {
  const LaneValue condition = value_of(stmt.expr);
  const bool known = decides(condition);
  const std::int64_t before = recorded_;
  const Mask then = narrowed(condition, true), other = narrowed(condition, false);
  const SourceRange range = program_.expr(stmt.expr).range, outer = known ? SourceRange() : gone_.under(range);
  const auto run = [&](const Mask& mask, StmtId branch) {
    run_under(mask, [&] {
      exec(branch);
      gone_.end_branch(condition, mask.present);
    });
  };
  run(then, stmt.body[0]);
  if (stmt.body.size() > 1) run(other, stmt.body[1]);
  if (known) return;
  gone_.under(outer);
  if (recorded_ != before) remark(range, kGuardedByData);
}

void AccessTracer::tell_of_one_iteration(const Stmt& loop, bool has_shared) {
  const SourceRange range = loop.expr.valid() ? program_.expr(loop.expr).range : loop.range;
  constexpr const char* kWhat = "data decide how often this loop runs: one iteration is counted";
  if (has_shared) remark_uncounted(range, kWhat);
  else remark(range, kWhat);
}

// The rounds that the step limit leaves out are taken for one that perhaps happens: it makes unknown what it changes.
void AccessTracer::leave_out_the_rest(const Stmt& stmt) {
  constexpr int kUntilNothingChanges = 2;  // nearly always
  const bool has_shared =
      std::any_of(program_.variables.begin(), program_.variables.end(), [](const Variable& v) { return v.is_shared; });
  constexpr const char* kWhat =  // once for each loop
      "the step limit is reached: not all rounds of this loop are counted; smaller sizes (--set) or --step-limit go on";
  const SourceRange range = stmt.expr.valid() ? program_.expr(stmt.expr).range : stmt.range;
  if (has_shared) remark_uncounted(range, kWhat);
  else remark(range, kWhat);
  trace_.is_complete = false;
  const bool outer_muted = std::exchange(is_muted_, true);
  Presences present = mask_.present;
  std::replace(present.begin(), present.end(), Presence::kIn, Presence::kPerhaps);
  const int doubts = mask_.doubts + 1;
  for (int round = 0; round < kUntilNothingChanges; ++round) {
    mask_ = make_mask(present, doubts);
    run_round(stmt);
    if (stmt.expr.valid()) value_of(stmt.expr);
  }
  if (!stopped_) is_muted_ = outer_muted;
}

// At most three quarters of the steps that are left are for one loop.
void AccessTracer::exec_loop(const Stmt& stmt) {
  if (stmt.kind == StmtKind::kFor) exec(stmt.body[0]);
  gone_.begin(Departures::From::kLoop, mask_.doubts);
  const Mask outer = mask_;
  const std::int64_t before = recorded_, shared_before = recorded_shared_, outer_allowance = allowance_;
  allowance_ = steps_ + std::max<std::int64_t>(0, allowance_ - steps_) / 4 * 3;
  bool once = false;  // data decide how often
  LoopJump jump(*this, stmt);
  for (std::int64_t round = 0; mask_.any && !stopped_; ++round) {
    if (!charge(stmt.range)) break;
    if (!goes_on(stmt, round, once)) break;
    if (round > 0 && steps_ > allowance_) {
      leave_out_the_rest(stmt);
      break;
    }
    run_round(stmt);
    if (once) break;
    round += jump.after_round(round + 1);
  }
  allowance_ = outer_allowance;
  end_frame();
  if (once && recorded_ != before) tell_of_one_iteration(stmt, recorded_shared_ != shared_before);
  mask_ = outer;
  drop_those_who_left();
}

// Narrows the mask to those who go on. once: data decide how often, and one round is counted.
bool AccessTracer::goes_on(const Stmt& loop, std::int64_t round, bool& once) {
  const bool perhaps_left = gone_.innermost().is_passed;
  if (!loop.expr.valid()) {
    once |= perhaps_left;
    return !perhaps_left;
  }
  if (loop.kind == StmtKind::kDoWhile && round == 0) return true;
  const LaneValue condition = value_of(loop.expr);
  const Expr& expr = program_.expr(loop.expr);
  const bool is_endless = perhaps_left && expr.kind == ExprKind::kIntLiteral, known = decides(condition);
  if (!known) gone_.under(expr.range);
  once |= !known || is_endless;
  if (once && round > 0) return false;
  mask_ = narrowed(condition, true);
  return mask_.any;
}

// What is left ends: who left is back, and of what those changed who stayed, what is not the same for all is unknown.
Departures::Frame AccessTracer::end_frame() {
  Departures::Frame frame = gone_.end();
  if (!frame.has_perhaps) return frame;
  Presences joining = frame.arrived;
  std::replace(joining.begin(), joining.end(), Presence::kIn, Presence::kOut);
  for (const auto& [at, part] : frame.held) space_.join(at.first, at.second, part, joining);
  return frame;
}

// `continue` leads to its end.
void AccessTracer::run_round(const Stmt& loop) {
  const bool is_for = loop.kind == StmtKind::kFor;
  const Mask begin = mask_;
  gone_.begin(Departures::From::kIteration, mask_.doubts);
  exec(loop.body[is_for ? 2 : 0]);
  const Departures::Frame frame = end_frame();
  if (!frame.arrived.empty()) {
    mask_ = begin;
    drop_those_who_left();
  }
  if (is_for) exec(loop.body[1]);
}

void AccessTracer::exec_switch(const Stmt& stmt) {
  const LaneValue value = value_of(stmt.expr);
  gone_.begin(Departures::From::kSwitch, mask_.doubts);
  const Mask outer = mask_;
  const Stmt& block = program_.stmt(stmt.body[0]);
  const bool known = decides(value);
  const int doubts = outer.doubts + (known ? 0 : 1);
  if (!known) gone_.under(program_.expr(stmt.expr).range);
  if (!known) remark(program_.expr(stmt.expr).range, "data decide this switch: all of its cases are counted");
  const auto matches = [&](const Stmt& label, std::size_t t) {
    return std::find(label.case_values.begin(), label.case_values.end(), value.at(static_cast<int>(t))) !=
           label.case_values.end();
  };
  std::vector<char> waiting(outer.present.size()), to_default(outer.present.size());
  for (std::size_t t = 0; t < waiting.size(); ++t) {
    waiting[t] = to_default[t] = outer.present[t] != Presence::kOut;
    for (const StmtId s : block.body)
      if (known && waiting[t] && program_.stmt(s).kind == StmtKind::kCase && matches(program_.stmt(s), t))
        to_default[t] = 0;
  }
  mask_ = make_mask(Presences(outer.present.size(), Presence::kOut), doubts);
  for (const StmtId s : block.body) {
    const Stmt& inner = program_.stmt(s);
    if (inner.kind != StmtKind::kCase) {
      exec(s);
      continue;
    }
    Presences present = mask_.present;
    for (std::size_t t = 0; t < waiting.size(); ++t) {
      if (!waiting[t] || (known && !(inner.case_values.empty() ? to_default[t] != 0 : matches(inner, t)))) continue;
      present[t] = known ? outer.present[t] : Presence::kPerhaps;
      waiting[t] = !known;
    }
    if (!known) gone_.end_branch({}, outer.present);
    mask_ = make_mask(std::move(present), doubts);
  }
  if (!known) gone_.end_branch({}, outer.present);
  end_frame();
  mask_ = outer;
  drop_those_who_left();
}

void AccessTracer::leave(Departures::From from) {
  ++departures_;
  gone_.leave(from, mask_.present, mask_.doubts, space_);
  drop_those_who_left();
}

void AccessTracer::exec_return(const Stmt& stmt) {
  if (stmt.expr.valid()) {
    const Item item = eval(stmt.expr);
    Presences present = mask_.present_to(gone_.function().doubts);
    for (std::size_t t = 0; t < present.size(); ++t)
      if (present[t] == Presence::kIn && gone_.has_perhaps_returned(t)) present[t] = Presence::kPerhaps;
    result_ = joined(result_, item, present);
  }
  leave(Departures::From::kFunction);
}

}  // namespace swizzle
