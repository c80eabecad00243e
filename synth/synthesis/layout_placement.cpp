#include "synth/synthesis/layout_placement.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "synth/layouts/layout_names.h"
#include "synth/search/solve.h"

namespace swizzle {
namespace {

constexpr int kArraysApart = 1 << 10;  // tiles of different arrays start at the same bank
constexpr int kMostCompared = 4096;    // pairs of addresses, of two lanes

// Some completion may have both the same; `left`: how many pairs may be compared to tell that none has.
bool may_agree(const Provenance& provenance, Value a, Value b, int& left) {
  const auto is_choice = [&](Value v) { return v.is_node() && provenance.node(v).kind == Node::Kind::kChoice; };
  if (a == b || --left < 0) return true;
  if (!is_choice(a) && !is_choice(b)) return a.is_node() || b.is_node() || a.is_undefined() || b.is_undefined();
  if (!is_choice(a)) std::swap(a, b);
  const Node& choice = provenance.node(a);
  const bool is_same_point = is_choice(b) && provenance.node(b).tag == choice.tag;
  for (std::size_t v = 0; v < choice.children().size(); ++v)
    if (may_agree(provenance, choice.children()[v], is_same_point ? provenance.node(b).children()[v] : b, left))
      return true;
  return false;
}

// Phases of a wide load merge where every two lanes n and n ^ 1, or every two n and n ^ 2, agree.
bool may_merge(const Provenance& provenance, const std::vector<Value>& lanes) {
  return std::ranges::any_of(std::array<std::size_t, 2>{1, 2}, [&](std::size_t distance) {
    for (std::size_t lane = 0; lane + distance < lanes.size(); ++lane) {
      int left = kMostCompared;
      if ((lane & distance) == 0 && !may_agree(provenance, lanes[lane], lanes[lane + distance], left)) return false;
    }
    return true;
  });
}

}  // namespace

bool depends_on_points(const Problem& problem) {
  return std::any_of(problem.shared_accesses.begin(), problem.shared_accesses.end(), [](const SharedAccess& access) {
    return std::any_of(access.lanes.begin(), access.lanes.end(), [](const Value& lane) { return lane.is_node(); });
  });
}

double least_wavefronts(const Problem& problem, const SharedMemoryModel& memory) {
  double least = 0;
  for (const SharedAccess& access : problem.shared_accesses)
    least += access.count * least_wavefronts_of(problem, access, memory);
  return least;
}

double least_wavefronts_of(const Problem& problem, const SharedAccess& access, const SharedMemoryModel& memory) {
  const auto may_be_inactive = [&](const Value& lane) {
    return std::ranges::any_of(problem.provenance.leaves(lane), &Value::is_undefined);
  };
  LaneAddresses lanes;  // that no two agree, and the phases of a load do not merge
  for (std::size_t lane = 0; lane < access.lanes.size(); ++lane)
    lanes.push_back(may_be_inactive(access.lanes[lane]) ? std::nullopt
                                                        : std::optional(static_cast<std::int64_t>(16 * lane)));
  const std::size_t phases = phases_of(memory, access.operation, access.bits, lanes).size();
  const bool may_be_fewer =
      access.operation == SharedOperation::kLoad && phases > 1 && may_merge(problem.provenance, access.lanes);
  return static_cast<double>(may_be_fewer ? (phases + 1) / 2 : phases);
}

bool is_behind_layout(const Problem& problem, const SharedAccess& access, Value lane) {
  return lane.is_pointer() && problem.shared_objects[access.instance].at(lane.aux).layout.valid();
}

std::optional<std::int64_t> shared_address(const Problem& problem, const SharedAccess& access, Value lane) {
  if (!lane.is_pointer()) return std::nullopt;
  const SharedObject& object = problem.shared_objects[access.instance].at(lane.aux);
  return object.base_bytes + offset_of(lane.bits, object.slot_bytes, object.uneven) + access.offset_bytes;
}

std::string LayoutPlacement::where(SourceRange range) const {
  const LineColumn at = sketch_.source.locate(range.begin);
  return fmt::format("{}:{}", at.line, at.column);
}

TileAccess LayoutPlacement::tile_access(const SharedAccess& access, const std::vector<Value>& lanes, LayoutId layout) {
  const TileLayout& shape = sketch_.layout(layout);
  TileAccess tile{access.operation, access.bits, 4, std::nullopt, {}, access.count, access.range};
  std::map<std::uint32_t, int> arrays;
  for (const Value& lane : lanes) {
    if (!lane.is_pointer()) {
      tile.lanes.push_back(std::nullopt);
      continue;
    }
    const SharedObject& object = problem_.shared_objects[access.instance].at(lane.aux);
    const int array = arrays.try_emplace(lane.aux, static_cast<int>(arrays.size())).first->second;
    tile.element_bytes = object.element_slots * object.slot_bytes;
    if (!object.is_sized) tile.tile_stride = object.tile_elements;
    const std::int64_t bytes = lane.bits * object.slot_bytes + access.offset_bytes,
                       element = bytes / tile.element_bytes;
    const int cell = static_cast<int>(element % object.tile_elements),
              number = static_cast<int>(element / object.tile_elements);
    tile.lanes.push_back(TileCell{cell / shape.columns, cell % shape.columns,
                                  static_cast<int>(bytes % tile.element_bytes), array * kArraysApart + number});
    if (!object.is_sized) {
      auto& capacity = tiles_[layout.value].capacity;
      capacity = std::min(capacity.value_or(object.tile_elements), object.tile_elements);
    }
  }
  return tile;
}

bool LayoutPlacement::collect(const Assignment& assignment) {
  decided_.clear();
  tiles_.clear();
  for (const TileLayout& layout : sketch_.layouts) tiles_.push_back({layout.rows, layout.columns, {}, {}, memory_});
  for (const SharedAccess& access : problem_.shared_accesses) {
    std::vector<Value> lanes = access.lanes;
    PointId blocked;
    std::optional<LayoutId> layout;
    for (Value& lane : lanes) {
      lane = problem_.provenance.resolve(lane, assignment, blocked);
      if (!lane.is_pointer()) continue;
      const LayoutId through = problem_.shared_objects[access.instance].at(lane.aux).layout;
      if (layout && *layout != through) {
        reason_ = fmt::format("the lanes of the access at {} go through different layouts", where(access.range));
        return false;
      }
      layout = through;
    }
    if (!layout) continue;
    Decided decided{&access, *layout, {}, {}};
    if (layout->valid()) {
      decided.tile = tile_access(access, lanes, *layout);
      tiles_[layout->value].accesses.push_back(decided.tile);
    } else {
      for (const Value& lane : lanes) decided.addresses.push_back(shared_address(problem_, access, lane));
    }
    decided_.push_back(std::move(decided));
  }
  return true;
}

// The layout that the user named, if the tile can have it.
bool LayoutPlacement::give(TileProblem& tile, const TileLayout& named) {
  int element_bytes = 0;
  for (const TileAccess& access : tile.accesses) element_bytes = std::max(element_bytes, access.element_bytes);
  tile.given = layout_named(*named.given, named.rows, named.columns, std::max(1, element_bytes));
  const std::string text =
      fmt::format("{} of {} x {} elements of {} bytes", named.given->text, named.rows, named.columns, element_bytes);
  if (!tile.given) reason_ = "there is no " + text;
  else if (!keeps_together(tile, *tile.given)) reason_ = text + " does not keep together what one access takes";
  return tile.given && keeps_together(tile, *tile.given);
}

// Listed once for all completions, which seldom differ in it.
const std::vector<RankedLayout>& LayoutPlacement::members_of(std::size_t layout) {
  families_.resize(tiles_.size());
  const LayoutShape shape = shape_of(tiles_[layout]);
  auto& family = families_[layout];
  if (!family || !(family->first == shape)) family.emplace(shape, layouts_of(shape));
  return family->second;
}

bool LayoutPlacement::choose(Placement& placement, const Deadline& deadline) {
  for (std::size_t l = 0; l < tiles_.size(); ++l) {
    const TileLayout& named = sketch_.layouts[l];
    for (const TileAccess& access : tiles_[l].accesses)
      if (!is_aligned({named.rows, named.columns, {access}, {}, memory_})) {
        reason_ = fmt::format(
            "the {} bytes of the access at {} do not start at a multiple of as many in every row, so that no layout keeps them together",
            access.bits / 8, where(access.range));
        return false;
      }
    if (named.given && !give(tiles_[l], named)) return false;
    auto choice = named.given ? search_layout(tiles_[l], deadline) : search_layout(tiles_[l], members_of(l), deadline);
    if (!choice) {
      reason_ = fmt::format("no layout of {} x {} elements fits into the array behind '{}'", named.rows, named.columns,
                            named.name);
      return false;
    }
    placement.exhausted &= choice->exhausted;
    for (std::size_t h = 0; h < sketch_.holes.size(); ++h)
      if (sketch_.holes[h].layout == LayoutId(l))
        placement.integer_ops += problem_.executions[h] * choice->layout.integer_ops();
    for (const auto& [id, object] : problem_.shared_objects.back())
      if (object.layout == LayoutId(l) && object.is_sized)
        placement.bytes += object.tiles * choice->layout.size() * object.element_slots * object.slot_bytes;
    int element_bytes = 0;
    for (const TileAccess& access : tiles_[l].accesses) element_bytes = std::max(element_bytes, access.element_bytes);
    placement.element_bytes.push_back(element_bytes);
    placement.layouts.push_back(*choice);
  }
  return true;
}

void LayoutPlacement::count(Placement& placement) const {
  std::map<std::pair<std::uint32_t, SharedOperation>, PlacedAccess> by_place;
  for (const Decided& d : decided_) {
    if (d.access->count == 0) continue;
    const LaneAddresses addresses =
        d.layout.valid() ? addresses_of(d.tile, placement.layouts[d.layout.value].layout) : d.addresses;
    const Wavefronts w = count_wavefronts(memory_, d.access->operation, d.access->bits, addresses);
    PlacedAccess& placed = by_place[{d.access->range.begin, d.access->operation}];
    placed.operation = d.access->operation;
    placed.bits = d.access->bits;
    placed.range = d.access->range;
    placed.executions += d.access->count;
    placed.wavefronts += d.access->count * w.count;
    placed.ideal += d.access->count * w.ideal;
    if (placed.worst != 0 && w.count - w.ideal <= placed.worst - placed.worst_ideal) continue;
    placed.worst = w.count;
    placed.worst_ideal = w.ideal;
    placed.witness = w.witness;
  }
  for (auto& [key, placed] : by_place) {
    placement.wavefronts += placed.wavefronts;
    placement.ideal += placed.ideal;
    placement.accesses.push_back(std::move(placed));
  }
}

std::vector<TileProblem> LayoutPlacement::tiles(const std::vector<HoleTable>& tables) {
  return collect(assignment_of(problem_, tables)) ? tiles_ : std::vector<TileProblem>{};
}

std::optional<Placement> LayoutPlacement::place(const std::vector<HoleTable>& tables, const Deadline& deadline) {
  Placement placement;
  if (!collect(assignment_of(problem_, tables)) || !choose(placement, deadline)) return std::nullopt;
  count(placement);
  return placement;
}

}  // namespace swizzle
