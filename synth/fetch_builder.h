// From choice nodes to fetches: private to synth/. Ways that several values of a point share are taken once: see detours.h.
#pragma once

#include <compare>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "synth/detours.h"
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
  const Detours& ways() const { return ways_; }

 private:
  struct OnPath {
    PointId point;
    int value;            // as in Step
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
  // Whether something useful lies at the end of some way.
  bool leads_on(Value v, const LeafSet& useful);
  void follow(Value v, const LeafSet& useful);
  void walk(Value v, const LeafSet& useful);
  void step(PointId point, int value, Value to, const LeafSet& useful);
  void branch(const Path& steps, Value to, const LeafSet& useful);
  void take(NodeId leaf, std::uint32_t number);
  void keep(NodeId leaf, std::uint32_t number);

  void walk_left(PointId point, const Node& node, const LeafSet& useful);

  struct ByContent {
    using is_transparent = void;
    static auto content(const FetchShape& shape) { return std::tie(shape.steps, shape.alternatives, shape.leaves, shape.domains); }
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
  Detours ways_;
  std::vector<Path> around_;  // the branches that detours on the way went around
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
  bool is_relaxed_ = false;
  std::vector<OnPath> path_;
  std::vector<Position> local_, leaf_;
  std::vector<std::uint32_t> literal_;  // by position and value: its number + 1
  std::size_t values_ = 0;              // of a point
  bool asks_first_again_ = false;       // the first point on the way stands in front of another choice as well
  std::uint32_t builds_ = 0;
};

}  // namespace swizzle
