#include "synth/propagator.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace swizzle {
namespace {

constexpr double kTolerance = 1e-9;

bool holds(const Path& path, const Domains& domains) {
  return std::all_of(path.begin(), path.end(), [&](const auto& step) { return domains.allows(step.first, step.second); });
}

using Word = std::uint64_t;

// Masks of `words` words: a ∩ b ≠ ∅, a ⊄ b, |a|.
bool meets(const Word* a, const Word* b, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i)
    if ((a[i] & b[i]) != 0) return true;
  return false;
}

bool exceeds(const Word* a, const Word* b, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i)
    if ((a[i] & ~b[i]) != 0) return true;
  return false;
}

int size(const Word* mask, std::size_t words) {
  int count = 0;
  for (std::size_t i = 0; i < words; ++i) count += std::popcount(mask[i]);
  return count;
}

std::vector<std::size_t> all_positions(const HoleSpace& space) {
  std::vector<std::size_t> positions(space.points.size());
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  return positions;
}

double brought(const Option& option, std::uint32_t monomial) {
  double amount = 0;
  for (const Contribution& c : option.brings)
    if (c.monomial == monomial) amount += c.amount;
  return amount;
}

bool same_contribution(const Option& a, const Option& b) {
  return std::equal(a.brings.begin(), a.brings.end(), b.brings.begin(), b.brings.end(),
                    [](const Contribution& x, const Contribution& y) { return x.monomial == y.monomial && x.amount == y.amount; });
}

// One fetch for one monomial, which is all that its alternatives are, with the coefficient that is needed.
bool is_single(const Cluster& cluster) {
  if (cluster.tuples.size() != 1 || cluster.monomials.size() != 1 || cluster.offers.size() != 1) return false;
  const Cluster::Offer& offer = cluster.offers[0];
  return cluster.tuples[0].factors.size() == 1 && cluster.tuples[0].fixed.empty() && offer.guard.empty() &&
         (cluster.masks[offer.fits][0] & cluster.tuples[0].fits[0] & 1) != 0;
}

}  // namespace

Propagator::Propagator(const Network& network, const Problem& problem, Domains& domains)
    : network_(network), domains_(domains), problem_(problem), fetches_(network, domains), nonzero_(problem.holes.size(), 0) {
  extend();
}

void Propagator::watch(PointId point, std::uint32_t constraint) {
  for (std::vector<std::uint32_t>* to : {&watchers_[point.value].constraints, &hole_watchers_[problem_.points[point].hole.value].constraints})
    if (to->empty() || to->back() != constraint) to->push_back(constraint);
}

void Propagator::extend() {
  watchers_.resize(domains_.points());
  hole_watchers_.resize(problem_.holes.size());
  const auto add_list = [&](std::size_t items) {
    LiveList list;
    list.live = items;
    for (std::size_t i = 0; i < items; ++i) list.order.push_back(static_cast<std::uint32_t>(i));
    lists_.push_back(std::move(list));
  };
  fetches_.extend();
  for (; watched_fetches_ < network_.fetches.size(); ++watched_fetches_) {
    const auto id = static_cast<std::uint32_t>(watched_fetches_);
    const std::vector<PointId>& points = network_.fetches[id].points;
    for (std::uint32_t local = 0; local < points.size(); ++local) {
      watchers_[points[local].value].fetches.emplace_back(id, local);
      auto& of_hole = hole_watchers_[problem_.points[points[local]].hole.value].fetches;
      if (of_hole.empty() || of_hole.back().first != id) of_hole.emplace_back(id, 0);
    }
  }
  while (fetches_of_.size() < network_.clusters.size()) {
    const auto id = static_cast<std::uint32_t>(fetches_of_.size());
    const Cluster& cluster = network_.clusters[id];
    fetches_of_.emplace_back();
    for (const Cluster::Tuple& tuple : cluster.tuples)
      for (const Cluster::Factor& factor : tuple.factors) fetches_of_.back().push_back(factor.fetch);
    std::sort(fetches_of_.back().begin(), fetches_of_.back().end());
    fetches_of_.back().erase(std::unique(fetches_of_.back().begin(), fetches_of_.back().end()), fetches_of_.back().end());
    rivals_of_.push_back(rivals(cluster));
    for (std::uint32_t f : fetches_of_.back())
      for (PointId p : network_.fetches[f].points) watch(p, id * 2);
    for (const Cluster::Offer& offer : cluster.offers)
      for (const auto& [point, value] : offer.guard) watch(point, id * 2);
    queued_clusters_.push_back(1);
    queue_.push_back(id * 2);
  }
  while (goal_list_.size() < network_.goals.size()) {
    const auto id = static_cast<std::uint32_t>(goal_list_.size());
    goal_list_.push_back(lists_.size());
    for (const GoalTerm& term : network_.goals[id].terms) {
      add_list(term.options.size());
      for (const Option& option : term.options)
        for (const auto& [point, value] : option.path) watch(point, id * 2 + 1);
    }
    queued_goals_.push_back(1);
    queue_.push_back(id * 2 + 1);
  }
}

