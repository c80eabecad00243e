// From choice nodes to fetches: private to synth/.
//
// What a word of shared memory holds is a choice of its last writer, then of the one before, and so on:
//   P3 = 5 ? x[3] : P2 = 5 ? x[2] : …       x[2] under P2 = 5 and P3 ≠ 5, for as many values as P3 has left
// Where P2 = 5 and P3 = 5 cannot be together, as a requirement forbids it (two writers race) or permutations.h says, the second condition says nothing, and
// there is one alternative for x[2] instead of one for each value of P3.
#pragma once

#include <compare>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "synth/network.h"

namespace swizzle {

// A set of leaves, by FetchBuilder::number_of.
class LeafSet {
 public:
  void insert(std::uint32_t leaf);
  bool contains(std::uint32_t leaf) const;
  bool meets(const LeafSet& other) const;
  void merge(const LeafSet& other);
  friend auto operator<=>(const LeafSet&, const LeafSet&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

class FetchBuilder {
 public:
  explicit FetchBuilder(const Problem& problem);

  // Leaves (nodes without choices) are numbered as they come.
  std::uint32_t number_of(NodeId leaf);
  // Whether all leaves below are nodes without choices, or undefined.
  bool is_plain(NodeId choice);
  // The alternatives of `choice` whose leaf is in `useful`.
  Fetch build(NodeId choice, const LeafSet& useful);

 private:
  struct OnPath {
    PointId point;
    int value;
    std::uint32_t local;  // kUnplaced until a leaf below is kept
  };
  static constexpr std::uint32_t kUnplaced = ~0u;
  // Of a choice node; filled in when first asked for.
  enum class Plainness : std::uint8_t { kUnknown, kPlain, kOther };
  struct Known {
    std::uint32_t reach = kUnplaced;  // in reaches_
    Plainness plain = Plainness::kUnknown;
  };
  Known& known(NodeId choice);
  const LeafSet& reach(NodeId choice);
  Fetch build_anew(NodeId choice, const LeafSet& useful);
  void index();
  void number_literals();
  void walk(Value v, const LeafSet& useful);
  void branch(PointId point, const Node& node, std::size_t value, const LeafSet& useful);
  void take(NodeId leaf, std::uint32_t number, std::size_t next_detour);
  void keep(NodeId leaf, std::uint32_t number);

  // A point that took a way that several of its values share: those values, and not another.
  struct Detour {
    PointId point;
    const Node* node;
    Value rest;
  };
  bool is_implied(const Detour& detour) const;
  void note_exclusion(const Node& first);
  bool excludes(PointId p, std::size_t a, PointId q, std::size_t b) const;

  struct ByContent {
    using is_transparent = void;
    static auto content(const FetchShape& shape) { return std::tie(shape.steps, shape.alternatives, shape.leaves); }
    static auto content(const std::shared_ptr<const FetchShape>& shape) { return content(*shape); }
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return content(a) < content(b);
    }
  };

  const Problem& problem_;
  std::set<std::shared_ptr<const FetchShape>, ByContent> shapes_;
  std::vector<std::uint32_t> children_;  // of the choice that is asked for
  std::map<std::pair<std::vector<std::uint32_t>, LeafSet>, std::optional<Fetch>> built_;  // by children and what is useful of them
  Assignment assignment_;
  std::vector<Detour> detours_;  // on the way, outermost first
  bool may_detour_ = false;
  std::unordered_map<std::uint64_t, std::unordered_set<std::uint64_t>> exclusions_;  // (point, value) that a requirement forbids together
  std::vector<std::uint32_t> numbers_;  // by node
  std::uint32_t leaves_ = 0;
  std::vector<Known> known_;  // by node
  std::deque<LeafSet> reaches_;
  // Of the fetch that is being built: positions by point and by leaf number, valid where the stamp is this build's.
  struct Position {
    std::uint32_t build = 0, position = 0;
  };
  static std::uint32_t position(std::vector<Position>& known, std::uint32_t key, std::uint32_t build, std::size_t next);
  std::vector<PointId> points_;
  FetchShape shape_;
  std::vector<OnPath> path_;
  std::vector<Position> local_, leaf_;
  std::vector<std::uint32_t> literal_;  // by position and value: its number + 1
  std::size_t values_ = 0;              // of a point
  bool asks_first_again_ = false;       // the first point on the way stands in front of another choice as well
  std::uint32_t builds_ = 0;
};

}  // namespace swizzle
