// Transformation swizzles: fans and groups by bit masks, rotations on top.
#include <algorithm>
#include <bitset>
#include <map>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "synth/tables.h"
#include "synth/xform_space.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostKeptSets = 2'000'000;
constexpr std::size_t kMostKeptTables = 50'000;
constexpr std::size_t kMostTested = 200'000;  // tables
constexpr std::size_t kSampled = 2;  // points of a key
constexpr int kOpsAhead = 1;
constexpr std::size_t kManyPoints = 256;

std::size_t hash_of(const std::vector<std::int16_t>& values) {
  std::size_t hash = 0;
  for (std::int16_t v : values) hash = (hash ^ static_cast<std::size_t>(v)) * 0x9e3779b97f4a7c15ull + (hash >> 29);
  return hash;
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
  void drop(int r) { bits &= ~(std::uint64_t{1} << r); }
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
  void drop(int r) { bits[static_cast<std::size_t>(r)] = false; }
};

// A shape and, by key and x, the y that every point of that key allows.
template <typename Set>
struct Fitting {
  const XformShape* shape;
  std::vector<Set> ok;
};

class XformGrammar : public TableGrammar {
 public:
  XformGrammar(const HoleSpace& space, std::shared_ptr<const XformSpace> xform) : space_(space), xform_(std::move(xform)) {
    // successor_[j][key]: the class of keys that agree on all variables after j.
    for (std::size_t j = 0; j < xform_->arity(); ++j) {
      std::map<std::vector<std::int64_t>, std::size_t> classes;
      successor_.emplace_back();
      for (const auto& k : xform_->keys())
        successor_.back().push_back(classes.try_emplace({k.begin() + static_cast<std::ptrdiff_t>(j) + 1, k.end()}, classes.size()).first->second);
      classes_.push_back(classes.size());
    }
  }

  Enumeration within(const Domains& domains, int max_ops, std::size_t limit) const override;
  std::optional<Enumeration> passing(const Domains& domains, TableTest& test, std::size_t limit) const override;

  // i mod g twice, a fan, a quotient, two mods, the base; and for each variable a product, a quotient and two sums
  int most_ops() const override { return (40 + 8 * static_cast<int>(xform_->arity())) * (space_.extra ? 2 : 1); }
  double distinct_log10() const override { return xform_->distinct_log10(); }
  double settings() const override { return xform_->settings(); }
  std::shared_ptr<const TransformFamilies> families() const override { return space_.domain > 64 ? nullptr : xform_->families(); }

 private:
  template <typename Set>
  class Walk;

  bool refit(std::vector<Domains::Word> asked, const Walk<WordSet>& walk) const;
  Enumeration kept_within(int max_ops, std::size_t limit) const;

  const HoleSpace& space_;
  std::shared_ptr<const XformSpace> xform_;
  std::vector<std::vector<std::size_t>> successor_;
  std::vector<std::size_t> classes_;
  // Of the domains that were asked about last: the shapes that fit, and all tables up to some cost.
  mutable std::vector<Domains::Word> fitting_to_;
  mutable std::vector<Fitting<WordSet>> fitting_;
  mutable std::vector<HoleTable> kept_;
  mutable int kept_ops_ = -1;
};

template <typename Set>
class XformGrammar::Walk {
 public:
  Walk(const XformGrammar& grammar, const Domains& domains, int max_ops, std::size_t limit)
      : grammar_(grammar), domains_(domains), max_ops_(max_ops), limit_(limit) {}

  Enumeration run() {
    for (const XformShape& shape : grammar_.xform_->shapes()) {
      if (!result_.complete) break;
      if (least(shape, {}, {}) <= max_ops_ && fits(shape, ok_)) choose(shape, 0, ok_, {}, {});
    }
    keep_distinct(result_);
    return std::move(result_);
  }

  // Only these shapes fit.
  Enumeration run(const std::vector<Fitting<Set>>& fitting) {
    for (const auto& [shape, ok] : fitting) {
      if (!result_.complete) break;
      if (least(*shape, {}, {}) <= max_ops_) choose(*shape, 0, ok, {}, {});
    }
    keep_distinct(result_);
    return std::move(result_);
  }

  // All that pass.
  Enumeration run(TableTest& test) {
    test_ = &test;
    list_positions();
    for (const XformShape& shape : grammar_.xform_->shapes()) {
      if (!result_.complete) break;
      if (fits(shape, ok_) && keep_passing(shape, ok_)) choose(shape, 0, ok_, {}, {});
    }
    keep_distinct(result_);
    return std::move(result_);
  }

