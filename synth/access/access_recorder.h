// Counts the requests of each access site: wavefronts in shared memory, sectors of 32 bytes in global memory.
//
//   sectors = distinct sectors that the lanes touch        ideal = ⌈distinct bytes / 32⌉
//
// Shifting all addresses by a row of banks (or by a sector) changes nothing, so that the requests of a loop are mostly
// counted once.
#pragma once

#include <array>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "synth/access/access_trace.h"

namespace swizzle {

inline constexpr int kSectorBytes = 32;

struct SectorCount {
  int count = 0;
  int ideal = 0;
};
SectorCount count_sectors(int bytes, const LaneAddresses& addresses);

class AccessRecorder {
 public:
  explicit AccessRecorder(const SharedMemoryModel& memory) : memory_(memory) {}

  struct Place {
    SourceRange range;
    SourceRange call_site = {};  // see AccessSite
    int part = 0;                // of what is counted apart, though it stands at one place
  };
  struct Warp {
    std::string_view array;
    std::array<int, 3> block{};
    int number = 0;
  };
  AccessSite& site(Place place, MemorySpace space, MemoryOperation operation, int bits, const std::string& array);
  AccessSite* find(Place place, MemorySpace space, MemoryOperation operation, int bits);  // null: there is none yet
  // As many `times`; 0: nothing.
  void count(AccessSite& site, const Warp& warp, const LaneAddresses& addresses, int matrices, std::int64_t times = 1);

  // Of one lane: nothing is known of where.
  static void count_alone(AccessSite& site, std::int64_t times = 1);

  std::vector<AccessSite> in_source_order() const;

 private:
  struct Cost {
    int count = 0, ideal = 0;
    std::optional<BankConflict> conflict;
  };
  // What a site last cost: the next warp or iteration is mostly the same but for a shift.
  struct Last {
    LaneAddresses relative;
    const Cost* cost = nullptr;
  };
  const Cost& cost_of(const AccessSite& site, const LaneAddresses& addresses, int matrices, std::int64_t& shift);

  SharedMemoryModel memory_;
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, int, MemorySpace, MemoryOperation, int>;
  std::map<Key, AccessSite> sites_;
  std::map<std::tuple<MemorySpace, MemoryOperation, int, LaneAddresses>, Cost> costs_;
  std::unordered_map<const AccessSite*, Last> last_;
};

}  // namespace swizzle
