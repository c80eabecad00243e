#include "synth/propagation/compact_table.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>

namespace swizzle {
namespace {

constexpr std::size_t kFew = 16;  // tables

}  // namespace

CompactTable::CompactTable(const HoleSpace& space, std::shared_ptr<const TableList> list)
    : TableConstraint(space),
      list_(std::move(list)),
      residues_(space.points.size() * static_cast<std::size_t>(list_->domain), 0) {
  live_.assign(list_->words, ~std::uint64_t{0});
  if (list_->tables.size() % 64 != 0) live_.back() = (std::uint64_t{1} << (list_->tables.size() % 64)) - 1;
}

std::size_t CompactTable::next_live(std::size_t table) const {
  std::size_t word = table / 64;
  if (word >= list_->words) return list_->tables.size();
  std::uint64_t bits = live_[word] & (~std::uint64_t{0} << (table % 64));
  while (bits == 0 && ++word < list_->words) bits = live_[word];
  return bits == 0 ? list_->tables.size() : word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
}

bool CompactTable::filter(Domains& domains, std::uint32_t id, std::vector<Saved>& trail) {
  const std::size_t words = list_->words;
  before_ = live_;
  for (std::size_t position : changed_) {
    const PointId point = space_->points[position];
    if (domains.count(point) == list_->domain) continue;
    values_.clear();
    for (int v = domains.first(point), left = domains.count(point); left > 0; ++v)
      if (domains.allows(point, v)) {
        values_.push_back(list_->support(position, v));
        --left;
      }
    for (std::size_t w = 0; w < words; ++w) {
      if (live_[w] == 0) continue;
      std::uint64_t supported = 0;
      for (const std::uint64_t* support : values_) supported |= support[w];
      live_[w] &= supported;
    }
  }
  changed_.clear();
  bool narrowed = false;
  std::size_t left = 0;
  for (std::size_t w = 0; w < words; ++w) {
    assert((live_[w] & ~before_[w]) == 0);
    left += static_cast<std::size_t>(std::popcount(live_[w]));
    if (live_[w] == before_[w]) continue;
    narrowed = true;
    trail.push_back({id, w, before_[w]});
  }
  if (left == 0) return false;
  if (!narrowed) return true;
  if (list_->domain == 2) return remove_bits(domains);
  return left <= kFew ? remove_few(domains) : remove_value(domains);
}

bool CompactTable::remove_value(Domains& domains) {
  const std::size_t words = list_->words;
  supported_.resize(domains.words());
  for (std::size_t p = 0; p < space_->points.size(); ++p) {
    const PointId point = space_->points[p];
    if (domains.count(point) == 1) continue;
    std::fill(supported_.begin(), supported_.end(), 0);
    for (int v = 0; v < list_->domain; ++v) {
      if (!domains.allows(point, v)) continue;
      const std::uint64_t* support = list_->support(p, v);
      std::uint32_t& residue = residues_[p * static_cast<std::size_t>(list_->domain) + static_cast<std::size_t>(v)];
      if ((support[residue] & live_[residue]) == 0) {
        std::size_t w = 0;
        while (w < words && (support[w] & live_[w]) == 0) ++w;
        if (w == words) continue;
        residue = static_cast<std::uint32_t>(w);
      }
      supported_[static_cast<std::size_t>(v) / 64] |= Domains::Word{1} << (v % 64);
    }
    if (!domains.keep(point, supported_.data())) return false;
  }
  return true;
}

// Where there are two values: 64 points at a time, table by table, until both have been seen everywhere.
bool CompactTable::remove_bits(Domains& domains) {
  const std::size_t words = list_->point_words;
  no_zero_.assign(words, 0);
  for (std::size_t p = 0; p < space_->points.size(); ++p)
    no_zero_[p / 64] |= static_cast<std::uint64_t>(domains.count(space_->points[p]) == 2) << (p % 64);
  no_one_ = no_zero_;
  std::uint64_t unseen = 1;
  for (std::size_t table = next_live(0); table < list_->tables.size() && unseen != 0; table = next_live(table + 1)) {
    const std::uint64_t* const ones = &list_->ones[table * words];
    unseen = 0;
    for (std::size_t w = 0; w < words; ++w) {
      no_zero_[w] &= ones[w];
      no_one_[w] &= ~ones[w];
      unseen |= no_zero_[w] | no_one_[w];
    }
  }
  for (std::size_t w = 0; w < words; ++w)
    for (std::uint64_t left = no_zero_[w] | no_one_[w]; left != 0; left &= left - 1) {
      const std::size_t p = w * 64 + static_cast<std::size_t>(std::countr_zero(left));
      if (!domains.remove_value(space_->points[p], (no_one_[w] & left & -left) != 0 ? 1 : 0)) return false;
    }
  return true;
}

// From the tables' values, instead of from the values' tables.
bool CompactTable::remove_few(Domains& domains) {
  few_.clear();
  for (std::size_t w = 0; w < list_->words; ++w)
    for (std::uint64_t bits = live_[w]; bits != 0; bits &= bits - 1)
      few_.push_back(list_->tables[w * 64 + static_cast<std::size_t>(std::countr_zero(bits))].values.data());
  supported_.resize(domains.words());
  for (std::size_t p = 0; p < space_->points.size(); ++p) {
    const PointId point = space_->points[p];
    if (domains.count(point) == 1) continue;
    std::fill(supported_.begin(), supported_.end(), 0);
    for (const std::int16_t* values : few_)
      supported_[static_cast<std::size_t>(values[p]) / 64] |= Domains::Word{1} << (values[p] % 64);
    if (!domains.keep(point, supported_.data())) return false;
  }
  return true;
}

bool CompactTable::admits(const std::vector<std::pair<std::size_t, std::int16_t>>& values) {
  for (std::size_t w = 0; w < list_->words; ++w) {
    std::uint64_t left = live_[w];
    for (const auto& [position, value] : values) {
      if (left == 0) break;
      left &= list_->support(position, value)[w];
    }
    if (left != 0) return true;
  }
  return false;
}

}  // namespace swizzle
