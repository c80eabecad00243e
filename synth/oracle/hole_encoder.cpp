#include "synth/oracle/hole_encoder.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "synth/base/integers.h"

namespace swizzle {
namespace {

constexpr std::size_t kMaxSettings = 400'000;
constexpr std::int64_t kMaxOffsets = 200;

using Rotation = XformParameters::Rotation;

std::vector<std::int64_t> reach_of(const HoleSpace& space) {
  std::vector<std::int64_t> reach(space.arguments[0].size() - 1, 0);
  for (const auto& a : space.arguments)
    for (std::size_t j = 0; j < reach.size(); ++j) reach[j] = std::max(reach[j], a[j + 1]);
  return reach;
}

// Groups, fans, periods and runs; rotations and constants are left open.
std::vector<XformShape> all_shapes(const HoleSpace& space) {
  std::vector<XformShape> shapes;
  const int n = space.domain;
  for (int g = 1; g <= n; ++g)
    for (int d = 1; d <= g && n % g == 0; ++d)
      for (int c = 0; c < g && g % d == 0; ++c) {
        for (int run : {g, g / d})
          if (c % (g / d) == 0) shapes.push_back({g, c, d, run, false, 1});
        for (int e = 0; e < g / d && c < d && space.traits().swaps_digits; ++e)
          if (std::gcd(c, d) == 1 && std::gcd(e, g / d) == 1) shapes.push_back({g, c, d, g / d, true, e});
      }
  return shapes;
}

// With P(k) + p0 = x and R(k) + c0 = y, as tables.h defines it.
std::int64_t value_of(const XformShape& s, std::int64_t i, std::int64_t x, std::int64_t y) {
  const std::int64_t group = floor_div(i, s.group), inner = floor_mod(i, s.group);
  if (s.swapped)
    return s.group * group + s.run * floor_mod(s.fan * inner + x, s.period) +
           floor_mod(s.stride * (inner / s.period) + y, s.run);
  return s.group * group + floor_mod(s.fan * inner + floor_mod(inner / s.period + y, s.run), s.group);
}

// Whether a variable that is at most `reach` may turn x (or y) of this shape in this way.
bool may_turn(std::int64_t reach, const Rotation& r, const XformShape& shape, bool is_extra) {
  const int modulus = is_extra ? shape.extra_modulus() : shape.run;
  if (modulus == 1) return r.factor == 0 && r.divisor == 0;
  if (r.factor >= modulus || r.quotient >= modulus) return false;
  if (r.divisor == 0) return true;
  if (r.divisor > reach || (reach + 1) % r.divisor != 0) return false;
  return shape.swapped ? r.factor == 0 : r.quotient == 1;
}

enum class Comparison { kEq, kNe, kGe, kGt, kLe, kLt };
constexpr Comparison kComparisons[] = {Comparison::kEq, Comparison::kNe, Comparison::kGe,
                                       Comparison::kGt, Comparison::kLe, Comparison::kLt};

bool compare(Comparison op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case Comparison::kEq: return a == b;
    case Comparison::kNe: return a != b;
    case Comparison::kGe: return a >= b;
    case Comparison::kGt: return a > b;
    case Comparison::kLe: return a <= b;
    case Comparison::kLt: return a < b;
  }
  return false;
}

// a ⊙ I + b: `a < b`, or `a <= b` for a < 1 + b
bool needs_no_addition(Comparison op, std::int64_t offset) {
  if (op == Comparison::kLt || op == Comparison::kGe) return offset == 0 || offset == 1;
  if (op == Comparison::kLe || op == Comparison::kGt) return offset == 0 || offset == -1;
  return offset == 0;
}

}  // namespace

EncodedHole encoded_values(const HoleSpace& space, Formula& formula) {
  EncodedHole hole;
  for (std::size_t p = 0; p < space.points.size(); ++p) {
    hole.values.push_back(formula.fresh(static_cast<std::size_t>(space.domain)));
    formula.exactly_one(hole.values.back());
  }
  return hole;
}

std::optional<EncodedHole> HoleEncoder::encode() {
  EncodedHole hole = encoded_values(space_, formula_);
  return encode_grammar(hole) ? std::optional(std::move(hole)) : std::nullopt;
}

