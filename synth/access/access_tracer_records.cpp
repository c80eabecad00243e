// What is counted: the requests of each warp.
#include <algorithm>

#include <fmt/format.h>

#include "synth/access/loop_jump.h"

namespace swizzle {
namespace {

constexpr int kRowsOfAMatrix = 8;

}  // namespace

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
  for (const SourceRange condition : gone_.conditions()) remark(condition, kGuardedByData);
  const std::int64_t piece = touch.matrices > 0
                                 ? size_bytes
                                 : std::min<std::int64_t>(size_bytes, std::clamp(alignment_bytes, 1, kWidestBytes));
  const MemorySpace space = r.kind == RegionKind::kShared ? MemorySpace::kShared : MemorySpace::kGlobal;
  for (std::int64_t at = 0; at + piece <= size_bytes; at += piece) {
    const AccessRecorder::Place place{range, call_site_};
    const int bits = static_cast<int>(piece) * 8;
    const bool is_of_all = tape_ != nullptr && tape_->is_of_all_rounds;
    AccessSite* const known = is_of_all ? recorder_.find(place, space, touch.operation, bits) : nullptr;
    if (is_of_all && known == nullptr) tape_->is_odd = true;
    if (is_of_all && known == nullptr) return;
    AccessSite& site = is_of_all ? *known : recorder_.site(place, space, touch.operation, bits, r.name);
    for (int w = 0; w < warps(); ++w) {
      const int first = w * options_.memory.lanes;
      if (is_of_all) tape_all_rounds(site, region, address, at - r.base, first, touch.matrices);
      else record_warp(site, region, address, at - r.base, first, touch.matrices);
    }
  }
}

void AccessTracer::record_warp(AccessSite& site, int region_id, const LaneValue& address, std::int64_t shift, int first,
                               int matrices) {
  const Region& region = space_.region(region_id);
  const int lanes = std::min(options_.memory.lanes, threads_ - first);
  LaneAddresses& addresses = lane_addresses_;
  const bool is_known = address.is_known_everywhere(), is_simple = is_known && mask_.all && !gone_.any_perhaps() &&
                                                                   matrices == 0 && lanes == options_.memory.lanes;
  bool any = is_simple;
  if (!is_simple || addresses.size() != static_cast<std::size_t>(lanes))
    addresses.assign(static_cast<std::size_t>(options_.memory.lanes), std::nullopt);
  for (int lane = 0; is_simple && lane < lanes; ++lane)
    addresses[static_cast<std::size_t>(lane)] = address.at(first + lane) + shift;
  for (int lane = 0; !is_simple && lane < lanes; ++lane) {
    const Presence present = mask_.present[static_cast<std::size_t>(first + lane)];
    if (present == Presence::kOut) continue;
    site.is_conditional |= present == Presence::kPerhaps || gone_.has_perhaps(static_cast<std::size_t>(first + lane));
    if (matrices > 0 && lane >= matrices * kRowsOfAMatrix) continue;
    any = true;
    if (!is_known && !address.knows(first + lane)) return record_unknown(site, region_id, first, matrices);
    addresses[static_cast<std::size_t>(lane)] = address.at(first + lane) + shift;
  }
  if (!any) return;
  if (tape_ != nullptr) {
    TapedRequest taped{&site, region_id, first, matrices};
    for (int lane = 0; lane < lanes; ++lane)
      taped.is_perhaps |= mask_.present[static_cast<std::size_t>(first + lane)] == Presence::kPerhaps;
    taped.is_perhaps |= gone_.any_perhaps();
    taped.all_sure = !is_unsure();
    taped.addresses = addresses;
    tape_->requests.push_back(std::move(taped));
  }
  ++recorded_;
  recorded_shared_ += site.space == MemorySpace::kShared;
  charge(site.range);
  if (!is_unsure()) check_places(site, region, first);
  if (history_ && site.space == MemorySpace::kShared) note_history(site, region, first, matrices);
  recorder_.count(site, {region.name, block_index_, first / options_.memory.lanes}, addresses, matrices);
}

bool AccessTracer::is_alone(int first) const {
  const int last = std::min(first + options_.memory.lanes, threads_);
  int lanes = 0;
  for (int t = first; t < last; ++t) lanes += mask_.present[static_cast<std::size_t>(t)] != Presence::kOut;
  return lanes <= 1;
}

bool AccessTracer::are_all_alone() const {
  for (int w = 0; w < warps(); ++w)
    if (!is_alone(w * options_.memory.lanes)) return false;
  return true;
}

// Of one lane, it costs the same wherever it goes.
void AccessTracer::record_unknown(AccessSite& site, int region_id, int first, int matrices) {
  const bool alone = matrices == 0 && is_alone(first);
  if (tape_ != nullptr)
    tape_->requests.push_back({&site, region_id, first, matrices, false, alone, false, !is_unsure()});
  if (history_ && site.operation != MemoryOperation::kLoad) history_->write_anywhere();
  if (alone) AccessRecorder::count_alone(site);
  else ++site.not_counted;
  ++recorded_;
  recorded_shared_ += site.space == MemorySpace::kShared;
}

