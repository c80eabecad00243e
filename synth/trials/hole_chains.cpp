#include "synth/trials/hole_chains.h"

#include <optional>
#include <unordered_map>

namespace swizzle {
namespace {

using Holes = std::uint64_t;  // a bit for each
constexpr std::size_t kMostHoles = 64;

constexpr Holes bit(std::size_t hole) { return Holes{1} << hole; }

class Chains {
 public:
  explicit Chains(const Problem& problem) : problem_(problem), below_(problem.holes.size(), 0) {}

  void add(Value v) { holes_in(v); }

  // Whatever is below what is below a hole's points is below them, too.
  void close() {
    for (std::size_t k = 0; k < below_.size(); ++k)
      for (Holes& holes : below_)
        if ((holes & bit(k)) != 0) holes |= below_[k];
  }

  Holes below(std::size_t hole) const { return below_[hole]; }
  // The holes that it is one chain with.
  Holes chain(std::size_t hole) const {
    Holes all = bit(hole);
    for (std::size_t h = 0; h < below_.size(); ++h)
      if ((below_[hole] & bit(h)) != 0 && (below_[h] & bit(hole)) != 0) all |= bit(h);
    return all;
  }

 private:
  Holes holes_in(Value v) {
    if (!problem_.provenance.has_choice(v)) return 0;
    if (const auto known = holes_in_.find(v.aux); known != holes_in_.end()) return known->second;
    const Node& n = problem_.provenance.node(v);
    Holes holes = 0;
    n.for_each_part([&](Value part) { holes |= holes_in(part); });
    if (n.kind == Node::Kind::kChoice) {
      const std::size_t hole = problem_.points[PointId(n.tag)].hole.value;
      below_[hole] |= holes;
      holes |= bit(hole);
    }
    return holes_in_[v.aux] = holes;
  }

  const Problem& problem_;
  std::vector<Holes> below_;
  std::unordered_map<std::uint32_t, Holes> holes_in_;  // by node
};

}  // namespace

std::vector<std::uint32_t> places_of_chains(const Problem& problem, const std::vector<Value>& values,
                                            const std::vector<std::uint32_t>& depths) {
  const std::size_t count = problem.holes.size();
  std::vector<std::uint32_t> places(count, 0);
  if (count < 2 || count > kMostHoles) return places;
  Chains chains(problem);
  for (Value v : values) chains.add(v);
  chains.close();
  Holes placed = 0;
  for (std::uint32_t place = 0;; ++place) {
    std::optional<std::size_t> next;
    for (std::size_t h = 0; h < count; ++h) {
      const bool is_ready = (placed & bit(h)) == 0 && (chains.below(h) & ~(placed | chains.chain(h))) == 0;
      if (is_ready && (!next || depths[h] < depths[*next])) next = h;
    }
    if (!next) return places;
    const Holes chain = chains.chain(*next);
    for (std::size_t h = 0; h < count; ++h)
      if ((chain & bit(h)) != 0) places[h] = place;
    placed |= chain;
  }
}

}  // namespace swizzle
