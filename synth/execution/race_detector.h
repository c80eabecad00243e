// RaceDetector: two threads use a word of shared memory or of a buffer, one of them writes it, and no barrier stands
// between.
//
//   tile[t] = v; … = tile[3 - t];                     threads 0 and 3 meet in tile[0]: a race
//   tile[t] = v; __syncthreads(); … = tile[3 - t];    none
//   atomicAdd(&tile[0], v);                           none: their order changes nothing
//   tile[0] = 3;                                      none: all of them write the same
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "synth/base/hashes.h"
#include "synth/execution/memory_objects.h"

namespace swizzle {

class RaceDetector {
 public:
  RaceDetector(Lockstep& run, const MemoryObjects& objects)
      : run_(run),
        provenance_(run.provenance),
        objects_(objects) {}

  void start_block();
  void end_block();
  void pass_barrier() { ++epoch_; }
  std::uint32_t barriers() const { return epoch_; }
  // Of threads of one block, since its last barrier.
  WarpOrder::Time time(std::uint32_t thread) const { return warps_[thread / kWarpSize].time(thread); }
  bool is_behind(std::uint32_t thread, std::uint32_t other, WarpOrder::Time time) const {
    return thread / kWarpSize == other / kWarpSize && warps_[thread / kWarpSize].is_behind(thread, other, time);
  }
  // Of these lanes of it, a bit each.
  void pass_warp_barrier(int warp, std::uint32_t lanes) { warps_[static_cast<std::size_t>(warp)].meet(lanes); }

  // `written`: by a write. Two of the same value are no race.
  void use_shared(Object& object, int thread, Value pointer, WordUse use, const Access& access, SourceRange range,
                  Value written = {});
  void use_buffer(Object& object, int thread, Value pointer, WordUse use, const Access& access, SourceRange range);
  // When the access goes to `pointer`. Building this takes a walk of the tree: only what may violate something asks.
  Value condition(const Access& access, Value pointer);
  Value both(Value a, Value b);  // of what is 0 or 1

 private:
  using Place = std::tuple<std::uint32_t, std::uint16_t, std::int64_t>;  // a pointer's object, stride and offset

  // A use of a word, for what is said of it.
  struct Use {
    const Access& access;
    std::uint32_t thread;
  };

  // An access whose address holes decide, and those at known addresses that it may meet.
  struct OpenAccess {
    Access access;
    std::string message;
    SourceRange range;
    std::size_t meetings = 0;
    std::map<Place, Value> met = {};  // when another one is there
  };

  void meet(const Object& object, const Use& a, const Use& b, Value pointer, SourceRange range);
  void meet_open(const Object& object, const Use& open, const Use& known, SourceRange range);
  std::optional<Value> meeting(const Access& a, const Access& b, Value pointer);
  Value any_meeting(const OpenAccess& open);
  Value equals(Value pointer, Value leaf);
  Value meet_anywhere(Value first, Value second);
  bool share_points(Value a, Value b);
  const std::vector<std::uint32_t>& points_of(Value v);  // sorted
  static Place place_of(Value pointer) { return {pointer.aux, pointer.stride, pointer.bits}; }

  static std::size_t hash_of_access(const Access& a) {
    std::size_t hash = a.pointer.aux;
    for (std::uint64_t v : {std::uint64_t{a.guard.aux}, static_cast<std::uint64_t>(a.guard.bits)}) hash = mix(hash, v);
    return hash;
  }
  struct HashOfAccess {
    std::size_t operator()(const Access& a) const { return hash_of_access(a); }
  };
  struct HashOfAccesses {
    std::size_t operator()(const std::pair<Access, Access>& accesses) const {
      return mix(hash_of_access(accesses.first), hash_of_access(accesses.second));
    }
  };

  Lockstep& run_;
  Provenance& provenance_;
  const MemoryObjects& objects_;
  std::uint32_t epoch_ = 0;  // barriers that the block has passed
  std::vector<WarpOrder> warps_;
  std::unordered_map<std::uint32_t, std::map<Place, Value>> equals_;      // by pointer, by leaf
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> points_;  // by choice
  std::unordered_set<std::pair<Access, Access>, HashOfAccesses> met_;     // that meeting() was asked for
  std::vector<OpenAccess> open_;                                          // of the block
  std::unordered_map<Access, std::size_t, HashOfAccess> open_index_;      // into open_
};

}  // namespace swizzle
