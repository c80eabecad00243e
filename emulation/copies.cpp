#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "warp_emulation.h"

namespace swizzle_emulation {
namespace {

struct Copy {
  unsigned char* to;
  unsigned char bytes[16];
  std::size_t count;
};

struct CopiesOfThread {
  std::vector<Copy> open;                    // since the last commit
  std::vector<std::vector<Copy>> committed;  // oldest first
};

// By thread of the block that runs: a process emulates one at a time.
std::map<unsigned, CopiesOfThread> copies;

Copy poisoned(Copy copy) {
  for (std::size_t i = 0; i < copy.count; ++i)
    copy.bytes[i] = static_cast<unsigned char>(kUndefinedWord >> (8 * (i & 3)));
  return copy;
}

// Two copies under way to one place: who knows which one comes last.
void spoil_others(Copy& copy) {
  const auto compare = [&](std::vector<Copy>& others) {
    for (Copy& other : others)
      if (other.to < copy.to + copy.count && copy.to < other.to + other.count)
        other = poisoned(other), copy = poisoned(copy);
  };
  for (auto& [thread, of_thread] : copies) {
    compare(of_thread.open);
    for (auto& group : of_thread.committed) compare(group);
  }
}

CopiesOfThread& own() { return copies[(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x]; }

}  // namespace

void copy_async(void* to, const void* from, std::size_t bytes, std::size_t read_bytes, Site site) {
  const bool is_width = bytes == 4 || bytes == 8 || bytes == 16;
  const bool is_aligned = is_width && reinterpret_cast<std::uintptr_t>(to) % bytes == 0 &&
                          reinterpret_cast<std::uintptr_t>(from) % bytes == 0;
  if (!is_aligned || read_bytes > bytes) {
    std::fprintf(stderr, "warp emulation: %s:%d: an asynchronous copy of %zu bytes%s\n", site.file, site.line, bytes,
                 is_width ? " between places that are not aligned to as many" : "");
    std::fflush(nullptr);
    _exit(kEmulationFailure);
  }
  Copy copy{static_cast<unsigned char*>(to), {}, bytes};
  std::memcpy(copy.bytes, from, read_bytes);
  std::memcpy(copy.to, poisoned(copy).bytes, bytes);
  spoil_others(copy);
  own().open.push_back(copy);
}

void commit_copies() { own().committed.push_back(std::exchange(own().open, {})); }

void wait_for_copies(std::size_t groups_under_way) {
  auto& groups = own().committed;
  while (groups.size() > groups_under_way) {
    for (const Copy& copy : groups.front()) {
      const Copy poison = poisoned(copy);
      const bool is_overwritten = std::memcmp(copy.to, poison.bytes, copy.count) != 0;  // while it was under way
      std::memcpy(copy.to, (is_overwritten ? poison : copy).bytes, copy.count);
    }
    groups.erase(groups.begin());
  }
}

void forget_copies() { copies.clear(); }

}  // namespace swizzle_emulation
