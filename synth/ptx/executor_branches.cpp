// Who goes where, and where they meet again.
#include <algorithm>
#include <utility>

#include "synth/ptx/executor.h"
#include "synth/ptx/lane_operations.h"

namespace swizzle::ptx {
namespace {

bool anyone(const Presences& present) {
  return std::any_of(present.begin(), present.end(), [](Presence p) { return p != Presence::kOut; });
}

}  // namespace

Executor::Mask Executor::make_mask(Presences present) const {
  Mask mask;
  mask.writes = present;
  std::replace(mask.writes.begin(), mask.writes.end(), Presence::kPerhaps, Presence::kIn);
  mask.any = anyone(present);
  mask.all_write = std::find(mask.writes.begin(), mask.writes.end(), Presence::kOut) == mask.writes.end();
  mask.perhaps = std::find(present.begin(), present.end(), Presence::kPerhaps) != present.end();
  mask.present = std::move(present);
  return mask;
}

// 1 in every lane of what has none.
LaneValue Executor::guard_of(const Instruction& i) const {
  if (!i.is_guarded()) return LaneValue::uniform(1);
  const LaneValue& guard = registers_[static_cast<std::size_t>(i.guard)];
  return i.guard_is_negated ? negated(guard) : guard;
}

void Executor::branch(const Instruction& i) {
  const LaneValue condition = guard_of(i);
  if (!condition.is_uniform()) return split(i, condition);
  at_ = condition.at(0) != 0 ? i.targets[0] : at_ + 1;
}

void Executor::split(const Instruction& i, const LaneValue& condition) {
  std::vector<Side> sides{{i.targets[0], Presences(threads(), Presence::kOut)},
                          {at_ + 1, Presences(threads(), Presence::kOut)}};
  Presences undecided(threads(), Presence::kOut);
  for (std::size_t t = 0; t < threads(); ++t) {
    if (mask_.present[t] == Presence::kOut) continue;
    const auto known = condition.find(static_cast<int>(t));
    if (known) sides[*known != 0 ? 0 : 1].present[t] = mask_.present[t];
    else undecided[t] = mask_.present[t];
  }
  if (!anyone(undecided)) return fork(std::move(sides), false, nullptr);
  if (leave_loop(i, sides, undecided)) return fork(std::move(sides), false, nullptr);
  for (std::size_t t = 0; t < threads(); ++t)
    if (undecided[t] != Presence::kOut) sides[0].present[t] = sides[1].present[t] = Presence::kPerhaps;
  fork(std::move(sides), true, flow_.loop_left_at(at_));
}

bool Executor::is_forked_at(int branch) const {
  return std::any_of(forks_.begin(), forks_.end(), [&](const Fork& f) { return f.is_perhaps && f.branch == branch; });
}

// Lanes of which data decide how often a loop runs leave it behind one round: at the branch back to its beginning, or
// where they come to an exit again that they perhaps did not take. False: this is no such place.
bool Executor::leave_loop(const Instruction& i, std::vector<Side>& sides, const Presences& undecided) {
  const bool goes_back[] = {flow_.goes_back(at_, sides[0].at), flow_.goes_back(at_, sides[1].at)};
  const Loop* const left = flow_.loop_left_at(at_);
  const bool closes = goes_back[0] != goes_back[1];
  if (!closes && !is_forked_at(at_)) return false;
  std::size_t out = goes_back[0] || (left != nullptr && flow_.stays_in(*left, sides[0].at)) ? 1 : 0;
  if (closes) out = goes_back[0] ? 1 : 0;
  for (std::size_t t = 0; t < threads(); ++t)
    if (undecided[t] != Presence::kOut) sides[out].present[t] = undecided[t];
  const Loop* const loop = left != nullptr ? left : flow_.loop_around(at_);
  forget(loop, undecided);
  tell_of_loop(i, loop);
  return true;
}

void Executor::tell_of_loop(const Instruction& i, const Loop* loop) {
  constexpr const char* kWhat = "data decide how often this loop runs: one iteration is counted";
  if (loop == nullptr || loop->may_access_shared) remark_uncounted(i, kWhat);
  else remark(i, kWhat);
}

// What a loop changes is not known to lanes of which nobody knows how often they ran it.
void Executor::forget(const Loop* loop, const Presences& lanes) {
  if (loop == nullptr) return;
  Presences who = lanes;
  std::replace(who.begin(), who.end(), Presence::kPerhaps, Presence::kIn);
  for (const int r : loop->written) {
    LaneValue& value = registers_[static_cast<std::size_t>(r)];
    value = overwrite(value, LaneValue::in_region(value.region()), who);
  }
}

// By table: known indices part the lanes, unknown ones send them everywhere.
void Executor::branch_by_index(const Instruction& i) {
  const LaneValue index = value_of(i.operands[0]);
  std::vector<Side> sides;
  for (const int target : i.targets) sides.push_back({target, Presences(threads(), Presence::kOut)});
  bool is_perhaps = false;
  for (std::size_t t = 0; t < threads(); ++t) {
    if (mask_.present[t] == Presence::kOut) continue;
    const auto known = index.find(static_cast<int>(t));
    is_perhaps |= !known;
    for (std::size_t s = 0; s < sides.size(); ++s)
      if (!known) sides[s].present[t] = Presence::kPerhaps;
      else if (*known == static_cast<std::int64_t>(s)) sides[s].present[t] = mask_.present[t];
  }
  if (is_perhaps && is_forked_at(at_)) {
    tell_of_loop(i, nullptr);
    mask_ = make_mask(Presences(threads(), Presence::kOut));
    return;
  }
  fork(std::move(sides), is_perhaps, nullptr);
}

void Executor::fork(std::vector<Side> sides, bool is_perhaps, const Loop* loop) {
  std::erase_if(sides, [](const Side& side) { return !anyone(side.present); });
  if (sides.size() == 1) {
    at_ = sides[0].at;
    return;
  }
  Fork fork;
  fork.branch = at_;
  fork.join = flow_.join_of(at_);
  fork.before = mask_.present;
  fork.arrived.assign(threads(), Presence::kOut);
  fork.loop = loop;
  fork.is_perhaps = is_perhaps;
  fork.recorded = recorded_;
  if (is_perhaps) fork.start = registers_;
  if (!sides.empty()) {
    at_ = sides[0].at;
    mask_ = make_mask(std::move(sides[0].present));
    sides.erase(sides.begin());
  }
  fork.others = std::move(sides);
  forks_.push_back(std::move(fork));
}

// One side is where all meet, or has nobody left.
void Executor::arrive() {
  Fork& fork = forks_.back();
  if (fork.is_perhaps) merge_registers(fork);
  for (std::size_t t = 0; t < threads(); ++t)
    if (mask_.present[t] != Presence::kOut) fork.arrived[t] = mask_.present[t];
  if (!fork.others.empty()) {
    at_ = fork.others.back().at;
    mask_ = make_mask(std::move(fork.others.back().present));
    fork.others.pop_back();
    if (fork.is_perhaps) registers_ = fork.start;
    return;
  }
  Fork done = std::move(fork);
  forks_.pop_back();
  finish(std::move(done));
}

// What lanes bring from the side that ran last; where one comes from two sides, what both agree on.
void Executor::merge_registers(Fork& fork) const {
  if (fork.merged.empty()) {
    fork.merged = registers_;
    return;
  }
  Presences how(threads(), Presence::kOut);
  for (std::size_t t = 0; t < threads(); ++t)
    if (mask_.present[t] != Presence::kOut)
      how[t] = fork.arrived[t] == Presence::kOut ? Presence::kIn : Presence::kPerhaps;
  for (std::size_t r = 0; r < registers_.size(); ++r)
    if (!fork.merged[r].is_same(registers_[r])) fork.merged[r] = overwrite(fork.merged[r], registers_[r], how);
}

void Executor::finish(Fork fork) {
  at_ = fork.join;
  if (!fork.is_perhaps) {
    mask_ = make_mask(std::move(fork.arrived));
    return;
  }
  registers_ = std::move(fork.merged);
  Presences undecided(threads(), Presence::kOut);
  for (std::size_t t = 0; t < threads(); ++t) {
    if (fork.arrived[t] == Presence::kOut) continue;
    if (fork.arrived[t] == Presence::kPerhaps) undecided[t] = Presence::kIn;
    fork.arrived[t] = perhaps_gone_[t] ? Presence::kPerhaps : fork.before[t];
  }
  forget(fork.loop, undecided);
  mask_ = make_mask(std::move(fork.arrived));
  const Instruction& i = code_[static_cast<std::size_t>(fork.branch)];
  if (fork.loop != nullptr && fork.recorded != recorded_) tell_of_loop(i, fork.loop);
  else if (fork.recorded != recorded_)
    remark(i, "data decide this condition: what it guards is counted as if all threads took part");
}

void Executor::leave_kernel(const Instruction& i) {
  const LaneValue condition = guard_of(i);
  Presences present = mask_.present;
  for (std::size_t t = 0; t < threads(); ++t) {
    if (present[t] == Presence::kOut) continue;
    const auto known = condition.find(static_cast<int>(t));
    if (known && *known == 0) continue;
    perhaps_gone_[t] |= static_cast<char>(!known || present[t] == Presence::kPerhaps);
    present[t] = known ? Presence::kOut : Presence::kPerhaps;
  }
  mask_ = make_mask(std::move(present));
}

}  // namespace swizzle::ptx
