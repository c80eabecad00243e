// Transformation swizzles: fans and groups by bit masks, rotations on top.
#include <algorithm>
#include <bitset>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

#include "synth/tables.h"
#include "synth/xform_printer.h"

namespace swizzle {
namespace {

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
std::int64_t floor_mod(std::int64_t a, std::int64_t b) { return a - floor_div(a, b) * b; }

// base(i) + (shift(i) + rotation) mod modulus
struct Fan {
  int group, fan, period;
  bool wrapped;
  int modulus() const { return wrapped ? group / period : group; }
  int base(std::int64_t i) const { return static_cast<int>(floor_div(i, group) * group + (wrapped ? fan * floor_mod(i, group) % group : 0)); }
  int shift(std::int64_t i) const {
    const std::int64_t inner = floor_mod(i, group);
    return static_cast<int>(((wrapped ? 0 : fan * inner) + inner / period) % modulus());
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

// A set of rotations in [0, m): a machine word where it fits.
struct WordSet {
  std::uint64_t bits = 0;
  static WordSet window(const Domains& domains, PointId p, int base, int m) {
    const std::uint64_t* w = domains.values(p);
    const auto word = static_cast<std::size_t>(base) / 64, offset = static_cast<std::size_t>(base) % 64;
    std::uint64_t bits = w[word] >> offset;
    if (offset != 0 && word + 1 < domains.words()) bits |= w[word + 1] << (64 - offset);
    return {bits & first(m).bits};
  }
  static WordSet first(int m) { return {m == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << m) - 1}; }
  WordSet rotated_down(int by, int m) const { return by == 0 ? *this : WordSet{((bits >> by) | (bits << (m - by))) & first(m).bits}; }
  WordSet& operator&=(const WordSet& other) {
    bits &= other.bits;
    return *this;
  }
  bool none() const { return bits == 0; }
  bool has(int r) const { return (bits >> r & 1) != 0; }
};

struct WideSet {
  std::bitset<kMaxDomain> bits;
  static WideSet window(const Domains& domains, PointId p, int base, int m) {
    WideSet set;
    for (int r = 0; r < m; ++r) set.bits[static_cast<std::size_t>(r)] = domains.allows(p, base + r);
    return set;
  }
  static WideSet first(int m) { return {~std::bitset<kMaxDomain>{} >> static_cast<std::size_t>(kMaxDomain - m)}; }
  WideSet rotated_down(int by, int m) const {
    if (by == 0) return *this;
    return {((bits >> static_cast<std::size_t>(by)) | (bits << static_cast<std::size_t>(m - by))) & first(m).bits};
  }
  WideSet& operator&=(const WideSet& other) {
    bits &= other.bits;
    return *this;
  }
  bool none() const { return bits.none(); }
  bool has(int r) const { return bits[static_cast<std::size_t>(r)]; }
};

// c·k + ⌊k / d⌋ mod m at each key; d = 0: no quotient.
struct Rotation {
  int factor, divisor;
  int least_ops;
  std::vector<int> table;
  std::int64_t at(std::int64_t k) const { return factor * k + (divisor > 0 ? floor_div(k, divisor) : 0); }
  int terms() const { return (factor != 0 ? 1 : 0) + (divisor > 0 ? 1 : 0); }
};

class XformGrammar : public TableGrammar {
 public:
  explicit XformGrammar(const HoleSpace& space) : space_(space), arity_(space.arguments[0].size() - 1), fans_(fans_of(space.domain)), printer_(space) {
    // Points with the same k share their rotation.
    std::map<std::vector<std::int64_t>, std::size_t> key_of;
    for (std::size_t p = 0; p < space.points.size(); ++p) {
      const std::vector<std::int64_t> k(space.arguments[p].begin() + 1, space.arguments[p].end());
      const auto [it, fresh] = key_of.try_emplace(k, keys_.size());
      if (fresh) {
        keys_.push_back(k);
        members_.emplace_back();
      }
      members_[it->second].push_back(p);
    }
    // successor_[j][key]: the class of keys that agree on all variables after j.
    for (std::size_t j = 0; j < arity_; ++j) {
      std::map<std::vector<std::int64_t>, std::size_t> classes;
      successor_.emplace_back();
      for (const auto& k : keys_)
        successor_.back().push_back(classes.try_emplace({k.begin() + static_cast<std::ptrdiff_t>(j) + 1, k.end()}, classes.size()).first->second);
      classes_.push_back(classes.size());
    }
    reach_.assign(arity_, 0);
    for (const auto& k : keys_)
      for (std::size_t j = 0; j < arity_; ++j) reach_[j] = std::max(reach_[j], k[j]);
  }

