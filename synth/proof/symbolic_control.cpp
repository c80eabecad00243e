// Control flow of a symbolic run: which threads go where, and under which conditions.
#include <algorithm>
#include <utility>

#include "synth/proof/symbolic_interpreter.h"
#include "synth/provenance/definedness.h"

namespace swizzle {
namespace {

constexpr int kMostOpenIterations = 4;      // of a kernel's loop whose length sizes decide
constexpr int kMostGuardedIterations = 64;  // … where they have bounds
constexpr int kMostLeftOfRounds = 1024;     // … after rounds of as many
constexpr int kMostGuardedOfSpec = 16'384;  // … of the spec's, of as many elements of a tile

// Of variables; none of what is shared.
std::vector<SymbolicCells> local_cells(const std::vector<SymbolicObject>& objects) {
  std::vector<SymbolicCells> cells;
  for (const SymbolicObject& object : objects)
    cells.push_back(object.space == SymbolicObject::Space::kLocal ? object.cells : SymbolicCells());
  return cells;
}

// Of integers in variables and numbers alone: it may be evaluated once more.
bool is_plain_index(const Program& program, ExprId id) {
  const Expr& e = program.expr(id);
  constexpr ExprKind kPlain[] = {ExprKind::kIntLiteral, ExprKind::kVariable, ExprKind::kUnary, ExprKind::kBinary,
                                 ExprKind::kCast};
  const Type& type = program.type(e.type);
  return std::ranges::find(kPlain, e.kind) != std::end(kPlain) && type.form == Type::Form::kScalar &&
         !is_real(type.scalar) &&
         std::ranges::all_of(e.operands, [&](ExprId operand) { return is_plain_index(program, operand); });
}

std::optional<VariableId> declared_in(const Program& program, StmtId init) {
  const bool declares = init.valid() && program.stmt(init).kind == StmtKind::kDeclare;
  return declares ? std::optional(program.stmt(init).variable) : std::nullopt;
}

// f(slot, thread) wherever a chosen thread has not the same in both.
template <typename F>
void for_each_difference(const SymbolicCells& a, const SymbolicCells& b, const std::vector<char>& chosen, F&& f) {
  for (std::size_t slot = 0; slot < a.slots(); ++slot) {
    const bool are_same = a.is_same(slot) && b.is_same(slot) && a.at(0, slot) == b.at(0, slot);
    for (std::size_t t = 0; t < a.threads() && !are_same; ++t)
      if (chosen[t] && !(a.at(t, slot) == b.at(t, slot))) f(slot, t);
  }
}

}  // namespace

// A mask says which threads come, and a path under which condition one does: its mask is 0 where its path is kNowhere.
void SymbolicInterpreter::run_under(const Mask& mask, const std::function<void()>& body) {
  if (std::find(mask.begin(), mask.end(), 1) == mask.end()) return;
  Mask outer = std::exchange(mask_, mask);
  body();
  for (std::size_t t = 0; t < outer.size(); ++t)
    if (path_[t] == kNowhere) outer[t] = 0;
  mask_ = std::move(outer);
}

void SymbolicInterpreter::exec_if(const Stmt& stmt) {
  const auto other = [&] {
    if (stmt.body.size() > 1) exec(stmt.body[1]);
  };
  const Lanes condition = eval(stmt.expr);
  if (const auto known = condition.plain_integer()) return *known != 0 ? exec(stmt.body[0]) : other();
  const auto then = [&] {
    const std::size_t known = index_facts_.size();
    if (is_for_all()) add_facts(stmt.expr);
    exec(stmt.body[0]);
    index_facts_.resize(known);
  };
  run_arms(condition, then, other);
}

// What is at least 0 where a condition on indices holds, as comparisons say that all have to hold.
void SymbolicInterpreter::add_facts(ExprId id) {
  const Expr& e = program_.expr(id);
  if (e.kind == ExprKind::kCast || (e.kind == ExprKind::kBinary && e.op == Operator::kLogicalAnd))
    for (ExprId operand : e.operands) add_facts(operand);
  if (e.kind != ExprKind::kBinary || !is_comparison(e.op) || !is_plain_index(program_, id)) return;
  const Lanes left = eval(e.operands[0]), right = eval(e.operands[1]);
  const Symbol &a = left[0], &b = right[0];
  if (stopped() || !a.is_integer() || !b.is_integer()) return;
  const Polynomial above = a.number - b.number;  // of right
  const auto add = [&](Polynomial p) {
    if (!p.has(unknown_)) index_facts_.push_back(std::move(p));
  };
  if (e.op == Operator::kGe || e.op == Operator::kEq) add(above);
  if (e.op == Operator::kLe || e.op == Operator::kEq) add(Polynomial(0) - above);
  if (e.op == Operator::kGt) add(above - Polynomial(1));
  if (e.op == Operator::kLt) add(Polynomial(-1) - above);
}

SymbolicInterpreter::Arms SymbolicInterpreter::arms_of(const Lanes& condition) {
  Arms arms{mask_, mask_, path_, path_, Mask(mask_.size(), 0), Mask(mask_.size(), 0)};
  for_active([&](int t) {
    const Symbol& c = condition[at(t)];
    if (is_guard(c)) {
      arms.by_guard[at(t)] = 1;
      const Value holds = guards().both(path_[at(t)], guards().truth_of(guards().within(c.data, path_[at(t)])));
      if (may_be_undefined(elements_.provenance(), holds)) return give_up("a condition is undefined");
      const Value fails = guards().both(path_[at(t)], guards().negated(holds));
      if (!guards().is_possible(fails, region_)) arms.no[at(t)] = 0, arms.unless[at(t)] = kNowhere;
      else if (!guards().is_possible(holds, region_)) arms.yes[at(t)] = 0, arms.when[at(t)] = kNowhere;
      else arms.when[at(t)] = holds, arms.unless[at(t)] = fails;
    } else if (c.kind == Symbol::Kind::kData) {
      arms.by_data[at(t)] = 1;
    } else if (is_for_all() && !c.number.is_constant()) {
      arms.is_uncertain = true;
    } else if (const auto is = truth(c)) {
      (*is ? arms.no : arms.yes)[at(t)] = 0;
    }
  });
  return arms;
}

// Where data decide, both arms run, and what they leave in variables is selected. `by_data_` counts such conditions
// around, `of_call_` and `of_loop_` those around the innermost call and loop: nothing else may depend on them.
// Where a guard decides, both arms run under paths of their own, which every write minds.
SymbolicInterpreter::Arms SymbolicInterpreter::run_arms(const Lanes& condition, const std::function<void()>& then,
                                                        const std::function<void()>& other) {
  const Arms arms = arms_of(condition);
  if (stopped()) return arms;
  const bool by_data = std::find(arms.by_data.begin(), arms.by_data.end(), 1) != arms.by_data.end();
  uncertain_ += arms.is_uncertain;
  by_data_ += by_data;
  const std::vector<SymbolicCells> before = by_data ? local_cells(objects_) : std::vector<SymbolicCells>();
  path_ = arms.when;
  if (by_data) push_condition(condition, arms.by_data);
  const std::size_t of_then_stores = trace_.stores.size();
  run_under(arms.yes, then);
  const std::size_t of_other_stores = trace_.stores.size();
  const std::vector<SymbolicCells> after_then = by_data ? local_cells(objects_) : std::vector<SymbolicCells>();
  for (std::size_t o = 0; o < before.size(); ++o)
    for_each_difference(before[o], after_then[o], arms.by_data, [&](std::size_t slot, std::size_t t) {
      objects_[o].cells.at(t, slot) = before[o].at(t, slot);
    });
  const Paths of_then = path_;
  for (std::size_t t = 0; t < path_.size(); ++t)
    if (arms.by_guard[t]) path_[t] = arms.unless[t];
  if (by_data) data_conditions_.back().holds = false;
  run_under(arms.no, other);
  if (by_data) data_conditions_.pop_back();
  for (std::size_t t = 0; t < path_.size(); ++t)
    if (arms.by_guard[t]) mask_[t] = (path_[t] = guards().either(of_then[t], path_[t])) != kNowhere;
  uncertain_ -= arms.is_uncertain;
  by_data_ -= by_data;
  if (by_data) settle_stores(condition, arms.by_data, of_then_stores, of_other_stores);
  for (std::size_t o = 0; o < before.size(); ++o) {
    const SymbolicCells after_other = before[o].slots() > 0 ? objects_[o].cells : SymbolicCells();
    for_each_difference(after_then[o], after_other, arms.by_data, [&](std::size_t slot, std::size_t t) {
      if (!stopped())
        objects_[o].cells.at(t, slot) =
            selected(condition[t].data, after_then[o].at(t, slot), after_other.at(t, slot), objects_[o].scalar);
    });
  }
  return arms;
}

void SymbolicState::push_condition(const Lanes& condition, const Mask& by_data) {
  DataCondition& pushed = data_conditions_.emplace_back();
  for (std::size_t t = 0; t < by_data.size(); ++t) pushed.condition.push_back(by_data[t] ? condition[t].data : Value{});
}

void SymbolicInterpreter::leave(Paths& left) {
  if (uncertain_ > 0) return give_up("a condition of an index decides how a loop goes on");
  if (by_data_ > of_loop_) return give_up("data decide how a loop goes on");
  for_active([&](int t) {
    left[at(t)] = guards().either(left[at(t)], path_[at(t)]);
    path_[at(t)] = kNowhere;
  });
  for (std::size_t t = 0; t < mask_.size(); ++t) mask_[t] = mask_[t] && path_[t] != kNowhere;
}

// Those of `outer` that left come back.
void SymbolicInterpreter::rejoin(const Mask& outer, Paths& left) {
  for (std::size_t t = 0; t < mask_.size(); ++t) {
    if (!outer[t] || left[t] == kNowhere) continue;
    path_[t] = guards().either(path_[t], std::exchange(left[t], kNowhere));
    mask_[t] = 1;
  }
}

// Where the condition fails, a thread has finished. Whether a guard decides.
bool SymbolicInterpreter::test_loop(const Lanes& condition, std::vector<Paths>& finished) {
  if (condition.plain_integer().value_or(0) != 0) return false;
  const Arms arms = arms_of(condition);
  for_active([&](int t) {
    if (arms.is_uncertain) return give_up("how often a loop of the spec runs");
    if (arms.by_data[at(t)]) return give_up("data decide a condition");
    if (arms.no[at(t)]) finished[at(t)].push_back(arms.unless[at(t)]);
    const bool is_narrower = arms.yes[at(t)] && arms.by_guard[at(t)];
    path_[at(t)] = is_narrower       ? guards().narrowed(path_[at(t)], condition[at(t)].data, region_)
                   : arms.yes[at(t)] ? arms.when[at(t)]
                                     : kNowhere;
    mask_[at(t)] = path_[at(t)] != kNowhere;
  });
  return std::find(arms.by_guard.begin(), arms.by_guard.end(), 1) != arms.by_guard.end();
}

void SymbolicInterpreter::exec_loop(const Stmt& stmt, bool is_begun) {
  const bool is_for = stmt.kind == StmtKind::kFor;
  if (is_for && !is_begun) exec(stmt.body[0]);
  const auto variable = is_for ? declared_in(program_, stmt.body[0]) : std::nullopt;
  Paths outer_broken = std::exchange(broken_, nobody()), outer_continued = std::exchange(continued_, nobody());
  const Paths entered = here(), returned = returned_;
  std::vector<Paths> finished(mask_.size());  // by thread, after each test
  const Mask outer = mask_;
  const int of_outer_loop = std::exchange(of_loop_, by_data_);
  bool tests = stmt.kind != StmtKind::kDoWhile;
  int iterations = 0, guarded = 0;
  while (!stopped() && any()) {
    steps_ += threads_;
    if (tests && stmt.expr.valid()) {
      const Lanes condition = eval(stmt.expr);
      const bool is_open = is_for_all() && condition[0].is_integer() && !condition[0].number.is_constant();
      if (is_open && !stopped()) {
        look_once(stmt);
        break;
      }
      guarded += test_loop(condition, finished);
      if (variable) objects_[object_of(*variable)].declared = here();  // who has left does not see it
      const int most = spec_ != nullptr ? kMostGuardedOfSpec : is_begun ? kMostLeftOfRounds : kMostGuardedIterations;
      const bool is_long = split_ ? iterations >= kMostOpenIterations : guarded > most;
      if (is_long) split_.reset(), give_up("how often a loop runs depends on the sizes");
      ++iterations;
      if (stopped() || !any()) break;
    }
    tests = true;
    exec(is_for ? stmt.body[2] : stmt.body[0]);
    rejoin(outer, continued_);
    if (is_for) exec(stmt.body[1]);
  }
  of_loop_ = of_outer_loop;
  // Behind the loop, of threads that left it at different times, loop_counters.h may ask for it.
  if (variable && guarded > 0) objects_[object_of(*variable)].cells.clear();
  come_back(finished, entered, returned);
  rejoin(outer, broken_);
  broken_ = std::move(outer_broken);
  continued_ = std::move(outer_continued);
}

// Who has finished a loop is where it entered, unless it left on the way.
void SymbolicState::come_back(const std::vector<Paths>& finished, const Paths& entered, const Paths& returned) {
  for (std::size_t t = 0; t < mask_.size(); ++t) {
    if (finished[t].empty()) continue;
    mask_[t] = 1;
    const bool has_left = broken_[t] != kNowhere || returned_[t] != returned[t];
    if (!has_left) path_[t] = entered[t];
    for (std::size_t k = 0; has_left && k < finished[t].size(); ++k)
      path_[t] = guards().either(path_[t], finished[t][k]);
  }
}

void SymbolicInterpreter::exec_return(const Stmt& stmt) {
  if (uncertain_ > 0) return give_up("a condition of an index ends a function");
  if (by_data_ > of_call_) return give_up("data decide where a function ends");
  if (stmt.expr.valid()) {
    const Lanes value = eval(stmt.expr);
    if (stopped()) return;
    const int slots = static_cast<int>(value.size()) / threads_;
    if (return_value_.size() != value.size()) return_value_ = blank(slots);
    for_active([&](int t) {
      for (int s = 0; s < slots; ++s) {
        Symbol& returned = return_value_[at(t, slots, s)];
        returned = predicated(path_[at(t)], called_[at(t)], value[at(t, slots, s)], returned);
      }
    });
  }
  for_active([&](int t) {
    returned_[at(t)] = guards().either(returned_[at(t)], path_[at(t)]);
    path_[at(t)] = kNowhere;
    mask_[at(t)] = 0;
  });
  if (calling_.empty()) exited_ = returned_;
}

}  // namespace swizzle
