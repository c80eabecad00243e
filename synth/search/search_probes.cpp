// Tables that are looked at before they are tried, and holes that may change places.
#include "synth/search/search.h"

#include <algorithm>

namespace swizzle {

void Search::probe(std::vector<HoleState>& open) {
  constexpr std::size_t kMostProbes = 64;
  std::vector<std::size_t> done;
  for (HoleState& state : open) {
    if (contains(done, state.hole)) continue;
    const std::vector<std::size_t> alike = images(open, state.hole);
    done.insert(done.end(), alike.begin(), alike.end());
    state.looseness = looseness(state.hole);
    for (std::size_t probes = 0; !out_of_time();) {
      CostClass next =
          classes_->next(state.hole, state.from, costs_.unit(state.hole) * 8, state.cheaper + kFewTables, *propagator_);
      if (next.rank == kInfinity && !findings_.excluded) findings_.excluded = state.hole;
      const std::size_t listed = next.tables.size();
      probes += listed;
      if (!next.tables.empty() && probes <= kMostProbes)
        std::erase_if(next.tables, [&](const HoleTable& table) {
          const Propagator::Mark mark = propagator_->mark();
          const bool stands = !propagator_->refutes_at_once(problem_.holes[state.hole], table) &&
                              fix(state.hole, table) && !propagator_->propagate_briefly();
          propagator_->undo(mark);
          return !stands;
        });
      const bool refuted = next.tables.empty() && next.rank != kInfinity && probes > 0 && probes <= kMostProbes &&
                           !next.beyond && !next.many;
      if (refuted) {
        state.from = costs_.above(state.hole, next.rank);
        state.cheaper += listed;
        state.least = classes_->least_price(state.hole, state.from, *propagator_);
      } else {
        state.next = std::make_shared<CostClass>(std::move(next));
        state.least = least_of(state);
      }
      if (!refuted) break;
    }
    copy_to(alike, state, open);
    if (node_->bound() >= best_ - kCostTolerance) return;
  }
}

void Search::copy_to(const std::vector<std::size_t>& images, const HoleState& state, std::vector<HoleState>& open) {
  for (HoleState& image : open) {
    if (!contains(images, image.hole)) continue;
    image.from = state.from;
    image.cheaper = state.cheaper;
    image.next = state.next;
    image.least = state.least;
    image.looseness = looseness(image.hole);
    node_->know(image);
  }
}

bool Search::look_around(std::vector<HoleState>& open, std::size_t hole, std::size_t limit) {
  bool raised = false;
  std::vector<std::size_t> done = images(open, hole);
  for (HoleState& state : open) {
    if (contains(done, state.hole) || state.kept) continue;
    const std::vector<std::size_t> alike = images(open, state.hole);
    done.insert(done.end(), alike.begin(), alike.end());
    while (state.next && !state.next->beyond && !state.next->many && state.next->tables.size() <= kFewTables &&
           node_->bound() < best_ - kCostTolerance) {
      const bool some = std::any_of(state.next->tables.begin(), state.next->tables.end(), [&](const HoleTable& table) {
        if (limit == 0 || out_of_time()) return true;
        --limit;
        const Propagator::Mark mark = propagator_->mark();
        const bool stands = !propagator_->refutes_at_once(problem_.holes[state.hole], table) &&
                            fix(state.hole, table) && !propagator_->propagate();
        propagator_->undo(mark);
        return stands;
      });
      if (some) break;
      raised = true;
      state.from = costs_.above(state.hole, state.next->rank);
      state.cheaper += state.next->tables.size();
      state.next = std::make_shared<CostClass>(
          classes_->next(state.hole, state.from, best_, state.cheaper + kFewTables, *propagator_));
      state.looseness = looseness(state.hole);
      state.least = least_of(state);
      node_->know(state);
    }
    copy_to(alike, state, open);
  }
  return raised;
}

std::vector<std::size_t> Search::images(const std::vector<HoleState>& open, std::size_t hole) const {
  std::vector<std::size_t> images{hole};
  for (std::size_t i = 0; i < images.size(); ++i)
    for (const VariableSymmetry& e : symmetries_)
      if (!contains(images, e[images[i]]) && keeps(e, open)) images.push_back(e[images[i]]);
  return images;
}

bool Search::keeps(const VariableSymmetry& e, const std::vector<HoleState>& open) const {
  for (const auto& [hole, table] : chosen_) {
    const auto other =
        std::find_if(chosen_.begin(), chosen_.end(), [&, h = hole](const auto& c) { return c.first == e[h]; });
    if (other == chosen_.end() || other->second->values != table->values) return false;
  }
  return std::all_of(open.begin(), open.end(), [&](const HoleState& state) {
    if (e[state.hole] == state.hole) return !state.kept;
    const auto other =
        std::find_if(open.begin(), open.end(), [&](const HoleState& s) { return s.hole == e[state.hole]; });
    return other != open.end() && !state.kept && other->from == state.from;
  });
}

bool Search::contains(const std::vector<std::size_t>& holes, std::size_t hole) {
  return std::find(holes.begin(), holes.end(), hole) != holes.end();
}

}  // namespace swizzle
