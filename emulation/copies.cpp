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
  for (std::size_t i = 0; i < bytes; ++i) copy.to[i] = static_cast<unsigned char>(kUndefinedWord >> (8 * (i & 3)));
  own().open.push_back(copy);
}

void commit_copies() { own().committed.push_back(std::exchange(own().open, {})); }

void wait_for_copies(std::size_t groups_under_way) {
  auto& groups = own().committed;
  while (groups.size() > groups_under_way) {
    for (const Copy& copy : groups.front()) std::memcpy(copy.to, copy.bytes, copy.count);
    groups.erase(groups.begin());
  }
}

void forget_copies() { copies.clear(); }

}  // namespace swizzle_emulation