  Enumeration within(const Domains& domains, int max_ops, std::size_t limit) const override;

  std::shared_ptr<const TransformFamilies> families() const override;

  double settings() const override {
    double sum = 0;
    for (const Fan& fan : fans_) {
      double combined = fan.modulus();
      for (std::size_t j = 0; j < arity_; ++j) combined *= static_cast<double>(rotations(j, fan.modulus()).size());
      sum += combined;
    }
    return sum;
  }
  // i mod g twice, a fan, a quotient, two mods, the base; and for each variable a product, a quotient and two sums
  int most_ops() const override { return 40 + 8 * static_cast<int>(arity_); }
  double distinct_log10() const override;

 private:
  template <typename Set>
  class Walk;

  // The distinct rotations by variable j modulo m, the cheaper of two equal ones.
  const std::vector<Rotation>& rotations(std::size_t j, int m) const {
    auto& known = rotations_[{j, m}];
    if (!known.empty()) return known;
    const bool power_of_two = (m & (m - 1)) == 0;
    const auto add = [&](int factor, int divisor) {
      const bool cheap = factor <= 1 || (power_of_two && factor == m - 1);
      Rotation r{factor, divisor, (cheap ? 0 : 1) + (divisor > 0 ? 1 : 0), {}};
      for (const auto& k : keys_) r.table.push_back(static_cast<int>(floor_mod(r.at(k[j]), m)));
      known.push_back(std::move(r));
    };
    for (int factor = 0; factor < m; ++factor) add(factor, 0);
    for (std::int64_t divisor = 2; divisor <= reach_[j]; ++divisor)  // 1 is factor + 1, and reach + 1 is no quotient
      for (int factor = 0; factor < m && (reach_[j] + 1) % divisor == 0; ++factor) add(factor, static_cast<int>(divisor));
    // By what they add to a sum; a lone k is cheaper than a lone -k, and a quotient may need a division.
    const auto cost = [&](const Rotation& r) {
      const bool shift = r.divisor > 0 && (r.divisor & (r.divisor - 1)) == 0;
      return std::tuple(r.least_ops + r.terms() + (r.divisor > 0 && !shift ? 3 : 0), r.factor == m - 1);
    };
    std::stable_sort(known.begin(), known.end(), [&](const Rotation& a, const Rotation& b) { return cost(a) < cost(b); });
    std::set<std::vector<int>> seen;
    std::erase_if(known, [&](const Rotation& r) { return !seen.insert(r.table).second; });
    return known;
  }

  // No printed expression of this fan, with so many operations and terms in its rotation, costs less.
  int least_ops(const Fan& fan, int rotation_ops, int rotation_terms) const {
    if (fan.group == 1) return 0;
    const bool quotient = fan.period != fan.group;
    const int terms = (fan.fan != 0 ? 1 : 0) + (quotient ? 1 : 0) + rotation_terms;
    const bool subtracted = fan.fan == fan.group - 1;  // costs no product, and may need no reduction
    const int ops = (fan.fan > 1 && !subtracted ? 1 : 0) + (quotient ? 1 : 0) + rotation_ops + std::max(0, terms - 1);
    if (terms < 2 || subtracted) return ops;
    return ops + (fan.wrapped ? 0 : 1) + (fan.group != space_.domain ? 1 : 0);
  }

  IndexExpr expression(const Fan& fan, const std::vector<const Rotation*>& chosen, int c) const {
    XformParameters parameters{fan.group, fan.fan, fan.period, fan.wrapped, {}, c};
    for (const Rotation* r : chosen) parameters.rotations.push_back({r->factor, r->divisor});
    return printer_.print(parameters);
  }

  const HoleSpace& space_;
  std::size_t arity_;
  std::vector<Fan> fans_;
  XformPrinter printer_;
  std::vector<std::vector<std::int64_t>> keys_;   // distinct (k…)
  std::vector<std::vector<std::size_t>> members_;  // by key: points
  std::vector<std::vector<std::size_t>> successor_;
  std::vector<std::size_t> classes_;
  std::vector<std::int64_t> reach_;                // by variable: its largest value
  mutable std::map<std::pair<std::size_t, int>, std::vector<Rotation>> rotations_;
};

template <typename Set>
class XformGrammar::Walk {
 public:
  Walk(const XformGrammar& grammar, const Domains& domains, int max_ops, std::size_t limit)
      : grammar_(grammar), domains_(domains), max_ops_(max_ops), limit_(limit) {}

