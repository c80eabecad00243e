// TableCosts: what a choice of tables costs a warp, in the machine's issue slots.
//
//   k <= lane on 4 lanes, asked for k = 0 … 4, guards one accumulate:
//     price   5 comparisons + 4 accumulates: for k = 4 no lane has one
//     rank    5 comparisons + 5 accumulates
//   false: nothing, for what it guards is never issued
//
// Tables are listed by rank, which is known of a table by its operations alone; what is minimized is the price.
#pragma once

#include <vector>

#include "synth/base/outcome.h"
#include "synth/bounds/guarded_issues.h"
#include "synth/machine/machine.h"
#include "synth/problem/problem.h"
#include "synth/tables/table_list.h"

namespace swizzle {

// Not 0 everywhere.
bool is_active(const HoleTable& table);

class TableCosts {
 public:
  TableCosts(const Problem& problem, const IssueCosts& machine)
      : problem_(problem),
        machine_(machine),
        issues_(problem, machine) {}

  const GuardedIssues& issues() const { return issues_; }
  // By HoleId: what its guards issue at least in any completion.
  void expect_issued(std::vector<double> least) { expected_ = std::move(least); }
  double least_issued(std::size_t hole) const { return hole < expected_.size() ? expected_[hole] : 0; }

  // One integer operation of the hole's expression.
  double unit(std::size_t hole) const { return problem_.executions[hole] * machine_.integer_op; }
  // The expression, and all that the hole alone decides about, if it is not 0 everywhere.
  double rank(std::size_t hole, int integer_ops, bool active) const {
    return unit(hole) * integer_ops + (active ? issues_.all(hole) : 0);
  }
  double rank(std::size_t hole, const HoleTable& table) const {
    return rank(hole, table.integer_ops, is_active(table));
  }
  // The same, of a table that is listed.
  double rank(std::size_t hole, const TableList& list, std::size_t table) const {
    return rank(hole, list.tables[table].integer_ops, list.uniform[table] != 0);
  }
  // No table has a rank above `rank` and below this.
  double above(std::size_t hole, double rank) const;
  // The expression, and what the hole alone makes a warp issue.
  double price(std::size_t hole, const HoleTable& table) const {
    return unit(hole) * table.integer_ops + issues_.of(hole, table.values);
  }
  // No table of this rank, or a higher one, has a lower price.
  double least_price(std::size_t hole, double rank) const;
  // Everything that the kernel issues.
  Cost total(const std::vector<HoleTable>& tables) const;

 private:
  const Problem& problem_;
  const IssueCosts& machine_;
  GuardedIssues issues_;
  std::vector<double> expected_;  // see least_issued
};

}  // namespace swizzle