bool HoleEncoder::encode_grammar(EncodedHole& hole) {
  switch (space_.traits().grammar) {
    case HoleGrammar::kTransformation: return encode_xform(hole);
    case HoleGrammar::kPartition: return encode_part(hole);
    case HoleGrammar::kCondition: return encode_cond(hole);
    default: why_ = "a grammar that has no encoding"; return false;
  }
}

// One of `shapes`, and settings for each rotation that fit it.
void HoleEncoder::choose_xform(const std::vector<XformShape>& shapes) {
  shape_ = formula_.fresh(shapes.size());
  formula_.exactly_one(shape_);
  const auto reach = reach_of(space_);
  const std::int64_t furthest = reach.empty() ? 0 : *std::max_element(reach.begin(), reach.end());
  const int quotients = space_.traits().swaps_digits ? space_.domain : 2;
  for (int factor = 0; factor < space_.domain; ++factor)
    for (int divisor = 0; divisor <= furthest; ++divisor)
      for (int quotient = 1; divisor != 1 && quotient < (divisor == 0 ? 2 : quotients); ++quotient)
        settings_.push_back({factor, divisor, quotient});  // ⌊k / 1⌋ is one more factor
  // All variables share one list of settings; those that do not fit a variable's range, or the modulus, are forbidden.
  for (const bool is_extra : {false, true}) {
    Turns& turns = is_extra ? extra_ : turn_;
    turns.modulus = space_.domain;  // of which all moduli are divisors
    turns.constant = formula_.fresh(static_cast<std::size_t>(turns.modulus));
    formula_.exactly_one(turns.constant);
    for (std::size_t j = 0; j < reach.size(); ++j) {
      turns.chosen.push_back(formula_.fresh(settings_.size()));
      formula_.exactly_one(turns.chosen[j]);
    }
    for (std::size_t f = 0; f < shapes.size(); ++f) {
      const int m = is_extra ? shapes[f].extra_modulus() : shapes[f].run;
      for (std::size_t c = static_cast<std::size_t>(m); c < turns.constant.size(); ++c)
        formula_.add({!shape_[f], !turns.constant[c]});
      for (std::size_t j = 0; j < reach.size(); ++j)
        for (std::size_t s = 0; s < settings_.size(); ++s)
          if (!may_turn(reach[j], settings_[s], shapes[f], is_extra)) formula_.add({!shape_[f], !turns.chosen[j][s]});
    }
    add_rotations(turns);
  }
}

bool HoleEncoder::encode_xform(EncodedHole& hole) {
  const std::vector<XformShape> shapes = all_shapes(space_);
  choose_xform(shapes);
  for (std::size_t p = 0; p < space_.points.size(); ++p) {
    const auto& a = space_.arguments[p];
    const std::vector<std::int64_t> key(a.begin() + 1, a.end());
    const Literals &xs = extra_.rotation.at(key), &ys = turn_.rotation.at(key);
    for (std::size_t f = 0; f < shapes.size(); ++f)
      for (std::size_t x = 0; x < xs.size(); ++x)
        for (std::size_t y = 0; y < ys.size(); ++y) {
          const auto value = static_cast<std::size_t>(
              value_of(shapes[f], a[0], static_cast<std::int64_t>(x), static_cast<std::int64_t>(y)));
          if (shapes[f].extra_modulus() > 1) formula_.add({!shape_[f], !xs[x], !ys[y], hole.values[p][value]});
          else if (x == 0) formula_.add({!shape_[f], !ys[y], hole.values[p][value]});
        }
  }
  return price_xform(shapes, hole);
}

// R(k) + c0 modulo turns.modulus, by (k…).
void HoleEncoder::add_rotations(Turns& turns) {
  turns.rotation[{}] = turns.constant;
  for (const auto& a : space_.arguments)
    for (std::size_t j = 0; j < turns.chosen.size(); ++j) {
      const std::vector<std::int64_t> before(a.begin() + 1, a.begin() + 1 + static_cast<std::ptrdiff_t>(j));
      const std::vector<std::int64_t> key(a.begin() + 1, a.begin() + 2 + static_cast<std::ptrdiff_t>(j));
      if (turns.rotation.contains(key)) continue;
      const std::int64_t k = key.back();
      const Literals from = turns.rotation.at(before);
      const Literals to = formula_.fresh(from.size());
      formula_.exactly_one(to);
      for (std::size_t s = 0; s < settings_.size(); ++s)
        for (std::size_t r = 0; r < from.size(); ++r) {
          const Rotation& by = settings_[s];
          const std::int64_t turn = by.factor * k + (by.divisor > 0 ? by.quotient * floor_div(k, by.divisor) : 0);
          const auto sum = static_cast<std::size_t>(floor_mod(static_cast<std::int64_t>(r) + turn, turns.modulus));
          formula_.add({!turns.chosen[j][s], !from[r], to[sum]});
        }
      turns.rotation.emplace(key, to);
    }
}

