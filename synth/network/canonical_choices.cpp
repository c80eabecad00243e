#include "synth/network/canonical_choices.h"

#include <algorithm>

#include "synth/base/hashes.h"

namespace swizzle {
namespace {

// A word of a spelling: kinds, and above them the number of a leaf or of a form.
constexpr std::uint32_t kNothing = 0, kAsBefore = 1, kLeaf = 2, kForm = 3, kKinds = 4, kConstant = kKinds + kNothing;

bool is_nothing(const Value& leaf) { return leaf.is_undefined() || truth(leaf) == false; }

std::size_t hash_of_words(std::span<const std::uint32_t> words) {
  std::size_t hash = words.size(), i = 0;
  for (; i + 1 < words.size(); i += 2) hash = mix(hash, std::size_t{words[i]} << 32 | words[i + 1]);
  return i < words.size() ? mix(hash, words[i]) : hash;
}

}  // namespace

void LeafSet::insert(std::uint32_t leaf) {
  if (words_.size() <= leaf / 64) words_.resize(leaf / 64 + 1, 0);
  words_[leaf / 64] |= std::uint64_t{1} << (leaf % 64);
}

bool LeafSet::contains(std::uint32_t leaf) const {
  return leaf / 64 < words_.size() && (words_[leaf / 64] >> (leaf % 64) & 1) != 0;
}

bool LeafSet::meets(const LeafSet& other) const {
  for (std::size_t i = 0; i < std::min(words_.size(), other.words_.size()); ++i)
    if ((words_[i] & other.words_[i]) != 0) return true;
  return false;
}

void LeafSet::merge(const LeafSet& other) {
  if (words_.size() < other.words_.size()) words_.resize(other.words_.size(), 0);
  for (std::size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
}

CanonicalChoices::FormId CanonicalChoices::find_anew(NodeId choice) {
  if (places_.size() <= choice.value) places_.resize(problem_.provenance.size());
  const FormId found = find(choice);
  places_[choice.value].form = found;
  return found;
}

bool CanonicalChoices::is_plain(const Value& child) {
  if (!child.is_node()) return child.is_undefined() || child.is_int() || child.is_real();
  const Node& node = problem_.provenance.node(child);
  if (is_choice(child)) return form_of(child.as_node()) != kOther;
  return !node.has_choice && (node.kind == Node::Kind::kInput || node.kind == Node::Kind::kOpaque);
}

CanonicalChoices::FormId CanonicalChoices::find(NodeId choice) {
  const Node& node = problem_.provenance.node(choice);
  std::size_t most = 1;  // points that it may have
  for (const Value& child : node.children()) {
    if (!is_plain(child)) return kOther;
    if (child.is_node() && is_choice(child)) most += places_[child.aux].points;
  }
  const std::size_t first_word = keys_.size(), first_point = points_.size();
  const bool spelled = spell(node, most);
  const std::span<const std::uint32_t> key(keys_.data() + first_word, keys_.size() - first_word);
  const auto add = [&] {
    const bool shared = spelled && ways_.split(choice).others.empty();
    forms_.push_back({reach_of(node), shared, meets_constants(node), first_word, shared ? key.size() : 0});
    return static_cast<FormId>(forms_.size() - 1);
  };
  const FormId known = static_cast<FormId>(forms_.size());
  const FormId found =
      spelled ? known_.find_or_add(hash_of_words(key), [&](FormId form) { return spells(form, key); }, add) : add();
  if (found < known || !is_shared(found)) keys_.resize(first_word);
  if (!is_shared(found)) points_.resize(first_point);
  places_[choice.value].first_point = static_cast<std::uint32_t>(first_point);
  places_[choice.value].points = static_cast<std::uint32_t>(points_.size() - first_point);
  return found;
}

bool CanonicalChoices::spells(FormId form, std::span<const std::uint32_t> key) const {
  const Form& known = forms_[form];
  return known.words == key.size() && std::equal(key.begin(), key.end(), keys_.data() + known.first);
}

// Child by child: a leaf, or a form and where its points stand among those of this choice. What a child is tells how
// many follow.
bool CanonicalChoices::spell(const Node& node, std::size_t most) {
  const std::size_t first_word = keys_.size(), first_point = points_.size();
  keys_.resize(first_word + node.children().size() + most);
  points_.resize(first_point + most);
  positions_.resize(std::max(positions_.size(), problem_.points.size()));
  std::uint32_t* word = keys_.data() + first_word;
  PointId* const points = points_.data() + first_point;
  Position* const positions = positions_.data();
  const std::uint32_t spelling = ++spellings_;
  std::uint32_t count = 0;
  const auto position = [&](PointId point) {
    Position& known = positions[point.value];
    if (known.spelling != spelling) {
      known = {spelling, count};
      points[count++] = point;
    }
    return known.position;
  };
  position(PointId(node.tag));
  bool shared = true;
  std::optional<Value> before;
  for (const Value& child : node.children()) {
    if (before == child) {
      *word++ = kAsBefore;
    } else if (!child.is_node()) {
      *word++ = is_nothing(child) ? kNothing : kConstant;
    } else if (!is_choice(child)) {
      *word++ = number_of(child.as_node()) * kKinds + kLeaf;
    } else {
      const Place below = places_[child.aux];
      shared = shared && below.points > 0;
      *word++ = below.form * kKinds + kForm;
      const PointId* const asked = points_.data() + below.first_point;
      for (std::uint32_t i = 0; i < below.points; ++i) *word++ = position(asked[i]);
    }
    before = child;
  }
  keys_.resize(static_cast<std::size_t>(word - keys_.data()));
  points_.resize(first_point + count);
  return shared && count <= kMostPoints;
}

bool CanonicalChoices::meets_constants(const Node& node) {
  return std::any_of(node.children().begin(), node.children().end(), [&](const Value& child) {
    if (!child.is_node()) return !is_nothing(child);
    return is_choice(child) && has_constants(form(child.as_node()));
  });
}

LeafSet CanonicalChoices::reach_of(const Node& node) {
  LeafSet set;
  Value before;
  for (const Value& child : node.children()) {
    if (!child.is_node() || child == before) continue;
    before = child;
    if (is_choice(child)) set.merge(reach(form(child.as_node())));
    else set.insert(number_of(child.as_node()));
  }
  return set;
}

}  // namespace swizzle