  // ok[key · X + x]: the y under which, with x, every point of that key has an allowed value
  bool fits(const XformShape& shape, std::vector<Set>& ok) const {
    const auto extras = static_cast<std::size_t>(shape.extra_modulus());
    const XformSpace::ShapeTable& table = grammar_.xform_->shape_table(shape);
    ok.assign(grammar_.xform_->keys().size() * extras, Set::first(shape.run));
    for (std::size_t key = 0; key < grammar_.xform_->keys().size(); ++key) {
      bool any = false;
      for (std::size_t x = 0; x < extras; ++x) any |= narrow_to_points(shape, table, key, x, ok[key * extras + x]);
      if (!any) return false;
    }
    return true;
  }

 private:
  int least(const XformShape& shape, const SpentOnRotation& extra, const SpentOnRotation& turn) const { return least_ops(shape, grammar_.space_.domain, extra, turn); }

  bool narrow_to_points(const XformShape& shape, const XformSpace::ShapeTable& table, std::size_t key, std::size_t x, Set& ok) const {
    for (std::size_t p : grammar_.xform_->members()[key]) {
      const std::size_t i = grammar_.xform_->index_of()[p];
      const Set group = Set::window(domains_, grammar_.space_.points[p], table.start[i], shape.group);
      Set run = group.rotated_down(table.offset[x * grammar_.xform_->indices().size() + i], shape.group);
      run &= Set::first(shape.run);
      ok &= run.rotated_down(table.shift[i], shape.run);
      if (ok.none()) return false;
    }
    return true;
  }

  // Drops the y with which the points of a key, by themselves, fail the test.
  bool keep_passing(const XformShape& shape, std::vector<Set>& ok) {
    const auto extras = static_cast<std::size_t>(shape.extra_modulus());
    std::vector<std::int16_t> values;
    for (std::size_t key = 0; key < grammar_.xform_->keys().size(); ++key) {
      bool any = false;
      for (std::size_t x = 0; x < extras; ++x)
        for (int y = 0; y < shape.run; ++y) {
          if (!ok[key * extras + x].has(y)) continue;
          grammar_.xform_->values_of_key(shape, key, static_cast<int>(x), y, values);
          if (passes(key, values)) any = true;
          else ok[key * extras + x].drop(y);
        }
      if (!any) return false;
    }
    return true;
  }

  // Decide P and R for variable j; ok: what is still allowed for the rest of the rotations, by class of keys and x.
  void choose(const XformShape& shape, std::size_t j, const std::vector<Set>& ok, const SpentOnRotation& extra, const SpentOnRotation& turn) {
    if (j == grammar_.xform_->arity()) return finish(shape, ok, extra, turn);
    std::vector<Set> rest;
    std::vector<std::uint64_t> alive;
    for (const RotationLists::Entry& p : grammar_.xform_->extras(j, shape)) {
      if (least(shape, extra.with(p), turn) > max_ops_ || !any_left(shape, j, ok, p, alive)) continue;
      extras_.push_back(&p);
      for (const RotationLists::Entry& r : grammar_.xform_->turns(j, shape)) {
        if (least(shape, extra.with(p), turn.with(r)) > max_ops_ || !narrow(shape, j, ok, p, r, alive, rest)) continue;
        turns_.push_back(&r);
        choose(shape, j + 1, rest, extra.with(p), turn.with(r));
        turns_.pop_back();
        if (!result_.complete) break;
      }
      extras_.pop_back();
      if (!result_.complete) return;
    }
  }