// Calls `then` with every setting of `turn` that fits the shape; `clause` says that it was chosen.
template <typename Then>
void HoleEncoder::each_turn(const XformShape& shape, bool is_extra, std::size_t j, XformParameters::Turn& turn,
                            Literals& clause, Then&& then) {
  const auto reach = reach_of(space_);
  const Turns& turns = is_extra ? extra_ : turn_;
  if (j == reach.size()) {
    for (int c = 0; c < (is_extra ? shape.extra_modulus() : shape.run); ++c) {
      turn.constant = c;
      clause.push_back(!turns.constant[static_cast<std::size_t>(c)]);
      then();
      clause.pop_back();
    }
    return;
  }
  for (std::size_t s = 0; s < settings_.size() && why_.empty(); ++s) {
    if (!may_turn(reach[j], settings_[s], shape, is_extra)) continue;
    turn.rotations.push_back(settings_[s]);
    clause.push_back(!turns.chosen[j][s]);
    each_turn(shape, is_extra, j + 1, turn, clause, then);
    clause.pop_back();
    turn.rotations.pop_back();
  }
}

bool HoleEncoder::price_xform(const std::vector<XformShape>& shapes, EncodedHole& hole) {
  const XformPrinter printer(space_);
  std::vector<std::pair<int, Literals>> prices;  // operations, and the clause that says so
  for (std::size_t f = 0; f < shapes.size() && why_.empty(); ++f) {
    XformParameters p{shapes[f], {}, {}};
    Literals clause{!shape_[f]};
    each_turn(shapes[f], true, 0, p.extra, clause, [&] {
      each_turn(shapes[f], false, 0, p.turn, clause, [&] {
        prices.emplace_back(printer.print(p).integer_ops(), clause);
        if (prices.size() > kMaxSettings) why_ = "a transformation with too many settings";
      });
    });
  }
  if (!why_.empty()) return false;
  std::map<int, Literal> at_least;
  for (const auto& [ops, clause] : prices)
    if (ops > 0) at_least.try_emplace(ops);
  int before = 0;
  Literal last = Formula::truth();
  for (auto& [ops, literal] : at_least) {
    literal = formula_.fresh();
    formula_.add({!literal, last});
    hole.ops.push_back({literal, ops - before});
    before = ops;
    last = literal;
  }
  for (auto& [ops, clause] : prices) {
    if (ops == 0) continue;
    clause.push_back(at_least.at(ops));
    formula_.add(std::move(clause));
  }
  return true;
}

// a ⊙ (I ± b) compares a ∓ b with I.
struct HoleEncoder::ConditionForm {
  std::size_t a, b;
  bool plus;  // I + b
  std::int64_t compared(const std::vector<std::int64_t>& v) const { return plus ? v[a] - v[b] : v[a] + v[b]; }
};

// One of each is chosen.
struct HoleEncoder::ConditionChoice {
  Literals form, op, offset;
  std::int64_t lowest = 0;  // of the offsets
  std::int64_t number(std::size_t i) const { return lowest + static_cast<std::int64_t>(i); }
};

std::optional<HoleEncoder::Condition> HoleEncoder::encode_condition() {
  const std::size_t arity = space_.arguments[0].size();
  std::vector<ConditionForm> forms;
  for (std::size_t a = 0; a < arity; ++a)
    for (std::size_t b = 0; b < arity; ++b)
      for (const bool plus : {false, true})
        if (a != b || !plus) forms.push_back({a, b, plus});  // a ⊙ I + a is true or false
  std::map<std::int64_t, Literal> outcome;                   // by a ∓ b
  for (const ConditionForm& form : forms)
    for (const auto& v : space_.arguments) outcome.try_emplace(form.compared(v));
  ConditionChoice chosen;
  chosen.lowest = outcome.empty() ? 0 : outcome.begin()->first - 1;
  const std::int64_t highest = outcome.empty() ? 0 : outcome.rbegin()->first + 1;
  if (highest - chosen.lowest > kMaxOffsets) {
    why_ = "a condition with too many offsets";
    return std::nullopt;
  }
  Condition condition{formula_.fresh(space_.points.size()), formula_.fresh(), formula_.fresh()};
  chosen.form = formula_.fresh(forms.size() + 2);  // the last two: always, never
  formula_.exactly_one(chosen.form);
  chosen.op = formula_.fresh(std::size(kComparisons));
  formula_.exactly_one(chosen.op);
  chosen.offset = formula_.fresh(static_cast<std::size_t>(highest - chosen.lowest + 1));
  formula_.exactly_one(chosen.offset);
  encode_outcomes(chosen, outcome);
  encode_where_it_holds(forms, chosen, outcome, condition);
  encode_condition_ops(forms, chosen, condition);
  return condition;
}

