#include "synth/network/hole_order.h"

#include <vector>

namespace swizzle {
namespace {

using Order = std::set<std::pair<std::size_t, std::size_t>>;

class Ordering {
 public:
  Ordering(const Problem& problem, const ConstraintNetwork& network) : problem_(problem), network_(network) {}

  Order run() {
    for (const ElementConstraint& fetch : network_.fetches) {
      holes_of_.emplace_back();
      for (PointId p : fetch.points) holes_of_.back().insert(hole_of(p));
    }
    for (const ElementConstraint& fetch : network_.fetches)
      if (const ElementScheme& shape = *fetch.shape; !shape.alternatives.empty())
        for (const ElementScheme::Alternative& a : {shape.alternatives.front(), shape.alternatives.back()}) {
          Path path;
          for (std::uint32_t s = a.first_step; s < a.first_step + a.steps; ++s)
            path.emplace_back(fetch.points[shape.steps[s].local], shape.steps[s].value);
          along(path, false);
        }
    for (const Matching& matching : network_.matchings) guards(matching);
    for (const SumConstraint& sum : network_.sums)
      for (const Summand& term : sum.terms)
        for (const Option& option : term.options) along(option.path, true);
    return std::move(order_);
  }

 private:
  std::size_t hole_of(PointId p) const { return problem_.points[p].hole.value; }
  bool stores(std::size_t hole) const { return hole < network_.storing.size() && network_.storing[hole]; }

  void before(std::size_t a, std::size_t b) {
    if (a != b) order_.emplace(a, b);
  }

  // What is stored is there before it is read, though a path asks the read first. Where the path is all there is to an
  // output, either says where the other goes.
  void along(const Path& path, bool is_part) {
    for (std::size_t i = 0; i < path.size(); ++i)
      for (std::size_t j = i + 1; j < path.size(); ++j) {
        if (path[i].second < 0 || path[j].second < 0) continue;
        const std::size_t first = hole_of(path[i].first), then = hole_of(path[j].first);
        if (!stores(then) || stores(first)) before(first, then);
        else if (is_part) before(then, first);
      }
  }

  void guards(const Matching& matching) {
    for (const Matching::CandidateAssignment& assignment : matching.assignments)
      for (const auto& [point, unused] : assignment.guard)
        for (std::uint32_t f : matching.tuples[assignment.tuple].factors)
          for (std::size_t h : holes_of_[matching.factors[f].fetch]) before(h, hole_of(point));
  }

  const Problem& problem_;
  const ConstraintNetwork& network_;
  std::vector<std::set<std::size_t>> holes_of_;  // by fetch
  Order order_;
};

}  // namespace

std::set<std::pair<std::size_t, std::size_t>> hole_order(const Problem& problem, const ConstraintNetwork& network) {
  return Ordering(problem, network).run();
}

}  // namespace swizzle
