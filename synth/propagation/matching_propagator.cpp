#include "synth/propagation/matching_propagator.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>
#include <set>

#include "synth/base/bits.h"
#include "synth/propagation/literals.h"

namespace swizzle {
namespace {

using Word = std::uint64_t;

constexpr int kMostShared = 8;  // monomials: larger sets are rarely full, and cost more to look for than they save

}  // namespace

std::uint32_t MatchingPropagator::extend() {
  const auto first = static_cast<std::uint32_t>(fetches_of_.size());
  for (std::size_t index = first; index < network_.matchings.size(); ++index) {
    const Matching& matching = network_.matchings[index];
    std::vector<std::uint32_t> fetches;
    for (const Matching::Factor& factor : matching.factors) fetches.push_back(factor.fetch);
    std::sort(fetches.begin(), fetches.end());
    fetches.erase(std::unique(fetches.begin(), fetches.end()), fetches.end());
    fetches_of_.push_back(std::move(fetches));
    rivals_of_.push_back(rivals(matching));
    single_.push_back(is_single(matching) ? 1 : 0);
    fits_.emplace_back(matching);
    alternatives_.emplace_back(matching);
  }
  return first;
}

bool MatchingPropagator::is_single(const Matching& matching) {
  if (matching.tuples.size() != 1 || matching.monomials.size() != 1 || matching.assignments.size() != 1) return false;
  const Matching::CandidateAssignment& assignment = matching.assignments[0];
  return matching.tuples[0].factors.size() == 1 && matching.tuples[0].fixed.empty() && assignment.guard.empty() &&
         (matching.masks[assignment.fits][0] & matching.masks[matching.tuples[0].fits][0] & 1) != 0;
}

std::optional<Conflict> MatchingPropagator::visit(std::size_t index) {
  if (narrow(index)) return std::nullopt;
  Conflict conflict;
  conflict.equation = network_.matchings[index].sums[0].equation;
  conflict.matching = index;
  return conflict;
}

// False: nothing is left of it.
bool MatchingPropagator::narrow(std::size_t index) {
  const Matching& matching = network_.matchings[index];
  for (std::uint32_t f : fetches_of_[index])
    if (!fetches_.refresh(f)) return false;
  if (single_[index] != 0) return fetches_.project(fetches_of_[index][0]);
  if (!separate(rivals_of_[index])) return false;
  find_what_fits(index);
  if (!fits_[index].is_settled(may_) && !assign_singles(matching)) return false;
  if (!fits_[index].restrict(matching, fetches_, may_)) return false;
  for (std::uint32_t f : fetches_of_[index])
    if (!fetches_.project(f)) return false;
  return decide_guards(matching) && alternatives_[index].narrow(matching, may_, domains_);
}

// Fetches that two tuples differ in, and in nothing else.
std::vector<MatchingPropagator::Rivals> MatchingPropagator::rivals(const Matching& matching) {
  std::map<std::pair<std::vector<std::uint32_t>, std::vector<NodeId>>, std::vector<std::uint32_t>> by_rest;
  for (const Matching::Tuple& tuple : matching.tuples)
    for (std::size_t i = 0; i < tuple.factors.size() && tuple.factors.size() > 1; ++i) {
      std::vector<std::uint32_t> rest;
      for (std::size_t j = 0; j < tuple.factors.size(); ++j)
        if (j != i) rest.push_back(matching.factors[tuple.factors[j]].fetch);
      std::sort(rest.begin(), rest.end());
      by_rest[{rest, tuple.fixed}].push_back(matching.factors[tuple.factors[i]].fetch);
    }
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const auto& [rest, fetches] : by_rest)
    for (std::size_t i = 0; i < fetches.size(); ++i)
      for (std::size_t j = i + 1; j < fetches.size(); ++j) pairs.insert(std::minmax(fetches[i], fetches[j]));
  std::vector<Rivals> rivals;
  for (const auto& [a, b] : pairs) rivals.push_back({a, b});
  return rivals;
}

bool MatchingPropagator::separate(std::vector<Rivals>& rivals) {
  for (Rivals& pair : rivals) {
    if (fetches_.version(pair.a) == pair.seen_a && fetches_.version(pair.b) == pair.seen_b) continue;
    for (const auto& [known, other] : {std::pair{pair.a, pair.b}, std::pair{pair.b, pair.a}})
      if (const auto leaf = fetches_.only_leaf(known))
        if (!fetches_.drop(other, network_.fetches[known].shape->leaves[*leaf])) return false;
    pair.seen_a = fetches_.version(pair.a);
    pair.seen_b = fetches_.version(pair.b);
  }
  return true;
}

