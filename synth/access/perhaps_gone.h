// Threads that data perhaps let leave: what comes behind is counted as if all took part, and told as conditional.
//
//   for (int i = t; i < n; i += 32) {
//     if (x[i] < 0) continue;      each thread is perhaps gone ...
//     s[i] = 1;                    ... here: under a condition on data
//   }                              ... and back: `continue` ends with the iteration
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "synth/access/lane_value.h"
#include "synth/base/diagnostic.h"

namespace swizzle {

inline constexpr const char* kGuardedByData =
    "data decide this condition: what it guards is counted as if all threads took part";

class PerhapsGone {
 public:
  // Bits; kAround: it left something around this loop or function.
  enum How : std::uint8_t { kContinued = 1, kBroken = 2, kReturned = 4, kAround = 8 };
  void reset(std::size_t threads) { *this = {}, how_.assign(threads, 0); }
  bool any() const { return any_; }
  bool has(std::size_t thread) const { return how_[thread] != 0; }
  // Of the leaves that some have perhaps not come back from.
  std::vector<SourceRange> conditions() const {
    std::vector<SourceRange> all;
    for (const Leave& leave : leaves_)
      if (any_ && leave.condition.begin != leave.condition.end) all.push_back(leave.condition);
    return all;
  }

  // Data decide this condition, which is the innermost one from now on. Returns the one that was.
  SourceRange under(SourceRange condition) { return std::exchange(condition_, condition); }
  // Those of `present` who are perhaps in leave, as the innermost condition decides.
  void leave(const Presences& present, How how) {
    bool some = false;
    for (std::size_t t = 0; t < present.size(); ++t) {
      if (present[t] != Presence::kPerhaps) continue;
      how_[t] |= how;
      some = any_ = true;
    }
    const auto is_same = [&](const Leave& l) { return l.how == how && l.condition.begin == condition_.begin; };
    if (some && std::none_of(leaves_.begin(), leaves_.end(), is_same)) leaves_.push_back({condition_, how});
  }
  // A loop or a function begins: from now on it is the one that is left. Returns what was before.
  PerhapsGone enter(bool is_function) {
    PerhapsGone outer = *this;
    const unsigned kept = is_function ? 0u : unsigned{kReturned};
    for (auto& h : how_) h = static_cast<std::uint8_t>((h & kept) | ((h & ~kept) != 0 ? unsigned{kAround} : 0u));
    return outer;
  }
  void come_back(How how) {
    if (!any_) return;
    any_ = false;
    for (auto& h : how_) any_ |= (h = static_cast<std::uint8_t>(h & ~unsigned{how})) != 0;
  }
  // The loop or switch that began with `outer` ends, and only what is one of `kept` lasts.
  void end(const PerhapsGone& outer, unsigned kept) {
    condition_ = outer.condition_;
    for (std::size_t t = 0; t < how_.size(); ++t) how_[t] = static_cast<std::uint8_t>((how_[t] & kept) | outer.how_[t]);
    any_ = std::any_of(how_.begin(), how_.end(), [](std::uint8_t h) { return h != 0; });
    const auto is_over = [&](const Leave& l) { return (l.how & kept) == 0; };
    const auto begin = leaves_.begin() + static_cast<std::ptrdiff_t>(std::min(leaves_.size(), outer.leaves_.size()));
    leaves_.erase(std::remove_if(begin, leaves_.end(), is_over), leaves_.end());
  }
  // `present`, without being sure of those.
  Presences unsure(Presences present) const {
    for (std::size_t t = 0; any_ && t < present.size(); ++t)
      if (how_[t] != 0 && present[t] == Presence::kIn) present[t] = Presence::kPerhaps;
    return present;
  }

 private:
  struct Leave {
    SourceRange condition;
    How how;
  };

  SourceRange condition_;          // the innermost one around that data decide
  std::vector<std::uint8_t> how_;  // by thread
  std::vector<Leave> leaves_;
  bool any_ = false;
};

}  // namespace swizzle
