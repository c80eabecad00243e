// ViolationMdds: violations as decision diagrams over points, in a form that is quick to walk.
//
//   lanes 0 and 1 of 4 meet, P0 = P1:    P0:  0 → (P1 = 0)   1 → (P1 = 1)   2 → (P1 = 2)   3 → (P1 = 3)
//                                        P1 = 2:  2 → violated, any other value → safe
// Most values of a point lead to the same: only the others are listed. ViolationMdds share what they have in common.
#pragma once

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "synth/provenance/provenance.h"

namespace swizzle {

class ViolationMdds {
 public:
  // A node, or an end.
  using Target = std::int32_t;
  static constexpr Target kSafe = -1, kViolated = -2;
  static constexpr int kAlways = std::numeric_limits<int>::max();

  struct Edge {
    int value;
    Target to;
  };
  struct Node {
    PointId point;
    std::uint32_t first_edge, edges;  // by value
    Target rest;                      // where all other values lead
    int rest_values;                  // how many they are
  };

  // The MDD of a violation: an index whose leaves are 0, where it is safe, or not.
  Target add(const Provenance& provenance, Value violation);
  // The points that an MDD asks, each once.
  std::vector<PointId> points(Target from) const;
  // Of an MDD of two points: with how many values of the other one each value is a violation, at most. While both have
  // more values left, all of them are safe.
  int telling(Target from) const;
  // If that is one: which value of the first point, whose domain is given, meets which of the second.
  std::vector<std::pair<int, int>> violations(Target from, int domain) const;

  std::size_t size() const { return nodes_.size(); }
  const Node& node(Target t) const { return nodes_[static_cast<std::size_t>(t)]; }
  const Edge* edges(const Node& node) const { return edges_.data() + node.first_edge; }

 private:
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::unordered_map<std::uint32_t, Target> known_;  // by provenance node
};

}  // namespace swizzle
