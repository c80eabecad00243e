#include "synth/tables/tables.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_set>

#include "synth/tables/shared_tables.h"
#include "synth/tables/xform_shapes.h"

namespace swizzle {

void keep_distinct(Enumeration& enumeration) {
  std::vector<HoleTable>& tables = enumeration.tables;
  std::stable_sort(tables.begin(), tables.end(),
                   [](const HoleTable& a, const HoleTable& b) { return a.integer_ops < b.integer_ops; });
  struct Hash {
    std::size_t operator()(const std::vector<std::int16_t>* v) const {
      return std::hash<std::string_view>{}(
          {reinterpret_cast<const char*>(v->data()), v->size() * sizeof(std::int16_t)});
    }
  };
  struct Equal {
    bool operator()(const std::vector<std::int16_t>* a, const std::vector<std::int16_t>* b) const { return *a == *b; }
  };
  std::unordered_set<const std::vector<std::int16_t>*, Hash, Equal> seen;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < tables.size(); ++i)
    if (seen.insert(&tables[i].values).second) kept.push_back(i);
  std::vector<HoleTable> distinct;
  distinct.reserve(kept.size());
  for (std::size_t i : kept) distinct.push_back(std::move(tables[i]));
  tables = std::move(distinct);
}

std::vector<std::unique_ptr<TableGrammar>> grammars_of(const std::vector<HoleSpace>& holes, const Deadline& deadline) {
  SharedTables shared;
  return grammars_of(holes, deadline, shared);
}

std::vector<std::unique_ptr<TableGrammar>> grammars_of(const std::vector<HoleSpace>& holes, const Deadline& deadline,
                                                       SharedTables& shared) {
  std::vector<std::unique_ptr<TableGrammar>> grammars;
  for (const HoleSpace& space : holes) {
    grammars.emplace_back();
    if (space.points.empty()) continue;
    if (space.is_xor) {
      grammars.back() = xor_grammar(space);
      continue;
    }
    if (space.kind == HoleKind::kXform) {
      auto& xform = shared.xforms[{space.extra, space.domain, space.arguments}];
      if (!xform) xform = shared_xform(space);
      grammars.back() = xform_grammar(space, xform);
      continue;
    }
    auto& catalogue = shared.conditions[{space.first_argument, space.arguments}];
    if (!catalogue) catalogue = condition_catalogue(space);
    grammars.back() =
        space.kind == HoleKind::kPart ? part_grammar(space, catalogue, deadline) : cond_grammar(space, catalogue);
  }
  return grammars;
}

double raw_space_log10(const HoleSpace& space) {
  if (space.is_xor) return std::log10(xor_grammar(space)->settings());
  const auto span = [&](std::size_t position) {
    std::int64_t lo = 0, hi = 0;
    for (const auto& a : space.arguments) {
      lo = std::min(lo, a[position]);
      hi = std::max(hi, a[position]);
    }
    return static_cast<double>(hi - lo + 1);
  };
  const std::size_t arity = space.arguments.empty() ? 0 : space.arguments[0].size();
  double reach = 0;
  for (std::size_t i = 0; i < arity; ++i) reach = std::max(reach, span(i));
  if (space.kind != HoleKind::kXform) {
    // a, b, six comparisons, + or -, I up to twice the reach on both sides; or a constant
    const double condition = static_cast<double>(arity * arity) * 6 * 2 * (4 * reach + 1) + 2;
    return std::log10(condition) * (space.kind == HoleKind::kCond ? 1 : space.domain - 1);
  }
  double settings = 0;
  if (space.extra) {
    for (const XformShape& shape : shapes_of(space)) {
      double rotations = static_cast<double>(shape.run) * shape.extra_modulus();
      for (std::size_t j = 1; j < arity; ++j)
        rotations *= shape.run * 2 * span(j) * shape.extra_modulus() * (shape.extra_modulus() > 1 ? span(j) : 1);
      settings += rotations;
    }
    return std::log10(std::max(1.0, settings));
  }
  for (int g = 1; g <= space.domain; ++g) {
    if (space.domain % g != 0) continue;
    double fans = 0;
    for (int c = 0; c < g; ++c)
      for (int d = 1; d <= g; ++d)
        if (g % d == 0 && c % (g / d) == 0) fans += 2;
    double rotations = g;
    for (std::size_t j = 1; j < arity; ++j) rotations *= g * span(j);
    settings += fans * rotations;
  }
  return std::log10(std::max(1.0, settings));
}

double distinct_space_log10(const std::vector<HoleSpace>& holes) {
  const auto grammars = grammars_of(holes);
  std::map<GrammarKey, double> known;  // holes that are alike count alike
  double sum = 0;
  for (std::size_t h = 0; h < holes.size(); ++h) {
    if (!grammars[h]) continue;
    const auto [it, fresh] = known.try_emplace(grammar_key(holes[h]), 0);
    if (fresh) it->second = grammars[h]->distinct_log10();
    sum += it->second;
  }
  return sum;
}

}  // namespace swizzle
