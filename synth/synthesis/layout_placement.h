// Layouts for the tiles of a sketch, once everything else is decided.
//
//   auto L = ?sw_layout(32, 32);   tile[L(warp, lane)] = x[…];   y[…] = tile[L(lane, warp)];
//   completion of the other holes ─► which cells each access uses ─► search_layout(): r * 33 + c, 1 wavefront an access
//
// Where other holes decide cells, or words of an array without a layout, each completion of them has wavefronts of its
// own: place() is asked for one after another.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "synth/layouts/layout_search.h"
#include "synth/layouts/placement.h"
#include "synth/problem/problem.h"

namespace swizzle {

// Where the lanes' words of `problem.shared_accesses` lie depends on points, not only on layouts.
bool depends_on_points(const Problem& problem);

// No completion needs fewer for them: one for each phase, of which those of a wide load may merge.
double least_wavefronts(const Problem& problem, const SharedMemoryModel& memory);
double least_wavefronts_of(const Problem& problem, const SharedAccess& access, const SharedMemoryModel& memory);

// Of a lane whose word is decided: bytes, where it is not behind a layout; nothing, if it is inactive.
std::optional<std::int64_t> shared_address(const Problem& problem, const SharedAccess& access, Value lane);
bool is_behind_layout(const Problem& problem, const SharedAccess& access, Value lane);

class LayoutPlacement {
 public:
  LayoutPlacement(const Program& sketch, Problem& problem, SharedMemoryModel memory)
      : sketch_(sketch),
        problem_(problem),
        memory_(std::move(memory)) {}

  // Nothing: reason() says why.
  std::optional<Placement> place(const std::vector<HoleTable>& tables, const Deadline& deadline = {});
  // What each layout has to serve then, by LayoutId; nothing where place() gives nothing.
  std::vector<TileProblem> tiles(const std::vector<HoleTable>& tables);
  const std::string& reason() const { return reason_; }

 private:
  bool collect(const Assignment& assignment);
  const std::vector<RankedLayout>& members_of(std::size_t layout);
  bool give(TileProblem& tile, const TileLayout& named);
  bool choose(Placement& placement, const Deadline& deadline);
  void count(Placement& placement) const;
  TileAccess tile_access(const SharedAccess& access, const std::vector<Value>& lanes, LayoutId layout);
  std::string where(SourceRange range) const;

  // An access with every lane decided: through a layout, or not.
  struct Decided {
    const SharedAccess* access = nullptr;
    LayoutId layout;
    TileAccess tile;
    LaneAddresses addresses;
  };

  const Program& sketch_;
  Problem& problem_;
  SharedMemoryModel memory_;
  std::vector<Decided> decided_;
  std::vector<TileProblem> tiles_;                                                          // by LayoutId
  std::vector<std::optional<std::pair<LayoutShape, std::vector<RankedLayout>>>> families_;  // by LayoutId
  std::string reason_;
};

}  // namespace swizzle
