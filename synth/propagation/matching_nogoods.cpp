// Values of two points that would make two tuples the same monomial.
#include "synth/base/bits.h"
#include "synth/propagation/matching_propagator.h"

namespace swizzle {

// Of a tuple whose factors are known but for one, which a single point of the hole decides: the monomial that each
// value makes it.
void MatchingPropagator::note_makers(const Matching& matching, const Matching::Tuple& tuple,
                                     const std::vector<std::uint32_t>& position_of,
                                     std::vector<std::vector<Maker>>& makers) const {
  Mask may = matching.masks[tuple.fits];
  const Matching::Factor* open = nullptr;
  const auto serve = [&](const Matching::Factor& factor, std::uint32_t leaf, Mask& mask) {
    for (std::size_t w = 0; w < matching.words; ++w) mask[w] &= (*factor.serves)[leaf * matching.words + w];
  };
  for (std::uint32_t f : tuple.factors) {
    const Matching::Factor& factor = matching.factors[f];
    if (const auto leaf = fetches_.only_leaf(factor.fetch)) serve(factor, *leaf, may);
    else if (open) return;
    else open = &factor;
  }
  if (!open) return;
  const auto decision = fetches_.decision(open->fetch);
  if (!decision || position_of[decision->point.value] == kNone) return;
  for (const auto& [value, leaf] : decision->leaves) {
    Mask made = may;
    serve(*open, leaf, made);
    if (size(made.data(), made.size()) == 1)
      makers[first(made.data(), made.size())].push_back({position_of[decision->point.value], value});
  }
}

BinaryNogoods MatchingPropagator::binary_nogoods(const HoleSpace& space) const {
  BinaryNogoods pairs(space.points.size(), space.domain);
  std::vector<std::uint32_t> position_of(domains_.points(), kNone);
  for (std::size_t i = 0; i < space.points.size(); ++i)
    position_of[space.points[i].value] = static_cast<std::uint32_t>(i);
  std::vector<std::vector<Maker>> makers;  // by monomial
  for (const Matching& matching : network_.matchings) {
    makers.assign(matching.monomials.size(), {});
    for (const Matching::Tuple& tuple : matching.tuples) note_makers(matching, tuple, position_of, makers);
    for (const std::vector<Maker>& of_one : makers)
      for (std::size_t i = 0; i < of_one.size(); ++i)
        for (std::size_t j = i + 1; j < of_one.size(); ++j)
          pairs.add(of_one[i].position, of_one[i].value, of_one[j].position, of_one[j].value);
  }
  return pairs;
}

}  // namespace swizzle
