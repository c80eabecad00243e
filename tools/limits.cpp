#include "tools/limits.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>

namespace swizzle {
namespace {

constexpr std::chrono::milliseconds kClockPeriod{50};
constexpr int kGracePeriods = 5;  // for work that looks at the deadline now and then

}  // namespace

std::uint64_t half_of_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 2;
}

MemoryLimit::MemoryLimit(std::uint64_t bytes) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // whose shadow alone is more
  if (getrlimit(RLIMIT_DATA, &before_) != 0) return;
  rlimit limit = before_;
  limit.rlim_cur = std::min<rlim_t>(before_.rlim_cur, bytes);
  changed_ = setrlimit(RLIMIT_DATA, &limit) == 0;
#else
  static_cast<void>(bytes);
#endif
}

MemoryLimit::~MemoryLimit() {
  if (changed_) setrlimit(RLIMIT_DATA, &before_);
}

Watchdog::Watchdog(const Deadline& deadline, std::function<void()> bark) {
  if (deadline.is_never()) return;
  thread_ = std::jthread([this, deadline, bark = std::move(bark)](const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    for (int late = 0; late < kGracePeriods; late += deadline.passed() ? 1 : 0)
      if (wake_.wait_for(lock, stop, kClockPeriod, [&] { return stop.stop_requested(); })) return;
    bark();
  });
}

}  // namespace swizzle
