#include "synth/network/default_edges.h"

#include <algorithm>

#include "synth/problem/permutations.h"

namespace swizzle {
namespace {

// The only value that can be at more than half of the places.
template <typename Values>
Value candidate(const Values& children) {
  Value candidate;
  std::size_t lead = 0;
  for (const Value& child : children) {
    if (lead == 0) candidate = child;
    lead = child == candidate ? lead + 1 : lead - 1;
  }
  return candidate;
}

// Of a point, a path says either its value or what it is not. False: it would contradict itself.
bool add_step(Path& path, PointId point, int value) {
  for (const auto& [p, known] : path) {
    if (p != point || known == value) continue;
    if (known == ~value || (known >= 0 && value >= 0)) return false;
    if (known >= 0) return true;
  }
  if (value >= 0)
    path.erase(std::remove_if(path.begin(), path.end(), [&](const auto& step) { return step.first == point; }),
               path.end());
  if (std::find(path.begin(), path.end(), std::pair(point, value)) == path.end()) path.emplace_back(point, value);
  return true;
}

}  // namespace

std::optional<Value> majority(const Children& values) {
  const Value found = candidate(values);
  if (static_cast<std::size_t>(std::count(values.begin(), values.end(), found)) * 2 > values.size()) return found;
  return std::nullopt;
}

bool is_bypassed(const std::vector<Path>& around, PointId point) {
  return std::any_of(around.begin(), around.end(),
                     [&](const Path& branch) { return branch.size() == 1 && branch[0].first == point; });
}

bool is_left(const std::vector<Path>& around, PointId point, int value) {
  return std::find(around.begin(), around.end(), Path{{point, value}}) == around.end();
}

DefaultEdges::DefaultEdges(const Problem& problem)
    : problem_(problem),
      alone_(problem.points.size()),
      together_(problem.points.size()) {
  for (const Requirement& requirement : problem.requirements) note(requirement.violation);
}

void DefaultEdges::note(Value violation) {
  const auto is_choice = [&](Value v) {
    return v.is_node() && problem_.provenance.node(v).kind == Node::Kind::kChoice;
  };
  if (!is_choice(violation)) return;
  const Node& first = problem_.provenance.node(violation);
  bool any = false;
  std::vector<std::uint32_t> seconds;
  for (const Value& child : first.children()) {
    any = any || truth(child) == true;
    if (!is_choice(child)) continue;
    const std::uint32_t second = problem_.provenance.node(child).tag;
    if (std::find(seconds.begin(), seconds.end(), second) == seconds.end()) seconds.push_back(second);
  }
  if (any) alone_[first.tag].push_back(violation.aux);
  for (std::uint32_t second : seconds) {
    auto& by_second = together_[first.tag];
    by_second.resize(together_.size(), 0);
    if (by_second[second] == 0) {
      by_second[second] = static_cast<std::uint32_t>(lists_.size());
      lists_.emplace_back();
    }
    lists_[by_second[second]].push_back(violation.aux);
  }
}

// Of a choice with branches; else null.
const DefaultEdges::Split* DefaultEdges::split_of(Value v) {
  if (!v.is_node() || problem_.provenance.node(v).kind != Node::Kind::kChoice) return nullptr;
  const Split& known = split(v.as_node());
  return known.others.empty() ? nullptr : &known;
}

// Where more than half of the values lead, at once or around a branch.
std::optional<Value> DefaultEdges::rest_of(const Children& children) {
  if (const std::optional<Value> direct = majority(children)) return direct;
  std::vector<Value> rests;  // of children that are not the one before
  for (std::size_t i = 0; i < children.size(); ++i)
    if (i == 0 || !(children[i] == children[i - 1]))
      if (const Split* split = split_of(children[i])) rests.push_back(split->rest);
  if (rests.empty()) return std::nullopt;
  for (const Value& rest : {candidate(rests), rests.front(), rests.back()}) {
    const auto leads_there = [&](const Value& child) {
      const Split* split = child == rest ? nullptr : split_of(child);
      return child == rest || (split && split->rest == rest);
    };
    if (static_cast<std::size_t>(std::count_if(children.begin(), children.end(), leads_there)) * 2 > children.size())
      return rest;
  }
  return std::nullopt;
}

const DefaultEdges::Split& DefaultEdges::split(NodeId choice) {
  if (split_at_.size() <= choice.value) split_at_.resize(problem_.provenance.size(), kUnknown);
  if (split_at_[choice.value] != kUnknown) return splits_[split_at_[choice.value]];
  const Node& node = problem_.provenance.node(choice);
  const std::optional<Value> rest = rest_of(node.children());
  split_at_[choice.value] = rest ? static_cast<std::uint32_t>(splits_.size()) : 0;
  if (!rest) return splits_.front();
  Split& split = splits_.emplace_back();
  split.rest = *rest;
  for (std::size_t value = 0; value < node.children().size(); ++value) {
    const Value child = node.children()[value];
    if (child == *rest) continue;
    const std::pair<PointId, int> step(PointId(node.tag), static_cast<int>(value));
    const Split* const below = split_of(child);
    if (!below || !(below->rest == *rest)) {
      split.others.push_back({{step}, child});
      continue;
    }
    for (const Branch& branch : below->others) {
      split.others.push_back({{step}, branch.to});
      split.others.back().steps.insert(split.others.back().steps.end(), branch.steps.begin(), branch.steps.end());
    }
  }
  return split;
}

bool DefaultEdges::excludes(PointId p, int value) const {
  const std::vector<std::uint32_t>& violations = alone_[p.value];
  return std::any_of(violations.begin(), violations.end(), [&](std::uint32_t violation) {
    return truth(problem_.provenance.node(NodeId(violation)).children()[static_cast<std::size_t>(value)]) == true;
  });
}

bool DefaultEdges::excludes(PointId p, int a, PointId q, int b) const {
  return (a == b && never_equal(problem_, p, q)) || violates(p.value, q.value, a, b) ||
         violates(q.value, p.value, b, a);
}

bool DefaultEdges::is_excluded(const Path& branch) const {
  for (std::size_t i = 0; i < branch.size(); ++i) {
    if (excludes(branch[i].first, branch[i].second)) return true;
    for (std::size_t j = i + 1; j < branch.size(); ++j)
      if (excludes(branch[i].first, branch[i].second, branch[j].first, branch[j].second)) return true;
  }
  return false;
}

std::vector<Path> DefaultEdges::conditions(const Path& steps, const std::vector<Path>& around, bool& relaxed) const {
  constexpr std::size_t kMostPaths = 16;
  std::vector<Path> all(1);
  for (const Path& branch : around) {
    Path open;  // what the way has not decided
    bool is_passed = is_excluded(branch);
    for (const auto& [point, value] : branch) {
      const auto known =
          std::find_if(steps.begin(), steps.end(), [&, p = point](const auto& step) { return step.first == p; });
      if (known == steps.end()) open.emplace_back(point, value);
      else is_passed = is_passed || known->second != value;
      is_passed = is_passed || std::any_of(steps.begin(), steps.end(), [&, p = point, v = value](const auto& step) {
                    return excludes(p, v, step.first, step.second);
                  });
    }
    if (is_passed) continue;
    if (open.empty()) return {};
    if (open.size() > 1 && all.size() * open.size() > kMostPaths) {
      relaxed = true;
      continue;
    }
    std::vector<Path> next;
    for (std::size_t i = 0; i < open.size(); ++i)
      for (Path path : all) {
        bool stands = true;
        for (std::size_t j = 0; j < i; ++j) stands = stands && add_step(path, open[j].first, open[j].second);
        if (stands && add_step(path, open[i].first, ~open[i].second)) next.push_back(std::move(path));
      }
    all = std::move(next);
  }
  return all;
}

bool DefaultEdges::violates(std::uint32_t first, std::uint32_t second, int a, int b) const {
  if (together_[first].empty()) return false;
  const std::vector<std::uint32_t>& violations = lists_[together_[first][second]];
  return std::any_of(violations.begin(), violations.end(), [&](std::uint32_t violation) {
    const Value child = problem_.provenance.node(NodeId(violation)).children()[static_cast<std::size_t>(a)];
    if (!child.is_node()) return truth(child) == true;
    const Node& node = problem_.provenance.node(child);
    return node.kind == Node::Kind::kChoice && node.tag == second &&
           truth(node.children()[static_cast<std::size_t>(b)]) == true;
  });
}

}  // namespace swizzle
