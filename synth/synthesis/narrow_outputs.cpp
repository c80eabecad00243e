#include "synth/synthesis/narrow_outputs.h"

#include <algorithm>

#include <fmt/format.h>

#include "synth/machine/machine.h"
#include "synth/provenance/casts.h"
#include "synth/provenance/concrete.h"

namespace swizzle {
namespace {

constexpr std::uint64_t kTrials = 8;

// The integer type that the value was widened from, under every choice.
std::optional<Scalar> widened_from(const Provenance& provenance, Value v) {
  if (!v.is_node()) return std::nullopt;
  const Node& n = provenance.node(v);
  if (n.kind == Node::Kind::kChoice) {
    const auto first = widened_from(provenance, n.children()[0]);
    if (!first) return std::nullopt;  // the others need not be looked at, and they may be many
    const auto leaves = provenance.leaves(v);
    const bool are_alike = std::ranges::all_of(
        leaves, [&](const Value& leaf) { return leaf.is_node() && widened_from(provenance, leaf) == first; });
    return are_alike ? first : std::nullopt;
  }
  const auto cast = cast_of(n);
  const bool widens = cast && !is_real(cast->from) && !is_real(cast->to) && cast->from != Scalar::kBool &&
                      bit_width(cast->from) < bit_width(cast->to);
  return widens ? std::optional(cast->from) : std::nullopt;
}

}  // namespace

std::optional<std::string> too_narrow_output(const Problem& problem) {
  const Provenance& provenance = problem.provenance;
  for (const Equation& e : problem.equations) {
    const auto narrow = widened_from(provenance, e.actual);
    if (!narrow || provenance.has_choice(e.expected)) continue;
    Concrete concrete(provenance);
    for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
      concrete.start(trial);
      const auto needed = concrete.integer(e.expected);
      if (needed && wrap(*narrow, *needed) != *needed)
        return fmt::format(
            "{}[{}], written by thread {}, is kept in '{}' before it is stored, which does not hold what the spec stores",
            problem.buffer_names[e.buffer.value], e.slot, e.thread, spelling(*narrow));
    }
  }
  return std::nullopt;
}

}  // namespace swizzle
