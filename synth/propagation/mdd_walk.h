// MddWalk: which values of its points leave an MDD a way to safety.
//
//   P0 = P1 is a violation, on 4 lanes; P1 is 2 or 3, P0 may be anything:     nothing is removed
//   P1 is 2:                                                                 P0 may be 0, 1 or 3
// What a point may be counts only if all ways to safety ask it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "synth/network/violation_mdds.h"
#include "synth/tables/domains.h"

namespace swizzle {

class MddWalk {
 public:
  MddWalk(const ViolationMdds& mdds, Domains& domains) : mdds_(mdds), domains_(domains) {}

  // `asked`: the points of the MDD. False: there is no such way.
  bool keep_safe(ViolationMdds::Target from, const std::vector<PointId>& asked);

 private:
  std::optional<std::size_t> walk(ViolationMdds::Target target);
  std::size_t walk_edges(const ViolationMdds::Node& node);
  bool take(ViolationMdds::Target to, std::size_t& mine);
  void support_rest(const ViolationMdds::Node& node);
  Domains::Word& supported(PointId p, std::size_t word) {
    return supported_[local_[p.value] * domains_.words() + word];
  }

  const ViolationMdds& mdds_;
  Domains& domains_;
  std::uint64_t walk_ = 0;
  std::vector<std::uint64_t> seen_;       // by node: the last walk
  std::vector<std::size_t> must_at_;      // by node: where in must_ its points begin; 0: no way
  std::vector<std::size_t> local_;        // by point: position in `asked`
  std::size_t words_ = 1;                 // of a set of points
  std::vector<std::uint64_t> must_;       // sets of points that all ways to safety ask; the first is that of the end
  std::vector<Domains::Word> supported_;  // by position: values with which a way goes on
};

}  // namespace swizzle
