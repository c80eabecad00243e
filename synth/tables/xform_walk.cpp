#include "synth/tables/xform_walk.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "synth/base/hashes.h"

namespace swizzle {

std::size_t HashOfValues::operator()(const std::vector<std::int16_t>& values) const {
  constexpr std::size_t kAtOnce = sizeof(std::size_t) / sizeof(std::int16_t);
  std::size_t hash = 0, i = 0;
  for (; i + kAtOnce <= values.size(); i += kAtOnce) {
    std::size_t some = 0;
    std::memcpy(&some, &values[i], sizeof some);
    hash = mix(hash, some);
  }
  for (; i < values.size(); ++i) hash = mix(hash, static_cast<std::size_t>(values[i]));
  return hash;
}

XformKeys::XformKeys(const HoleSpace& hole, std::shared_ptr<const XformSpace> of) : space(hole), xform(std::move(of)) {
  for (std::size_t j = 0; j < xform->arity(); ++j) {
    std::map<std::vector<std::int64_t>, std::size_t> known;
    successor.emplace_back();
    for (const auto& k : xform->keys())
      successor.back().push_back(
          known.try_emplace({k.begin() + static_cast<std::ptrdiff_t>(j) + 1, k.end()}, known.size()).first->second);
    classes.push_back(known.size());
  }
}

template <typename Set>
Enumeration XformWalk<Set>::run() {
  for (const XformShape& shape : xform_.shapes()) {
    if (!result_.complete) break;
    if (least(shape, {}, {}) <= max_ops_ && fits(shape, ok_)) choose(shape, 0, ok_, {}, {});
  }
  keep_distinct(result_);
  return std::move(result_);
}

template <typename Set>
Enumeration XformWalk<Set>::run(const std::vector<Fitting<Set>>& fitting) {
  for (const auto& [shape, ok] : fitting) {
    if (!result_.complete) break;
    if (least(*shape, {}, {}) <= max_ops_) choose(*shape, 0, ok, {}, {});
  }
  keep_distinct(result_);
  return std::move(result_);
}

template <typename Set>
Enumeration XformWalk<Set>::run(TableTest& test) {
  test_ = &test;
  list_positions();
  for (const XformShape& shape : xform_.shapes()) {
    if (!result_.complete) break;
    if (fits(shape, ok_) && keep_passing(shape, ok_)) choose(shape, 0, ok_, {}, {});
  }
  keep_distinct(result_);
  return std::move(result_);
}

template <typename Set>
bool XformWalk<Set>::fits(const XformShape& shape, std::vector<Set>& ok) const {
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

template <typename Set>
bool XformWalk<Set>::narrow_to_points(const XformShape& shape, const XformSpace::ShapeTable& table, std::size_t key,
                                      std::size_t x, Set& ok) const {
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
template <typename Set>
bool XformWalk<Set>::keep_passing(const XformShape& shape, std::vector<Set>& ok) {
  const auto extras = static_cast<std::size_t>(shape.extra_modulus());
  std::vector<std::int16_t> values;
  for (std::size_t key = 0; key < xform_.keys().size(); ++key) {
    bool any = false;
    for (std::size_t x = 0; x < extras; ++x)
      for (int y = 0; y < shape.run; ++y) {
        if (!ok[key * extras + x].has(y)) continue;
        if (test_->is_over()) return result_.complete = false;
        xform_.values_of_key(shape, key, static_cast<int>(x), y, values);
        if (passes(key, values)) any = true;
        else ok[key * extras + x].drop(y);
      }
    if (!any) return false;
  }
  return true;
}

template <typename Set>
void XformWalk<Set>::look_at_time() {
  if (++steps_ % kSeldom == 0 && deadline_.passed()) result_.complete = false;
}

template <typename Set>
void XformWalk<Set>::choose(const XformShape& shape, std::size_t j, const std::vector<Set>& ok,
                            const SpentOnRotation& extra, const SpentOnRotation& turn) {
  look_at_time();
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

template <typename Set>
bool XformWalk<Set>::any_left(const XformShape& shape, std::size_t j, const std::vector<Set>& ok,
                              const RotationLists::Entry& p, std::vector<std::uint64_t>& alive) const {
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

template <typename Set>
std::size_t XformWalk<Set>::position(const XformShape& shape, std::size_t j, std::size_t key, int x) const {
  const auto extras = static_cast<std::size_t>(shape.extra_modulus());
  return (j == 0 ? key : keys_.successor[j - 1][key]) * extras + static_cast<std::size_t>(x) % extras;
}

template <typename Set>
bool XformWalk<Set>::narrow(const XformShape& shape, std::size_t j, const std::vector<Set>& ok,
                            const RotationLists::Entry& p, const RotationLists::Entry& r,
                            const std::vector<std::uint64_t>& alive, std::vector<Set>& rest) const {
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

template <typename Set>
void XformWalk<Set>::finish(const XformShape& shape, const std::vector<Set>& ok, const SpentOnRotation& extra,
                            const SpentOnRotation& turn) {
  const auto extras = static_cast<std::size_t>(shape.extra_modulus());
  for (std::size_t x = 0; x < extras; ++x) {
    Set constants = ok[x];
    for (std::size_t of = x; of < ok.size(); of += extras) constants &= ok[of];
    for (int y = 0; y < shape.run && !constants.none(); ++y) {
      if (!constants.has(y)) continue;
      const int least_here = least(shape, extra.with_constant(static_cast<int>(x)), turn.with_constant(y));
      if (least_here > max_ops_) continue;
      if (result_.tables.size() >= limit_) result_.complete = false;
      if (!result_.complete) return;
      emit(shape, static_cast<int>(x), y, least_here);
    }
  }
}

// Settings of one table are many where there are two rotations.
template <typename Set>
void XformWalk<Set>::emit(const XformShape& shape, int x, int y, int least_here) {
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
template <typename Set>
bool XformWalk<Set>::passes(std::size_t key, const std::vector<std::int16_t>& values) {
  columns_.resize(xform_.keys().size());
  const auto [known, fresh] = columns_[key].try_emplace(values, false);
  if (fresh) known->second = test_->passes(xform_.members()[key], values);
  return known->second;
}

// The first of each key, then the second of each, and so on: what two keys contradict each other in is soon found.
template <typename Set>
void XformWalk<Set>::list_positions() {
  const auto& members = xform_.members();
  for (std::size_t rank = 0; everywhere_.size() < keys_.space.points.size(); ++rank)
    for (const std::vector<std::size_t>& of_key : members) {
      if (rank >= of_key.size()) continue;
      everywhere_.push_back(of_key[rank]);
      if (rank < kSampled) sample_.push_back(of_key[rank]);
    }
  ordered_.resize(everywhere_.size());
}

// With more than are tested, what passes is not listed in full.
template <typename Set>
bool XformWalk<Set>::passes(const std::vector<std::int16_t>& values) {
  if (++tested_ > std::max(kMostTested, kTestedOfListed * limit_)) result_.complete = false;
  if (!result_.complete) return false;
  for (std::size_t i = 0; i < everywhere_.size(); ++i) ordered_[i] = values[everywhere_[i]];
  return test_->passes(everywhere_, ordered_);
}

template class XformWalk<WordSet>;
template class XformWalk<WideSet>;

}  // namespace swizzle
