#include "synth/guard_patterns.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "synth/masks.h"

namespace swizzle {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTolerance = 1e-6;
constexpr std::size_t kMostSteps = 200'000;

enum class State : std::uint8_t { kOpen, kNowhere, kEverywhere, kCompared };

// Each monomial is needed by one output only.
bool needs_each_once(const Cluster& cluster) {
  Mask seen(cluster.words, 0);
  for (const Cluster::Member& goal : cluster.goals) {
    if (meets(seen.data(), goal.needs.data(), cluster.words)) return false;
    for (std::size_t w = 0; w < cluster.words; ++w) seen[w] |= goal.needs[w];
  }
  return true;
}

}  // namespace

std::vector<std::vector<std::size_t>> shared_products(const Problem& problem, const Network& network) {
  std::map<std::vector<std::size_t>, std::set<PointId>> asked;  // by share, where its holes decide
  for (const Cluster& cluster : network.clusters) {
    if (!needs_each_once(cluster)) continue;
    std::vector<std::set<PointId>> guards(cluster.tuples.size());
    std::vector<bool> plain(cluster.tuples.size(), true);
    for (const Cluster::Offer& offer : cluster.offers) {
      if (offer.guard.size() == 1 && offer.guard[0].second == 1 && problem.points[offer.guard[0].first].domain == 2) guards[offer.tuple].insert(offer.guard[0].first);
      else plain[offer.tuple] = false;
    }
    for (std::size_t t = 0; t < guards.size(); ++t) {
      std::set<std::size_t> holes;
      for (PointId p : guards[t]) holes.insert(problem.points[p].hole.value);
      if (plain[t] && !holes.empty() && holes.size() == guards[t].size()) asked[{holes.begin(), holes.end()}].insert(guards[t].begin(), guards[t].end());
    }
  }
  std::vector<std::vector<std::size_t>> shares;
  for (const auto& [holes, points] : asked) {
    const auto all = std::accumulate(holes.begin(), holes.end(), std::size_t{0}, [&](std::size_t sum, std::size_t h) { return sum + problem.holes[h].points.size(); });
    if (points.size() == all) shares.push_back(holes);
  }
  return shares;
}

GuardPatterns::GuardPatterns(std::vector<std::vector<std::size_t>> shares, const std::vector<Supply>& supplies, const std::vector<GuardPrice>& prices)
    : shares_(std::move(shares)) {
  for (const std::vector<std::size_t>& share : shares_) holes_.insert(holes_.end(), share.begin(), share.end());
  std::sort(holes_.begin(), holes_.end());
  holes_.erase(std::unique(holes_.begin(), holes_.end()), holes_.end());
  for (std::size_t h : holes_) prices_.push_back(prices[h]);
  for (std::vector<std::size_t>& share : shares_)
    for (std::size_t& h : share) h = static_cast<std::size_t>(std::lower_bound(holes_.begin(), holes_.end(), h) - holes_.begin());
  add_outputs(supplies);
}

// Outputs that are offered as many products by each hole are one: what all of them allow, and what some of them needs.
void GuardPatterns::add_outputs(const std::vector<Supply>& supplies) {
  std::map<std::vector<std::size_t>, Output> outputs;
  for (const Supply& supply : supplies) {
    std::vector<std::size_t> products(holes_.size(), 0);
    std::size_t others = 0;
    for (const auto& [hole, count] : supply.offered) {
      const auto at = std::lower_bound(holes_.begin(), holes_.end(), hole);
      if (at != holes_.end() && *at == hole) products[static_cast<std::size_t>(at - holes_.begin())] += count;
      else others += count;
    }
    const auto [it, fresh] = outputs.try_emplace(products, Output{supply.needed, 0, products});
    it->second.most_everywhere = std::min(it->second.most_everywhere, supply.needed);
    it->second.least_offered = std::max(it->second.least_offered, supply.needed - std::min(supply.needed, others));
  }
  for (auto& [products, output] : outputs) outputs_.push_back(std::move(output));
}

// A depth-first search over the shares, each with its cheapest ways first.
struct GuardPatterns::Choice {
  const GuardPatterns& of;
  std::vector<GuardPrice> prices;
  std::vector<State> states;
  std::vector<double> rest;  // by share: what it and those behind it cost at least
  double best = kInfinity;
  std::size_t steps = 0, found = 0;
  std::size_t most = 0;  // patterns below `best` to be counted; or none, but the cheapest is sought

