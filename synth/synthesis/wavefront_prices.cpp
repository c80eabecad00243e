#include "synth/synthesis/wavefront_prices.h"

#include <algorithm>
#include <utility>

#include "synth/synthesis/layout_placement.h"

namespace swizzle {

WavefrontPrices::WavefrontPrices(const Problem& problem, SharedMemoryModel memory)
    : memory_(std::move(memory)),
      accesses_(problem.holes.size()) {
  std::vector<Place> places(problem.points.size());
  for (std::size_t h = 0; h < problem.holes.size(); ++h)
    for (std::size_t i = 0; i < problem.holes[h].points.size(); ++i) places[problem.holes[h].points[i].value] = {h, i};
  for (const SharedAccess& access : problem.shared_accesses) {
    std::optional<std::size_t> hole;
    auto known = of_one_hole(problem, access, places, hole);
    if (known && hole && known->count > 0) accesses_[*hole].push_back(std::move(*known));
    if (!known) are_all_ = false;
  }
  if (std::ranges::all_of(accesses_, [](const auto& of_hole) { return of_hole.empty(); })) accesses_.clear();
}

std::optional<WavefrontPrices::Access> WavefrontPrices::of_one_hole(const Problem& problem, const SharedAccess& access,
                                                                    const std::vector<Place>& places,
                                                                    std::optional<std::size_t>& hole) const {
  Access known{access.operation, access.bits, access.count, least_wavefronts_of(problem, access, memory_), {}};
  const auto is_known = [&](Value word) { return !word.is_node() && !is_behind_layout(problem, access, word); };
  for (const Value& words : access.lanes) {
    Lane& lane = known.lanes.emplace_back();
    if (!words.is_node()) {
      if (!is_known(words)) return std::nullopt;
      lane.by_value = {shared_address(problem, access, words)};
      continue;
    }
    const Node& choice = problem.provenance.node(words);
    if (choice.kind != Node::Kind::kChoice || !std::ranges::all_of(choice.children(), is_known)) return std::nullopt;
    const Place& place = places[choice.tag];
    if (place.hole == Place::kNone || (hole && *hole != place.hole)) return std::nullopt;
    hole = place.hole;
    lane.position = place.position;
    for (const Value word : choice.children()) lane.by_value.push_back(shared_address(problem, access, word));
  }
  return known;
}

double WavefrontPrices::of(std::size_t hole, const HoleTable& table) const {
  if (accesses_.empty()) return 0;
  double more = 0;
  LaneAddresses addresses;
  for (const Access& access : accesses_[hole]) {
    addresses.clear();
    for (const Lane& lane : access.lanes) {
      const std::size_t value = lane.by_value.size() == 1 ? 0 : static_cast<std::size_t>(table.values[lane.position]);
      addresses.push_back(lane.by_value[value]);
    }
    const Wavefronts wavefronts = count_wavefronts(memory_, access.operation, access.bits, addresses);
    more += access.count * std::max(0.0, static_cast<double>(wavefronts.count) - access.least);
  }
  return more;
}

}  // namespace swizzle
