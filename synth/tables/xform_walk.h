// XformWalk: every table of a transformation within some domains. Private to synth/.
//
//   i, k in 0 … 3, modulo 4, where (i, k) = (0, 1) must be 1 and (1, 0) must be 1, all else is open:
//     shape i:     k = 0 allows the rotation 0, k = 1 the rotation 1, k = 2 and 3 any
//     R(k) = k:    all of them allow the constant 0: the table (i + k) & 3
//
// For each shape the allowed rotations are an intersection of rotated sets over i, then, variable by variable, over k.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "synth/tables/rotation_sets.h"
#include "synth/tables/tables.h"
#include "synth/tables/xform_space.h"

namespace swizzle {

struct HashOfValues {
  std::size_t operator()(const std::vector<std::int16_t>& values) const {
    constexpr std::size_t kAtOnce = sizeof(std::size_t) / sizeof(std::int16_t);
    std::size_t hash = 0, i = 0;
    const auto add = [&hash](std::size_t some) {
      hash = (hash ^ some) * 0x9e3779b97f4a7c15ull;
      hash ^= hash >> 29;
    };
    for (; i + kAtOnce <= values.size(); i += kAtOnce) {
      std::size_t some = 0;
      std::memcpy(&some, &values[i], sizeof some);
      add(some);
    }
    for (; i < values.size(); ++i) add(static_cast<std::size_t>(values[i]));
    return hash;
  }
};

// A shape and, by key and x, the y that every point of that key allows.
template <typename Set>
struct Fitting {
  const XformShape* shape;
  std::vector<Set> ok;
};

// The points of a hole, by what their rotations depend on.
struct XformKeys {
  XformKeys(const HoleSpace& hole, std::shared_ptr<const XformSpace> of) : space(hole), xform(std::move(of)) {
    for (std::size_t j = 0; j < xform->arity(); ++j) {
      std::map<std::vector<std::int64_t>, std::size_t> known;
      successor.emplace_back();
      for (const auto& k : xform->keys())
        successor.back().push_back(
            known.try_emplace({k.begin() + static_cast<std::ptrdiff_t>(j) + 1, k.end()}, known.size()).first->second);
      classes.push_back(known.size());
    }
  }
  const HoleSpace& space;
  std::shared_ptr<const XformSpace> xform;
  std::vector<std::vector<std::size_t>>
      successor;                     // by variable and key: the class of keys that agree on all variables behind
  std::vector<std::size_t> classes;  // by variable: how many
};

template <typename Set>
class XformWalk {
  static constexpr std::size_t kMostTested = 200'000;  // tables
  static constexpr std::size_t kSampled = 2;           // points of a key

 public:
  XformWalk(const XformKeys& keys, const Domains& domains, int max_ops, std::size_t limit)
      : keys_(keys),
        xform_(*keys.xform),
        domains_(domains),
        max_ops_(max_ops),
        limit_(limit) {}