  Choice(const GuardPatterns& patterns, const std::vector<double>& known) : of(patterns), prices(patterns.prices_), states(patterns.holes_.size(), State::kOpen), rest(patterns.shares_.size() + 1, 0) {
    for (std::size_t i = 0; i < prices.size(); ++i) {
      const double least = known[of.holes_[i]];
      if (least == kInfinity) prices[i] = {0, 0, 0};
      if (least == kInfinity) continue;
      if (prices[i].nowhere < least - kTolerance) prices[i].nowhere = kInfinity;
      if (prices[i].everywhere < least - kTolerance) prices[i].everywhere = kInfinity;
      prices[i].compared = std::max(prices[i].compared, least);
    }
    std::set<std::size_t> counted;
    for (std::size_t s = of.shares_.size(); s-- > 0;) rest[s] = rest[s + 1] + least_of(of.shares_[s], counted);
  }

  // Of one share by itself; what other shares count already is free.
  double least_of(const std::vector<std::size_t>& share, std::set<std::size_t>& counted) const {
    std::vector<GuardPrice> own;
    for (std::size_t i : share) own.push_back(counted.insert(i).second ? prices[i] : GuardPrice{0, 0, 0});
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
    return state == State::kNowhere ? prices[i].nowhere : state == State::kEverywhere ? prices[i].everywhere : prices[i].compared;
  }

  bool outputs_allow() const {
    return std::all_of(of.outputs_.begin(), of.outputs_.end(), [&](const Output& output) {
      std::size_t everywhere = 0, offered = 0;
      for (std::size_t i = 0; i < states.size(); ++i) {
        everywhere += states[i] == State::kEverywhere ? output.products[i] : 0;
        offered += states[i] != State::kNowhere ? output.products[i] : 0;
      }
      return everywhere <= output.most_everywhere && offered >= output.least_offered;
    });
  }

  void choose_share(std::size_t s, double cost) {
    if (cost + rest[s] >= best - kTolerance) return;
    if (s == shares().size()) {
      ++found;
      if (most == 0) best = cost;
      return;
    }
    for (std::size_t one : shares()[s]) set_guards(s, 0, one, 0, cost);
    set_guards(s, 0, npos, 0, cost);
  }

  // The guards of share s from the position on: `one` is 1 everywhere and the others 0; or, if it is none, they are 0 or compared.
  void set_guards(std::size_t s, std::size_t position, std::size_t one, std::size_t compared, double cost) {
    if (cost + rest[s + 1] >= best - kTolerance || ++steps > kMostSteps || (most > 0 && found > most)) return;
    if (position == shares()[s].size()) {
      if ((one != npos || compared >= 2) && outputs_allow()) choose_share(s + 1, cost);
      return;
    }
    const std::size_t i = shares()[s][position];
    const auto set = [&](State state) {
      const State before = states[i];
      if (before != State::kOpen && before != state) return;
      const double more = before == State::kOpen ? price(i, state) : 0;
      if (more == kInfinity) return;
      states[i] = state;
      set_guards(s, position + 1, one, compared + (state == State::kCompared ? 1 : 0), cost + more);
      states[i] = before;
    };
    if (one != npos) return set(i == one ? State::kEverywhere : State::kNowhere);
    set(State::kNowhere);
    set(State::kCompared);
  }

  static constexpr std::size_t npos = ~std::size_t{0};
  const std::vector<std::vector<std::size_t>>& shares() const { return of.shares_; }
};

double GuardPatterns::least(const std::vector<double>& known) const {
  std::vector<double> asked;
  for (std::size_t h : holes_) asked.push_back(known[h]);
  if (asked == asked_) return answer_;
  Choice choice(*this, known);
  choice.choose_share(0, 0);
  asked_ = std::move(asked);
  return answer_ = choice.steps > kMostSteps ? choice.rest[0] : choice.best;
}

bool GuardPatterns::are_few(const std::vector<double>& known, double below, std::size_t few) const {
  Choice choice(*this, known);
  choice.best = below;
  choice.most = few;
  choice.choose_share(0, 0);
  return choice.steps <= kMostSteps && choice.found <= few;
}

}  // namespace swizzle
