#include "synth/tables/xform_space.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>

#include "synth/base/hashes.h"

namespace swizzle {
namespace {

using Kind = RotationLists::Kind;

constexpr double kMostCounted = 2e6;
constexpr double kMostRotations = 1024;  // of a family, that are told apart
constexpr double kMostFamilies = 20'000;

int value_of(const XformShape& shape, std::int64_t i, int x, int y) {
  return static_cast<int>(shape.start(i)) + (shape.offset(i, x) + (shape.shift(i) + y) % shape.run) % shape.group;
}

}  // namespace

XformSpace::XformSpace(const HoleSpace& space) : shapes_(shapes_of(space)), domain_(space.domain), printer_(space) {
  // Points with the same k share their rotations.
  std::map<std::vector<std::int64_t>, std::size_t> key_of;
  for (std::size_t p = 0; p < space.points.size(); ++p) {
    const std::vector<std::int64_t> k(space.arguments[p].begin() + 1, space.arguments[p].end());
    const auto [it, fresh] = key_of.try_emplace(k, keys_.size());
    if (fresh) {
      keys_.push_back(k);
      members_.emplace_back();
    }
    members_[it->second].push_back(p);
    cell_of_.push_back(static_cast<std::uint32_t>(it->second));
    everywhere_.push_back(p);
    indices_.push_back(space.arguments[p][0]);
  }
  std::sort(indices_.begin(), indices_.end());
  indices_.erase(std::unique(indices_.begin(), indices_.end()), indices_.end());
  for (const auto& a : space.arguments)
    index_of_.push_back(
        static_cast<std::size_t>(std::lower_bound(indices_.begin(), indices_.end(), a[0]) - indices_.begin()));
  for (std::size_t p = 0; p < cell_of_.size(); ++p)
    cell_of_[p] = static_cast<std::uint32_t>(cell_of_[p] * indices_.size() + index_of_[p]);
  rotations_.emplace(keys_);
  shape_tables_.resize(shapes_.size());
  for (const XformShape& shape : shapes_) needs_.push_back(needs_of(shape));
}

const std::vector<XformSpace::Entry>& XformSpace::turns(std::size_t j, const XformShape& shape) const {
  return rotations_->of(j, shape.run, shape.swapped ? Kind::kScaled : Kind::kPlain);
}

const std::vector<XformSpace::Entry>& XformSpace::extras(std::size_t j, const XformShape& shape) const {
  return rotations_->of(j, shape.extra_modulus(), Kind::kScaled);
}

IndexExpr XformSpace::expression(const XformShape& shape, const Chosen& extras, const Chosen& turns, int x,
                                 int y) const {
  XformParameters parameters{shape, {{}, y}, {{}, x}};
  for (const Entry* e : turns) parameters.turn.rotations.push_back(e->rotation);
  for (const Entry* e : extras) parameters.extra.rotations.push_back(e->rotation);
  return printer_.print(parameters);
}

const XformSpace::ShapeTable& XformSpace::shape_table(const XformShape& shape) const {
  ShapeTable& table = shape_tables_[static_cast<std::size_t>(&shape - shapes_.data())];
  if (!table.start.empty()) return table;
  for (std::int64_t i : indices_) {
    table.start.push_back(static_cast<std::int16_t>(shape.start(i)));
    table.shift.push_back(static_cast<std::int16_t>(shape.shift(i)));
  }
  for (int x = 0; x < shape.extra_modulus(); ++x)
    for (std::int64_t i : indices_) table.offset.push_back(static_cast<std::int16_t>(shape.offset(i, x)));
  return table;
}

std::vector<XformSpace::Column> XformSpace::columns(const XformShape& shape, const Chosen& extras, const Chosen& turns,
                                                    int x, int y) const {
  const ShapeTable& table = shape_table(shape);
  std::vector<Column> columns;
  for (std::size_t key = 0; key < keys_.size(); ++key) {
    int to_x = x, to_y = y;
    for (const Entry* e : extras) to_x += e->table[key];
    for (const Entry* e : turns) to_y += e->table[key];
    columns.push_back(
        {&table.offset[static_cast<std::size_t>(to_x % shape.extra_modulus()) * indices_.size()], to_y % shape.run});
  }
  return columns;
}

// Many indices at a time.
void XformSpace::fill(const XformShape& shape, const ShapeTable& table, const Column& column,
                      std::int16_t* values) const {
  const auto count = indices_.size();
  const auto run = static_cast<std::int16_t>(shape.run), group = static_cast<std::int16_t>(shape.group),
             turned = static_cast<std::int16_t>(column.turned);
  const std::int16_t *const start = table.start.data(), *const shift = table.shift.data(),
                            *const offset = column.offset;
  for (std::size_t i = 0; i < count; ++i) {
    std::int16_t value = static_cast<std::int16_t>(shift[i] + turned);
    value = static_cast<std::int16_t>(value - (value >= run ? run : 0) + offset[i]);
    values[i] = static_cast<std::int16_t>(value - (value >= group ? group : 0) + start[i]);
  }
}

std::vector<std::int16_t> XformSpace::values(const XformShape& shape, const Chosen& extras, const Chosen& turns, int x,
                                             int y) const {
  const std::size_t cells = keys_.size() * indices_.size();
  if (cells > 2 * everywhere_.size()) return values(shape, extras, turns, x, y, everywhere_);
  const ShapeTable& table = shape_table(shape);
  std::vector<std::int16_t> by_cell(cells);
  std::int16_t* cell = by_cell.data();
  for (const Column& column : columns(shape, extras, turns, x, y)) {
    fill(shape, table, column, cell);
    cell += indices_.size();
  }
  std::vector<std::int16_t> values(cell_of_.size());
  std::transform(cell_of_.begin(), cell_of_.end(), values.begin(), [&](std::uint32_t at) { return by_cell[at]; });
  return values;
}

std::vector<std::int16_t> XformSpace::values(const XformShape& shape, const Chosen& extras, const Chosen& turns, int x,
                                             int y, const std::vector<std::size_t>& at) const {
  const ShapeTable& table = shape_table(shape);
  const std::vector<Column> by_key = columns(shape, extras, turns, x, y);
  std::vector<std::int16_t> values;
  for (std::size_t p : at) {
    const Column& column = by_key[cell_of_[p] / indices_.size()];
    values.push_back(value_at(shape, table, index_of_[p], column.offset, column.turned));
  }
  return values;
}

std::int16_t XformSpace::value_at(const XformShape& shape, const ShapeTable& table, std::size_t i,
                                  const std::int16_t* offset, int y) {
  int turned = table.shift[i] + y;
  if (turned >= shape.run) turned -= shape.run;
  turned += offset[i];
  if (turned >= shape.group) turned -= shape.group;
  return static_cast<std::int16_t>(table.start[i] + turned);
}

void XformSpace::values_of_key(const XformShape& shape, std::size_t key, int x, int y,
                               std::vector<std::int16_t>& values) const {
  const ShapeTable& table = shape_table(shape);
  const std::int16_t* offset = &table.offset[static_cast<std::size_t>(x) * indices_.size()];
  values.clear();
  for (std::size_t p : members_[key]) values.push_back(value_at(shape, table, index_of_[p], offset, y));
}

double XformSpace::settings() const {
  double settings = 0;
  for (const XformShape& shape : shapes_) {
    double combined = static_cast<double>(shape.run) * shape.extra_modulus();
    for (std::size_t j = 0; j < arity(); ++j)
      combined *= static_cast<double>(turns(j, shape).size()) * static_cast<double>(extras(j, shape).size());
    settings += combined;
  }
  return settings;
}

template <typename Entries>
std::vector<std::vector<std::int16_t>> XformSpace::sums(int m, Entries&& entries_of) const {
  std::vector<std::vector<std::int16_t>> all{std::vector<std::int16_t>(keys_.size(), 0)};
  for (std::size_t j = 0; j < arity(); ++j) {
    std::vector<std::vector<std::int16_t>> sums;
    for (const std::vector<std::int16_t>& before : all)
      for (const Entry& e : entries_of(j)) {
        sums.push_back(before);
        for (std::size_t key = 0; key < keys_.size(); ++key)
          sums.back()[key] = static_cast<std::int16_t>((before[key] + e.table[key]) % m);
      }
    all = std::move(sums);
  }
  return all;
}

// With its extra rotation fixed, a shape is a family.
std::shared_ptr<const TransformFamilies> XformSpace::families() const {
  double count = 0;
  for (const XformShape& shape : shapes_) {
    double extra = shape.extra_modulus();
    for (std::size_t j = 0; j < arity(); ++j) extra *= static_cast<double>(extras(j, shape).size());
    if ((count += extra) > kMostFamilies) return nullptr;
  }
  auto result = std::make_shared<TransformFamilies>();
  result->keys = keys_.size();
  result->key_of.resize(everywhere_.size());
  for (std::size_t key = 0; key < keys_.size(); ++key)
    for (std::size_t p : members_[key]) result->key_of[p] = static_cast<std::uint32_t>(key);
  result->families.resize(static_cast<std::size_t>(count));
  result->base.resize(result->at(everywhere_.size(), 0));
  result->shift.resize(result->base.size());
  std::size_t family = 0;
  for (const XformShape& shape : shapes_) {
    double turned = 1;
    for (std::size_t j = 0; j < arity(); ++j) turned *= static_cast<double>(turns(j, shape).size());
    auto& rotations = result->rotations[shape.swapped ? -shape.run : shape.run];
    if (rotations.empty() && turned <= kMostRotations)
      rotations = sums(shape.run, [&](std::size_t j) -> const auto& { return turns(j, shape); });
    for (const auto& extra_by_key :
         sums(shape.extra_modulus(), [&](std::size_t j) -> const auto& { return extras(j, shape); }))
      for (int x = 0; x < shape.extra_modulus(); ++x) {
        result->families[family] = {shape.run, &rotations};
        place_family(shape, extra_by_key, x, family++, *result);
      }
  }
  return result;
}

void XformSpace::place_family(const XformShape& shape, const std::vector<std::int16_t>& extra_by_key, int x,
                              std::size_t family, TransformFamilies& families) const {
  const ShapeTable& table = shape_table(shape);
  std::vector<const std::int16_t*> offset;  // by key
  for (std::int16_t extra : extra_by_key)
    offset.push_back(&table.offset[static_cast<std::size_t>((extra + x) % shape.extra_modulus()) * indices_.size()]);
  for (std::size_t p = 0; p < index_of_.size(); ++p) {
    const std::size_t i = index_of_[p], at = families.at(p, family);
    families.base[at] = static_cast<std::int16_t>(table.start[i] + offset[families.key_of[p]][i]);
    families.shift[at] = table.shift[i];
  }
}

// A fingerprint is a sum over keys of one word for each (key, x, y), so that all tables are told apart without being
// written down.
std::vector<std::uint64_t> XformSpace::words(const XformShape& shape) const {
  std::vector<std::uint64_t> words;
  for (const auto& points : members_)
    for (int x = 0; x < shape.extra_modulus(); ++x)
      for (int y = 0; y < shape.run; ++y) {
        words.push_back(0);
        for (std::size_t p : points)
          words.back() +=
              scrambled(p << 32 | static_cast<std::uint32_t>(value_of(shape, indices_[index_of_[p]], x, y)));
      }
  return words;
}

// Calls `each` with the constants and the fingerprint of every setting.
template <typename Each>
void XformSpace::each_setting(const XformShape& shape, const std::vector<std::uint64_t>& words, Chosen& extras,
                              Chosen& turns, Each&& each) const {
  if (const std::size_t j = turns.size(); j < arity()) {
    for (const Entry& p : this->extras(j, shape))
      for (const Entry& r : this->turns(j, shape)) {
        extras.push_back(&p);
        turns.push_back(&r);
        each_setting(shape, words, extras, turns, each);
        extras.pop_back();
        turns.pop_back();
      }
    return;
  }
  const auto xs = static_cast<std::size_t>(shape.extra_modulus()), ys = static_cast<std::size_t>(shape.run);
  std::vector<std::size_t> turned_x(keys_.size(), 0), turned_y(keys_.size(), 0);
  for (std::size_t key = 0; key < keys_.size(); ++key) {
    for (const Entry* e : extras) turned_x[key] += static_cast<std::size_t>(e->table[key]);
    for (const Entry* e : turns) turned_y[key] += static_cast<std::size_t>(e->table[key]);
  }
  for (std::size_t x = 0; x < xs; ++x)
    for (std::size_t y = 0; y < ys; ++y) {
      std::uint64_t fingerprint = 0;
      for (std::size_t key = 0; key < keys_.size(); ++key)
        fingerprint += words[(key * xs + (turned_x[key] + x) % xs) * ys + (turned_y[key] + y) % ys];
      each(static_cast<int>(x), static_cast<int>(y), fingerprint);
    }
}

std::optional<double> XformSpace::distinct_log10(const Deadline& deadline) const {
  constexpr std::size_t kSeldom = 1024;
  if (settings() > kMostCounted) return std::nullopt;
  std::unordered_set<std::uint64_t> seen;
  Chosen extras, turns;
  std::size_t asked = 0;
  bool is_late = false;
  for (const XformShape& shape : shapes_) {
    each_setting(shape, words(shape), extras, turns, [&](int, int, std::uint64_t fingerprint) {
      is_late = is_late || (++asked % kSeldom == 0 && deadline.passed());
      if (!is_late) seen.insert(fingerprint);
    });
    if (is_late) return std::nullopt;
  }
  return std::log10(static_cast<double>(seen.size()));
}

}  // namespace swizzle
