// StepTest: a hole's table, or some columns of it, held against the first steps of a chain.
//
//   for (s = 0; s < 2; s++) v += shuffle(v, P(lane, s)) on 4 lanes:
//     P(lane, 0) = lane             refuted, whatever P(lane, 1) is: lane 0 has x[0] twice
//     P = lane ^ 1, then lane ^ 1   refuted: so has lane 0 after the second step
//
// Where nothing that is open comes before a hole's last step, few of its many tables pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "synth/base/deadline.h"
#include "synth/tables/tables.h"
#include "synth/trials/trial_graph.h"

namespace swizzle {

class StepTest : public TableTest {
 public:
  // The graph's steps are open, and are left so. points: of the hole.
  StepTest(TrialGraph& graph, HoleId hole, std::size_t points, const Deadline& deadline)
      : graph_(graph),
        hole_(hole),
        deadline_(deadline) {
    table_.values.resize(points);
    known_.resize(points);
  }
  bool passes(const std::vector<std::size_t>& positions, const std::vector<std::int16_t>& values) override;
  bool is_late() const { return is_late_; }  // past the deadline, nothing passes

 private:
  TrialGraph& graph_;
  HoleId hole_;
  Deadline deadline_;
  HoleTable table_;
  std::vector<char> known_;  // by position
  std::size_t tested_ = 0;
  bool is_late_ = false;
};

}  // namespace swizzle
