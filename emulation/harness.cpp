#include "harness.h"

#include "small_reals.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmath>
#include <string>
#include <vector>

namespace swizzle_harness {
namespace {

constexpr size_t kGuardBytes = 16 * 1024;
constexpr size_t kAlignment = 256;  // what cudaMalloc promises
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

size_t bytes_of(Element element) {
  switch (element) {
    case Element::kBool:
    case Element::kI8:
    case Element::kU8: return 1;
    case Element::kI16:
    case Element::kU16:
    case Element::kF16:
    case Element::kBF16: return 2;
    case Element::kI32:
    case Element::kU32:
    case Element::kF32: return 4;
    default: return 8;
  }
}

double small_real(uint64_t random) { return static_cast<double>(random % 17) - 8; }

void put_random(Element element, uint64_t random, unsigned char* to) {
  if (element == Element::kF32) {
    const float value = static_cast<float>(small_real(random));
    memcpy(to, &value, 4);
  } else if (element == Element::kF64) {
    const double value = small_real(random);
    memcpy(to, &value, 8);
  } else if (element == Element::kF16 || element == Element::kBF16) {
    const auto value = static_cast<float>(small_real(random));
    const uint16_t bits =
        element == Element::kF16 ? swizzle_emulation::half_bits(value) : swizzle_emulation::bfloat16_bits(value);
    memcpy(to, &bits, 2);
  } else {
    if (element == Element::kBool) random &= 1;
    memcpy(to, &random, bytes_of(element));
  }
}

void put_poison(Element element, uint64_t random, unsigned char* to) {
  if (element == Element::kF32) random = 0xffc00000u | (random & 0x3fffffu);  // NaNs that tell their index
  if (element == Element::kF16) random = 0xfe00u | (random & 0x1ffu);
  if (element == Element::kBF16) random = 0xffc0u | (random & 0x3fu);
  if (element == Element::kF64) random = 0xfff8000000000000u | (random & 0x7ffffffffffffu);
  memcpy(to, &random, bytes_of(element));
}

// One buffer of one side: guard, elements, guard.
class Guarded {
 public:
  Guarded(size_t bytes, uint32_t guard_word) : bytes_(bytes), guard_word_(guard_word) {
    const size_t total = (total_bytes() + kAlignment - 1) / kAlignment * kAlignment;
    memory_ = static_cast<unsigned char*>(aligned_alloc(kAlignment, total));
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

using Side = std::vector<Guarded>;

std::vector<void*> pointers(Side& side) {
  std::vector<void*> result;
  for (Guarded& buffer : side) result.push_back(buffer.data());
  return result;
}

// --- one program ---------------------------------------------------------------------------------------------

class Checker {
 public:
  explicit Checker(const Program& program) : program_(program) {}

  int run();

 private:
  size_t elements(int b) const {
    return static_cast<size_t>(size_->extents_items[b]) * static_cast<size_t>(program_.buffers[b].elements_per_item);
  }
  uint64_t random(int buffer, uint64_t index, uint64_t salt) const {
    return mix(mix(program_.seed ^ mix(trial_ * 64 + static_cast<uint64_t>(buffer) + (salt << 48))) + index);
  }
  void fill(Guarded& to, int buffer, bool poison, uint64_t salt) const;
  Side make_side(uint32_t guard, const std::vector<bool>& poisoned, int differing = -1) const;
  void choose_scalars();
  void run_spec(Side& side);
  std::vector<bool> find_poisonable();
  void run_kernel(Side& side);
  void compare(const Side& initial, const Side& expected, const Side& got);
  bool agree(Element element, const unsigned char* initial, const unsigned char* expected,
             const unsigned char* got) const;
  void mismatch(const std::string& text);
  std::string place(int buffer, size_t index) const;

  const Program& program_;
  const Size* size_ = nullptr;
  int round_ = 0;
  uint64_t trial_ = 0;
  std::vector<Argument> scalars_;
  long long inputs_ = 0;
  long long mismatches_ = 0;
  std::string first_mismatch_;
};

void Checker::fill(Guarded& to, int buffer, bool poison, uint64_t salt) const {
  const Element element = program_.buffers[buffer].element;
  const size_t step = bytes_of(element);
  for (size_t i = 0; i < elements(buffer); ++i) {
    const uint64_t value = random(buffer, i, salt);
    poison ? put_poison(element, value, to.data() + i * step) : put_random(element, value, to.data() + i * step);
  }
}

// `differing` names a buffer that is filled with other random values than usual.
Side Checker::make_side(uint32_t guard, const std::vector<bool>& poisoned, int differing) const {
  Side side;
  side.reserve(static_cast<size_t>(program_.buffer_count));
  for (int b = 0; b < program_.buffer_count; ++b) {
    side.emplace_back(elements(b) * bytes_of(program_.buffers[b].element), guard);
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
              offset / static_cast<long long>(bytes_of(buffer.element)) / buffer.elements_per_item, size_->text,
              size_->extents_items[b]);
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
      const size_t step = bytes_of(program_.buffers[b].element);
      for (size_t i = 0; i < base[at].bytes() && independent; i += step) {
        const bool same = memcmp(base[at].data() + i, other[at].data() + i, step) == 0;
        const bool untouched = memcmp(base[at].data() + i, base_before[at].data() + i, step) == 0 &&
                               memcmp(other[at].data() + i, other_before[at].data() + i, step) == 0;
        independent = same || untouched;
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
    arguments.push_back(static_cast<unsigned char*>(device.back()) + kGuardBytes);
  }
  stage = {"the kernel", size_->text, kKernelFailure};
  program_.kernel(*size_, round_, arguments.data(), scalars_.data());
  for (size_t b = 0; b < side.size(); ++b) {
    program_.memory.to_host(side[b].whole(), device[b], side[b].total_bytes());
    program_.memory.release(device[b]);
  }
  stage = {};
}

float small_value(Element element, const unsigned char* at) {
  uint16_t bits;
  memcpy(&bits, at, 2);
  return element == Element::kF16 ? swizzle_emulation::half_value(bits) : swizzle_emulation::bfloat16_value(bits);
}

std::string number(Element element, const unsigned char* at) {
  char text[64];
  const auto as = [&](auto value, const char* format) {
    memcpy(&value, at, sizeof value);
    snprintf(text, sizeof text, format, value);
    return std::string(text);
  };
  switch (element) {
    case Element::kBool:
    case Element::kU8: return as(static_cast<unsigned char>(0), "%hhu");
    case Element::kI8: return as(static_cast<signed char>(0), "%hhd");
    case Element::kI16: return as(static_cast<short>(0), "%hd");
    case Element::kU16: return as(static_cast<unsigned short>(0), "%hu");
    case Element::kI32: return as(0, "%d");
    case Element::kU32: return as(0u, "%u");
    case Element::kI64: return as(0ll, "%lld");
    case Element::kU64: return as(0ull, "%llu");
    case Element::kF16:
    case Element::kBF16:
      snprintf(text, sizeof text, "%.9g", static_cast<double>(small_value(element, at)));
      return text;
    case Element::kF32: {
      float value;
      memcpy(&value, at, 4);
      snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
      return text;
    }
    case Element::kF64: return as(0.0, "%.17g");
  }
  return "";
}

template <typename Real>
Real real_at(const unsigned char* at) {
  Real value;
  memcpy(&value, at, sizeof value);
  return value;
}

template <typename Real>
bool reals_agree(Real e, Real g, bool nans_agree, Real relative = Real(1e-5)) {
  if (std::isnan(e) || std::isnan(g)) return nans_agree && std::isnan(e) && std::isnan(g);
  if (std::isinf(e) || std::isinf(g)) return e == g;
  return std::fabs(e - g) <= std::fmax(relative / 10, relative * std::fabs(e));
}

bool Checker::agree(Element element, const unsigned char* initial, const unsigned char* expected,
                    const unsigned char* got) const {
  const size_t step = bytes_of(element);
  if (memcmp(expected, got, step) == 0) return true;
  // Poison is a NaN: "never written" is not "computed NaN".
  const bool touched = memcmp(initial, expected, step) != 0 && memcmp(initial, got, step) != 0;
  if (element == Element::kF32) return reals_agree(real_at<float>(expected), real_at<float>(got), touched);
  if (element == Element::kF64) return reals_agree(real_at<double>(expected), real_at<double>(got), touched);
  constexpr float kHalf = 1.0f / 256, kBfloat16 = 1.0f / 64;
  if (element == Element::kF16 || element == Element::kBF16)
    return reals_agree(small_value(element, expected), small_value(element, got), touched,
                       element == Element::kF16 ? kHalf : kBfloat16);
  return false;
}

std::string Checker::place(int buffer, size_t index) const {
  const auto per_item = static_cast<size_t>(program_.buffers[buffer].elements_per_item);
  std::string text = std::string(program_.buffers[buffer].name) + "[" + std::to_string(index / per_item) + "]";
  if (per_item > 1 && per_item <= 4) text += std::string(".") + "xyzw"[index % per_item];
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
    const size_t step = bytes_of(buffer.element);
    for (size_t i = 0; i < elements(b); ++i) {
      const unsigned char* before = initial[at].data() + i * step;
      const unsigned char* e = expected[at].data() + i * step;
      const unsigned char* g = got[at].data() + i * step;
      if (agree(buffer.element, before, e, g)) continue;
      if (memcmp(before, g, step) == 0) {
        mismatch(place(b, i) + ": expected " + number(buffer.element, e) + ", never written");
      } else if (memcmp(before, e, step) == 0) {
        mismatch(place(b, i) + ": written as " + number(buffer.element, g) + ", the spec leaves it alone");
      } else {
        mismatch(place(b, i) + ": expected " + number(buffer.element, e) + ", got " + number(buffer.element, g));
      }
    }
    if (const long long offset = got[at].damage()) {
      const auto item_bytes = static_cast<long long>(step) * buffer.elements_per_item;
      const long long item = (offset < 0 ? offset - item_bytes + 1 : offset) / item_bytes;
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

void* allocate_host(size_t bytes) {
  return aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
}
void copy_host(void* to, const void* from, size_t bytes) { memcpy(to, from, bytes); }

}  // namespace

const Memory kHostMemory = {allocate_host, free, copy_host, copy_host};

int check(const Program& program) {
  catch_signals();
  return Checker(program).run();
}

}  // namespace swizzle_harness
