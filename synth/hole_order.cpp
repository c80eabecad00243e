#include "synth/hole_order.h"

#include <vector>

namespace swizzle {

std::set<std::pair<std::size_t, std::size_t>> hole_order(const Problem& problem, const Network& network) {
  std::set<std::pair<std::size_t, std::size_t>> order;
  const auto hole_of = [&](PointId p) { return static_cast<std::size_t>(problem.points[p].hole.value); };
  const auto before = [&](std::size_t a, std::size_t b) {
    if (a != b) order.emplace(a, b);
  };
  std::vector<std::set<std::size_t>> holes_of(network.fetches.size());
  for (std::size_t f = 0; f < network.fetches.size(); ++f) {
    const Fetch& fetch = network.fetches[f];
    for (PointId p : fetch.points) holes_of[f].insert(hole_of(p));
    if (fetch.shape->alternatives.empty()) continue;
    for (const FetchShape::Alternative& a : {fetch.shape->alternatives.front(), fetch.shape->alternatives.back()})
      for (std::uint32_t i = 0; i < a.steps; ++i)
        for (std::uint32_t j = i + 1; j < a.steps; ++j)
          before(hole_of(fetch.points[fetch.shape->steps[a.first_step + i].local]), hole_of(fetch.points[fetch.shape->steps[a.first_step + j].local]));
  }
  for (const Cluster& cluster : network.clusters)
    for (const Cluster::Offer& offer : cluster.offers)
      for (const auto& [point, unused] : offer.guard)
        for (std::uint32_t f : cluster.tuples[offer.tuple].factors)
          for (std::size_t h : holes_of[cluster.factors[f].fetch]) before(h, hole_of(point));
  for (const Goal& goal : network.goals)
    for (const GoalTerm& term : goal.terms)
      for (const Option& option : term.options)
        for (std::size_t i = 0; i < option.path.size(); ++i)
          for (std::size_t j = i + 1; j < option.path.size(); ++j) before(hole_of(option.path[i].first), hole_of(option.path[j].first));
  return order;
}

}  // namespace swizzle
