#include "synth/fetch_builder.h"

#include <algorithm>

#include "synth/permutations.h"

namespace swizzle {
namespace {

// The child that most values of the point lead to, two at least; else undefined.
Value shared_by_most(const Node& choice) {
  Value shared;
  std::size_t most = 1;
  for (const Value& child : choice.children) {
    const auto count = static_cast<std::size_t>(std::count(choice.children.begin(), choice.children.end(), child));
    if (count <= most) continue;
    most = count;
    shared = child;
  }
  return shared;
}

std::uint64_t literal_of(PointId point, std::size_t value) { return std::uint64_t{point.value} << 32 | value; }

}  // namespace

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

FetchBuilder::FetchBuilder(const Problem& problem) : problem_(problem), assignment_(problem.points.size(), -1) {
  for (const Requirement& requirement : problem.requirements)
    if (const Value v = requirement.violation; v.is_node() && problem.provenance.node(v).kind == Node::Kind::kChoice) note_exclusion(problem.provenance.node(v));
  may_detour_ = !exclusions_.empty() || std::any_of(problem.holes.begin(), problem.holes.end(), [](const HoleSpace& hole) { return hole.is_xor; });
}

bool FetchBuilder::excludes(PointId p, std::size_t a, PointId q, std::size_t b) const {
  if (a == b && never_equal(problem_, p, q)) return true;
  const auto it = exclusions_.find(literal_of(p, a));
  return it != exclusions_.end() && it->second.contains(literal_of(q, b));
}

// A violation of two points: first.point = a and q = b.
void FetchBuilder::note_exclusion(const Node& first) {
  for (std::size_t a = 0; a < first.children.size(); ++a) {
    if (!first.children[a].is_node()) continue;
    const Node& second = problem_.provenance.node(first.children[a]);
    if (second.kind != Node::Kind::kChoice) continue;
    for (std::size_t b = 0; b < second.children.size(); ++b)
      if (truth(second.children[b]) == true) {
        exclusions_[literal_of(PointId(first.tag), a)].insert(literal_of(PointId(second.tag), b));
        exclusions_[literal_of(PointId(second.tag), b)].insert(literal_of(PointId(first.tag), a));
      }
  }
}

FetchBuilder::Known& FetchBuilder::known(NodeId choice) {
  if (known_.size() <= choice.value) known_.resize(problem_.provenance.size());
  return known_[choice.value];
}

bool FetchBuilder::is_plain(NodeId choice) {
  if (const Plainness plain = known(choice).plain; plain != Plainness::kUnknown) return plain == Plainness::kPlain;
  bool plain = true;
  for (const Value& child : problem_.provenance.node(choice).children) {
    if (child.is_undefined()) continue;
    if (!child.is_node()) plain = false;
    else if (problem_.provenance.node(child).kind == Node::Kind::kChoice) plain = plain && is_plain(child.as_node());
    else plain = plain && !problem_.provenance.has_choice(child) &&
                 (problem_.provenance.node(child).kind == Node::Kind::kInput || problem_.provenance.node(child).kind == Node::Kind::kOpaque);
    if (!plain) break;
  }
  known(choice).plain = plain ? Plainness::kPlain : Plainness::kOther;
  return plain;
}

const LeafSet& FetchBuilder::reach(NodeId choice) {
  if (const std::uint32_t at = known(choice).reach; at != kUnplaced) return reaches_[at];
  LeafSet set;
  for (const Value& child : problem_.provenance.node(choice).children) {
    if (!child.is_node()) continue;
    if (problem_.provenance.node(child).kind == Node::Kind::kChoice) set.merge(reach(child.as_node()));
    else set.insert(number_of(child.as_node()));
  }
  known(choice).reach = static_cast<std::uint32_t>(reaches_.size());
  return reaches_.emplace_back(std::move(set));
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

// Lanes that fetch from the same register differ in the point that chooses the lane, and in nothing else.
Fetch FetchBuilder::build(NodeId choice, const LeafSet& useful) {
  if (may_detour_) return build_anew(choice, useful);
  const Node& node = problem_.provenance.node(choice);
  children_.clear();
  for (const Value& child : node.children) children_.push_back(child.is_node() ? child.aux : kUnplaced);
  const auto [it, fresh] = built_.try_emplace({children_, useful});
  const PointId point(node.tag);
  std::optional<Fetch>& known = it->second;
  if (fresh) {
    Fetch fetch = build_anew(choice, useful);
    if (!asks_first_again_ && !fetch.points.empty()) known = fetch;
    return fetch;
  }
  if (!known || std::find(known->points.begin(), known->points.end(), point) != known->points.end()) return build_anew(choice, useful);
  Fetch fetch = *known;
  fetch.points.front() = point;
  return fetch;
}

Fetch FetchBuilder::build_anew(NodeId choice, const LeafSet& useful) {
  points_.clear();
  shape_.steps.clear();
  shape_.alternatives.clear();
  shape_.leaves.clear();
  ++builds_;
  path_.clear();
  values_ = 0;
  asks_first_again_ = false;
  walk(Value::node(choice), useful);
  auto known = shapes_.find(shape_);
  if (known == shapes_.end()) {
    index();
    known = shapes_.insert(std::make_shared<const FetchShape>(shape_)).first;
  }
  return {points_, *known};
}

// Point by point, by value.
void FetchBuilder::number_literals() {
  literal_.assign(points_.size() * values_, 0);
  for (const Step& step : shape_.steps) literal_[step.local * values_ + static_cast<std::size_t>(step.value)] = 1;
  shape_.first_literal.clear();
  shape_.literals.clear();
  for (std::size_t p = 0; p < points_.size(); ++p) {
    shape_.first_literal.push_back(static_cast<std::uint32_t>(shape_.literals.size()));
    for (std::size_t value = 0; value < values_; ++value) {
      std::uint32_t& literal = literal_[p * values_ + value];
      if (literal == 0) continue;
      shape_.literals.push_back(static_cast<std::uint32_t>(value));
      literal = static_cast<std::uint32_t>(shape_.literals.size());
    }
  }
  shape_.first_literal.push_back(static_cast<std::uint32_t>(shape_.literals.size()));
}

void FetchBuilder::index() {
  number_literals();
  const std::size_t words = shape_.words = std::max<std::size_t>(1, (shape_.alternatives.size() + 63) / 64);
  shape_.supports.assign(shape_.literals.size() * words, 0);
  shape_.passes.assign(points_.size() * words, 0);
  shape_.of_leaf.assign(shape_.leaves.size() * words, 0);
  for (std::size_t a = 0; a < shape_.alternatives.size(); ++a) {
    const FetchShape::Alternative& alternative = shape_.alternatives[a];
    const std::uint64_t bit = std::uint64_t{1} << (a % 64);
    shape_.of_leaf[alternative.leaf * words + a / 64] |= bit;
    for (std::uint32_t s = 0; s < alternative.steps; ++s) {
      const Step& step = shape_.steps[alternative.first_step + s];
      shape_.supports[(literal_[step.local * values_ + static_cast<std::size_t>(step.value)] - 1) * words + a / 64] |= bit;
      shape_.passes[step.local * words + a / 64] |= bit;
    }
  }
}

void FetchBuilder::keep(NodeId node, std::uint32_t number) {
  const std::uint32_t leaf = position(leaf_, number, builds_, shape_.leaves.size());
  if (leaf == shape_.leaves.size()) shape_.leaves.push_back(node);
  shape_.alternatives.push_back({static_cast<std::uint32_t>(shape_.steps.size()), static_cast<std::uint32_t>(path_.size()), leaf});
  for (OnPath& step : path_) {
    if (step.local == kUnplaced) {
      step.local = position(local_, step.point.value, builds_, points_.size());
      if (step.local == points_.size()) points_.push_back(step.point);
      values_ = std::max(values_, static_cast<std::size_t>(step.value) + 1);
    }
    shape_.steps.push_back({step.local, step.value});
  }
}

// Follows the choices below `v`, one branch for each value of each point on the way, or for those together that lead to
// the same.
void FetchBuilder::walk(Value v, const LeafSet& useful) {
  if (!v.is_node()) return;
  const Node& node = problem_.provenance.node(v);
  if (node.kind != Node::Kind::kChoice) {
    const std::uint32_t number = number_of(v.as_node());
    if (useful.contains(number)) take(v.as_node(), number, 0);
    return;
  }
  if (!reach(v.as_node()).meets(useful)) return;
  const PointId point(node.tag);
  asks_first_again_ = asks_first_again_ || (!path_.empty() && path_.front().point == point);
  if (const int known = assignment_[point.value]; known >= 0) return walk(node.children[static_cast<std::size_t>(known)], useful);
  const auto before = std::find_if(detours_.begin(), detours_.end(), [&](const Detour& d) { return d.point == point; });
  if (before != detours_.end()) {  // one of the values that it has left
    const Detour detour = *before;
    for (std::size_t value = 0; value < node.children.size(); ++value)
      if (detour.node->children[value] == detour.rest) branch(point, node, value, useful);
    return;
  }
  const Value rest = may_detour_ ? shared_by_most(node) : Value{};
  for (std::size_t value = 0; value < node.children.size(); ++value)
    if (!rest.is_node() || !(node.children[value] == rest)) branch(point, node, value, useful);
  if (!rest.is_node()) return;
  detours_.push_back({point, &node, rest});
  walk(rest, useful);
  detours_.pop_back();
}

void FetchBuilder::branch(PointId point, const Node& node, std::size_t value, const LeafSet& useful) {
  assignment_[point.value] = static_cast<int>(value);
  path_.push_back({point, static_cast<int>(value), kUnplaced});
  walk(node.children[value], useful);
  path_.pop_back();
  assignment_[point.value] = -1;
}

// The leaf at the end of the way: once, if the way implies all detours; else for each value that the first of the others has left.
void FetchBuilder::take(NodeId leaf, std::uint32_t number, std::size_t next_detour) {
  for (std::size_t d = next_detour; d < detours_.size(); ++d) {
    const Detour detour = detours_[d];
    if (assignment_[detour.point.value] >= 0 || is_implied(detour)) continue;
    for (std::size_t value = 0; value < detour.node->children.size(); ++value) {
      if (!(detour.node->children[value] == detour.rest)) continue;
      path_.push_back({detour.point, static_cast<int>(value), kUnplaced});
      take(leaf, number, d + 1);
      path_.pop_back();
    }
    return;
  }
  keep(leaf, number);
}

// Whether what is on the way keeps the point from all values that do not take the detour.
bool FetchBuilder::is_implied(const Detour& detour) const {
  for (std::size_t value = 0; value < detour.node->children.size(); ++value) {
    if (detour.node->children[value] == detour.rest) continue;
    const bool is_excluded = std::any_of(path_.begin(), path_.end(), [&](const OnPath& step) { return excludes(detour.point, value, step.point, static_cast<std::size_t>(step.value)); });
    if (!is_excluded) return false;
  }
  return true;
}

}  // namespace swizzle
