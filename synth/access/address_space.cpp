#include "synth/access/address_space.h"

#include <algorithm>

namespace swizzle {
namespace {

constexpr std::int64_t kArrayAlignment = 128;                  // a row of 32 banks
constexpr std::int64_t kExternOffset = std::int64_t{1} << 24;  // behind all static arrays

}  // namespace

int AddressSpace::allocate(RegionKind kind, std::string name, std::int64_t size_bytes, bool is_extern) {
  const int id = static_cast<int>(regions_.size());
  Region r;
  r.kind = kind;
  r.name = std::move(name);
  r.size_bytes = size_bytes;
  if (kind == RegionKind::kShared) {
    r.base = shared_window() + (is_extern ? kExternOffset : shared_end_);
    if (!is_extern) shared_end_ += (size_bytes + kArrayAlignment - 1) / kArrayAlignment * kArrayAlignment;
  } else {
    r.base = ((std::int64_t{id} + 2) << kRegionBits) + (std::int64_t{1} << (kRegionBits - 1));
  }
  regions_.push_back(std::move(r));
  return id;
}

int AddressSpace::region_of(std::int64_t address) const {
  const std::int64_t top = address >> kRegionBits;
  if (top >= 2 && top - 2 < static_cast<std::int64_t>(regions_.size())) return static_cast<int>(top - 2);
  if (top != 1) return kNoRegion;
  for (std::size_t r = 0; r < regions_.size(); ++r)
    if (regions_[r].kind == RegionKind::kShared && address >= regions_[r].base &&
        address < regions_[r].base + regions_[r].size_bytes)
      return static_cast<int>(r);
  return kNoRegion;
}

int AddressSpace::region_of(const LaneValue& address, const Presences& present) const {
  if (address.region() != kNoRegion) return address.region();
  if (address.is_unknown()) return kNoRegion;
  if (address.is_uniform()) return region_of(address.at(0));
  for (std::size_t t = 0; t < present.size(); ++t)
    if (present[t] != Presence::kOut && address.knows(static_cast<int>(t)))
      return region_of(address.at(static_cast<int>(t)));
  return kNoRegion;
}

LaneValue AddressSpace::read_own(int id, const LaneValue& address, int size_bytes, std::size_t threads) const {
  const Region& r = region(id);
  const auto part_at = [&](std::int64_t a) -> const Part* {
    const auto it = r.parts.find(a - r.base);
    return it != r.parts.end() && it->second.size_bytes == size_bytes ? &it->second : nullptr;
  };
  if (address.is_unknown() || r.parts.empty()) return {};
  if (address.is_uniform()) {
    const Part* part = part_at(address.at(0));
    return part != nullptr ? part->value : LaneValue();
  }
  std::vector<std::int64_t> values(threads, 0);
  std::vector<char> known(threads, 0);
  for (std::size_t t = 0; t < threads; ++t) {
    const int thread = static_cast<int>(t);
    const Part* part = address.knows(thread) ? part_at(address.at(thread)) : nullptr;
    if (part == nullptr || !part->value.knows(thread)) continue;
    values[t] = part->value.at(thread);
    known[t] = 1;
  }
  return LaneValue::partly(std::move(values), std::move(known));
}

Parts AddressSpace::read_own_parts(int id, const LaneValue& address, std::int64_t size_bytes) const {
  Parts out;
  if (!address.is_uniform()) return out;
  const Region& r = region(id);
  const std::int64_t from = address.at(0) - r.base;
  for (auto it = r.parts.lower_bound(from);
       it != r.parts.end() && it->first + it->second.size_bytes <= from + size_bytes; ++it)
    out.emplace(it->first - from, it->second);
  return out;
}

int AddressSpace::outside() {
  constexpr std::int64_t kBufferBytes = std::int64_t{1} << 34;
  if (outside_ == kNoRegion) outside_ = allocate(RegionKind::kGlobal, "global memory", kBufferBytes);
  return outside_;
}

LaneValue AddressSpace::merged(const LaneValue& old, const LaneValue& value, const Presences& present) {
  const LaneValue out = overwrite(old, value, present);
  const auto is_global = [&](const LaneValue& v) {
    return v.region() != kNoRegion && region(v.region()).kind == RegionKind::kGlobal;
  };
  return !out.says_something() && is_global(old) && is_global(value) ? LaneValue::in_region(outside()) : out;
}

// What lies in [from, to) becomes unknown to those present.
void AddressSpace::forget(int id, std::int64_t from, std::int64_t to, const Presences& present, bool replace) {
  constexpr int kWidestScalar = 8;
  Region& r = region(id);
  for (auto it = r.parts.lower_bound(from - kWidestScalar); it != r.parts.end() && it->first < to;) {
    const bool overlaps = it->first + it->second.size_bytes > from;
    if (overlaps && on_change_) on_change_(id, it->first, &it->second);
    if (overlaps && !replace) it->second.value = overwrite(it->second.value, LaneValue(), present);
    it = overlaps && (replace || it->second.value.is_unknown()) ? r.parts.erase(it) : std::next(it);
  }
}

LaneValue AddressSpace::value_at(int id, std::int64_t offset, int size_bytes) const {
  const Parts& parts = region(id).parts;
  const auto known = parts.find(offset);
  return known != parts.end() && known->second.size_bytes == size_bytes ? known->second.value : LaneValue();
}

void AddressSpace::join(int id, std::int64_t offset, const Part& part, const Presences& present) {
  const auto known = region(id).parts.find(offset);
  if (known == region(id).parts.end()) return;
  const bool same = known->second.size_bytes == part.size_bytes;
  write_part(id, offset, {known->second.size_bytes, same ? part.value : LaneValue()}, present, false);
}

void AddressSpace::write_part(int id, std::int64_t offset, const Part& part, const Presences& present, bool replace) {
  Region& r = region(id);
  const auto known = r.parts.find(offset);
  if (on_change_) on_change_(id, offset, known != r.parts.end() ? &known->second : nullptr);
  const LaneValue old =
      known != r.parts.end() && known->second.size_bytes == part.size_bytes ? known->second.value : LaneValue();
  const LaneValue value = replace ? part.value : merged(old, part.value, present);
  if (known == r.parts.end() || known->second.size_bytes != part.size_bytes)
    forget(id, offset, offset + part.size_bytes, present, replace);
  if (!value.says_something()) r.parts.erase(offset);
  else r.parts[offset] = {part.size_bytes, value};
}

void AddressSpace::write_own(int id, const LaneValue& address, std::int64_t size_bytes, const Parts& parts,
                             const Presences& present, bool replace) {
  const std::int64_t base = region(id).base;
  if (address.is_unknown()) return forget(id, INT64_MIN / 2, INT64_MAX / 2, present, false);
  std::map<std::int64_t, Presences> by_offset;
  if (address.is_uniform()) {
    by_offset[address.at(0) - base] = present;
  } else {
    for (std::size_t t = 0; t < present.size(); ++t) {
      if (present[t] == Presence::kOut) continue;
      if (!address.knows(static_cast<int>(t))) return forget(id, INT64_MIN / 2, INT64_MAX / 2, present, false);
      Presences& here = by_offset[address.at(static_cast<int>(t)) - base];
      here.resize(present.size(), Presence::kOut);
      here[t] = present[t];
    }
    replace = false;
  }
  for (const auto& [offset, here] : by_offset) {
    const bool is_scalar =
        parts.size() == 1 && parts.begin()->first == 0 && parts.begin()->second.size_bytes == size_bytes;
    if (!is_scalar) forget(id, offset, offset + size_bytes, here, replace);
    for (const auto& [at, part] : parts) write_part(id, offset + at, part, here, replace);
  }
}

LaneValue AddressSpace::read_shared(int id, const LaneValue& address, int size_bytes, std::size_t threads) const {
  const Region& r = region(id);
  if (r.cells.empty() || address.is_unknown()) return {};
  const auto cell_at = [&](std::int64_t a) -> const Region::Cell* {
    const auto it = r.cells.find(a - r.base);
    return it != r.cells.end() && it->second.size_bytes == size_bytes ? &it->second : nullptr;
  };
  if (address.is_uniform()) {
    const Region::Cell* cell = cell_at(address.at(0));
    return cell != nullptr ? LaneValue::uniform(cell->value) : LaneValue();
  }
  std::vector<std::int64_t> values(threads, 0);
  std::vector<char> known(threads, 0);
  for (std::size_t t = 0; t < threads; ++t) {
    const Region::Cell* cell = address.knows(static_cast<int>(t)) ? cell_at(address.at(static_cast<int>(t))) : nullptr;
    if (cell == nullptr) continue;
    values[t] = cell->value;
    known[t] = 1;
  }
  return LaneValue::partly(std::move(values), std::move(known));
}

void AddressSpace::write_shared(int id, const LaneValue& address, int size_bytes, const LaneValue& value,
                                const Presences& present) {
  constexpr int kWidestScalar = 8;
  Region& r = region(id);
  if (value.is_unknown() && r.cells.empty()) return;
  for (std::size_t t = 0; t < present.size(); ++t) {
    const int thread = static_cast<int>(t);
    if (present[t] == Presence::kOut) continue;
    if (!address.knows(thread)) return r.cells.clear();
    const std::int64_t offset = address.at(thread) - r.base;
    const bool is_alike = (r.cell_bytes == 0 || r.cell_bytes == size_bytes) && offset % size_bytes == 0;
    r.cell_bytes = is_alike ? size_bytes : -1;
    const std::int64_t first = is_alike ? offset : offset - kWidestScalar + 1,
                       end = is_alike ? offset + 1 : offset + size_bytes;
    const bool is_kept = present[t] == Presence::kIn && value.knows(thread) && size_bytes <= kWidestScalar;
    for (std::int64_t at = first; at < end && !(is_alike && is_kept); ++at)
      if (const auto it = r.cells.find(at); it != r.cells.end() && at + it->second.size_bytes > offset)
        r.cells.erase(it);
    if (is_kept) r.cells[offset] = {size_bytes, value.at(thread)};
  }
}

void AddressSpace::forget_shared() {
  for (Region& r : regions_) r.cells.clear();
}

}  // namespace swizzle
