#include "synth/execution/race_detector.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace swizzle {

void RaceDetector::start_block() {
  epoch_ = 0;
  warps_.assign(static_cast<std::size_t>((run_.threads + kWarpSize - 1) / kWarpSize), WarpOrder());
}

void RaceDetector::end_block() {
  for (const OpenAccess& open : open_) {
    if (run_.failed()) break;
    run_.require(any_meeting(open), open.message, open.range);
  }
  open_.clear();
  open_index_.clear();
}

Value RaceDetector::condition(const Access& access, Value pointer) {
  if (access.pointer == pointer) return access.guard;
  return both(access.guard, equals(access.pointer, pointer));
}

Value RaceDetector::both(Value a, Value b) {
  if (a == Value::integer(1)) return b;
  return b == Value::integer(1) ? a : provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, a, b);
}

// Whether a pointer that holes decide comes out as `leaf`.
Value RaceDetector::equals(Value pointer, Value leaf) {
  auto& known = equals_[pointer.aux];
  const auto [it, fresh] = known.try_emplace(place_of(leaf));
  if (fresh) it->second = provenance_.map_leaves(pointer, [&](Value v) { return Value::integer(v == leaf); });
  return it->second;
}

// When two accesses that may go to `pointer` meet there. Where holes decide both of their addresses: when they meet
// anywhere, once for all of the words that they may meet in.
std::optional<Value> RaceDetector::meeting(const Access& a, const Access& b, Value pointer) {
  if (!a.pointer.is_node() || !b.pointer.is_node()) return both(condition(a, pointer), condition(b, pointer));
  if (!met_.emplace(a, b).second) return std::nullopt;
  const auto [first, second] = std::minmax(
      a.pointer, b.pointer, [&](Value x, Value y) { return provenance_.node(x).tag < provenance_.node(y).tag; });
  return both(both(a.guard, b.guard), meet_anywhere(first, second));
}

// On no way to a leaf may a point be asked twice: where both addresses ask for it, they are gone through together.
Value RaceDetector::meet_anywhere(Value first, Value second) {
  if (share_points(first, second)) return provenance_.binary(Operator::kEq, Scalar::kI64, first, second);
  return provenance_.map_leaves(first, [&](Value leaf) { return leaf.is_pointer() ? equals(second, leaf) : Value{}; });
}

bool RaceDetector::share_points(Value a, Value b) {
  const std::vector<std::uint32_t>&of_a = points_of(a), &of_b = points_of(b);
  return std::ranges::any_of(of_a, [&](std::uint32_t p) { return std::ranges::binary_search(of_b, p); });
}

const std::vector<std::uint32_t>& RaceDetector::points_of(Value v) {
  static const std::vector<std::uint32_t> kNone;
  if (!v.is_node() || provenance_.node(v).kind != Node::Kind::kChoice) return kNone;
  if (const auto known = points_.find(v.aux); known != points_.end()) return known->second;
  std::set<std::uint32_t> all{provenance_.node(v).tag};
  for (const Value& child : provenance_.node(v).children()) {
    const std::vector<std::uint32_t>& below = points_of(child);
    all.insert(below.begin(), below.end());
  }
  return points_[v.aux] = {all.begin(), all.end()};
}

void RaceDetector::meet(const Object& object, const Use& a, const Use& b, Value pointer, SourceRange range) {
  if (a.access.pointer.is_node() && !b.access.pointer.is_node()) return meet_open(object, a, b, range);
  if (b.access.pointer.is_node() && !a.access.pointer.is_node()) return meet_open(object, b, a, range);
  const auto both = meeting(a.access, b.access, pointer);
  if (!both) return;
  std::string message = fmt::format("threads {} and {} use '{}[{}]' without a barrier between them: a race", b.thread,
                                    a.thread, object.name, pointer.bits);
  // Of addresses that holes decide, that they always meet is no mistake of the text: no completion serves.
  if (a.access.pointer.is_node()) run_.require(*both, std::move(message), range);
  else run_.violate(*both, std::move(message), range);
}

// One requirement for each open address, whatever it meets.
void RaceDetector::meet_open(const Object& object, const Use& open, const Use& known, SourceRange range) {
  const auto [at, fresh] = open_index_.try_emplace(open.access, open_.size());
  if (fresh)
    open_.push_back({open.access,
                     fmt::format("threads {} and {} use '{}[{}]' without a barrier between them: a race", known.thread,
                                 open.thread, object.name, known.access.pointer.bits),
                     range});
  OpenAccess& use = open_[at->second];
  if (++use.meetings == 2)
    use.message = fmt::format("thread {} uses a word of '{}' that others use, without a barrier between them: a race",
                              open.thread, object.name);
  const auto [when, is_first] = use.met.try_emplace(place_of(known.access.pointer), known.access.guard);
  if (!is_first)
    when->second = provenance_.binary(Operator::kLogicalOr, Scalar::kBool, when->second, known.access.guard);
}

