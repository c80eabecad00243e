// Transformation swizzles: fans and groups by bit masks, rotations on top.
#include <algorithm>
#include <map>

#include "synth/tables.h"

namespace swizzle {
namespace {

struct Fan {
  int group, fan, period;
  bool wrapped;
  int modulus() const { return wrapped ? group / period : group; }
  int value(std::int64_t i, std::int64_t rotation) const {
    const std::int64_t base = i / group * group, inner = i % group;
    if (wrapped) return static_cast<int>(base + (fan * inner + (inner / period + rotation) % modulus()) % group);
    return static_cast<int>(base + (fan * inner + inner / period + rotation) % group);
  }
};

std::vector<Fan> fans_of(int n) {
  std::vector<Fan> fans;
  for (int g = n; g >= 1; --g) {
    if (n % g != 0) continue;
    for (int c = 0; c < g; ++c)
      for (int d = g; d >= 1; --d) {
        if (g % d != 0 || c % (g / d) != 0) continue;
        fans.push_back({g, c, d, false});
        if (d != g && d != 1) fans.push_back({g, c, d, true});  // d = 1 wraps mod g, d = g has no rotation: plain forms
      }
  }
  return fans;
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
std::int64_t floor_mod(std::int64_t a, std::int64_t b) { return a - floor_div(a, b) * b; }

// c·k + ⌊k / d⌋; d = 0: no quotient
struct Rotation {
  int factor, divisor;
  std::int64_t at(std::int64_t k) const { return factor * k + (divisor > 0 ? floor_div(k, divisor) : 0); }
};

class XformEnumerator {
 public:
  XformEnumerator(const HoleSpace& space, const std::vector<ValueSet>& allowed, std::size_t limit)
      : space_(space), allowed_(allowed), limit_(limit), arity_(space.arguments[0].size() - 1) {
    // Points with the same k share their rotation.
    std::map<std::vector<std::int64_t>, std::size_t> group_of;
    for (std::size_t p = 0; p < space.points.size(); ++p) {
      const std::vector<std::int64_t> k(space.arguments[p].begin() + 1, space.arguments[p].end());
      const auto [it, fresh] = group_of.try_emplace(k, keys_.size());
      if (fresh) {
        keys_.push_back(k);
        members_.emplace_back();
      }
      members_[it->second].push_back(p);
    }
    reach_.assign(arity_, 0);
    negative_.assign(arity_, false);
    for (const auto& k : keys_)
      for (std::size_t j = 0; j < arity_; ++j) {
        reach_[j] = std::max(reach_[j], k[j]);
        negative_[j] = negative_[j] || k[j] < 0;
      }
  }

  Enumeration run() {
    for (const Fan& fan : fans_of(space_.domain)) {
      if (!result_.complete) break;
      if (!rotations_allowed(fan)) continue;
      chosen_.clear();
      choose(fan, 0, ok_);
    }
    return std::move(result_);
  }

 private:
  // ok_[key]: the total rotations under which every point of that key has an allowed value
  bool rotations_allowed(const Fan& fan) {
    const int m = fan.modulus();
    ok_.assign(keys_.size(), {});
    for (std::size_t key = 0; key < keys_.size(); ++key) {
      bool any = false;
      for (int r = 0; r < m; ++r) {
        bool fits = true;
        for (std::size_t p : members_[key]) {
          if (allowed_[p].test(static_cast<std::size_t>(fan.value(space_.arguments[p][0], r)))) continue;
          fits = false;
          break;
        }
        if (fits) ok_[key].set(static_cast<std::size_t>(r));
        any |= fits;
      }
      if (!any) return false;
    }
    return true;
  }

  // Decide R for variable j; ok: what is still allowed for the rest of the rotation, by key.
  void choose(const Fan& fan, std::size_t j, const std::vector<ValueSet>& ok) {
    const int m = fan.modulus();
    if (j == arity_) return finish(fan, ok);
    std::map<std::vector<std::int64_t>, bool> seen;  // rotations with the same table modulo m
    for (int divisor = 0; divisor <= static_cast<int>(reach_[j]); ++divisor) {
      if (divisor == 1) continue;  // factor + 1 says the same
      for (int factor = 0; factor < m; ++factor) {
        const Rotation rotation{factor, divisor};
        std::vector<std::int64_t> table;
        for (const auto& k : keys_) table.push_back(floor_mod(rotation.at(k[j]), m));
        if (!seen.emplace(table, true).second) continue;
        std::vector<ValueSet> rest(keys_.size());
        if (!rotate_all(ok, table, j, m, rest)) continue;
        chosen_.push_back(rotation);
        choose(fan, j + 1, rest);
        chosen_.pop_back();
        if (!result_.complete) return;
      }
    }
  }

  // rest = ok shifted down by table; the keys that agree in all later variables must agree on what is left.
  bool rotate_all(const std::vector<ValueSet>& ok, const std::vector<std::int64_t>& table, std::size_t j, int m,
                  std::vector<ValueSet>& rest) {
    std::map<std::vector<std::int64_t>, ValueSet> shared;
    for (std::size_t key = 0; key < keys_.size(); ++key) {
      const auto shift = static_cast<std::size_t>(table[key]);
      const auto width = static_cast<std::size_t>(m);
      ValueSet low = (ok[key] >> shift) | (ok[key] << (width - shift));
      if (width < kMaxDomain) low &= ~(~ValueSet{} << width);
      const std::vector<std::int64_t> later(keys_[key].begin() + static_cast<std::ptrdiff_t>(j) + 1, keys_[key].end());
      const auto [it, fresh] = shared.try_emplace(later, low);
      if (!fresh) it->second &= low;
      if (it->second.none()) return false;
    }
    for (std::size_t key = 0; key < keys_.size(); ++key)
      rest[key] = shared.at({keys_[key].begin() + static_cast<std::ptrdiff_t>(j) + 1, keys_[key].end()});
    return true;
  }

  void finish(const Fan& fan, const std::vector<ValueSet>& ok) {
    ValueSet constants = ok[0];
    for (const ValueSet& set : ok) constants &= set;
    for (int c = 0; c < fan.modulus(); ++c) {
      if (!constants.test(static_cast<std::size_t>(c))) continue;
      if (result_.tables.size() >= limit_) {
        result_.complete = false;
        return;
      }
      emit(fan, c);
    }
  }

  void emit(const Fan& fan, int c) {
    HoleTable table;
    const int m = fan.modulus();
    for (const auto& a : space_.arguments) {
      std::int64_t rotation = c;
      for (std::size_t j = 0; j < arity_; ++j) rotation += chosen_[j].at(a[j + 1]);
      table.values.push_back(static_cast<std::int16_t>(fan.value(a[0], floor_mod(rotation, m))));
    }
    table.expression = expression(fan, c);
    table.integer_ops = table.expression.integer_ops();
    result_.tables.push_back(std::move(table));
  }

  // A factor of m - 1 is a subtraction where `& (m - 1)` takes negatives in its stride.
  IndexExpr rotated(IndexExpr sum, int c, int m) const {
    const bool power_of_two = (m & (m - 1)) == 0;
    bool may_be_negative = false;
    for (std::size_t j = 0; j < arity_; ++j) {
      const IndexExpr k = IndexExpr::argument(space_.first_argument + j);
      const int factor = power_of_two && chosen_[j].factor > m / 2 ? chosen_[j].factor - m : chosen_[j].factor;
      sum = IndexExpr::add(std::move(sum), IndexExpr::mul(k, factor));
      if (chosen_[j].divisor > 0) sum = IndexExpr::add(std::move(sum), IndexExpr::div(k, chosen_[j].divisor));
      may_be_negative = may_be_negative || (negative_[j] && (chosen_[j].factor != 0 || chosen_[j].divisor > 0));
    }
    sum = IndexExpr::add(std::move(sum), IndexExpr::constant(power_of_two && c > m / 2 ? c - m : c));
    if (power_of_two || !may_be_negative) return sum;
    // C's % keeps the sign of the dividend: lift the sum above zero.
    std::int64_t least = 0;
    for (const auto& k : keys_) {
      std::int64_t r = c;
      for (std::size_t j = 0; j < arity_; ++j) r += chosen_[j].at(k[j]);
      least = std::min(least, r);
    }
    return IndexExpr::add(std::move(sum), IndexExpr::constant((-least + m - 1) / m * m));
  }

  IndexExpr expression(const Fan& fan, int c) const {
    const IndexExpr i = IndexExpr::argument(0);
    const int n = space_.domain, g = fan.group, m = fan.modulus();
    if (g == 1) return i;
    const IndexExpr inner = g == n ? i : IndexExpr::mod(i, g);
    const IndexExpr fanned = IndexExpr::mul(inner, fan.fan);
    const IndexExpr quotient = fan.period == g ? IndexExpr::constant(0) : IndexExpr::div(inner, fan.period);
    IndexExpr swizzled;
    if (fan.wrapped) swizzled = IndexExpr::add(fanned, IndexExpr::mod(rotated(quotient, c, m), m));
    else swizzled = rotated(IndexExpr::add(fanned, quotient), c, m);
    const bool identity = swizzled.op == IndexExpr::Op::kArgument && swizzled.value == 0;
    const bool in_group = swizzled.op == IndexExpr::Op::kAnd && swizzled.operands[1].value == g - 1;
    if (!identity && !in_group) swizzled = IndexExpr::mod(std::move(swizzled), g);
    if (g == n) return swizzled;
    if (in_group && swizzled.operands[0].op == IndexExpr::Op::kArgument) return i;  // nothing but i mod g: the identity
    const bool power_of_two = (g & (g - 1)) == 0;
    IndexExpr base = power_of_two ? IndexExpr::mask(i, -static_cast<std::int64_t>(g)) : IndexExpr::mul(IndexExpr::div(i, g), g);
    return IndexExpr::add(std::move(base), std::move(swizzled));
  }

  const HoleSpace& space_;
  const std::vector<ValueSet>& allowed_;
  std::size_t limit_;
  std::size_t arity_;
  std::vector<std::vector<std::int64_t>> keys_;      // distinct (k…)
  std::vector<std::vector<std::size_t>> members_;    // by key: points
  std::vector<std::int64_t> reach_;                  // by variable: its largest value
  std::vector<bool> negative_;
  std::vector<ValueSet> ok_;
  std::vector<Rotation> chosen_;
  Enumeration result_;
};

}  // namespace

Enumeration enumerate_xform(const HoleSpace& space, const std::vector<ValueSet>& allowed, std::size_t limit) {
  return XformEnumerator(space, allowed, limit).run();
}

}  // namespace swizzle
