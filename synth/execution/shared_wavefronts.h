// SharedWavefronts: accesses to shared memory, counted by their wavefronts, or, where holes have a say in them,
// recorded by what they are known by.
//
//   tile[4 * t] of 4 lanes, 2 banks        4 wavefronts
//   tile[?sw_xform(4, t)] of 4 lanes       a SharedAccess with the hole's four choices
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "synth/execution/issue_counter.h"
#include "synth/execution/memory_objects.h"
#include "synth/machine/wavefronts.h"

namespace swizzle {

class SharedWavefronts {
 public:
  SharedWavefronts(Lockstep& run, const MemoryObjects& objects, IssueCounter& issues)
      : run_(run),
        provenance_(run.provenance),
        objects_(objects),
        issues_(issues) {}

  // Places elsewhere count for nothing.
  void count_shared(const Lanes& places, TypeId type, SharedOperation operation, SourceRange range);
  void count_shared(const Lanes& places, int piece_bytes, int size_bytes, SharedOperation operation, SourceRange range);

 private:
  std::optional<std::int64_t> shared_address(int thread, Value place) const;  // in bytes; none: inactive, or elsewhere
  bool is_open(int thread, Value place) const;
  // False: what the access costs depends on which of the lanes that holes let take part do.
  bool count_wavefronts_under_guards(int first, SharedOperation operation, int bits, const LaneAddresses& addresses);
  Value where_guarded(int thread, Value place);
  void record_shared(int first, const Lanes& places, SharedOperation operation, int bits, int offset_bytes,
                     SourceRange range);

  Lockstep& run_;
  Provenance& provenance_;
  const MemoryObjects& objects_;
  IssueCounter& issues_;
  std::map<std::tuple<SharedOperation, int, int, std::uint32_t,
                      std::vector<std::tuple<Value::Kind, std::uint32_t, std::int64_t>>>,
           std::size_t>
      recorded_;
};

}  // namespace swizzle
