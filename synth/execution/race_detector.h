// RaceDetector: two threads use a word of shared memory or of a buffer, one of them writes it, and no barrier stands
// between.
//
//   tile[t] = v; … = tile[3 - t];                     threads 0 and 3 meet in tile[0]: a race
//   tile[t] = v; __syncthreads(); … = tile[3 - t];    none
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
  void pass_barrier() { ++epoch_; }
  void pass_warp_barrier(int warp) { ++warp_epoch_[static_cast<std::size_t>(warp)]; }

  void use_shared(Object& object, int thread, Value pointer, bool write, const Access& access, SourceRange range);
  void use_buffer(Object& object, int thread, Value pointer, bool write, const Access& access, SourceRange range);
  // When the access goes to `pointer`. Building this takes a walk of the tree: only what may violate something asks.
  Value condition(const Access& access, Value pointer);

 private:
  std::optional<Value> meeting(const Access& a, const Access& b, Value pointer);
  Value equals(Value pointer, Value leaf);
  Value both(Value a, Value b);  // of what is 0 or 1

  struct HashOfAccesses {
    std::size_t operator()(const std::pair<Access, Access>& accesses) const {
      std::size_t hash = 0;
      for (const Access* a : {&accesses.first, &accesses.second})
        for (std::uint64_t v :
             {std::uint64_t{a->pointer.aux}, std::uint64_t{a->guard.aux}, static_cast<std::uint64_t>(a->guard.bits)})
          hash = mix(hash, v);
      return hash;
    }
  };

  Lockstep& run_;
  Provenance& provenance_;
  const MemoryObjects& objects_;
  std::uint32_t epoch_ = 0;  // barriers that the block has passed
  std::vector<std::uint32_t> warp_epoch_;
  std::unordered_map<std::uint32_t, std::map<std::tuple<std::uint32_t, std::uint16_t, std::int64_t>, Value>>
      equals_;                                                         // by pointer, by leaf
  std::unordered_set<std::pair<Access, Access>, HashOfAccesses> met_;  // that meeting() was asked for
};

}  // namespace swizzle
