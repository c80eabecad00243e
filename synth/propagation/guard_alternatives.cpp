#include "synth/propagation/guard_alternatives.h"

#include <algorithm>
#include <map>

#include "synth/base/bits.h"
#include "synth/propagation/literals.h"

namespace swizzle {

GuardAlternatives::GuardAlternatives(const Matching& matching) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Group> by_place;
  for (std::uint32_t a = 0; a < matching.assignments.size(); ++a)
    if (const Matching::CandidateAssignment& assignment = matching.assignments[a]; assignment.alternative)
      by_place[{assignment.tuple, assignment.sum}].push_back(a);
  for (auto& [place, group] : by_place) groups_.push_back(std::move(group));
}

void GuardAlternatives::restrict(const Matching& matching, const Domains& domains, Mask& may) const {
  const std::size_t words = matching.words;
  Mask fits(words);
  for (const Group& group : groups_) {
    const Matching::CandidateAssignment& first = matching.assignments[group[0]];
    std::ranges::fill(fits, 0);
    for (std::uint32_t a : group) {
      const Matching::CandidateAssignment& assignment = matching.assignments[a];
      if (!holds(assignment.guard, domains)) continue;
      for (std::size_t w = 0; w < words; ++w) fits[w] |= matching.masks[assignment.fits][w];
    }
    const Mask& needs = matching.sums[first.sum].needs;
    for (std::size_t w = 0; w < words; ++w) may[first.tuple * words + w] &= ~needs[w] | fits[w];
  }
}

bool GuardAlternatives::narrow(const Matching& matching, const Mask& may, Domains& domains) {
  const std::size_t words = matching.words;
  for (const Group& group : groups_) {
    const Matching::CandidateAssignment& first = matching.assignments[group[0]];
    const std::uint64_t* mine = &may[first.tuple * words];
    if (exceeds(mine, matching.sums[first.sum].needs.data(), words)) continue;
    live_.clear();
    for (std::uint32_t a : group)
      if (const auto& assignment = matching.assignments[a];
          holds(assignment.guard, domains) && meets(mine, matching.masks[assignment.fits].data(), words))
        live_.push_back(a);
    if (live_.empty() || !keep_supported(matching, live_, domains)) return false;
  }
  return true;
}

// What all that are left ask alike, holds.
bool GuardAlternatives::keep_supported(const Matching& matching, const Group& live, Domains& domains) {
  for (const auto& [point, value] : matching.assignments[live[0]].guard) {
    if (domains.count(point) == 1) continue;
    const bool is_asked_alike = std::ranges::all_of(live, [&](std::uint32_t a) {
      return std::ranges::any_of(matching.assignments[a].guard,
                                 [&](const auto& step) { return step.first == point && step.second == value; });
    });
    if (value >= 0 && is_asked_alike && !domains.fix(point, value)) return false;
  }
  return true;
}

const std::pair<PointId, int>* deciding_step(const Guard& guard, const Domains& domains) {
  const std::pair<PointId, int>* open = nullptr;
  for (const auto& step : guard) {
    if (step.second < 0 || !domains.allows(step.first, step.second)) return nullptr;
    if (domains.count(step.first) == 1) continue;
    if (open != nullptr) return nullptr;
    open = &step;
  }
  return open != nullptr || guard.empty() ? open : &guard.back();
}

}  // namespace swizzle
