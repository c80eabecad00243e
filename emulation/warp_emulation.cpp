#include "warp_emulation.h"

#include <unistd.h>

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "stack_pool.h"

uint3 threadIdx;
uint3 blockIdx;
dim3 blockDim;
dim3 gridDim;

// The linker brackets the section that __shared__ arrays are in; absent when a kernel has none.
extern "C" unsigned char __start_swizzle_shared[] __attribute__((weak, visibility("hidden")));
extern "C" unsigned char __stop_swizzle_shared[] __attribute__((weak, visibility("hidden")));

namespace swizzle_emulation {
namespace {

constexpr unsigned kLanes = 32;

std::string name_of(Collective what) {
  const std::string votes =
#define SWIZZLE_VOTE(kind, result, name, outcome) ", " #name
#include "intrinsic_table.inc"
      ;
  switch (what) {
#define SWIZZLE_SHUFFLE(kind, name, Operand, source) \
  case Collective::kind: return #name;
#include "intrinsic_table.inc"
    case Collective::kVote: return "a vote (" + votes.substr(2) + ")";
    case Collective::kReduction: return "a reduction (__reduce_add_sync and its kin)";
    case Collective::kMatchAny: return "__match_any_sync";
    case Collective::kSyncWarp: return "__syncwarp";
    case Collective::kActiveMask: return "__activemask";
    case Collective::kSyncThreads: return "__syncthreads";
    case Collective::kSyncThreadsCount: return "__syncthreads_count, _and or _or";
  }
  return "";
}

bool is_block_wide(Collective what) { return what >= Collective::kSyncThreads; }

std::string in_words(const uint3& index) {
  return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," + std::to_string(index.z) + ")";
}

[[noreturn]] void fail(const std::string& message) {
  std::fprintf(stderr, "warp emulation: %s\n", message.c_str());
  std::fflush(nullptr);
  _exit(kEmulationFailure);
}

struct PooledStack {  // boost's StackAllocator
  StackPool* pool;
  context::stack_context allocate() {
    const context::stack_context stack = pool->take();
    if (stack.size == 0) fail("out of memory for thread stacks");
    return stack;
  }
  void deallocate(context::stack_context& stack) { pool->give_back(stack); }
};

enum class State { kRunnable, kWaiting, kExited };

struct Thread {
  context::fiber fiber;
  uint3 index{};
  State state = State::kRunnable;
  // While kWaiting: what it posted.
  Collective what{};
  unsigned mask = 0;
  unsigned long long posted = 0;
  int argument = 0;
  int width = 32;
  Site site{};
  // After the exchange: what it receives.
  unsigned long long received = 0;

  bool waits_like(const Thread& other) const {
    return state == State::kWaiting && what == other.what && mask == other.mask;
  }
};

// The lane that `lane` reads from.
int source_lane(const Thread& thread, int lane) {
  const int width = thread.width, base = lane & ~(width - 1), operand = thread.argument;
  switch (thread.what) {
#define SWIZZLE_SHUFFLE(kind, name, Operand, source) \
  case Collective::kind: return source;
#include "intrinsic_table.inc"
    default: return lane;
  }
}

// One block of threads while it runs.
class Block {
 public:
  Block(dim3 shape, Order order, int widest_segment, StackPool& stacks)
      : shape_(shape),
        order_(order),
        widest_segment_(widest_segment),
        stacks_(stacks) {
    threads_.resize(std::size_t{shape.x} * shape.y * shape.z);
  }

  void run(void (*thread)(void*), void* context);

  // Called in a fiber: posts, yields to the scheduler, gives what the exchange left.
  unsigned long long meet(Collective what, unsigned mask, unsigned long long value, int argument, int width, Site site);

 private:
  unsigned warps() const { return static_cast<unsigned>((threads_.size() + kLanes - 1) / kLanes); }
  unsigned lanes(unsigned warp) const {
    const std::size_t rest = threads_.size() - std::size_t{warp} * kLanes;
    return rest < kLanes ? static_cast<unsigned>(rest) : kLanes;
  }
  Thread& thread_at(unsigned warp, unsigned lane) { return threads_[std::size_t{warp} * kLanes + lane]; }

  void start(void (*thread)(void*), void* context);
  bool run_warp(unsigned warp);
  void resume(Thread& thread);
  bool resolve_warp(unsigned warp);
  bool resolve_group(unsigned warp, const Thread& first);
  bool resolve_active_masks(unsigned warp);
  bool resolve_block();
  unsigned long long result(unsigned warp, unsigned lane, unsigned arrived);
  [[noreturn]] void report_deadlock();

