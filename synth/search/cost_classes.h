// CostClasses: the tables of a hole that are left, the lowest rank first: see table_costs.h.
//
//   ?sw_part(2, lane) on 4 lanes:   0000, 1111 have rank 0;   1000, 1100, 0100 … (a comparison and a select) rank 2
//   next(hole, 0, …)   {0000, 1111}      next(hole, above 0, …)   {1000, 1100, …}
//
// A hole with few tables takes part in propagation as a list of them, another transformation by its families.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "synth/base/deadline.h"
#include "synth/bounds/table_costs.h"
#include "synth/propagation/propagator.h"
#include "synth/tables/shared_tables.h"

namespace swizzle {

// Tables of one hole that have the same rank.
struct CostClass {
  double rank = std::numeric_limits<double>::infinity();   // infinite: no table is left
  double price = std::numeric_limits<double>::infinity();  // of the cheapest of them, or less
  std::vector<HoleTable> tables = {};
  bool forced = false;    // there are no others
  bool beyond = false;    // the price, a lower bound, exceeds the budget: the tables are not listed
  bool many = false;      // there are more than the limit: the same
  bool unlisted = false;  // there may be others of this rank, or a higher one, that no list has
  double spared = 0;      // unlisted: which may cost that much less
  bool is_last = false;   // beyond: no list has more, whatever the budget
};

class CostClasses {
 public:
  static constexpr std::size_t kMostTables = 4'000'000;

  CostClasses(const Problem& problem, const Domains& domains, const TableCosts& costs, SharedTables& shared,
              const Deadline& deadline = {})
      : problem_(problem),
        domains_(domains),
        costs_(costs),
        shared_(shared),
        grammars_(grammars_of(problem.holes, deadline, shared)) {}

  // Adds the holes' tables to the propagation.
  void join(Propagator& propagator, const Deadline& deadline) const;

  // Lists the tables of holes that had too many, now that little is left of them. False: of some hole nothing is left.
  std::optional<Conflict> sharpen(Propagator& propagator, const Deadline& deadline) const;

  // The tables within the domains of the lowest rank that is no less than `from`. Where none that is left has a price
  // up to `budget`, or with more than `limit` of them, those of lower ranks included, only a bound is told.
  CostClass next(std::size_t hole, double from, double budget, std::size_t limit, const Propagator& propagator);

  // All tables that pass, of one class; nothing, if they cannot be listed so.
  std::optional<CostClass> passing(std::size_t hole, TableTest& test, std::size_t limit) const;

  // The tables within other domains, whatever they cost, by operations; nothing, if more than `limit`, or if not all
  // can be listed.
  std::optional<std::vector<HoleTable>> fitting(std::size_t hole, const Domains& domains, std::size_t limit) const;

  // No table that is left, of this rank or a higher one, has a lower price.
  double least_price(std::size_t hole, double rank, const Propagator& propagator) const;
  // Of a table that is listed; and what of that the hole alone makes a warp issue.
  double price(std::size_t hole, const TableList& list, std::size_t table) const;
  double issued(std::size_t hole, const TableList& list, std::size_t table) const;

  // A hole that had more than kMostTables that fit, so that not all were listed.
  std::optional<std::size_t> truncated() const { return truncated_; }

 private:
  // Only a bound is told, and why.
  CostClass bound(std::size_t hole, double rank, CostClass why) const;
  CostClass beside_unlisted(std::size_t hole, int operations, CostClass listed) const;
  CostClass of_rank(std::size_t hole, double rank, std::vector<HoleTable> tables) const;
  CostClass next_listed(std::size_t hole, const CompactTable& table, double from) const;
  CostClass lowest(std::size_t hole, std::vector<HoleTable> tables, double from) const;
  bool is_narrow(std::size_t hole) const;
  bool is_decided(std::size_t hole) const;  // one table is left

  const Problem& problem_;
  const Domains& domains_;
  const TableCosts& costs_;
  SharedTables& shared_;
  std::vector<std::unique_ptr<TableGrammar>> grammars_;
  mutable std::map<std::pair<const TableList*, std::uint32_t>, std::vector<double>>
      issued_;  // by shape: see GuardedIssues
  std::optional<std::size_t> truncated_;
};

}  // namespace swizzle
