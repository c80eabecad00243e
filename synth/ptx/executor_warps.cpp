// What the lanes of a warp tell each other.
#include <algorithm>
#include <bit>

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

// f(first thread of the warp, its lanes that each lane of it names by `members`), where that is known.
LaneValue Executor::by_members(const LaneValue& members, const OfMembers& f) const {
  std::vector<std::int64_t> values(threads(), 0);
  std::vector<char> known(threads(), 0);
  std::int64_t last = 0;
  std::optional<std::int64_t> result;
  for (int t = 0; t < threads_; ++t) {
    const int first = t - t % options_.memory.lanes;
    const auto at = static_cast<std::size_t>(t);
    if (!members.knows(t)) continue;
    if (t == first || members.at(t) != last) result = f(first, static_cast<std::uint64_t>(members.at(t)));
    last = members.at(t);
    values[at] = result.value_or(0);
    known[at] = result.has_value();
  }
  return LaneValue::partly(std::move(values), std::move(known));
}

// f(thread) of those members who take part. False: data decide who does, and it matters.
bool Executor::each_member(int first, std::uint64_t members, const std::function<bool(int thread)>& f) const {
  const int end = std::min(threads_, first + options_.memory.lanes);
  for (int t = first; t < end; ++t) {
    const Presence present = mask_.present[static_cast<std::size_t>(t)];
    if (((members >> (t - first)) & 1) == 0 || present == Presence::kOut) continue;
    if (present == Presence::kPerhaps || !f(t)) return false;
  }
  return true;
}

void Executor::vote(const Instruction& i) {
  const LaneValue value = value_of(i.operands[1]);
  write(i.operands[0], by_members(members_of(i), [&](int first, std::uint64_t members) -> std::optional<std::int64_t> {
          std::int64_t yes = 0, all = 0;
          const bool is_known = each_member(first, members, [&](int t) {
            const std::int64_t bit = std::int64_t{1} << (t - first);
            all |= bit;
            if (value.knows(t) && value.at(t) != 0) yes |= bit;
            return value.knows(t);
          });
          if (!is_known) return std::nullopt;
          if (i.has(Modifier::kBallot)) return yes;
          if (i.has(Modifier::kAny)) return yes != 0;
          return yes == all || (i.has(Modifier::kUni) && yes == 0);
        }));
}

// The last operand of what has .sync; everyone, else.
LaneValue Executor::members_of(const Instruction& i) const {
  constexpr std::int64_t kEveryone = 0xffffffff;
  return i.has(Modifier::kSync) ? value_of(i.operands.back()) : LaneValue::uniform(kEveryone);
}

void Executor::reduce(const Instruction& i) {
  const LaneValue value = value_of(i.operands[1]);
  if (!i.type.is_integer()) return write_unknown(i);
  write(i.operands[0], by_members(members_of(i), [&](int first, std::uint64_t members) -> std::optional<std::int64_t> {
          constexpr std::uint64_t kWord = 0xffffffff;
          std::optional<std::uint64_t> all;
          const bool is_known = each_member(first, members, [&](int t) {
            if (!value.knows(t)) return false;
            const auto one = static_cast<std::uint64_t>(value.at(t));
            all = all ? reduced(i, *all, one) : one;
            return true;
          });
          return is_known && all ? std::optional(static_cast<std::int64_t>(*all & kWord)) : std::nullopt;
        }));
}

// activemask: who goes together here; elect: the first of them.
void Executor::tell_who_is_there(const Instruction& i) {
  std::vector<std::int64_t> is_first(threads(), 0);
  const LaneValue told =
      by_members(LaneValue::uniform(-1), [&](int first, std::uint64_t members) -> std::optional<std::int64_t> {
        std::uint64_t there = 0;
        const bool is_known =
            each_member(first, members, [&](int t) { return there |= std::uint64_t{1} << (t - first), true; });
        if (!is_known || there == 0) return std::nullopt;
        if (i.opcode == Opcode::kActivemask) return static_cast<std::int64_t>(there);
        const int leader = std::countr_zero(there);
        is_first[static_cast<std::size_t>(first + leader)] = 1;
        return leader;
      });
  write(i.operands[0], told);
  if (i.opcode == Opcode::kElect && i.operands.size() > 2)
    write(i.operands[1], mask_.perhaps ? LaneValue() : LaneValue::varying(std::move(is_first)));
}

}  // namespace swizzle::ptx
