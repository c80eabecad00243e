// Deadline: when work is to end. A value that is passed along; by default there is none.
//
//   const Deadline deadline(2.5);      2.5 s from now
//   if (deadline.passed()) …           asked now and then, where it is cheap
//   deadline.within(0.5)               so that parts of it get 0.5 s of a processor each
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace swizzle {

class Deadline {
 public:
  Deadline() = default;
  explicit Deadline(double seconds) {
    if (seconds < kNever) at_ = Clock::now() + duration(seconds);
  }
  bool is_never() const { return at_ == Clock::time_point::max() && soft_.empty(); }

  // This one, and when the process has worked for so many seconds from now: on a machine that does other things, too,
  // that is later, so that what is found in them does not depend on its load. At most kPatience times as late; and not
  // where `lifted` has become true.
  Deadline within(double seconds, std::shared_ptr<const std::atomic<bool>> lifted = nullptr) const {
    Deadline earlier = *this;
    if (seconds >= kNever) return earlier;
    const auto now = Clock::now();
    Soft soft{now + duration(seconds), now + duration(kPatience * seconds),
              worked() + static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC), std::move(lifted)};
    if (soft.lifted == nullptr) std::erase_if(earlier.soft_, [&](const Soft& s) { return s.at >= soft.at; });
    if (std::ranges::none_of(earlier.soft_, [&](const Soft& s) { return s.lifted == nullptr && s.at <= soft.at; }))
      earlier.soft_.push_back(std::move(soft));
    return earlier;
  }

  // Seconds until then, as the clock has it; infinity if it is never.
  double left() const {
    auto at = at_;
    for (const Soft& soft : soft_)
      if (!soft.is_lifted()) at = std::min(at, soft.at);
    if (at == Clock::time_point::max()) return std::numeric_limits<double>::infinity();
    return std::chrono::duration<double>(at - Clock::now()).count();
  }

  bool passed() const {
    if (is_never()) return false;
    const auto now = Clock::now();
    if (now > at_) return true;
    return std::ranges::any_of(soft_, [&](const Soft& soft) {
      return now > soft.at && !soft.is_lifted() && (now > soft.latest || worked() >= soft.worked);
    });
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kNever = 1e9, kPatience = 8;

  // Not before `at`, and not behind `latest`: when the process has used so much of its processors.
  struct Soft {
    Clock::time_point at = Clock::time_point::max(), latest = Clock::time_point::max();
    std::clock_t worked = 0;
    std::shared_ptr<const std::atomic<bool>> lifted = nullptr;

    bool is_lifted() const { return lifted != nullptr && *lifted; }
  };

  static std::clock_t worked() { return (std::clock)(); }  // a macro of CUDA's has the name, too
  static Clock::duration duration(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  Clock::time_point at_ = Clock::time_point::max();
  std::vector<Soft> soft_;  // an outer one holds where an inner one is lifted, and the other way round
};

}  // namespace swizzle