// may_: by tuple, the monomials that its live factors and its decided guards allow.
void MatchingPropagator::find_what_fits(std::size_t index) {
  const Matching& matching = network_.matchings[index];
  const std::size_t words = matching.words;
  may_ = fits_[index].update(matching, fetches_);
  for (const Matching::CandidateAssignment& assignment : matching.assignments) {
    Word* mask = &may_[assignment.tuple * words];
    const Mask& needs = matching.sums[assignment.sum].needs;
    const Mask& fits = matching.masks[assignment.fits];
    const bool off = !holds(assignment.guard, domains_);
    if (off && assignment.alternative) continue;
    const bool on = !off && std::all_of(assignment.guard.begin(), assignment.guard.end(),
                                        [&](const auto& step) { return domains_.count(step.first) == 1; });
    for (std::size_t w = 0; w < words && (on || off); ++w) mask[w] &= on ? fits[w] : ~needs[w];
  }
  alternatives_[index].restrict(matching, domains_, may_);
}

// Tuples that may be the same few monomials share them out among themselves, if they are as many: the others must do
// without. False: there are more of them. Sets `again` where something changed.
bool MatchingPropagator::prune_hall_sets(const Matching& matching, bool& again) {
  const std::size_t words = matching.words, tuples = matching.tuples.size();
  by_mask_.clear();
  for (std::uint32_t t = 0; t < tuples; ++t)
    if (const int left = size(&may_[t * words], words); left > 1 && left <= kMostShared) by_mask_.push_back(t);
  const auto mask = [&](std::uint32_t t) { return &may_[t * words]; };
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    return std::lexicographical_compare(mask(a), mask(a) + words, mask(b), mask(b) + words);
  };
  std::sort(by_mask_.begin(), by_mask_.end(), less);
  for (std::size_t first = 0, end; first < by_mask_.size(); first = end) {
    const Word* shared = mask(by_mask_[first]);
    for (end = first + 1; end < by_mask_.size() && std::equal(shared, shared + words, mask(by_mask_[end]));) ++end;
    const auto monomials = static_cast<std::size_t>(size(shared, words));
    if (end - first > monomials) return false;
    if (end - first < monomials) continue;
    for (std::uint32_t t = 0; t < tuples; ++t) {
      Word* other = mask(t);
      if (!meets(other, shared, words) || std::equal(shared, shared + words, other)) continue;
      again = true;
      for (std::size_t w = 0; w < words; ++w) other[w] &= ~shared[w];
    }
    if (again) return true;
  }
  return true;
}

// Each tuple is one monomial and each monomial one tuple: singles, naked and hidden, until nothing changes.
bool MatchingPropagator::assign_singles(const Matching& matching) {
  const std::size_t words = matching.words, tuples = matching.tuples.size();
  assert(tuples == matching.monomials.size() && may_.size() == tuples * words);
  Mask once(words), twice(words), hidden(words), taken(words);
  for (bool again = true; again;) {
    again = false;
    std::fill(taken.begin(), taken.end(), 0);
    std::fill(once.begin(), once.end(), 0);
    std::fill(twice.begin(), twice.end(), 0);
    for (std::size_t t = 0; t < tuples; ++t) {
      const Word* mine = &may_[t * words];
      const int left = size(mine, words);
      if (left == 0) return false;
      if (left > 1) continue;
      if (meets(taken.data(), mine, words)) return false;
      for (std::size_t w = 0; w < words; ++w) taken[w] |= mine[w];
    }
    for (std::size_t t = 0; t < tuples; ++t) {
      Word* mine = &may_[t * words];
      if (meets(mine, taken.data(), words) && size(mine, words) > 1) {
        again = true;
        for (std::size_t w = 0; w < words; ++w) mine[w] &= ~taken[w];
      }
      for (std::size_t w = 0; w < words; ++w) {
        twice[w] |= once[w] & mine[w];
        once[w] |= mine[w];
      }
    }
    if (again) continue;
    if (static_cast<std::size_t>(size(once.data(), words)) < matching.monomials.size()) return false;
    for (std::size_t w = 0; w < words; ++w) hidden[w] = once[w] & ~twice[w];
    for (std::size_t t = 0; t < tuples; ++t) {
      Word* mine = &may_[t * words];
      if (!meets(mine, hidden.data(), words) || !exceeds(mine, hidden.data(), words)) continue;
      again = true;
      for (std::size_t w = 0; w < words; ++w) mine[w] &= hidden[w];
    }
    if (!again && !prune_hall_sets(matching, again)) return false;
  }
  return true;
}

void MatchingPropagator::name_missing(Conflict& conflict) {
  if (conflict.matching == SumConstraint::npos) return;
  const Matching& matching = network_.matchings[conflict.matching];
  find_what_fits(conflict.matching);
  for (std::size_t m = 0; m < matching.monomials.size(); ++m) {
    bool offered = false;
    for (std::size_t t = 0; t < matching.tuples.size() && !offered; ++t)
      offered = (may_[t * matching.words + m / 64] >> (m % 64) & 1) != 0;
    if (offered) continue;
    for (const Matching::Member& sum : matching.sums)
      if ((sum.needs[m / 64] >> (m % 64) & 1) != 0) conflict.equation = sum.equation;
    conflict.missing = matching.names[m];
    return;
  }
}

