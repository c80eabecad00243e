#include "synth/proof/size_region.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "synth/base/integers.h"
#include "synth/program/size_tree.h"
#include "synth/proof/thread_digits.h"

namespace swizzle {
namespace {

constexpr std::int64_t kMostParts = 64;

// times · name / parts + by
struct ScaledSize {
  std::string name;
  std::int64_t times = 1, parts = 1, by = 0;
};
std::optional<ScaledSize> scaled_size(const SizeTree& tree) {
  if (tree.op == '$') return ScaledSize{tree.name};
  if (tree.operands.size() != 2) return std::nullopt;
  const bool is_left = tree.operands[0].op == '#' && (tree.op == '+' || tree.op == '*');
  const SizeTree &inner = tree.operands[is_left ? 1 : 0], &number = tree.operands[is_left ? 0 : 1];
  if (number.op != '#') return std::nullopt;
  if (tree.op == '+' || tree.op == '-') {
    auto sum = scaled_size(inner);
    if (sum) sum->by += tree.op == '+' ? number.value : -number.value;
    return sum;
  }
  if (inner.op != '$' || number.value < 1) return std::nullopt;
  if (tree.op == '*') return ScaledSize{inner.name, number.value};
  return tree.op == '/' ? std::optional(ScaledSize{inner.name, 1, number.value}) : std::nullopt;
}

// (name + by) / unit
SizeTree quotient_of(const std::string& name, std::int64_t by, std::int64_t unit) {
  const SizeTree size{'$', 0, name, {}};
  const SizeTree sum = by == 0 ? size : SizeTree{'+', 0, "", {size, SizeTree{'#', by, "", {}}}};
  return {'/', 0, "", {sum, SizeTree{'#', unit, "", {}}}};
}

// How a size decides the number of blocks: n, n / d, (n + c) / d; (32 · n + 127) / 128, which is (n + 3) / 4, and
// (n / 2 + 127) / 128, which is (n + 254) / 256.
std::optional<Dimension> dimension_of(const SizeTree& count) {
  Dimension d;
  const bool is_quotient = count.op == '/' && count.operands[1].op == '#' && count.operands[1].value > 0;
  auto size = scaled_size(is_quotient ? count.operands[0] : count);
  if (!size || (!is_quotient && (size->times > 1 || size->parts > 1))) return std::nullopt;
  d.size = size->name;
  d.unit = is_quotient ? count.operands[1].value : 1;
  if (d.unit % size->times != 0) return std::nullopt;
  d.unit = d.unit / size->times * size->parts;
  d.offset = -floor_div(size->by * size->parts, size->times);
  // Only what a condition on the sizes says is left out (admissible_sizes.h), and that is about the launch as it is.
  const bool is_as_it_is = size->parts > 1 ? size->by <= 0 : size->by % size->times == 0;
  const bool is_inexact =
      !is_as_it_is || exact_divisions(count).empty() || exact_divisions(quotient_of(d.size, -d.offset, d.unit)).empty();
  d.is_ragged = is_quotient && d.unit > 1 && is_inexact;
  return d;
}

// What divides the size, as assumptions `n % 4 == 0` say.
std::int64_t assumed_divisor(const std::string& size, const Program& kernel) {
  std::int64_t divisor = 1;
  for (const Assumption& assumption : kernel.directives.assumptions) {
    const auto left = parse_size(assumption.left, kernel.source), right = parse_size(assumption.right, kernel.source);
    if (assumption.comparison != "==" || !left.ok() || !right.ok() || right->op != '#' || right->value != 0) continue;
    const bool is_rest = left->op == '%' && left->operands[0].op == '$' && left->operands[1].op == '#';
    if (is_rest && left->operands[0].name == size && left->operands[1].value > 0)
      divisor = std::lcm(divisor, left->operands[1].value);
  }
  return divisor;
}

// What a size leaves, as assumptions or the class of residues say.
Residue residue_of(const std::string& size, const Program& kernel, const Residues& residues) {
  const std::int64_t divisor = assumed_divisor(size, kernel);
  const auto given = residues.find(size);
  if (given == residues.end()) return {divisor, 0};
  const auto& [modulus, rest] = given->second;
  for (std::int64_t both = rest; both < std::lcm(modulus, divisor); both += modulus)
    if (both % divisor == 0) return {std::lcm(modulus, divisor), both};
  return given->second;  // which no size has: as well as any
}

Polynomial rest_of(SizeRegion& whole, const Dimension& d, const Residue& residue) {
  const std::int64_t step = std::gcd(d.unit, residue.modulus), least = floor_mod(residue.rest - d.offset, step);
  if (least + step > d.unit - 1) return Polynomial(least);
  return Polynomial::atom(whole.fresh((d.unit - 1 - least) / step)) * Polynomial(step) + Polynomial(least);
}

void add_dimension(SizeRegion& whole, std::size_t i, Dimension& d, const Residue& residue) {
  d.before = whole.fresh();
  d.behind = whole.fresh();
  const Polynomial before = Polynomial::atom(d.before), behind = Polynomial::atom(d.behind);
  whole.block[i] = before;
  whole.grid[i] = before + behind + Polynomial(1);
  Polynomial& size = whole.sizes[d.size];
  size = whole.grid[i] * Polynomial(d.unit) + Polynomial(d.offset);
  if (d.is_ragged) size = size + (d.rest = rest_of(whole, d, residue));
}

}  // namespace

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
  if (part.numbered)
    for (Polynomial* p : {&part.numbered->number, &part.numbered->block, &part.numbered->count}) *p = p->with(a, value);
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

namespace {

bool blocks_are_alike(const Program& kernel) {
  return std::ranges::all_of(kernel.directives.launch->block, [&](const SizeExpr& expr) {
    const auto tree = parse_size(expr, kernel.source);
    return tree.ok() && names_in(*tree).empty();
  });
}

void add_turns(SizeRegion& whole, const Turns& turns, const Residue& residue) {
  const bool is_ragged = turns.unit > 1 && (residue.modulus % turns.unit != 0 || residue.rest != 0);
  Dimension d{turns.size, turns.unit, is_ragged ? 1 - turns.unit : 0, is_ragged, 0, 0, {}};
  add_dimension(whole, kTurns, d, residue);
  whole.dimensions[kTurns] = std::move(d);
}

// In tiles of `unit`, where the last one may be ragged, or in whole ones.
void add_tiled(SizeRegion& whole, const std::string& size, std::int64_t unit, const Residue& residue) {
  if (residue.rest != 0) unit = std::lcm(unit, residue.modulus);
  const bool is_ragged = residue.modulus % unit != 0 || residue.rest != 0;
  Dimension d{size, is_ragged ? unit : residue.modulus, is_ragged ? 1 - unit : 0, is_ragged, 0, 0, {}};
  d.before = whole.fresh();
  Polynomial& p = whole.sizes[size];
  p = (Polynomial::atom(d.before) + Polynomial(1)) * Polynomial(d.unit) + Polynomial(d.offset);
  if (is_ragged) p = p + (d.rest = rest_of(whole, d, residue));
  whole.tiled.push_back(std::move(d));
}

// Along axis i there are as many blocks as along one before.
bool is_like_another(SizeRegion& whole, std::size_t i, const Dimension& d) {
  for (std::size_t other = 0; other < i; ++other) {
    const auto& known = whole.dimensions[other];
    if (!known || known->size != d.size || known->unit != d.unit || known->offset != d.offset ||
        known->is_ragged != d.is_ragged)
      continue;
    whole.dimensions[i] = known;
    whole.dimensions[i]->before = whole.fresh();
    whole.block[i] = Polynomial::atom(whole.dimensions[i]->before);
    whole.grid[i] = whole.grid[other];
    whole.assumed.push_back((whole.grid[i] - Polynomial(1) - whole.block[i]) * Polynomial(d.unit));
    return true;
  }
  return false;
}

// How many blocks there are along axis i, and which of them is looked at; or why that is not followed. `blocks`: at one
// size.
Diagnostics add_blocks(SizeRegion& whole, std::size_t i, const SizeExpr& count, std::int64_t blocks,
                       const Program& kernel, const std::vector<Sizes>& known, const SizeClass& of) {
  const auto tree = parse_size(count, kernel.source);
  if (!tree.ok()) return tree.errors();
  if (names_in(*tree).empty()) {
    whole.grid[i] = Polynomial(blocks);
    if (blocks > 1) whole.block[i] = Polynomial::atom(whole.fresh(blocks - 1));
    return {};
  }
  auto d = dimension_of(*tree);
  if (d && d->unit > 1)  // a given size that leaves a remainder says that others may
    for (const Sizes& sizes : known) d->is_ragged |= (sizes.at(d->size) - d->offset) % d->unit != 0;
  if (d && is_like_another(whole, i, *d)) return {};
  if (i == 0 && !d && whole.threads[1] * whole.threads[2] == 1 &&
      add_digits(whole, *tree, whole.threads[0], known, of.order)) {
    whole.threads = {1, 1, 1};
    return {};
  }
  if (!d || whole.sizes.contains(d->size))
    return {make_error(fmt::format("how the sizes decide '{}' is not followed", count.text))};
  add_dimension(whole, i, *d, residue_of(d->size, kernel, of.residues));
  whole.dimensions[i] = std::move(d);
  return {};
}

}  // namespace

Result<SizeRegion> whole_region(const Program& kernel, const AdmissibleSizes& admissible,
                                const std::vector<Sizes>& known, const LoopSteps& steps, const SizeClass& of) {
  const Sizes& one_size = known.front();
  SizeRegion whole;
  const Launch& launch = *kernel.directives.launch;
  const auto shape = evaluate(launch, one_size, kernel.source);
  if (!shape.ok()) return shape.errors();
  whole.threads = shape->block;
  if (!blocks_are_alike(kernel)) {
    if (launch.block.size() != 1) return make_error("the size of a block depends on the sizes");
    whole.threads_are_blocks = true;
    whole.threads = {1, 1, 1};
  }
  whole.grid.fill(Polynomial(1));
  for (std::size_t i = 0; i < std::min<std::size_t>(3, launch.grid.size()); ++i) {
    const Diagnostics unfollowed = add_blocks(whole, i, launch.grid[i], shape->grid[i], kernel, known, of);
    if (!unfollowed.empty()) return unfollowed;
  }
  if (whole.threads_are_blocks) {
    const Diagnostics unfollowed = add_blocks(whole, kDigits, launch.block[0], shape->block[0], kernel, known, of);
    if (!unfollowed.empty()) return unfollowed;
  }
  if (steps.turns) add_turns(whole, *steps.turns, residue_of(steps.turns->size, kernel, of.residues));
  whole.turn_loops = steps.turn_loops;
  for (const auto& [name, value] : one_size) {
    if (whole.sizes.contains(name)) continue;
    const auto unit = steps.tiles.find(name);
    if (!admissible.varies(name)) whole.sizes[name] = Polynomial(value);
    else add_tiled(whole, name, unit != steps.tiles.end() ? unit->second : 1, residue_of(name, kernel, of.residues));
  }
  return whole;
}

}  // namespace swizzle
