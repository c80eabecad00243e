// A loop whose rounds do the same but for a shift is counted once and multiplied: private to synth/.
//
//   for (int k = 0; k < n; k += 4) sum += s[k % 32][threadIdx.x] * x[k];
//
// Behind 2P, 3P and 4P rounds (P = 1, 2, … 32: here 8 will do) it looks at what the variables hold. Those that changed
// by the same amount twice are taken to go on so: k is k4 + 32 q in the q-th P rounds from there. P rounds are then
// walked once for all q at a time (LaneValue::affine). If each variable ends where the next q begins, if no condition
// depends on q, and if the requests are those of the P rounds before, shifted, then by induction so are all to come:
// each request counts once for every shift that its cost can tell apart, and the walk goes on behind the last.
// Whatever of that does not hold leaves the loop to be walked round by round.
#pragma once

#include "synth/access/access_tracer.h"

namespace swizzle {

// A warp's request as it was walked.
struct TapedRequest {
  AccessSite* site = nullptr;
  int region = kNoRegion;
  int first = 0;  // thread of the warp
  int matrices = 0;
  bool is_known = true;          // or its addresses depend on data
  bool is_alone = false;         // likewise, but it is of one lane
  bool is_perhaps = false;       // data decide who takes part
  bool all_sure = true;          // nobody in the block is perhaps in
  LaneAddresses addresses = {};  // in the region; of round q: addresses + q * slopes
  std::vector<std::int64_t> slopes = {};
};

struct RoundTape {
  std::vector<TapedRequest> requests;
  bool is_of_all_rounds = false;  // of every q at a time: nothing is counted or said
  bool is_odd = false;            // something was done, or would have been said, that the rounds before did not do
};

class LoopJump {
 public:
  LoopJump(AccessTracer& tracer, const Stmt& loop);
  ~LoopJump();
  LoopJump(const LoopJump&) = delete;
  LoopJump& operator=(const LoopJump&) = delete;

  // Behind a round, of which `done` are now. Returns how many more have been counted.
  std::int64_t after_round(std::int64_t done);

 private:
  struct Snapshot {
    std::vector<Parts> parts;  // by region; of those that threads have for themselves
    std::vector<std::unordered_map<std::int64_t, Region::Cell>> cells;
    Presences present;
    std::vector<Presence> left;  // who left what
  };
  // What a variable's part holds from the last snapshot on.
  struct Course {
    Part from;
    std::vector<std::int64_t> slopes;  // empty: it stays
  };
  using Courses = std::vector<std::map<std::int64_t, Course>>;  // by region, by offset
  enum class Outcome { kHolds, kTooFar, kOtherwise };

  Snapshot snapshot() const;
  bool is_steady() const;
  Courses courses() const;
  void set_state(const Courses& courses, std::int64_t rounds, std::int64_t at) const;
  void restore(const Snapshot& snapshot) const;
  void restore_parts(const Snapshot& snapshot) const;  // what set_state() changes
  void restore_after_condition() const;                // behind goes_on()
  bool goes_on(const Courses& courses, std::int64_t q) const;
  bool is_worth_it(const Courses& courses) const;
  std::int64_t groups_left(const Courses& courses) const;
  std::int64_t attempt();
  // Counts them if that holds and `counts`; else leaves all as it is.
  Outcome try_rounds(Courses& courses, std::int64_t rounds, bool counts);
  Outcome walk_all(const Courses& courses, std::int64_t rounds);
  bool ends_where_next_begins(Courses& courses, std::int64_t rounds, bool& has_changed) const;
  bool are_alike(const std::vector<TapedRequest>& before, const std::vector<TapedRequest>& all) const;
  bool can_count(std::int64_t rounds) const;
  void count_all(std::int64_t rounds);
  void count_one(const TapedRequest& request, std::int64_t q, std::int64_t times);
  std::int64_t shifts_of(const TapedRequest& request) const;

  AccessTracer& tracer_;
  const Stmt& loop_;
  std::int64_t period_ = 1, longest_period_ = 1;
  bool is_over_ = false;
  LoopAttempts& attempts_;
  std::int64_t counted_ = 0;         // rounds
  mutable std::int64_t copied_ = 0;  // cells of shared memory
  Snapshot before_, between_, now_;
  RoundTape tape_, all_;
};

}  // namespace swizzle