  Enumeration run() {
    for (const Fan& fan : grammar_.fans_) {
      if (!result_.complete) break;
      if (grammar_.least_ops(fan, 0, 0) > max_ops_ || !rotations_allowed(fan)) continue;
      choose(fan, 0, ok_, 0, 0);
    }
    keep_distinct(result_);
    return std::move(result_);
  }

 private:
  // ok_[key]: the total rotations under which every point of that key has an allowed value
  bool rotations_allowed(const Fan& fan) {
    const int m = fan.modulus();
    ok_.assign(grammar_.keys_.size(), Set::first(m));
    for (std::size_t key = 0; key < ok_.size(); ++key)
      for (std::size_t p : grammar_.members_[key]) {
        const std::int64_t i = grammar_.space_.arguments[p][0];
        ok_[key] &= Set::window(domains_, grammar_.space_.points[p], fan.base(i), m).rotated_down(fan.shift(i), m);
        if (ok_[key].none()) return false;
      }
    return true;
  }

  // Decide R for variable j; ok: what is still allowed for the rest of the rotation, by class of keys.
  void choose(const Fan& fan, std::size_t j, const std::vector<Set>& ok, int ops, int terms) {
    const int m = fan.modulus();
    if (j == grammar_.arity_) return finish(fan, ok, ops, terms);
    const std::vector<std::size_t>& successor = grammar_.successor_[j];
    std::vector<Set> rest;
    for (const Rotation& rotation : grammar_.rotations(j, m)) {
      if (grammar_.least_ops(fan, ops + rotation.least_ops, terms + rotation.terms()) > max_ops_) continue;
      rest.assign(grammar_.classes_[j], Set::first(m));
      if (!narrow(ok, rotation, j, m, successor, rest)) continue;
      chosen_.push_back(&rotation);
      choose(fan, j + 1, rest, ops + rotation.least_ops, terms + rotation.terms());
      chosen_.pop_back();
      if (!result_.complete) return;
    }
  }

  // rest: ok shifted down by the rotation; keys that agree in all later variables must agree on what is left.
  bool narrow(const std::vector<Set>& ok, const Rotation& rotation, std::size_t j, int m, const std::vector<std::size_t>& successor,
              std::vector<Set>& rest) const {
    for (std::size_t key = 0; key < successor.size(); ++key) {
      const Set& before = ok[j == 0 ? key : grammar_.successor_[j - 1][key]];
      Set& left = rest[successor[key]];
      left &= before.rotated_down(rotation.table[key], m);
      if (left.none()) return false;
    }
    return true;
  }

  void finish(const Fan& fan, const std::vector<Set>& ok, int ops, int terms) {
    Set constants = ok[0];
    for (const Set& set : ok) constants &= set;
    for (int c = 0; c < fan.modulus(); ++c) {
      if (!constants.has(c)) continue;
      if (grammar_.least_ops(fan, ops, terms + (c != 0 ? 1 : 0)) > max_ops_) continue;
      if (result_.tables.size() >= limit_) {
        result_.complete = false;
        return;
      }
      emit(fan, c);
    }
  }

  void emit(const Fan& fan, int c) {
    HoleTable table;
    table.expression = grammar_.expression(fan, chosen_, c);
    table.integer_ops = table.expression.integer_ops();
    if (table.integer_ops > max_ops_) return;
    const int m = fan.modulus();
    table.values.reserve(grammar_.space_.arguments.size());
    for (const auto& a : grammar_.space_.arguments) {
      std::int64_t rotation = c;
      for (std::size_t j = 0; j < grammar_.arity_; ++j) rotation += chosen_[j]->at(a[j + 1]);
      table.values.push_back(static_cast<std::int16_t>(fan.base(a[0]) + floor_mod(fan.shift(a[0]) + rotation, m)));
    }
    result_.tables.push_back(std::move(table));
  }

