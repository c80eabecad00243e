#include "synth/access/access_recorder.h"

#include <algorithm>
#include <set>

namespace swizzle {
namespace {

constexpr int kMatrixRowBits = 128;

}  // namespace

SharedOperation shared_operation(MemoryOperation operation) {
  switch (operation) {
    case MemoryOperation::kStore: return SharedOperation::kStore;
    case MemoryOperation::kLdmatrix: return SharedOperation::kLdmatrix;
    case MemoryOperation::kStmatrix: return SharedOperation::kStmatrix;
    default: return SharedOperation::kLoad;
  }
}

SectorCount count_sectors(int bytes, const LaneAddresses& addresses) {
  std::set<std::int64_t> sectors;
  std::vector<std::pair<std::int64_t, std::int64_t>> intervals;
  for (const auto& a : addresses)
    if (a) intervals.emplace_back(*a, *a + bytes);
  std::sort(intervals.begin(), intervals.end());
  std::int64_t distinct = 0, end = intervals.empty() ? 0 : intervals[0].first;
  for (const auto& [from, to] : intervals) {
    distinct += std::max<std::int64_t>(0, to - std::max(from, end));
    end = std::max(end, to);
    for (std::int64_t s = from >> 5; s <= (to - 1) >> 5; ++s) sectors.insert(s);
  }
  return {static_cast<int>(sectors.size()), static_cast<int>((distinct + kSectorBytes - 1) / kSectorBytes)};
}

AccessSite& AccessRecorder::site(Place place, MemorySpace space, MemoryOperation operation, int bits,
                                 const std::string& array) {
  const Key key{place.range.begin, place.range.end, place.call_site.begin, place.part, space, operation, bits};
  const auto [it, fresh] = sites_.try_emplace(key);
  AccessSite& site = it->second;
  if (fresh) {
    site.range = place.range;
    site.call_site = place.call_site;
    site.space = space;
    site.operation = operation;
    site.bits = bits;
    site.array = array;
  }
  if (site.array != array) site.array.clear();
  return site;
}

AccessSite* AccessRecorder::find(Place place, MemorySpace space, MemoryOperation operation, int bits) {
  const auto known =
      sites_.find({place.range.begin, place.range.end, place.call_site.begin, place.part, space, operation, bits});
  return known != sites_.end() ? &known->second : nullptr;
}

const AccessRecorder::Cost& AccessRecorder::cost_of(const AccessSite& site, const LaneAddresses& addresses,
                                                    int matrices, std::int64_t& shift) {
  const std::int64_t period =
      site.space == MemorySpace::kShared ? std::int64_t{memory_.banks} * memory_.bank_bytes : kSectorBytes;
  std::int64_t least = INT64_MAX;
  for (const auto& a : addresses)
    if (a) least = std::min(least, *a);
  shift = least >= 0 ? least / period * period : -((-least + period - 1) / period) * period;
  Last& last = last_[&site];
  const auto is_same = [&](const auto& a, const auto& b) {
    return a.has_value() == b.has_value() && (!a || *a - shift == *b);
  };
  if (last.cost != nullptr &&
      std::equal(addresses.begin(), addresses.end(), last.relative.begin(), last.relative.end(), is_same))
    return *last.cost;
  LaneAddresses relative = addresses;
  for (auto& a : relative)
    if (a) *a -= shift;
  const auto [it, fresh] = costs_.try_emplace({site.space, site.operation, site.bits, relative});
  last = {relative, &it->second};
  if (!fresh) return it->second;
  if (site.space == MemorySpace::kGlobal) {
    const SectorCount sectors = count_sectors(site.bits / 8, relative);
    it->second = {sectors.count, sectors.ideal, std::nullopt};
  } else {
    Wavefronts w = count_wavefronts(memory_, shared_operation(site.operation),
                                    matrices > 0 ? kMatrixRowBits : site.bits, relative);
    it->second = {w.count, w.ideal, std::move(w.witness)};
  }
  return it->second;
}

void AccessRecorder::count(AccessSite& site, const Warp& warp, const LaneAddresses& addresses, int matrices,
                           std::int64_t times) {
  if (times == 0) return;
  std::int64_t shift = 0;
  const Cost& cost = cost_of(site, addresses, matrices, shift);
  site.requests += times;
  site.total += times * cost.count;
  site.total_ideal += times * cost.ideal;
  const auto badness = [](int count, int ideal) { return std::pair(count - ideal, count); };
  if (site.worst_request && badness(cost.count, cost.ideal) <= badness(site.worst, site.worst_ideal)) return;
  site.worst = cost.count;
  site.worst_ideal = cost.ideal;
  Request request{std::string(warp.array), warp.block, warp.number, addresses, cost.conflict};
  if (request.conflict)
    for (std::int64_t& address : request.conflict->word_addresses) address += shift;
  site.worst_request = std::move(request);
}

void AccessRecorder::count_alone(AccessSite& site, std::int64_t times) {
  site.requests += times;
  site.total += times;
  site.total_ideal += times;
  site.worst = std::max(site.worst, 1);
  site.worst_ideal = std::max(site.worst_ideal, 1);
}

std::vector<AccessSite> AccessRecorder::in_source_order() const {
  std::vector<AccessSite> sites;
  for (const auto& [key, site] : sites_) sites.push_back(site);
  return sites;
}

}  // namespace swizzle
