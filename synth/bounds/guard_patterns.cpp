#include "synth/bounds/guard_patterns.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "synth/base/bits.h"
#include "synth/machine/machine.h"

namespace swizzle {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostSteps = 200'000;

enum class State : std::uint8_t { kOpen, kNowhere, kEverywhere, kCompared };

// Each monomial is needed by one output only.
bool needs_each_once(const Matching& matching) {
  Mask seen(matching.words, 0);
  for (const Matching::Member& sum : matching.sums) {
    if (meets(seen.data(), sum.needs.data(), matching.words)) return false;
    for (std::size_t w = 0; w < matching.words; ++w) seen[w] |= sum.needs[w];
  }
  return true;
}

}  // namespace

std::vector<std::vector<std::size_t>> shared_products(const Problem& problem, const ConstraintNetwork& network) {
  std::map<std::vector<std::size_t>, std::set<PointId>> asked;  // by share, where its holes decide
  for (const Matching& matching : network.matchings) {
    if (!needs_each_once(matching)) continue;
    std::vector<std::set<PointId>> guards(matching.tuples.size());
    std::vector<bool> plain(matching.tuples.size(), true);
    for (const Matching::CandidateAssignment& assignment : matching.assignments) {
      if (is_condition(assignment.guard, problem.points)) guards[assignment.tuple].insert(assignment.guard[0].first);
      else plain[assignment.tuple] = false;
    }
    for (std::size_t t = 0; t < guards.size(); ++t) {
      std::set<std::size_t> holes;
      for (PointId p : guards[t]) holes.insert(problem.points[p].hole.value);
      if (plain[t] && !holes.empty() && holes.size() == guards[t].size())
        asked[{holes.begin(), holes.end()}].insert(guards[t].begin(), guards[t].end());
    }
  }
  std::vector<std::vector<std::size_t>> shares;
  for (const auto& [holes, points] : asked) {
    const auto all = std::accumulate(holes.begin(), holes.end(), std::size_t{0}, [&](std::size_t sum, std::size_t h) {
      return sum + problem.holes[h].points.size();
    });
    if (points.size() == all) shares.push_back(holes);
  }
  return shares;
}

GuardPatterns::GuardPatterns(std::vector<std::vector<std::size_t>> shares, const std::vector<Capacity>& capacities,
                             const std::vector<GuardPrice>& prices)
    : shares_(std::move(shares)) {
  for (const std::vector<std::size_t>& share : shares_) holes_.insert(holes_.end(), share.begin(), share.end());
  std::sort(holes_.begin(), holes_.end());
  holes_.erase(std::unique(holes_.begin(), holes_.end()), holes_.end());
  for (std::size_t h : holes_) prices_.push_back(prices[h]);
  for (std::vector<std::size_t>& share : shares_)
    for (std::size_t& h : share)
      h = static_cast<std::size_t>(std::lower_bound(holes_.begin(), holes_.end(), h) - holes_.begin());
  add_outputs(capacities);
}

// Outputs that are offered as many products by each hole are one: what all of them allow, and what some of them needs.
void GuardPatterns::add_outputs(const std::vector<Capacity>& capacities) {
  struct Limit {
    std::size_t most_everywhere, least_offered;
  };
  std::map<std::vector<std::size_t>, Limit> outputs;  // by products of each hole
  for (const Capacity& capacity : capacities) {
    std::vector<std::size_t> products(holes_.size(), 0);
    std::size_t others = 0;
    for (const auto& [hole, count] : capacity.offered) {
      const auto at = std::lower_bound(holes_.begin(), holes_.end(), hole);
      if (at != holes_.end() && *at == hole) products[static_cast<std::size_t>(at - holes_.begin())] += count;
      else others += count;
    }
    const auto [it, fresh] = outputs.try_emplace(std::move(products), Limit{capacity.needed, 0});
    it->second.most_everywhere = std::min(it->second.most_everywhere, capacity.needed);
    it->second.least_offered = std::max(it->second.least_offered, capacity.needed - std::min(capacity.needed, others));
  }
  limits_.products.resize(holes_.size());
  for (const auto& [products, limit] : outputs) {
    limits_.most_everywhere.push_back(static_cast<std::int32_t>(limit.most_everywhere));
    limits_.least_offered.push_back(static_cast<std::int32_t>(limit.least_offered));
    for (std::size_t i = 0; i < products.size(); ++i)
      limits_.products[i].push_back(static_cast<std::int32_t>(products[i]));
  }
}

