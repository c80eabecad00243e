// Selection network: what each output bit may be, as a graph of choices over points.
//
//   y = x & ?sw_mask() | __shfl_xor_sync(~0u, x, ?sw_const(1, 3)) & ~?sw_mask(), bit 0 of lane 0 of 4:
//     node 2   at point M (bit 0 of the mask)    0: node 1     1: leaf x[0].0
//     node 1   at point D (the distance)         0: leaf x[1].0     1: leaf x[2].0
//     demand   node 2 = x[2].0                   so M is 0 and D is 1
//
// Nodes are numbered from the inputs to the outputs: all that a node refers to comes before it. What is neither a
// choice nor a gate of bits, but depends on points all the same, is *open*: it may be anything until its points are
// decided. Leaves are numbered within each component of the graph, 0 and 1 first; those that no demand names are one
// leaf for each kind.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "synth/problem/problem.h"

namespace swizzle {

struct SelectionNetwork {
  enum class Kind : std::uint8_t { kChoice, kAnd, kOr, kXor, kOpen };
  // A node, or a leaf of its component; what is undefined is neither.
  struct Reference {
    std::int32_t number = kUndefined;
    static constexpr std::int32_t kUndefined = INT32_MIN;
    bool is_node() const { return number >= 0; }
    bool is_leaf() const { return number < 0 && number != kUndefined; }
    std::uint32_t node() const { return static_cast<std::uint32_t>(number); }
    std::uint32_t leaf() const { return static_cast<std::uint32_t>(~number); }
  };
  struct Node {
    Kind kind = Kind::kOpen;
    PointId point;  // kChoice
    std::uint32_t component = 0;
    std::uint32_t first = 0, count = 0;  // of `references`
  };
  struct Demand {
    Reference actual = {};
    std::uint32_t component = 0;
    std::uint32_t leaf = 0;  // kNoLeaf: one that no node has
    std::size_t equation = 0, requirement = SIZE_MAX;
    int bit = -1;  // of the equation's word
  };
  static constexpr std::uint32_t kNoLeaf = UINT32_MAX;
  // 0, 1, an input bit or its complement; a disjunction or conjunction of several input bits; any other function.
  enum class LeafKind : std::uint8_t { kPlain, kDisjunction, kConjunction, kOther };

  std::vector<Node> nodes;
  std::vector<Reference> references;
  std::vector<std::vector<LeafKind>> leaf_kinds;  // by component, leaf
  std::vector<bool> has_complements;              // by component: of input bits, among its leaves
  // Of disjunctions and conjunctions that are demanded, by component and leaf: the leaves of their bits, kNoLeaf where
  // no node of the component has the bit.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> parts;
  std::vector<Demand> demands;                       // all must hold
  std::vector<std::vector<std::uint32_t>> nodes_at;  // by point
  // Node n is part of the nodes `users` from first_user[n] to first_user[n + 1].
  std::vector<std::uint32_t> first_user, users;
  bool has_sums = false;  // some demand depends on an exclusive-or of bits that holes decide

  std::span<const std::uint32_t> users_of(std::uint32_t node) const {
    return std::span(users).subspan(first_user[node], first_user[node + 1] - first_user[node]);
  }
};

// Exclusive-ors of bits that holes decide: nothing is known of what they come to but on unit inputs (unit_inputs.h),
// for which there are demands of their own; or they are left out, as what no output needs: of `a ^ (m & (a ^ b)) ^ …`
// it is a and b that an output needs, and neither of the sums.
enum class Sums : std::uint8_t { kFollowed, kLeftOut };

// One demand for each bit of an equation between words, one for any other equation, and one for each requirement.
SelectionNetwork selection_network(Problem& problem);
// Of these equations, with what they come to (by equation) in place of their own, and of all requirements.
SelectionNetwork selection_network(Problem& problem, const std::vector<std::size_t>& equations,
                                   const std::vector<Value>& actuals, Sums sums);

}  // namespace swizzle
