// Statements of a symbolic run, and the index loops of a spec.
#include <algorithm>
#include <utility>

#include "synth/program/places.h"
#include "synth/proof/assigned_variables.h"
#include "synth/proof/in_place.h"
#include "synth/proof/symbolic_interpreter.h"

namespace swizzle {
namespace {

constexpr std::int64_t kMostSteps = 20'000'000, kStepsBetweenLooks = 20'000;
constexpr std::size_t kMostMade = 4'000'000, kMadeBetweenLooks = 20'000;  // nodes of provenance

}  // namespace

SymbolicInterpreter::SymbolicInterpreter(const Program& program, SizeRegion& region, Elements& elements,
                                         const std::map<std::string, Polynomial>& sizes, const SpecRun* spec,
                                         const Extents* extents, const Deadline& deadline)
    : SymbolicState(program, region, elements, sizes, spec, extents, deadline) {}

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
      if (!packed_scalar(item)) give_up("items of several types, or with padding");
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
    for (std::size_t s = 0; s < objects_[object].cells.slots(); ++s) objects_[object].cells.set_all(s, value);
  }
}

SymbolicOutcome SymbolicInterpreter::run() {
  const auto threads = static_cast<std::size_t>(threads_);
  path_ = spec_ != nullptr ? spec_->where : Paths(threads, kEverywhere);
  for (Value path : path_) mask_.push_back(path != kNowhere);
  returned_ = broken_ = continued_ = exited_ = nobody();
  warp_epoch_.assign((threads + 31) / 32, 0);
  stores_of_.resize(threads);
  bind_parameters();
  for (StmtId global : program_.globals) exec(global);
  exec(program_.function(program_.entry).body);
  if (spec_ != nullptr && !stopped()) judge_reads_in_place();
  return {std::move(trace_), split_, reason_};
}

// Iterations of a loop that read what others of it may have stored are to be made in order.
void SymbolicState::judge_reads_in_place() {
  for (const ReadInPlace* read : reads_of_others(trace_)) {
    const auto is_of_loop = [&](const StoredSymbol& s) { return s.buffer != read->buffer || s.loops == read->loops; };
    if (!is_for_all() || read->loops.empty() || !std::ranges::all_of(trace_.stores, is_of_loop))
      return give_up("a buffer is read and written");
    trace_.sequences.insert(read->loops.back());
  }
}

void SymbolicState::look_at_deadline() {
  const std::size_t made = elements_.provenance().size();
  next_look_ = steps_ + kStepsBetweenLooks;
  next_made_ = made + kMadeBetweenLooks;
  if (deadline_.passed()) give_up("there was no time to follow it");
  else if (made > kMostMade) give_up("it takes too much memory");
}

