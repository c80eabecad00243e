// Statements of a symbolic run, and the index loops of a spec.
#include <algorithm>
#include <utility>

#include "synth/proof/symbolic_interpreter.h"

namespace swizzle {
namespace {

constexpr std::int64_t kMostSteps = 20'000'000;
constexpr int kMostOpenIterations = 4;  // of a kernel's loop whose length sizes decide

}  // namespace

SymbolicInterpreter::SymbolicInterpreter(const Program& program, SizeRegion& region, Elements& elements,
                                         const std::map<std::string, Polynomial>& sizes, const SpecRun* spec,
                                         const Extents* extents)
    : program_(program),
      region_(region),
      elements_(elements),
      sizes_(sizes),
      spec_(spec),
      extents_(extents),
      threads_(spec != nullptr ? 1 : region.threads[0] * region.threads[1] * region.threads[2]),
      unknown_(is_for_all() ? region.fresh() : Atom{0}) {}

void SymbolicInterpreter::bind_parameters() {
  const Function& entry = program_.function(program_.entry);
  for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
    const Variable& variable = program_.variable(entry.parameters[i]);
    const Type& type = program_.type(variable.type);
    Symbol value;
    if (type.form == Type::Form::kPointer) {
      const Type& item = program_.type(type.element);
      Object global;
      global.space = Object::Space::kGlobal;
      global.name = variable.name;
      global.buffer = i;
      global.is_const = type.pointee_is_const;
      global.scalar = item.scalar;
      global.slot_bytes = std::max(1, item.size_bytes / std::max(1, item.slots));
      if (item.is_mixed || item.form == Type::Form::kPointer) give_up("elements of several types");
      value = Symbol::pointer(static_cast<std::uint32_t>(objects_.size()), Polynomial());
      objects_.push_back(std::move(global));
    } else if (const auto size = sizes_.find(variable.name); size != sizes_.end()) {
      value = Symbol::integer(fitting(size->second, type.scalar));
    } else if (type.form == Type::Form::kScalar) {
      value = symbol_of(elements_.at(i, Polynomial(), type.scalar));
    } else {
      give_up("a parameter of type '" + type.spelling + "'");
    }
    const std::uint32_t object = object_of(entry.parameters[i]);
    std::fill(objects_[object].cells.begin(), objects_[object].cells.end(), value);
  }
}

SymbolicOutcome SymbolicInterpreter::run() {
  const auto threads = static_cast<std::size_t>(threads_);
  mask_.assign(threads, 1);
  returned_.assign(threads, 0);
  broken_ = continued_ = exited_ = returned_;
  warp_epoch_.assign((threads + 31) / 32, 0);
  bind_parameters();
  for (StmtId global : program_.globals) exec(global);
  exec(program_.function(program_.entry).body);
  return {std::move(trace_), split_, reason_};
}

void SymbolicInterpreter::run_under(const Mask& mask, const std::function<void()>& body) {
  if (std::find(mask.begin(), mask.end(), 1) == mask.end()) return;
  Mask outer = std::exchange(mask_, mask);
  body();
  for (std::size_t t = 0; t < outer.size(); ++t)
    if (returned_[t] || broken_[t] || continued_[t]) outer[t] = 0;
  mask_ = std::move(outer);
}

void SymbolicInterpreter::exec(StmtId id) {
  if (stopped() || !id.valid() || !any()) return;
  steps_ += threads_;
  if (steps_ > kMostSteps) return give_up("it takes too many steps");
  const Stmt& stmt = program_.stmt(id);
  const auto leave = [&](Mask& set) {
    if (uncertain_ > 0) return give_up("a condition of an index decides how a loop goes on");
    if (by_data_ > of_loop_) return give_up("data decide how a loop goes on");
    for_active([&](int t) { set[at(t)] = 1; });
    for (std::size_t t = 0; t < mask_.size(); ++t) mask_[t] = mask_[t] && !set[t];
  };
  switch (stmt.kind) {
    case StmtKind::kExpr: eval(stmt.expr); return;
    case StmtKind::kDeclare: exec_declare(stmt); return;
    case StmtKind::kBlock:
      for (StmtId s : stmt.body) exec(s);
      return;
    case StmtKind::kIf: exec_if(stmt); return;
    case StmtKind::kFor:
      if (spec_ != nullptr && exec_index_loop(id, stmt)) return;
      exec_loop(stmt);
      return;
    case StmtKind::kWhile:
    case StmtKind::kDoWhile: exec_loop(stmt); return;
    case StmtKind::kReturn: exec_return(stmt); return;
    case StmtKind::kBreak: leave(broken_); return;
    case StmtKind::kContinue: leave(continued_); return;
    default: give_up("a switch");
  }
}

