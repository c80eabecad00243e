// IssueCounter: what a warp issues, where holes decide whether it does.
//
//   s += x[t] under the guards g0 … g3 of 4 threads    one accumulate once one of the four is true
//   under one that is 1 whatever the holes are         one accumulate
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "synth/execution/lockstep.h"

namespace swizzle {

class IssueCounter {
 public:
  explicit IssueCounter(Lockstep& run);

  // Counts under the guards of each warp, unless one of them is true whatever the holes are.
  void count_guarded(double Counts::* counter, double amount = 1);
  // What is issued once one of the guards holds; nothing: whatever the holes are.
  void count_under(const std::optional<std::vector<std::uint32_t>>& guards, double Counts::* counter, double amount);
  // The nodes of the guards of these lanes, which are active; nothing: some lane takes part whatever the holes are.
  std::optional<std::vector<std::uint32_t>> guards_of(int first, const std::vector<int>& lanes);
  // 1 where the holes let the condition come out as wanted; else 0.
  Value may_be(Value condition, bool wanted);
  // 1 where the holes leave the condition to data; else 0.
  Value undecided(Value condition);
  bool meets_data(const Lanes& values) const;
  // An operation on data, also where what comes out is none: `s ^= v` twice.
  void count_data(const Expr& e, Operator op, bool has_data, const Lanes& results);
  void note_issue(std::pair<bool, std::uint32_t> what, bool is_issued);
  // Puts what was counted under guards into the trace.
  void finish();

 private:
  std::optional<std::vector<std::uint32_t>> guards_of_warp(int first);
  bool count_words(const Expr& e, const Lanes& results);  // false: they are no words
  bool has_data_bits(const Lanes& words) const;

  Lockstep& run_;
  Provenance& provenance_;
  std::map<std::vector<std::uint32_t>, Counts> guarded_;  // by guards of a warp
  std::map<std::pair<std::uint32_t, bool>, Value> may_be_;
  std::vector<int> logic_;  // by ExprId: see logic_instructions()
};

}  // namespace swizzle
