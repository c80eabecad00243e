// Deadline: when work is to end. A value that is passed along; by default there is none.
//
//   const Deadline deadline(2.5);      2.5 s from now
//   if (deadline.passed()) …           asked now and then, where it is cheap
#pragma once

#include <algorithm>
#include <chrono>

namespace swizzle {

class Deadline {
 public:
  Deadline() = default;
  explicit Deadline(double seconds) {
    constexpr double kNever = 1e9;
    if (seconds < kNever)
      at_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  bool is_never() const { return at_ == Clock::time_point::max(); }
  // The earlier of this one and so many seconds from now.
  Deadline within(double seconds) const {
    Deadline earlier(seconds);
    earlier.at_ = std::min(earlier.at_, at_);
    return earlier;
  }
  bool passed() const { return !is_never() && Clock::now() > at_; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point at_ = Clock::time_point::max();
};

}  // namespace swizzle
