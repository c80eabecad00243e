#include "synth/transform_table.h"

#include <algorithm>
#include <bit>

namespace swizzle {
namespace {

using Word = std::uint64_t;

constexpr std::size_t kFew = 64;  // tables
constexpr std::size_t kPatience = 64;
constexpr int kTelling = 4;       // a key says little about constants while more rotations are left

Word first_bits(int m) { return m == 64 ? ~Word{0} : (Word{1} << m) - 1; }
Word rotated_down(Word bits, int by, int m) { return by == 0 ? bits : ((bits >> by) | (bits << (m - by))) & first_bits(m); }

}  // namespace

TransformTable::TransformTable(const HoleSpace& space, std::shared_ptr<const TransformFamilies> families)
    : HoleConstraint(space), families_(std::move(families)), narrowed_(families_->keys, 0), rotation_(families_->keys, -1) {
  for (const TransformFamily& f : families_->families) {
    first_.push_back(live_.size());
    live_.push_back(1);
    live_.insert(live_.end(), families_->keys + f.rotations->size(), first_bits(f.modulus));
  }
}

// Where it never says anything, it is asked ever more rarely.
bool TransformTable::filter(Domains& domains, std::uint32_t id, std::vector<Saved>& trail) {
  if (idle_ > kPatience && ++skipped_ % kPatience != 0) return true;
  const std::size_t changes = domains.mark();
  const bool stands = narrow_all(domains, id, trail);
  idle_ = stands && domains.mark() == changes ? idle_ + 1 : 0;
  return stands;
}

bool TransformTable::narrow_all(Domains& domains, std::uint32_t id, std::vector<Saved>& trail) {
  std::erase_if(changed_, [&](std::size_t p) { return domains.count(space_->points[p]) > space_->domain / 2; });
  if (changed_.empty()) return true;
  bool any = false, narrowed = false;
  for (std::size_t f = 0; f < first_.size(); ++f) {
    if (live_[first_[f]] == 0) continue;
    const std::size_t end = f + 1 < first_.size() ? first_[f + 1] : live_.size();
    mine_.assign(live_.begin() + static_cast<std::ptrdiff_t>(first_[f]), live_.begin() + static_cast<std::ptrdiff_t>(end));
    if (!narrow(f, domains)) {
      trail.push_back({id, first_[f], 1});
      live_[first_[f]] = 0;
      narrowed = true;
      continue;
    }
    any = true;
    for (std::size_t w = 0; w < mine_.size(); ++w) {
      Word& word = live_[first_[f] + w];
      if (word == mine_[w]) continue;
      trail.push_back({id, first_[f] + w, word});
      word = mine_[w];
      narrowed = true;
    }
  }
  changed_.clear();
  return any && (!narrowed || strike_out(domains));
}

// mine_, of one family, by what changed. False: no table of it is left.
bool TransformTable::narrow(std::size_t family, const Domains& domains) {
  const TransformFamily& f = families_->families[family];
  Word* const rotations = mine_.data() + 1;
  Word* const constants = rotations + families_->keys;
  std::fill(narrowed_.begin(), narrowed_.end(), std::uint8_t{0});
  for (std::size_t position : changed_) {
    const std::size_t key = families_->key_of[position];
    const Word window = *domains.values(space_->points[position]) >> f.base[position] & first_bits(f.modulus);
    const Word kept = rotations[key] & rotated_down(window, f.shift[position], f.modulus);
    if (kept == 0) return false;
    if (kept != rotations[key] && std::popcount(kept) <= kTelling) narrowed_[key] = 1;
    rotations[key] = kept;
  }
  if (f.rotations->empty()) return true;
  bool any = false;
  for (std::size_t r = 0; r < f.rotations->size(); ++r) {
    for (std::size_t key = 0; key < narrowed_.size() && constants[r] != 0; ++key)
      if (narrowed_[key] != 0) constants[r] &= rotated_down(rotations[key], (*f.rotations)[r][key], f.modulus);
    any |= constants[r] != 0;
  }
  return any;
}

bool TransformTable::strike_out(Domains& domains) const {
  struct Table {
    std::size_t family, rotation;
    int constant;
  };
  std::vector<Table> tables;
  for (std::size_t f = 0; f < first_.size(); ++f) {
    if (live_[first_[f]] == 0) continue;
    const TransformFamily& family = families_->families[f];
    if (family.rotations->empty()) return true;
    for (std::size_t r = 0; r < family.rotations->size(); ++r)
      for (Word left = live_[first_[f] + 1 + families_->keys + r]; left != 0; left &= left - 1) {
        if (tables.size() == kFew) return true;
        tables.push_back({f, r, std::countr_zero(left)});
      }
  }
  for (std::size_t p = 0; p < space_->points.size(); ++p) {
    if (domains.count(space_->points[p]) == 1) continue;
    Word supported = 0;
    for (const Table& t : tables) {
      const TransformFamily& f = families_->families[t.family];
      const int rotated = (f.shift[p] + (*f.rotations)[t.rotation][families_->key_of[p]] + t.constant) % f.modulus;
      supported |= Word{1} << (f.base[p] + rotated);
    }
    if (!domains.keep(space_->points[p], &supported)) return false;
  }
  return true;
}

bool TransformTable::admits(const std::vector<std::pair<std::size_t, std::int16_t>>& values) {
  for (std::size_t f = 0; f < first_.size(); ++f)
    if (live_[first_[f]] != 0 && admits(f, values)) return true;
  return false;
}

bool TransformTable::admits(std::size_t family, const std::vector<std::pair<std::size_t, std::int16_t>>& values) {
  const TransformFamily& f = families_->families[family];
  const Word* const live = &live_[first_[family] + 1];
  for (std::size_t key : asked_) rotation_[key] = -1;
  asked_.clear();
  for (const auto& [position, value] : values) {
    const std::size_t key = families_->key_of[position];
    int rotation = value - f.base[position];
    if (rotation < 0 || rotation >= f.modulus) return false;
    if ((rotation -= f.shift[position]) < 0) rotation += f.modulus;
    if (rotation_[key] == -1) {
      if ((live[key] >> rotation & 1) == 0) return false;
      rotation_[key] = rotation;
      asked_.push_back(key);
    } else if (rotation_[key] != rotation) {
      return false;
    }
  }
  if (f.rotations->empty() || asked_.empty()) return true;
  for (std::size_t r = 0; r < f.rotations->size(); ++r) {
    const std::vector<std::int16_t>& by_key = (*f.rotations)[r];
    const auto constant = [&](std::size_t key) { return rotation_[key] >= by_key[key] ? rotation_[key] - by_key[key] : rotation_[key] - by_key[key] + f.modulus; };
    const int c = constant(asked_.front());
    if ((live[families_->keys + r] >> c & 1) == 0) continue;
    if (std::all_of(asked_.begin(), asked_.end(), [&](std::size_t key) { return constant(key) == c; })) return true;
  }
  return false;
}

}  // namespace swizzle
