// StepTest: a hole's table, or some columns of it, held against the first steps of a chain.
//
//   for (s = 0; s < 2; s++) v += shuffle(v, P(lane, s)) on 4 lanes:
//     P(lane, 0) = lane             refuted, whatever P(lane, 1) is: lane 0 has x[0] twice
//     P = lane ^ 1, then lane ^ 1   refuted: so has lane 0 after the second step
//   with v = C(lane, s) ? max(v, w) : min(v, w), of three tables of C in all:
//     P(lane, 0) = lane ^ 1         refuted, if each of the three leaves two lanes with the same value
//
// Where what comes before a hole's last step is open, or has few tables, few of its many tables pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "synth/base/deadline.h"
#include "synth/tables/tables.h"
#include "synth/trials/copied_values.h"
#include "synth/trials/table_trie.h"
#include "synth/trials/trial_graph.h"

namespace swizzle {

class StepTest : public TableTest {
 public:
  struct Limits {
    std::size_t most_visits;  // steps that are decided, for all tests
    bool is_to_refute;        // where more than one in four of what is tested passes, no more is
    Deadline deadline = {};
  };
  // The graph's steps are open, and are left so. others: by HoleId, of holes all of whose tables are listed; null: of
  // the others, and the hole that is tested. points: of that one.
  StepTest(TrialGraph& graph, CopiedValues& copied, std::vector<const TableTrie*> others, HoleId hole,
           std::size_t points, const Limits& limits);
  bool passes(const std::vector<std::size_t>& positions, const std::vector<std::int16_t>& values) override;
  bool is_over() const override { return is_over_; }  // past a limit

 private:
  bool is_past_limit();
  bool is_refuted_at_first();
  bool passes_with_what_is_known();
  bool passes_from(std::size_t step, bool all_decided);
  bool passes_with(std::size_t step, const HoleTable& table, bool all_decided);
  bool passes_with_some(std::size_t step, const TableTrie& trie);
  bool is_known(std::size_t step) const;

  TrialGraph& graph_;
  CopiedValues& copied_;
  std::vector<const TableTrie*> others_;
  std::vector<TableTrie::Range> ranges_;  // by hole: of the others, what is left
  std::vector<std::size_t> depth_of_;     // by step: how many steps of its hole come before
  HoleId hole_;
  Limits limits_;
  HoleTable table_;
  std::vector<char> known_;                                 // by position
  std::optional<std::size_t> first_step_;                   // of the hole
  std::map<std::vector<std::int16_t>, bool> passes_first_;  // by values there
  std::size_t end_ = 0;  // the first step of the hole that is open behind those that are known
  std::size_t tested_ = 0, visits_ = 0, visits_before_ = 0;  // the test
  std::size_t from_start_ = 0, passed_ = 0;                  // tests of the first steps, and of these what passed
  bool is_over_ = false;
};

}  // namespace swizzle
