#include "synth/propagation/mdd_walk.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace swizzle {

bool MddWalk::keep_safe(ViolationMdds::Target from, const std::vector<PointId>& asked) {
  seen_.resize(mdds_.size(), 0);
  must_at_.resize(mdds_.size(), 0);
  local_.resize(domains_.points());
  for (std::size_t i = 0; i < asked.size(); ++i) local_[asked[i].value] = i;
  ++walk_;
  words_ = asked.size() / 64 + 1;
  must_.assign(words_, 0);
  supported_.assign(asked.size() * domains_.words(), 0);
  const std::optional<std::size_t> must = walk(from);
  if (!must) return false;
  assert(*must + words_ <= must_.size());
  for (std::size_t i = 0; i < asked.size(); ++i)
    if ((must_[*must + i / 64] >> (i % 64) & 1) != 0 && !domains_.keep(asked[i], &supported_[i * domains_.words()]))
      return false;
  return true;
}

// Where the points that all ways from here ask begin in must_; nothing: there is no way.
std::optional<std::size_t> MddWalk::walk(ViolationMdds::Target target) {
  if (target == ViolationMdds::kSafe) return 0;
  if (target == ViolationMdds::kViolated) return std::nullopt;
  std::size_t& must = must_at_[static_cast<std::size_t>(target)];
  if (std::exchange(seen_[static_cast<std::size_t>(target)], walk_) != walk_) must = walk_edges(mdds_.node(target));
  return must == 0 ? std::nullopt : std::optional(must);
}

std::size_t MddWalk::walk_edges(const ViolationMdds::Node& node) {
  const ViolationMdds::Edge* edge = mdds_.edges(node);
  const ViolationMdds::Edge* const end = edge + node.edges;
  int left = domains_.count(node.point);
  const bool is_fixed = left == 1;
  if (is_fixed)
    edge = std::lower_bound(edge, end, domains_.first(node.point),
                            [](const ViolationMdds::Edge& e, int value) { return e.value < value; });
  std::size_t mine = 0;
  for (; edge != end && left > 0; ++edge) {
    if (domains_.allows(node.point, edge->value)) {
      --left;
      if (take(edge->to, mine))
        supported(node.point, static_cast<std::size_t>(edge->value) / 64) |= Domains::Word{1} << (edge->value % 64);
    } else if (is_fixed) {
      break;
    }
  }
  if (left > 0 && take(node.rest, mine)) support_rest(node);
  if (mine != 0) must_[mine + local_[node.point.value] / 64] |= std::uint64_t{1} << (local_[node.point.value] % 64);
  return mine;
}

// must_[mine] &= what all ways from `to` ask. False: there are none.
bool MddWalk::take(ViolationMdds::Target to, std::size_t& mine) {
  const std::optional<std::size_t> must = walk(to);
  if (!must) return false;
  if (mine == 0) {
    mine = must_.size();
    must_.resize(mine + words_, ~std::uint64_t{0});
  }
  for (std::size_t w = 0; w < words_; ++w) must_[mine + w] &= must_[*must + w];
  return true;
}

void MddWalk::support_rest(const ViolationMdds::Node& node) {
  const ViolationMdds::Edge* const edges = mdds_.edges(node);
  for (std::size_t w = 0; w < domains_.words(); ++w) {
    Domains::Word rest = domains_.values(node.point)[w];
    for (const ViolationMdds::Edge* e = edges; e != edges + node.edges; ++e)
      if (static_cast<std::size_t>(e->value) / 64 == w) rest &= ~(Domains::Word{1} << (e->value % 64));
    supported(node.point, w) |= rest;
  }
}

}  // namespace swizzle