void Propagator::add_table(const HoleSpace& space, std::shared_ptr<const TableList> list) {
  auto table = std::make_unique<CompactTable>(space, std::move(list));
  listed_.push_back(table.get());
  add_constraint(std::move(table));
}

void Propagator::add_table(const HoleSpace& space, std::shared_ptr<const TransformFamilies> families) {
  listed_.push_back(nullptr);
  add_constraint(std::make_unique<TransformTable>(space, std::move(families)));
}

void Propagator::add_constraint(std::unique_ptr<HoleConstraint> constraint) {
  const auto id = static_cast<std::uint32_t>(tables_.size());
  const HoleSpace& space = constraint->space();
  tables_.push_back(std::move(constraint));
  queued_tables_.push_back(1);
  (listed_[id] ? table_queue_ : family_queue_).push_back(id);
  table_at_.resize(domains_.points(), {~0u, 0});
  for (std::size_t p = 0; p < space.points.size(); ++p) table_at_[space.points[p].value] = {id, p};
}

const CompactTable* Propagator::table_of(const HoleSpace& space) const {
  if (space.points.empty() || space.points[0].value >= table_at_.size()) return nullptr;
  const std::uint32_t id = table_at_[space.points[0].value].first;
  return id == ~0u ? nullptr : listed_[id];
}

void Propagator::note_change(PointId point) {
  if (domains_.count(point) > 0 && !domains_.allows(point, 0)) {
    const std::size_t hole = problem_.points[point].hole.value;
    if (nonzero_[hole] == 0) nonzero_trail_.push_back(hole);
    nonzero_[hole] = 1;
  }
  if (point.value < table_at_.size() && table_at_[point.value].first != ~0u) {
    const auto [id, position] = table_at_[point.value];
    tables_[id]->note_changed(position);
    if (queued_tables_[id] == 0) (listed_[id] ? table_queue_ : family_queue_).push_back(id);
    queued_tables_[id] = 1;
  }
}

void Propagator::wake(const std::vector<std::uint32_t>& constraints) {
  for (std::uint32_t constraint : constraints) {
    std::uint8_t& queued = (constraint % 2 == 0 ? queued_clusters_ : queued_goals_)[constraint / 2];
    if (queued == 0) queue_.push_back(constraint);
    queued = 1;
  }
}

// Where many points of one hole changed, all that watch the hole are woken at once.
void Propagator::wake_changed() {
  const std::vector<PointId>& changed = domains_.changed();
  const auto wake_point = [&](const Watchers& watchers) {
    for (const auto& [fetch, local] : watchers.fetches) fetches_.mark_stale(fetch, local);
    wake(watchers.constraints);
  };
  if (changed.size() < kMany) {
    for (PointId p : changed) {
      note_change(p);
      wake_point(watchers_[p.value]);
    }
  } else {
    std::vector<std::size_t> count(problem_.holes.size(), 0);
    for (PointId p : changed) ++count[problem_.points[p].hole.value];
    for (PointId p : changed) {
      note_change(p);
      if (count[problem_.points[p].hole.value] < kMany) wake_point(watchers_[p.value]);
    }
    for (std::size_t h = 0; h < count.size(); ++h) {
      if (count[h] < kMany) continue;
      for (const auto& [fetch, unused] : hole_watchers_[h].fetches) fetches_.mark_stale(fetch);
      wake(hole_watchers_[h].constraints);
    }
  }
  domains_.changed().clear();
}

void Propagator::shrink(std::size_t list, std::size_t live) {
  if (lists_[list].live == live) return;
  trail_.emplace_back(static_cast<std::uint32_t>(list), lists_[list].live);
  lists_[list].live = live;
}

