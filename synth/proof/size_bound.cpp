#include "synth/proof/size_bound.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "synth/base/integers.h"
#include "synth/program/size_tree.h"
#include "synth/proof/size_sums.h"
#include "synth/proof/stores_apart.h"

namespace swizzle {
namespace {

// A polynomial over the sizes, by their names; nothing, where it is none.
std::optional<std::string> text_of(const Polynomial& p, std::int64_t scale, const std::map<Atom, std::string>& names) {
  std::string text;
  for (auto t = p.terms().rbegin(); t != p.terms().rend(); ++t) {
    if (t->coefficient % scale != 0) return std::nullopt;
    const std::int64_t c = t->coefficient / scale;
    std::string part = t->monomial == 0 || std::abs(c) != 1 ? fmt::format("{}", std::abs(c)) : "";
    for (Atom a : atoms_of(t->monomial)) {
      if (!names.contains(a)) return std::nullopt;
      part += (part.empty() ? "" : " * ") + names.at(a);
    }
    text += text.empty() ? (c < 0 ? "-" : "") + part : (c < 0 ? " - " : " + ") + part;
  }
  return text;
}

// p · factor where `unit · a` is `value`; nothing, where p has higher powers of a than its square.
struct Scaled {
  Polynomial p;
  std::int64_t factor;
};
std::optional<Scaled> scaled_with(const Polynomial& p, Atom a, std::int64_t unit, const Polynomial& value) {
  if (const auto linear = linear_in(p, a))
    return Scaled{linear->rest * Polynomial(unit) + linear->factor * value, unit};
  const Polynomial at_0 = p.with(a, Polynomial(0)), at_1 = p.with(a, Polynomial(1)), b = Polynomial::atom(a),
                   at_minus_1 = p.with(a, Polynomial(-1));
  const Polynomial factor = (at_1 - at_minus_1).divided(2).quotient,
                   square = (at_1 + at_minus_1 - at_0 - at_0).divided(2).quotient;
  if (!(at_0 + factor * b + square * b * b == p)) return std::nullopt;
  return Scaled{(at_0 * Polynomial(unit) + factor * value) * Polynomial(unit) + square * value * value, unit * unit};
}

// With which value of the atom p, which grows with it and has no other, is at most `most`: the largest below 2^31.
std::int64_t largest_with(const Polynomial& p, Atom a, std::int64_t most) {
  std::int64_t least = 0, end = std::int64_t{1} << 31;
  while (end - least > 1) {
    const std::int64_t middle = least + (end - least) / 2;
    const auto value = p.with(a, Polynomial(middle)).value();
    (value && *value <= most ? least : end) = middle;
  }
  return least;
}

// One for each size; sums of sizes come last.
std::vector<Dimension> dimensions_of(const SizeRegion& whole) {
  std::vector<Dimension> all = whole.tiled;
  for (const auto& d : whole.dimensions)
    if (d && std::ranges::none_of(all, [&](const Dimension& other) { return other.size == d->size; }))
      all.push_back(*d);
  std::ranges::stable_sort(all, {}, [](const Dimension& d) { return summands_in(d.size).size() > 1; });
  return all;
}

// Times their unit, of a dimension whose size is known.
Polynomial blocks_before(const Dimension& d, const Polynomial& size, bool is_told_by_behind) {
  Polynomial blocks = size - Polynomial(d.offset + d.unit);
  if (d.behind != 0 && !is_told_by_behind) blocks = blocks - Polynomial(d.unit) * Polynomial::atom(d.behind);
  return d.is_ragged ? blocks - d.rest : blocks;
}

}  // namespace

SizeBound size_bound(const SizeRegion& whole, const Polynomial& bound, std::int64_t more) {
  constexpr std::int64_t kMost = INT32_MAX;
  SizeRegion names = whole;
  std::map<Atom, std::string> name_of;
  Polynomial scaled = bound;  // in terms of the sizes, times `scale`
  std::int64_t scale = 1;
  std::map<std::string, Atom> named;
  const std::vector<Dimension> dimensions = dimensions_of(whole);
  for (const Dimension& d : dimensions) {
    Polynomial sum;
    for (const SizeSummand& s : summands_in(d.size)) {
      const auto [known, fresh] = named.try_emplace(s.name);
      if (fresh) name_of[known->second = names.fresh()] = s.name;
      sum = sum + Polynomial::atom(known->second) * Polynomial(s.times);
    }
    const bool is_told_by_behind = d.behind != 0 && !whole.sizes.at(d.size).has(d.before);  // grid(h * 2)
    const Polynomial blocks = blocks_before(d, sum, is_told_by_behind);
    const auto with_name = scaled_with(scaled, is_told_by_behind ? d.behind : d.before, d.unit, blocks);
    if (!with_name || scale > kMost / with_name->factor) return {};
    scaled = with_name->p;
    scale *= with_name->factor;
  }
  const auto text = text_of(scaled, scale, name_of);
  if (!text) return {};
  std::set<Atom> atoms;
  bool grows = true;
  for (const Polynomial::Term& t : scaled.terms())
    for (const Atom a : atoms_of(t.monomial)) {
      atoms.insert(a);
      grows = grows && t.coefficient > 0;
    }
  if (atoms.size() != 1 || !grows) return {"", 0, fmt::format("{} <= {}", *text, kMost - more)};
  SizeBound one{name_of[*atoms.begin()], 0, ""};
  one.most = largest_with(scaled, *atoms.begin(), (kMost - more) * scale);
  for (const Dimension& d : dimensions)
    if (d.size == one.size && !d.is_ragged) one.most -= floor_mod(one.most - d.offset, d.unit);
  return one;
}

// Of all that is computed; `is_counted` as long as it grows with the sizes.
static std::int64_t greatest_in(const SizeTree& tree, const Sizes& sizes, bool& is_counted) {
  is_counted = is_counted && tree.op != '%' && tree.op != '<' && tree.op != '>';
  const auto value = value_of(tree, sizes);
  std::int64_t greatest = value ? *value + tree.above : INT64_MAX;
  for (const SizeTree& operand : tree.operands) greatest = std::max(greatest, greatest_in(operand, sizes, is_counted));
  return greatest;
}

std::vector<SizeBound> launch_bounds(const Program& kernel) {
  const Launch& launch = *kernel.directives.launch;
  std::vector<SizeBound> bounds;
  for (std::size_t axis = 0; axis < launch.grid.size(); ++axis) {
    const SizeExpr& count = launch.grid[axis];
    const auto tree = parse_size(count, kernel.source);
    const bool is_launched_so = count.range.begin != count.range.end;  // not an axis that only the proof knows
    if (!tree.ok() || !is_launched_so) continue;
    const std::int64_t most_blocks = axis == 0 ? INT32_MAX : kMostBlocksAlongOthers;
    const std::set<std::string> names = names_in(*tree);
    if (names.size() > 1) {
      const SizeTree& whole = tree->op == '/' ? tree->operands[0] : *tree;
      const bool is_more = whole.op == '+' && whole.operands[1].op == '#';
      bounds.push_back({"", 0,
                        fmt::format("{} <= {}", text_of(is_more ? whole.operands[0] : whole),
                                    INT32_MAX - (is_more ? whole.operands[1].value + whole.above : 0))});
    }
    if (names.size() > 1 && axis > 0) bounds.push_back({"", 0, fmt::format("{} <= {}", text_of(*tree), most_blocks)});
    if (names.size() != 1) continue;
    bool is_counted = true;
    std::int64_t fits = 0, is_more = std::int64_t{1} << 31;
    while (fits + 1 < is_more) {
      const std::int64_t size = fits + (is_more - fits) / 2;
      const Sizes at{{*names.begin(), size}};
      const bool is_launched =
          greatest_in(*tree, at, is_counted) <= INT32_MAX && value_of(*tree, at).value_or(INT64_MAX) <= most_blocks;
      (is_launched ? fits : is_more) = size;
    }
    if (is_counted) bounds.push_back({*names.begin(), fits, ""});
  }
  return bounds;
}

static void add_minuends(const SizeTree& tree, std::vector<std::string>& bounds) {
  for (const SizeTree& operand : tree.operands) add_minuends(operand, bounds);
  if (tree.op != '-') return;
  const SizeTree& from = tree.operands[0];
  if (from.op == '$' || from.op == '#') return;
  bounds.push_back(fmt::format("{} <= {}", text_of(from), INT32_MAX - from.above));
}

std::vector<std::string> bounds_of_minuends(const Program& kernel) {
  std::vector<std::string> bounds;
  for (const SizeExpr& count : kernel.directives.launch->grid)
    if (const auto tree = parse_size(count, kernel.source); tree.ok()) add_minuends(*tree, bounds);
  return bounds;
}

}  // namespace swizzle
