#include "synth/access/telling_blocks.h"

#include <algorithm>

namespace swizzle {

std::set<std::int64_t> blocks_to_look_at(const LaunchShape& shape) {
  constexpr std::int64_t kMost = 64;
  const std::int64_t blocks = shape.blocks(), row = shape.grid[0], plane = row * shape.grid[1];
  std::set<std::int64_t> all;
  const auto add = [&](std::int64_t block) {
    if (block >= 0 && block < blocks) all.insert(block);
  };
  for (std::int64_t block = 0; block < std::min(blocks, kMost); ++block)
    add(blocks <= kMost ? block : block * blocks / kMost);
  for (const std::int64_t corner : {std::int64_t{0}, row - 1, plane - row, plane - 1, blocks - plane, blocks - 1})
    for (const std::int64_t distance : {std::int64_t{1}, row, row + 1, row - 1, plane})
      for (const std::int64_t neighbour : {corner - distance, corner + distance}) add(neighbour);
  for (const std::int64_t known : sampled_blocks(blocks)) all.erase(known);
  return all;
}

bool tells_more(const AccessTrace& block, const AccessTrace& seen) {
  const auto is_alike = [](const AccessSite& a, const AccessSite& b) {
    return a.space == b.space && a.operation == b.operation && a.bits == b.bits && a.range.begin == b.range.begin &&
           a.range.end == b.range.end && a.call_site.begin == b.call_site.begin && a.array == b.array;
  };
  return std::ranges::any_of(block.sites, [&](const AccessSite& site) {
    if (site.space != MemorySpace::kShared || site.requests == 0) return false;
    return std::ranges::none_of(seen.sites, [&](const AccessSite& known) {
      return is_alike(site, known) && known.worst - known.worst_ideal >= site.worst - site.worst_ideal &&
             (known.not_counted > 0 || site.not_counted == 0);
    });
  });
}

}  // namespace swizzle
