#include "synth/goals.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "synth/goal_compiler.h"

namespace swizzle {
namespace {

bool is_live(const Option& option, const Domains& domains) {
  for (const auto& [point, value] : option.path)
    if (!domains[point.value].test(static_cast<std::size_t>(value))) return false;
  return true;
}

double brought(const Option& option, std::uint32_t monomial) {
  double amount = 0;
  for (const Contribution& c : option.brings)
    if (c.monomial == monomial) amount += c.amount;
  return amount;
}

bool same_contribution(const Option& a, const Option& b) {
  return a.brings.size() == b.brings.size() &&
         std::equal(a.brings.begin(), a.brings.end(), b.brings.begin(), [](const Contribution& x, const Contribution& y) {
           return x.monomial == y.monomial && x.amount == y.amount;
         });
}

// Points that every live option passes: only their values can be judged by this term.
bool strike_unsupported(const std::vector<const Option*>& live, Domains& domains, bool& changed) {
  if (live.empty()) return false;
  for (const auto& [point, unused] : live[0]->path) {
    ValueSet supported;
    bool always = true;
    for (const Option* option : live) {
      const auto it = std::find_if(option->path.begin(), option->path.end(), [&](const auto& step) { return step.first == point; });
      if (it == option->path.end()) {
        always = false;
        break;
      }
      supported.set(static_cast<std::size_t>(it->second));
    }
    if (!always) continue;
    const ValueSet narrowed = domains[point.value] & supported;
    if (narrowed == domains[point.value]) continue;
    if (narrowed.none()) return false;
    domains[point.value] = narrowed;
    changed = true;
  }
  return true;
}

// Where all that undecided terms can bring is just enough, each of them must bring its share. Returns a monomial
// that cannot be served at all.
std::optional<std::uint32_t> meet_needs(const std::vector<double>& rest, const std::vector<bool>& decided, std::vector<std::vector<const Option*>>& live) {
  constexpr double kTolerance = 1e-9;
  std::vector<double> supply(rest.size(), 0), most(rest.size(), 0);
  std::vector<std::vector<Contribution>> best(live.size());  // by term: the most that it can bring of each monomial
  for (std::size_t t = 0; t < live.size(); ++t) {
    if (decided[t]) continue;
    for (const Option* o : live[t])
      for (const Contribution& c : o->brings) {
        if (most[c.monomial] == 0) best[t].push_back({c.monomial, 0});
        most[c.monomial] = std::max(most[c.monomial], brought(*o, c.monomial));
      }
    for (Contribution& c : best[t]) {
      c.amount = std::exchange(most[c.monomial], 0);
      supply[c.monomial] += c.amount;
    }
  }
  for (std::uint32_t m = 0; m < rest.size(); ++m)
    if (supply[m] < rest[m] - kTolerance) return m;
  for (std::size_t t = 0; t < live.size(); ++t)
    for (const Contribution& c : best[t])
      if (rest[c.monomial] > kTolerance && supply[c.monomial] - c.amount < rest[c.monomial] - kTolerance)
        std::erase_if(live[t], [&](const Option* o) { return brought(*o, c.monomial) == 0; });
  return std::nullopt;
}

// Other warps and blocks pose the same goal over the same points: once is enough.
std::string key_of(const Goal& goal) {
  std::string key;
  const auto add = [&](const auto& v) { key.append(reinterpret_cast<const char*>(&v), sizeof v); };
  add(goal.is_set);
  add(goal.cancel_free);
  for (double n : goal.need) add(n);
  for (const GoalTerm& term : goal.terms) {
    add(term.options.size());
    add(term.open);
    for (const Option& option : term.options) {
      add(option.path.size());
      for (const auto& [point, value] : option.path) add(point.value), add(value);
      for (const Contribution& c : option.brings) add(c.monomial), add(c.amount);
    }
  }
  return key;
}

}  // namespace

std::optional<Conflict> Goals::compile(Problem& problem) {
  GoalCompiler compiler(problem, goals_);
  for (std::size_t i = 0; i < problem.equations.size(); ++i)
    if (auto conflict = compiler.equation(i)) return conflict;
  for (std::size_t i = 0; i < problem.requirements.size(); ++i)
    if (auto conflict = compiler.requirement(i)) return conflict;
  std::unordered_set<std::string> seen;
  std::erase_if(goals_, [&](const Goal& goal) { return !seen.insert(key_of(goal)).second; });
  return std::nullopt;
}

std::optional<Conflict> Goals::propagate(Domains& domains) const {
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t g = 0; g < goals_.size(); ++g)
      if (auto conflict = visit(g, domains, changed)) return conflict;
  }
  return std::nullopt;
}

