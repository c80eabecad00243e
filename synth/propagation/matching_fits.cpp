#include "synth/propagation/matching_fits.h"

#include <algorithm>

namespace swizzle {

ClusterFits::ClusterFits(const Cluster& cluster)
    : seen_(cluster.factors.size(), 0),
      changed_(cluster.factors.size(), 1),
      reached_(cluster.factors.size() * cluster.words, 0),
      kept_(cluster.tuples.size() * cluster.words, 0),
      kept_at_(cluster.factors.size(), 0) {
  fits_.reserve(kept_.size());
  for (const Cluster::Tuple& tuple : cluster.tuples) fits_.insert(fits_.end(), cluster.masks[tuple.fits].begin(), cluster.masks[tuple.fits].end());
}

const Mask& ClusterFits::update(const Cluster& cluster, const LiveFetches& fetches) {
  const std::size_t words = cluster.words;
  for (std::size_t f = 0; f < cluster.factors.size(); ++f) {
    const std::uint64_t version = fetches.version(cluster.factors[f].fetch);
    changed_[f] = seen_[f] != version ? 1 : 0;
    if (changed_[f] == 0) continue;
    seen_[f] = version;
    std::fill_n(&reached_[f * words], words, 0);
    fetches.reach(cluster.factors[f].fetch, *cluster.factors[f].serves, &reached_[f * words], words);
  }
  for (std::size_t t = 0; t < cluster.tuples.size(); ++t) {
    const Cluster::Tuple& tuple = cluster.tuples[t];
    if (std::none_of(tuple.factors.begin(), tuple.factors.end(), [&](std::uint32_t f) { return changed_[f] != 0; })) continue;
    std::uint64_t* const fits = &fits_[t * words];
    std::copy_n(cluster.masks[tuple.fits].begin(), words, fits);
    for (std::uint32_t f : tuple.factors)
      for (std::size_t w = 0; w < words; ++w) fits[w] &= reached_[f * words + w];
  }
  return fits_;
}

bool ClusterFits::restrict(const Cluster& cluster, LiveFetches& fetches, const Mask& may) {
  const std::size_t words = cluster.words;
  for (std::size_t t = 0; t < cluster.tuples.size(); ++t) {
    const std::uint64_t* const mine = &may[t * words];
    const bool same = std::equal(mine, mine + words, &kept_[t * words]);
    for (std::uint32_t f : cluster.tuples[t].factors) {
      const Cluster::Factor& factor = cluster.factors[f];
      if (same && fetches.version(factor.fetch) == kept_at_[f]) continue;
      if (!fetches.restrict(factor.fetch, *factor.serves, mine, words)) return false;
    }
  }
  kept_ = may;
  for (std::size_t f = 0; f < cluster.factors.size(); ++f) kept_at_[f] = fetches.version(cluster.factors[f].fetch);
  return true;
}

}  // namespace swizzle
