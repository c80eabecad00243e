// JointIssues: what several holes decide together about what a warp issues, as steps of a TrialGraph are decided.
//
//   if (?sw_cond(lane, d) != ?sw_cond(lane, k)) v = max(v, w); else v = min(v, w);
//     floor      one of the two arms is issued, whatever the conditions are
//     decided    with the step that decides the last of their points: both, where lanes differ
//   if (lane >= ?sw_const(1, 33, k)) v += w;
//     decided    with the step of the point k: all but for 32
//     floor      all, where 32 lanes are to be added in five steps: then 32 is no choice
//
// No table alone says what these cost, or the tables are not listed; without them a search by cost would go through
// much that costs more.
//
// Private to synth/search/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "synth/bounds/guarded_issues.h"
#include "synth/trials/trial_step.h"

namespace swizzle {

class JointIssues {
 public:
  // joint: numbers of the issues. necessary: of those that every completion issues.
  JointIssues(const Problem& problem, const GuardedIssues& issues, const std::vector<TrialStep>& steps,
              const std::vector<std::uint32_t>& joint, const std::vector<std::uint32_t>& necessary = {});

  // What is issued at least while all is open.
  double floor() const { return floor_; }
  using ValueOf = std::function<int(PointId)>;
  // More than that, of what is decided with this step; infinity, where something necessary is not issued.
  double decided_with(std::size_t step, const ValueOf& value_of) const;
  // Points that this step or an earlier one decides, and on which depends what later ones will issue.
  const std::vector<PointId>& pending(std::size_t step) const { return pending_[step]; }

 private:
  // Of two issues, at least one: what that costs is in the floor.
  struct Pair {
    std::uint32_t first, second;
  };
  void place(const std::vector<std::uint32_t>& joint, const std::vector<std::size_t>& last_steps,
             const std::vector<std::uint32_t>& necessary);
  bool covers(Value a, Value b) const;
  bool is_one_issued(std::uint32_t a, std::uint32_t b) const;

  const Problem& problem_;
  const GuardedIssues& issues_;
  std::vector<std::vector<std::uint32_t>> alone_;      // by step
  std::vector<std::vector<std::uint32_t>> necessary_;  // by step: what it costs is in the floor
  std::vector<std::vector<Pair>> pairs_;               // by step
  std::vector<std::vector<PointId>> pending_;          // by step
  double floor_ = 0;
};

}  // namespace swizzle
