#include "synth/layouts/layout_search.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>

namespace swizzle {
namespace {

constexpr double kWavefrontTolerance = 1e-9;

int elements_of(const TileAccess& access) { return std::max(1, access.bits / 8 / access.element_bytes); }

// Lanes of one phase, each cell once; which lanes are served together does not depend on the layout.
struct Phase {
  int bytes = 4;  // of a lane
  int element_bytes = 4;
  std::optional<std::int64_t> tile_stride;
  std::vector<TileCell> cells;
  double weight = 0;
  int ideal = 1;  // wavefronts
};

// Cells as addresses: equal or different, in order of lanes.
LaneAddresses names_of(const TileAccess& access) {
  std::map<TileCell, std::int64_t> names;
  LaneAddresses result;
  for (const auto& cell : access.lanes) {
    if (!cell) result.push_back(std::nullopt);
    else result.push_back(names.try_emplace(*cell, static_cast<std::int64_t>(names.size())).first->second);
  }
  return result;
}

std::vector<Phase> phases_of(const TileProblem& problem) {
  std::map<std::tuple<int, int, std::optional<std::int64_t>, std::vector<TileCell>>, double> weights;
  for (const TileAccess& access : problem.accesses)
    for (const std::vector<int>& lanes :
         swizzle::phases_of(problem.memory, access.operation, access.bits, names_of(access))) {
      std::vector<TileCell> cells;
      for (const int lane : lanes) cells.push_back(*access.lanes[static_cast<std::size_t>(lane)]);
      std::sort(cells.begin(), cells.end());
      cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
      weights[{access.bits / 8, access.element_bytes, access.tile_stride, std::move(cells)}] += access.weight;
    }
  std::vector<Phase> phases;
  for (auto& [key, weight] : weights)
    phases.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), std::get<3>(key), weight});
  return phases;
}

// The wavefronts of phases under one layout after another.
class Counter {
 public:
  Counter(const TileProblem& problem, std::vector<Phase> phases)
      : memory_(problem.memory),
        phases_(std::move(phases)),
        row_(static_cast<std::size_t>(problem.rows)),
        counts_(static_cast<std::size_t>(memory_.banks)),
        words_(static_cast<std::size_t>(memory_.banks)) {
    for (Phase& p : phases_) {
      const int bytes = p.bytes * static_cast<int>(p.cells.size());
      p.ideal = std::max(1, (bytes + memory_.banks * memory_.bank_bytes - 1) / (memory_.banks * memory_.bank_bytes));
      ideal_ += p.weight * p.ideal;
    }
  }

  double ideal() const { return ideal_; }

  // What conflicts most under `layout` comes first from now on, so that worse layouts are left early.
  void order_by(const Layout& layout) {
    use(layout);
    std::vector<std::pair<double, std::size_t>> excess;
    for (std::size_t i = 0; i < phases_.size(); ++i)
      excess.emplace_back(-phases_[i].weight * (wavefronts(phases_[i]) - 1), i);
    std::sort(excess.begin(), excess.end());
    std::vector<Phase> sorted;
    for (const auto& [e, i] : excess) sorted.push_back(std::move(phases_[i]));
    phases_ = std::move(sorted);
  }

  // Or anything above `limit`: no phase that is left takes less than its ideal.
  double count(const Layout& layout, double limit) {
    use(layout);
    double total = ideal_;
    for (const Phase& p : phases_) {
      total += p.weight * (wavefronts(p) - p.ideal);
      if (total > limit) break;
    }
    return total;
  }

 private:
  struct Row {
    std::int64_t base;
    int row_xor, turn;
  };

  void use(const Layout& layout) {
    layout_ = &layout;
    size_ = 0;
    for (std::size_t r = 0; r < row_.size(); ++r)
      row_[r] = {static_cast<std::int64_t>(r) * layout.pitch, layout.row_xor.of(static_cast<int>(r)),
                 layout.rotation.factor == 0 ? 0 : layout.rotation.of(static_cast<int>(r))};
  }

  std::int64_t size() {
    if (size_ == 0) size_ = layout_->size();
    return size_;
  }

  std::int64_t address_bytes(const Phase& p, const TileCell& cell) {
    const Row& row = row_[static_cast<std::size_t>(cell.row)];
    int column = (cell.column ^ row.row_xor) + row.turn;
    if (row.turn != 0 && column >= layout_->rotation.width) column -= layout_->rotation.width;
    std::int64_t element = layout_->swizzle.apply(row.base + column);
    if (cell.tile != 0) element += cell.tile * p.tile_stride.value_or(size());
    return element * p.element_bytes + cell.rest_bytes;
  }

  int wavefronts(const Phase& p) { return p.bytes >= memory_.bank_bytes ? whole_words(p) : parts_of_words(p); }

