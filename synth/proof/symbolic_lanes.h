// What the threads of a symbolic run have: a symbol a slot for each of them, or one for all.
//
//   for (int k = 0; k < 3; k++) v += x[i + k];      k: 0 for all threads; i + k: 64·b, 64·b + 1, 64·b + 2, 64·b + 3
//
// Counters of unrolled loops and what is computed of them are the same for all threads of a block, and computed once.
// Private to this room.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "synth/proof/symbolic_run.h"

namespace swizzle {

class SymbolicLanes {
 public:
  SymbolicLanes() = default;
  SymbolicLanes(int threads, int slots, const Symbol& all = {})
      : threads_(static_cast<std::size_t>(threads)),
        slots_(static_cast<std::size_t>(slots)),
        symbols_(slots_, all) {}

  std::size_t size() const { return threads_ * slots_; }
  bool is_same() const { return is_same_; }
  // Constants for all threads: what is computed of them does not depend on where a thread is.
  bool is_plain() const {
    return is_same_ && std::ranges::all_of(symbols_, [](const Symbol& s) { return s.is_plain(); });
  }
  // The integer that it is, of one slot.
  std::optional<std::int64_t> plain_integer() const {
    if (!is_same_ || symbols_.size() != 1 || !symbols_[0].is_integer()) return std::nullopt;
    return symbols_[0].number.value();
  }

  const Symbol& operator[](std::size_t k) const { return symbols_[!is_same_ ? k : slots_ == 1 ? 0 : k % slots_]; }
  // To be changed: from here on each thread has its own.
  Symbol& operator[](std::size_t k) {
    part();
    return symbols_[k];
  }
  Symbol& of_all(std::size_t slot) { return symbols_[slot]; }  // where is_same()

 private:
  void part() {
    if (!is_same_) return;
    is_same_ = false;
    symbols_.resize(size());
    for (std::size_t k = slots_; k < symbols_.size(); ++k) symbols_[k] = symbols_[k - slots_];
  }

  std::size_t threads_ = 0, slots_ = 0;
  bool is_same_ = true;
  std::vector<Symbol> symbols_;  // [slot], or [thread * slots + slot]
};

// The slots of a variable, each for all threads or by thread.
class SymbolicCells {
 public:
  SymbolicCells() = default;
  SymbolicCells(int threads, int slots)
      : threads_(static_cast<std::size_t>(threads)),
        slots_(static_cast<std::size_t>(slots)),
        symbols_(threads_ * slots_),
        is_same_(slots_, 1) {}

  bool is_same(std::size_t slot) const { return is_same_[slot] != 0; }
  const Symbol& at(std::size_t thread, std::size_t slot) const {
    return symbols_[slot * threads_ + (is_same(slot) ? 0 : thread)];
  }
  Symbol& at(std::size_t thread, std::size_t slot) {
    Symbol* const of_slot = &symbols_[slot * threads_];
    if (is_same(slot)) std::fill(of_slot + 1, of_slot + threads_, of_slot[0]);
    is_same_[slot] = threads_ == 1;
    return of_slot[thread];
  }
  void set_all(std::size_t slot, const Symbol& s) {
    symbols_[slot * threads_] = s;
    is_same_[slot] = 1;
  }
  void clear() {
    for (std::size_t slot = 0; slot < slots_; ++slot) set_all(slot, {});
  }
  std::size_t slots() const { return slots_; }
  std::size_t threads() const { return threads_; }

 private:
  std::size_t threads_ = 0, slots_ = 0;
  std::vector<Symbol> symbols_;  // [slot * threads + thread]
  std::vector<char> is_same_;    // by slot: that of thread 0 is everyone's
};

}  // namespace swizzle
