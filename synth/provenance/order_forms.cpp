#include "synth/provenance/order_forms.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <tuple>
#include <utility>

#include "synth/provenance/arms.h"
#include "synth/provenance/indicators.h"
#include "synth/provenance/provenance.h"
#include "synth/provenance/rings.h"
#include "synth/provenance/three_ways.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostEntries = 512;
constexpr std::size_t kMostCompared = 256;  // of a minimum or maximum that is a function of atoms

bool is_extremum(const Provenance& p, Scalar s, NodeId id) {
  const Node& n = p.node(id);
  return n.kind == Node::Kind::kRing && is_order(n.ring) && n.scalar == s;
}

// How many values the operands of a minimum or maximum are put together of, as far as a glance tells.
std::size_t breadth_of(const Provenance& p, Scalar s, Value v) {
  if (!v.is_node() || !is_extremum(p, s, v.as_node())) return 1;
  std::size_t count = 0;
  for (const Term& t : p.node(v).terms())
    count += !t.factors.empty() && is_extremum(p, s, t.factors[0]) ? p.node(t.factors[0]).terms().size() : 1;
  return count;
}

const Node* operation(const Provenance& p, Value v, Operator op) {
  if (!v.is_node()) return nullptr;
  const Node& n = p.node(v);
  return n.is(op) ? &n : nullptr;
}

Value extremum_of(Provenance& p, const Tournament& t) {
  Value all = t.entries[0].key;
  for (std::size_t i = 1; i < t.entries.size(); ++i) all = p.combine(t.ring, t.scalar, all, t.entries[i].key);
  return p.normalize(all);
}

// The first of each key: later ones never win, nor does a key behind another one that no number is less than, or none
// greater.
void reduce(const Provenance& p, Tournament& t) {
  std::set<std::tuple<Value::Kind, std::uint32_t, std::int64_t>> seen;
  std::erase_if(t.entries,
                [&](const Tournament::Entry& e) { return !seen.emplace(e.key.kind, e.key.aux, e.key.bits).second; });
  const auto is_last = [&](const Tournament::Entry& e) {
    return is_real(t.scalar) && !e.key.is_node() && p.is_neutral(t.ring, t.scalar, e.key);
  };
  t.entries.erase(std::remove_if(t.entries.begin() + 1, t.entries.end(), is_last), t.entries.end());
}

}  // namespace

std::optional<Precedence> as_precedence(const Provenance& p, Value condition) {
  for (const Operator op : {Operator::kLt, Operator::kLe})
    if (const Node* n = operation(p, condition, op))
      return Precedence{n->children()[0], n->children()[1], n->scalar, op == Operator::kLe, std::nullopt};
  const Node* either = operation(p, condition, Operator::kLogicalOr);
  if (either == nullptr) return std::nullopt;
  for (const std::size_t i : {0, 1}) {
    const Node *less = operation(p, either->children()[i], Operator::kLt),
               *both = operation(p, either->children()[1 - i], Operator::kLogicalAnd);
    if (less == nullptr || both == nullptr) continue;
    const Value a = less->children()[0], b = less->children()[1];
    for (const std::size_t j : {0, 1}) {
      const Node* alike = operation(p, both->children()[j], Operator::kEq);
      if (alike == nullptr) continue;
      const Value c = alike->children()[0], d = alike->children()[1];
      if ((a == c && b == d) || (a == d && b == c))
        return Precedence{a, b, less->scalar, false, both->children()[1 - j]};
    }
  }
  return std::nullopt;
}

Lattice::Atom OrderForms::atom(Value v, bool is_condition) {
  const auto [it, fresh] = atom_of_.try_emplace({is_condition, v.is_node(), v.is_node() ? v.aux : v.bits},
                                                static_cast<Lattice::Atom>(atoms_.size()));
  if (fresh) atoms_.push_back(is_condition ? Value{} : v);
  return it->second;
}

