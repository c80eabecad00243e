// From choice nodes to fetches: private to synth/.
#pragma once

#include <deque>
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

 private:
  std::vector<std::uint64_t> words_;
};

class FetchBuilder {
 public:
  explicit FetchBuilder(const Problem& problem) : problem_(problem), assignment_(problem.points.size(), -1) {}

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
  void index();
  void number_literals();
  void walk(Value v, const LeafSet& useful);
  void keep(NodeId leaf, std::uint32_t number);

  const Problem& problem_;
  Assignment assignment_;
  std::vector<std::uint32_t> numbers_;  // by node
  std::uint32_t leaves_ = 0;
  std::vector<Known> known_;  // by node
  std::deque<LeafSet> reaches_;
  // Of the fetch that is being built: positions by point and by leaf number, valid where the stamp is this build's.
  struct Position {
    std::uint32_t build = 0, position = 0;
  };
  static std::uint32_t position(std::vector<Position>& known, std::uint32_t key, std::uint32_t build, std::size_t next);
  Fetch fetch_;
  std::vector<OnPath> path_;
  std::vector<Position> local_, leaf_;
  std::vector<std::uint32_t> literal_;  // by position and value: its number + 1
  std::size_t values_ = 0;              // of a point
  std::uint32_t builds_ = 0;
};

}  // namespace swizzle