template <typename Keep>
void Propagator::filter(std::size_t list, Keep&& keep) {
  LiveList& items = lists_[list];
  std::size_t live = items.live;
  for (std::size_t i = 0; i < live;) {
    if (keep(items.order[i])) ++i;
    else std::swap(items.order[i], items.order[--live]);
  }
  shrink(list, live);
}

void Propagator::undo(Mark mark) {
  domains_.undo(mark.domains);
  fetches_.undo(mark.fetches);
  for (; trail_.size() > mark.trail; trail_.pop_back()) lists_[trail_.back().first].live = trail_.back().second;
  for (; nonzero_trail_.size() > mark.nonzero; nonzero_trail_.pop_back()) nonzero_[nonzero_trail_.back()] = 0;
  for (; table_trail_.size() > mark.tables; table_trail_.pop_back()) tables_[table_trail_.back().id]->restore(table_trail_.back());
}

std::optional<Conflict> Propagator::propagate() {
  std::optional<Conflict> conflict;
  while (!conflict) {
    wake_changed();
    if (table_queue_.empty() && queue_.empty() && family_queue_.empty()) break;
    if (interrupt_ && interrupt_()) {
      conflict.emplace();
      conflict->interrupted = true;
    } else {
      conflict = !table_queue_.empty() ? next_table(table_queue_) : !queue_.empty() ? next_constraint() : next_table(family_queue_);
    }
  }
  for (std::uint32_t c : queue_) (c % 2 == 0 ? queued_clusters_ : queued_goals_)[c / 2] = 0;
  queue_.clear();
  for (std::vector<std::uint32_t>* queue : {&table_queue_, &family_queue_}) {
    for (std::uint32_t t : *queue) {
      queued_tables_[t] = 0;
      tables_[t]->forget_changes();
    }
    queue->clear();
  }
  return conflict;
}

std::optional<Conflict> Propagator::next_table(std::vector<std::uint32_t>& queue) {
  const std::uint32_t id = queue.back();
  queue.pop_back();
  queued_tables_[id] = 0;
  if (tables_[id]->filter(domains_, id, table_trail_)) return std::nullopt;
  Conflict conflict;
  conflict.hole = tables_[id]->space().id;
  return conflict;
}

// What refuted last is asked first.
std::optional<Conflict> Propagator::next_constraint() {
  const auto flag = [&](std::uint32_t c) -> std::uint8_t& { return (c % 2 == 0 ? queued_clusters_ : queued_goals_)[c / 2]; };
  std::uint32_t next = queue_.back();
  const auto recent = std::find_if(recent_.begin(), recent_.end(), [&](std::uint32_t c) { return flag(c) != 0; });
  if (recent != recent_.end()) next = *recent;  // stays in the queue, without its flag
  else queue_.pop_back();
  if (flag(next) == 0) return std::nullopt;
  flag(next) = 0;
  ++visits_;
  auto conflict = next % 2 == 0 ? visit_cluster(next / 2) : visit_goal(next / 2);
  if (conflict) {
    conflicts_.resize(std::max<std::size_t>(conflicts_.size(), next + 1));
    ++conflicts_[next];
    std::erase(recent_, next);
    recent_.insert(recent_.begin(), next);
    if (recent_.size() > kRecent) recent_.pop_back();
  }
  return conflict;
}

// --- clusters

std::optional<Conflict> Propagator::visit_cluster(std::size_t index) {
  const Cluster& cluster = network_.clusters[index];
  const std::size_t words = cluster.words;
  Conflict conflict;
  conflict.equation = cluster.goals[0].equation;
  conflict.cluster = index;
  for (std::uint32_t f : fetches_of_[index])
    if (!fetches_.refresh(f)) return conflict;
  if (is_single(cluster)) {
    if (!fetches_.project(fetches_of_[index][0])) return conflict;
    return std::nullopt;
  }
  if (!separate(rivals_of_[index])) return conflict;
  find_what_fits(cluster);
  if (!settle(cluster)) return conflict;
  for (std::size_t t = 0; t < cluster.tuples.size(); ++t)
    for (const Cluster::Factor& factor : cluster.tuples[t].factors)
      if (narrowed_[t] != 0 && !fetches_.restrict(factor.fetch, factor.serves, &may_[t * words], words)) return conflict;
  for (std::uint32_t f : fetches_of_[index])
    if (!fetches_.project(f)) return conflict;
  if (!decide_guards(cluster)) return conflict;
  return std::nullopt;
}