// A depth-first search over the shares, each with its cheapest ways first.
struct GuardPatterns::Choice {
  const GuardPatterns& of;
  std::vector<GuardPrice> prices;
  std::vector<State> states;
  std::vector<std::int32_t> everywhere,
      offered;               // by output: products of guards that are 1 everywhere, and of those that are not 0
  std::vector<double> rest;  // by share: what it and those behind it cost at least
  // Of a share's guards from a position on, beside those that earlier shares have, if all are 0 or compared: what they
  // cost at least, and what it costs to compare one more of them.
  struct Mixed {
    double least = 0, extra = kInfinity;
  };
  std::vector<std::vector<Mixed>> mixed;  // by share and position
  double best = kInfinity;
  std::size_t steps = 0, found = 0;
  std::size_t most = 0;  // patterns below `best` to be counted; or none, but the cheapest is sought

  Choice(const GuardPatterns& patterns, const KnownCosts& known)
      : of(patterns),
        prices(patterns.prices_),
        states(patterns.holes_.size(), State::kOpen),
        everywhere(patterns.limits_.most_everywhere.size(), 0),
        offered(everywhere),
        rest(patterns.shares_.size() + 1, 0) {
    for (const std::vector<std::int32_t>& products : of.limits_.products) add(1, products, offered);
    for (std::size_t i = 0; i < prices.size(); ++i) {
      const double least = known.prices[of.holes_[i]], rank = known.ranks[of.holes_[i]];
      if (rank == kInfinity) prices[i] = {0, 0, 0};
      if (rank == kInfinity) continue;
      if (0 < rank - kCostTolerance) prices[i].nowhere = kInfinity;
      if (prices[i].rank < rank - kCostTolerance) prices[i].everywhere = kInfinity;
      prices[i].nowhere = std::max(prices[i].nowhere, least);
      prices[i].everywhere = std::max(prices[i].everywhere, least);
      prices[i].compared = std::max(prices[i].compared, least);
    }
    std::set<std::size_t> earlier;
    for (std::size_t s = 0; s < of.shares_.size(); ++s) {
      const std::vector<std::size_t>& share = of.shares_[s];
      std::vector<Mixed>& own = mixed.emplace_back(share.size() + 1);
      for (std::size_t p = share.size(); p-- > 0;)
        own[p] = earlier.contains(share[p]) ? Mixed{own[p + 1].least, 0} : with(prices[share[p]], own[p + 1]);
      rest[s] = least_of(share, earlier);
      earlier.insert(share.begin(), share.end());
    }
    for (std::size_t s = of.shares_.size(); s-- > 0;) rest[s] += rest[s + 1];
  }

  static Mixed with(const GuardPrice& p, const Mixed& behind) {
    return {behind.least + std::min(p.nowhere, p.compared),
            std::min(behind.extra, p.nowhere <= p.compared ? p.compared - p.nowhere : 0)};
  }

  // Of one share by itself; what earlier shares count already is free.
  double least_of(const std::vector<std::size_t>& share, const std::set<std::size_t>& earlier) const {
    std::vector<GuardPrice> own;
    for (std::size_t i : share) own.push_back(earlier.contains(i) ? GuardPrice{0, 0, 0} : prices[i]);
    double least = kInfinity;
    for (std::size_t one = 0; one < own.size(); ++one) {
      double sum = own[one].everywhere;
      for (std::size_t i = 0; i < own.size(); ++i) sum += i == one ? 0 : own[i].nowhere;
      least = std::min(least, sum);
    }
    double mixed = 0;
    std::vector<double> extra;  // of comparing what may be nowhere
    for (const GuardPrice& p : own) {
      mixed += std::min(p.nowhere, p.compared);
      extra.push_back(p.nowhere <= p.compared ? p.compared - p.nowhere : 0);
    }
    std::sort(extra.begin(), extra.end());
    return own.size() < 2 ? least : std::min(least, mixed + extra[0] + extra[1]);
  }

