// From choice nodes to fetches: private to synth/. Ways that several values of a point share are taken once: see
// default_edges.h.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

#include "synth/network/canonical_choices.h"
#include "synth/network/constraint_network.h"
#include "synth/network/default_edges.h"

namespace swizzle {

class ElementBuilder {
 public:
  explicit ElementBuilder(const Problem& problem);

  ElementBuilder(const ElementBuilder&) = delete;

  std::uint32_t number_of(NodeId leaf) { return forms_.number_of(leaf); }
  // Whether there is a fetch of it: all leaves below are nodes without choices, constants, or undefined.
  bool is_plain(NodeId choice) { return forms_.form_of(choice) != CanonicalChoices::kOther; }
  // Whether a plain choice may bring a constant that is not 0.
  bool has_constants(NodeId choice) { return forms_.has_constants(forms_.form_of(choice)); }
  // The alternatives of a plain choice whose leaf is in `useful`.
  ElementConstraint build(NodeId choice, const LeafSet& useful);
  const DefaultEdges& ways() const { return ways_; }
  int domain_of(PointId point) const { return problem_.points[point].domain; }

 private:
  struct OnPath {
    PointId point;
    int value;            // as in Step
    std::uint32_t local;  // kUnplaced until a leaf below is kept
  };
  static constexpr std::uint32_t kUnplaced = ~0u;
  ElementConstraint build_anew(NodeId choice, const LeafSet& useful);
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
    static auto content(const ElementScheme& shape) {
      return std::tie(shape.steps, shape.alternatives, shape.leaves, shape.domains);
    }
    static auto content(const std::shared_ptr<const ElementScheme>& shape) { return content(*shape); }
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return content(a) < content(b);
    }
  };

  const Problem& problem_;
  std::set<std::shared_ptr<const ElementScheme>, ByContent> shapes_;
  // A fetch of some choice, for all that have its form.
  struct Built {
    std::vector<std::uint32_t> points;  // positions in CanonicalChoices::points
    std::shared_ptr<const ElementScheme> shape;
  };
  std::map<std::pair<CanonicalChoices::FormId, LeafSet>, Built> built_;  // by what is useful
  Assignment assignment_;
  DefaultEdges ways_;
  CanonicalChoices forms_;
  std::vector<Path> around_;  // the branches that default edges on the way went around
  // Of the fetch that is being built: positions by point and by leaf number, valid where the stamp is this build's.
  struct Position {
    std::uint32_t build = 0, position = 0;
  };
  static std::uint32_t position(std::vector<Position>& known, std::uint32_t key, std::uint32_t build, std::size_t next);
  std::vector<PointId> points_;
  ElementScheme shape_;
  bool is_relaxed_ = false;
  std::vector<OnPath> path_;
  std::vector<Position> local_, leaf_;
  std::vector<std::uint32_t> literal_;  // by position and value: its number + 1
  std::size_t values_ = 0;              // of a point
  std::uint32_t builds_ = 0;
};

}  // namespace swizzle