void SymbolicInterpreter::exec_declare(const Stmt& stmt) {
  const Variable& variable = program_.variable(stmt.variable);
  const std::uint32_t object = object_of(stmt.variable);
  if (variable.is_shared || stopped()) return;
  objects_[object].depth = static_cast<int>(loops_.size());
  const int slots = objects_[object].slots;
  Lanes values = stmt.expr.valid() ? eval(stmt.expr) : blank(slots);
  if (stopped()) return;
  if (values.size() != objects_[object].cells.size()) return give_up("an initializer of another size");
  for_active([&](int t) {
    for (int s = 0; s < slots; ++s) objects_[object].cells[at(t, slots, s)] = values[at(t, slots, s)];
  });
}

void SymbolicInterpreter::exec_if(const Stmt& stmt) {
  run_arms(
      eval(stmt.expr), [&] { exec(stmt.body[0]); },
      [&] {
        if (stmt.body.size() > 1) exec(stmt.body[1]);
      });
}

// Where data decide, both arms run, and what they leave in variables is selected. `by_data_` counts such conditions
// around, `of_call_` and `of_loop_` those around the innermost call and loop: nothing else may depend on them.
SymbolicInterpreter::Arms SymbolicInterpreter::run_arms(const Lanes& condition, const std::function<void()>& then,
                                                        const std::function<void()>& other) {
  Arms arms{mask_, mask_, false};
  Mask undecided(mask_.size(), 0);
  for_active([&](int t) {
    const Symbol& c = condition[at(t)];
    if (c.kind == Symbol::Kind::kData) undecided[at(t)] = 1;
    else if (is_for_all() && !c.number.is_constant()) arms.is_uncertain = true;
    else if (const auto is = truth(c)) (*is ? arms.no : arms.yes)[at(t)] = 0;
  });
  if (stopped()) return arms;
  const bool by_data = std::find(undecided.begin(), undecided.end(), 1) != undecided.end();
  uncertain_ += arms.is_uncertain;
  by_data_ += by_data;
  const std::vector<Lanes> before = by_data ? local_cells() : std::vector<Lanes>();
  run_under(arms.yes, then);
  const std::vector<Lanes> after_then = by_data ? local_cells() : std::vector<Lanes>();
  for (std::size_t o = 0; o < before.size(); ++o)
    for (std::size_t k = 0; k < before[o].size(); ++k)
      if (undecided[k / static_cast<std::size_t>(objects_[o].slots)]) objects_[o].cells[k] = before[o][k];
  run_under(arms.no, other);
  uncertain_ -= arms.is_uncertain;
  by_data_ -= by_data;
  for (std::size_t o = 0; o < before.size(); ++o) {
    Object& object = objects_[o];
    for (std::size_t k = 0; k < before[o].size() && !stopped(); ++k) {
      const std::size_t t = k / static_cast<std::size_t>(object.slots);
      if (undecided[t] && !(after_then[o][k] == object.cells[k]))
        object.cells[k] = selected(condition[t], after_then[o][k], object.cells[k]);
    }
  }
  return arms;
}

// Of variables; none of what is shared.
std::vector<SymbolicInterpreter::Lanes> SymbolicInterpreter::local_cells() const {
  std::vector<Lanes> cells;
  for (const Object& object : objects_) cells.push_back(object.space == Object::Space::kLocal ? object.cells : Lanes());
  return cells;
}

