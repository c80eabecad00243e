#include "synth/proof/region_assumptions.h"

#include <algorithm>
#include <utility>

#include "synth/proof/size_polynomial.h"

namespace swizzle {
namespace {

// What is at least 0 just where the assumption holds: of n > 2 it is n - 3. Nothing of other comparisons.
std::optional<Polynomial> excess_of(const Assumption& assumption, const Program& kernel, const SizeRegion& region) {
  const auto left = parse_size(assumption.left, kernel.source), right = parse_size(assumption.right, kernel.source);
  const auto a = left.ok() ? polynomial_of(*left, region) : std::nullopt,
             b = right.ok() ? polynomial_of(*right, region) : std::nullopt;
  const std::string& comparison = assumption.comparison;
  if (!a || !b || comparison.empty() || (comparison[0] != '<' && comparison[0] != '>')) return std::nullopt;
  return (comparison[0] == '<' ? *b - *a : *a - *b) - Polynomial(comparison.size() == 1 ? 1 : 0);
}

// pitch >= w of a size that neither launch nor loops divide: pitch is w and as much as there may be.
void tell_by_others(const Program& kernel, SizeRegion& whole) {
  for (const Assumption& assumption : kernel.directives.assumptions) {
    const auto excess = excess_of(assumption, kernel, whole);
    if (!excess) continue;
    const auto free = std::ranges::find_if(whole.tiled, [&](const Dimension& d) {
      const Polynomial least = Polynomial::atom(d.before) - *excess;
      return d.unit == 1 && !d.is_ragged && !whole.is_bounded(d.before) && !least.is_constant() &&
             !least.has(d.before) && whole.least(least).value_or(-1) >= 0;
    });
    if (free == whole.tiled.end()) continue;
    const Atom atom = free->before;
    whole.tiled.erase(free);
    whole = whole.with_atom(atom, Polynomial::atom(atom) + Polynomial::atom(atom) - *excess);
  }
}

}  // namespace

std::optional<Split> split_by_assumptions(const Program& kernel, const SizeRegion& region, bool& is_assumed_away) {
  for (const Polynomial& p : region.assumed) is_assumed_away |= region.most(p).value_or(0) < 0;
  if (is_assumed_away) return std::nullopt;
  for (const Assumption& assumption : kernel.directives.assumptions) {
    const auto excess = excess_of(assumption, kernel, region);
    Split split;
    const auto holds = excess ? region.is_at_least_0(*excess, split) : std::optional(true);
    if (!holds && split.atom != 0) return split;
    is_assumed_away |= holds == false;
  }
  // Where indices and ends of buffers are products of many sizes, signs are told by their terms, facts are searched
  // for.
  if (!region.numbered || is_assumed_away) return std::nullopt;
  for (const Polynomial& p : region.assumed)
    if (Split split; !region.is_at_least_0(p, split) && split.atom != 0) return split;
  return std::nullopt;
}

SizeRegion narrowed_by_assumptions(const Program& kernel, SizeRegion whole) {
  tell_by_others(kernel, whole);
  bool is_assumed_away = false;
  while (const auto split = split_by_assumptions(kernel, whole, is_assumed_away)) {
    const auto tiles = std::ranges::find(whole.tiled, split->atom, &Dimension::before);
    if (tiles == whole.tiled.end() || split->modulus != 0 || split->than != 0) break;
    std::vector<SizeRegion> parts = whole.parts(*split);
    if (parts.size() > 1) {  // there are `threshold` tiles more than it has from here on
      Dimension& above = parts[1].tiled[static_cast<std::size_t>(tiles - whole.tiled.begin())];
      above.offset += above.unit * split->threshold;
    }
    std::erase_if(parts, [&](const SizeRegion& part) {
      bool is_away = false;
      split_by_assumptions(kernel, part, is_away);
      return is_away;
    });
    if (parts.size() != 1) break;
    whole = std::move(parts[0]);
  }
  return whole;
}

}  // namespace swizzle
