// The tables of one hole, tried on a node.
#include "synth/search/search.h"

#include <algorithm>
#include <span>

#include "synth/tables/table_groups.h"

namespace swizzle {
namespace {

using Tables = std::vector<const HoleTable*>;

constexpr std::size_t kFewToTry = 4;

Tables joined(std::span<const Tables> groups) {
  Tables all;
  for (const Tables& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

// The open holes, of which one is to have one of these tables.
std::vector<HoleState> with_tables(HoleState state, const CostClass& from, const std::vector<const HoleTable*>& tables,
                                   std::vector<HoleState> rest) {
  auto next = std::make_shared<CostClass>();
  next->rank = from.rank;
  next->price = state.least = from.price;
  next->forced = true;
  for (const HoleTable* table : tables) next->tables.push_back(*table);
  state.next = std::move(next);
  state.kept = true;
  state.tried = nullptr;  // these were only going to be
  rest.push_back(std::move(state));
  return rest;
}

}  // namespace

bool Search::dividing_pays() {
  constexpr std::size_t kRecently = 64, kSeldom = 8;
  if (passed_ > kRecently) {
    passed_ /= 2;
    refuted_ /= 2;
  }
  return passed_ < kRecently / 2 || passed_ < kSeldom * refuted_;
}

void Search::try_tables(const HoleState& state, const CostClass& from, const std::vector<const HoleTable*>& tables,
                        const std::vector<HoleState>& rest) {
  const KnownCosts known = node_->known();
  node_->know(state.hole, from.price, from.rank);
  const auto at_root = propagator_->mark();
  if (tables.size() <= kFewToTry || (tables.size() <= kFewTables && !dividing_pays())) {
    for (std::size_t t = 0; t < tables.size(); ++t) {
      const HoleTable& table = *tables[t];
      chosen_.emplace_back(state.hole, std::make_shared<const HoleTable>(table));
      node_->know(state.hole, table);
      if (choose(state.hole, table, rest)) expand(rest);
      chosen_.pop_back();
      node_->know(known);
      node_->know(state.hole, from.price, from.rank);
      propagator_->undo(at_root);
      if (!enough()) continue;
      leave(state, from, {tables.begin() + static_cast<std::ptrdiff_t>(t) + 1, tables.end()}, rest);
      break;
    }
  } else {
    const auto [position, groups] = divide(
        tables, [&](std::size_t p) { return propagator_->conflict_weight(problem_.holes[state.hole].points[p]); });
    std::size_t done = 0;
    for (const std::vector<const HoleTable*>& group : groups) {
      ++done;
      if (domains_.fix(problem_.holes[state.hole].points[position], group.front()->values[position])) {
        const auto conflict = propagator_->propagate();
        ++(conflict ? refuted_ : passed_);
        if (!conflict) try_tables(state, from, group, rest);
        else if (conflict->interrupted && !findings_.timed_out)
          keep_for_later(node_->last_bound_with_points(), with_tables(state, from, group, rest));
        else if (!conflict->interrupted && !findings_.deepest) findings_.deepest = conflict;
      }
      propagator_->undo(at_root);
      if (!enough()) continue;
      leave(state, from, joined(std::span(groups).subspan(done)), rest);
      break;
    }
  }
  node_->know(known);
}

void Search::leave(const HoleState& state, const CostClass& from, const std::vector<const HoleTable*>& tables,
                   const std::vector<HoleState>& rest) {
  if (dive_ends() && !tables.empty()) keep_for_later(node_->bound(), with_tables(state, from, tables, rest));
}

bool Search::drop_misfits(HoleState& state) {
  const std::vector<PointId>& points = problem_.holes[state.hole].points;
  auto next = std::make_shared<CostClass>(*state.next);
  std::erase_if(next->tables, [&](const HoleTable& table) {
    for (std::size_t i = 0; i < points.size(); ++i)
      if (!domains_.allows(points[i], table.values[i])) return true;
    return false;
  });
  state.next = std::move(next);
  return !state.next->tables.empty();
}

std::vector<const HoleTable*> Search::different(HoleState& state, const CostClass& tried) const {
  std::vector<const HoleTable*> tables;
  const HoleSpace& space = problem_.holes[state.hole];
  std::vector<std::size_t> asked = tried.tables.size() == 1 || options_.all > 0
                                       ? std::vector<std::size_t>()
                                       : propagator_->relevant_positions(space);
  if (!asked.empty() && costs_.issues().has_joint()) {
    const std::vector<std::size_t>& decides = costs_.issues().asked(state.hole);
    asked.insert(asked.end(), decides.begin(), decides.end());
    std::sort(asked.begin(), asked.end());
    asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  }
  if (asked.empty() || asked.size() == space.points.size()) {
    for (const HoleTable& t : tried.tables) tables.push_back(&t);
    return tables;
  }
  auto seen = state.tried ? std::make_shared<std::map<std::vector<std::int16_t>, double>>(*state.tried)
                          : std::make_shared<std::map<std::vector<std::int16_t>, double>>();
  std::map<std::vector<std::int16_t>, const HoleTable*> cheapest;
  for (const HoleTable& t : tried.tables) {
    std::vector<std::int16_t> values(t.values.size(), -1);
    for (std::size_t position : asked) values[position] = t.values[position];
    const double price = costs_.price(state.hole, t);
    const auto [before, fresh] = seen->try_emplace(values, price);
    if (!fresh && before->second <= price + kCostTolerance) continue;
    before->second = price;
    cheapest[std::move(values)] = &t;
  }
  for (const HoleTable& t : tried.tables)
    if (std::ranges::any_of(cheapest, [&](const auto& c) { return c.second == &t; })) tables.push_back(&t);
  state.tried = std::move(seen);
  return tables;
}

}  // namespace swizzle
