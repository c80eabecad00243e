#include "synth/proof/expected_stores.h"

#include <algorithm>
#include <utility>

namespace swizzle {

static constexpr std::size_t kIterationsAtOnce = 256;
static constexpr int kMostConditions = 1024;  // under which one element is known to be read: others are left out

std::optional<Split> ExpectedStores::add() {
  if (here_.region.numbered && here_.region.numbered->is_beyond) return std::nullopt;
  for (const LoopNest& nest : iterations_.nests)
    if (const auto split = add(nest)) return split;
  return std::nullopt;
}

// What the spec stores in the iterations of the region's block, which run side by side.
std::optional<Split> ExpectedStores::add(const LoopNest& nest) {
  std::vector<std::int64_t> offset(nest.shared.size(), 0), count;
  for (const SharedLoop& shared : nest.shared)
    count.push_back(shared.share / (here_.region.is_sliced(shared.dimension) ? here_.region.warps() : 1));
  SpecRun run{iterations_.loops, iterations_.shared_loops(), std::map<StmtId, std::vector<Polynomial>>(), {}, {}};
  std::vector<std::int64_t> side_by_side = count;
  if (nest.is_sequence) {
    run.sequence = nest.loops.back();
    run.sequence_length = std::exchange(side_by_side.back(), 1);
  }
  for (bool is_more = true; is_more;) {
    if (const auto split = enter(nest, offset, count, run)) return split;
    if (!reason_.empty()) return std::nullopt;
    std::size_t k = 0;
    while (k < offset.size() && ++offset[k] == side_by_side[k]) offset[k++] = 0;
    is_more = k < offset.size();
    if (run.where.empty() || (is_more && run.where.size() < kIterationsAtOnce)) continue;
    if (deadline_.passed()) return give_up("there was no time to look at all cases"), std::nullopt;
    if (const auto split = execute(nest, run)) return split;
    run.iterations->clear();
    run.where.clear();
  }
  return std::nullopt;
}

// The iteration of the nest that is at `offset` in the share of the block, or of the warp, where there is one.
std::optional<Split> ExpectedStores::enter(const LoopNest& nest, const std::vector<std::int64_t>& offset,
                                           const std::vector<std::int64_t>& count, SpecRun& run) {
  std::vector<Polynomial> iteration;
  const auto in_iteration = [&](std::size_t carried) {
    Polynomial p = here_.region.carried[carried];
    for (std::size_t k = 0; k < iteration.size(); ++k) p = p.with(nest.shared[k].iteration, iteration[k]);
    return p;
  };
  Value where = kEverywhere;
  for (std::size_t d = 0; d < kPositions && nest.is_of_first_blocks && where != kNowhere; ++d)
    if (d != kTurns && here_.region.grid[d].value() != 1)
      if (const auto split = narrow(where, Polynomial(0) - here_.region.block[d])) return split;
  for (std::size_t k = 0; k < offset.size() && where != kNowhere; ++k) {
    const SharedLoop& shared = nest.shared[k];
    Polynomial index(offset[k]);
    if (shared.dimension == kNumber)
      index = here_.region.numbered->looked_at[static_cast<std::size_t>(offset[k])].number;
    else if (shared.dimension != kEachBlock)
      index = index + here_.region.block[shared.dimension] * Polynomial(shared.share);
    if (here_.region.is_sliced(shared.dimension)) index = index + here_.region.warp * Polynomial(count[k]);
    const Polynomial here_is = index - in_iteration(shared.first);
    for (const Polynomial& at_least_0 : {here_is, in_iteration(shared.count) - here_is - Polynomial(1)})
      if (const auto split = narrow(where, at_least_0)) return split;
    iteration.push_back(here_is);
  }
  if (!reason_.empty() || where == kNowhere) return std::nullopt;
  for (std::size_t k = 0; k < offset.size(); ++k)
    (*run.iterations)[nest.shared[k].loop].push_back(std::move(iteration[k]));
  run.where.push_back(where);
  return std::nullopt;
}

// Where p is at least 0, too.
std::optional<Split> ExpectedStores::narrow(Value& where, const Polynomial& p) {
  Split split;
  auto is_so = here_.region.is_at_least_0(p, split);
  if (!is_so && here_.guards().follows(p, here_.guards().assumed(), here_.region)) is_so = true;
  if (!is_so && split.atom == 0) return give_up("an index is too large to be followed"), std::nullopt;
  if (!is_so && !here_.region.is_guarded(split.atom)) return split;
  if (is_so == false) where = kNowhere;
  if (!is_so) where = here_.guards().both(where, here_.guards().at_least_0(p));
  return std::nullopt;
}

std::optional<Split> ExpectedStores::execute(const LoopNest& nest, const SpecRun& run) {
  const SymbolicOutcome spec =
      run_symbolically(spec_, here_.region, here_.elements, here_.spec_sizes, &run, nullptr, deadline_);
  if (spec.split) return spec.split;
  if (!spec.reason.empty()) return give_up("of the spec: " + spec.reason), std::nullopt;
  if (iterations_.store_to_any(spec.trace.gathered))
    return give_up("data decide what is read where others store"), std::nullopt;
  Guards& guards = here_.guards();
  for (const StoredSymbol& store : spec.trace.stores) {
    if (store.loops != nest.loops) continue;
    if (deadline_.passed()) return give_up("there was no time to look at all cases"), std::nullopt;
    Expected& at = here_.expected[store.buffer][store.slot];
    const bool hides = at.where == kNowhere || store.where == at.where || store.where == kEverywhere;
    at.value = hides ? store.value : here_.elements.provenance().select(store.where, store.value, at.value);
    at.where = guards.either(at.where, store.where);
  }
  for (const UpdatedSymbol& update : spec.trace.updates)
    if (update.loops == nest.loops) here_.updates.push_back(update);
  std::unordered_map<const Value*, int> conditions;
  const auto touch = [&](std::size_t buffer, const Polynomial& slot, Value by) {
    Value& where = here_.extents[buffer].touched.try_emplace(slot, kNowhere).first->second;
    if (where == by || ++conditions[&where] > kMostConditions) return;
    where = guards.weaker(where, by, here_.region);
  };
  for (const Touched& read : spec.trace.reads) {
    if (iterations_.is_given[read.buffer] || is_inside(read)) continue;
    if (deadline_.passed()) return give_up("there was no time to look at all cases"), std::nullopt;
    touch(read.buffer, read.slot, read.where);
  }
  for (const StoredSymbol& store : spec.trace.stores)
    if (store.loops == nest.loops && !iterations_.is_given[store.buffer]) touch(store.buffer, store.slot, store.where);
  large_.insert(large_.end(), spec.trace.large.begin(), spec.trace.large.end());
  return std::nullopt;
}

// Wherever it is read: an end that the buffer has in all cases is behind it.
bool ExpectedStores::is_inside(const Touched& read) const {
  const SizeRegion& region = here_.region;
  return region.least(read.slot).value_or(-1) >= 0 &&
         std::ranges::any_of(iterations_.ends[read.buffer], [&](const BufferEnd& end) {
           return end.holds(region) &&
                  region.least(region.carried[end.end] - read.slot - Polynomial(1)).value_or(-1) >= 0;
         });
}

}  // namespace swizzle
