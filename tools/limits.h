// What ends work that does not end by itself: memory, and time.
//
//   const MemoryLimit memory(half_of_memory());        while it lives, an allocation too many throws std::bad_alloc
//   const Watchdog watchdog(Deadline(10), [] { … });   calls the function if it still lives some time after the
//   deadline
#pragma once

#include <sys/resource.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "synth/base/deadline.h"

namespace swizzle {

// Half of what the machine has, in bytes.
std::uint64_t half_of_memory();

// Of this process's data. Processes that are started while it lives inherit it.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::uint64_t bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit before_{};
  bool changed_ = false;
};

class Watchdog {
 public:
  Watchdog(const Deadline& deadline, std::function<void()> bark);

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // last: it uses the members above
};

}  // namespace swizzle
