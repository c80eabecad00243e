// Rounds of a loop over a size: see rounds.h.
#include <algorithm>
#include <numeric>

#include "synth/proof/assigned_variables.h"
#include "synth/proof/rounds.h"
#include "synth/proof/symbolic_interpreter.h"

namespace swizzle {
namespace {

constexpr std::int64_t kMostIterationsOfRound = 1024;
constexpr int kMostPasses = 8;

// p = unit · count + rest, where the rest is bounded; no count: all of it is.
struct Open {
  Polynomial count, rest;
  std::int64_t unit = 0;
};
Open open_part(const Polynomial& p, const SizeRegion& region) {
  Open open;
  Polynomial all;
  for (const Polynomial::Term& t : p.terms()) {
    Polynomial term(t.coefficient);
    bool is_open = false;
    if (t.monomial != 0)
      for (Atom a : atoms_of(t.monomial)) {
        term = term * Polynomial::atom(a);
        is_open = is_open || !region.is_bounded(a);
      }
    if (!is_open) open.rest = open.rest + term;
    else all = all + term, open.unit = std::gcd(open.unit, t.coefficient);
  }
  if (open.unit != 0) open.count = all.divided(open.unit).quotient;
  return open;
}

}  // namespace

// The rounds that all threads make of the loop; none, where sizes do not decide how long it is.
std::optional<SymbolicRounds> SymbolicInterpreter::rounds_of(const CountedLoop& loop) {
  const Lanes first = eval(loop.first), end = eval(loop.end),
              by = loop.step.valid() ? eval(loop.step) : splat(Symbol::integer(Polynomial(1)));
  const Symbol* const step = stopped() ? nullptr : same_everywhere(by);
  const auto by_one = step == nullptr || !step->is_integer() ? std::nullopt : step->number.value();
  if (!by_one || *by_one <= 0) return std::nullopt;
  SymbolicRounds rounds{loop.variable, std::vector<Polynomial>(mask_.size()), *by_one, 1, {}, 0, loop.ahead};
  std::optional<Open> same;
  std::int64_t least_rest = 0;
  for (std::size_t t = 0; t < mask_.size(); ++t) {
    if (!mask_[t]) continue;
    if (!first[t].is_integer() || !end[t].is_integer() || region_.least(first[t].number).value_or(-1) < 0)
      return std::nullopt;
    rounds.first[t] = first[t].number;
    const Open open = open_part(end[t].number - first[t].number + Polynomial(loop.beyond()), region_);
    const auto rest = region_.least(open.rest);
    if (open.unit == 0 || !rest || (same && !(same->count == open.count && same->unit == open.unit)))
      return std::nullopt;
    least_rest = same ? std::min(least_rest, *rest) : *rest;
    same = open;
  }
  if (!same || same->unit % *by_one != 0) return std::nullopt;
  rounds.chunk = same->unit / *by_one;
  if (rounds.chunk > kMostIterationsOfRound) return std::nullopt;
  // All iterations of all rounds begin before the end.
  const std::int64_t missing = std::max<std::int64_t>(1 - *by_one - least_rest, 0);
  rounds.count = same->count - Polynomial((missing + same->unit - 1) / same->unit);
  const auto are_some = is_at_least_0(rounds.count);
  if (are_some != true) return std::nullopt;
  rounds.number = region_.round(rounds_.size());
  return rounds;
}

bool SymbolicInterpreter::exec_rounds(const Stmt& stmt) {
  if (is_for_all() || by_data_ > 0 || uncertain_ > 0) return false;
  const auto loop = counted_loop(program_, stmt);
  if (!loop) return false;
  if (spec_ == nullptr && extents_ == nullptr) return note_tiles(*loop, stmt.body[2]);
  const auto rounds = rounds_of(*loop);
  if (stopped()) return true;
  if (!rounds || (region_.unrolls && region_.most(rounds->count))) return false;
  if (!take_rounds(*rounds, *loop, stmt)) return true;
  Lanes next = blank();
  for_active([&](int t) { next[at(t)] = Symbol::integer(rounds->index(at(t), rounds->count, 0)); });
  declare(objects_[object_of(rounds->variable)], next);
  exec_loop(stmt, true);
  return true;
}

// Finds how the rounds leave what they change, and leaves it so.
bool SymbolicInterpreter::take_rounds(const SymbolicRounds& rounds, const CountedLoop& loop, const Stmt& stmt) {
  std::vector<CarriedSymbol> carried = carried_by(stmt.body[2]);
  const std::vector<SymbolicCells> before = outer_cells();
  const SymbolicEffects effects = effects_so_far();
  const Lanes end = eval(loop.end);
  rounds_.push_back(rounds);
  guards().assume(rounds.left());
  find_carried(carried, rounds, stmt.body[2], effects);
  if (!stopped() && shared_uses_ > effects.shared_uses) {
    begin_round(carried);
    run_round(rounds, stmt.body[2]);
    if (!stopped() && !learn(carried, rounds)) give_up("what a loop over a size changes from round to round");
  }
  check_head(loop, end, rounds.step);
  if (!stopped()) check_the_others(carried, before);
  guards().take_back();
  rounds_.pop_back();
  if (stopped()) return false;
  end_rounds(carried, rounds);
  keep_uses(effects, region_.least(rounds.count).value_or(0));
  return !stopped();
}

// After a round: what the loop's head says is what it was.
void SymbolicInterpreter::check_head(const CountedLoop& loop, const Lanes& end, std::int64_t step) {
  if (stopped()) return;
  const Lanes end_after = eval(loop.end),
              step_after = loop.step.valid() ? eval(loop.step) : splat(Symbol::integer(Polynomial(step)));
  for_active([&](int t) {
    if (!(end[at(t)] == end_after[at(t)]) || !(step_after[at(t)] == Symbol::integer(Polynomial(step))))
      give_up("a loop changes how long it is");
  });
}

void SymbolicInterpreter::find_carried(std::vector<CarriedSymbol>& carried, const SymbolicRounds& rounds, StmtId body,
                                       const SymbolicEffects& effects) {
  bool is_known = false;
  for (int pass = 0; pass < kMostPasses && !is_known && !stopped(); ++pass) {
    if (pass > 0) take_back(effects);
    begin_round(carried);
    run_round(rounds, body);
    is_known = !stopped() && learn(carried, rounds);
  }
  if (is_known || stopped()) return;
  if (!is_rehearsed_) return give_up("what a loop over a size changes from round to round");
  for (CarriedSymbol& c : carried) c.kind = CarriedSymbol::Kind::kLost;
}

void SymbolicInterpreter::run_round(const SymbolicRounds& rounds, StmtId body) {
  const std::uint32_t object = object_of(rounds.variable);
  const Scalar scalar = scalar_of(program_.variable(rounds.variable).type);
  const Polynomial number = Polynomial::atom(rounds.number);
  const Paths returned = returned_, outer_broken = std::exchange(broken_, nobody()),
              outer_continued = std::exchange(continued_, nobody());
  const int of_outer_loop = std::exchange(of_loop_, by_data_);
  for (std::int64_t i = 0; i < rounds.chunk && !stopped(); ++i) {
    Lanes index = blank();
    for_active([&](int t) { index[at(t)] = Symbol::integer(fitting(rounds.index(at(t), number, i), scalar)); });
    const Symbol* const same = stopped() ? nullptr : same_everywhere(index);
    const bool is_same = same != nullptr && std::ranges::all_of(mask_, [](char is_here) { return is_here != 0; });
    declare(objects_[object], is_same ? splat(Symbol(*same)) : index);
    const Mask outer = mask_;
    const Paths paths = path_;
    exec(body);
    rejoin(outer, continued_);
    if (broken_ != nobody() || returned_ != returned) give_up("an iteration of a loop over a size ends it");
    if (!stopped() && (mask_ != outer || path_ != paths)) give_up("an iteration of a loop over a size ends it");
    for_active([&](int t) {
      if (!(std::as_const(objects_[object].cells).at(at(t), 0) == index[at(t)]))
        give_up("the body of a loop over a size changes its counter");
      fitting(rounds.index(at(t), number, i + 1) + Polynomial(rounds.ahead), scalar);
    });
  }
  of_loop_ = of_outer_loop;
  broken_ = outer_broken;
  continued_ = outer_continued;
}

std::vector<SymbolicCells> SymbolicState::outer_cells() const {
  std::vector<SymbolicCells> cells;
  for (const Object& object : objects_) cells.push_back(object.cells);
  return cells;
}

// Nothing else is changed that was declared before.
void SymbolicState::check_the_others(const std::vector<CarriedSymbol>& carried,
                                     const std::vector<SymbolicCells>& before) {
  std::set<std::uint32_t> objects;
  for (const CarriedSymbol& c : carried) objects.insert(c.object);
  const int outside = depth() - 1;
  for (std::uint32_t o = 0; o < before.size(); ++o) {
    const Object& object = objects_[o];
    if (objects.contains(o) || object.depth > outside) continue;
    for (std::size_t s = 0; s < before[o].slots(); ++s) {
      const bool is_same = before[o].is_same(s) && object.cells.is_same(s);
      for (std::size_t t = 0; t < (is_same ? 1 : before[o].threads()); ++t)
        if (!(before[o].at(t, s) == object.cells.at(t, s)))
          return give_up("a loop over a size changes '" + object.name + "'");
    }
  }
}

SymbolicEffects SymbolicState::effects_so_far() const {
  SymbolicEffects effects{trace_.reads.size(),
                          trace_.in_place.size(),
                          trace_.large,
                          trace_.large_at,
                          epoch_,
                          warp_epoch_,
                          shared_uses_,
                          {}};
  for (const Object& object : objects_) effects.uses.push_back(object.uses);
  return effects;
}

// Of a round that began with what is not known to be so.
void SymbolicState::take_back(const SymbolicEffects& effects) {
  trace_.reads.resize(effects.reads);
  trace_.in_place.resize(effects.in_place);
  trace_.large = effects.large;
  trace_.large_at = effects.large_at;
  epoch_ = effects.epoch;
  warp_epoch_ = effects.warp_epoch;
  for (std::size_t o = 0; o < objects_.size(); ++o) {
    if (o < effects.uses.size()) objects_[o].uses = effects.uses[o];
    else
      for (auto& uses : objects_[o].uses) uses.clear();
  }
}

// Where there may be no round, nothing in it parts what was before from what comes.
void SymbolicState::keep_uses(const SymbolicEffects& effects, std::int64_t least_rounds) {
  if (least_rounds >= 1) return;
  for (std::size_t o = 0; o < effects.uses.size(); ++o)
    for (std::size_t s = 0; s < effects.uses[o].size(); ++s) {
      auto& uses = objects_[o].uses[s];
      if (!uses.empty() && uses.front().epoch != epoch_) uses.clear();
      for (Object::SharedUse use : effects.uses[o][s]) {
        if (use.epoch != effects.epoch) continue;
        const auto warp = static_cast<std::size_t>(use.thread / 32);
        if (use.warp_epoch == effects.warp_epoch[warp]) use.warp_epoch = warp_epoch_[warp];
        use.epoch = epoch_;
        uses.push_back(use);
      }
    }
}

// The greatest that it is in any round.
std::optional<Polynomial> SymbolicState::greatest(Polynomial p) const {
  for (auto r = rounds_.rbegin(); r != rounds_.rend(); ++r) {
    if (!p.has(r->number)) continue;
    const Polynomial first = p.with(r->number, Polynomial()), by = p.with(r->number, Polynomial(1)) - first;
    if (by.has(r->number)) return std::nullopt;
    if (region_.least(by).value_or(-1) >= 0) p = first + by * (r->count - Polynomial(1));
    else if (region_.most(by).value_or(1) <= 0) p = first;
    else return std::nullopt;
  }
  return p;
}

// Wherever there are such rounds.
Value SymbolicState::in_rounds(Value path) {
  for (const SymbolicRounds& r : rounds_) path = guards().both(path, guards().at_least_0(r.left()));
  return path;
}

}  // namespace swizzle