  dim3 shape_;
  Order order_;
  int widest_segment_;  // of a shuffle
  StackPool& stacks_;
  std::vector<Thread> threads_;
  context::fiber scheduler_;
  Thread* running_ = nullptr;
};

// A process emulates one block at a time, as threadIdx and its kin are plain variables of the process.
Block* current_block = nullptr;

void Block::start(void (*thread)(void*), void* context) {
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const auto linear = static_cast<unsigned>(i);
    threads_[i].index = {linear % shape_.x, linear / shape_.x % shape_.y, linear / shape_.x / shape_.y};
    threads_[i].fiber = context::fiber(std::allocator_arg, PooledStack{&stacks_}, [=, this](context::fiber&& from) {
      scheduler_ = std::move(from);
      thread(context);
      running_->state = State::kExited;
      return std::move(scheduler_);
    });
  }
}

void Block::resume(Thread& thread) {
  running_ = &thread;
  threadIdx = thread.index;
  thread.fiber = std::move(thread.fiber).resume();
}

unsigned long long Block::meet(Collective what, unsigned mask, unsigned long long value, int argument, int width,
                               Site site) {
  Thread& self = *running_;
  const unsigned lane = static_cast<unsigned>(&self - threads_.data()) % kLanes;
  const auto place = [&] {
    return std::string(site.file) + ":" + std::to_string(site.line) + ": thread " + in_words(self.index) + " calls " +
           name_of(what);
  };
  const bool takes_mask = !is_block_wide(what) && what != Collective::kActiveMask;
  if (takes_mask && !(mask >> lane & 1u))
    fail(place() + " with a mask that does not name lane " + std::to_string(lane));
  if (width < 1 || width > 32 || (width & (width - 1)) != 0) fail(place() + " with width " + std::to_string(width));
  self.state = State::kWaiting;
  self.what = what;
  self.mask = mask;
  self.posted = value;
  self.argument = argument;
  self.width = std::min(width, widest_segment_);
  self.site = site;
  scheduler_ = std::move(scheduler_).resume();
  return self.received;
}

// Runs the warp's lanes until none can go on alone. True if anything ran.
bool Block::run_warp(unsigned warp) {
  bool any = false;
  for (bool progress = true; progress;) {
    progress = false;
    for (unsigned i = 0; i < lanes(warp); ++i) {
      Thread& thread = thread_at(warp, order_ == Order::kAscending ? i : lanes(warp) - 1 - i);
      if (thread.state != State::kRunnable) continue;
      resume(thread);
      progress = true;
    }
    if (resolve_warp(warp)) progress = true;
    any = any || progress;
  }
  return any;
}

bool Block::resolve_warp(unsigned warp) {
  for (unsigned lane = 0; lane < lanes(warp); ++lane) {
    const Thread& thread = thread_at(warp, lane);
    if (thread.state != State::kWaiting || is_block_wide(thread.what) || thread.what == Collective::kActiveMask)
      continue;
    if (resolve_group(warp, thread)) return true;
  }
  return resolve_active_masks(warp);
}

bool Block::resolve_group(unsigned warp, const Thread& first) {
  unsigned arrived = 0;
  for (unsigned lane = 0; lane < lanes(warp); ++lane) {
    if (!(first.mask >> lane & 1u)) continue;
    const Thread& thread = thread_at(warp, lane);
    if (thread.state == State::kExited) continue;
    if (!thread.waits_like(first)) return false;
    arrived |= 1u << lane;
  }
  for (unsigned lane = 0; lane < lanes(warp); ++lane) {
    if (arrived >> lane & 1u) thread_at(warp, lane).received = result(warp, lane, arrived);
  }
  for (unsigned lane = 0; lane < lanes(warp); ++lane) {
    if (arrived >> lane & 1u) thread_at(warp, lane).state = State::kRunnable;
  }
  return true;
}

unsigned long long Block::result(unsigned warp, unsigned lane, unsigned arrived) {
  const Thread& self = thread_at(warp, lane);
  if (self.what == Collective::kSyncWarp || self.what == Collective::kReduction) return arrived;
  if (self.what == Collective::kVote || self.what == Collective::kMatchAny) {
    unsigned votes = 0;
    for (unsigned other = 0; other < lanes(warp); ++other) {
      const unsigned long long posted = thread_at(warp, other).posted;
      const bool vote = self.what == Collective::kVote ? posted != 0 : posted == self.posted;
      if ((arrived >> other & 1u) && vote) votes |= 1u << other;
    }
    return self.what == Collective::kVote ? static_cast<unsigned long long>(arrived) << 32 | votes : votes;
  }
  const auto source = static_cast<unsigned>(source_lane(self, static_cast<int>(lane)));
  if (!(arrived >> source & 1u)) return static_cast<unsigned long long>(kUndefinedWord) << 32 | kUndefinedWord;
  return thread_at(warp, source).posted;
}

