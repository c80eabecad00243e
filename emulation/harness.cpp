#include "harness.h"

#include "elements.h"
#include "guarded_buffer.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <numeric>
#include <string>
#include <vector>

namespace swizzle_harness {
namespace {

constexpr uint32_t kSpecGuard = 0xfffa5a5au;
constexpr uint32_t kKernelGuard = 0xfffc3c3cu;

// --- crashes -------------------------------------------------------------------------------------------------

struct Stage {  // what runs now, for a message from a signal handler
  const char* what = "the test program";
  const char* size = "";
  int exit_code = 1;
} stage;

void say(const char* text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) _exit(stage.exit_code);
}

void on_signal(int number) {
  say(stage.what);
  say(number == SIGTERM ? " was stopped by the time limit" : number == SIGFPE ? " divided by zero" : " crashed");
  if (number == SIGSEGV || number == SIGBUS) say(" (an access far outside a buffer)");
  say(" at ");
  say(stage.size);
  say("\n");
  _exit(stage.exit_code);
}

void catch_signals() {
  static char stack[64 * 1024];  // a fiber may have run out of its own
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK;
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM}) sigaction(number, &action, nullptr);
}

// --- data ----------------------------------------------------------------------------------------------------

uint64_t mix(uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

using Side = std::vector<Guarded>;

std::vector<void*> pointers(Side& side) {
  std::vector<void*> result;
  for (Guarded& buffer : side) result.push_back(buffer.data());
  return result;
}

// --- one program ---------------------------------------------------------------------------------------------

struct Place {  // of a slot in its buffer
  Element element;
  size_t bytes;
};

class Checker {
 public:
  explicit Checker(const Program& program) : program_(program) {}

  int run();

 private:
  size_t items(int b) const { return static_cast<size_t>(size_->extents_items[b]); }
  size_t slots(int b) const { return items(b) * static_cast<size_t>(program_.buffers[b].slots_per_item); }
  Place place_of(int b, size_t slot) const {
    const Buffer& buffer = program_.buffers[b];
    const auto per_item = static_cast<size_t>(buffer.slots_per_item);
    const Slot& in_item = buffer.slots[slot % per_item];
    return {in_item.element,
            slot / per_item * static_cast<size_t>(buffer.item_bytes) + static_cast<size_t>(in_item.offset_bytes)};
  }
  uint64_t random(int buffer, uint64_t index, uint64_t salt) const {
    return mix(mix(program_.seed ^ mix(trial_ * 64 + static_cast<uint64_t>(buffer) + (salt << 48))) + index);
  }
  uint64_t in_range(const Range& range, uint64_t value, int buffer, size_t slot, uint64_t salt) const;
  void fill(Guarded& to, int buffer, bool poison, uint64_t salt) const;
  Side make_side(uint32_t guard, const std::vector<bool>& poisoned, int differing = -1) const;
  void choose_scalars();
  void run_spec(Side& side);
  std::vector<bool> find_poisonable();
  void run_kernel(Side& side);
  void compare(const Side& initial, const Side& expected, const Side& got);
  void mismatch(const std::string& text);
  std::string name_of(int buffer, size_t slot) const;

  const Program& program_;
  const Size* size_ = nullptr;
  int round_ = 0;
  uint64_t trial_ = 0;
  std::vector<Argument> scalars_;
  long long inputs_ = 0;
  long long mismatches_ = 0;
  std::string first_mismatch_;
};

// An element of a range, whose other elements are others if they are to be distinct: steps around the range.
uint64_t Checker::in_range(const Range& range, uint64_t value, int buffer, size_t slot, uint64_t salt) const {
  if (range.is_distinct) {
    uint64_t step = random(buffer, 0, salt) % range.count;
    while (std::gcd(step, range.count) != 1) ++step;
    value = random(buffer, 1, salt) % range.count + slot % range.count * (step % range.count);
  }
  return static_cast<uint64_t>(range.low) + value % range.count;
}

void Checker::fill(Guarded& to, int buffer, bool poison, uint64_t salt) const {
  const Range range = size_->ranges[buffer];
  for (size_t i = 0; i < slots(buffer); ++i) {
    uint64_t value = random(buffer, i, salt);
    if (range.count > 0) value = in_range(range, value, buffer, i, salt);
    const Place at = place_of(buffer, i);
    poison ? put_poison(at.element, value, to.data() + at.bytes) : put_random(at.element, value, to.data() + at.bytes);
  }
}

// `differing` names a buffer that is filled with other random values than usual.
Side Checker::make_side(uint32_t guard, const std::vector<bool>& poisoned, int differing) const {
  Side side;
  side.reserve(static_cast<size_t>(program_.buffer_count));
  for (int b = 0; b < program_.buffer_count; ++b) {
    side.emplace_back(items(b) * static_cast<size_t>(program_.buffers[b].item_bytes), guard);
    fill(side.back(), b, poisoned[static_cast<size_t>(b)], b == differing ? 1 : 0);
  }
  return side;
}

void Checker::choose_scalars() {
  scalars_.clear();
  for (int s = 0; s < program_.scalar_count; ++s) {
    const bool real = program_.scalar_is_real[s];
    const uint64_t value = random(s, 0, 2);
    scalars_.push_back({real ? 0 : size_->scalar_integers[s], real ? small_real(value) : 0});
  }
}

void Checker::run_spec(Side& side) {
  stage = {"the spec", size_->text, kSpecFailure};
  program_.spec(*size_, pointers(side).data(), scalars_.data());
  stage = {};
  for (int b = 0; b < program_.buffer_count; ++b) {
    if (const long long offset = side[static_cast<size_t>(b)].damage()) {
      const Buffer& buffer = program_.buffers[b];
      fprintf(stderr, "the spec writes %s[%lld] at %s, outside its %lld elements\n", buffer.name,
              offset / buffer.item_bytes, size_->text, size_->extents_items[b]);
      _exit(kSpecFailure);
    }
  }
}

// A buffer can start as poison if what the spec writes does not change with what was in it before.
std::vector<bool> Checker::find_poisonable() {
  const std::vector<bool> none(static_cast<size_t>(program_.buffer_count), false);
  std::vector<bool> poisonable = none;
  const Side base_before = make_side(kSpecGuard, none);
  Side base = make_side(kSpecGuard, none);
  run_spec(base);
  for (int j = 0; j < program_.buffer_count; ++j) {
    if (program_.buffers[j].is_const) continue;
    const Side other_before = make_side(kSpecGuard, none, j);
    Side other = make_side(kSpecGuard, none, j);
    run_spec(other);
    bool independent = true;
    for (int b = 0; b < program_.buffer_count; ++b) {
      const auto at = static_cast<size_t>(b);
      const auto equal = [&](const Side& one, const Side& two, Place slot) {
        return memcmp(one[at].data() + slot.bytes, two[at].data() + slot.bytes, bytes_of(slot.element)) == 0;
      };
      for (size_t i = 0; i < slots(b) && independent; ++i) {
        const Place slot = place_of(b, i);
        independent = equal(base, other, slot) || (equal(base, base_before, slot) && equal(other, other_before, slot));
      }
    }
    poisonable[static_cast<size_t>(j)] = independent;
  }
  return poisonable;
}

void Checker::run_kernel(Side& side) {
  std::vector<void*> device;
  std::vector<void*> arguments;
  for (Guarded& buffer : side) {
    device.push_back(program_.memory.allocate(buffer.total_bytes()));
    program_.memory.to_device(device.back(), buffer.whole(), buffer.total_bytes());
    arguments.push_back(static_cast<unsigned char*>(device.back()) + Guarded::kGuardBytes);
  }
  stage = {"the kernel", size_->text, kKernelFailure};
  program_.kernel(*size_, round_, arguments.data(), scalars_.data());
  for (size_t b = 0; b < side.size(); ++b) {
    program_.memory.to_host(side[b].whole(), device[b], side[b].total_bytes());
    program_.memory.release(device[b]);
  }
  stage = {};
}

std::string Checker::name_of(int buffer, size_t slot) const {
  const auto per_item = static_cast<size_t>(program_.buffers[buffer].slots_per_item);
  std::string text = std::string(program_.buffers[buffer].name) + "[" + std::to_string(slot / per_item) + "]";
  if (per_item > 1 && per_item <= 4) text += std::string(".") + "xyzw"[slot % per_item];
  return text;
}

void Checker::mismatch(const std::string& text) {
  if (++mismatches_ > 1) return;
  first_mismatch_ = text + " (" + size_->text + ", round " + std::to_string(round_) + ")";
}

void Checker::compare(const Side& initial, const Side& expected, const Side& got) {
  for (int b = 0; b < program_.buffer_count; ++b) {
    const Buffer& buffer = program_.buffers[b];
    const auto at = static_cast<size_t>(b);
    for (size_t i = 0; i < slots(b); ++i) {
      const Place slot = place_of(b, i);
      const unsigned char* before = initial[at].data() + slot.bytes;
      const unsigned char* e = expected[at].data() + slot.bytes;
      const unsigned char* g = got[at].data() + slot.bytes;
      if (agree(slot.element, before, e, g)) continue;
      const std::string wanted = text_of(slot.element, e), found = text_of(slot.element, g);
      if (memcmp(before, g, bytes_of(slot.element)) == 0) {
        mismatch(name_of(b, i) + ": expected " + wanted + ", never written");
      } else if (memcmp(before, e, bytes_of(slot.element)) == 0) {
        mismatch(name_of(b, i) + ": written as " + found + ", the spec leaves it alone");
      } else {
        mismatch(name_of(b, i) + ": expected " + wanted + ", got " + found);
      }
    }
    if (const long long offset = got[at].damage()) {
      const long long item = (offset < 0 ? offset - buffer.item_bytes + 1 : offset) / buffer.item_bytes;
      mismatch(std::string(buffer.name) + "[" + std::to_string(item) + "]: written outside the buffer's " +
               std::to_string(size_->extents_items[b]) + " elements");
    }
  }
}

int Checker::run() {
  for (int s = 0; s < program_.size_count; ++s) {
    size_ = &program_.sizes[s];
    std::vector<bool> poisonable;
    for (round_ = 0; round_ < program_.rounds; ++round_) {
      ++trial_;
      choose_scalars();
      if (round_ == 0) poisonable = find_poisonable();
      const Side initial = make_side(kSpecGuard, poisonable);
      Side expected = make_side(kSpecGuard, poisonable);
      Side got = make_side(kKernelGuard, poisonable);
      run_spec(expected);
      run_kernel(got);
      compare(initial, expected, got);
      ++inputs_;
    }
  }
  printf("\n{\"where\": \"%s\", \"inputs\": %lld, \"mismatches\": %lld, \"first_mismatch\": \"%s\"}\n", program_.where,
         inputs_, mismatches_, first_mismatch_.c_str());
  return 0;
}

void* allocate_host(size_t bytes) { return aligned_bytes(bytes); }
void copy_host(void* to, const void* from, size_t bytes) { memcpy(to, from, bytes); }

}  // namespace

const Memory kHostMemory = {allocate_host, free, copy_host, copy_host};

int check(const Program& program) {
  catch_signals();
  return Checker(program).run();
}

}  // namespace swizzle_harness
