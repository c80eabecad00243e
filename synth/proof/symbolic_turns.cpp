// Loops of a kernel over a size that the launch does not know: see Turns in size_region.h.
//
//   grid(8) block(64)    for (i = 64 · b + t; i < n; i += 512) y[i] = x[i];
//
//   turn v = b, b + 8, b + 16, …:   if (64 · v + t < n) y[64 · v + t] = x[64 · v + t];
//
// The body runs once, for an unknown turn. It must change nothing that another turn sees, and end the loop nowhere.
#include <algorithm>
#include <numeric>
#include <ranges>
#include <utility>

#include "synth/proof/assigned_variables.h"
#include "synth/proof/rounds.h"
#include "synth/proof/symbolic_interpreter.h"
#include "synth/proof/updates.h"

namespace swizzle {
namespace {

// p = factor · a + constant, of an atom that is no block's.
struct OfOneAtom {
  Atom atom = 0;
  std::int64_t factor = 0;
};
std::optional<OfOneAtom> of_one_atom(const Polynomial& p) {
  if (p.is_broken() || p.terms().empty() || p.terms().size() > 2) return std::nullopt;
  const Polynomial::Term& t = p.terms().back();
  if (t.monomial == 0 || t.monomial > 255 || (p.terms().size() == 2 && p.terms()[0].monomial != 0)) return std::nullopt;
  return OfOneAtom{static_cast<Atom>(t.monomial), t.coefficient};
}

bool is_of_launch(Atom a, const SizeRegion& region) {
  for (std::size_t d = 0; d < kPositions; ++d)
    if (d != kTurns && (region.block[d].has(a) || region.grid[d].has(a))) return true;
  return false;
}

// In any way but by which blocks there are. What is left behind `n / 4 * 4` does not.
bool depends_on_size(const Polynomial& p, const SizeRegion& region) {
  return std::ranges::any_of(region.sizes, [&](const auto& size) {
    return std::ranges::any_of(size.second.terms(), [&](const Polynomial::Term& t) {
      const auto atom = static_cast<Atom>(t.monomial);
      return t.monomial != 0 && t.monomial <= 255 && p.has(atom) && !is_of_launch(atom, region);
    });
  });
}

// How far the blocks of a turn are apart, if `step` leads a block from one of its turns to the next: by the grid's
// dimension that `first` grows with.
struct BlockStride {
  std::int64_t unit = 0;
  Polynomial block;
  std::size_t dimension = kPositions;  // none: a block makes all turns
};
std::optional<BlockStride> block_stride(const Polynomial& first, std::int64_t step, const SizeRegion& region) {
  for (std::size_t d = 0; d < kPositions; ++d) {
    if (d == kTurns) continue;
    const auto block = of_one_atom(region.block[d]);
    const auto blocks = region.grid[d].value();
    if (!block || first.coefficient(block->atom) == 0) continue;
    const std::int64_t unit = first.coefficient(block->atom);
    if (!blocks || unit <= 0 || step % unit != 0 || step / unit != *blocks) return std::nullopt;
    return BlockStride{unit, region.block[d], d};
  }
  return BlockStride{step, Polynomial()};
}

// The size that decides where a loop ends, being the only one, and how many iterations there are for one of it.
std::optional<Turns> turns_of(const Polynomial& end, std::int64_t unit, const SizeRegion& region) {
  const auto of = of_one_atom(end);
  if (!of || of->factor <= 0 || is_of_launch(of->atom, region)) return std::nullopt;
  for (const auto& [name, size] : region.sizes) {
    const auto same = of_one_atom(size);
    if (same && same->atom == of->atom && same->factor % of->factor == 0)
      return Turns{name, unit * (same->factor / of->factor)};
  }
  return std::nullopt;
}

}  // namespace

// Of a run before turns are known, in which no read is looked at, which ones there are is found.
bool SymbolicInterpreter::note_turns(StmtId id, const CountedLoop& loop, const Polynomial& end, const Lanes& first,
                                     std::int64_t step, StmtId body) {
  const auto here = static_cast<std::size_t>(std::ranges::find(mask_, 1) - mask_.begin());
  const Symbol& from = first[here];
  const auto stride = from.is_integer() ? block_stride(from.number, step, region_) : std::nullopt;
  const auto turns = stride ? turns_of(end, stride->unit, region_) : std::nullopt;
  if (!turns || (stride->dimension == kPositions && !stores_in(body))) return false;
  LoopSteps& steps = trace_.steps;
  if (!steps.turns) steps.turns = turns;
  if (steps.turns->size == turns->size && steps.turns->unit == turns->unit) steps.turn_loops.insert(id);
  declare(objects_[object_of(loop.variable)], first);
  exec(body);
  return true;
}

// By thread, where it is in the turn that is looked at. False: that is not followed.
bool SymbolicState::find_turn(SymbolicTurn& turn, const Lanes& first) {
  for (std::size_t t = 0; t < mask_.size(); ++t) {
    if (!mask_[t]) continue;
    const auto stride = first[t].is_integer() ? block_stride(first[t].number, turn.step, region_) : std::nullopt;
    if (!stride) return give_up("the steps of a loop are not those of all blocks"), false;
    const Polynomial unit(stride->unit), rest = first[t].number - unit * stride->block;
    // From 0 on, and none beyond those of the region.
    if (rest.value().value_or(-1) < 0 ||
        region_.least(unit * region_.grid[kTurns] + rest - turn.last - Polynomial(1)).value_or(-1) < 0)
      return give_up("a loop makes more turns than a loop of the spec has iterations"), false;
    turn.index[t] = unit * region_.block[kTurns] + rest;
    turn.first[t] = first[t].number;
    turn.are_all = turn.are_all && stride->block.terms().empty();
    const bool is_other = trace_.turns_over && *trace_.turns_over != stride->dimension;
    trace_.turns_over = is_other ? kPositions : stride->dimension;
  }
  return true;
}

bool SymbolicInterpreter::exec_turns(StmtId id, const Stmt& stmt) {
  const auto& dimension = region_.dimensions[kTurns];
  if ((!dimension && extents_ != nullptr) || !loops_.empty()) return false;
  const auto loop = counted_loop(program_, stmt);
  const bool stores = stores_in(stmt.body[2]), is_known = region_.turn_loops.contains(id);
  if (!loop || (!stores && dimension && !is_known)) return false;
  if (!stores && std::ranges::none_of(program_.exprs, is_atomic)) return false;
  const Lanes first = eval(loop->first), end = eval(loop->end),
              by = loop->step.valid() ? eval(loop->step) : splat(Symbol::integer(Polynomial(1)));
  if (stopped()) return true;
  const Symbol *const to = same_everywhere(end), *const step = same_everywhere(by);
  if (to == nullptr || step == nullptr || !to->is_integer() || !step->is_integer()) return false;
  const auto by_one = step->number.value();
  if (!by_one || *by_one <= 0 || (!is_known && to->number.is_constant())) return false;
  const auto is_of_tail = [&](std::size_t t) {
    return mask_[t] == 0 || (first[t].is_integer() && !depends_on_size(to->number - first[t].number, region_));
  };
  if (!is_known && std::ranges::all_of(std::views::iota(std::size_t{0}, mask_.size()), is_of_tail)) return false;
  if (dimension && !is_known && !to->number.has(dimension->behind)) return false;
  if (!dimension) return note_turns(id, *loop, to->number, first, *by_one, stmt.body[2]);
  SymbolicTurn turn{loop->variable,
                    std::vector<Polynomial>(mask_.size()),
                    std::vector<Polynomial>(mask_.size()),
                    *by_one,
                    to->number + Polynomial(loop->beyond() - 1),
                    true,
                    !stores,
                    loop->ahead};
  if (find_turn(turn, first)) take_turn(id, *loop, stmt.body[2], turn);
  return true;
}

// Whether it may store to a buffer.
bool SymbolicState::stores_in(StmtId body) const {
  const AssignedVariables assigned = AssignedVariables::in(program_, body);
  return std::ranges::any_of(assigned.through, [&](VariableId id) {
    const auto it = object_of_.find(id);
    if (it == object_of_.end()) return true;
    const Symbol& p = objects_[it->second].cells.at(0, 0);
    return !p.is_pointer() || objects_[p.object].space == Object::Space::kGlobal;
  });
}

// A loop that is followed by rounds (rounds.h), which has a say in how its size is looked at. Its body may have such
// loops, too.
bool SymbolicInterpreter::note_tiles(const CountedLoop& loop, StmtId body) {
  const Lanes first = eval(loop.first), end = eval(loop.end),
              by = loop.step.valid() ? eval(loop.step) : splat(Symbol::integer(Polynomial(1)));
  const Symbol *const to = stopped() ? nullptr : same_everywhere(end), *const step = same_everywhere(by);
  if (to == nullptr || step == nullptr || !to->is_integer() || to->number.is_constant()) return stopped();
  const auto by_one = step->is_integer() ? step->number.value() : std::nullopt;
  if (!by_one || *by_one <= 0) return false;
  if (const auto tile = turns_of(to->number, *by_one, region_)) {
    std::int64_t& unit = trace_.steps.tiles.try_emplace(tile->size, 1).first->second;
    unit = std::lcm(unit, tile->unit);
  }
  declare(objects_[object_of(loop.variable)], first);
  exec(body);
  return true;
}

// In iterations that store: what is at the start of the one behind these rounds. are_all: that they are those before
// it.
std::vector<CarriedSymbol> SymbolicInterpreter::carried_to(const SymbolicRounds& rounds, bool are_all,
                                                           const CountedLoop& loop, StmtId body) {
  std::vector<CarriedSymbol> carried = carried_by(body);
  if (carried.empty() || stopped()) return carried;
  const std::vector<SymbolicCells> before = outer_cells();
  const SymbolicEffects effects = effects_so_far();
  const Lanes end = eval(loop.end);
  rounds_.push_back(rounds);
  guards().assume(are_all ? rounds.left() : Polynomial::atom(rounds.number));
  const bool was_rehearsed = std::exchange(is_rehearsed_, true);
  find_carried(carried, rounds, body, effects);
  check_head(loop, end, rounds.step);
  is_rehearsed_ = was_rehearsed;
  if (!stopped()) check_the_others(carried, before);
  guards().take_back();
  rounds_.pop_back();
  if (stopped()) return carried;
  take_back(effects);
  for (CarriedSymbol& c : carried) {
    const bool is_known = are_all || c.kind == CarriedSymbol::Kind::kSame;
    objects_[c.object].cells.at(c.thread, c.slot) = is_known ? after_rounds(c, carried, rounds) : Symbol();
  }
  return carried;
}

SymbolicRounds SymbolicState::turns_before(const SymbolicTurn& turn) {
  return {turn.variable, turn.first, turn.step, 1, region_.block[kTurns], region_.round(rounds_.size()), turn.ahead};
}

// After a turn: the next one does not race with it. Where it ends, only what stays the same is known.
void SymbolicInterpreter::end_turn(const SymbolicTurn& turn, StmtId body, std::vector<CarriedSymbol>& carried,
                                   const SymbolicEffects& before) {
  if (shared_uses_ > before.shared_uses && !stopped()) {
    const SymbolicEffects effects = effects_so_far();
    const SymbolicRounds rounds = turns_before(turn);
    rounds_.push_back(rounds);
    guards().assume(turn.are_all ? rounds.left() : Polynomial::atom(rounds.number));
    const bool was_rehearsed = std::exchange(is_rehearsed_, true);
    begin_round(carried);
    run_round(rounds, body);
    is_rehearsed_ = was_rehearsed;
    guards().take_back();
    rounds_.pop_back();
    take_back(effects);
  }
  keep_uses(before, 0);
  for (const CarriedSymbol& c : carried) {
    Symbol& cell = objects_[c.object].cells.at(c.thread, c.slot);
    cell = c.kind == CarriedSymbol::Kind::kSame ? c.original : Symbol();
    if (turn.adds_up && c.kind == CarriedSymbol::Kind::kAdds) cell = symbol_of(c.part);
  }
}

void SymbolicInterpreter::take_turn(StmtId id, const CountedLoop& loop, StmtId body, const SymbolicTurn& turn) {
  const std::uint32_t object = object_of(turn.variable);
  const Scalar scalar = scalar_of(program_.variable(turn.variable).type);
  Lanes condition = blank();
  for_active([&](int t) { condition[at(t)] = compared(turn.last - turn.index[at(t)]); });
  if (stopped()) return;
  const Paths returned = returned_, outer_broken = std::exchange(broken_, nobody()),
              outer_continued = std::exchange(continued_, nobody());
  const int of_outer_loop = std::exchange(of_loop_, by_data_);
  const auto take = [&] {
    const SymbolicEffects before = effects_so_far();
    std::vector<CarriedSymbol> carried = carried_to(turns_before(turn), turn.are_all, loop, body);
    if (stopped()) return;
    std::set<std::uint32_t> objects;
    for (const CarriedSymbol& c : carried) objects.insert(c.object);
    carried_.swap(objects);
    if (turn.adds_up) begin_sums_of_turns(carried);
    declare(objects_[object], blank());
    for_active(
        [&](int t) { objects_[object].cells.at(at(t), 0) = Symbol::integer(fitting(turn.index[at(t)], scalar)); });
    const Mask outer = mask_;
    loops_.push_back(id);
    exec(body);
    loops_.pop_back();
    rejoin(outer, continued_);
    carried_.swap(objects);
    for_active([&](int t) { fitting(turn.index[at(t)] + Polynomial(turn.step + turn.ahead), scalar); });
    if (broken_ != nobody() || returned_ != returned) give_up("an iteration of the kernel ends its loop");
    if (turn.adds_up) end_sums_of_turns(carried);
    end_turn(turn, body, carried, before);
  };
  run_arms(condition, take, [] {});
  of_loop_ = of_outer_loop;
  broken_ = outer_broken;
  continued_ = outer_continued;
  objects_[object].cells.clear();
}

}  // namespace swizzle
