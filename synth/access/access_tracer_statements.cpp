// Statements: who is in, who is out, who left.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "synth/access/loop_jump.h"

namespace swizzle {

AccessTracer::Mask AccessTracer::make_mask(Presences present) const {
  Mask mask;
  mask.any = std::any_of(present.begin(), present.end(), [](Presence p) { return p != Presence::kOut; });
  mask.perhaps = std::find(present.begin(), present.end(), Presence::kPerhaps) != present.end();
  mask.all = std::all_of(present.begin(), present.end(), [](Presence p) { return p == Presence::kIn; });
  mask.present = std::move(present);
  mask.serial = ++serials_;
  return mask;
}

AccessTracer::Mask AccessTracer::narrowed(const LaneValue& condition, bool wanted) const {
  if (condition.is_uniform() && (condition.at(0) != 0) == wanted) return mask_;
  Presences present = mask_.present;
  bool changed = false;
  const bool everywhere = condition.is_known_everywhere();
  for (std::size_t t = 0; t < present.size(); ++t) {
    if (present[t] == Presence::kOut) continue;
    const int thread = static_cast<int>(t);
    const bool known = everywhere || condition.knows(thread);
    const Presence now = !known                                  ? Presence::kPerhaps
                         : (condition.at(thread) != 0) == wanted ? present[t]
                                                                 : Presence::kOut;
    changed |= now != present[t];
    present[t] = now;
  }
  return changed ? make_mask(std::move(present)) : mask_;
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
    if (present[t] == Presence::kOut || !(returned_[t] || broken_[t] || continued_[t])) continue;
    present[t] = Presence::kOut;
    changed = true;
  }
  if (changed) mask_ = make_mask(std::move(present));
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
    case StmtKind::kBreak: return leave(broken_, PerhapsGone::kBroken);
    case StmtKind::kContinue: return leave(continued_, PerhapsGone::kContinued);
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
  own.parts = std::move(parts);
}