Symbol SymbolicInterpreter::selected(const Symbol& condition, const Symbol& a, const Symbol& b) {
  if (a.is_pointer() || b.is_pointer()) return give_up("data decide an address"), Symbol{};
  return symbol_of(elements_.provenance().select(condition.data, data_of(a, Scalar::kI32), data_of(b, Scalar::kI32)));
}

void SymbolicInterpreter::exec_loop(const Stmt& stmt) {
  const bool is_for = stmt.kind == StmtKind::kFor;
  if (is_for) exec(stmt.body[0]);
  const Mask outer_broken = broken_, outer_continued = continued_;
  Mask outer = mask_;
  const int of_outer_loop = std::exchange(of_loop_, by_data_);
  bool tests = stmt.kind != StmtKind::kDoWhile;
  int open = 0;
  while (!stopped() && any()) {
    steps_ += threads_;
    if (tests && stmt.expr.valid()) {
      const Lanes condition = eval(stmt.expr);
      for_active([&](int t) {
        if (is_for_all() && !condition[at(t)].number.is_constant()) return give_up("how often a loop of the spec runs");
        if (truth(condition[at(t)]) == false) mask_[at(t)] = 0;
      });
      if (split_ && open >= kMostOpenIterations) split_.reset(), give_up("how often a loop runs depends on the sizes");
      ++open;
      if (stopped() || !any()) break;
    }
    tests = true;
    exec(is_for ? stmt.body[2] : stmt.body[0]);
    for (std::size_t t = 0; t < mask_.size(); ++t)
      if (continued_[t] && !outer_continued[t]) {
        continued_[t] = 0;
        if (outer[t] && !returned_[t] && !broken_[t]) mask_[t] = 1;
      }
    if (is_for) exec(stmt.body[1]);
  }
  of_loop_ = of_outer_loop;
  broken_ = outer_broken;
  mask_ = std::move(outer);
  for (std::size_t t = 0; t < mask_.size(); ++t) mask_[t] = mask_[t] && !returned_[t];
}

bool SymbolicInterpreter::has_effect(ExprId id) const {
  const Expr& e = program_.expr(id);
  if (e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec || e.kind == ExprKind::kCall) return true;
  if (e.kind == ExprKind::kIntrinsic && lane_behavior(e.intrinsic) == LaneBehavior::kOfSketches) return true;
  return std::any_of(e.operands.begin(), e.operands.end(), [&](ExprId o) { return has_effect(o); });
}

// for (int i = first; i < end; i += step), whose number of iterations depends on sizes; nothing for another loop.
std::optional<IndexLoop> SymbolicInterpreter::index_loop(StmtId id, const Stmt& stmt, VariableId& variable) {
  if (!stmt.body[0].valid() || !stmt.body[1].valid() || !stmt.expr.valid()) return std::nullopt;
  const Stmt &init = program_.stmt(stmt.body[0]), &step = program_.stmt(stmt.body[1]);
  const Expr& test = program_.expr(stmt.expr);
  if (init.kind != StmtKind::kDeclare || !init.expr.valid() || step.kind != StmtKind::kExpr ||
      test.kind != ExprKind::kBinary)
    return std::nullopt;
  variable = init.variable;
  const auto names_it = [&](ExprId e) {
    while (program_.expr(e).kind == ExprKind::kCast) e = program_.expr(e).operands[0];
    return program_.expr(e).kind == ExprKind::kVariable && program_.expr(e).variable == variable;
  };
  if (!names_it(test.operands[0]) || (test.op != Operator::kLt && test.op != Operator::kLe)) return std::nullopt;
  if (has_effect(init.expr) || has_effect(test.operands[1])) return std::nullopt;
  const Expr& advance = program_.expr(step.expr);
  IndexLoop loop;
  if (advance.kind == ExprKind::kAssign && advance.compound && advance.op == Operator::kAdd &&
      names_it(advance.operands[0]) && !has_effect(advance.operands[1])) {
    const Lanes by = eval(advance.operands[1]);
    const auto value = stopped() || !by[0].is_integer() ? std::nullopt : by[0].number.value();
    if (!value || *value <= 0) return std::nullopt;
    loop.step = *value;
  } else if (advance.kind != ExprKind::kIncDec || advance.op != Operator::kAdd || !names_it(advance.operands[0])) {
    return std::nullopt;
  }
  const Lanes first = eval(init.expr), end = eval(test.operands[1]);
  if (stopped() || !first[0].is_integer() || !end[0].is_integer()) return std::nullopt;
  loop.first = first[0].number;
  if (spec_->iterations && !spec_->index_loops.contains(id)) return std::nullopt;
  if (end[0].number.has(unknown_)) loop.first = end[0].number;
  const Polynomial length = end[0].number - loop.first + Polynomial(test.op == Operator::kLe);
  if (loop.first.has(unknown_)) return loop;
  if (length.is_constant() && !spec_->index_loops.contains(id)) return std::nullopt;
  const auto [quotient, rest] = (length + Polynomial(loop.step - 1)).divided(loop.step);
  if (!rest.is_constant()) return give_up("the steps of a loop of the spec do not divide its length"), std::nullopt;
  loop.count = quotient;
  return loop;
}