// What each difference comes to under the comparison and the offset that are chosen.
void HoleEncoder::encode_outcomes(const ConditionChoice& chosen, std::map<std::int64_t, Literal>& outcome) {
  for (auto& [difference, literal] : outcome) {
    literal = formula_.fresh();
    for (std::size_t o = 0; o < chosen.op.size(); ++o)
      for (std::size_t i = 0; i < chosen.offset.size(); ++i)
        formula_.add({!chosen.op[o], !chosen.offset[i],
                      compare(kComparisons[o], difference, chosen.number(i)) ? literal : !literal});
  }
}

void HoleEncoder::encode_where_it_holds(const std::vector<ConditionForm>& forms, const ConditionChoice& chosen,
                                        const std::map<std::int64_t, Literal>& outcome, const Condition& condition) {
  const Literal always = chosen.form[forms.size()], never = chosen.form[forms.size() + 1];
  for (std::size_t p = 0; p < space_.points.size(); ++p) {
    formula_.add({!always, condition.holds[p]});
    formula_.add({!never, !condition.holds[p]});
    for (std::size_t q = 0; q < forms.size(); ++q) {
      const Literal result = outcome.at(forms[q].compared(space_.arguments[p]));
      formula_.add({!chosen.form[q], !result, condition.holds[p]});
      formula_.add({!chosen.form[q], result, !condition.holds[p]});
    }
  }
}

void HoleEncoder::encode_condition_ops(const std::vector<ConditionForm>& forms, const ConditionChoice& chosen,
                                       const Condition& condition) {
  for (std::size_t q = 0; q < forms.size(); ++q) {
    formula_.add({!chosen.form[q], condition.variable});
    if (forms[q].a == forms[q].b) continue;  // a compares with a number
    for (std::size_t o = 0; o < chosen.op.size(); ++o)
      for (std::size_t i = 0; i < chosen.offset.size(); ++i)
        if (!forms[q].plus || !needs_no_addition(kComparisons[o], chosen.number(i)))
          formula_.add({!chosen.form[q], !chosen.op[o], !chosen.offset[i], condition.two_ops});
  }
}

bool HoleEncoder::encode_cond(EncodedHole& hole) {
  const auto condition = encode_condition();
  if (!condition) return false;
  for (std::size_t p = 0; p < space_.points.size(); ++p) {
    formula_.add({!condition->holds[p], hole.values[p][1]});
    formula_.add({condition->holds[p], hole.values[p][0]});
  }
  hole.ops = {{condition->variable, 1}, {condition->two_ops, 1}};
  return true;
}

// c0 ? 0 : c1 ? 1 : … : n - 1, and nothing of a selection whose condition is constant.
bool HoleEncoder::encode_part(EncodedHole& hole) {
  std::vector<Literals> earlier(space_.points.size());  // conditions that must be false
  for (std::size_t v = 0; v + 1 < static_cast<std::size_t>(space_.domain); ++v) {
    const auto condition = encode_condition();
    if (!condition) return false;
    hole.ops.push_back({condition->variable, 2});
    hole.ops.push_back({condition->two_ops, 1});
    for (std::size_t p = 0; p < space_.points.size(); ++p) {
      Literals clause = earlier[p];
      clause.push_back(!condition->holds[p]);
      clause.push_back(hole.values[p][v]);
      formula_.add(std::move(clause));
      earlier[p].push_back(condition->holds[p]);
    }
  }
  for (std::size_t p = 0; p < space_.points.size(); ++p) {
    earlier[p].push_back(hole.values[p].back());
    formula_.add(std::move(earlier[p]));
  }
  return true;
}

}  // namespace swizzle