OrderForms::Function OrderForms::function_of(Provenance& p, Scalar s, Value v) {
  v = as_of_type(s, v);
  if (p.is_neutral(Ring::kMax, s, v)) return Lattice::kNever;
  if (p.is_neutral(Ring::kMin, s, v)) return Lattice::kAlways;
  if (!v.is_node()) return lattice_.of(atom(v, false));
  if (const auto it = functions_.find(node_key(s, v)); it != functions_.end()) return it->second;
  const Node n = p.node(v);  // a copy: what follows adds nodes
  Function function;
  if (is_extremum(p, s, v.as_node())) {
    function = function_of_terms(p, s, n);
  } else {
    const bool is_select = n.kind == Node::Kind::kOpaque && n.tag == kOpaqueSelect;
    if (const auto condition = is_select   ? std::optional(n.children()[0])
                               : n.selects ? first_condition(p, v)
                                           : std::nullopt)
      if (const auto arms = arms_of(p, v, *condition))
        function = chosen(p, s, *condition, arms->if_true, arms->if_false);
    if (!function) function = lattice_.of(atom(v, false));
  }
  return functions_[node_key(s, v)] = function;
}

// Terms of many atoms first: of pairs of 32 that are far apart, say, the diagram is large until what is made of more of
// them is beside them.
OrderForms::Function OrderForms::function_of_terms(Provenance& p, Scalar s, const Node& extremum) {
  if (extremum.terms().size() > kMostCompared) return std::nullopt;
  std::vector<Value> operands;
  for (const Term& t : extremum.terms())
    operands.push_back(t.factors.empty() ? t.coefficient : Value::node(t.factors[0]));
  std::ranges::stable_sort(operands, std::greater(), [&](Value v) { return breadth_of(p, s, v); });
  Function all;
  for (const Value& operand : operands) {
    const Function one = function_of(p, s, operand);
    if (!one) return std::nullopt;
    if (!all) all = one;
    else all = extremum.ring == Ring::kMin ? lattice_.least(*all, *one) : lattice_.greatest(*all, *one);
    if (!all) return std::nullopt;
  }
  return all;
}

// Where the condition compares what minima and maxima are made of, too: v > a ? a : max(v, b), say, a being no less
// than b.
OrderForms::Function OrderForms::chosen_by_order(Provenance& p, Scalar s, Value condition, Value if_true,
                                                 Value if_false) {
  const Node* less = operation(p, condition, Operator::kLt);
  if (less == nullptr) less = operation(p, condition, Operator::kLe);
  if (less == nullptr || less->scalar != s) return std::nullopt;
  const Value a = less->children()[0], b = less->children()[1];
  const auto is_of_them = [&](Value v) { return v == a || v == b || (v.is_node() && is_extremum(p, s, v.as_node())); };
  if (!is_of_them(p.normalize(if_true)) || !is_of_them(p.normalize(if_false))) return std::nullopt;
  std::array<Function, 4> of;
  for (std::size_t i = 0; const Value& v : {a, b, if_true, if_false}) {
    of[i] = function_of(p, s, p.normalize(v));
    if (!of[i++]) return std::nullopt;
  }
  return lattice_.ordered(*of[0], *of[1], *of[2], *of[3]);
}

OrderForms::Function OrderForms::chosen(Provenance& p, Scalar s, Value condition, Value if_true, Value if_false) {
  if (const Function by_order = chosen_by_order(p, s, condition, if_true, if_false)) return by_order;
  const auto by = condition_of(p, condition);
  const Function a = by ? function_of(p, s, p.normalize(if_true)) : std::nullopt,
                 b = a ? function_of(p, s, p.normalize(if_false)) : std::nullopt;
  if (!b) return std::nullopt;
  const Function first = lattice_.least(by->holds, *a), second = lattice_.least(by->fails, *b);
  return first && second ? lattice_.greatest(*first, *second) : std::nullopt;
}

