#include "synth/propagation/element_propagator.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "synth/base/bits.h"
#include "synth/propagation/literals.h"

namespace swizzle {
namespace {

using Word = ElementPropagator::Word;

template <typename PointOf>
Path path_of(const ElementScheme& shape, std::size_t alternative, PointOf&& point_of) {
  Path path;
  const Step* step = &shape.steps[shape.alternatives[alternative].first_step];
  for (const Step* end = step + shape.alternatives[alternative].steps; step != end; ++step)
    if (step->value >= 0) path.emplace_back(point_of(step->local), step->value);
  return path;
}

}  // namespace

void ElementPropagator::extend() {
  const bool late = !first_word_.empty();
  while (first_word_.size() < network_.fetches.size()) {
    const ElementConstraint& fetch = network_.fetches[first_word_.size()];
    first_word_.push_back(live_.size());
    live_.resize(live_.size() + fetch.shape->words, ~Word{0});
    if (fetch.shape->alternatives.size() % 64 != 0)
      live_.back() = (Word{1} << (fetch.shape->alternatives.size() % 64)) - 1;
    if (fetch.shape->alternatives.empty()) live_.back() = 0;
    versions_.push_back(1);
    stale_.push_back(late ? kAlways : kStale);
    changed_.emplace_back();
    unprojected_.push_back(1);
  }
}

void ElementPropagator::set(std::uint32_t fetch, std::size_t word, Word bits) {
  const std::size_t position = first_word_[fetch] + word;
  if (live_[position] == bits) return;
  assert((bits & ~live_[position]) == 0);  // alternatives come back by undo() only
  trail_.push_back({position, live_[position], fetch});
  live_[position] = bits;
  ++versions_[fetch];
  unprojected_[fetch] = 1;
}

void ElementPropagator::undo(std::size_t mark) {
  assert(mark <= trail_.size());
  for (; trail_.size() > mark; trail_.pop_back()) {
    assert((live_[trail_.back().position] & ~trail_.back().bits) == 0);
    live_[trail_.back().position] = trail_.back().bits;
    ++versions_[trail_.back().fetch];
  }
}

template <typename F>
void ElementPropagator::for_each(std::uint32_t fetch, F&& f) const {
  for (std::size_t w = 0; w < network_.fetches[fetch].shape->words; ++w)
    for (Word bits = live_[first_word_[fetch] + w]; bits != 0; bits &= bits - 1)
      f(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
}

bool ElementPropagator::any(std::uint32_t fetch) const {
  const Word* live = &live_[first_word_[fetch]];
  return std::any_of(live, live + network_.fetches[fetch].shape->words, [](Word w) { return w != 0; });
}

void ElementPropagator::mark_stale(std::uint32_t fetch, std::uint32_t local) {
  if (stale_[fetch] > kPartly) return;
  if (stale_[fetch] == kFresh) changed_[fetch].clear();
  stale_[fetch] = changed_[fetch].size() < kFewChanges ? kPartly : kStale;
  if (stale_[fetch] == kPartly) changed_[fetch].push_back(local);
}

// Of the live alternatives, in one word, those that have an allowed value at a point, or do not pass it.
Word ElementPropagator::allowed_by(const ElementConstraint& f, std::size_t local, std::size_t word, Word live) const {
  const ElementScheme& shape = *f.shape;
  const Word passing = shape.passes[local * shape.words + word] & live;
  if (passing == 0) return live;
  const Word* allowed = domains_.values(f.points[local]);
  Word supported = 0;
  for (std::uint32_t l = shape.first_literal[local]; l < shape.first_literal[local + 1]; ++l) {
    const std::uint32_t value = shape.literals[l];
    if ((allowed[value / 64] >> (value % 64) & 1) != 0) supported |= shape.supports[l * shape.words + word];
  }
  return live & (~passing | supported);
}

bool ElementPropagator::refresh(std::uint32_t fetch) {
  if (stale_[fetch] == kFresh) return true;
  const bool partly = stale_[fetch] == kPartly;
  if (stale_[fetch] != kAlways) stale_[fetch] = kFresh;
  const ElementConstraint& f = network_.fetches[fetch];
  const ElementScheme& shape = *f.shape;
  if (partly) {
    for (std::size_t w = 0; w < shape.words; ++w) {
      Word live = live_[first_word_[fetch] + w];
      for (std::uint32_t local : changed_[fetch]) live = live == 0 ? 0 : allowed_by(f, local, w, live);
      set(fetch, w, live);
    }
    return any(fetch);
  }
  if (few(fetch)) {
    for_each(fetch, [&](std::size_t a) {
      const Step* step = &shape.steps[shape.alternatives[a].first_step];
      for (const Step* end = step + shape.alternatives[a].steps; step != end; ++step)
        if (!holds(f.points[step->local], step->value, domains_))
          return set(fetch, a / 64, live_[first_word_[fetch] + a / 64] & ~(Word{1} << (a % 64)));
    });
    return any(fetch);
  }
  for (std::size_t w = 0; w < shape.words; ++w) {
    Word live = live_[first_word_[fetch] + w];
    for (std::size_t p = 0; p < f.points.size() && live != 0; ++p) live = allowed_by(f, p, w, live);
    set(fetch, w, live);
  }
  return any(fetch);
}

bool ElementPropagator::few(std::uint32_t fetch) const {
  constexpr int kFew = 8;
  int count = 0;
  for (std::size_t w = 0; w < network_.fetches[fetch].shape->words; ++w)
    count += std::popcount(live_[first_word_[fetch] + w]);
  return count <= kFew;
}

void ElementPropagator::reach(std::uint32_t fetch, const Mask& serves, Word* out, std::size_t words) const {
  const ElementScheme& shape = *network_.fetches[fetch].shape;
  for_each(fetch, [&](std::size_t a) {
    const Word* mask = &serves[shape.alternatives[a].leaf * words];
    for (std::size_t w = 0; w < words; ++w) out[w] |= mask[w];
  });
}

bool ElementPropagator::restrict(std::uint32_t fetch, const Mask& serves, const Word* may, std::size_t words) {
  const ElementScheme& shape = *network_.fetches[fetch].shape;
  Word left = 0;
  for (std::size_t w = 0; w < shape.words; ++w) {
    Word keep = live_[first_word_[fetch] + w];
    for (Word bits = keep; bits != 0; bits &= bits - 1) {
      const std::size_t a = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      if (!meets(&serves[shape.alternatives[a].leaf * words], may, words)) keep &= ~(bits & -bits);
    }
    set(fetch, w, keep);
    left |= keep;
  }
  return left != 0;
}

bool ElementPropagator::drop(std::uint32_t fetch, NodeId leaf) {
  const ElementScheme& shape = *network_.fetches[fetch].shape;
  for (std::size_t i = 0; i < shape.leaves.size(); ++i)
    if (shape.leaves[i] == leaf)
      for (std::size_t w = 0; w < shape.words; ++w)
        set(fetch, w, live_[first_word_[fetch] + w] & ~shape.of_leaf[i * shape.words + w]);
  return any(fetch);
}

bool ElementPropagator::project(std::uint32_t fetch) {
  if (unprojected_[fetch] == 0) return true;
  unprojected_[fetch] = 0;
  const ElementConstraint& f = network_.fetches[fetch];
  const ElementScheme& shape = *f.shape;
  const Word* live = &live_[first_word_[fetch]];
  if (few(fetch)) return project_few(fetch);
  for (std::size_t p = 0; p < f.points.size(); ++p) {
    if (domains_.count(f.points[p]) == 1) continue;
    bool always = true;
    for (std::size_t w = 0; w < shape.words && always; ++w)
      always = (live[w] & ~shape.passes[p * shape.words + w]) == 0;
    if (!always) continue;
    supported_.assign(domains_.words(), 0);
    for (std::uint32_t l = shape.first_literal[p]; l < shape.first_literal[p + 1]; ++l)
      if (meets(&shape.supports[l * shape.words], live, shape.words))
        supported_[shape.literals[l] / 64] |= Word{1} << (shape.literals[l] % 64);
    if (!domains_.keep(f.points[p], supported_.data())) return false;
  }
  return true;
}

// supported_ |= all values but those that the alternative steps away from at the point
void ElementPropagator::note_others(const ElementScheme::Alternative& alternative, const ElementScheme& shape,
                                    std::uint32_t local) {
  others_.assign(domains_.words(), ~Word{0});
  for (std::uint32_t t = 0; t < alternative.steps; ++t)
    if (const Step& step = shape.steps[alternative.first_step + t]; step.local == local)
      others_[static_cast<std::size_t>(~step.value) / 64] &= ~(Word{1} << (~step.value % 64));
  for (std::size_t w = 0; w < others_.size(); ++w) supported_[w] |= others_[w];
}

// The points of the first live alternative are the only ones that all can pass.
bool ElementPropagator::project_few(std::uint32_t fetch) {
  const ElementConstraint& f = network_.fetches[fetch];
  const ElementScheme& shape = *f.shape;
  const Word* live = &live_[first_word_[fetch]];
  const std::size_t least = first(live, shape.words);
  if (least >= shape.alternatives.size()) return false;
  const ElementScheme::Alternative& passing = shape.alternatives[least];
  for (std::uint32_t s = 0; s < passing.steps; ++s) {
    const std::uint32_t p = shape.steps[passing.first_step + s].local;
    if (domains_.count(f.points[p]) == 1) continue;
    bool always = true;
    supported_.assign(domains_.words(), 0);
    for_each(fetch, [&](std::size_t a) {
      const ElementScheme::Alternative& alternative = shape.alternatives[a];
      bool passes = false;
      for (std::uint32_t t = 0; t < alternative.steps; ++t) {
        const Step& step = shape.steps[alternative.first_step + t];
        if (step.local != p) continue;
        passes = true;
        if (step.value >= 0) supported_[static_cast<std::size_t>(step.value) / 64] |= Word{1} << (step.value % 64);
        else note_others(alternative, shape, p);
      }
      always = always && passes;
    });
    if (always && !domains_.keep(f.points[p], supported_.data())) return false;
  }
  return true;
}

std::optional<std::uint32_t> ElementPropagator::only_leaf(std::uint32_t fetch) const {
  const ElementConstraint& f = network_.fetches[fetch];
  const ElementScheme& shape = *f.shape;
  const Word* live = &live_[first_word_[fetch]];
  const std::size_t least = first(live, shape.words);
  if (least >= shape.alternatives.size()) return std::nullopt;
  const std::uint32_t leaf = shape.alternatives[least].leaf;
  if (exceeds(live, &shape.of_leaf[leaf * shape.words], shape.words)) return std::nullopt;
  return leaf;
}

std::optional<ElementPropagator::Decision> ElementPropagator::decision(std::uint32_t fetch) const {
  if (!few(fetch)) return std::nullopt;
  const ElementConstraint& f = network_.fetches[fetch];
  Decision decision;
  bool decided = true;
  for_each(fetch, [&](std::size_t a) {
    const ElementScheme::Alternative& alternative = f.shape->alternatives[a];
    int value = -1;
    for (const Step* step = &f.shape->steps[alternative.first_step];
         decided && step != &f.shape->steps[alternative.first_step] + alternative.steps; ++step) {
      const PointId point = f.points[step->local];
      if (!holds(point, step->value, domains_)) return;
      if (domains_.count(point) == 1) continue;
      decided = step->value >= 0 && (!decision.point.valid() || point == decision.point);
      decision.point = point;
      value = step->value;
    }
    decided = decided && value >= 0 &&
              std::none_of(decision.leaves.begin(), decision.leaves.end(),
                           [&](const auto& known) { return known.first == value && known.second != alternative.leaf; });
    decision.leaves.emplace_back(value, alternative.leaf);
  });
  return decided && !decision.leaves.empty() ? std::optional(std::move(decision)) : std::nullopt;
}

Path ElementPropagator::first_live_path(std::uint32_t fetch) const {
  const Word* live = &live_[first_word_[fetch]];
  const ElementConstraint& f = network_.fetches[fetch];
  const std::size_t least = first(live, f.shape->words);
  if (least >= f.shape->alternatives.size()) return {};
  return path_of(*f.shape, least, [&](std::uint32_t local) { return f.points[local]; });
}

std::vector<Path> ElementPropagator::live_paths(std::uint32_t fetch) const {
  std::vector<Path> paths;
  for_each(fetch, [&](std::size_t a) {
    paths.push_back(path_of(*network_.fetches[fetch].shape, a, [](std::uint32_t local) { return PointId(local); }));
  });
  return paths;
}

void ElementPropagator::note_asked(std::vector<bool>& asked) const {
  for (std::size_t fetch = 0; fetch < first_word_.size(); ++fetch) {
    const ElementConstraint& f = network_.fetches[fetch];
    const ElementScheme& shape = *f.shape;
    for (std::size_t p = 0; p < f.points.size(); ++p)
      if (!asked[f.points[p].value] && meets(&shape.passes[p * shape.words], &live_[first_word_[fetch]], shape.words))
        asked[f.points[p].value] = true;
  }
}

}  // namespace swizzle
