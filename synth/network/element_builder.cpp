#include "synth/network/element_builder.h"

#include <algorithm>

namespace swizzle {

ElementBuilder::ElementBuilder(const Problem& problem)
    : problem_(problem),
      assignment_(problem.points.size(), -1),
      ways_(problem),
      forms_(problem, ways_) {}

// `next` if the key is new to this build.
std::uint32_t ElementBuilder::position(std::vector<Position>& known, std::uint32_t key, std::uint32_t build,
                                       std::size_t next) {
  if (known.size() <= key) known.resize(key + 1);
  if (known[key].build != build) known[key] = {build, static_cast<std::uint32_t>(next)};
  return known[key].position;
}

ElementConstraint ElementBuilder::build(NodeId choice, const LeafSet& useful) {
  const CanonicalChoices::FormId form = forms_.form_of(choice);
  if (!forms_.is_shared(form)) return build_anew(choice, useful);
  const std::span<const PointId> points = forms_.points(choice);
  const auto [it, fresh] = built_.try_emplace({form, useful});
  Built& built = it->second;
  if (fresh) {
    ElementConstraint fetch = build_anew(choice, useful);
    built.shape = fetch.shape;
    for (PointId p : fetch.points)
      built.points.push_back(static_cast<std::uint32_t>(std::find(points.begin(), points.end(), p) - points.begin()));
    return fetch;
  }
  ElementConstraint fetch{{}, built.shape};
  fetch.points.reserve(built.points.size());
  for (std::uint32_t at : built.points) fetch.points.push_back(points[at]);
  return fetch;
}

ElementConstraint ElementBuilder::build_anew(NodeId choice, const LeafSet& useful) {
  points_.clear();
  shape_.steps.clear();
  shape_.alternatives.clear();
  shape_.leaves.clear();
  shape_.domains.clear();
  ++builds_;
  path_.clear();
  values_ = 0;
  is_relaxed_ = false;
  follow(Value::node(choice), useful);
  if (std::any_of(shape_.steps.begin(), shape_.steps.end(), [](const Step& step) { return step.value < 0; }))
    for (PointId p : points_) shape_.domains.push_back(problem_.points[p].domain);
  auto known = shapes_.find(shape_);
  if (known == shapes_.end()) {
    index();
    known = shapes_.insert(std::make_shared<const ElementScheme>(shape_)).first;
  }
  return {points_, *known, is_relaxed_};
}

// Point by point, by value. A step away from some values may go to any other.
void ElementBuilder::number_literals() {
  literal_.assign(points_.size() * values_, 0);
  for (const Step& step : shape_.steps) {
    const auto first = literal_.begin() + static_cast<std::ptrdiff_t>(step.local * values_);
    if (step.value >= 0) *(first + step.value) = 1;
    else std::fill(first, first + problem_.points[points_[step.local]].domain, 1u);
  }
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

void ElementBuilder::index() {
  number_literals();
  const std::size_t words = shape_.words = std::max<std::size_t>(1, (shape_.alternatives.size() + 63) / 64);
  shape_.supports.assign(shape_.literals.size() * words, 0);
  shape_.passes.assign(points_.size() * words, 0);
  shape_.of_leaf.assign(shape_.leaves.size() * words, 0);
  for (std::size_t a = 0; a < shape_.alternatives.size(); ++a) {
    const ElementScheme::Alternative& alternative = shape_.alternatives[a];
    const std::uint64_t bit = std::uint64_t{1} << (a % 64);
    const auto support = [&](std::uint32_t local, int value) -> std::uint64_t& {
      return shape_.supports[(literal_[local * values_ + static_cast<std::size_t>(value)] - 1) * words + a / 64];
    };
    shape_.of_leaf[alternative.leaf * words + a / 64] |= bit;
    const Step* const steps = &shape_.steps[alternative.first_step];
    for (const Step* step = steps; step != steps + alternative.steps; ++step) {
      if (step->value >= 0) support(step->local, step->value) |= bit;
      else if (std::uint64_t& passes = shape_.passes[step->local * words + a / 64]; (passes & bit) == 0)
        for (int value = 0; value < problem_.points[points_[step->local]].domain; ++value)
          support(step->local, value) |= bit;
      shape_.passes[step->local * words + a / 64] |= bit;
    }
    for (const Step* step = steps; step != steps + alternative.steps; ++step)
      if (step->value < 0) support(step->local, ~step->value) &= ~bit;
  }
}

void ElementBuilder::keep(NodeId node, std::uint32_t number) {
  const std::uint32_t leaf = position(leaf_, number, builds_, shape_.leaves.size());
  if (leaf == shape_.leaves.size()) shape_.leaves.push_back(node);
  shape_.alternatives.push_back(
      {static_cast<std::uint32_t>(shape_.steps.size()), static_cast<std::uint32_t>(path_.size()), leaf});
  for (OnPath& step : path_) {
    if (step.local == kUnplaced) {
      step.local = position(local_, step.point.value, builds_, points_.size());
      if (step.local == points_.size()) points_.push_back(step.point);
      values_ = std::max(
          values_, static_cast<std::size_t>(step.value < 0 ? problem_.points[step.point].domain : step.value + 1));
    }
    shape_.steps.push_back({step.local, step.value});
  }
}

bool ElementBuilder::leads_on(Value v, const LeafSet& useful) {
  if (!v.is_node()) return false;
  const NodeId id = v.as_node();
  return problem_.provenance.node(id).kind == Node::Kind::kChoice ? forms_.reach(forms_.form_of(id)).meets(useful)
                                                                  : useful.contains(number_of(id));
}

void ElementBuilder::follow(Value v, const LeafSet& useful) {
  if (leads_on(v, useful)) walk(v, useful);
}

// Follows the choices below `v`, one branch for each value of each point on the way, or for those together that lead to
// the same.
void ElementBuilder::walk(Value v, const LeafSet& useful) {
  const Node& node = problem_.provenance.node(v);
  if (node.kind != Node::Kind::kChoice) return take(v.as_node(), number_of(v.as_node()));
  const PointId point(node.tag);
  if (const int known = assignment_[point.value]; known >= 0)
    return follow(node.children()[static_cast<std::size_t>(known)], useful);
  if (is_bypassed(around_, point)) return walk_left(point, node, useful);
  const DefaultEdges::Split& split = ways_.split(v.as_node());
  if (split.others.empty()) {
    for (std::size_t value = 0; value < node.children().size(); ++value)
      step(point, static_cast<int>(value), node.children()[value], useful);
    return;
  }
  for (const DefaultEdges::Branch& other : split.others) branch(other.steps, other.to, useful);
  const std::size_t before = around_.size();
  for (const DefaultEdges::Branch& other : split.others) around_.push_back(other.steps);
  follow(split.rest, useful);
  around_.resize(before);
}

// At a point that has taken a default edge before: with the values that it has left.
void ElementBuilder::walk_left(PointId point, const Node& node, const LeafSet& useful) {
  std::vector<std::size_t> left;
  for (std::size_t value = 0; value < node.children().size(); ++value)
    if (is_left(around_, point, static_cast<int>(value))) left.push_back(value);
  if (left.empty()) return;
  const Value first = node.children()[left.front()];
  if (std::all_of(left.begin(), left.end(), [&](std::size_t value) { return node.children()[value] == first; }))
    return follow(first, useful);
  for (std::size_t value : left) step(point, static_cast<int>(value), node.children()[value], useful);
}

void ElementBuilder::step(PointId point, int value, Value to, const LeafSet& useful) {
  if (!leads_on(to, useful)) return;
  assignment_[point.value] = value;
  path_.push_back({point, value, kUnplaced});
  walk(to, useful);
  path_.pop_back();
  assignment_[point.value] = -1;
}

void ElementBuilder::branch(const Path& steps, Value to, const LeafSet& useful) {
  const std::size_t length = path_.size();
  bool fits = leads_on(to, useful);
  for (const auto& [point, value] : steps) {
    if (!fits) break;
    const int known = assignment_[point.value];
    fits = known < 0 ? is_left(around_, point, value) : known == value;
    if (!fits || known >= 0) continue;
    assignment_[point.value] = value;
    path_.push_back({point, value, kUnplaced});
  }
  if (fits) walk(to, useful);
  for (std::size_t i = length; i < path_.size(); ++i) assignment_[path_[i].point.value] = -1;
  path_.resize(length);
}

// The leaf at the end of the way, with the conditions of the default edges.
void ElementBuilder::take(NodeId leaf, std::uint32_t number) {
  if (around_.empty()) return keep(leaf, number);
  const std::size_t length = path_.size();
  Path steps;
  for (const OnPath& step : path_) steps.emplace_back(step.point, step.value);
  for (const Path& condition : ways_.conditions(steps, around_, is_relaxed_)) {
    for (const auto& [point, value] : condition) path_.push_back({point, value, kUnplaced});
    keep(leaf, number);
    path_.resize(length);
  }
}

}  // namespace swizzle
