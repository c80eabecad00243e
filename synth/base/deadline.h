// Deadline: when work is to end. A value that is passed along; by default there is none.
//
//   const Deadline deadline(2.5);      2.5 s from now
//   if (deadline.passed()) …           asked now and then, where it is cheap
//   deadline.within(0.5)               so that parts of it get 0.5 s of a processor each
//   deadline.share(0.5)                … or half of what is left
//
// The seconds of parts are right for a usual machine. A slow one has more of them by Deadline::set_patience(3), before
// the first is asked for: what is found within parts does not depend on the machine then.
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
  using Lifted = std::shared_ptr<const std::atomic<bool>>;

  Deadline() = default;
  explicit Deadline(double seconds) {
    if (seconds < kNever) at_ = Clock::now() + duration(seconds);
  }
  bool is_never() const { return at_ == Clock::time_point::max() && soft_.empty(); }

  static void set_patience(double factor) { patience() = factor; }
  static double patient(double seconds) { return seconds * patience(); }

  // This one, and when the process has worked for so many seconds (patient ones) from now: on a machine that does other
  // things, too, that is later, so that what is found in them does not depend on its load. At most kLoad times as late;
  // and not where `lifted` has become true.
  Deadline within(double seconds, Lifted lifted = nullptr) const {
    return within_exactly(patient(seconds), std::move(lifted));
  }

  // Likewise, and when so much of the time that is left has gone; this one, where it is never.
  Deadline share(double of_left, Lifted lifted = nullptr) const {
    return within_exactly(of_left * left(), std::move(lifted));
  }

  // Seconds until then, as the clock has it, or as the process works; infinity if it is never.
  double left() const {
    const auto now = Clock::now();
    double least = at_ == Clock::time_point::max() ? std::numeric_limits<double>::infinity() : seconds(at_ - now);
    for (const Soft& soft : soft_)
      if (!soft.is_lifted()) least = std::min(least, soft.left(now));
    return least;
  }

  bool passed() const {
    if (is_never()) return false;
    const auto now = Clock::now();
    return now > at_ || std::ranges::any_of(soft_, [&](const Soft& soft) {
             return now > soft.at && !soft.is_lifted() && soft.left(now) <= 0;
           });
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kNever = 1e9, kLoad = 8;

  // Not before `at`, and not behind `latest`: when the process has used so much of its processors.
  struct Soft {
    Clock::time_point at = Clock::time_point::max(), latest = Clock::time_point::max();
    std::clock_t worked = 0;
    Lifted lifted = nullptr;

    bool is_lifted() const { return lifted != nullptr && *lifted; }
    double left(Clock::time_point now) const {
      const double to_work = static_cast<double>(worked - Deadline::worked()) / CLOCKS_PER_SEC;
      return std::max(seconds(at - now), std::min(seconds(latest - now), to_work));
    }
  };

  Deadline within_exactly(double seconds, Lifted lifted) const {
    Deadline earlier = *this;
    if (seconds >= kNever) return earlier;
    const auto now = Clock::now();
    Soft soft{now + duration(seconds), now + duration(kLoad * seconds),
              worked() + static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC), std::move(lifted)};
    if (soft.lifted == nullptr) std::erase_if(earlier.soft_, [&](const Soft& s) { return s.at >= soft.at; });
    if (std::ranges::none_of(earlier.soft_, [&](const Soft& s) { return s.lifted == nullptr && s.at <= soft.at; }))
      earlier.soft_.push_back(std::move(soft));
    return earlier;
  }

  static double& patience() {
    static double factor = 1;
    return factor;
  }
  static double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }
  static std::clock_t worked() { return (std::clock)(); }  // a macro of CUDA's has the name, too
  static Clock::duration duration(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  Clock::time_point at_ = Clock::time_point::max();
  std::vector<Soft> soft_;  // an outer one holds where an inner one is lifted, and the other way round
};

}  // namespace swizzle
