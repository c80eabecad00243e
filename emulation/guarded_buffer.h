// One buffer of one side: guard, elements, guard.
//
//   16 KB of guard │ elements │ 16 KB of guard      a write to element -1 damages the guard's last bytes: damage() = -4
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

namespace swizzle_harness {

inline void* aligned_bytes(size_t bytes) {
  constexpr size_t kAlignment = 256;  // what cudaMalloc promises
  return aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
}

class Guarded {
 public:
  static constexpr size_t kGuardBytes = 16 * 1024;

  Guarded(size_t bytes, uint32_t guard_word) : bytes_(bytes), guard_word_(guard_word) {
    memory_ = static_cast<unsigned char*>(aligned_bytes(total_bytes()));
    if (memory_ == nullptr) {
      fprintf(stderr, "out of memory: a buffer of %zu bytes\n", bytes);
      _exit(1);
    }
    for (size_t i = 0; i < total_bytes(); ++i) memory_[i] = guard_byte(i);
  }
  Guarded(Guarded&& other) noexcept : bytes_(other.bytes_), guard_word_(other.guard_word_), memory_(other.memory_) {
    other.memory_ = nullptr;
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() { free(memory_); }

  unsigned char* whole() { return memory_; }
  unsigned char* data() { return memory_ + kGuardBytes; }
  const unsigned char* data() const { return memory_ + kGuardBytes; }
  size_t bytes() const { return bytes_; }
  size_t total_bytes() const { return bytes_ + 2 * kGuardBytes; }

  // Byte offset relative to the buffer's start of the first damaged guard byte; 0 when there is none.
  long long damage() const {
    for (size_t i = 0; i < total_bytes(); ++i) {
      const bool guarded = i < kGuardBytes || i >= kGuardBytes + bytes_;
      if (guarded && memory_[i] != guard_byte(i)) {
        return static_cast<long long>(i) - static_cast<long long>(kGuardBytes);
      }
      if (i == kGuardBytes) i += bytes_ == 0 ? 0 : bytes_ - 1;
    }
    return 0;
  }

 private:
  // Words differ by position: a guard NaN that arithmetic carries from one guard to another must not fit there.
  unsigned char guard_byte(size_t i) const {
    const uint32_t word = guard_word_ ^ (static_cast<uint32_t>(i / 4 + bytes_) * 40503u & 0xffffu);
    return static_cast<unsigned char>(word >> (8 * (i & 3)));
  }

  size_t bytes_;
  uint32_t guard_word_;
  unsigned char* memory_ = nullptr;
};

}  // namespace swizzle_harness
