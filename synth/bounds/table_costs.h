// TableCosts: what a choice of tables costs a warp, in the machine's issue slots.
//
//   k <= lane, asked in 32 iterations, guards one accumulate:   32 · 1 comparison + 32 · the accumulate
//   false: nothing, for what it guards is never issued
#pragma once

#include <vector>

#include "synth/base/outcome.h"
#include "synth/bounds/cost_bound.h"
#include "synth/machine/machine.h"
#include "synth/problem/problem.h"
#include "synth/tables/table_list.h"

namespace swizzle {

// Not 0 everywhere: what such a table guards is issued.
bool is_active(const HoleTable& table);

class TableCosts {
 public:
  TableCosts(const Problem& problem, const IssueCosts& machine) : problem_(problem), machine_(machine) {}

  // One integer operation of the hole's expression.
  double unit(std::size_t hole) const { return problem_.executions[hole] * machine_.integer_op; }
  // The expression and what it guards.
  double of(std::size_t hole, const HoleTable& table) const { return of(hole, table.integer_ops, is_active(table)); }
  double of(std::size_t hole, int integer_ops, bool active) const;
  // The same, of a table that is listed.
  double of(std::size_t hole, const TableList& list, std::size_t table) const {
    return of(hole, list.tables[table].integer_ops, list.uniform[table] != 0);
  }
  // No table costs more than `cost` and less than this.
  double above(std::size_t hole, double cost) const;
  // Everything that the kernel issues.
  Cost total(const std::vector<HoleTable>& tables) const;

 private:
  const Problem& problem_;
  const IssueCosts& machine_;
};

}  // namespace swizzle