  // Different cells are different words: the fullest group of neighbouring banks.
  int whole_words(const Phase& p) {
    const int group_bytes = p.bytes, groups = std::max(1, memory_.banks * memory_.bank_bytes / group_bytes);
    std::fill(counts_.begin(), counts_.begin() + groups, 0);
    int most = 0;
    for (const TileCell& cell : p.cells)
      most = std::max(most, ++counts_[static_cast<std::size_t>(address_bytes(p, cell) / group_bytes % groups)]);
    return most;
  }

  int parts_of_words(const Phase& p) {
    std::fill(counts_.begin(), counts_.end(), 0);
    int most = 0;
    for (const TileCell& cell : p.cells) {
      const std::int64_t word = address_bytes(p, cell) / memory_.bank_bytes;
      const auto bank = static_cast<std::size_t>(word % memory_.banks);
      auto& words = words_[bank];
      const auto end = words.begin() + counts_[bank];
      if (std::find(words.begin(), end, word) != end) continue;
      *end = word;
      most = std::max(most, ++counts_[bank]);
    }
    return most;
  }

  const SharedMemoryModel& memory_;
  std::vector<Phase> phases_;
  std::vector<Row> row_;
  std::vector<int> counts_;                          // by bank, or by group of banks
  std::vector<std::array<std::int64_t, 64>> words_;  // by bank: a phase has no more lanes
  const Layout* layout_ = nullptr;
  std::int64_t size_ = 0;
  double ideal_ = 0;
};

}  // namespace

LayoutShape shape_of(const TileProblem& problem) {
  LayoutShape shape{problem.rows,    problem.columns, 0, 1, problem.memory.banks * problem.memory.bank_bytes,
                    problem.capacity};
  for (const TileAccess& access : problem.accesses) {
    shape.element_bytes =
        shape.element_bytes == 0 ? access.element_bytes : std::min(shape.element_bytes, access.element_bytes);
    shape.together = std::max(shape.together, elements_of(access));
  }
  if (shape.element_bytes == 0) shape.element_bytes = problem.memory.bank_bytes;
  return shape;
}

LaneAddresses addresses_of(const TileAccess& access, const Layout& layout) {
  const std::int64_t stride = access.tile_stride.value_or(layout.size());
  LaneAddresses addresses;
  for (const auto& cell : access.lanes) {
    if (!cell) addresses.push_back(std::nullopt);
    else
      addresses.push_back((cell->tile * stride + layout.address(cell->row, cell->column)) * access.element_bytes +
                          cell->rest_bytes);
  }
  return addresses;
}

bool is_aligned(const TileProblem& problem) {
  for (const TileAccess& access : problem.accesses) {
    const int elements = elements_of(access);
    for (const auto& cell : access.lanes)
      if (cell && elements > 1 &&
          (cell->rest_bytes != 0 || cell->column % elements != 0 || cell->column + elements > problem.columns))
        return false;
  }
  return true;
}

bool keeps_together(const TileProblem& problem, const Layout& layout) {
  for (const TileAccess& access : problem.accesses) {
    const int elements = elements_of(access);
    for (const auto& cell : access.lanes) {
      if (!cell || elements == 1) continue;
      const std::int64_t first = layout.address(cell->row, cell->column);
      if (first % elements != 0) return false;
      for (int i = 1; i < elements; ++i)
        if (layout.address(cell->row, cell->column + i) != first + i) return false;
    }
  }
  return true;
}

std::optional<LayoutChoice> search_layout(const TileProblem& problem, const Deadline& deadline) {
  if (!problem.given) return search_layout(problem, layouts_of(shape_of(problem)), deadline);
  const Layout& given = *problem.given;
  if (problem.capacity && given.extent() > *problem.capacity) return std::nullopt;
  return search_layout(problem, {{given, given.integer_ops(), given.size()}}, deadline);
}

std::optional<LayoutChoice> search_layout(const TileProblem& problem, const std::vector<RankedLayout>& members,
                                          const Deadline& deadline) {
  Counter counter(problem, phases_of(problem));
  std::optional<LayoutChoice> best;
  std::size_t tried = 0;
  for (const RankedLayout& member : members) {
    if (best && best->wavefronts <= counter.ideal() + kWavefrontTolerance) break;
    if (best && deadline.passed()) {
      best->exhausted = false;
      break;
    }
    ++tried;
    const double limit = best ? best->wavefronts - kWavefrontTolerance : std::numeric_limits<double>::infinity();
    const double count = counter.count(member.layout, limit);
    if (count > limit) continue;
    if (!best) counter.order_by(member.layout);
    best = LayoutChoice{member.layout, count, counter.ideal(), members.size(), 0, true};
  }
  if (best) best->tried = tried;
  return best;
}

}  // namespace swizzle