  Enumeration run() {
    for (const XformShape& shape : xform_.shapes()) {
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
    for (const XformShape& shape : xform_.shapes()) {
      if (!result_.complete) break;
      if (fits(shape, ok_) && keep_passing(shape, ok_)) choose(shape, 0, ok_, {}, {});
    }
    keep_distinct(result_);
    return std::move(result_);
  }

  // ok[key · X + x]: the y under which, with x, every point of that key has an allowed value
  bool fits(const XformShape& shape, std::vector<Set>& ok) const {
    const auto extras = static_cast<std::size_t>(shape.extra_modulus());
    const XformSpace::ShapeTable& table = xform_.shape_table(shape);
    ok.assign(xform_.keys().size() * extras, Set::first(shape.run));
    for (std::size_t key = 0; key < xform_.keys().size(); ++key) {
      bool any = false;
      for (std::size_t x = 0; x < extras; ++x) any |= narrow_to_points(shape, table, key, x, ok[key * extras + x]);
      if (!any) return false;
    }
    return true;
  }

 private:
  int least(const XformShape& shape, const SpentOnRotation& extra, const SpentOnRotation& turn) const {
    return xform_.least_ops(shape, extra, turn);
  }

  bool narrow_to_points(const XformShape& shape, const XformSpace::ShapeTable& table, std::size_t key, std::size_t x,
                        Set& ok) const {
    for (std::size_t p : xform_.members()[key]) {
      const std::size_t i = xform_.index_of()[p];
      const Set group = Set::window(domains_, keys_.space.points[p], table.start[i], shape.group);
      Set run = group.rotated_down(table.offset[x * xform_.indices().size() + i], shape.group);
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
    for (std::size_t key = 0; key < xform_.keys().size(); ++key) {
      bool any = false;
      for (std::size_t x = 0; x < extras; ++x)
        for (int y = 0; y < shape.run; ++y) {
          if (!ok[key * extras + x].has(y)) continue;
          xform_.values_of_key(shape, key, static_cast<int>(x), y, values);
          if (passes(key, values)) any = true;
          else ok[key * extras + x].drop(y);
        }
      if (!any) return false;
    }
    return true;
  }

  // Decide P and R for variable j; ok: what is still allowed for the rest of the rotations, by class of keys and x.
  void choose(const XformShape& shape, std::size_t j, const std::vector<Set>& ok, const SpentOnRotation& extra,
              const SpentOnRotation& turn) {
    if (j == xform_.arity()) return finish(shape, ok, extra, turn);
    std::vector<Set> rest;
    std::vector<std::uint64_t> alive;
    for (const RotationLists::Entry& p : xform_.extras(j, shape)) {
      if (least(shape, extra.with(p), turn) > max_ops_ || !any_left(shape, j, ok, p, alive)) continue;
      extras_.push_back(&p);
      for (const RotationLists::Entry& r : xform_.turns(j, shape)) {
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
  bool any_left(const XformShape& shape, std::size_t j, const std::vector<Set>& ok, const RotationLists::Entry& p,
                std::vector<std::uint64_t>& alive) const {
    const int extras = shape.extra_modulus();
    alive.assign(keys_.classes[j], extras == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << extras) - 1);
    for (std::size_t key = 0; key < xform_.keys().size(); ++key) {
      std::uint64_t allowed = 0;
      for (int x = 0; x < extras; ++x)
        if (!ok[position(shape, j, key, x + p.table[key])].none()) allowed |= std::uint64_t{1} << x;
      if ((alive[keys_.successor[j][key]] &= allowed) == 0) return false;
    }
    return true;
  }

  std::size_t position(const XformShape& shape, std::size_t j, std::size_t key, int x) const {
    const auto extras = static_cast<std::size_t>(shape.extra_modulus());
    return (j == 0 ? key : keys_.successor[j - 1][key]) * extras + static_cast<std::size_t>(x) % extras;
  }

  // rest: ok shifted down by the rotations; keys that agree in all later variables must agree on what is left.
  bool narrow(const XformShape& shape, std::size_t j, const std::vector<Set>& ok, const RotationLists::Entry& p,
              const RotationLists::Entry& r, const std::vector<std::uint64_t>& alive, std::vector<Set>& rest) const {
    const int extras = shape.extra_modulus();
    rest.assign(keys_.classes[j] * static_cast<std::size_t>(extras), Set{});
    for (std::size_t of = 0; of < keys_.classes[j]; ++of)
      for (int x = 0; x < extras; ++x)
        if ((alive[of] >> x & 1) != 0)
          rest[of * static_cast<std::size_t>(extras) + static_cast<std::size_t>(x)] = Set::first(shape.run);
    for (std::size_t key = 0; key < xform_.keys().size(); ++key) {
      const std::size_t of = keys_.successor[j][key];
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

  void finish(const XformShape& shape, const std::vector<Set>& ok, const SpentOnRotation& extra,
              const SpentOnRotation& turn) {
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
    if (test_ && !test_->passes(sample_, xform_.values(shape, extras_, turns_, x, y, sample_))) return;
    HoleTable table{xform_.values(shape, extras_, turns_, x, y), {}, 0};
    const std::size_t hash = HashOfValues{}(table.values);
    if (test_ && refused_.contains(table.values)) return;
    const auto [from, to] = seen_.equal_range(hash);
    const auto known =
        std::find_if(from, to, [&](const auto& entry) { return result_.tables[entry.second].values == table.values; });
    if (known != to && result_.tables[known->second].integer_ops <= least_here) return;
    if (known == to && test_ && !passes(table.values)) {
      refused_.insert(std::move(table.values));
      return;
    }
    table.expression = xform_.expression(shape, extras_, turns_, x, y);
    table.integer_ops = table.expression.integer_ops();
    if (table.integer_ops > max_ops_) return;
    if (known == to) seen_.emplace(hash, result_.tables.size());
    else if (table.integer_ops < result_.tables[known->second].integer_ops) known->second = result_.tables.size();
    else return;
    result_.tables.push_back(std::move(table));
  }

  // Shapes have many columns in common.
  bool passes(std::size_t key, const std::vector<std::int16_t>& values) {
    columns_.resize(xform_.keys().size());
    const auto [known, fresh] = columns_[key].try_emplace(values, false);
    if (fresh) known->second = test_->passes(xform_.members()[key], values);
    return known->second;
  }

  // The first of each key, then the second of each, and so on: what two keys contradict each other in is soon found.
  void list_positions() {
    const auto& members = xform_.members();
    for (std::size_t rank = 0; everywhere_.size() < keys_.space.points.size(); ++rank)
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

  const XformKeys& keys_;
  const XformSpace& xform_;
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
  std::vector<std::unordered_map<std::vector<std::int16_t>, bool, HashOfValues>>
      columns_;  // by key: whether its points, with these values, pass
  std::unordered_set<std::vector<std::int16_t>, HashOfValues> refused_;  // values that do not pass
};

}  // namespace swizzle