// Fetches that two tuples differ in, and in nothing else: they cannot be the same leaf.
std::vector<std::pair<std::uint32_t, std::uint32_t>> Propagator::rivals(const Cluster& cluster) {
  std::map<std::pair<std::vector<std::uint32_t>, std::vector<NodeId>>, std::vector<std::uint32_t>> by_rest;
  for (const Cluster::Tuple& tuple : cluster.tuples)
    for (std::size_t i = 0; i < tuple.factors.size() && tuple.factors.size() > 1; ++i) {
      std::vector<std::uint32_t> rest;
      for (std::size_t j = 0; j < tuple.factors.size(); ++j)
        if (j != i) rest.push_back(tuple.factors[j].fetch);
      std::sort(rest.begin(), rest.end());
      by_rest[{rest, tuple.fixed}].push_back(tuple.factors[i].fetch);
    }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const auto& [rest, fetches] : by_rest)
    for (std::size_t i = 0; i < fetches.size(); ++i)
      for (std::size_t j = i + 1; j < fetches.size(); ++j) pairs.emplace_back(std::minmax(fetches[i], fetches[j]));
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

bool Propagator::separate(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& rivals) {
  for (const auto& [a, b] : rivals)
    for (const auto& [known, other] : {std::pair{a, b}, std::pair{b, a}})
      if (const auto leaf = fetches_.only_leaf(known))
        if (!fetches_.drop(other, network_.fetches[known].leaves[*leaf])) return false;
  return true;
}

// may_: by tuple, the monomials that its live factors and its decided guards allow.
// narrowed_: by tuple, whether that is less than what some factor reaches.
void Propagator::find_what_fits(const Cluster& cluster) {
  const std::size_t words = cluster.words;
  may_.clear();
  narrowed_.clear();
  for (const Cluster::Tuple& tuple : cluster.tuples) {
    may_.insert(may_.end(), tuple.fits.begin(), tuple.fits.end());
    Word* mine = &may_[may_.size() - words];
    for (const Cluster::Factor& factor : tuple.factors) {
      reach_.assign(words, 0);
      fetches_.reach(factor.fetch, factor.serves, reach_.data(), words);
      for (std::size_t w = 0; w < words; ++w) mine[w] &= reach_[w];
    }
    narrowed_.push_back(tuple.factors.size() > 1 || exceeds(reach_.data(), mine, tuple.factors.empty() ? 0 : words));
  }
  for (const Cluster::Offer& offer : cluster.offers) {
    Word* mask = &may_[offer.tuple * words];
    const Mask& needs = cluster.goals[offer.goal].needs;
    const Mask& fits = cluster.masks[offer.fits];
    const bool off = !holds(offer.guard, domains_);
    const bool on = !off && std::all_of(offer.guard.begin(), offer.guard.end(), [&](const auto& step) { return domains_.count(step.first) == 1; });
    for (std::size_t w = 0; w < words && (on || off); ++w) {
      const Word kept = mask[w] & (on ? fits[w] : ~needs[w]);
      narrowed_[offer.tuple] |= kept != mask[w];
      mask[w] = kept;
    }
  }
}

// Tuples that may be the same few monomials share them out among themselves, if they are as many: the others must do
// without. False: there are more of them. Sets `again` where something changed.
bool Propagator::share_out(const Cluster& cluster, bool& again) {
  const std::size_t words = cluster.words, tuples = cluster.tuples.size();
  by_mask_.resize(tuples);
  std::iota(by_mask_.begin(), by_mask_.end(), 0u);
  const auto mask = [&](std::uint32_t t) { return &may_[t * words]; };
  const auto less = [&](std::uint32_t a, std::uint32_t b) { return std::lexicographical_compare(mask(a), mask(a) + words, mask(b), mask(b) + words); };
  std::sort(by_mask_.begin(), by_mask_.end(), less);
  for (std::size_t first = 0, end; first < tuples; first = end) {
    const Word* shared = mask(by_mask_[first]);
    for (end = first + 1; end < tuples && std::equal(shared, shared + words, mask(by_mask_[end]));) ++end;
    const auto monomials = static_cast<std::size_t>(size(shared, words));
    if (end - first > monomials) return false;
    if (end - first < monomials || monomials == 1) continue;
    for (std::size_t i = 0; i < tuples; ++i) {
      Word* other = mask(by_mask_[i]);
      if ((i >= first && i < end) || !meets(other, shared, words)) continue;
      again = true;
      narrowed_[by_mask_[i]] = 1;
      for (std::size_t w = 0; w < words; ++w) other[w] &= ~shared[w];
    }
    if (again) return true;
  }
  return true;
}