void SymbolicInterpreter::exec(StmtId id) {
  if (stopped() || !id.valid() || !any()) return;
  steps_ += threads_;
  if (steps_ > kMostSteps * (spec_ != nullptr ? threads_ : 1)) return give_up("it takes too many steps");
  look_at_time();
  const Stmt& stmt = program_.stmt(id);
  switch (stmt.kind) {
    case StmtKind::kExpr: eval(stmt.expr); return;
    case StmtKind::kDeclare: exec_declare(stmt); return;
    case StmtKind::kBlock:
      for (StmtId s : stmt.body) exec(s);
      return;
    case StmtKind::kIf: exec_if(stmt); return;
    case StmtKind::kFor:
      if (spec_ != nullptr ? exec_index_loop(id, stmt) : exec_turns(id, stmt)) return;
      if (exec_rounds(stmt)) return;
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
  const int slots = objects_[object].slots;
  const Lanes values = stmt.expr.valid() ? eval(stmt.expr) : blank(slots);
  if (stopped()) return;
  if (values.size() != at(threads_, slots)) return give_up("an initializer of another size");
  declare(objects_[object], values);
}

// A new variable, of the threads that are here alone.
void SymbolicInterpreter::declare(Object& object, const Lanes& values) {
  object.depth = depth();
  if (is_for_all()) loose_.erase(static_cast<std::uint32_t>(&object - objects_.data()));
  object.declared = here();
  for (int s = 0; s < object.slots; ++s) {
    const auto slot = static_cast<std::size_t>(s);
    if (values.is_same()) object.cells.set_all(slot, values[slot]);
    else for_active([&](int t) { object.cells.at(at(t), slot) = values[at(t, object.slots, s)]; });
  }
}

// for (int i = first; i < end; i += step), whose number of iterations depends on sizes; nothing for another loop. Of
// given iterations, each thread has its own `firsts`.
std::optional<IndexLoop> SymbolicInterpreter::index_loop(StmtId id, const Stmt& stmt, VariableId& variable,
                                                         Lanes& firsts) {
  const auto counted = counted_loop(program_, stmt);
  if (!counted) return std::nullopt;
  variable = counted->variable;
  IndexLoop loop;
  if (counted->step.valid()) {
    const Lanes by = eval(counted->step);
    const Symbol* const same = stopped() ? nullptr : same_everywhere(by);
    const auto value = same == nullptr || !same->is_integer() ? std::nullopt : same->number.value();
    if (!value || *value <= 0) return std::nullopt;
    loop.step = *value;
  }
  firsts = eval(counted->first);
  const Lanes end = eval(counted->end);
  if (spec_->iterations && !stopped()) return spec_->index_loops.contains(id) ? std::optional(loop) : std::nullopt;
  const Symbol *const from = same_everywhere(firsts), *const to = same_everywhere(end);
  if (stopped() || from == nullptr || to == nullptr || !from->is_integer() || !to->is_integer()) return std::nullopt;
  loop.first = from->number;
  if (to->number.has(unknown_)) loop.first = to->number;
  const Polynomial length = to->number - loop.first + Polynomial(counted->beyond());
  if (loop.first.has(unknown_)) return loop;
  if (length.is_constant() && !spec_->index_loops.contains(id)) return std::nullopt;
  const auto [quotient, rest] = (length + Polynomial(loop.step - 1)).divided(loop.step);
  if (region_.least(rest).value_or(-1) < 0 || region_.most(rest).value_or(loop.step) >= loop.step)
    return give_up(std::string(kUndividedLength)), std::nullopt;
  loop.count = quotient;
  return loop;
}

// In a run for all, what an iteration leaves to the next one is not known.
void SymbolicInterpreter::loosen(StmtId body) {
  for (const std::uint32_t changed : changed_in(body)) {
    loose_.insert(changed);
    forget(objects_[changed], false);
  }
}

// As in a run for all, what a loop that indices end does is looked at once, whatever it began with and left.
void SymbolicInterpreter::look_once(const Stmt& loop) {
  std::set<std::uint32_t> changed;
  for (StmtId part : loop.body)
    if (part.valid()) changed.merge(changed_in(part));
  const auto forget_all = [&] {
    for (const std::uint32_t object : changed) forget(objects_[object], true);
  };
  forget_all();
  ++uncertain_;
  exec(loop.kind == StmtKind::kFor ? loop.body[2] : loop.body[0]);
  --uncertain_;
  forget_all();
}

// By thread, the iteration of the loop that it is in; none, if it is in none.
std::vector<Polynomial> SymbolicInterpreter::iteration_of(StmtId id, IndexLoop& loop) {
  if (!is_for_all()) {
    const auto given = spec_->iterations->find(id);
    return given != spec_->iterations->end() ? given->second : std::vector<Polynomial>();
  }
  const auto known = trace_.loops.find(id);
  loop.index = known != trace_.loops.end() ? known->second.index : region_.fresh();
  if (known != trace_.loops.end() && !(known->second.count == loop.count))
    give_up("a loop of the spec runs differently often");
  return {Polynomial::atom(loop.index)};
}

// Whether the body changes something that says how far the loop goes, and by which steps.
static bool changes_head(const Program& program, const Stmt& loop) {
  const std::set<VariableId> changed = AssignedVariables::in(program, loop.body[2]).variables;
  const auto names_any = [&](ExprId id, const auto& self) -> bool {
    const Expr& e = program.expr(id);
    return (e.kind == ExprKind::kVariable && changed.contains(e.variable)) ||
           std::ranges::any_of(e.operands, [&](ExprId operand) { return self(operand, self); });
  };
  return names_any(loop.expr, names_any) || names_any(program.stmt(loop.body[1]).expr, names_any);
}

bool SymbolicInterpreter::exec_index_loop(StmtId id, const Stmt& stmt) {
  if (spec_->iterations && spec_->index_loops.contains(id) && !spec_->with_stores.contains(id)) return false;
  VariableId variable;
  Lanes firsts = blank();
  auto loop = index_loop(id, stmt, variable, firsts);
  if (loop && changes_head(program_, stmt)) give_up("a loop changes how long it is");
  if (stopped() || !loop) return stopped();
  if (is_for_all()) loosen(stmt.body[2]);
  const std::uint32_t object = object_of(variable);
  if (is_for_all() && loop->first.has(unknown_)) {  // an index decides how often: what it may do is looked at once
    objects_[object].depth = static_cast<int>(loops_.size());
    objects_[object].cells.set_all(0, unknown());
    ++uncertain_;
    exec(stmt.body[2]);
    --uncertain_;
    return true;
  }
  const std::vector<Polynomial> iteration = iteration_of(id, *loop);
  if (stopped()) return true;
  if (iteration.empty()) {  // others are looked at by themselves; what they leave is not known here
    for (const std::uint32_t changed : changed_in(stmt.body[2])) objects_[changed].cells.clear();
    return true;
  }
  trace_.loops[id] = *loop;
  const auto take = [&](std::int64_t further) {
    Lanes index = blank();
    for_active([&](int t) {
      const Symbol& first = std::as_const(firsts)[at(t)];
      if (!first.is_integer()) return give_up("where a loop of the spec begins");
      index[at(t)] = Symbol::integer(first.number + (iteration[at(t)] + Polynomial(further)) * Polynomial(loop->step));
    });
    declare(objects_[object], index);
    const auto body = [&] { take_iteration(id, stmt.body[2]); };
    if (further == 0) body();
    else run_arms(eval(stmt.expr), body, [] {});
  };
  if (id == spec_->sequence) in_sequence(stmt, firsts, iteration, take);
  else take(0);
  objects_[object].cells.clear();
  return true;
}

void SymbolicInterpreter::take_iteration(StmtId id, StmtId body) {
  const Mask outer = mask_;
  loops_.push_back(id);
  exec(body);
  loops_.pop_back();
  if (broken_ != nobody() || returned_ != nobody()) give_up("an iteration of the spec ends its loop");
  rejoin(outer, continued_);
}

// The rounds that the iterations before this one are, if those of all threads are as many; of as many iterations as
// follow one another.
std::optional<SymbolicRounds> SymbolicInterpreter::rounds_before(const CountedLoop& loop, const Lanes& firsts,
                                                                 const std::vector<Polynomial>& iteration) {
  const Lanes by = loop.step.valid() ? eval(loop.step) : splat(Symbol::integer(Polynomial(1)));
  const Symbol* const step = stopped() ? nullptr : same_everywhere(by);
  const auto by_one = step != nullptr && step->is_integer() ? step->number.value() : std::nullopt;
  if (by_one.value_or(0) <= 0) return std::nullopt;
  SymbolicRounds rounds{loop.variable,
                        std::vector<Polynomial>(mask_.size()),
                        *by_one,
                        spec_->sequence_length,
                        {},
                        region_.round(rounds_.size()),
                        loop.ahead};
  std::optional<Polynomial> count;
  bool are_as_many = true;
  for_active([&](int t) {
    const auto [quotient, rest] = iteration[at(t)].divided(spec_->sequence_length);
    are_as_many =
        are_as_many && firsts[at(t)].is_integer() && rest.terms().empty() && count.value_or(quotient) == quotient;
    count = quotient;
    if (are_as_many) rounds.first[at(t)] = firsts[at(t)].number;
  });
  if (!are_as_many || !count || region_.least(*count).value_or(-1) < 0) return std::nullopt;
  rounds.count = *count;
  return rounds;
}

static bool has_values(const SymbolicCells& cells) {
  for (std::size_t t = 0; t < cells.threads(); ++t)
    for (std::size_t s = 0; s < cells.slots(); ++s)
      if (!cells.at(t, s).is_undefined()) return true;
  return false;
}

// What iterations before these left in variables is known as far as rounds.h finds it; what those behind them leave is
// not.
void SymbolicInterpreter::in_sequence(const Stmt& stmt, const Lanes& firsts, const std::vector<Polynomial>& iteration,
                                      const std::function<void(std::int64_t)>& take) {
  std::set<std::uint32_t> changed = changed_in(stmt.body[2]), unknown = changed;
  const auto loop = counted_loop(program_, stmt);
  // What was declared around an outer loop, other iterations of that leave.
  for (const std::uint32_t object : changed)
    if (objects_[object].depth < static_cast<int>(loops_.size())) objects_[object].cells.clear();
  const bool hands_on =
      std::ranges::any_of(changed, [&](std::uint32_t object) { return has_values(objects_[object].cells); });
  if (const auto rounds = loop && hands_on ? rounds_before(*loop, firsts, iteration) : std::nullopt)
    for (const CarriedSymbol& c : carried_to(*rounds, true, *loop, stmt.body[2])) unknown.erase(c.object);
  if (stopped()) return;
  for (const std::uint32_t object : unknown) objects_[object].cells.clear();
  std::set<std::uint32_t> outer = std::exchange(carried_, changed);
  for (std::int64_t k = 0; k < spec_->sequence_length && !stopped(); ++k) take(k);
  carried_ = std::move(outer);
  for (const std::uint32_t object : changed) objects_[object].cells.clear();
}

SymbolicOutcome run_symbolically(const Program& program, SizeRegion& region, Elements& elements,
                                 const std::map<std::string, Polynomial>& sizes, const SpecRun* spec,
                                 const Extents* extents, const Deadline& deadline) {
  return SymbolicInterpreter(program, region, elements, sizes, spec, extents, deadline).run();
}

}  // namespace swizzle