// A product of indicators, or 1 without one; any other condition is one of its own.
std::optional<OrderForms::Condition> OrderForms::condition_of(Provenance& p, Value condition) {
  const auto alone = [&](Value c) {
    const Lattice::Atom at = atom(c, true);
    return Condition{lattice_.of(at), lattice_.of_failing(at)};
  };
  const std::vector<Term> terms = p.terms(Ring::kSum, Scalar::kI32, p.normalize(indicator(p, condition, Scalar::kI32)));
  const auto times = [](const Term& t) { return wrap(Scalar::kI32, t.coefficient.bits); };
  const auto is_one = [&](const Term& t) { return t.factors.empty() && times(t) == 1; };
  const bool is_negated = terms.size() == 2 && std::ranges::any_of(terms, is_one);
  if (!is_negated && terms.size() != 1) return alone(condition);
  const Term& product = terms[is_negated && is_one(terms[0]) ? 1 : 0];
  const auto is_of_condition = [&](NodeId f) { return is_indicator(p.node(f)); };
  if (times(product) != (is_negated ? -1 : 1) || product.factors.empty() ||
      !std::ranges::all_of(product.factors, is_of_condition))
    return alone(condition);
  Condition all{Lattice::kAlways, Lattice::kNever};
  for (NodeId f : product.factors) {
    const Condition one = alone(p.node(f).children()[0]);
    const Function holds = lattice_.least(all.holds, one.holds), fails = lattice_.greatest(all.fails, one.fails);
    if (!holds || !fails) return std::nullopt;
    all = {*holds, *fails};
  }
  return is_negated ? Condition{all.fails, all.holds} : all;
}

std::optional<OrderForms::Guarded> OrderForms::guarded_function(Provenance& p, Value condition, Value if_true,
                                                                Value if_false) {
  std::optional<Scalar> s;
  for (const Value& v : {condition, if_true, if_false})
    if (v.is_node() && (p.node(v).has_choice || p.node(v).maybe_undefined)) return std::nullopt;
  for (const Value& arm : {if_true, if_false})
    if (arm.is_node() && p.node(arm).kind == Node::Kind::kRing && is_order(p.node(arm).ring)) s = p.node(arm).scalar;
  // A sum is alike for signed and unsigned integers; its order is that of the type that it was compared as.
  for (const Value& arm : {if_true, if_false})
    for (const Scalar type : {Scalar::kI32, Scalar::kU32, Scalar::kI64, Scalar::kU64, Scalar::kF32, Scalar::kF64})
      if (const auto known =
              arm.is_node() && p.node(arm).selects ? functions_.find(node_key(type, arm)) : functions_.end();
          !s && known != functions_.end() && known->second)
        s = type;
  for (const Value& arm : {if_true, if_false})
    if (!s && arm.is_node() && p.node(arm).kind == Node::Kind::kInput) s = p.node(arm).scalar;
  const Function function = s ? chosen(p, *s, condition, if_true, if_false) : std::nullopt;
  return function ? std::optional(Guarded{*s, *function}) : std::nullopt;
}

std::optional<OrderForms::Guarded> OrderForms::ordered_function(Provenance& p, Value condition, Value if_true,
                                                                Value if_false) {
  for (const Value& v : {condition, if_true, if_false})
    if (v.is_node() && (p.node(v).has_choice || p.node(v).maybe_undefined)) return std::nullopt;
  if (!condition.is_node()) return std::nullopt;
  const Scalar s = p.node(condition).scalar;
  const Function function = chosen_by_order(p, s, condition, if_true, if_false);
  return function ? std::optional(Guarded{s, *function}) : std::nullopt;
}

std::optional<Value> OrderForms::value_of(Provenance& p, const Guarded& of) {
  if (of.function <= Lattice::kAlways && !is_real(of.s) && of.s != Scalar::kU64) {
    const ValueRange all = range_of(of.s);
    return Value::integer(of.function == Lattice::kNever ? all.low : all.high);
  }
  if (const auto known = values_.find({of.s, of.function}); known != values_.end()) return known->second;
  return extremum_of_atoms(p, of);
}

