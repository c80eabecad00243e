// SumPropagator: removes the values of points under which a sum does not come out.
//
//   2·x[0] + x[1] is needed, summands x[P] and x[Q] + x[R]:   P = 1 would leave 2·x[0] to x[Q] + x[R]
//
// An option that brings more of a monomial than is still needed is removed; a monomial whose suppliers are just enough
// makes each of them bring it. Live options are kept in front of the dead ones, so that undo() only moves a count.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "synth/network/constraint_network.h"
#include "synth/propagation/mdd_walk.h"

namespace swizzle {

class SumPropagator {
 public:
  SumPropagator(const ConstraintNetwork& network, Domains& domains)
      : network_(network),
        domains_(domains),
        walk_(network.mdds, domains) {}

  // Takes in the sums that were added since. Returns the first of them.
  std::uint32_t extend();

  std::optional<Conflict> visit(std::size_t index);
  // Positions in Summand::options.
  std::span<const std::uint32_t> live_options(std::size_t index, std::size_t term) const;

  std::size_t mark() const { return trail_.size(); }
  void undo(std::size_t mark);
  // Every list of options has as many live ones as it has at most.
  bool is_consistent() const;

 private:
  struct LiveList {
    std::vector<std::uint32_t> order;  // order[0 … live) are live
    std::size_t live = 0;
  };
  void shrink(std::size_t list, std::size_t live);
  template <typename Keep>
  void filter(std::size_t list, Keep&& keep);
  std::optional<Conflict> visit_mdd(const SumConstraint& sum);
  bool use_up(const SumConstraint& sum, std::size_t first_list, std::vector<double>& rest, std::vector<bool>& decided);
  std::optional<std::uint32_t> meet_needs(const SumConstraint& sum, std::size_t first_list,
                                          const std::vector<double>& rest, const std::vector<bool>& decided);
  bool remove_unsupported(const Summand& term, std::size_t list);

  const ConstraintNetwork& network_;
  Domains& domains_;
  MddWalk walk_;
  std::vector<LiveList> lists_;                               // of summands
  std::vector<std::size_t> list_of_;                          // by sum: that of its first term
  std::vector<std::pair<std::uint32_t, std::size_t>> trail_;  // list, how many were live
};

}  // namespace swizzle
