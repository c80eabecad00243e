// What rounds of a loop hand on in variables and shared arrays: see rounds.h.
#include <algorithm>
#include <utility>

#include "synth/proof/assigned_variables.h"
#include "synth/proof/rounds.h"
#include "synth/proof/symbolic_interpreter.h"

namespace swizzle {

// Slots that the body may change, of what there is before it.
std::vector<CarriedSymbol> SymbolicInterpreter::carried_by(StmtId body) {
  const AssignedVariables assigned = AssignedVariables::in(program_, body);
  std::set<std::uint32_t> objects;
  for (VariableId id : assigned.variables)
    if (const auto it = object_of_.find(id); it != object_of_.end()) objects.insert(it->second);
  for (VariableId id : assigned.through) {
    const auto it = object_of_.find(id);
    if (it == object_of_.end()) continue;
    const SymbolicCells& cells = objects_[it->second].cells;
    for (std::size_t t = 0; t < cells.threads(); ++t)
      if (const Symbol& p = cells.at(t, 0); p.is_pointer()) objects.insert(p.object);
  }
  std::vector<CarriedSymbol> carried;
  for (std::uint32_t o : objects) {
    const Object& object = objects_[o];
    if (object.space == Object::Space::kGlobal) continue;
    const bool is_shared = object.space == Object::Space::kShared;
    for (std::size_t t = 0; t < object.cells.threads(); ++t)
      for (std::size_t s = 0; s < object.cells.slots() && (is_shared || mask_[t]); ++s) {
        CarriedSymbol& c = carried.emplace_back();
        c.object = o, c.thread = t, c.slot = s, c.is_shared = is_shared;
        c.start = c.original = std::as_const(objects_[o].cells).at(t, s);
        if (object.scalar) c.scalar = *object.scalar;
        if (!is_shared && c.start.data.is_node()) c.start.data = guards().within(c.start.data, path_[t]);
        const bool is_data = c.start.kind == Symbol::Kind::kData && object.scalar;
        if (c.start.is_integer() || c.start.is_pointer()) c.kind = CarriedSymbol::Kind::kSame;
        else if (is_data) c.placeholder = elements_.placeholder(*object.scalar);
        else c.kind = CarriedSymbol::Kind::kLost;
      }
  }
  return carried;
}

// What there is at the start of a round, as far as it is known, in the round that is looked at.
void SymbolicInterpreter::begin_round(std::vector<CarriedSymbol>& carried) {
  for (CarriedSymbol& c : carried) {
    Symbol& cell = objects_[c.object].cells.at(c.thread, c.slot);
    if (c.kind == CarriedSymbol::Kind::kData) c.kind = CarriedSymbol::Kind::kAny;
    switch (c.kind) {
      case CarriedSymbol::Kind::kData:
      case CarriedSymbol::Kind::kAny:
      case CarriedSymbol::Kind::kRecurs:
      case CarriedSymbol::Kind::kAdds: cell = {Symbol::Kind::kData, {}, 0, c.placeholder}; break;
      case CarriedSymbol::Kind::kSame: cell = c.start; break;
      case CarriedSymbol::Kind::kSteps: cell = stepped(c, Polynomial::atom(rounds_.back().number)); break;
      case CarriedSymbol::Kind::kFollows: cell = symbol_of(c.part); break;
      case CarriedSymbol::Kind::kLost: cell = {}; break;
    }
  }
}

Symbol SymbolicState::stepped(const CarriedSymbol& c, const Polynomial& rounds) const {
  Symbol s = c.start;
  s.number = s.number + rounds * c.by;
  return s;
}

// v = placeholder ⊕ part.
bool SymbolicState::adds(Value v, CarriedSymbol& c) {
  Provenance& provenance = elements_.provenance();
  v = provenance.normalize(v);
  if (!v.is_node() || provenance.node(v).kind != Node::Kind::kRing) return false;
  const Node n = provenance.node(v);
  std::vector<Term> terms(n.terms().begin(), n.terms().end());
  const auto own = std::ranges::find_if(
      terms, [&](const Term& t) { return t.factors.size() == 1 && t.factors[0] == c.placeholder.as_node(); });
  if (own == terms.end()) return false;
  const Value rest_of_own = provenance.from_terms(n.ring, n.scalar, {*own});
  if (!(rest_of_own == c.placeholder)) return false;  // with another coefficient
  terms.erase(own);
  const Value part = provenance.from_terms(n.ring, n.scalar, std::move(terms));
  if (!n.maybe_undefined) c.ring = n.ring, c.scalar = n.scalar, c.part = part;
  return !n.maybe_undefined;
}

// What the round left there, where the thread was when it began.
Symbol SymbolicState::left_in(const CarriedSymbol& c) {
  Symbol after = std::as_const(objects_[c.object].cells).at(c.thread, c.slot);
  if (!after.data.is_node()) return after;
  if (!c.is_shared) after.data = guards().within(after.data, path_[c.thread]);
  after.data = elements_.provenance().normalize(after.data);
  return after;
}

// What was thought to stay the same, or to go on by steps, and did not.
CarriedSymbol::Kind SymbolicState::other_kind(CarriedSymbol& c, const Symbol& after, Atom round) {
  using Kind = CarriedSymbol::Kind;
  if (c.kind != Kind::kSame && c.kind != Kind::kSteps) return Kind::kLost;
  const bool is_data = after.kind == Symbol::Kind::kData;
  if ((is_data || c.kind == Kind::kSteps) && c.start.is_integer() && objects_[c.object].scalar) {
    c.placeholder = elements_.placeholder(*objects_[c.object].scalar);
    return Kind::kData;
  }
  if (c.kind == Kind::kSteps) return Kind::kLost;
  const bool are_numbers = !is_data && !after.data.is_node() && !c.start.data.is_node();
  if (after.kind != c.start.kind || !are_numbers || after.object != c.start.object) return Kind::kLost;
  c.by = after.number - c.start.number;
  return c.by.has(round) ? Kind::kLost : Kind::kSteps;
}

// Whether what is thought of a slot at the start of a round is so at the start of the next one.
bool SymbolicInterpreter::is_as_thought(CarriedSymbol& c, const Symbol& after, const Polynomial& next, Atom round) {
  using Kind = CarriedSymbol::Kind;
  const bool is_data = after.kind == Symbol::Kind::kData;
  switch (c.kind) {
    case Kind::kSame: return after == c.start;
    case Kind::kSteps: return after == stepped(c, next);
    case Kind::kAdds: return is_data && adds(after.data, c);
    case Kind::kFollows: {
      const Value expected = elements_.provenance().normalize(elements_.with(c.part, round, next));
      return !after.is_undefined() && !expected.is_undefined() && data_of(after, c.scalar) == expected;
    }
    case Kind::kRecurs:
      c.part = after.is_undefined() ? Value{} : data_of(after, c.scalar);
      return !c.part.is_undefined();
    default: break;
  }
  return true;
}

// Whether what the round left is what was thought of it, there being nothing more to be known.
bool SymbolicInterpreter::learn(std::vector<CarriedSymbol>& carried, const SymbolicRounds& rounds) {
  using Kind = CarriedSymbol::Kind;
  bool is_known = true;
  const Polynomial next = Polynomial::atom(rounds.number) + Polynomial(1);
  for (CarriedSymbol& c : carried) {
    const Symbol after = left_in(c);
    const bool is_data = after.kind == Symbol::Kind::kData;
    if (c.kind == Kind::kAny) {
      if (is_data && after.data == c.placeholder) c.kind = Kind::kSame;
      else if (is_data && adds(after.data, c)) c.kind = Kind::kAdds;
      else c.part = is_data ? after.data : Value{};
    } else if (!is_as_thought(c, after, next, rounds.number)) {
      c.kind = other_kind(c, after, rounds.number);
      is_known = false;
    }
  }
  if (follow(carried, rounds)) is_known = false;
  std::set<std::uint32_t> changing;  // placeholders that no round knows
  for (const CarriedSymbol& c : carried)
    if (c.kind == Kind::kAdds || c.kind == Kind::kRecurs) changing.insert(c.placeholder.aux);
  for (CarriedSymbol& c : carried) {
    if (c.kind != Kind::kAdds || !elements_.has_placeholder(c.part)) continue;
    if (elements_.has_placeholder(c.part, changing)) c.kind = Kind::kRecurs;
    is_known = false;
  }
  return is_known;
}

// Of what a round leaves, whatever there was: what the round before the first one would have left must be there at the
// start. True: there is such a slot, or one that was thought to be.
bool SymbolicInterpreter::follow(std::vector<CarriedSymbol>& carried, const SymbolicRounds& rounds) {
  using Kind = CarriedSymbol::Kind;
  const Polynomial before = Polynomial::atom(rounds.number) - Polynomial(1);
  Placeholders known;  // what stands at the start of the round
  for (const CarriedSymbol& c : carried)
    if (c.kind == Kind::kSame && c.placeholder.is_node()) known[c.placeholder.aux] = data_of(c.start, c.scalar);
  bool has_some = false;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (CarriedSymbol& c : carried) {
      if (c.kind != Kind::kAny || c.part.is_undefined()) continue;
      const Value left = elements_.with(c.part, rounds.number, Polynomial::atom(rounds.number), known);
      if (left.is_undefined() || elements_.has_placeholder(left)) continue;
      const Value at_start = elements_.with(left, rounds.number, before),
                  first = at_start.is_undefined() ? Value{} : elements_.with(at_start, rounds.number, Polynomial());
      const Value start = elements_.provenance().normalize(data_of(c.start, c.scalar));
      if (first.is_undefined() || !(elements_.provenance().normalize(first) == start)) continue;
      c.kind = Kind::kFollows;
      c.part = at_start;
      known[c.placeholder.aux] = at_start;
      goes_on = has_some = true;
    }
  }
  for (CarriedSymbol& c : carried) {
    if (c.kind != Kind::kAny) continue;
    c.kind = c.part.is_undefined() ? Kind::kLost : Kind::kRecurs;
    has_some = has_some || c.kind == Kind::kRecurs;
  }
  return has_some;
}

