// What is counted: the requests of each warp.
#include <algorithm>

#include <fmt/format.h>

#include "synth/access/access_tracer.h"

namespace swizzle {

void AccessTracer::not_counted(SourceRange range, MemorySpace space) {
  constexpr const char* kWhy = "this depends on data, or on what is not followed: the access is not counted";
  ++said_;
  if (space == MemorySpace::kShared) remark_uncounted(range, kWhy);
  else remark(range, kWhy);
}

// An item goes in pieces of its alignment, 16 bytes at most.
void AccessTracer::record(const LaneValue& address, std::int64_t size_bytes, int alignment_bytes, Touch touch,
                          SourceRange range) {
  constexpr int kWidestBytes = 16;
  if (is_muted_) return;
  const int region = space_.region_of(address, mask_.present);
  if (region == kNoRegion) return not_counted(range);
  const Region& r = space_.region(region);
  if (r.kind <= RegionKind::kConstant || size_bytes <= 0) return;
  const std::int64_t piece = touch.matrices > 0
                                 ? size_bytes
                                 : std::min<std::int64_t>(size_bytes, std::clamp(alignment_bytes, 1, kWidestBytes));
  const MemorySpace space = r.kind == RegionKind::kShared ? MemorySpace::kShared : MemorySpace::kGlobal;
  for (std::int64_t at = 0; at + piece <= size_bytes; at += piece) {
    AccessSite& site = recorder_.site({range, call_site_}, space, touch.operation, static_cast<int>(piece) * 8, r.name);
    for (int w = 0; w < warps(); ++w)
      record_warp(site, r, address, at - r.base, w * options_.memory.lanes, touch.matrices);
  }
}

void AccessTracer::record_warp(AccessSite& site, const Region& region, const LaneValue& address, std::int64_t shift,
                               int first, int matrices) {
  constexpr int kRowsOfAMatrix = 8;
  const int lanes = std::min(options_.memory.lanes, threads_ - first);
  LaneAddresses& addresses = lane_addresses_;
  const bool is_known = address.is_known_everywhere(),
             is_simple = is_known && mask_.all && matrices == 0 && lanes == options_.memory.lanes;
  bool any = is_simple;
  if (!is_simple || addresses.size() != static_cast<std::size_t>(lanes))
    addresses.assign(static_cast<std::size_t>(options_.memory.lanes), std::nullopt);
  for (int lane = 0; is_simple && lane < lanes; ++lane)
    addresses[static_cast<std::size_t>(lane)] = address.at(first + lane) + shift;
  for (int lane = 0; !is_simple && lane < lanes; ++lane) {
    const Presence present = mask_.present[static_cast<std::size_t>(first + lane)];
    if (present == Presence::kOut) continue;
    site.is_conditional |= present == Presence::kPerhaps;
    if (matrices > 0 && lane >= matrices * kRowsOfAMatrix) continue;
    any = true;
    if (!is_known && !address.knows(first + lane)) {
      ++site.not_counted;
      ++recorded_;
      recorded_shared_ += site.space == MemorySpace::kShared;
      return;
    }
    addresses[static_cast<std::size_t>(lane)] = address.at(first + lane) + shift;
  }
  if (!any) return;
  ++recorded_;
  recorded_shared_ += site.space == MemorySpace::kShared;
  charge(site.range);
  if (!mask_.perhaps) check_places(site, region, first);
  recorder_.count(site, {region.name, block_index_, first / options_.memory.lanes}, addresses, matrices);
}

// Whether lanes are where the array ends, or off the multiples of what they access.
void AccessTracer::check_places(const AccessSite& site, const Region& region, int first) {
  constexpr std::int64_t kBufferBytes = std::int64_t{1} << 34;  // of a parameter: nobody knows how long it is
  const std::int64_t bytes = site.bits / 8;
  const bool has_end = region.size_bytes < kBufferBytes;
  for (std::size_t lane = 0; lane < lane_addresses_.size(); ++lane) {
    const auto& at = lane_addresses_[lane];
    if (!at) continue;
    const bool is_outside = has_end && (*at < 0 || *at + bytes > region.size_bytes);
    if (!is_outside && *at % bytes == 0) continue;
    const std::string what =
        fmt::format("thread {} accesses {} byte{} at byte {} of '{}'", static_cast<std::size_t>(first) + lane, bytes,
                    bytes == 1 ? "" : "s", *at, region.name);
    const std::string_view why = is_outside ? "outside" : "misaligned";
    if (!is_muted_ && misplaced_.insert({site.range.begin, why}).second)
      remark(site.range, is_outside ? fmt::format("{}, which has {}", what, region.size_bytes)
                                    : fmt::format("{}, which is no multiple of {}", what, bytes));
    return;
  }
}

}  // namespace swizzle