  // alive: by class, the x for which, rotated by p, each key allows some y
  bool any_left(const XformShape& shape, std::size_t j, const std::vector<Set>& ok, const RotationLists::Entry& p, std::vector<std::uint64_t>& alive) const {
    const int extras = shape.extra_modulus();
    alive.assign(grammar_.classes_[j], extras == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << extras) - 1);
    for (std::size_t key = 0; key < grammar_.xform_->keys().size(); ++key) {
      std::uint64_t allowed = 0;
      for (int x = 0; x < extras; ++x)
        if (!ok[position(shape, j, key, x + p.table[key])].none()) allowed |= std::uint64_t{1} << x;
      if ((alive[grammar_.successor_[j][key]] &= allowed) == 0) return false;
    }
    return true;
  }

  std::size_t position(const XformShape& shape, std::size_t j, std::size_t key, int x) const {
    const auto extras = static_cast<std::size_t>(shape.extra_modulus());
    return (j == 0 ? key : grammar_.successor_[j - 1][key]) * extras + static_cast<std::size_t>(x) % extras;
  }

  // rest: ok shifted down by the rotations; keys that agree in all later variables must agree on what is left.
  bool narrow(const XformShape& shape, std::size_t j, const std::vector<Set>& ok, const RotationLists::Entry& p, const RotationLists::Entry& r,
              const std::vector<std::uint64_t>& alive, std::vector<Set>& rest) const {
    const int extras = shape.extra_modulus();
    rest.assign(grammar_.classes_[j] * static_cast<std::size_t>(extras), Set{});
    for (std::size_t of = 0; of < grammar_.classes_[j]; ++of)
      for (int x = 0; x < extras; ++x)
        if ((alive[of] >> x & 1) != 0) rest[of * static_cast<std::size_t>(extras) + static_cast<std::size_t>(x)] = Set::first(shape.run);
    for (std::size_t key = 0; key < grammar_.xform_->keys().size(); ++key) {
      const std::size_t of = grammar_.successor_[j][key];
      bool any = false;
      for (int x = 0; x < extras; ++x) {
        if ((alive[of] >> x & 1) == 0) continue;
        Set& left = rest[of * static_cast<std::size_t>(extras) + static_cast<std::size_t>(x)];
        left &= ok[position(shape, j, key, x + p.table[key])].rotated_down(r.table[key], shape.run);
        any |= !left.none();
      }
      if (!any) return false;
    }
    return true;
  }

  void finish(const XformShape& shape, const std::vector<Set>& ok, const SpentOnRotation& extra, const SpentOnRotation& turn) {
    const auto extras = static_cast<std::size_t>(shape.extra_modulus());
    for (std::size_t x = 0; x < extras; ++x) {
      Set constants = ok[x];
      for (std::size_t of = x; of < ok.size(); of += extras) constants &= ok[of];
      for (int y = 0; y < shape.run && !constants.none(); ++y) {
        if (!constants.has(y)) continue;
        const int least_here = least(shape, extra.with_constant(static_cast<int>(x)), turn.with_constant(y));
        if (least_here > max_ops_) continue;
        if (result_.tables.size() >= limit_) {
          result_.complete = false;
          return;
        }
        emit(shape, static_cast<int>(x), y, least_here);
      }
    }
  }

  // Settings of one table are many where there are two rotations.
  void emit(const XformShape& shape, int x, int y, int least_here) {
    if (test_ && !test_->passes(sample_, grammar_.xform_->values(shape, extras_, turns_, x, y, sample_))) return;
    HoleTable table{grammar_.xform_->values(shape, extras_, turns_, x, y), {}, 0};
    const std::size_t hash = hash_of(table.values);
    if (test_ && refused_.contains(table.values)) return;
    const auto [from, to] = seen_.equal_range(hash);
    const auto known = std::find_if(from, to, [&](const auto& entry) { return result_.tables[entry.second].values == table.values; });
    if (known != to && result_.tables[known->second].integer_ops <= least_here) return;
    if (known == to && test_ && !passes(table.values)) {
      refused_.insert(std::move(table.values));
      return;
    }
    table.expression = grammar_.xform_->expression(shape, extras_, turns_, x, y);
    table.integer_ops = table.expression.integer_ops();
    if (table.integer_ops > max_ops_) return;
    if (known == to) seen_.emplace(hash, result_.tables.size());
    else if (table.integer_ops < result_.tables[known->second].integer_ops) known->second = result_.tables.size();
    else return;
    result_.tables.push_back(std::move(table));
  }

  // Shapes have many columns in common.
  bool passes(std::size_t key, const std::vector<std::int16_t>& values) {
    columns_.resize(grammar_.xform_->keys().size());
    const auto [known, fresh] = columns_[key].try_emplace(values, false);
    if (fresh) known->second = test_->passes(grammar_.xform_->members()[key], values);
    return known->second;
  }

  // The first of each key, then the second of each, and so on: what two keys contradict each other in is soon found.
  void list_positions() {
    const auto& members = grammar_.xform_->members();
    for (std::size_t rank = 0; everywhere_.size() < grammar_.space_.points.size(); ++rank)
      for (const std::vector<std::size_t>& of_key : members) {
        if (rank >= of_key.size()) continue;
        everywhere_.push_back(of_key[rank]);
        if (rank < kSampled) sample_.push_back(of_key[rank]);
      }
    ordered_.resize(everywhere_.size());
  }

  // Past kMostTested, what passes is not listed in full.
  bool passes(const std::vector<std::int16_t>& values) {
    if (++tested_ > kMostTested) result_.complete = false;
    if (!result_.complete) return false;
    for (std::size_t i = 0; i < everywhere_.size(); ++i) ordered_[i] = values[everywhere_[i]];
    return test_->passes(everywhere_, ordered_);
  }

  const XformGrammar& grammar_;
  const Domains& domains_;
  int max_ops_;
  std::size_t limit_;
  std::vector<Set> ok_;
  std::vector<const RotationLists::Entry*> extras_, turns_;
  std::unordered_multimap<std::size_t, std::size_t> seen_;
  Enumeration result_;
  TableTest* test_ = nullptr;
  std::vector<std::size_t> everywhere_;  // all positions
  std::vector<std::size_t> sample_;      // some of each key
  std::vector<std::int16_t> ordered_;    // values everywhere
  std::size_t tested_ = 0;
  struct HashOfValues {
    std::size_t operator()(const std::vector<std::int16_t>& values) const { return hash_of(values); }
  };
  std::vector<std::unordered_map<std::vector<std::int16_t>, bool, HashOfValues>> columns_;  // by key: whether its points, with these values, pass
  std::unordered_set<std::vector<std::int16_t>, HashOfValues> refused_;  // values that do not pass
};