// Each tuple is one monomial and each monomial one tuple: singles, naked and hidden, until nothing changes.
bool Propagator::settle(const Cluster& cluster) {
  const std::size_t words = cluster.words, tuples = cluster.tuples.size();
  Mask once(words), twice(words), hidden(words), taken(words);
  for (bool again = true; again;) {
    again = false;
    std::fill(taken.begin(), taken.end(), 0);
    std::fill(once.begin(), once.end(), 0);
    std::fill(twice.begin(), twice.end(), 0);
    for (std::size_t t = 0; t < tuples; ++t) {
      const Word* mine = &may_[t * words];
      const int left = size(mine, words);
      if (left == 0) return false;
      if (left > 1) continue;
      if (meets(taken.data(), mine, words)) return false;
      for (std::size_t w = 0; w < words; ++w) taken[w] |= mine[w];
    }
    for (std::size_t t = 0; t < tuples; ++t) {
      Word* mine = &may_[t * words];
      if (meets(mine, taken.data(), words) && size(mine, words) > 1) {
        again = true;
        narrowed_[t] = 1;
        for (std::size_t w = 0; w < words; ++w) mine[w] &= ~taken[w];
      }
      for (std::size_t w = 0; w < words; ++w) {
        twice[w] |= once[w] & mine[w];
        once[w] |= mine[w];
      }
    }
    if (again) continue;
    if (static_cast<std::size_t>(size(once.data(), words)) < cluster.monomials.size()) return false;
    for (std::size_t w = 0; w < words; ++w) hidden[w] = once[w] & ~twice[w];
    for (std::size_t t = 0; t < tuples; ++t) {
      Word* mine = &may_[t * words];
      if (!meets(mine, hidden.data(), words) || !exceeds(mine, hidden.data(), words)) continue;
      again = true;
      narrowed_[t] = 1;
      for (std::size_t w = 0; w < words; ++w) mine[w] &= hidden[w];
    }
    if (!again && !share_out(cluster, again)) return false;
  }
  return true;
}

void Propagator::name_missing(Conflict& conflict) {
  if (conflict.cluster == Goal::npos) return;
  const Cluster& cluster = network_.clusters[conflict.cluster];
  find_what_fits(cluster);
  for (std::size_t m = 0; m < cluster.monomials.size(); ++m) {
    bool offered = false;
    for (std::size_t t = 0; t < cluster.tuples.size() && !offered; ++t) offered = (may_[t * cluster.words + m / 64] >> (m % 64) & 1) != 0;
    if (offered) continue;
    for (const Cluster::Member& goal : cluster.goals)
      if ((goal.needs[m / 64] >> (m % 64) & 1) != 0) conflict.equation = goal.equation;
    conflict.missing = cluster.names[m];
    return;
  }
}

// A guard holds where its output needs whatever the tuple may be, and fails where it needs none of it.
bool Propagator::decide_guards(const Cluster& cluster) {
  const std::size_t words = cluster.words;
  for (const Cluster::Offer& offer : cluster.offers) {
    if (offer.guard.empty()) continue;
    const Word* needs = cluster.goals[offer.goal].needs.data();
    const Word* may = &may_[offer.tuple * words];
    if (!meets(may, cluster.masks[offer.fits].data(), words)) {
      if (offer.guard.size() != 1) continue;
      const auto [point, value] = offer.guard[0];
      if (!domains_.allows(point, value)) continue;
      supported_.assign(domains_.words(), ~Word{0});
      supported_[static_cast<std::size_t>(value) / 64] &= ~(Word{1} << (value % 64));
      if (!domains_.keep(point, supported_.data())) return false;
    } else if (!exceeds(may, needs, words)) {
      for (const auto& [point, value] : offer.guard)
        if (!domains_.fix(point, value)) return false;
    }
  }
  return true;
}

