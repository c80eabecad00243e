#include "synth/access/departures.h"

#include <algorithm>

namespace swizzle {
namespace {

bool is_perhaps(const Departures::Frame& frame, std::size_t thread) {
  return frame.has_perhaps && frame.arrived[thread] == Presence::kPerhaps;
}

}  // namespace

void Departures::reset(std::size_t threads) {
  *this = {};
  out_.assign(threads, 0);
  begin(From::kFunction, 0);
}

void Departures::begin(From from, int doubts) {
  Frame frame;
  frame.from = from;
  frame.doubts = doubts;
  frame.condition_before = condition_;
  frames_.push_back(std::move(frame));
}

Departures::Frame Departures::end() {
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  condition_ = frame.condition_before;
  for (std::size_t t = 0; t < frame.arrived.size(); ++t)
    if (frame.arrived[t] != Presence::kOut) out_[t] = 0;
  return frame;
}

void Departures::leave(From from, const Presences& present, int doubts, const AddressSpace& space) {
  const auto is_left = [&](const Frame& f) {
    return f.from == from || (from == From::kLoop && f.from == From::kSwitch);  // `break`
  };
  const auto found = std::find_if(frames_.rbegin(), frames_.rend(), is_left);
  if (found == frames_.rend() && from != From::kKernel) return;
  const auto target = from == From::kKernel ? 0 : static_cast<std::size_t>(frames_.rend() - found) - 1;
  Frame& frame = frames_[target];
  frame.arrived.resize(present.size(), Presence::kOut);
  Presences joining(present.size(), Presence::kOut);  // kIn: new among those who have perhaps left it
  bool some = false;
  for (std::size_t t = 0; t < present.size(); ++t) {
    if (present[t] == Presence::kOut) continue;
    out_[t] = 1;
    Presence& arrived = frame.arrived[t];
    if ((present[t] == Presence::kPerhaps && doubts > frame.doubts) || has_perhaps(t, target + 1)) {
      some = true;
      joining[t] = arrived == Presence::kOut ? Presence::kIn : Presence::kPerhaps;
      arrived = Presence::kPerhaps;
    } else if (arrived == Presence::kOut) {
      arrived = Presence::kIn;
    }
  }
  if (!some) return;
  for (auto& [at, part] : frame.held)
    part.value = overwrite(part.value, space.value_at(at.first, at.second, part.size_bytes), joining);
  tell_conditions(target);
}

// Why someone has perhaps left: the innermost condition, and those that decided who came that far.
void Departures::tell_conditions(std::size_t target) {
  std::vector<SourceRange> why{condition_};
  for (std::size_t f = target + 1; f < frames_.size(); ++f) {
    frames_[f].is_passed = true;
    why.insert(why.end(), frames_[f].conditions.begin(), frames_[f].conditions.end());
  }
  Frame& frame = frames_[target];
  frame.has_perhaps = frame.is_passed = true;
  for (const SourceRange range : why)
    if (range.begin != range.end && std::none_of(frame.conditions.begin(), frame.conditions.end(),
                                                 [&](SourceRange other) { return other.begin == range.begin; }))
      frame.conditions.push_back(range);
}

void Departures::end_branch(const LaneValue& condition, const Presences& present) {
  if (condition.is_known_everywhere()) return;
  for (std::size_t t = 0; t < out_.size(); ++t)
    if (present[t] != Presence::kOut && !condition.knows(static_cast<int>(t))) out_[t] = 0;
}

void Departures::note_change(int region, std::int64_t offset, const Part* old) {
  for (auto frame = frames_.begin() + 1; frame != frames_.end(); ++frame)  // nothing comes behind the kernel
    if (frame->has_perhaps) frame->held.try_emplace({region, offset}, old != nullptr ? *old : Part{0, {}});
}

bool Departures::has_perhaps(std::size_t thread, std::size_t from_frame) const {
  return std::any_of(frames_.begin() + static_cast<std::ptrdiff_t>(from_frame), frames_.end(),
                     [&](const Frame& f) { return is_perhaps(f, thread); });
}

bool Departures::any_perhaps() const {
  return std::any_of(frames_.begin(), frames_.end(), [](const Frame& f) { return f.has_perhaps; });
}

const Departures::Frame& Departures::function() const {
  return *std::find_if(frames_.rbegin(), frames_.rend(), [](const Frame& f) { return f.from == From::kFunction; });
}

bool Departures::has_ended(std::size_t thread) const {
  const Presences& arrived = frames_.front().arrived;
  return !arrived.empty() && arrived[thread] != Presence::kOut;
}

bool Departures::has_perhaps_returned(std::size_t thread) const { return is_perhaps(function(), thread); }

std::vector<SourceRange> Departures::conditions() const {
  std::vector<SourceRange> all;
  for (const Frame& frame : frames_) all.insert(all.end(), frame.conditions.begin(), frame.conditions.end());
  return all;
}

std::vector<Presence> Departures::who() const {
  std::vector<Presence> all;
  for (const Frame& frame : frames_) {
    all.insert(all.end(), frame.arrived.begin(), frame.arrived.end());
    all.resize(all.size() + out_.size() - frame.arrived.size(), Presence::kOut);
  }
  return all;
}

Presences Departures::unsure(Presences present) const {
  for (std::size_t t = 0; any_perhaps() && t < present.size(); ++t)
    if (present[t] == Presence::kIn && has_perhaps(t)) present[t] = Presence::kPerhaps;
  return present;
}

}  // namespace swizzle