// False: there is too much to keep.
bool XformGrammar::refit(std::vector<Domains::Word> asked, const Walk<WordSet>& walk) const {
  fitting_to_.clear();
  fitting_.clear();
  kept_ops_ = -1;
  std::size_t sets = 0;
  std::vector<WordSet> ok;
  for (const XformShape& shape : xform_->shapes()) {
    if (!walk.fits(shape, ok)) continue;
    sets += ok.size();
    if (sets > kMostKeptSets) return false;
    fitting_.push_back({&shape, ok});
  }
  fitting_to_ = std::move(asked);
  return true;
}

Enumeration XformGrammar::kept_within(int max_ops, std::size_t limit) const {
  Enumeration result;
  for (const HoleTable& table : kept_) {
    if (table.integer_ops > max_ops) break;
    result.complete = result.tables.size() < limit;
    if (!result.complete) break;
    result.tables.push_back(table);
  }
  return result;
}

// A search that asks about the same domains again asks for ever dearer tables.
Enumeration XformGrammar::within(const Domains& domains, int max_ops, std::size_t limit) const {
  if (space_.domain > 64) return Walk<WideSet>(*this, domains, max_ops, limit).run();
  std::vector<Domains::Word> asked;
  for (PointId p : space_.points) asked.push_back(*domains.values(p));
  if (asked != fitting_to_) {
    Walk<WordSet> walk(*this, domains, max_ops, limit);
    return refit(std::move(asked), walk) ? walk.run(fitting_) : walk.run();
  }
  if (max_ops <= kept_ops_) return kept_within(max_ops, limit);
  const bool large = space_.points.size() > kManyPoints;  // tables of many points cost more to list than to find again
  const int ahead = max_ops < most_ops() && !large ? max_ops + kOpsAhead : max_ops;
  Enumeration more = Walk<WordSet>(*this, domains, ahead, std::min(limit, kMostKeptTables)).run(fitting_);
  if (!more.complete) return Walk<WordSet>(*this, domains, max_ops, limit).run(fitting_);
  kept_ = std::move(more.tables);
  kept_ops_ = ahead;
  return kept_within(max_ops, limit);
}

std::optional<Enumeration> XformGrammar::passing(const Domains& domains, TableTest& test, std::size_t limit) const {
  if (space_.domain > 64) return Walk<WideSet>(*this, domains, kAnyCost, limit).run(test);
  return Walk<WordSet>(*this, domains, kAnyCost, limit).run(test);
}

}  // namespace

std::shared_ptr<const XformSpace> xform_space(const HoleSpace& space) { return std::make_shared<XformSpace>(space); }

std::unique_ptr<TableGrammar> xform_grammar(const HoleSpace& space, std::shared_ptr<const XformSpace> xform) {
  return std::make_unique<XformGrammar>(space, std::move(xform));
}

}  // namespace swizzle
