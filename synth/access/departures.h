// Who left an iteration, a loop, a switch or a function, until they come back where it ends.
//
//   for (int i = 0; i < 8; ++i) {
//     if (x[i] < 0) continue;   data decide: each thread has perhaps left; what follows is counted as if it had not
//     j = 2 * t;                ... but it holds the old j where the iteration ends: j is unknown from there on
//     if (t < 4) break;         whoever came here leaves for sure; those of t < 4 who had left come back all the same
//   }                           ... to the next iteration, and have perhaps broken off
//
// A thread that has left, for sure or perhaps, is out of the masks; it is back in them where the branch ends that data
// decided, since it perhaps did not take that one.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "synth/access/address_space.h"
#include "synth/base/diagnostic.h"

namespace swizzle {

inline constexpr const char* kGuardedByData =
    "data decide this condition: what it guards is counted as if all threads took part";

class Departures {
 public:
  enum class From : char { kIteration, kLoop, kSwitch, kFunction, kKernel };
  // What the threads that perhaps left hold, by region and offset, of parts that were written since.
  using Held = std::map<std::pair<int, std::int64_t>, Part>;
  struct Frame {
    From from = From::kFunction;
    int doubts = 0;     // conditions that data decide around it
    Presences arrived;  // by thread, who left it: kIn for sure; empty: nobody
    Held held;
    std::vector<SourceRange> conditions;
    SourceRange condition_before;
    bool has_perhaps = false;  // someone perhaps left it
    bool is_passed = false;    // someone perhaps left it, or from there what is around it
  };

  void reset(std::size_t threads);  // the kernel begins
  void begin(From from, int doubts);
  Frame end();
  // The innermost of its kind, or the kernel, is left by those present, behind `doubts` conditions that data decide.
  void leave(From from, const Presences& present, int doubts, const AddressSpace& space);
  // A branch ends that was taken by those present, by those whom `condition` does not know perhaps.
  void end_branch(const LaneValue& condition, const Presences& present);
  // What a part holds, or nothing, is about to change.
  void note_change(int region, std::int64_t offset, const Part* old);

  bool is_out(std::size_t thread) const { return out_[thread] != 0; }
  // It perhaps left something that has not ended, of the frames from there on inwards.
  bool has_perhaps(std::size_t thread, std::size_t from_frame = 0) const;
  bool any_perhaps() const;
  const Frame& innermost() const { return frames_.back(); }
  const Frame& function() const;                        // the innermost one
  bool has_perhaps_returned(std::size_t thread) const;  // from it
  bool has_ended(std::size_t thread) const;             // the kernel, or perhaps
  std::vector<SourceRange> conditions() const;          // of those leaves
  std::vector<Presence> who() const;                    // to compare
  // `present`, without being sure of those who have perhaps left.
  Presences unsure(Presences present) const;

  // Data decide this condition, which is the innermost one from now on. Returns the one that was.
  SourceRange under(SourceRange condition) { return std::exchange(condition_, condition); }

 private:
  void tell_conditions(std::size_t target);

  std::vector<char> out_;  // by thread
  std::vector<Frame> frames_;
  SourceRange condition_;  // the innermost one around that data decide
};

}  // namespace swizzle
