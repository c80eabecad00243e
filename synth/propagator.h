// Propagator: strikes out the values of points that no completion has.
//
// Rules, each sound on its own:
//   clusters  a fetch is only what its tuples may be; a monomial that one tuple can be is that tuple, and a tuple that
//             can be one monomial takes it from the others; a guard holds where its output needs the tuple
//   goals     an option that brings more of a monomial than is still needed is struck out; a monomial whose suppliers
//             are just enough makes each of them bring it
//   both      a value of a point that every live alternative passes, and none takes, is struck out
// Live alternatives and options are kept in front of the dead ones, so that undo() only moves a count.
#pragma once

#include <optional>
#include <vector>

#include "synth/network.h"

namespace swizzle {

class Propagator {
 public:
  Propagator(const Network& network, Domains& domains) : network_(network), domains_(domains) { extend(); }

  // Takes in what was added to the network since.
  void extend();
  // Strikes out values until nothing changes. A conflict: no completion lies within the domains.
  std::optional<Conflict> propagate();

  struct Mark {
    std::size_t domains, trail;
  };
  Mark mark() const { return {domains_.mark(), trail_.size()}; }
  void undo(Mark mark);

  // With every point fixed: whether the outputs of all clusters are what they must be.
  bool clusters_hold();

 private:
  struct LiveList {
    std::vector<std::uint32_t> order;  // order[0 … live) are live
    std::size_t live = 0;
  };
  void watch(PointId point, std::uint32_t constraint);
  void wake(PointId point);
  std::uint32_t weight(std::uint32_t constraint) const { return (constraint % 2 == 0 ? cluster_weights_ : goal_weights_)[constraint / 2]; }
  void shrink(std::size_t list, std::size_t live);
  std::optional<Conflict> visit_cluster(std::size_t index);
  std::optional<Conflict> visit_goal(std::size_t index);
  bool refresh(std::uint32_t fetch);
  bool restrict_fetch(const Cluster::Factor& factor, const std::uint64_t* may, std::size_t words);
  bool project(std::uint32_t fetch);
  void find_what_fits(const Cluster& cluster);
  bool settle(const Cluster& cluster, std::optional<std::size_t>& missing);
  std::optional<std::size_t> monomial_of(const Cluster& cluster, const Cluster::Tuple& tuple) const;  // with every point fixed
  bool decide_guards(const Cluster& cluster);
  bool strike_unsupported(const GoalTerm& term, std::size_t list);
  std::optional<std::uint32_t> meet_needs(const Goal& goal, std::size_t first_list, const std::vector<double>& rest, const std::vector<bool>& decided);
  template <typename Keep>
  void filter(std::size_t list, Keep&& keep);

  // Whether a fetch's dead alternatives have been sorted out. Late: it came after a mark, and undo() knows nothing of it.
  enum Staleness : std::uint8_t { kFresh, kStale, kAlways };

  const Network& network_;
  Domains& domains_;
  std::vector<Staleness> stale_;                       // by fetch
  std::vector<std::uint8_t> unprojected_;              // by fetch: 1 until the first fixpoint is reached, and for late ones
  std::vector<std::vector<std::uint32_t>> fetches_at_;  // by point
  std::vector<std::vector<std::uint32_t>> watchers_;  // by point: clusters (even numbers) and goals (odd)
  std::vector<std::uint8_t> queued_clusters_, queued_goals_;
  std::vector<std::uint32_t> cluster_weights_, goal_weights_;  // conflicts that they found
  std::vector<std::uint32_t> queue_;
  std::vector<LiveList> lists_;               // of fetches and goal terms
  std::vector<std::size_t> fetch_list_, goal_list_;  // by fetch; by goal: that of its first term
  std::vector<std::pair<std::uint32_t, std::size_t>> trail_;  // list, how many were live
  std::vector<std::vector<std::uint32_t>> fetches_of_;  // by cluster
  // Of the visit under way.
  Mask may_;  // by tuple, Cluster::words each: the monomials that it may be
  Mask reach_, domain_words_, supported_;
  std::vector<std::size_t> live_, passes_;
  std::vector<std::uint8_t> settled_;
};

}  // namespace swizzle