// __activemask gives the lanes that stand at the same line when nothing else in the warp can move.
bool Block::resolve_active_masks(unsigned warp) {
  for (unsigned lane = 0; lane < lanes(warp); ++lane) {
    const Thread& first = thread_at(warp, lane);
    if (first.state != State::kWaiting || first.what != Collective::kActiveMask) continue;
    const int line = first.site.line;
    unsigned active = 0;
    for (unsigned other = lane; other < lanes(warp); ++other) {
      const Thread& thread = thread_at(warp, other);
      const bool here = thread.state == State::kWaiting && thread.what == Collective::kActiveMask;
      if (here && thread.site.line == line) active |= 1u << other;
    }
    for (unsigned other = lane; other < lanes(warp); ++other) {
      if (!(active >> other & 1u)) continue;
      thread_at(warp, other).received = active;
      thread_at(warp, other).state = State::kRunnable;
    }
    return true;
  }
  return false;
}

// Releases the block's barrier when every live thread waits at it.
bool Block::resolve_block() {
  const Thread* first = nullptr;
  unsigned long long count = 0;
  for (const Thread& thread : threads_) {
    if (thread.state == State::kExited) continue;
    if (first == nullptr) first = &thread;
    if (!is_block_wide(thread.what) || !thread.waits_like(*first)) return false;
    count += thread.posted;
  }
  for (Thread& thread : threads_) {
    if (thread.state != State::kWaiting) continue;
    thread.received = count;
    thread.state = State::kRunnable;
  }
  return first != nullptr;
}

void Block::report_deadlock() {
  std::string text = "deadlock in block " + in_words(blockIdx) + ":";
  std::vector<const Thread*> told;
  std::size_t exited = 0;
  for (const Thread& thread : threads_) {
    if (thread.state == State::kExited) ++exited;
    if (thread.state != State::kWaiting) continue;
    bool known = false;
    for (const Thread* other : told)
      known = known || (thread.waits_like(*other) && thread.site.line == other->site.line);
    if (known || told.size() == 4) continue;
    told.push_back(&thread);
    char mask[32] = "";
    if (!is_block_wide(thread.what)) std::snprintf(mask, sizeof mask, " with mask 0x%08x", thread.mask);
    text += " thread " + in_words(thread.index) + " waits at " + thread.site.file + ":" +
            std::to_string(thread.site.line) + " in " + name_of(thread.what) + mask + ";";
  }
  fail(text + " " + std::to_string(exited) + " of " + std::to_string(threads_.size()) + " threads have exited");
}

void Block::run(void (*thread)(void*), void* context) {
  start(thread, context);
  for (;;) {
    bool any = false;
    for (unsigned i = 0; i < warps(); ++i) {
      if (run_warp(order_ == Order::kAscending ? i : warps() - 1 - i)) any = true;
    }
    if (resolve_block()) any = true;
    if (any) continue;
    for (const Thread& each : threads_) {
      if (each.state != State::kExited) report_deadlock();
    }
    return;
  }
}

bool uses_dynamic_shared = false;
constexpr std::size_t kDynamicSharedBytes = 227 * 1024;
alignas(1024) unsigned char dynamic_shared[kDynamicSharedBytes];

void poison(unsigned char* begin, unsigned char* end) {
  for (unsigned char* byte = begin; byte < end; ++byte)
    *byte = static_cast<unsigned char>(kUndefinedWord >> (8 * (reinterpret_cast<std::uintptr_t>(byte) & 3)));
}

void start_afresh() {
  forget_copies();
  if (uses_dynamic_shared) poison(dynamic_shared, dynamic_shared + kDynamicSharedBytes);
  if (__start_swizzle_shared != nullptr) poison(__start_swizzle_shared, __stop_swizzle_shared);
}

}  // namespace

// The lowest of the static and the dynamic arrays, so that no address in the window is negative.
char* shared_window() {
  unsigned char* lowest = dynamic_shared;
  if (__start_swizzle_shared != nullptr && __start_swizzle_shared < lowest) lowest = __start_swizzle_shared;
  return reinterpret_cast<char*>(lowest);
}

char* dynamic_shared_memory() {
  if (!uses_dynamic_shared) poison(dynamic_shared, dynamic_shared + kDynamicSharedBytes);
  uses_dynamic_shared = true;
  return reinterpret_cast<char*>(dynamic_shared);
}

unsigned long long meet(Collective what, unsigned mask, unsigned long long value, int argument, int width, Site site) {
  return current_block->meet(what, mask, value, argument, width, site);
}

void launch_threads(dim3 grid, dim3 block, Order order, int lanes, void (*thread)(void*), void* context) {
  static StackPool stacks;
  const unsigned long long threads = 1ull * block.x * block.y * block.z;
  if (threads == 0 || threads > 1024)
    fail("a block of " + std::to_string(threads) + " threads (1 to 1024 are possible)");
  gridDim = grid;
  blockDim = block;
  for (unsigned z = 0; z < grid.z; ++z) {
    for (unsigned y = 0; y < grid.y; ++y) {
      for (unsigned x = 0; x < grid.x; ++x) {
        blockIdx = {x, y, z};
        start_afresh();
        Block running(block, order, lanes, stacks);
        current_block = &running;
        running.run(thread, context);
      }
    }
  }
}

}  // namespace swizzle_emulation
