// SharedTables: what holes with the same grammar over the same arguments have in common, in one problem or, where they
// are solved one after the other, in several. Private to synth/.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "synth/tables/table_list.h"
#include "synth/tables/tables.h"

namespace swizzle {

// What decides the tables of a hole: holes that are alike in all of it have the same grammar over the same points.
using GrammarKey = std::tuple<HoleKind, int, std::int64_t, std::size_t, std::vector<OpenArgument>, ArgumentList>;

inline GrammarKey grammar_key(const HoleSpace& space) {
  return {space.kind, space.domain, space.least, space.first_argument, space.open, space.arguments};
}

struct SharedTables {
  std::map<GrammarKey, std::shared_ptr<SharedXform>> xforms;
  std::map<std::pair<std::size_t, ArgumentList>, std::shared_ptr<const ConditionCatalogue>> conditions;
  std::map<std::pair<std::size_t, ArgumentList>, std::shared_ptr<const ExpressionCatalogue>> expressions;
  std::map<GrammarKey, std::shared_ptr<const TableList>> lists;  // of all tables
  std::map<GrammarKey, std::shared_ptr<const TransformFamilies>> families;
};

}  // namespace swizzle
