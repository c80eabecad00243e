#include "synth/hole_encoder.h"

#include <algorithm>
#include <iterator>

namespace swizzle {
namespace {

constexpr std::size_t kMaxSettings = 400'000;
constexpr std::int64_t kMaxOffsets = 200;

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
std::int64_t floor_mod(std::int64_t a, std::int64_t b) { return a - floor_div(a, b) * b; }

// Groups, fans and periods; rotation and constant are left open.
std::vector<XformParameters> shapes_of(int n) {
  std::vector<XformParameters> shapes;
  for (int g = 1; g <= n; ++g)
    for (int c = 0; c < g && n % g == 0; ++c)
      for (int d = 1; d <= g; ++d)
        if (g % d == 0 && c % (g / d) == 0)
          for (const bool wrapped : {false, true}) shapes.push_back({g, c, d, wrapped, {}, 0});
  return shapes;
}

// With R(k) + c0 = rotation, as tables.h defines it.
std::int64_t value_of(const XformParameters& p, std::int64_t i, std::int64_t rotation) {
  const std::int64_t group = floor_div(i, p.group), inner = floor_mod(i, p.group);
  const std::int64_t turned = inner / p.period + rotation;
  return p.group * group + floor_mod(p.fan * inner + (p.wrapped ? floor_mod(turned, p.group / p.period) : turned), p.group);
}

enum class Comparison { kEq, kNe, kGe, kGt, kLe, kLt };
constexpr Comparison kComparisons[] = {Comparison::kEq, Comparison::kNe, Comparison::kGe, Comparison::kGt, Comparison::kLe, Comparison::kLt};

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

std::optional<EncodedHole> HoleEncoder::encode() {
  EncodedHole hole;
  for (std::size_t p = 0; p < space_.points.size(); ++p) {
    hole.values.push_back(formula_.fresh(static_cast<std::size_t>(space_.domain)));
    formula_.exactly_one(hole.values.back());
  }
  const bool done = space_.kind == HoleKind::kXform ? encode_xform(hole) : space_.kind == HoleKind::kPart ? encode_part(hole) : encode_cond(hole);
  return done ? std::optional(std::move(hole)) : std::nullopt;
}

bool HoleEncoder::encode_xform(EncodedHole& hole) {
  const auto n = static_cast<std::size_t>(space_.domain);
  const std::size_t arity = space_.arguments[0].size() - 1;
  const std::vector<XformParameters> shapes = shapes_of(space_.domain);
  const Literals shape = formula_.fresh(shapes.size());
  formula_.exactly_one(shape);
  const Literals constant = formula_.fresh(n);
  formula_.exactly_one(constant);

  // All variables share one list of settings; those that do not fit a variable's range, or the modulus, are forbidden.
  std::vector<XformParameters::Rotation> settings;
  std::vector<std::int64_t> reach(arity, 0);
  for (const auto& a : space_.arguments)
    for (std::size_t j = 0; j < arity; ++j) reach[j] = std::max(reach[j], a[j + 1]);
  const auto furthest = static_cast<int>(arity == 0 ? 0 : *std::max_element(reach.begin(), reach.end()));
  for (int factor = 0; factor < space_.domain; ++factor)
    for (int divisor = 0; divisor <= furthest; ++divisor)
      if (divisor != 1) settings.push_back({factor, divisor});  // ⌊k / 1⌋ is one more factor
  std::vector<Literals> chosen;
  for (std::size_t j = 0; j < arity; ++j) {
    chosen.push_back(formula_.fresh(settings.size()));
    formula_.exactly_one(chosen[j]);
    for (std::size_t s = 0; s < settings.size(); ++s) {
      const int divisor = settings[s].divisor;
      if (divisor > 0 && (divisor > reach[j] || (reach[j] + 1) % divisor != 0)) formula_.add({!chosen[j][s]});
    }
  }
  for (std::size_t f = 0; f < shapes.size(); ++f) {
    const int m = shapes[f].modulus();
    for (std::size_t c = 0; c < n; ++c)
      if (static_cast<int>(c) >= m) formula_.add({!shape[f], !constant[c]});
    for (const Literals& setting : chosen)
      for (std::size_t s = 0; s < settings.size(); ++s)
        if (settings[s].factor >= m) formula_.add({!shape[f], !setting[s]});
  }
  const auto rotation = rotations_by_key(settings, chosen, constant);
  for (std::size_t p = 0; p < space_.points.size(); ++p) {
    const auto& a = space_.arguments[p];
    const Literals& turned = rotation.at({a.begin() + 1, a.end()});
    for (std::size_t f = 0; f < shapes.size(); ++f)
      for (std::size_t r = 0; r < n; ++r)
        formula_.add({!shape[f], !turned[r], hole.values[p][static_cast<std::size_t>(value_of(shapes[f], a[0], static_cast<std::int64_t>(r)))]});
  }
  return price_xform(shapes, shape, settings, chosen, constant, hole);
}

// R(k) + c0 modulo n, of which every modulus is a divisor, by (k…).
std::map<std::vector<std::int64_t>, Literals> HoleEncoder::rotations_by_key(const std::vector<XformParameters::Rotation>& settings,
                                                                            const std::vector<Literals>& chosen, const Literals& constant) {
  std::map<std::vector<std::int64_t>, Literals> known{{{}, constant}};
  for (const auto& a : space_.arguments)
    for (std::size_t j = 0; j < chosen.size(); ++j) {
      const std::vector<std::int64_t> before(a.begin() + 1, a.begin() + 1 + static_cast<std::ptrdiff_t>(j));
      const std::vector<std::int64_t> key(a.begin() + 1, a.begin() + 2 + static_cast<std::ptrdiff_t>(j));
      if (known.contains(key)) continue;
      const std::int64_t k = key.back();
      const Literals& from = known.at(before);
      const Literals to = formula_.fresh(from.size());
      formula_.exactly_one(to);
      for (std::size_t s = 0; s < settings.size(); ++s)
        for (std::size_t r = 0; r < from.size(); ++r) {
          const std::int64_t turn = settings[s].factor * k + (settings[s].divisor > 0 ? floor_div(k, settings[s].divisor) : 0);
          const auto sum = static_cast<std::size_t>(floor_mod(static_cast<std::int64_t>(r) + turn, space_.domain));
          formula_.add({!chosen[j][s], !from[r], to[sum]});
        }
      known.emplace(key, to);
    }
  return known;
}

bool HoleEncoder::price_xform(const std::vector<XformParameters>& shapes, const Literals& shape, const std::vector<XformParameters::Rotation>& settings,
                              const std::vector<Literals>& chosen, const Literals& constant, EncodedHole& hole) {
  const XformPrinter printer(space_);
  std::vector<std::pair<int, Literals>> prices;  // operations, and the clause that says so
  bool too_many = false;
  for (std::size_t f = 0; f < shapes.size(); ++f) {
    XformParameters p = shapes[f];
    const int m = p.modulus();
    p.rotations.resize(chosen.size());
    Literals clause{!shape[f]};
    const auto descend = [&](auto&& self, std::size_t j) -> void {
      if (too_many) return;
      for (std::size_t s = 0; j < chosen.size() && s < settings.size(); ++s) {
        if (settings[s].factor >= m) continue;
        p.rotations[j] = settings[s];
        clause.push_back(!chosen[j][s]);
        self(self, j + 1);
        clause.pop_back();
      }
      for (int c = 0; j == chosen.size() && c < m; ++c) {
        p.constant = c;
        clause.push_back(!constant[static_cast<std::size_t>(c)]);
        prices.emplace_back(printer.print(p).integer_ops(), clause);
        clause.pop_back();
        too_many = prices.size() > kMaxSettings;
      }
    };
    descend(descend, 0);
  }
  if (too_many) why_ = "a transformation with too many settings";
  if (too_many) return false;
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
std::optional<HoleEncoder::Condition> HoleEncoder::encode_condition() {
  struct Form {
    std::size_t a, b;
    bool plus;  // I + b
    std::int64_t compared(const std::vector<std::int64_t>& v) const { return plus ? v[a] - v[b] : v[a] + v[b]; }
  };
  const std::size_t arity = space_.arguments[0].size();
  std::vector<Form> forms;
  for (std::size_t a = 0; a < arity; ++a)
    for (std::size_t b = 0; b < arity; ++b)
      for (const bool plus : {false, true})
        if (a != b || !plus) forms.push_back({a, b, plus});  // a ⊙ I + a is true or false
  std::map<std::int64_t, Literal> outcome;  // by a ∓ b
  for (const Form& form : forms)
    for (const auto& v : space_.arguments) outcome.try_emplace(form.compared(v));
  const std::int64_t lowest = outcome.empty() ? 0 : outcome.begin()->first - 1, highest = outcome.empty() ? 0 : outcome.rbegin()->first + 1;
  if (highest - lowest > kMaxOffsets) {
    why_ = "a condition with too many offsets";
    return std::nullopt;
  }

  Condition condition{formula_.fresh(space_.points.size()), formula_.fresh(), formula_.fresh()};
  Literals form = formula_.fresh(forms.size() + 2);
  formula_.exactly_one(form);
  const Literal always = form[forms.size()], never = form[forms.size() + 1];
  const Literals op = formula_.fresh(std::size(kComparisons));
  formula_.exactly_one(op);
  const Literals offset = formula_.fresh(static_cast<std::size_t>(highest - lowest + 1));
  formula_.exactly_one(offset);

  for (auto& [difference, literal] : outcome) {
    literal = formula_.fresh();
    for (std::size_t o = 0; o < op.size(); ++o)
      for (std::size_t i = 0; i < offset.size(); ++i)
        formula_.add({!op[o], !offset[i], compare(kComparisons[o], difference, lowest + static_cast<std::int64_t>(i)) ? literal : !literal});
  }
  for (std::size_t p = 0; p < space_.points.size(); ++p) {
    formula_.add({!always, condition.holds[p]});
    formula_.add({!never, !condition.holds[p]});
    for (std::size_t q = 0; q < forms.size(); ++q) {
      const Literal result = outcome.at(forms[q].compared(space_.arguments[p]));
      formula_.add({!form[q], !result, condition.holds[p]});
      formula_.add({!form[q], result, !condition.holds[p]});
    }
  }
  for (std::size_t q = 0; q < forms.size(); ++q) {
    formula_.add({!form[q], condition.variable});
    if (forms[q].a == forms[q].b) continue;  // a compares with a number
    for (std::size_t o = 0; o < op.size(); ++o)
      for (std::size_t i = 0; i < offset.size(); ++i)
        if (!forms[q].plus || !needs_no_addition(kComparisons[o], lowest + static_cast<std::int64_t>(i)))
          formula_.add({!form[q], !op[o], !offset[i], condition.two_ops});
  }
  return condition;
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