// A guard holds where its output needs whatever the tuple may be, and fails where it needs none of it.
bool MatchingPropagator::decide_guards(const Matching& matching) {
  const std::size_t words = matching.words;
  for (const Matching::CandidateAssignment& assignment : matching.assignments) {
    if (assignment.guard.empty()) continue;
    const Word* needs = matching.sums[assignment.sum].needs.data();
    const Word* may = &may_[assignment.tuple * words];
    if (!meets(may, matching.masks[assignment.fits].data(), words)) {
      const auto* step = deciding_step(assignment.guard, domains_);
      if (step != nullptr && !domains_.remove_value(step->first, step->second)) return false;
    } else if (!assignment.alternative && !exceeds(may, needs, words)) {
      for (const auto& [point, value] : assignment.guard)
        if (!domains_.fix(point, value)) return false;
    }
  }
  return true;
}

// Capacity speaks of what a condition adds. What comes under other guards is taken to be there.
std::vector<Capacity> MatchingPropagator::capacities() {
  std::vector<Capacity> all;
  for (std::size_t c = 0; c < network_.matchings.size(); ++c) {
    const Matching& matching = network_.matchings[c];
    find_what_fits(c);
    std::vector<std::map<std::size_t, std::size_t>> offered(matching.sums.size()), brought(offered);
    const std::size_t first = all.size();
    for (const Matching::Member& sum : matching.sums)
      all.push_back({static_cast<std::size_t>(size(sum.needs.data(), matching.words)), {}});
    for (const Matching::CandidateAssignment& assignment : matching.assignments) {
      if (!holds(assignment.guard, domains_) ||
          !meets(&may_[assignment.tuple * matching.words], matching.masks[assignment.fits].data(), matching.words))
        continue;
      const bool guarded = is_condition(assignment.guard, points_);
      if (guarded && domains_.count(assignment.guard[0].first) > 1) {
        ++offered[assignment.sum][points_[assignment.guard[0].first].hole.value];
        continue;
      }
      if (guarded) ++brought[assignment.sum][points_[assignment.guard[0].first].hole.value];
      if (all[first + assignment.sum].needed > 0) --all[first + assignment.sum].needed;
    }
    for (std::size_t g = 0; g < offered.size(); ++g) {
      all[first + g].offered.assign(offered[g].begin(), offered[g].end());
      all[first + g].brought.assign(brought[g].begin(), brought[g].end());
    }
  }
  return all;
}

std::optional<std::size_t> MatchingPropagator::monomial_of(const Matching& matching,
                                                           const Matching::Tuple& tuple) const {
  Mask may = matching.masks[tuple.fits];
  std::vector<NodeId> factors = tuple.fixed;
  for (std::uint32_t f : tuple.factors) {
    const Matching::Factor& factor = matching.factors[f];
    const auto leaf = fetches_.only_leaf(factor.fetch);
    if (!leaf) return std::nullopt;
    factors.push_back(network_.fetches[factor.fetch].shape->leaves[*leaf]);
    for (std::size_t w = 0; w < may.size(); ++w) may[w] &= (*factor.serves)[*leaf * matching.words + w];
  }
  std::sort(factors.begin(), factors.end());
  if (matching.idempotent) factors.erase(std::unique(factors.begin(), factors.end()), factors.end());
  for (std::size_t m = 0; m < matching.monomials.size(); ++m)
    if ((may[m / 64] >> (m % 64) & 1) != 0 &&
        std::equal(factors.begin(), factors.end(), matching.monomials[m].begin(), matching.monomials[m].end()))
      return m;
  return std::nullopt;
}

bool MatchingPropagator::all_hold() {
  for (std::uint32_t f = 0; f < network_.fetches.size(); ++f) {
    fetches_.mark_stale(f);
    if (!fetches_.refresh(f)) return false;
  }
  for (const Matching& matching : network_.matchings) {
    std::vector<Mask> sums(matching.sums.size(), Mask(matching.words, 0));
    std::vector<std::size_t> is(matching.tuples.size());
    for (std::size_t t = 0; t < matching.tuples.size(); ++t) {
      const auto monomial = monomial_of(matching, matching.tuples[t]);
      if (!monomial) return false;
      is[t] = *monomial;
    }
    for (const Matching::CandidateAssignment& assignment : matching.assignments) {
      if (!holds(assignment.guard, domains_)) continue;
      Word& word = sums[assignment.sum][is[assignment.tuple] / 64];
      const Word bit = Word{1} << (is[assignment.tuple] % 64);
      if ((word & bit) != 0 || (matching.masks[assignment.fits][is[assignment.tuple] / 64] & bit) == 0) return false;
      word |= bit;
    }
    for (std::size_t g = 0; g < sums.size(); ++g)
      if (sums[g] != matching.sums[g].needs) return false;
  }
  return true;
}

}  // namespace swizzle