// Nothing: it is no plain one, or conditions are among the atoms.
std::optional<Value> OrderForms::extremum_of_atoms(Provenance& p, const Guarded& of) {
  const auto simple = lattice_.simple(of.function);
  if (!simple || simple->atoms.empty() ||
      std::ranges::any_of(simple->atoms, [&](auto at) { return atoms_[at].is_undefined(); }))
    return std::nullopt;
  const Ring ring = simple->is_least ? Ring::kMin : Ring::kMax;
  Value all = atoms_[simple->atoms[0]];
  for (std::size_t i = 1; i < simple->atoms.size(); ++i) all = p.combine(ring, of.s, all, atoms_[simple->atoms[i]]);
  return values_[{of.s, of.function}] = p.normalize(all);
}

void OrderForms::keep(const Guarded& of, Value made) {
  values_.emplace(std::pair(of.s, of.function), made);
  if (made.is_node()) functions_.emplace(node_key(of.s, made), of.function);
}

Value OrderForms::form(Provenance& p, Value v) {
  if (!v.is_node()) return v;
  const Node n = p.node(v);  // a copy: what follows adds nodes
  if (n.kind != Node::Kind::kRing || n.has_choice || n.maybe_undefined) return v;
  const Scalar s = n.scalar;
  const bool is_mixed = std::ranges::any_of(n.terms(), [&](const Term& t) {
    return !t.factors.empty() && (is_extremum(p, s, t.factors[0]) || p.node(t.factors[0]).selects);
  });
  if (!is_mixed) return v;
  const Function function = function_of(p, s, v);
  if (!function) return v;
  if (const auto known = values_.find({s, *function}); known != values_.end()) return known->second;
  keep({s, *function}, v);  // before the atoms are put together, which asks for their form
  return extremum_of_atoms(p, {s, *function}).value_or(v);
}

std::vector<Tournament> OrderForms::tournaments_of(Provenance& p, Value condition, Value if_true, Value if_false) {
  std::optional<Precedence> precedence = as_precedence(p, condition);
  if (!precedence) return {};
  for (const Value& v : {condition, if_true, if_false})
    if (v.is_node() && (p.node(v).has_choice || p.node(v).maybe_undefined)) return {};
  if (!std::exchange(is_joining_, true)) {
    join_three_ways(p, *precedence, if_true, if_false);
    is_joining_ = false;
  }
  std::vector<Tournament> found;
  for (const Ring ring : {Ring::kMax, Ring::kMin}) {
    auto t = merged(p, *precedence, ring, if_true, if_false);
    if (!t || t->entries.size() > kMostEntries) continue;
    reduce(p, *t);
    found.push_back(std::move(*t));
  }
  return found;
}

std::optional<Tournament> OrderForms::merged(Provenance& p, const Precedence& precedence, Ring ring, Value if_true,
                                             Value if_false) {
  const bool is_max = ring == Ring::kMax;
  const Value key = is_max ? precedence.more : precedence.less, other = is_max ? precedence.less : precedence.more;
  const auto entries = [&](Value of_key, Value payload) {
    return entries_of(p, ring, precedence.scalar, of_key, payload);
  };
  Tournament t{ring, precedence.scalar, entries(key, if_true)};
  std::vector<Tournament::Entry> others = entries(other, if_false);
  if (!precedence.tie) {
    if (!precedence.or_equal) std::swap(t.entries, others);
    t.entries.insert(t.entries.end(), others.begin(), others.end());
    return t;
  }
  // Of two with the same key, the one with the lesser number, or that with the greater one.
  const Node* less = operation(p, *precedence.tie, Operator::kLt);
  if (less == nullptr) return std::nullopt;
  const Value first = less->children()[0], second = less->children()[1];
  const Scalar s = less->scalar;
  if (s == Scalar::kU64) return std::nullopt;              // numbers are compared as signed ones
  const auto compared = [&](Value of_key, Value number) {  // as the condition compares them
    auto numbers = entries(of_key, number);
    for (Tournament::Entry& e : numbers)
      if (e.payload.is_int()) e.payload = Value::integer(wrap(s, e.payload.bits));
    return numbers;
  };
  for (const bool takes_lesser : {true, false}) {
    const auto numbers = compared(key, takes_lesser ? first : second),
               others_numbers = compared(other, takes_lesser ? second : first);
    if (auto all = merged_by_number({t.entries, numbers}, {others, others_numbers}, takes_lesser))
      return Tournament{ring, precedence.scalar, std::move(*all)};
  }
  return std::nullopt;
}

