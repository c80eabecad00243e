// The sizes and blocks of a launch, as one region.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "synth/base/integers.h"
#include "synth/program/size_tree.h"
#include "synth/proof/block_digits.h"
#include "synth/proof/size_region.h"
#include "synth/proof/size_sums.h"
#include "synth/proof/thread_digits.h"

namespace swizzle {
namespace {

// Whether the size is told, by itself or by a sum.
bool is_told(const SizeRegion& whole, const std::string& size) {
  return std::ranges::any_of(whole.sizes, [&](const auto& known) {
    const std::vector<SizeSummand> all = summands_in(known.first);
    return known.first == size || std::ranges::find(all, size, &SizeSummand::name) != all.end();
  });
}

// times · name / parts + by
struct ScaledSize {
  std::string name;
  std::int64_t times = 1, parts = 1, by = 0;
};
std::optional<ScaledSize> scaled_size(const SizeTree& tree) {
  if (tree.op == '$') return ScaledSize{tree.name};
  if (const std::string sum = text_of_sum(summands_of(tree)); !sum.empty()) return ScaledSize{sum};
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
// Of the sizes that are known, one that leaves a remainder says that others may.
std::optional<Dimension> dimension_of(const SizeTree& count, const std::vector<Sizes>& known = {}) {
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
  if (d.unit > 1)
    for (const Sizes& sizes : known) d.is_ragged |= (sum_of(summands_in(d.size), sizes) - d.offset) % d.unit != 0;
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

// By steps, where that is asked for: step · (how many of them) + what is left.
Polynomial rest_of(SizeRegion& whole, const Dimension& d, const Residue& residue, std::int64_t by = 1) {
  if (by > 1 && residue.modulus == 1 && d.unit > by && d.unit % by == 0)
    return Polynomial::atom(whole.fresh(d.unit / by - 1)) * Polynomial(by) + Polynomial::atom(whole.fresh(by - 1));
  const std::int64_t step = std::gcd(d.unit, residue.modulus), least = floor_mod(residue.rest - d.offset, step);
  if (least + step > d.unit - 1) return Polynomial(least);
  return Polynomial::atom(whole.fresh((d.unit - 1 - least) / step)) * Polynomial(step) + Polynomial(least);
}

void add_dimension(SizeRegion& whole, std::size_t i, Dimension& d, const Residue& residue, std::int64_t by) {
  d.before = whole.fresh();
  d.behind = whole.fresh();
  const Polynomial before = Polynomial::atom(d.before), behind = Polynomial::atom(d.behind);
  whole.block[i] = before;
  whole.grid[i] = before + behind + Polynomial(1);
  Polynomial& size = whole.sizes[d.size];
  size = whole.grid[i] * Polynomial(d.unit) + Polynomial(d.offset);
  if (d.is_ragged) size = size + (d.rest = rest_of(whole, d, residue, by));
}

bool blocks_are_alike(const Program& kernel) {
  return std::ranges::all_of(kernel.directives.launch->block, [&](const SizeExpr& expr) {
    const auto tree = parse_size(expr, kernel.source);
    return tree.ok() && names_in(*tree).empty();
  });
}

void add_turns(SizeRegion& whole, const Turns& turns, const Residue& residue) {
  const bool is_ragged = turns.unit > 1 && (residue.modulus % turns.unit != 0 || residue.rest != 0);
  Dimension d{turns.size, turns.unit, is_ragged ? 1 - turns.unit : 0, is_ragged, 0, 0, {}};
  add_dimension(whole, kTurns, d, residue, 1);
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

// Blocks of another axis of the size, of as many elements or a part of them, are as many as a polynomial says, if what
// the size leaves is told by them: grid(n / 32, n / 32), grid((n + 31) / 32, (n + 7) / 8).
bool is_told_by_another(SizeRegion& whole, std::size_t i, const Dimension& d) {
  for (std::size_t other = 0; other < kPositions; ++other) {
    const auto& known = whole.dimensions[other];
    if (other == i || !known || known->size != d.size || known->finer != 1 || known->unit % d.unit != 0) continue;
    const auto [blocks, rest] = (whole.sizes.at(d.size) - Polynomial(d.offset)).divided(d.unit);
    if (whole.least(rest).value_or(-1) < 0 || whole.most(rest).value_or(d.unit) >= d.unit) continue;
    if (!d.is_ragged && rest.value() != 0) continue;
    Dimension finer = d;
    finer.before = whole.fresh();
    finer.behind = known->behind;
    finer.finer = known->unit / d.unit;
    whole.block[i] = Polynomial::atom(finer.before);
    whole.grid[i] = blocks;
    whole.assumed.push_back((blocks - Polynomial(1) - whole.block[i]) * Polynomial(d.unit));
    whole.dimensions[i] = std::move(finer);
    return true;
  }
  return false;
}

// In what steps the rest along axis i is to be told.
std::int64_t step_of_rest(std::size_t i, const Dimension& d, const Program& kernel, const SizeClass& of) {
  const std::vector<SizeExpr>& grid = kernel.directives.launch->grid;
  for (std::size_t other = 0; other < grid.size(); ++other) {
    if (other == i) continue;
    const auto tree = parse_size(grid[other], kernel.source);
    const auto finer = tree.ok() ? dimension_of(*tree) : std::nullopt;
    if (finer && finer->size == d.size && finer->unit < d.unit && d.unit % finer->unit == 0) return finer->unit;
  }
  return of.step;
}

// Axes with more elements a block come first.
std::vector<std::size_t> axes_in_order(const Program& kernel) {
  const std::vector<SizeExpr>& grid = kernel.directives.launch->grid;
  std::vector<std::pair<std::int64_t, std::size_t>> units;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, grid.size()); ++i) {
    const auto tree = parse_size(grid[i], kernel.source);
    const auto d = tree.ok() ? dimension_of(*tree) : std::nullopt;
    units.emplace_back(d ? -d->unit : 0, i);
  }
  std::ranges::sort(units);
  std::vector<std::size_t> axes;
  for (const auto& [unit, axis] : units) axes.push_back(axis);
  return axes;
}

// grid(h * 2): whatever h is.
bool add_multiple(SizeRegion& whole, std::size_t i, const SizeTree& count) {
  const auto multiple = multiple_in(count);
  if (!multiple || is_told(whole, multiple->size)) return false;
  Dimension d{multiple->size, 1, 0, false, whole.fresh(), whole.fresh(), {}, multiple->times};
  const Polynomial size = Polynomial::atom(d.behind) + Polynomial(1);
  whole.sizes[d.size] = size;
  whole.block[i] = Polynomial::atom(d.before);
  whole.grid[i] = size * Polynomial(multiple->times);
  whole.assumed.push_back(whole.grid[i] - Polynomial(1) - whole.block[i]);
  whole.dimensions[i] = std::move(d);
  return true;
}

// The sum is known; the first of its sizes, of at least 1, is what the others leave.
void tell_first(SizeRegion& whole, const std::string& sum) {
  const std::vector<SizeSummand> all = summands_in(sum);
  Polynomial left = whole.sizes.at(sum);
  for (std::size_t i = 1; i < all.size(); ++i) left = left - whole.sizes.at(all[i].name) * Polynomial(all[i].times);
  whole.assumed.push_back(left - Polynomial(1));
  whole.sizes[all[0].name] = left;
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
  auto d = dimension_of(*tree, known);
  if (d && is_told_by_another(whole, i, *d)) return {};
  const auto add_digit = [&](std::size_t position, const SizeTree& factor) {
    auto digit = dimension_of(factor);
    if (!digit) return false;
    digit->is_ragged = digit->unit > 1;  // whatever is left: no condition says otherwise
    if (whole.sizes.contains(digit->size)) return is_told_by_another(whole, position, *digit);
    if (is_told(whole, digit->size)) return false;
    add_dimension(whole, position, *digit, residue_of(digit->size, kernel, of.residues), 1);
    whole.dimensions[position] = std::move(digit);
    return true;
  };
  if (!d && add_block_digits(whole, i, *tree, of.order, add_digit)) return {};
  if (!d && add_multiple(whole, i, *tree)) return {};
  const bool is_by_digits = !d || of.order > 0 || of.all_divide_digits;
  if (i == 0 && is_by_digits && whole.threads[1] * whole.threads[2] == 1 &&
      add_digits(whole, *tree, whole.threads[0], known, of.order, add_digit)) {
    whole.numbered->all_divide_digits = of.all_divide_digits;
    return {};
  }
  const auto is_known = [&](const SizeSummand& s) { return is_told(whole, s.name); };
  if (!d || whole.sizes.contains(d->size) || std::ranges::any_of(summands_in(d->size), is_known))
    return {make_error(fmt::format("how the sizes decide '{}' is not followed", count.text))};
  add_dimension(whole, i, *d, residue_of(d->size, kernel, of.residues), step_of_rest(i, *d, kernel, of));
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
  for (const std::size_t i : axes_in_order(kernel)) {
    const Diagnostics unfollowed = add_blocks(whole, i, launch.grid[i], shape->grid[i], kernel, known, of);
    if (!unfollowed.empty()) return unfollowed;
  }
  if (whole.threads_are_blocks) {
    const Diagnostics unfollowed = add_blocks(whole, kDigits, launch.block[0], shape->block[0], kernel, known, of);
    if (!unfollowed.empty()) return unfollowed;
  }
  std::vector<std::string> sums;
  for (const auto& [name, blocks] : whole.sizes)
    if (!one_size.contains(name)) sums.push_back(name);
  const auto is_left_of_sum = [&](const std::string& name) {
    return std::ranges::any_of(sums, [&](const std::string& sum) { return summands_in(sum)[0].name == name; });
  };
  if (steps.turns) add_turns(whole, *steps.turns, residue_of(steps.turns->size, kernel, of.residues));
  whole.turn_loops = steps.turn_loops;
  for (const auto& [name, value] : one_size) {
    if (whole.sizes.contains(name) || is_left_of_sum(name)) continue;
    const auto unit = steps.tiles.find(name);
    if (!admissible.varies(name)) whole.sizes[name] = Polynomial(value);
    else add_tiled(whole, name, unit != steps.tiles.end() ? unit->second : 1, residue_of(name, kernel, of.residues));
  }
  for (const std::string& sum : sums) tell_first(whole, sum);
  return whole;
}

}  // namespace swizzle