std::optional<Conflict> Goals::visit(std::size_t index, Domains& domains, bool& changed) const {
  const Goal& goal = goals_[index];
  std::vector<std::vector<const Option*>> live(goal.terms.size());
  bool any_open = false;
  for (std::size_t t = 0; t < goal.terms.size(); ++t) {
    any_open |= goal.terms[t].open;
    for (const Option& option : goal.terms[t].options)
      if (is_live(option, domains)) live[t].push_back(&option);
    if (live[t].empty() && !goal.terms[t].open) return Conflict{goal.equation, goal.requirement, {}};
  }
  if (goal.cancel_free && !goal.is_set && !any_open) {
    // Terms that can bring one thing only use up the need for it; the others must do with the rest.
    std::vector<double> rest = goal.need;
    std::vector<bool> decided(live.size(), false);
    for (bool again = true; again;) {
      again = false;
      for (std::size_t t = 0; t < live.size(); ++t) {
        if (decided[t]) continue;
        std::erase_if(live[t], [&](const Option* o) {
          return std::any_of(o->brings.begin(), o->brings.end(), [&](const Contribution& c) { return brought(*o, c.monomial) > rest[c.monomial] + 1e-9; });
        });
        if (live[t].empty()) return Conflict{goal.equation, goal.requirement, {}};
        const Option& first = *live[t][0];
        if (!std::all_of(live[t].begin(), live[t].end(), [&](const Option* o) { return same_contribution(*o, first); })) continue;
        decided[t] = true;
        again = true;
        for (const Contribution& c : first.brings) rest[c.monomial] -= c.amount;
      }
    }
    if (auto short_of = meet_needs(rest, decided, live)) return Conflict{goal.equation, goal.requirement, goal.names[*short_of]};
  }
  for (std::size_t t = 0; t < live.size(); ++t)
    if (!goal.terms[t].open && !strike_unsupported(live[t], domains, changed)) return Conflict{goal.equation, goal.requirement, {}};
  return std::nullopt;
}

void Goals::precedence(const Problem& problem, std::set<std::pair<std::size_t, std::size_t>>& out) const {
  for (const Goal& goal : goals_)
    for (const GoalTerm& term : goal.terms)
      for (const Option& option : term.options)
        for (std::size_t i = 0; i < option.path.size(); ++i)
          for (std::size_t j = i + 1; j < option.path.size(); ++j) {
            const std::size_t a = problem.points[option.path[i].first].hole.value, b = problem.points[option.path[j].first].hole.value;
            if (a != b) out.emplace(a, b);
          }
}

Goals Goals::within(const Domains& domains) const {
  Goals out;
  for (const Goal& goal : goals_) {
    Goal kept = goal;
    bool settled = goal.equation == Goal::npos || (goal.cancel_free && !goal.is_set);
    std::vector<double> rest = goal.need;
    for (GoalTerm& term : kept.terms) {
      std::erase_if(term.options, [&](const Option& o) { return !is_live(o, domains); });
      settled = settled && !term.open && term.options.size() == 1;
      if (!settled) continue;
      for (const auto& [point, value] : term.options[0].path) settled = settled && domains[point.value].count() == 1;
      for (const Contribution& c : term.options[0].brings) rest[c.monomial] -= c.amount;
    }
    for (double r : rest) settled = settled && std::abs(r) < 1e-9;
    if (!settled) out.goals_.push_back(std::move(kept));
  }
  return out;
}

std::string explain(const Conflict& conflict, const Problem& problem) {
  if (conflict.equation == Goal::npos) return problem.requirements[conflict.requirement].message;
  const Equation& e = problem.equations[conflict.equation];
  const std::string output = fmt::format("{}[{}]", problem.buffer_names[e.buffer.value], e.slot);
  if (!e.stored) return fmt::format("{} is never stored", output);
  if (!conflict.missing.is_undefined())
    return fmt::format("{}, written by thread {}, needs {}, which no choice of the holes brings there", output, e.thread,
                       problem.provenance.describe(conflict.missing, problem.buffer_names));
  return fmt::format("{}, written by thread {}, cannot become {}", output, e.thread, problem.provenance.describe(e.expected, problem.buffer_names));
}

}  // namespace swizzle
