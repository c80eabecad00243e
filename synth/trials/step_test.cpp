#include "synth/trials/step_test.h"

#include <algorithm>

namespace swizzle {

bool StepTest::passes(const std::vector<std::size_t>& positions, const std::vector<std::int16_t>& values) {
  constexpr std::size_t kSeldom = 256;
  is_late_ = is_late_ || (++tested_ % kSeldom == 0 && deadline_.passed());
  if (is_late_) return false;
  std::fill(known_.begin(), known_.end(), char{0});
  for (std::size_t i = 0; i < positions.size(); ++i) {
    table_.values[positions[i]] = values[i];
    known_[positions[i]] = 1;
  }
  bool passes = true;
  std::size_t decided = 0;
  for (; passes && decided < graph_.steps().size(); ++decided) {
    const TrialStep& step = graph_.steps()[decided];
    if (step.hole != hole_ || !std::ranges::all_of(step.positions, [&](std::size_t p) { return known_[p] != 0; }))
      continue;
    graph_.decide(decided, table_);
    passes = graph_.stands(decided);
  }
  for (std::size_t s = 0; s < decided; ++s)
    if (graph_.steps()[s].hole == hole_) graph_.open(s);
  return passes;
}

}  // namespace swizzle