void AccessTracer::exec_if(const Stmt& stmt) {
  const LaneValue condition = value_of(stmt.expr);
  const bool known = decides(condition);
  const std::int64_t before = recorded_;
  const Mask then = narrowed(condition, true), other = narrowed(condition, false);
  const SourceRange range = program_.expr(stmt.expr).range, outer = known ? SourceRange() : gone_.under(range);
  run_under(then, [&] { exec(stmt.body[0]); });
  if (stmt.body.size() > 1) run_under(other, [&] { exec(stmt.body[1]); });
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
void AccessTracer::leave_out_the_rest(const Stmt& stmt, std::int64_t rounds, const Mask& outer,
                                      const std::vector<char>& outer_continued) {
  constexpr int kUntilNothingChanges = 2;  // nearly always
  const bool has_shared =
      std::any_of(program_.variables.begin(), program_.variables.end(), [](const Variable& v) { return v.is_shared; });
  const std::string what =
      fmt::format("the step limit is reached: {} of this loop {} counted; smaller sizes (--set) or --step-limit go on",
                  rounds == 1 ? "one round" : fmt::format("{} rounds", rounds), rounds == 1 ? "is" : "are");
  const SourceRange range = stmt.expr.valid() ? program_.expr(stmt.expr).range : stmt.range;
  if (has_shared) remark_uncounted(range, what);
  else remark(range, what);
  trace_.is_complete = false;
  const bool outer_muted = std::exchange(is_muted_, true);
  Presences present = mask_.present;
  std::replace(present.begin(), present.end(), Presence::kIn, Presence::kPerhaps);
  const bool is_for = stmt.kind == StmtKind::kFor;
  for (int round = 0; round < kUntilNothingChanges; ++round) {
    mask_ = make_mask(present);
    exec(is_for ? stmt.body[2] : stmt.body[0]);
    readmit_continued(outer, outer_continued);
    if (is_for) exec(stmt.body[1]);
    if (stmt.expr.valid()) value_of(stmt.expr);
  }
  if (!stopped_) is_muted_ = outer_muted;
}

// At most three quarters of the steps that are left are for one loop.
void AccessTracer::exec_loop(const Stmt& stmt) {
  const bool is_for = stmt.kind == StmtKind::kFor;
  const StmtId body = is_for ? stmt.body[2] : stmt.body[0];
  if (is_for) exec(stmt.body[0]);
  const std::vector<char> outer_broken = broken_, outer_continued = continued_;
  const bool outer_perhaps_left = std::exchange(perhaps_left_, false);
  const PerhapsGone outer_gone = gone_.enter(false);
  const Mask outer = mask_;
  const std::int64_t before = recorded_, shared_before = recorded_shared_, outer_allowance = allowance_;
  allowance_ = steps_ + std::max<std::int64_t>(0, allowance_ - steps_) / 4 * 3;
  bool once = false;  // data decide how often
  LoopJump jump(*this, stmt, outer_continued);
  for (std::int64_t round = 0; mask_.any && !stopped_; ++round) {
    if (!charge(stmt.range)) break;
    if (!goes_on(stmt, round, once)) break;
    if (round > 0 && steps_ > allowance_) {
      leave_out_the_rest(stmt, round, outer, outer_continued);
      break;
    }
    exec(body);
    readmit_continued(outer, outer_continued);
    if (is_for) exec(stmt.body[1]);
    if (once) break;
    round += jump.after_round(round + 1);
  }
  allowance_ = outer_allowance;
  gone_.end(outer_gone, PerhapsGone::kReturned);
  if (once && recorded_ != before) tell_of_one_iteration(stmt, recorded_shared_ != shared_before);
  broken_ = outer_broken;
  perhaps_left_ = outer_perhaps_left || (perhaps_left_ && std::ranges::count(perhaps_returned_, 1) > 0);
  mask_ = outer;
  drop_those_who_left();
}

// Narrows the mask to those who go on. once: data decide how often, and one round is counted.
bool AccessTracer::goes_on(const Stmt& loop, std::int64_t round, bool& once) {
  if (!loop.expr.valid()) {
    once |= perhaps_left_;
    return !perhaps_left_;
  }
  if (loop.kind == StmtKind::kDoWhile && round == 0) return true;
  const LaneValue condition = value_of(loop.expr);
  const Expr& expr = program_.expr(loop.expr);
  const bool is_endless = perhaps_left_ && expr.kind == ExprKind::kIntLiteral, known = decides(condition);
  if (!known) gone_.under(expr.range);
  once |= !known || is_endless;
  if (once && round > 0) return false;
  mask_ = narrowed(condition, true);
  return mask_.any;
}

// `continue` ends here.
void AccessTracer::readmit_continued(const Mask& loop, const std::vector<char>& outer_continued) {
  gone_.come_back(PerhapsGone::kContinued);
  if (continued_ == outer_continued) return;
  Presences present = mask_.present;
  bool back = false;
  for (std::size_t t = 0; t < present.size(); ++t) {
    if (!continued_[t] || outer_continued[t]) continue;
    continued_[t] = 0;
    if (returned_[t] || broken_[t]) continue;
    present[t] = loop.present[t];
    back = true;
  }
  if (back) mask_ = make_mask(std::move(present));
}

void AccessTracer::exec_switch(const Stmt& stmt) {
  const LaneValue value = value_of(stmt.expr);
  const std::vector<char> outer_broken = broken_;
  const PerhapsGone outer_gone = gone_;
  const Mask outer = mask_;
  const Stmt& block = program_.stmt(stmt.body[0]);
  const bool known = decides(value);
  const SourceRange range = program_.expr(stmt.expr).range;
  if (!known) gone_.under(range);
  if (!known) remark(range, "data decide this switch: all of its cases are counted");
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
  mask_ = make_mask(Presences(outer.present.size(), Presence::kOut));
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
      waiting[t] = 0;
    }
    mask_ = make_mask(std::move(present));
  }
  gone_.end(outer_gone, PerhapsGone::kReturned | PerhapsGone::kContinued);
  broken_ = outer_broken;
  mask_ = outer;
  drop_those_who_left();
}

// Who is perhaps in stays, so that no access is missed.
void AccessTracer::leave(std::vector<char>& left, PerhapsGone::How how) {
  ++departures_;
  gone_.leave(mask_.present, how);
  for (std::size_t t = 0; t < left.size(); ++t) {
    if (mask_.present[t] == Presence::kIn) left[t] = 1;
    if (mask_.present[t] == Presence::kPerhaps) perhaps_left_ = true;
  }
  drop_those_who_left();
}

void AccessTracer::exec_return(const Stmt& stmt) {
  if (stmt.expr.valid()) {
    const Item item = eval(stmt.expr);
    Presences present = mask_.present;
    for (std::size_t t = 0; t < present.size(); ++t)
      if (present[t] == Presence::kIn && perhaps_returned_[t]) present[t] = Presence::kPerhaps;
    result_ = joined(result_, item, present);
  }
  for (std::size_t t = 0; t < perhaps_returned_.size(); ++t)
    if (mask_.present[t] == Presence::kPerhaps) perhaps_returned_[t] = 1;
  leave(returned_, PerhapsGone::kReturned);
}

}  // namespace swizzle
