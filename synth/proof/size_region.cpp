#include "synth/proof/size_region.h"

#include <algorithm>
#include <numeric>

#include "synth/base/integers.h"

namespace swizzle {

static constexpr std::int64_t kMostParts = 64;

Atom SizeRegion::fresh(std::optional<std::int64_t> most) {
  most_.push_back(most);
  return static_cast<Atom>(most_.size() - 1);
}

Atom SizeRegion::round(std::size_t depth) {
  while (rounds_.size() <= depth) rounds_.push_back(unknown());
  return rounds_[depth];
}

Polynomial SizeRegion::thread_index(int thread, std::size_t dimension) const {
  const std::size_t of_warps = threads[1] == 1 ? 0 : 1;
  if (!slices.empty() && dimension == of_warps)
    return of_warps == 0 ? warp * Polynomial(32) + Polynomial(thread) : warp;
  for (std::size_t d = 0; d < dimension; ++d) thread /= threads[d];
  return Polynomial(thread % threads[dimension]);
}

std::size_t SizeRegion::axis_of(std::size_t position) const {
  for (std::size_t axis = 0; axis < digits.size(); ++axis)
    if (std::ranges::find(digits[axis], position) != digits[axis].end()) return axis;
  return position;
}

Polynomial SizeRegion::in_last_blocks(Polynomial p) const {
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const auto& d = dimensions[i];
    if (!d) continue;
    const Polynomial before = Polynomial::atom(d->before), behind = Polynomial::atom(d->behind);
    const bool is_whole =
        block[i] == before && grid[i] == before + behind + Polynomial(1) && !most_[d->before] && !most_[d->behind];
    if (!is_whole) continue;
    p = p.with(d->behind, Polynomial(0)).with(d->before, before + behind);
  }
  return p;
}

// For each product of atoms without bounds the least factor that it has, which must not be negative: 3·b - u·b is at
// least 0·b where u <= 3.
std::optional<std::int64_t> SizeRegion::least(const Polynomial& p) const {
  if (p.is_broken()) return std::nullopt;
  boost::container::small_vector<Polynomial::Term, 4> factors;
  std::int64_t least = 0;
  for (const Polynomial::Term& t : p.terms()) {
    std::int64_t at_least = t.coefficient;
    Polynomial::Monomial unbounded = 0;
    for (Polynomial::Monomial m = t.monomial; m != 0; m >>= 8) {
      const auto& most = most_[m & 255];
      if (!most) unbounded = unbounded << 8 | (m & 255);
      else if (t.coefficient > 0) at_least = 0;
      else if (__builtin_mul_overflow(at_least, *most, &at_least)) return std::nullopt;
    }
    if (unbounded != 0 && at_least != 0) {
      const auto same = std::ranges::find(factors, unbounded, &Polynomial::Term::monomial);
      if (same == factors.end()) factors.push_back({unbounded, at_least});
      else if (__builtin_add_overflow(same->coefficient, at_least, &same->coefficient)) return std::nullopt;
    } else if (__builtin_add_overflow(least, at_least, &least)) {
      return std::nullopt;
    }
  }
  if (std::ranges::any_of(factors, [](const Polynomial::Term& f) { return f.coefficient < 0; })) return std::nullopt;
  return least;
}

std::optional<std::int64_t> SizeRegion::most(const Polynomial& p) const {
  const auto least_of_negative = least(Polynomial(0) - p);
  return least_of_negative ? std::optional(-*least_of_negative) : std::nullopt;
}

std::optional<bool> SizeRegion::is_at_least_0(const Polynomial& p, Split& split) const {
  if (const auto low = least(p); low && *low >= 0) return true;
  if (const auto high = most(p); high && *high < 0) return false;
  split = {};
  if (p.is_broken()) return std::nullopt;
  if (const auto between = split_between(p)) return split = *between, std::nullopt;
  // At an atom that turns the sign alone, the others being 0; one without a bound first.
  for (const auto& [is_bounded, turns] : {std::pair(false, true), {false, false}, {true, false}})
    for (const Polynomial::Term& t : p.terms()) {
      if (t.monomial == 0 || t.monomial > 255 || most_[t.monomial].has_value() != is_bounded) continue;
      const std::int64_t c = t.coefficient, k = p.constant();
      std::int64_t threshold = c > 0 ? floor_div(-k + c - 1, c) : floor_div(k, -c) + 1;
      if (turns && threshold < 1) continue;
      threshold = std::max<std::int64_t>(threshold, 1);
      if (is_bounded && threshold > *most_[t.monomial]) threshold = (*most_[t.monomial] + 1) / 2;
      if (threshold < 1) continue;
      split = {static_cast<Atom>(t.monomial), threshold, 0};
      return std::nullopt;
    }
  for (const Polynomial::Term& t : p.terms())
    if (t.monomial != 0) {
      const Atom a = atoms_of(t.monomial)[0];
      if (most_[a] && *most_[a] == 0) continue;
      split = {a, 1, 0};
      return std::nullopt;
    }
  return std::nullopt;
}

