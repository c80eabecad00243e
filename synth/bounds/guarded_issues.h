// GuardedIssues: which of the instructions that holes decide about a warp issues, and what they cost.
//
//   if (?sw_cond(lane, k)) a += v  on 4 lanes for k = 0, 1:   an issue for each k, guarded by the four points (lane, k)
//     false: none     k == 0: one of two     lane < 2, lane == k: both, though not for every lane
//   if (?sw_cond(lane)) { if (?sw_cond(k)) …; }:   an issue that two holes decide: no table alone says what it costs
//
// A completion costs what it costs when it stands in the sketch, where a warp issues what some lane executes.
// Costs are in the machine's issue slots per warp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "synth/machine/machine.h"
#include "synth/problem/problem.h"
#include "synth/tables/domains.h"

namespace swizzle {

double cost_of(const Counts& counts, const IssueCosts& machine);

// Guards are trees of points; what is not 0 at a leaf is issued.
inline bool is_issued_at(Value leaf) { return truth(leaf) != false; }

// value_of: of a point.
template <typename ValueOf>
bool follow_guard(const Provenance& provenance, Value guard, ValueOf&& value_of) {
  while (guard.is_node()) {
    const Node& node = provenance.node(guard);
    if (node.kind != Node::Kind::kChoice) return true;
    guard = node.children()[static_cast<std::size_t>(value_of(PointId(node.tag)))];
  }
  return is_issued_at(guard);
}

// Likewise: whether some lane executes it.
template <typename ValueOf>
bool is_issued_by(const Provenance& provenance, const GuardedIssue& issue, ValueOf&& value_of) {
  return std::ranges::any_of(issue.guards, [&](Value guard) { return follow_guard(provenance, guard, value_of); });
}

class GuardedIssues {
 public:
  GuardedIssues(const Problem& problem, const IssueCosts& machine);

  // Of those that the hole alone decides: what they cost all together, and what those cost that the table issues.
  double all(std::size_t hole) const { return of_hole_[hole].all; }
  double of(std::size_t hole, const std::vector<std::int16_t>& values) const;
  // Their numbers; whether the table issues one of them; whether a single value of a point surely does.
  std::vector<std::uint32_t> alone(std::size_t hole) const;
  bool is_issued(std::uint32_t number, std::size_t hole, const std::vector<std::int16_t>& values) const;
  bool issues(std::uint32_t number, std::size_t hole, PointId point, std::size_t value) const;

  // No table that is not 0 everywhere issues less.
  double least_of_active(std::size_t hole) const { return of_hole_[hole].least_of_active; }
  // Positions at which some issue asks the hole, whether or not it decides alone.
  const std::vector<std::size_t>& asked(std::size_t hole) const { return of_hole_[hole].asked; }
  std::size_t position(PointId point) const { return position_[point.value]; }  // in its hole's points
  // Equal for holes of whose tables, position by position, the same is issued; 0: of any table nothing.
  std::uint32_t shape(std::size_t hole) const { return of_hole_[hole].shape; }

  // Those that several holes decide: what they cost that are issued whatever is still open.
  bool has_joint() const { return !joint_.empty(); }
  const std::vector<std::uint32_t>& joint_numbers() const { return joint_; }
  std::vector<PointId> points_of(std::uint32_t number) const;  // on which it depends, some of them several times
  double joint(const Domains& domains) const;

  // Those that are issued where the point, of two values, has this one: their numbers, and what one costs.
  const std::vector<std::uint32_t>& issued_at(PointId point, int value) const {
    return issued_at_[2 * point.value + static_cast<std::size_t>(value)];
  }
  double cost(std::uint32_t issue) const { return costs_[issue]; }

  // All that are issued, by HoleId.
  Counts counts(const std::vector<HoleTable>& tables) const;

 private:
  struct Literal {
    std::uint32_t position;
    std::uint64_t values;  // any of these
  };
  struct Issue {
    std::uint32_t number;           // in Problem::guarded
    std::vector<Literal> literals;  // any of them
    std::vector<Value> trees;       // or of these: guards of several points, or of many values
  };
  struct OfHole {
    std::vector<Issue> issues;
    double all = 0, least_of_active = 0;
    std::vector<std::size_t> asked;
    std::uint32_t shape = 0;
  };

  const Issue& find(std::uint32_t number, std::size_t hole) const;
  void add(std::uint32_t number);
  void find_points(Value guard, std::vector<PointId>& points) const;
  bool is_issued(const Issue& issue, const std::vector<std::int16_t>& values) const;
  bool is_issued(Value guard, const Domains& domains) const;
  void number_shapes();
  void find_least();

  const Problem& problem_;
  std::vector<double> costs_;                          // by number
  std::vector<std::uint32_t> position_;                // by point: in its hole's points
  std::vector<OfHole> of_hole_;                        // by HoleId
  std::vector<std::uint32_t> joint_;                   // numbers
  std::vector<std::vector<std::uint32_t>> issued_at_;  // by point, and by its value
};

}  // namespace swizzle
