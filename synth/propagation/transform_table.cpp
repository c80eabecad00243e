#include "synth/propagation/transform_table.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>

#include "synth/base/bits.h"

namespace swizzle {
namespace {

using Word = std::uint64_t;

constexpr std::size_t kListedAtMost = 64;  // tables
constexpr std::size_t kPatience = 64;
constexpr int kTelling = 4;  // a key says little about constants while more rotations are left

int difference(int a, int b, int m) { return a >= b ? a - b : a - b + m; }
Word first_bits(int m) { return m == 64 ? ~Word{0} : (Word{1} << m) - 1; }
Word rotated_down(Word bits, int by, int m) {
  return by == 0 ? bits : ((bits >> by) | (bits << (m - by))) & first_bits(m);
}

}  // namespace

TransformTable::TransformTable(const HoleSpace& space, std::shared_ptr<const TransformFamilies> families)
    : TableConstraint(space),
      families_(std::move(families)),
      place_(families_->keys, 0),
      rotation_(families_->keys, -1) {
  assert(families_->key_of.size() == space.points.size());
  live_.assign(families_->families.size(), 1);
  for (std::size_t key = 0; key < families_->keys; ++key)
    for (const TransformFamily& f : families_->families) live_.push_back(first_bits(f.modulus));
  for (const TransformFamily& f : families_->families) {
    auto& members = of_modulus_[f.modulus];
    members.resize(words_of_families(), 0);
    members[first_.size() / 64] |= Word{1} << (first_.size() % 64);
    first_.push_back(live_.size());
    live_.insert(live_.end(), f.rotations->size(), first_bits(f.modulus));
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
  keys_.clear();
  for (std::size_t p : changed_) {
    const std::size_t key = families_->key_of[p];
    if (std::size_t& place = place_[key]; place >= keys_.size() || keys_[place] != key) {
      place = keys_.size();
      keys_.push_back(key);
    }
  }
  bool any = false;
  narrowed_any_ = false;
  for (std::size_t f = 0; f < first_.size(); ++f) {
    if (live_[f] == 0) continue;
    if (narrow(f, domains)) {
      any = true;
      write_back(f, id, trail);
    } else {
      set(f, 0, id, trail);
    }
  }
  changed_.clear();
  return any && (!narrowed_any_ || remove_value(domains));
}

void TransformTable::write_back(std::size_t family, std::uint32_t id, std::vector<Saved>& trail) {
  for (std::size_t k = 0; k < keys_.size(); ++k)
    set(static_cast<std::size_t>(&rotations(keys_[k], family) - live_.data()), mine_[k], id, trail);
  for (std::size_t w = keys_.size(); w < mine_.size(); ++w) set(first_[family] + w - keys_.size(), mine_[w], id, trail);
}

void TransformTable::set(std::size_t word, Word bits, std::uint32_t id, std::vector<Saved>& trail) {
  if (live_[word] == bits) return;
  assert((bits & ~live_[word]) == 0);
  trail.push_back({id, word, live_[word]});
  live_[word] = bits;
  narrowed_any_ = true;
}

// mine_, of one family, by what changed. False: no table of it is left.
bool TransformTable::narrow(std::size_t family, const Domains& domains) {
  const TransformFamily& f = families_->families[family];
  mine_.clear();
  for (std::size_t key : keys_) mine_.push_back(rotations(key, family));
  tells_.assign(keys_.size(), 0);
  for (std::size_t position : changed_) {
    const std::size_t place = place_[families_->key_of[position]];
    const std::size_t at = families_->at(position, family);
    const Word window = *domains.values(space_->points[position]) >> families_->base[at] & first_bits(f.modulus);
    const Word kept = mine_[place] & rotated_down(window, families_->shift[at], f.modulus);
    if (kept == 0) return false;
    if (kept != mine_[place] && std::popcount(kept) <= kTelling) tells_[place] = 1;
    mine_[place] = kept;
  }
  if (f.rotations->empty()) return true;
  bool any = false;
  for (std::size_t r = 0; r < f.rotations->size(); ++r) {
    Word constants = live_[first_[family] + r];
    for (std::size_t k = 0; k < keys_.size() && constants != 0; ++k)
      if (tells_[k] != 0) constants &= rotated_down(mine_[k], (*f.rotations)[r][keys_[k]], f.modulus);
    mine_.push_back(constants);
    any |= constants != 0;
  }
  return any;
}

bool TransformTable::remove_value(Domains& domains) const {
  struct Table {
    std::size_t family, rotation;
    int constant;
  };
  std::vector<Table> tables;
  for (std::size_t f = 0; f < first_.size(); ++f) {
    if (live_[f] == 0) continue;
    const TransformFamily& family = families_->families[f];
    if (family.rotations->empty()) return true;
    for (std::size_t r = 0; r < family.rotations->size(); ++r)
      for (Word left = live_[first_[f] + r]; left != 0; left &= left - 1) {
        if (tables.size() == kListedAtMost) return true;
        tables.push_back({f, r, std::countr_zero(left)});
      }
  }
  for (std::size_t p = 0; p < space_->points.size(); ++p) {
    if (domains.count(space_->points[p]) == 1) continue;
    Word supported = 0;
    for (const Table& t : tables) {
      const TransformFamily& f = families_->families[t.family];
      const std::size_t at = families_->at(p, t.family);
      const int rotated =
          (families_->shift[at] + (*f.rotations)[t.rotation][families_->key_of[p]] + t.constant) % f.modulus;
      supported |= Word{1} << (families_->base[at] + rotated);
    }
    if (!domains.keep(space_->points[p], &supported)) return false;
  }
  return true;
}

// Most families reach not all of the values, whatever they turn. Of those that do, most fail by the first few values,
// if these are not neighbours: within a group all agree.
bool TransformTable::admits(const std::vector<std::pair<std::size_t, std::int16_t>>& values) {
  constexpr std::size_t kTold = 4;  // values after which few families are left that do not reach the others
  std::size_t stride = values.size() * 5 / 8;
  while (stride > 1 && std::gcd(stride, values.size()) != 1) --stride;
  spread_.clear();
  for (std::size_t i = 0, at = 0; i < values.size(); ++i) {
    spread_.push_back(values[at]);
    if ((at += stride) >= values.size()) at -= values.size();
  }
  candidates_.assign(words_of_families(), ~Word{0});
  candidates_.back() = first_bits(static_cast<int>(first_.size() % 64));
  for (std::size_t i = 0; i < std::min(kTold, spread_.size()); ++i) {
    const Word* const reaching = reaching_at(spread_[i].first, spread_[i].second);
    Word any = 0;
    for (std::size_t w = 0; reaching && w < candidates_.size(); ++w) any |= candidates_[w] &= reaching[w];
    if (reaching && any == 0) return false;
  }
  for (std::size_t w = 0; w < candidates_.size(); ++w)
    for (Word bits = candidates_[w]; bits != 0; bits &= bits - 1)
      if (const std::size_t f = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
          live_[f] != 0 && admits(f, spread_))
        return true;
  return false;
}

// The families with base ≤ value < base + modulus at the position; null if that takes too much memory.
const TransformTable::Word* TransformTable::reaching_at(std::size_t position, std::int16_t value) {
  constexpr std::size_t kMostWords = 1 << 20;
  const std::size_t words = words_of_families(), domain = static_cast<std::size_t>(space_->domain);
  reaching_.resize(space_->points.size());
  std::vector<Word>& reaching = reaching_[position];
  if (reaching.empty()) {
    if (reaching_words_ + domain * words > kMostWords) return nullptr;
    reaching_words_ += domain * words;
    reaching = reaching_from(&families_->base[families_->at(position, 0)]);
  }
  return &reaching[static_cast<std::size_t>(value) * words];
}

// By value, words_of_families() each; `base` is by family.
std::vector<TransformTable::Word> TransformTable::reaching_from(const std::int16_t* base) const {
  const std::size_t words = words_of_families(), domain = static_cast<std::size_t>(space_->domain);
  std::vector<Word> from(domain * words, 0);  // by base
  for (std::size_t f = 0; f < first_.size(); ++f)
    from[static_cast<std::size_t>(base[f]) * words + f / 64] |= Word{1} << (f % 64);
  std::vector<Word> reaching = from;
  for (const auto& [modulus, members] : of_modulus_)
    for (std::size_t first = 0; first < domain; ++first) {
      if (!meets(&from[first * words], members.data(), words)) continue;
      for (std::size_t value = first + 1; value < std::min(domain, first + static_cast<std::size_t>(modulus)); ++value)
        for (std::size_t w = 0; w < words; ++w) reaching[value * words + w] |= from[first * words + w] & members[w];
    }
  return reaching;
}

bool TransformTable::admits(std::size_t family, const std::vector<std::pair<std::size_t, std::int16_t>>& values) {
  const TransformFamily& f = families_->families[family];
  for (std::size_t key : asked_) rotation_[key] = -1;
  asked_.clear();
  for (const auto& [position, value] : values) {
    const std::size_t key = families_->key_of[position], at = families_->at(position, family);
    int rotation = value - families_->base[at];
    if (rotation < 0 || rotation >= f.modulus) return false;
    if ((rotation -= families_->shift[at]) < 0) rotation += f.modulus;
    if (rotation_[key] == -1) {
      if ((rotations(key, family) >> rotation & 1) == 0) return false;
      rotation_[key] = rotation;
      asked_.push_back(key);
    } else if (rotation_[key] != rotation) {
      return false;
    }
  }
  return f.rotations->empty() || admits_rotations(family);
}

// Whether some R with some constant turns the asked keys as they must be.
bool TransformTable::admits_rotations(std::size_t family) {
  const TransformFamily& f = families_->families[family];
  const std::size_t first = asked_.front();
  const Differences& known = differences(f, first);
  left_.assign(known.words, ~Word{0});
  for (std::size_t key : asked_) {
    const Word* const with =
        &known.with[(key * static_cast<std::size_t>(f.modulus) +
                     static_cast<std::size_t>(difference(rotation_[key], rotation_[first], f.modulus))) *
                    known.words];
    Word any = 0;
    for (std::size_t w = 0; w < known.words; ++w) any |= left_[w] &= with[w];
    if (any == 0) return false;
  }
  for (std::size_t w = 0; w < known.words; ++w)
    for (Word bits = left_[w]; bits != 0; bits &= bits - 1) {
      const std::size_t r = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      if ((live_[first_[family] + r] >> difference(rotation_[first], (*f.rotations)[r][first], f.modulus) & 1) != 0)
        return true;
    }
  return false;
}

const TransformTable::Differences& TransformTable::differences(const TransformFamily& f, std::size_t from) {
  const auto [it, fresh] = differences_.try_emplace({f.rotations, from});
  Differences& known = it->second;
  if (!fresh) return known;
  known.words = (f.rotations->size() + 63) / 64;
  known.with.assign(families_->keys * static_cast<std::size_t>(f.modulus) * known.words, 0);
  for (std::size_t r = 0; r < f.rotations->size(); ++r)
    for (std::size_t key = 0; key < families_->keys; ++key) {
      const int between = difference((*f.rotations)[r][key], (*f.rotations)[r][from], f.modulus);
      known.with[(key * static_cast<std::size_t>(f.modulus) + static_cast<std::size_t>(between)) * known.words +
                 r / 64] |= Word{1} << (r % 64);
    }
  return known;
}

}  // namespace swizzle