  double price(std::size_t i, State state) const {
    return state == State::kNowhere      ? prices[i].nowhere
           : state == State::kEverywhere ? prices[i].everywhere
                                         : prices[i].compared;
  }

  static void add(std::int32_t sign, const std::vector<std::int32_t>& products, std::vector<std::int32_t>& sums) {
    for (std::size_t o = 0; o < sums.size(); ++o) sums[o] += sign * products[o];
  }

  // Guards that are open may still bring all that they have.
  void count(std::int32_t sign, std::size_t i, State state) {
    if (state == State::kEverywhere) add(sign, of.limits_.products[i], everywhere);
    if (state == State::kNowhere) add(-sign, of.limits_.products[i], offered);
  }

  bool outputs_allow() const {
    bool exceeded = false;
    for (std::size_t o = 0; o < everywhere.size(); ++o)
      exceeded |= everywhere[o] > of.limits_.most_everywhere[o] || offered[o] < of.limits_.least_offered[o];
    return !exceeded;
  }

  void choose_share(std::size_t s, double cost) {
    if (cost + rest[s] >= best - kCostTolerance) return;
    if (s == shares().size()) {
      ++found;
      if (most == 0) best = cost;
      return;
    }
    for (std::size_t one : shares()[s]) set_guards(s, 0, one, 0, cost);
    set_guards(s, 0, npos, 0, cost);
  }

  // The guards of share s from the position on: `one` is 1 everywhere and the others 0; or, if it is none, they are 0
  // or compared.
  void set_guards(std::size_t s, std::size_t position, std::size_t one, std::size_t compared, double cost) {
    if (cost + least_behind(s, position, one, compared) >= best - kCostTolerance || ++steps > kMostSteps ||
        (most > 0 && found > most))
      return;
    if (position == shares()[s].size()) {
      if (one != npos || compared >= 2) choose_share(s + 1, cost);
      return;
    }
    const std::size_t i = shares()[s][position];
    const auto set = [&](State state) {
      const State before = states[i];
      if (before != State::kOpen && before != state) return;
      const double more = before == State::kOpen ? price(i, state) : 0;
      if (more == kInfinity) return;
      if (before == State::kOpen) count(1, i, state);
      states[i] = state;
      if (before != State::kOpen || outputs_allow())
        set_guards(s, position + 1, one, compared + (state == State::kCompared ? 1 : 0), cost + more);
      states[i] = before;
      if (before == State::kOpen) count(-1, i, state);
    };
    if (one != npos) return set(i == one ? State::kEverywhere : State::kNowhere);
    set(State::kNowhere);
    set(State::kCompared);
  }

  double least_behind(std::size_t s, std::size_t position, std::size_t one, std::size_t compared) const {
    if (one != npos) return rest[s + 1];
    const Mixed& left = mixed[s][position];
    return rest[s + 1] + left.least + (compared < 2 ? static_cast<double>(2 - compared) * left.extra : 0);
  }

  static constexpr std::size_t npos = ~std::size_t{0};
  const std::vector<std::vector<std::size_t>>& shares() const { return of.shares_; }
};

double GuardPatterns::least(const KnownCosts& known) const {
  constexpr std::size_t kMostAnswers = 4096;
  std::vector<double> asked;
  for (std::size_t h : holes_) {
    asked.push_back(known.prices[h]);
    asked.push_back(known.ranks[h]);
  }
  if (answers_.size() > kMostAnswers) answers_.clear();
  const auto [it, fresh] = answers_.try_emplace(std::move(asked), 0);
  if (!fresh) return it->second;
  Choice choice(*this, known);
  choice.choose_share(0, 0);
  return it->second = choice.steps > kMostSteps ? choice.rest[0] : choice.best;
}

bool GuardPatterns::are_few(const KnownCosts& known, double below, std::size_t few) const {
  Choice choice(*this, known);
  choice.best = below;
  choice.most = few;
  choice.choose_share(0, 0);
  return choice.steps <= kMostSteps && choice.found <= few;
}

}  // namespace swizzle