namespace {

const char* rule_of(SharedHistory::Kind kind) {
  switch (kind) {
    case SharedHistory::Kind::kRace: return "race";
    case SharedHistory::Kind::kWarpRace: return "warp-race";
    case SharedHistory::Kind::kUnwritten: break;
  }
  return "read-before-write";
}

std::string race_text(const SharedHistory::Finding& race, bool is_load, const SourceText& source) {
  const bool is_in_warp = race.kind == SharedHistory::Kind::kWarpRace;
  return fmt::format("a {} {} here what another{} {} at line {}, and no {} stands between",
                     is_in_warp ? "lane" : "warp", is_load ? "reads" : "writes", is_in_warp ? " of its warp" : "",
                     race.other_wrote ? "writes" : "reads", source.locate(race.other.begin).line,
                     is_in_warp ? "__syncwarp" : "barrier");
}

}  // namespace

// Races with other threads, and words that nobody wrote.
void AccessTracer::note_history(const AccessSite& site, const Region& region, int first, int matrices) {
  constexpr std::int64_t kWordBytes = 4;
  const int warp = first / options_.memory.lanes;
  const std::int64_t bytes = matrices > 0 ? 16 : site.bits / 8;
  const bool is_plain = site.operation == MemoryOperation::kLoad || site.operation == MemoryOperation::kStore;
  for (std::size_t lane = 0; lane < lane_addresses_.size(); ++lane) {
    if (!lane_addresses_[lane]) continue;
    const std::int64_t at = *lane_addresses_[lane] + region.base;
    const bool is_sure = is_plain && !is_unsure() && at % kWordBytes == 0 && bytes % kWordBytes == 0;
    for (std::int64_t word = at / kWordBytes; word * kWordBytes < at + bytes; ++word) {
      if (!is_sure) {
        if (site.operation != MemoryOperation::kLoad) history_->may_write(word);
        continue;
      }
      const bool is_load = site.operation == MemoryOperation::kLoad;
      const SharedHistory::Thread by{warp, static_cast<int>(lane)};
      const auto found = is_load ? history_->read(word, by, site.range) : history_->write(word, by, site.range);
      if (!found) continue;
      const char* rule = rule_of(found->kind);
      if (!misplaced_.insert({site.range.begin, rule}).second) return;
      violate(site.range, rule,
              found->kind == SharedHistory::Kind::kUnwritten
                  ? fmt::format("thread {} reads '{}' here where nothing has been written",
                                static_cast<std::size_t>(first) + lane, region.name)
                  : race_text(*found, is_load, program_.source));
      return;
    }
  }
}

// As record_warp(), of all rounds of a loop: nothing is counted yet.
void AccessTracer::tape_all_rounds(AccessSite& site, int region, const LaneValue& address, std::int64_t shift,
                                   int first, int matrices) {
  const int lanes = std::min(options_.memory.lanes, threads_ - first);
  TapedRequest taped{&site, region, first, matrices};
  taped.all_sure = !is_unsure();
  taped.is_perhaps = gone_.any_perhaps();
  taped.addresses.assign(static_cast<std::size_t>(options_.memory.lanes), std::nullopt);
  taped.slopes.assign(taped.addresses.size(), 0);
  bool any = false;
  for (int lane = 0; lane < lanes; ++lane) {
    const int thread = first + lane;
    const Presence present = mask_.present[static_cast<std::size_t>(thread)];
    if (present == Presence::kOut) continue;
    taped.is_perhaps |= present == Presence::kPerhaps;
    if (matrices > 0 && lane >= matrices * kRowsOfAMatrix) continue;
    any = true;
    const auto l = static_cast<std::size_t>(lane);
    if (!address.is_affine() && !address.knows(thread)) {
      const bool alone = matrices == 0 && is_alone(first);
      tape_->requests.push_back({&site, region, first, matrices, false, alone, false, !is_unsure()});
      return;
    }
    taped.addresses[l] = (address.is_affine() ? address.base_of(thread) : address.at(thread)) + shift;
    if (address.is_affine()) taped.slopes[l] = address.slope_of(thread);
  }
  if (any) tape_->requests.push_back(std::move(taped));
  charge(site.range);
}

// Whether lanes are where the array ends, or off the multiples of what they access.
void AccessTracer::check_places(const AccessSite& site, const Region& region, int first) {
  constexpr std::int64_t kBufferBytes = std::int64_t{1} << 34;  // of a parameter: nobody knows how long it is
  const std::int64_t bytes = site.bits / 8;
  const std::int64_t size_bytes = region.launched_bytes.value_or(region.size_bytes);
  const bool has_end = size_bytes < kBufferBytes;
  for (std::size_t lane = 0; lane < lane_addresses_.size(); ++lane) {
    const auto& at = lane_addresses_[lane];
    if (!at) continue;
    const bool is_outside = has_end && (*at < 0 || *at + bytes > size_bytes);
    if (!is_outside && *at % bytes == 0) continue;
    const std::string what =
        fmt::format("thread {} accesses {} byte{} at byte {} of '{}'", static_cast<std::size_t>(first) + lane, bytes,
                    bytes == 1 ? "" : "s", *at, region.name);
    const std::string_view why = is_outside ? "outside" : "misaligned";
    if (!is_muted_ && misplaced_.insert({site.range.begin, why}).second)
      violate(site.range, is_outside ? "out-of-bounds" : "misaligned",
              is_outside ? fmt::format("{}, {} {}", what,
                                       region.launched_bytes ? "for which the launch has" : "which has", size_bytes)
                         : fmt::format("{}, which is no multiple of {}", what, bytes));
    return;
  }
}

}  // namespace swizzle