std::vector<Propagator::Supply> Propagator::supplies() {
  std::vector<Supply> all;
  for (const Cluster& cluster : network_.clusters) {
    find_what_fits(cluster);
    std::vector<std::map<std::size_t, std::size_t>> offered(cluster.goals.size());
    const std::size_t first = all.size();
    for (const Cluster::Member& goal : cluster.goals) all.push_back({static_cast<std::size_t>(size(goal.needs.data(), cluster.words)), {}});
    for (const Cluster::Offer& offer : cluster.offers) {
      if (!meets(&may_[offer.tuple * cluster.words], cluster.masks[offer.fits].data(), cluster.words)) continue;
      if (offer.guard.size() == 1) ++offered[offer.goal][problem_.points[offer.guard[0].first].hole.value];
      else if (all[first + offer.goal].needed > 0) --all[first + offer.goal].needed;
    }
    for (std::size_t g = 0; g < offered.size(); ++g) all[first + g].offered.assign(offered[g].begin(), offered[g].end());
  }
  return all;
}

std::vector<std::size_t> Propagator::asked(const HoleSpace& space) const {
  std::vector<bool> is_asked(domains_.points(), false);
  fetches_.note_asked(is_asked);
  for (const Cluster& cluster : network_.clusters)
    for (const Cluster::Offer& offer : cluster.offers)
      for (const auto& [point, value] : offer.guard) is_asked[point.value] = true;
  for (const Goal& goal : network_.goals)
    for (const GoalTerm& term : goal.terms) {
      if (term.open) return all_positions(space);
      for (const Option& option : term.options)
        for (const auto& [point, value] : option.path) is_asked[point.value] = true;
    }
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < space.points.size(); ++i)
    if (is_asked[space.points[i].value]) positions.push_back(i);
  return positions;
}

std::size_t Propagator::weight(PointId point) const {
  std::size_t sum = 0;
  for (std::uint32_t c : watchers_[point.value].constraints)
    if (c < conflicts_.size()) sum += conflicts_[c];
  return sum;
}

std::optional<std::size_t> Propagator::monomial_of(const Cluster& cluster, const Cluster::Tuple& tuple) const {
  Mask may = tuple.fits;
  std::vector<NodeId> factors = tuple.fixed;
  for (const Cluster::Factor& factor : tuple.factors) {
    const auto leaf = fetches_.only_leaf(factor.fetch);
    if (!leaf) return std::nullopt;
    factors.push_back(network_.fetches[factor.fetch].leaves[*leaf]);
    for (std::size_t w = 0; w < may.size(); ++w) may[w] &= factor.serves[*leaf * cluster.words + w];
  }
  std::sort(factors.begin(), factors.end());
  if (cluster.idempotent) factors.erase(std::unique(factors.begin(), factors.end()), factors.end());
  for (std::size_t m = 0; m < cluster.monomials.size(); ++m)
    if ((may[m / 64] >> (m % 64) & 1) != 0 && std::equal(factors.begin(), factors.end(), cluster.monomials[m].begin(), cluster.monomials[m].end())) return m;
  return std::nullopt;
}

bool Propagator::clusters_hold() {
  for (std::uint32_t f = 0; f < network_.fetches.size(); ++f) {
    fetches_.mark_stale(f);
    if (!fetches_.refresh(f)) return false;
  }
  for (const Cluster& cluster : network_.clusters) {
    std::vector<Mask> sums(cluster.goals.size(), Mask(cluster.words, 0));
    std::vector<std::size_t> is(cluster.tuples.size());
    for (std::size_t t = 0; t < cluster.tuples.size(); ++t) {
      const auto monomial = monomial_of(cluster, cluster.tuples[t]);
      if (!monomial) return false;
      is[t] = *monomial;
    }
    for (const Cluster::Offer& offer : cluster.offers) {
      if (!holds(offer.guard, domains_)) continue;
      Word& word = sums[offer.goal][is[offer.tuple] / 64];
      const Word bit = Word{1} << (is[offer.tuple] % 64);
      if ((word & bit) != 0 || (cluster.masks[offer.fits][is[offer.tuple] / 64] & bit) == 0) return false;
      word |= bit;
    }
    for (std::size_t g = 0; g < sums.size(); ++g)
      if (sums[g] != cluster.goals[g].needs) return false;
  }
  return true;
}

// --- goals

