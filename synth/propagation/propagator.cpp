#include "synth/propagation/propagator.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "synth/problem/stores.h"

namespace swizzle {
namespace {

std::vector<std::size_t> all_positions(const HoleSpace& space) {
  std::vector<std::size_t> positions(space.points.size());
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  return positions;
}

}  // namespace

Propagator::Propagator(const ConstraintNetwork& network, const Problem& problem, Domains& domains)
    : network_(network),
      domains_(domains),
      problem_(problem),
      stores_ask_(points_of_stores(problem)),
      fetches_(network, domains),
      matchings_(network, problem.points, domains, fetches_),
      sums_(network, domains),
      tables_(domains),
      nonzero_(problem.holes.size(), 0) {
  extend();
}

void Propagator::watch(PointId point, std::uint32_t constraint) {
  for (std::vector<std::uint32_t>* to :
       {&watchers_[point.value].constraints, &hole_watchers_[problem_.points[point].hole.value].constraints})
    if (to->empty() || to->back() != constraint) to->push_back(constraint);
}

void Propagator::extend() {
  for (std::size_t p = 0; p < network_.nogoods.size(); ++p)
    if (domains_.count(PointId(p)) == 1 && !network_.nogoods[p].empty()) fixed_.push_back(PointId(p));
  watchers_.resize(domains_.points());
  hole_watchers_.resize(problem_.holes.size());
  fetches_.extend();
  for (; watched_fetches_ < network_.fetches.size(); ++watched_fetches_)
    watch_fetch(static_cast<std::uint32_t>(watched_fetches_));
  for (std::uint32_t id = matchings_.extend(); id < network_.matchings.size(); ++id) {
    for (std::uint32_t f : matchings_.fetches_of(id))
      for (PointId p : network_.fetches[f].points) watch(p, id * 2);
    for (const Matching::CandidateAssignment& assignment : network_.matchings[id].assignments)
      for (const auto& [point, value] : assignment.guard) watch(point, id * 2);
    queued_matchings_.push_back(1);
    queue_.push_back(id * 2);
  }
  for (std::uint32_t id = sums_.extend(); id < network_.sums.size(); ++id) {
    for (const Summand& term : network_.sums[id].terms)
      for (const Option& option : term.options)
        for (const auto& [point, value] : option.path) watch(point, id * 2 + 1);
    for (PointId p : network_.sums[id].asked) watch(p, id * 2 + 1);
    queued_sums_.push_back(1);
    queue_.push_back(id * 2 + 1);
  }
}

void Propagator::watch_fetch(std::uint32_t id) {
  const std::vector<PointId>& points = network_.fetches[id].points;
  for (std::uint32_t local = 0; local < points.size(); ++local) {
    watchers_[points[local].value].fetches.emplace_back(id, local);
    auto& of_hole = hole_watchers_[problem_.points[points[local]].hole.value].fetches;
    if (of_hole.empty() || of_hole.back().first != id) of_hole.emplace_back(id, 0);
  }
}

std::vector<bool> Propagator::forcing() const {
  std::vector<bool> forcing(problem_.holes.size(), false);
  for (const ElementConstraint& fetch : network_.fetches)
    if (!fetch.shape->steps.empty())
      forcing[problem_.points[fetch.points[fetch.shape->steps.front().local]].hole.value] = true;
  for (const SumConstraint& sum : network_.sums)
    for (const Summand& term : sum.terms)
      if (!term.open && !term.options.empty() && !term.options.front().path.empty())
        forcing[problem_.points[term.options.front().path.front().first].hole.value] = true;
  return forcing;
}

std::unique_ptr<ImpliedLiterals> Propagator::implied_literals(const HoleSpace& space) {
  auto result = std::make_unique<ImpliedLiterals>(space, tables_.by_point());
  // A value can force another one only along a path that has both.
  const auto tells = [&](const Path& path) {
    return path.size() > 1 && std::any_of(path.begin(), path.end(), [&](const auto& literal) {
             return problem_.points[literal.first].hole == space.id;
           });
  };
  for (std::uint32_t f = 0; f < network_.fetches.size(); ++f)
    if (tells(fetches_.first_live_path(f))) result->add(implications_of(f), network_.fetches[f].points);
  for (std::size_t g = 0; g < network_.sums.size(); ++g)
    for (std::size_t t = 0; t < network_.sums[g].terms.size(); ++t) {
      const Summand& term = network_.sums[g].terms[t];
      const auto live = sums_.live_options(g, t);
      if (term.open || live.empty() || !tells(term.options[live.front()].path)) continue;
      std::vector<Path> paths;
      for (std::uint32_t o : live) paths.push_back(term.options[o].path);
      result->add(implications(paths));
    }
  return result->any() ? std::move(result) : nullptr;
}

const std::vector<Implication>& Propagator::implications_of(std::uint32_t fetch) {
  if (implied_.size() > kMostImplied) implied_.clear();
  const auto [it, fresh] = implied_.try_emplace({network_.fetches[fetch].shape.get(), fetches_.live(fetch)});
  if (fresh) it->second = implications(fetches_.live_paths(fetch));
  return it->second;
}

void Propagator::note_change(PointId point) {
  if (point.value < network_.nogoods.size() && domains_.count(point) == 1 && !network_.nogoods[point.value].empty())
    fixed_.push_back(point);
  if (domains_.count(point) > 0 && !domains_.allows(point, 0)) {
    const std::size_t hole = problem_.points[point].hole.value;
    if (nonzero_[hole] == 0) nonzero_trail_.push_back(hole);
    nonzero_[hole] = 1;
  }
  tables_.note_change(point);
}

void Propagator::wake(const std::vector<std::uint32_t>& constraints) {
  for (std::uint32_t constraint : constraints) {
    std::uint8_t& queued = (constraint % 2 == 0 ? queued_matchings_ : queued_sums_)[constraint / 2];
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

void Propagator::undo(Mark mark) {
  assert(mark.nonzero <= nonzero_trail_.size());
  domains_.undo(mark.domains);
  fetches_.undo(mark.fetches);
  sums_.undo(mark.sums);
  tables_.undo(mark.tables);
  for (; nonzero_trail_.size() > mark.nonzero; nonzero_trail_.pop_back()) nonzero_[nonzero_trail_.back()] = 0;
}

std::optional<Conflict> Propagator::propagate(std::size_t visits) {
  std::optional<Conflict> conflict;
  last_.reset();
  started_ = visits_;
  deep_until_ = visits_ + kDeep;
  families_due_ = visits_ + kSoon;
  const std::size_t end = visits_ + std::min(visits, ~visits_);
  while (!conflict && visits_ < end) {
    wake_changed();
    if (!fixed_.empty()) {
      conflict = propagate_nogoods();
      continue;
    }
    if (!tables_.any_listed_waits() && queue_.empty() && !tables_.any_family_waits()) break;
    if (interrupt_ && interrupt_()) {
      conflict.emplace();
      conflict->interrupted = true;
      if (last_) note_telling(*last_);
    } else {
      if (tables_.any_listed_waits()) conflict = without_table(tables_.ask_listed());
      else if (!queue_.empty() && (!tables_.any_family_waits() || visits_ < families_due_))
        conflict = next_constraint();
      else conflict = next_family();
    }
  }
  for (std::uint32_t c : queue_) (c % 2 == 0 ? queued_matchings_ : queued_sums_)[c / 2] = 0;
  queue_.clear();
  fixed_.clear();
  visited_ = 0;
  tables_.forget_changes();
  assert(conflict || visits_ >= end || is_settled());
  return conflict;
}

// Every point has a value left, and every list of options as many live ones as it has at most.
bool Propagator::is_settled() const {
  for (std::size_t p = 0; p < domains_.points(); ++p)
    if (domains_.count(PointId(p)) <= 0) return false;
  return sums_.is_consistent();
}

// Dear to ask, but what is known of a few points may be enough for a contradiction: asked ever more rarely, until
// nothing else is left to do.
std::optional<Conflict> Propagator::next_family() {
  auto conflict = without_table(tables_.ask_family());
  if (!tables_.any_family_waits()) families_due_ = visits_ + std::max(visits_ - started_, kSoon);
  return conflict;
}

std::optional<Conflict> Propagator::without_table(std::optional<HoleId> hole) {
  if (!hole) return std::nullopt;
  Conflict conflict;
  conflict.hole = *hole;
  return conflict;
}

// What refuted last, or told enough for the work to be stopped, is asked first; then what was woken last, which soon
// comes to a contradiction if there is one; after some time what waits longest, so that it is asked once about much
// that changed.
std::optional<Conflict> Propagator::next_constraint() {
  const auto flag = [&](std::uint32_t c) -> std::uint8_t& {
    return (c % 2 == 0 ? queued_matchings_ : queued_sums_)[c / 2];
  };
  const bool newest = visits_ < deep_until_;
  std::uint32_t next = newest ? queue_.back() : queue_[visited_];
  const auto recent = std::find_if(recent_.begin(), recent_.end(), [&](std::uint32_t c) { return flag(c) != 0; });
  if (recent != recent_.end()) next = *recent;  // stays in the queue, without its flag
  else if (newest) queue_.pop_back();
  else ++visited_;
  if (visited_ == queue_.size()) {
    queue_.clear();
    visited_ = 0;
  }
  if (flag(next) == 0) return std::nullopt;
  flag(next) = 0;
  ++visits_;
  auto conflict = visit(next);
  last_ = next;
  if (conflict) {
    conflicts_.resize(std::max<std::size_t>(conflicts_.size(), next + 1));
    ++conflicts_[next];
    if (visits_ == started_ + 1) refuting_ = next;
    note_telling(next);
  }
  return conflict;
}

const Propagator::Scope& Propagator::scope(std::uint32_t constraint, const HoleSpace& space) {
  const auto [it, fresh] = scopes_.try_emplace({constraint, space.id.value});
  if (!fresh) return it->second;
  Scope& scope = it->second;
  for (std::size_t p = 0; p < space.points.size(); ++p) {
    const Watchers& watchers = watchers_[space.points[p].value];
    if (std::find(watchers.constraints.begin(), watchers.constraints.end(), constraint) == watchers.constraints.end())
      continue;
    scope.positions.push_back(p);
    if (constraint % 2 == 0)
      for (const auto& asking : watchers.fetches)
        if (std::ranges::binary_search(matchings_.fetches_of(constraint / 2), asking.first))
          scope.fetches.push_back(asking);
  }
  return scope;
}

// What else asks the points is left alone: they are as they were before anything else is visited.
bool Propagator::refutes_at_once(const HoleSpace& space, const HoleTable& table) {
  if (!refuting_) return false;
  const Scope& asked = scope(*refuting_, space);
  if (asked.positions.empty()) return false;
  const Mark before = mark();
  bool refuted = false;
  for (std::size_t p : asked.positions) {
    refuted = !domains_.fix(space.points[p], table.values[p]);
    if (refuted) break;
  }
  if (!refuted) {
    for (const auto& [fetch, local] : asked.fetches) fetches_.mark_stale(fetch, local);
    ++visits_;
    refuted = visit(*refuting_).has_value();
  }
  undo(before);
  if (!refuted) refuting_.reset();
  return refuted;
}

void Propagator::note_telling(std::uint32_t constraint) {
  std::erase(recent_, constraint);
  recent_.insert(recent_.begin(), constraint);
  if (recent_.size() > kRecent) recent_.pop_back();
}

std::vector<std::size_t> Propagator::relevant_positions(const HoleSpace& space) const {
  std::vector<bool> is_asked(domains_.points(), false);
  fetches_.note_asked(is_asked);
  for (PointId p : stores_ask_) is_asked[p.value] = true;
  for (std::size_t p = 0; p < network_.nogoods.size(); ++p)
    if (!network_.nogoods[p].empty()) is_asked[p] = true;
  for (const Matching& matching : network_.matchings)
    for (const Matching::CandidateAssignment& assignment : matching.assignments)
      for (const auto& [point, value] : assignment.guard) is_asked[point.value] = true;
  for (const SumConstraint& sum : network_.sums) {
    for (PointId p : sum.asked) is_asked[p.value] = true;
    for (const Summand& term : sum.terms) {
      if (term.open) return all_positions(space);
      for (const Option& option : term.options)
        for (const auto& [point, value] : option.path) is_asked[point.value] = true;
    }
  }
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < space.points.size(); ++i)
    if (is_asked[space.points[i].value]) positions.push_back(i);
  return positions;
}

std::size_t Propagator::conflict_weight(PointId point) const {
  std::size_t sum = 0;
  for (std::uint32_t c : watchers_[point.value].constraints)
    if (c < conflicts_.size()) sum += conflicts_[c];
  return sum;
}

}  // namespace swizzle