  const XformGrammar& grammar_;
  const Domains& domains_;
  int max_ops_;
  std::size_t limit_;
  std::vector<Set> ok_;
  std::vector<const Rotation*> chosen_;
  Enumeration result_;
};

Enumeration XformGrammar::within(const Domains& domains, int max_ops, std::size_t limit) const {
  return space_.domain <= 64 ? Walk<WordSet>(*this, domains, max_ops, limit).run() : Walk<WideSet>(*this, domains, max_ops, limit).run();
}

std::shared_ptr<const TransformFamilies> XformGrammar::families() const {
  constexpr std::size_t kMostRotations = 1024;
  if (space_.domain > 64) return nullptr;
  auto result = std::make_shared<TransformFamilies>();
  result->keys = keys_.size();
  result->key_of.resize(space_.points.size());
  for (std::size_t key = 0; key < keys_.size(); ++key)
    for (std::size_t p : members_[key]) result->key_of[p] = static_cast<std::uint32_t>(key);
  for (const Fan& fan : fans_) {
    const int m = fan.modulus();
    const auto [it, fresh] = result->rotations.try_emplace(m);
    std::size_t combinations = 1;
    for (std::size_t j = 0; j < arity_; ++j) combinations *= rotations(j, m).size();
    if (fresh && combinations <= kMostRotations) {
      it->second.push_back(std::vector<std::int16_t>(keys_.size(), 0));
      for (std::size_t j = 0; j < arity_; ++j) {
        std::vector<std::vector<std::int16_t>> sums;
        for (const std::vector<std::int16_t>& before : it->second)
          for (const Rotation& rotation : rotations(j, m)) {
            sums.push_back(before);
            for (std::size_t key = 0; key < keys_.size(); ++key) sums.back()[key] = static_cast<std::int16_t>((before[key] + rotation.table[key]) % m);
          }
        it->second = std::move(sums);
      }
    }
    TransformFamily family{m, {}, {}, &it->second};
    for (const auto& a : space_.arguments) {
      family.base.push_back(static_cast<std::int16_t>(fan.base(a[0])));
      family.shift.push_back(static_cast<std::int16_t>(fan.shift(a[0])));
    }
    result->families.push_back(std::move(family));
  }
  return result;
}

// A table is base(i) + (shift(i) + R(k) + c) mod M: its fingerprint is a sum over keys of one word for each (fan, key,
// rotation), so that all tables are told apart without being written down.
double XformGrammar::distinct_log10() const {
  const auto noise = [](std::uint64_t a, std::uint64_t b) {
    std::uint64_t x = a * 0x9e3779b97f4a7c15ull + b * 0xd1b54a32d192ed03ull + 0x632be59bd9b4e019ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
  };
  if (settings() > 2e6) return std::log10(settings());  // an upper bound: some of these are equal
  std::unordered_set<std::uint64_t> seen;
  std::vector<std::uint64_t> words;  // by key, rotation
  for (const Fan& fan : fans_) {
    const int m = fan.modulus();
    words.assign(keys_.size() * static_cast<std::size_t>(m), 0);
    for (std::size_t key = 0; key < keys_.size(); ++key)
      for (std::size_t p : members_[key]) {
        const std::int64_t i = space_.arguments[p][0];
        for (int r = 0; r < m; ++r)
          words[key * static_cast<std::size_t>(m) + static_cast<std::size_t>(r)] +=
              noise(p, static_cast<std::uint64_t>(fan.base(i) + (fan.shift(i) + r) % m));
      }
    std::vector<int> total(keys_.size(), 0);
    const auto descend = [&](auto&& self, std::size_t j) -> void {
      if (j < arity_) {
        for (const Rotation& rotation : rotations(j, m)) {
          for (std::size_t key = 0; key < total.size(); ++key) total[key] += rotation.table[key];
          self(self, j + 1);
          for (std::size_t key = 0; key < total.size(); ++key) total[key] -= rotation.table[key];
        }
        return;
      }
      for (int c = 0; c < m; ++c) {
        std::uint64_t fingerprint = 0;
        for (std::size_t key = 0; key < total.size(); ++key)
          fingerprint += words[key * static_cast<std::size_t>(m) + static_cast<std::size_t>((total[key] + c) % m)];
        seen.insert(fingerprint);
      }
    };
    descend(descend, 0);
  }
  return std::log10(static_cast<double>(seen.size()));
}

}  // namespace

std::unique_ptr<TableGrammar> xform_grammar(const HoleSpace& space) { return std::make_unique<XformGrammar>(space); }

}  // namespace swizzle