// Both are in the order of their numbers; nothing: they are not.
std::optional<std::vector<Tournament::Entry>> OrderForms::merged_by_number(const Numbered& a, const Numbered& b,
                                                                           bool takes_lesser) {
  const auto is_before = [&](const Tournament::Entry& x, const Tournament::Entry& y) {
    return takes_lesser ? x.payload.bits < y.payload.bits : x.payload.bits > y.payload.bits;
  };
  for (const Numbered* list : {&a, &b}) {
    const auto is_number = [](const Tournament::Entry& e) { return e.payload.is_int(); };
    const auto have_one_key = [](const Tournament::Entry& e, const Tournament::Entry& n) { return e.key == n.key; };
    if (!std::ranges::all_of(list->numbers, is_number) || !std::ranges::is_sorted(list->numbers, is_before) ||
        !std::ranges::equal(list->entries, list->numbers, have_one_key))
      return std::nullopt;
  }
  std::vector<Tournament::Entry> all;
  for (std::size_t i = 0, j = 0; i < a.entries.size() || j < b.entries.size();) {
    const bool takes_b = i == a.entries.size() || (j < b.entries.size() && is_before(b.numbers[j], a.numbers[i]));
    all.push_back(takes_b ? b.entries[j++] : a.entries[i++]);
  }
  return all;
}

std::vector<Tournament::Entry> OrderForms::entries_of(Provenance& p, Ring ring, Scalar s, Value key, Value payload) {
  if (payload.is_node() && !tournaments_.contains(payload.aux)) {
    std::vector<Tournament> known;
    if (const auto condition = only_condition(p, payload))
      if (const auto arms = arms_of(p, payload, *condition))
        known = tournaments_of(p, *condition, arms->if_true, arms->if_false);
    tournaments_[payload.aux] = std::move(known);
  }
  if (payload.is_node())
    for (const Tournament& t : std::vector(tournaments_[payload.aux]))
      if (t.ring == ring && t.scalar == s && extremum_of(p, t) == key) return t.entries;
  return {{key, payload}};
}

namespace {

std::vector<std::uint64_t> key_of(const Tournament& t, Scalar type) {
  std::vector<std::uint64_t> key{static_cast<std::uint64_t>(t.ring), static_cast<std::uint64_t>(t.scalar),
                                 static_cast<std::uint64_t>(algebra_of(Ring::kSum, type))};
  for (const Tournament::Entry& e : t.entries)
    for (const Value& v : {e.key, e.payload}) {
      key.push_back(static_cast<std::uint64_t>(v.kind) << 32 | v.aux);
      key.push_back(static_cast<std::uint64_t>(v.bits));
    }
  return key;
}

}  // namespace

std::optional<Value> OrderForms::known_form(Provenance& p, const Tournament& t, Scalar type) {
  const auto has_payload = [&](Value v) {
    return std::ranges::all_of(t.entries, [&](const Tournament::Entry& e) { return e.payload == v; });
  };
  if (has_payload(t.entries[0].payload)) return t.entries[0].payload;
  if (std::ranges::all_of(t.entries, [](const Tournament::Entry& e) { return e.payload == e.key; }))
    return extremum_of(p, t);
  const auto it = selected_.find(key_of(t, type));
  return it == selected_.end() ? std::nullopt : std::optional(it->second);
}

void OrderForms::keep(const Tournament& t, Scalar type, Value made) {
  selected_.emplace(key_of(t, type), made);
  if (!made.is_node()) return;
  std::vector<Tournament>& known = tournaments_[made.aux];
  if (std::ranges::find(known, t) == known.end()) known.push_back(t);
}

}  // namespace swizzle