bool SymbolicInterpreter::exec_index_loop(StmtId id, const Stmt& stmt) {
  VariableId variable;
  auto loop = index_loop(id, stmt, variable);
  if (stopped()) return true;
  if (!loop) return false;
  Polynomial iteration;
  const std::uint32_t object = object_of(variable);
  if (is_for_all() && loop->first.has(unknown_)) {  // an index decides how often: what it may do is looked at once
    objects_[object].depth = static_cast<int>(loops_.size());
    objects_[object].cells[0] = unknown();
    ++uncertain_;
    exec(stmt.body[2]);
    --uncertain_;
    return true;
  }
  if (is_for_all()) {
    const auto known = trace_.loops.find(id);
    loop->index = known != trace_.loops.end() ? known->second.index : region_.fresh();
    iteration = Polynomial::atom(loop->index);
    if (known != trace_.loops.end() && !(known->second.count == loop->count))
      return give_up("a loop of the spec runs differently often"), true;
  } else {
    const auto given = spec_->iterations->find(id);
    if (given == spec_->iterations->end()) return true;  // others are looked at by themselves
    iteration = given->second;
  }
  trace_.loops[id] = *loop;
  objects_[object].depth = static_cast<int>(loops_.size());
  objects_[object].cells[0] = Symbol::integer(loop->first + iteration * Polynomial(loop->step));
  loops_.push_back(id);
  exec(stmt.body[2]);
  loops_.pop_back();
  if (broken_[0] || returned_[0]) give_up("an iteration of the spec ends its loop");
  if (continued_[0]) continued_[0] = 0, mask_[0] = 1;
  objects_[object].cells[0] = {};
  return true;
}

void SymbolicInterpreter::exec_return(const Stmt& stmt) {
  if (uncertain_ > 0) return give_up("a condition of an index ends a function");
  if (by_data_ > of_call_) return give_up("data decide where a function ends");
  if (stmt.expr.valid()) {
    const Lanes value = eval(stmt.expr);
    if (stopped()) return;
    if (return_value_.size() != value.size()) return_value_.assign(value.size(), Symbol{});
    const int slots = static_cast<int>(value.size()) / threads_;
    for_active([&](int t) {
      for (int s = 0; s < slots; ++s) return_value_[at(t, slots, s)] = value[at(t, slots, s)];
    });
  }
  for_active([&](int t) { returned_[at(t)] = 1; });
  for (std::size_t t = 0; t < mask_.size(); ++t) mask_[t] = mask_[t] && !returned_[t];
  if (calling_.empty()) exited_ = returned_;
}

SymbolicOutcome run_symbolically(const Program& program, SizeRegion& region, Elements& elements,
                                 const std::map<std::string, Polynomial>& sizes, const SpecRun* spec,
                                 const Extents* extents) {
  return SymbolicInterpreter(program, region, elements, sizes, spec, extents).run();
}

}  // namespace swizzle