std::optional<Conflict> Propagator::visit_goal(std::size_t index) {
  const Goal& goal = network_.goals[index];
  const std::size_t first = goal_list_[index];
  const Conflict conflict{goal.equation, goal.requirement, {}, 0, 0, Goal::npos, false, {}};
  bool any_open = false;
  for (std::size_t t = 0; t < goal.terms.size(); ++t) {
    any_open |= goal.terms[t].open;
    filter(first + t, [&](std::uint32_t o) { return holds(goal.terms[t].options[o].path, domains_); });
    if (lists_[first + t].live == 0 && !goal.terms[t].open) return conflict;
  }
  if (goal.cancel_free && !goal.is_set && !any_open) {
    // Terms that can bring one thing only use up the need for it; the others must do with the rest.
    std::vector<double> rest = goal.need;
    std::vector<bool> decided(goal.terms.size(), false);
    for (bool again = true; again;) {
      again = false;
      for (std::size_t t = 0; t < goal.terms.size(); ++t) {
        if (decided[t]) continue;
        const std::vector<Option>& options = goal.terms[t].options;
        filter(first + t, [&](std::uint32_t o) {
          return std::none_of(options[o].brings.begin(), options[o].brings.end(),
                              [&](const Contribution& c) { return brought(options[o], c.monomial) > rest[c.monomial] + kTolerance; });
        });
        const LiveList& list = lists_[first + t];
        if (list.live == 0) return conflict;
        const Option& one = options[list.order[0]];
        bool same = true;
        for (std::size_t i = 1; i < list.live && same; ++i) same = same_contribution(options[list.order[i]], one);
        if (!same) continue;
        decided[t] = again = true;
        for (const Contribution& c : one.brings) rest[c.monomial] -= c.amount;
      }
    }
    if (auto short_of = meet_needs(goal, first, rest, decided)) return Conflict{goal.equation, goal.requirement, goal.names[*short_of], 0, 0, Goal::npos, false, {}};
  }
  for (std::size_t t = 0; t < goal.terms.size(); ++t)
    if (!goal.terms[t].open && !strike_unsupported(goal.terms[t], first + t)) return conflict;
  return std::nullopt;
}

// Where all that undecided terms can bring is just enough, each of them must bring its share. Returns a monomial
// that cannot be served at all.
std::optional<std::uint32_t> Propagator::meet_needs(const Goal& goal, std::size_t first_list, const std::vector<double>& rest,
                                                    const std::vector<bool>& decided) {
  std::vector<double> supply(rest.size(), 0), most(rest.size(), 0);
  std::vector<std::vector<Contribution>> best(goal.terms.size());  // by term: the most that it can bring of each monomial
  for (std::size_t t = 0; t < goal.terms.size(); ++t) {
    if (decided[t]) continue;
    const LiveList& list = lists_[first_list + t];
    for (std::size_t i = 0; i < list.live; ++i) {
      const Option& option = goal.terms[t].options[list.order[i]];
      for (const Contribution& c : option.brings) {
        if (most[c.monomial] == 0) best[t].push_back({c.monomial, 0});
        most[c.monomial] = std::max(most[c.monomial], brought(option, c.monomial));
      }
    }
    for (Contribution& c : best[t]) {
      c.amount = std::exchange(most[c.monomial], 0);
      supply[c.monomial] += c.amount;
    }
  }
  for (std::uint32_t m = 0; m < rest.size(); ++m)
    if (supply[m] < rest[m] - kTolerance) return m;
  for (std::size_t t = 0; t < goal.terms.size(); ++t)
    for (const Contribution& c : best[t])
      if (rest[c.monomial] > kTolerance && supply[c.monomial] - c.amount < rest[c.monomial] - kTolerance)
        filter(first_list + t, [&](std::uint32_t o) { return brought(goal.terms[t].options[o], c.monomial) != 0; });
  return std::nullopt;
}

bool Propagator::strike_unsupported(const GoalTerm& term, std::size_t list_id) {
  const LiveList& list = lists_[list_id];
  if (list.live == 0) return false;
  std::vector<Domains::Word> supported;
  for (const auto& [point, unused] : term.options[list.order[0]].path) {
    supported.assign(domains_.words(), 0);
    bool always = true;
    for (std::size_t i = 0; i < list.live && always; ++i) {
      const Path& path = term.options[list.order[i]].path;
      const auto it = std::find_if(path.begin(), path.end(), [&](const auto& step) { return step.first == point; });
      always = it != path.end();
      if (always) supported[static_cast<std::size_t>(it->second) / 64] |= Domains::Word{1} << (it->second % 64);
    }
    if (always && !domains_.keep(point, supported.data())) return false;
  }
  return true;
}

}  // namespace swizzle