// Of c·a - c·b + …: where a is below b, or not.
std::optional<Split> SizeRegion::split_between(const Polynomial& p) const {
  const auto is_open = [&](const Polynomial::Term& t) {
    return t.monomial != 0 && t.monomial <= 255 && !most_[t.monomial] && !is_unsplit(static_cast<Atom>(t.monomial));
  };
  for (const Polynomial::Term& a : p.terms())
    for (const Polynomial::Term& b : p.terms())
      if (is_open(a) && is_open(b) && a.coefficient > 0 && b.coefficient == -a.coefficient)
        return Split{static_cast<Atom>(a.monomial), p.constant() < 0 ? 1 : 0, 0, static_cast<Atom>(b.monomial)};
  return std::nullopt;
}

std::optional<Split> SizeRegion::halves_for(const Polynomial& p) const {
  Split split;
  if (is_at_least_0(p, split) || split.atom == 0 || !most_[split.atom]) return std::nullopt;
  return Split{split.atom, (*most_[split.atom] + 1) / 2, 0};
}

std::optional<Split> SizeRegion::split_for_rest(const Polynomial& p, std::int64_t m) const {
  for (const Polynomial::Term& t : p.terms()) {
    if (t.monomial == 0 || t.coefficient % m == 0) continue;
    const Atom a = atoms_of(t.monomial)[0];
    const std::int64_t modulus = m / std::gcd(m, t.coefficient);
    if (most_[a]) return *most_[a] > 0 ? std::optional(Split{a, (*most_[a] + 1) / 2, 0}) : std::nullopt;
    return modulus <= kMostParts ? std::optional(Split{a, 0, modulus}) : std::nullopt;
  }
  return std::nullopt;
}

SizeRegion SizeRegion::part(Atom a, const Polynomial& value, std::optional<std::int64_t> most) const {
  SizeRegion part = *this;
  for (auto* polynomials : {&part.block, &part.grid})
    for (Polynomial& p : *polynomials) p = p.with(a, value);
  for (auto& [name, p] : part.sizes) p = p.with(a, value);
  for (auto* polynomials : {&part.carried, &part.assumed})
    for (Polynomial& p : *polynomials) p = p.with(a, value);
  part.warp = part.warp.with(a, value);
  if (part.numbered) {
    part.numbered->count = part.numbered->count.with(a, value);
    for (auto& [number, block] : part.numbered->looked_at) number = number.with(a, value), block = block.with(a, value);
  }
  part.most_[a] = most;
  return part;
}

std::vector<SizeRegion> SizeRegion::parts(const Split& split) const {
  std::vector<SizeRegion> parts;
  const Polynomial atom = Polynomial::atom(split.atom);
  const auto most = most_[split.atom];
  if (split.modulus > 0) {
    for (std::int64_t rest = 0; rest < split.modulus; ++rest)
      parts.push_back(part(split.atom, atom * Polynomial(split.modulus) + Polynomial(rest), std::nullopt));
    return parts;
  }
  if (split.than != 0) {
    const Polynomial other = Polynomial::atom(split.than);
    parts.push_back(part(split.than, atom + Polynomial(1 - split.threshold) + other, std::nullopt));
    parts.push_back(part(split.atom, other + Polynomial(split.threshold) + atom, std::nullopt));
    return parts;
  }
  const std::int64_t below = split.threshold - 1;
  parts.push_back(below == 0 ? part(split.atom, Polynomial(0), 0) : part(split.atom, atom, below));
  const auto left = most ? std::optional(*most - split.threshold) : std::nullopt;
  if (!left || *left >= 0)
    parts.push_back(
        part(split.atom, left == 0 ? Polynomial(split.threshold) : atom + Polynomial(split.threshold), left));
  return parts;
}

}  // namespace swizzle