// What all rounds leave in the slot.
Symbol SymbolicInterpreter::after_rounds(const CarriedSymbol& c, const std::vector<CarriedSymbol>& carried,
                                         const SymbolicRounds& rounds) {
  thread_ = static_cast<int>(c.thread);
  switch (c.kind) {
    case CarriedSymbol::Kind::kSame: return c.original;
    case CarriedSymbol::Kind::kSteps: return stepped(c, rounds.count);
    case CarriedSymbol::Kind::kFollows: return symbol_of(elements_.with(c.part, rounds.number, rounds.count));
    case CarriedSymbol::Kind::kAdds: {
      const Value sum = elements_.over_rounds({c.ring, c.scalar, rounds.count, rounds.number}, c.part);
      return symbol_of(elements_.provenance().combine(c.ring, c.scalar, data_of(c.start, c.scalar), sum));
    }
    case CarriedSymbol::Kind::kRecurs: return symbol_of(elements_.after_rounds(recurrence_of(c, carried, rounds)));
    default: return {};
  }
}

Recurrence SymbolicInterpreter::recurrence_of(const CarriedSymbol& of, const std::vector<CarriedSymbol>& carried,
                                              const SymbolicRounds& rounds) {
  Recurrence recurrence{rounds.count, rounds.number, {}};
  const auto add = [&](const CarriedSymbol& c) {
    const bool adds = c.kind == CarriedSymbol::Kind::kAdds;
    const Value part = adds ? elements_.provenance().combine(c.ring, c.scalar, c.placeholder, c.part) : c.part;
    recurrence.lines.push_back({c.placeholder, data_of(c.start, c.scalar), part, c.scalar});
  };
  add(of);
  for (const CarriedSymbol& c : carried) {
    const bool changes = c.kind == CarriedSymbol::Kind::kRecurs || c.kind == CarriedSymbol::Kind::kAdds;
    if (&c != &of && changes && (c.is_shared || c.thread == of.thread)) add(c);
  }
  return recurrence;
}

// What there is after all rounds.
void SymbolicInterpreter::end_rounds(const std::vector<CarriedSymbol>& carried, const SymbolicRounds& rounds) {
  for (const CarriedSymbol& c : carried) {
    const Symbol last = after_rounds(c, carried, rounds);
    Object& object = objects_[c.object];
    Symbol& cell = object.cells.at(c.thread, c.slot);
    const bool is_all = c.is_shared || c.kind == CarriedSymbol::Kind::kSame;
    cell = is_all ? last : predicated(path_[c.thread], object.declared[c.thread], last, c.original);
  }
}

}  // namespace swizzle
