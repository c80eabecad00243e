// Stacks of the fibers that stand for threads: mapped once, and used again by every block of the process.
//
//   | guard page | 256 KiB, of which the kernel touches what it needs |
//                                                                sp ^
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <boost/context/stack_context.hpp>
#include <cstddef>
#include <vector>

namespace swizzle_emulation {

namespace context = boost::context;

constexpr std::size_t kStackBytes = 256 * 1024;  // reserved, not touched: local arrays of a kernel live here

class StackPool {
 public:
  context::stack_context take() {  // of size 0: there is no memory
    if (free_.empty()) free_.push_back(map_stack());
    const context::stack_context stack = free_.back();
    free_.pop_back();
    return stack;
  }
  void give_back(const context::stack_context& stack) { free_.push_back(stack); }

 private:
  static context::stack_context map_stack() {
    const std::size_t guard_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* base = mmap(nullptr, kStackBytes + guard_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED || mprotect(base, guard_bytes, PROT_NONE) != 0) return {};
    context::stack_context stack;
    stack.size = kStackBytes;
    stack.sp = static_cast<char*>(base) + kStackBytes + guard_bytes;
    return stack;
  }

  std::vector<context::stack_context> free_;
};

}  // namespace swizzle_emulation
