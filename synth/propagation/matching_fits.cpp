#include "synth/propagation/matching_fits.h"

#include <algorithm>
#include <cassert>

namespace swizzle {

MatchingFits::MatchingFits(const Matching& matching)
    : seen_(matching.factors.size(), 0),
      changed_(matching.factors.size(), 1),
      reached_(matching.factors.size() * matching.words, 0),
      kept_(matching.tuples.size() * matching.words, 0),
      kept_at_(matching.factors.size(), 0) {
  fits_.reserve(kept_.size());
  for (const Matching::Tuple& tuple : matching.tuples)
    fits_.insert(fits_.end(), matching.masks[tuple.fits].begin(), matching.masks[tuple.fits].end());
}

const Mask& MatchingFits::update(const Matching& matching, const ElementPropagator& fetches) {
  const std::size_t words = matching.words;
  for (std::size_t f = 0; f < matching.factors.size(); ++f) {
    const std::uint64_t version = fetches.version(matching.factors[f].fetch);
    changed_[f] = seen_[f] != version ? 1 : 0;
    if (changed_[f] == 0) continue;
    seen_[f] = version;
    std::fill_n(&reached_[f * words], words, 0);
    fetches.reach(matching.factors[f].fetch, *matching.factors[f].serves, &reached_[f * words], words);
  }
  for (std::size_t t = 0; t < matching.tuples.size(); ++t) {
    const Matching::Tuple& tuple = matching.tuples[t];
    if (std::none_of(tuple.factors.begin(), tuple.factors.end(), [&](std::uint32_t f) { return changed_[f] != 0; }))
      continue;
    std::uint64_t* const fits = &fits_[t * words];
    std::copy_n(matching.masks[tuple.fits].begin(), words, fits);
    for (std::uint32_t f : tuple.factors)
      for (std::size_t w = 0; w < words; ++w) fits[w] &= reached_[f * words + w];
  }
  return fits_;
}

bool MatchingFits::restrict(const Matching& matching, ElementPropagator& fetches, const Mask& may) {
  const std::size_t words = matching.words;
  assert(may.size() == matching.tuples.size() * words);
  for (std::size_t t = 0; t < matching.tuples.size(); ++t) {
    const std::uint64_t* const mine = &may[t * words];
    const bool same = std::equal(mine, mine + words, &kept_[t * words]);
    for (std::uint32_t f : matching.tuples[t].factors) {
      const Matching::Factor& factor = matching.factors[f];
      if (same && fetches.version(factor.fetch) == kept_at_[f]) continue;
      if (!fetches.restrict(factor.fetch, *factor.serves, mine, words)) return false;
    }
  }
  kept_ = may;
  for (std::size_t f = 0; f < matching.factors.size(); ++f) kept_at_[f] = fetches.version(matching.factors[f].fetch);
  return true;
}

}  // namespace swizzle
