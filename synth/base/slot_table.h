// SlotTable: numbers found by keys that are kept elsewhere.
//
//   names = {"a", "b"}     table.find_or_add(hash("b"), [&](n) { return names[n] == "b"; }, [&] { names.push_back("b");
//   return 1; })   is 1
//
// Linear probing in a table that is at most half full.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace swizzle {

class SlotTable {
 public:
  // The number with this hash for which `same` holds; or what `add` returns, which is kept. `add` must not ask the
  // table.
  template <typename Same, typename Add>
  std::uint32_t find_or_add(std::size_t hash, Same&& same, Add&& add) {
    const auto short_hash = static_cast<std::uint32_t>(hash);
    if (slots_.size() < 2 * (count_ + 1)) grow();
    std::size_t at = short_hash & (slots_.size() - 1);
    for (; slots_[at].number != kNone; at = (at + 1) & (slots_.size() - 1))
      if (slots_[at].hash == short_hash && same(slots_[at].number)) return slots_[at].number;
    slots_[at] = {short_hash, add()};
    ++count_;
    return slots_[at].number;
  }

 private:
  static constexpr std::uint32_t kNone = ~0u;
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = kNone;
  };

  void grow() {
    constexpr std::size_t kLarge = 1 << 18;
    std::vector<Slot> old(slots_.empty() ? 1024 : slots_.size() * (slots_.size() < kLarge ? 4 : 2));
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.number == kNone) continue;
      std::size_t at = slot.hash & (slots_.size() - 1);
      while (slots_[at].number != kNone) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace swizzle
