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

namespace {

std::unique_ptr<TableGrammar> make_transformation(const HoleSpace& space, const Deadline& deadline,
                                                  SharedTables& shared) {
  auto& xform = shared.xforms[grammar_key(space)];
  if (!xform) xform = shared_xform(space);
  return xform_grammar(space, xform, deadline);
}

std::shared_ptr<const ConditionCatalogue> conditions_of(const HoleSpace& space, SharedTables& shared) {
  auto& catalogue = shared.conditions[{space.first_argument, space.arguments}];
  if (!catalogue) catalogue = condition_catalogue(space);
  return catalogue;
}

// How many values the argument takes from the least to the largest, 0 among them.
double span(const HoleSpace& space, std::size_t position) {
  std::int64_t lo = 0, hi = 0;
  for (const auto& a : space.arguments) {
    lo = std::min(lo, a[position]);
    hi = std::max(hi, a[position]);
  }
  return static_cast<double>(hi - lo + 1);
}

std::size_t arity_of(const HoleSpace& space) { return space.arguments.empty() ? 0 : space.arguments[0].size(); }

// a, b, six comparisons, + or -, I up to twice the reach on both sides; or a constant
double condition_settings_log10(const HoleSpace& space) {
  const std::size_t arity = arity_of(space);
  double reach = 0;
  for (std::size_t i = 0; i < arity; ++i) reach = std::max(reach, span(space, i));
  return std::log10(static_cast<double>(arity * arity) * 6 * 2 * (4 * reach + 1) + 2);
}

double swapped_settings(const HoleSpace& space) {
  double settings = 0;
  for (const XformShape& shape : shapes_of(space)) {
    double rotations = static_cast<double>(shape.run) * shape.extra_modulus();
    for (std::size_t j = 1; j < arity_of(space); ++j)
      rotations *=
          shape.run * 2 * span(space, j) * shape.extra_modulus() * (shape.extra_modulus() > 1 ? span(space, j) : 1);
    settings += rotations;
  }
  return settings;
}

double plain_settings(const HoleSpace& space) {
  double settings = 0;
  for (int g = 1; g <= space.domain; ++g) {
    if (space.domain % g != 0) continue;
    double fans = 0;
    for (int c = 0; c < g; ++c)
      for (int d = 1; d <= g; ++d)
        if (g % d == 0 && c % (g / d) == 0) fans += 2;
    double rotations = g;
    for (std::size_t j = 1; j < arity_of(space); ++j) rotations *= g * span(space, j);
    settings += fans * rotations;
  }
  return settings;
}

double transformation_settings_log10(const HoleSpace& space) {
  return std::log10(std::max(1.0, space.traits().swaps_digits ? swapped_settings(space) : plain_settings(space)));
}

// Each point by itself.
double any_values_log10(const HoleSpace& space) {
  return static_cast<double>(space.points.size()) * std::log10(std::max(1, space.domain));
}

// What makes the tables of a HoleGrammar, and counts its parameter settings.
struct GrammarTraits {
  std::unique_ptr<TableGrammar> (*make)(const HoleSpace&, const Deadline&, SharedTables&);
  double (*settings_log10)(const HoleSpace&);
};

GrammarTraits grammar_traits(HoleGrammar grammar) {
  switch (grammar) {
    case HoleGrammar::kTransformation: return {make_transformation, transformation_settings_log10};
    case HoleGrammar::kXor:
      return {[](const HoleSpace& space, const Deadline&, SharedTables&) { return xor_grammar(space); },
              [](const HoleSpace& space) { return std::log10(xor_grammar(space)->settings()); }};
    case HoleGrammar::kLinear:
      return {[](const HoleSpace& space, const Deadline& deadline, SharedTables&) {
                return linear_grammar(space, deadline);
              },
              [](const HoleSpace& space) { return std::log10(linear_grammar(space, {})->settings()); }};
    case HoleGrammar::kPartition:
      return {[](const HoleSpace& space, const Deadline& deadline, SharedTables& shared) {
                return part_grammar(space, conditions_of(space, shared), deadline);
              },
              [](const HoleSpace& space) { return condition_settings_log10(space) * (space.domain - 1); }};
    case HoleGrammar::kCondition:
      return {[](const HoleSpace& space, const Deadline&, SharedTables& shared) {
                return cond_grammar(space, conditions_of(space, shared));
              },
              condition_settings_log10};
    case HoleGrammar::kExpression:
      return {[](const HoleSpace& space, const Deadline& deadline, SharedTables& shared) {
                auto& catalogue = shared.expressions[{space.first_argument, space.arguments}];
                if (!catalogue) catalogue = expression_catalogue(space);
                return expression_grammar(space, catalogue, deadline);
              },
              [](const HoleSpace& space) {
                return std::log10(expression_grammar(space, expression_catalogue(space), {})->settings());
              }};
    case HoleGrammar::kConstants:
      return {[](const HoleSpace& space, const Deadline&, SharedTables&) { return constants_grammar(space); },
              any_values_log10};
    case HoleGrammar::kNone: break;
  }
  return {[](const HoleSpace&, const Deadline&, SharedTables&) { return std::unique_ptr<TableGrammar>(); },
          any_values_log10};
}

}  // namespace

std::vector<std::unique_ptr<TableGrammar>> grammars_of(const std::vector<HoleSpace>& holes, const Deadline& deadline) {
  SharedTables shared;
  return grammars_of(holes, deadline, shared);
}

std::vector<std::unique_ptr<TableGrammar>> grammars_of(const std::vector<HoleSpace>& holes, const Deadline& deadline,
                                                       SharedTables& shared) {
  std::vector<std::unique_ptr<TableGrammar>> grammars(holes.size());
  for (std::size_t h = 0; h < holes.size(); ++h)
    if (!holes[h].points.empty())
      grammars[h] = grammar_traits(holes[h].traits().grammar).make(holes[h], deadline, shared);
  return grammars;
}

double raw_space_log10(const HoleSpace& space) {
  return space.points.empty() ? 0 : grammar_traits(space.traits().grammar).settings_log10(space);
}

std::optional<double> distinct_space_log10(const std::vector<HoleSpace>& holes, const Deadline& deadline) {
  const auto grammars = grammars_of(holes, deadline);
  std::map<GrammarKey, std::optional<double>> known;  // holes that are alike count alike
  double sum = 0;
  for (std::size_t h = 0; h < holes.size(); ++h) {
    if (!grammars[h]) {
      sum += raw_space_log10(holes[h]);
      continue;
    }
    const auto [it, fresh] = known.try_emplace(grammar_key(holes[h]), 0);
    if (fresh) it->second = grammars[h]->distinct_log10(deadline);
    if (!it->second) return std::nullopt;
    sum += *it->second;
  }
  return sum;
}

}  // namespace swizzle
