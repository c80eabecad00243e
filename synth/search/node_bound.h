// NodeBound: what any completion below the search's current node costs at least, in issue slots of a warp.
//
//   ?sw_part(2, lane) costs 2 or more, ?sw_xform(4, lane) is chosen and costs 1     bound()               3
//   the points that are left of ?sw_part let none of its tables cost less than 5    bound_with_points()   6
//
// What each hole costs is told to it; what guards must issue on top of that is found out at each node, and once more by
// what propagation has left since.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "synth/bounds/cost_bound.h"
#include "synth/bounds/table_costs.h"
#include "synth/propagation/propagator.h"
#include "synth/search/search_node.h"

namespace swizzle {

class NodeBound {
 public:
  // All of these outlive it, and go on changing.
  NodeBound(const Problem& problem, const ConstraintNetwork& network, const Domains& domains, Propagator& propagator,
            const TableCosts& costs, const CostClasses& classes, const IssueCosts& machine);

  // The network has more equations than it had.
  void find_product_prices();

  // Nothing is known of any hole.
  void forget();
  // What is known of the hole, by its next class and those behind it, or by the table that is chosen.
  void know(const HoleState& state);
  void know(std::size_t hole, double price, double rank);
  void know(std::size_t hole, const HoleTable& table) {
    know(hole, costs_.price(hole, table), costs_.rank(hole, table));
  }
  const KnownCosts& known() const { return known_; }
  void know(const KnownCosts& known) { known_ = known; }

  // What guards issue, as propagation has left them at this node.
  CostBound of_guards();
  // That of the current node, and the one before.
  const CostBound* use(const CostBound* guards);
  const CostBound& guards() const { return *guards_; }
  bool has_guards() const { return guarded_; }

  double bound() const;
  // With what the points that are known make each hole cost, on top of what is known of its tables.
  double bound_with_points();
  // As it was when it was asked last.
  double last_bound_with_points() const { return active_bound_; }

 private:
  GuardPrice guard_price(std::size_t hole) const;
  // Of a hole whose tables are listed, the least price and rank of those left; nothing, if they are not.
  std::optional<std::pair<double, double>> cheapest_left(std::size_t hole) const;

  const Problem& problem_;
  const ConstraintNetwork& network_;
  const Domains& domains_;
  Propagator& propagator_;
  const TableCosts& costs_;
  const CostClasses& classes_;
  const IssueCosts& machine_;
  std::vector<std::vector<std::size_t>> shares_;  // see shared_products
  ProductPrices products_;
  bool guarded_ = false;  // some guard has something of a cost behind it

  KnownCosts known_;
  const CostBound* guards_ = nullptr;
  KnownCosts active_, scratch_;  // known_ and what points tell
  double active_bound_ = 0;      // the bound for active_
};

}  // namespace swizzle
