#include "synth/compact_table.h"

namespace swizzle {

TableList::TableList(std::vector<HoleTable> all, std::size_t points, int values)
    : tables(std::move(all)), words((tables.size() + 63) / 64), domain(values), supports(points * static_cast<std::size_t>(values) * words, 0) {
  for (std::size_t t = 0; t < tables.size(); ++t)
    for (std::size_t p = 0; p < points; ++p)
      supports[(p * static_cast<std::size_t>(domain) + static_cast<std::size_t>(tables[t].values[p])) * words + t / 64] |= std::uint64_t{1} << (t % 64);
}

CompactTable::CompactTable(const HoleSpace& space, std::shared_ptr<const TableList> list)
    : HoleConstraint(space), list_(std::move(list)), residues_(space.points.size() * static_cast<std::size_t>(list_->domain), 0) {
  live_.assign(list_->words, ~std::uint64_t{0});
  if (list_->tables.size() % 64 != 0) live_.back() = (std::uint64_t{1} << (list_->tables.size() % 64)) - 1;
}

bool CompactTable::filter(Domains& domains, std::uint32_t id, std::vector<Saved>& trail) {
  const std::size_t words = list_->words;
  const std::vector<std::uint64_t> before = live_;
  for (std::size_t position : changed_) {
    const PointId point = space_->points[position];
    if (domains.count(point) == list_->domain) continue;
    for (std::size_t w = 0; w < words; ++w) {
      if (live_[w] == 0) continue;
      std::uint64_t supported = 0;
      for (int v = 0; v < list_->domain; ++v)
        if (domains.allows(point, v)) supported |= list_->support(position, v)[w];
      live_[w] &= supported;
    }
  }
  changed_.clear();
  bool any = false, narrowed = false;
  for (std::size_t w = 0; w < words; ++w) {
    any = any || live_[w] != 0;
    if (live_[w] == before[w]) continue;
    narrowed = true;
    trail.push_back({id, w, before[w]});
  }
  if (!any) return false;
  if (!narrowed) return true;
  std::vector<Domains::Word> supported(domains.words());
  for (std::size_t p = 0; p < space_->points.size(); ++p) {
    const PointId point = space_->points[p];
    if (domains.count(point) == 1) continue;
    supported.assign(domains.words(), 0);
    for (int v = 0; v < list_->domain; ++v) {
      if (!domains.allows(point, v)) continue;
      const std::uint64_t* support = list_->support(p, v);
      std::uint32_t& residue = residues_[p * static_cast<std::size_t>(list_->domain) + static_cast<std::size_t>(v)];
      if ((support[residue] & live_[residue]) == 0) {
        std::size_t w = 0;
        while (w < words && (support[w] & live_[w]) == 0) ++w;
        if (w == words) continue;
        residue = static_cast<std::uint32_t>(w);
      }
      supported[static_cast<std::size_t>(v) / 64] |= Domains::Word{1} << (v % 64);
    }
    if (!domains.keep(point, supported.data())) return false;
  }
  return true;
}

}  // namespace swizzle
