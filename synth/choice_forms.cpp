#include "synth/choice_forms.h"

#include <algorithm>

#include "synth/hashes.h"

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

std::size_t ChoiceForms::Hash::operator()(const std::vector<std::uint32_t>& key) const { return hash_of(key.size(), key); }

ChoiceForms::FormId ChoiceForms::find_anew(NodeId choice) {
  if (places_.size() <= choice.value) places_.resize(problem_.provenance.size());
  const FormId found = find(choice);
  places_[choice.value].form = found;
  return found;
}

bool ChoiceForms::is_plain(const Value& child) {
  if (child.is_undefined()) return true;
  if (!child.is_node()) return false;
  const Node& node = problem_.provenance.node(child);
  if (node.kind == Node::Kind::kChoice) return form_of(child.as_node()) != kOther;
  return !node.has_choice && (node.kind == Node::Kind::kInput || node.kind == Node::Kind::kOpaque);
}

ChoiceForms::FormId ChoiceForms::find(NodeId choice) {
  const Node& node = problem_.provenance.node(choice);
  for (const Value& child : node.children)
    if (!is_plain(child)) return kOther;
  const auto fresh = static_cast<FormId>(forms_.size());
  const std::size_t first = points_.size();
  places_[choice.value].first_point = static_cast<std::uint32_t>(first);
  bool shared = spell(node);
  if (shared)
    if (const auto it = known_.find(key_); it != known_.end()) return it->second;
  shared = shared && ways_.split(choice).others.empty();
  if (shared) known_.emplace(key_, fresh);
  else points_.resize(first);
  forms_.push_back({reach_of(node), shared, points_.size() - first});
  return fresh;
}

inline std::uint32_t ChoiceForms::place(PointId point, std::size_t first) {
  Position& known = positions_[point.value];
  if (known.spelling != spellings_) {
    known = {spellings_, static_cast<std::uint32_t>(points_.size() - first)};
    points_.push_back(point);
  }
  return known.position;
}

// Child by child: a leaf, or a form and where its points stand among those of this choice. What a child is tells how many follow.
bool ChoiceForms::spell(const Node& node) {
  constexpr std::uint32_t kUndefined = 0, kAsBefore = 1, kLeaf = 2, kForm = 3, kKinds = 4;
  key_.clear();
  ++spellings_;
  positions_.resize(std::max(positions_.size(), problem_.points.size()));
  const std::size_t first = points_.size();
  place(PointId(node.tag), first);
  const Value* before = nullptr;
  for (const Value& child : node.children) {
    if (before && *before == child) {
      key_.push_back(kAsBefore);
    } else if (!child.is_node()) {
      key_.push_back(kUndefined);
    } else if (problem_.provenance.node(child).kind != Node::Kind::kChoice) {
      key_.push_back(number_of(child.as_node()) * kKinds + kLeaf);
    } else {
      const Place& below = places_[child.aux];
      if (!is_shared(below.form)) return false;
      const std::size_t count = forms_[below.form].points;
      key_.push_back(below.form * kKinds + kForm);
      key_.resize(key_.size() + count);
      std::uint32_t* const written = key_.data() + key_.size() - count;
      for (std::size_t i = 0; i < count; ++i) written[i] = place(points_[below.first_point + i], first);
      if (points_.size() - first > kMostPoints) return false;
    }
    before = &child;
  }
  return true;
}

LeafSet ChoiceForms::reach_of(const Node& node) {
  LeafSet set;
  Value before;
  for (const Value& child : node.children) {
    if (!child.is_node() || child == before) continue;
    before = child;
    if (problem_.provenance.node(child).kind == Node::Kind::kChoice) set.merge(reach(form(child.as_node())));
    else set.insert(number_of(child.as_node()));
  }
  return set;
}

}  // namespace swizzle
