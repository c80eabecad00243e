#include "synth/fetch_builder.h"

#include <algorithm>

namespace swizzle {

void LeafSet::insert(std::uint32_t leaf) {
  if (words_.size() <= leaf / 64) words_.resize(leaf / 64 + 1, 0);
  words_[leaf / 64] |= std::uint64_t{1} << (leaf % 64);
}

bool LeafSet::contains(std::uint32_t leaf) const { return leaf / 64 < words_.size() && (words_[leaf / 64] >> (leaf % 64) & 1) != 0; }

bool LeafSet::meets(const LeafSet& other) const {
  for (std::size_t i = 0; i < std::min(words_.size(), other.words_.size()); ++i)
    if ((words_[i] & other.words_[i]) != 0) return true;
  return false;
}

void LeafSet::merge(const LeafSet& other) {
  if (words_.size() < other.words_.size()) words_.resize(other.words_.size(), 0);
  for (std::size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
}

bool FetchBuilder::is_plain(NodeId choice) {
  if (const auto it = plain_.find(choice.value); it != plain_.end()) return it->second;
  bool plain = true;
  for (const Value& child : problem_.provenance.node(choice).children) {
    if (child.is_undefined()) continue;
    if (!child.is_node()) plain = false;
    else if (problem_.provenance.node(child).kind == Node::Kind::kChoice) plain = plain && is_plain(child.as_node());
    else plain = plain && !problem_.provenance.has_choice(child) &&
                 (problem_.provenance.node(child).kind == Node::Kind::kInput || problem_.provenance.node(child).kind == Node::Kind::kOpaque);
    if (!plain) break;
  }
  plain_[choice.value] = plain;
  return plain;
}

const LeafSet& FetchBuilder::reach(NodeId choice) {
  if (const auto it = reach_.find(choice.value); it != reach_.end()) return it->second;
  LeafSet set;
  for (const Value& child : problem_.provenance.node(choice).children) {
    if (!child.is_node()) continue;
    if (problem_.provenance.node(child).kind == Node::Kind::kChoice) set.merge(reach(child.as_node()));
    else set.insert(number_of(child.as_node()));
  }
  return reach_[choice.value] = std::move(set);
}

std::uint32_t FetchBuilder::number_of(NodeId leaf) {
  if (numbers_.size() <= leaf.value) numbers_.resize(problem_.provenance.size(), NodeId::kInvalid);
  std::uint32_t& number = numbers_[leaf.value];
  if (number == NodeId::kInvalid) number = leaves_++;
  return number;
}

// `next` if the key is new to this build.
std::uint32_t FetchBuilder::position(std::vector<Position>& known, std::uint32_t key, std::uint32_t build, std::size_t next) {
  if (known.size() <= key) known.resize(key + 1);
  if (known[key].build != build) known[key] = {build, static_cast<std::uint32_t>(next)};
  return known[key].position;
}

Fetch FetchBuilder::build(NodeId choice, const LeafSet& useful) {
  Fetch fetch;
  ++builds_;
  path_.clear();
  walk(Value::node(choice), useful, fetch);
  index(fetch);
  return fetch;
}

void FetchBuilder::index(Fetch& fetch) {
  const std::size_t points = fetch.points.size(), words = fetch.words = std::max<std::size_t>(1, (fetch.alternatives.size() + 63) / 64);
  std::vector<std::vector<std::uint32_t>> literal(points);  // by point and value: its number + 1
  for (const Step& step : fetch.steps) {
    std::vector<std::uint32_t>& known = literal[step.local];
    const auto value = static_cast<std::size_t>(step.value);
    if (known.size() <= value) known.resize(value + 1, 0);
    known[value] = 1;
  }
  for (std::size_t p = 0; p < points; ++p) {
    fetch.first_literal.push_back(static_cast<std::uint32_t>(fetch.literals.size()));
    for (std::size_t value = 0; value < literal[p].size(); ++value) {
      if (literal[p][value] == 0) continue;
      fetch.literals.push_back(static_cast<std::uint32_t>(value));
      literal[p][value] = static_cast<std::uint32_t>(fetch.literals.size());
    }
  }
  fetch.first_literal.push_back(static_cast<std::uint32_t>(fetch.literals.size()));
  fetch.supports.assign(fetch.literals.size() * words, 0);
  fetch.passes.assign(points * words, 0);
  fetch.of_leaf.assign(fetch.leaves.size() * words, 0);
  for (std::size_t a = 0; a < fetch.alternatives.size(); ++a) {
    const Fetch::Alternative& alternative = fetch.alternatives[a];
    const std::uint64_t bit = std::uint64_t{1} << (a % 64);
    fetch.of_leaf[alternative.leaf * words + a / 64] |= bit;
    for (std::uint32_t s = 0; s < alternative.steps; ++s) {
      const Step& step = fetch.steps[alternative.first_step + s];
      fetch.supports[(literal[step.local][static_cast<std::size_t>(step.value)] - 1) * words + a / 64] |= bit;
      fetch.passes[step.local * words + a / 64] |= bit;
    }
  }
}

// Follows the choices below `v`, one branch for each value of each point on the way.
void FetchBuilder::walk(Value v, const LeafSet& useful, Fetch& fetch) {
  if (!v.is_node()) return;
  const Node& node = problem_.provenance.node(v);
  if (node.kind != Node::Kind::kChoice) {
    const std::uint32_t number = number_of(v.as_node());
    if (!useful.contains(number)) return;
    const std::uint32_t leaf = position(leaf_, number, builds_, fetch.leaves.size());
    if (leaf == fetch.leaves.size()) fetch.leaves.push_back(v.as_node());
    fetch.alternatives.push_back({static_cast<std::uint32_t>(fetch.steps.size()), static_cast<std::uint32_t>(path_.size()), leaf});
    for (const auto& [point, value] : path_) {
      const std::uint32_t local = position(local_, point.value, builds_, fetch.points.size());
      if (local == fetch.points.size()) fetch.points.push_back(point);
      fetch.steps.push_back({local, value});
    }
    return;
  }
  if (!reach(v.as_node()).meets(useful)) return;
  const PointId point(node.tag);
  if (const int known = assignment_[point.value]; known >= 0) return walk(node.children[static_cast<std::size_t>(known)], useful, fetch);
  for (std::size_t value = 0; value < node.children.size(); ++value) {
    assignment_[point.value] = static_cast<int>(value);
    path_.emplace_back(point, static_cast<int>(value));
    walk(node.children[value], useful, fetch);
    path_.pop_back();
  }
  assignment_[point.value] = -1;
}

}  // namespace swizzle
