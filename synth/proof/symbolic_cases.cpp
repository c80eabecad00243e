// Integers and addresses that guards choose: what is computed of `i < n ? i : n - 1` is computed of i and of n - 1,
// each where it is the one.
#include "synth/proof/symbolic_interpreter.h"

namespace swizzle {

bool SymbolicInterpreter::has_cases(const Symbol& s) { return elements_.is_choice_of_numbers(s.data); }

// Of constants alone, diagrams (provenance.h) are enough.
bool SymbolicInterpreter::goes_by_cases(const Symbol& a, const Symbol& b) {
  if (!has_cases(a) && !has_cases(b)) return false;
  const auto is_number = [&](const Symbol& s) { return s.is_integer() || s.is_pointer() || has_cases(s); };
  const auto is_diagram = [&](const Symbol& s) { return s.is_integer() ? s.number.is_constant() : is_guard(s); };
  return is_number(a) && is_number(b) && !(is_diagram(a) && is_diagram(b));
}

// The integer, or the pointer to the slot, that `number` is.
Symbol SymbolicState::chosen(const Symbol& from, Value number) const {
  Symbol s = symbol_of(number);
  if (!from.is_pointer() || s.is_undefined()) return s;
  s.kind = Symbol::Kind::kPointer;
  s.object = from.object;
  return s;
}

Symbol SymbolicInterpreter::by_cases(const Symbol& s, const std::function<Symbol(const Symbol&)>& f) {
  if (stopped()) return {};
  if (!has_cases(s)) return f(s);
  const Node& choice = elements_.provenance().node(s.data);
  const Value no = choice.children()[0], yes = choice.children()[1], holds = guards().holds(choice.tag);
  const Value path = path_[at(thread_)], when = guards().both(path, holds),
              unless = guards().both(path, guards().negated(holds));
  const auto arm = [&](Value where, Value number) {
    path_[at(thread_)] = where;
    const Symbol result = by_cases(chosen(s, number), f);
    path_[at(thread_)] = path;
    return result;
  };
  if (!guards().is_possible(when, region_)) return arm(path, no);
  if (!guards().is_possible(unless, region_)) return arm(path, yes);
  const Symbol a = arm(when, yes), b = arm(unless, no);
  return stopped() ? Symbol{} : selected(holds, a, b);
}

Symbol SymbolicInterpreter::by_cases(const Symbol& a, const Symbol& b,
                                     const std::function<Symbol(const Symbol&, const Symbol&)>& f) {
  return by_cases(a, [&](const Symbol& x) { return by_cases(b, [&](const Symbol& y) { return f(x, y); }); });
}

Symbol SymbolicInterpreter::selected(Value condition, const Symbol& a, const Symbol& b, std::optional<Scalar> type) {
  if (a == b) return a;
  if (!a.is_pointer() && !b.is_pointer())
    return symbol_of(guards().chosen(condition, data_of(a, Scalar::kI32), data_of(b, Scalar::kI32), region_, type));
  const auto slot = [&](const Symbol& p) {
    return p.data.is_node() ? p.data : elements_.number(p.number, Scalar::kI32);
  };
  if (!a.is_pointer() || !b.is_pointer() || a.object != b.object) return give_up("data decide an address"), Symbol{};
  Symbol p = chosen(a, elements_.provenance().select(condition, slot(a), slot(b)));
  if (p.data.is_node() && !has_cases(p)) give_up("data decide an address");
  return p;
}

}  // namespace swizzle
