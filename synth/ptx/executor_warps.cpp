// What the lanes of a warp tell each other.
#include <algorithm>

#include "synth/ptx/executor.h"

namespace swizzle::ptx {
namespace {

// Where shfl takes a lane's value from. (PTX ISA, shfl.sync.)
struct ShuffleSource {
  int lane = 0;
  bool is_in_range = false;
};

ShuffleSource shuffle_source(const Instruction& i, int lane, std::int64_t b, std::int64_t c) {
  constexpr int kLaneMask = 31, kSegmentShift = 8;
  const int by = static_cast<int>(b & kLaneMask), clamp = static_cast<int>(c & kLaneMask);
  const int segment = static_cast<int>((c >> kSegmentShift) & kLaneMask);
  const int most = (lane & segment) | (clamp & ~segment & kLaneMask), least = lane & segment;
  const int from = i.has(Modifier::kUp)     ? lane - by
                   : i.has(Modifier::kDown) ? lane + by
                   : i.has(Modifier::kBfly) ? lane ^ by
                                            : least | (by & ~segment & kLaneMask);
  const bool is_in_range = i.has(Modifier::kUp) ? from >= most : from <= most;
  return {is_in_range ? from : lane, is_in_range};
}

std::uint64_t reduced(const Instruction& i, std::uint64_t a, std::uint64_t b) {
  const auto x = static_cast<std::int32_t>(a), y = static_cast<std::int32_t>(b);
  if (i.has(Modifier::kAdd)) return a + b;
  if (i.has(Modifier::kAnd)) return a & b;
  if (i.has(Modifier::kOr)) return a | b;
  if (i.has(Modifier::kXor)) return a ^ b;
  const bool takes_first = i.type.is_signed() ? (x < y) == i.has(Modifier::kMin) : (a < b) == i.has(Modifier::kMin);
  return takes_first ? a : b;
}

}  // namespace

void Executor::shuffle(const Instruction& i) {
  const std::size_t with_predicate = i.has(Modifier::kSync) ? 6 : 5;
  const std::size_t first = i.operands.size() >= with_predicate ? 2 : 1;
  const LaneValue value = value_of(i.operands[first]), by = value_of(i.operands[first + 1]),
                  clamp = value_of(i.operands[first + 2]);
  const int lanes = options_.memory.lanes;
  std::vector<std::int64_t> values(threads(), 0), in_range(threads(), 0);
  std::vector<char> known(threads(), 0), range_known(threads(), 0);
  for (int t = 0; t < threads_; ++t) {
    const auto at = static_cast<std::size_t>(t);
    if (mask_.present[at] == Presence::kOut || !by.knows(t) || !clamp.knows(t)) continue;
    const ShuffleSource source = shuffle_source(i, t % lanes, by.at(t), clamp.at(t));
    in_range[at] = source.is_in_range;
    range_known[at] = 1;
    const int from = t - t % lanes + source.lane;
    if (from >= threads_ || !value.knows(from)) continue;
    if (mask_.present[static_cast<std::size_t>(from)] == Presence::kOut) continue;
    values[at] = value.at(from);
    known[at] = 1;
  }
  write(i.operands[0], LaneValue::partly(std::move(values), std::move(known)));
  if (first == 2) write(i.operands[1], LaneValue::partly(std::move(in_range), std::move(range_known)));
}

// f(first thread, its result): of each warp; nothing where the result is not known.
LaneValue Executor::by_warp(const std::function<std::optional<std::int64_t>(int first, int end)>& f) const {
  std::vector<std::int64_t> values(threads(), 0);
  std::vector<char> known(threads(), 0);
  for (int first = 0; first < threads_; first += options_.memory.lanes) {
    const int end = std::min(threads_, first + options_.memory.lanes);
    const auto result = f(first, end);
    for (int t = first; result && t < end; ++t) {
      values[static_cast<std::size_t>(t)] = *result;
      known[static_cast<std::size_t>(t)] = 1;
    }
  }
  return LaneValue::partly(std::move(values), std::move(known));
}

void Executor::vote(const Instruction& i) {
  const LaneValue value = value_of(i.operands[1]);
  write(i.operands[0], by_warp([&](int first, int end) -> std::optional<std::int64_t> {
          std::int64_t yes = 0, all = 0;
          bool is_known = true;
          for (int t = first; t < end; ++t) {
            const Presence present = mask_.present[static_cast<std::size_t>(t)];
            if (present == Presence::kOut) continue;
            const std::int64_t bit = std::int64_t{1} << (t - first);
            is_known &= present == Presence::kIn && value.knows(t);
            all |= bit;
            if (value.knows(t) && value.at(t) != 0) yes |= bit;
          }
          if (!is_known) return std::nullopt;
          if (i.has(Modifier::kBallot)) return yes;
          if (i.has(Modifier::kAny)) return yes != 0;
          return yes == all || (i.has(Modifier::kUni) && yes == 0);
        }));
}

void Executor::reduce(const Instruction& i) {
  const LaneValue value = value_of(i.operands[1]);
  const bool is_followed = i.type.is_integer();
  write(i.operands[0], by_warp([&](int first, int end) -> std::optional<std::int64_t> {
          std::optional<std::uint64_t> all;
          for (int t = first; t < end; ++t) {
            const Presence present = mask_.present[static_cast<std::size_t>(t)];
            if (present == Presence::kOut) continue;
            if (present == Presence::kPerhaps || !value.knows(t) || !is_followed) return std::nullopt;
            const auto one = static_cast<std::uint64_t>(value.at(t));
            all = all ? reduced(i, *all, one) : one;
          }
          constexpr std::uint64_t kWord = 0xffffffff;
          return all ? std::optional(static_cast<std::int64_t>(*all & kWord)) : std::nullopt;
        }));
}

// activemask: who goes together here; elect: the first of them.
void Executor::tell_who_is_there(const Instruction& i) {
  const auto who = [&](int first, int end) -> std::optional<std::uint64_t> {
    std::uint64_t there = 0;
    for (int t = first; t < end; ++t) {
      if (mask_.present[static_cast<std::size_t>(t)] == Presence::kPerhaps) return std::nullopt;
      if (mask_.present[static_cast<std::size_t>(t)] == Presence::kIn) there |= std::uint64_t{1} << (t - first);
    }
    return there;
  };
  if (i.opcode == Opcode::kActivemask)
    return write(i.operands[0], by_warp([&](int first, int end) -> std::optional<std::int64_t> {
                   const auto there = who(first, end);
                   return there ? std::optional(static_cast<std::int64_t>(*there)) : std::nullopt;
                 }));
  std::vector<std::int64_t> is_first(threads(), 0);
  const LaneValue leader = by_warp([&](int first, int end) -> std::optional<std::int64_t> {
    const auto there = who(first, end);
    if (!there || *there == 0) return std::nullopt;
    const int lane = std::countr_zero(*there);
    is_first[static_cast<std::size_t>(first + lane)] = 1;
    return lane;
  });
  write(i.operands[0], leader);
  if (i.operands.size() < 3) return;
  write(i.operands[1], mask_.perhaps ? LaneValue() : LaneValue::varying(std::move(is_first)));
}

}  // namespace swizzle::ptx
