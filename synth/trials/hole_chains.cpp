#include "synth/trials/hole_chains.h"

#include <optional>
#include <unordered_map>

namespace swizzle {
namespace {

using Links = std::uint64_t;  // a bit for each
constexpr std::size_t kMostLinks = 64;

constexpr Links bit(std::size_t link) { return Links{1} << link; }

class Chains {
 public:
  Chains(const Problem& problem, const ChainLinks& links)
      : problem_(problem),
        links_(links),
        below_(links.depths.size(), 0) {}

  void add(Value v) { links_in(v); }

  // Whatever is below what is below a link is below it, too.
  void close() {
    for (std::size_t k = 0; k < below_.size(); ++k)
      for (Links& links : below_)
        if ((links & bit(k)) != 0) links |= below_[k];
  }

  Links below(std::size_t link) const { return below_[link]; }
  // Those that it is one chain with.
  Links chain(std::size_t link) const {
    Links all = bit(link);
    for (std::size_t other = 0; other < below_.size(); ++other)
      if ((below_[link] & bit(other)) != 0 && (below_[other] & bit(link)) != 0) all |= bit(other);
    return all;
  }

 private:
  Links links_in(Value v) {
    if (!problem_.provenance.has_choice(v)) return 0;
    if (const auto known = links_in_.find(v.aux); known != links_in_.end()) return known->second;
    const Node& n = problem_.provenance.node(v);
    Links links = 0;
    n.for_each_part([&](Value part) { links |= links_in(part); });
    const std::uint32_t link = n.kind == Node::Kind::kChoice ? links_.of_point[n.tag] : ChainLinks::kNone;
    if (link != ChainLinks::kNone) {
      below_[link] |= links;
      links |= bit(link);
    }
    return links_in_[v.aux] = links;
  }

  const Problem& problem_;
  const ChainLinks& links_;
  std::vector<Links> below_;
  std::unordered_map<std::uint32_t, Links> links_in_;  // by node
};

}  // namespace

std::vector<std::uint32_t> places_of_chains(const Problem& problem, const std::vector<Value>& values,
                                            const ChainLinks& links) {
  const std::size_t count = links.depths.size();
  std::vector<std::uint32_t> places(count, 0);
  if (count < 2 || count > kMostLinks) return places;
  Chains chains(problem, links);
  for (Value v : values) chains.add(v);
  chains.close();
  Links placed = 0;
  for (std::uint32_t place = 0;; ++place) {
    std::optional<std::size_t> next;
    for (std::size_t l = 0; l < count; ++l) {
      const bool is_ready = (placed & bit(l)) == 0 && (chains.below(l) & ~(placed | chains.chain(l))) == 0;
      if (is_ready && (!next || links.depths[l] < links.depths[*next])) next = l;
    }
    if (!next) return places;
    const Links chain = chains.chain(*next);
    for (std::size_t l = 0; l < count; ++l)
      if ((chain & bit(l)) != 0) places[l] = place;
    placed |= chain;
  }
}

}  // namespace swizzle
