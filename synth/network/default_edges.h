// DefaultEdges: ways through a choice that several values of its point share.
//
// What a word holds is a choice of its last writer, then of the one before, and so on:
//   P3 = 5 ? x[3] : P2 = 5 ? x[2] : …       x[2] under P2 = 5 and P3 ≠ 5, for as many values as P3 has left
// The way on, where P3 ≠ 5, is a default edge: it is taken once instead of once for each of these values. Where two
// holes decide an address, so that P3 = 1 and Q3 = 5 go together, both ways around lead on to the same. Where P2 = 5
// and P3 = 5 cannot be together, or P3 = 5 cannot be at all, as a requirement forbids it (two writers race; the spec
// has something else there) or permutations.h says, the condition P3 ≠ 5 says nothing.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "synth/problem/problem.h"

namespace swizzle {

// A point and its value; or, where so much is said, ~value: any other value than that.
using Path = boost::container::small_vector<std::pair<PointId, int>, 4>;

// What more than half of them are.
std::optional<Value> majority(const Children& values);

// Of a way that went around these branches: some of them are values of the point; this value is none of them.
bool is_bypassed(const std::vector<Path>& around, PointId point);
bool is_left(const std::vector<Path>& around, PointId point, int value);

class DefaultEdges {
 public:
  struct Branch {
    Path steps;
    Value to;
  };
  // Of a choice node: where more than half of its values lead on to, and the ways that do not; without such ways, there
  // is none.
  struct Split {
    Value rest;
    std::vector<Branch> others;
  };

  explicit DefaultEdges(const Problem& problem);

  const Split& split(NodeId choice);
  const std::deque<Split>& splits() const { return splits_; }  // that were asked for
  // The point cannot have the value.
  bool excludes(PointId p, int value) const;
  // p = a and q = b cannot be together.
  bool excludes(PointId p, int a, PointId q, int b) const;

  // What must hold, one of these paths or another, so that a way with `steps` has taken none of the branches `around`;
  // none: it has taken one. Sets `relaxed` where not all of it is told.
  std::vector<Path> conditions(const Path& steps, const std::vector<Path>& around, bool& relaxed) const;

 private:
  std::optional<Value> rest_of(const Children& children);
  const Split* split_of(Value v);
  void note(Value violation);
  bool violates(std::uint32_t first, std::uint32_t second, int a, int b) const;
  bool is_excluded(const Path& branch) const;

  const Problem& problem_;
  std::deque<Split> splits_{1};
  std::vector<std::uint32_t> split_at_;  // by node: in splits_, the first for all without branches; or kUnknown
  static constexpr std::uint32_t kUnknown = ~0u;
  std::vector<std::vector<std::uint32_t>> alone_;  // by point: violations that ask it first
  std::vector<std::vector<std::uint32_t>>
      together_;  // by points: which of lists_, if any, has those that ask the first and then the second
  std::vector<std::vector<std::uint32_t>> lists_{1};
};

}  // namespace swizzle