Value RaceDetector::any_meeting(const OpenAccess& open) {
  const Value pointer = open.access.pointer;
  const auto met_at = [&](Value leaf) {
    const auto at = leaf.is_pointer() ? open.met.find(place_of(leaf)) : open.met.end();
    return at == open.met.end() ? Value::integer(0) : at->second;
  };
  const std::vector<Value> leaves = provenance_.leaves(pointer);
  if (std::ranges::none_of(leaves, [&](Value leaf) { return share_points(pointer, met_at(leaf)); }))
    return both(open.access.guard, provenance_.map_leaves(pointer, met_at));
  Value any = Value::integer(0);
  for (const Value& leaf : leaves)
    any = provenance_.binary(Operator::kLogicalOr, Scalar::kBool, any, both(equals(pointer, leaf), met_at(leaf)));
  return both(open.access.guard, any);
}

// Two threads meet in a word, one of them writes, and no barrier stands between: a race.
void RaceDetector::use_shared(Object& object, int thread, Value pointer, WordUse use, const Access& access,
                              SourceRange range, Value written) {
  if (!object.tile.layout.valid()) {
    object.is_used = true;
    if (objects_.has_tile(pointer.aux))
      return run_.fail(range, fmt::format("'{}' is used with a layout elsewhere, and without one here", object.name));
  }
  if (object.is_extern) {
    const auto together = static_cast<std::int64_t>(std::max<std::size_t>(1, object.uneven.slots.size()));
    const std::int64_t end = (pointer.bits / together + 1) * together;
    run_.trace.dynamic_shared_bytes =
        std::max(run_.trace.dynamic_shared_bytes, offset_of(end, object.slot_bytes, object.uneven));
  }
  SharedSlot& slot = object.uses[static_cast<std::size_t>(pointer.bits)];
  if (slot.epoch != epoch_) slot = {epoch_, {}, {}, {}};
  const std::uint32_t warp = static_cast<std::uint32_t>(thread / kWarpSize);
  const Use self{access, static_cast<std::uint32_t>(thread)};
  const auto meet_other = [&](const SharedUse& other) {
    if (run_.failed() || other.thread == self.thread) return;
    if (!written.is_undefined() && provenance_.normalize(other.written) == provenance_.normalize(written)) return;
    if (other.thread / kWarpSize == warp && warps_[warp].is_behind(self.thread, other.thread, other.time)) return;
    meet(object, self, {other.access, other.thread}, pointer, range);
  };
  std::ranges::for_each(slot.writes, meet_other);
  if (use != WordUse::kRead) std::ranges::for_each(slot.reads, meet_other);
  for (const auto& [kind, other] : slot.atomics)
    if (!may_meet(use, kind)) meet_other(other);
  const SharedUse known{self.thread, warps_[warp].time(self.thread), access, written};
  if (use == WordUse::kRead) slot.reads.push_back(known);
  else if (use == WordUse::kWrite) slot.writes.push_back(known);
  else slot.atomics.emplace_back(use, known);
}

// Likewise in a buffer, also between blocks. Two writes race only if their values differ, which write_leaf() looks at.
void RaceDetector::use_buffer(Object& object, int thread, Value pointer, WordUse use, const Access& access,
                              SourceRange range) {
  if (!run_.execution.shape || run_.trace.buffers[object.buffer.value].is_const) return;
  const auto block = static_cast<std::uint32_t>(run_.block), self = static_cast<std::uint32_t>(thread),
             warp = self / kWarpSize;
  auto& uses = object.buffer_uses[pointer.bits];
  for (const BufferUse& other : uses) {
    if (use == other.use) continue;
    const bool same_block = other.block == block;
    if (same_block && (other.epoch != epoch_ || other.thread == self)) continue;
    if (same_block && is_behind(self, other.thread, other.time)) continue;
    const std::string who = same_block ? fmt::format("threads {} and {} use '{}[{}]' without a barrier between them",
                                                     other.thread, thread, object.name, pointer.bits)
                                       : fmt::format("blocks {} and {} use '{}[{}]', and one of them writes it",
                                                     other.block, block, object.name, pointer.bits);
    run_.violate(provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, condition(access, pointer),
                                    condition(other.access, pointer)),
                 who + ": a race", range);
    if (run_.failed()) return;
  }
  // Of accesses under the same condition, one stands for all blocks before, one for all that a barrier is behind, and
  // two threads of a warp for all of them.
  bool earlier = false, companion = false, enough = false;
  std::erase_if(uses, [&](const BufferUse& other) {
    if (other.use != use || !(other.access.guard == access.guard) || !(other.access.pointer == access.pointer))
      return false;
    if (other.block != block) return std::exchange(earlier, true);
    if (other.epoch != epoch_) return true;
    if (other.thread / kWarpSize != warp) return false;
    if (warps_[warp].is_behind_all(other.thread, other.time)) return true;
    enough |= other.thread == self || std::exchange(companion, true);
    return false;
  });
  if (enough) return;
  uses.push_back({block, self, epoch_, warps_[warp].time(self), use, access});
}

}  // namespace swizzle
