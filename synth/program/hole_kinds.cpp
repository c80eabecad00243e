#include "synth/program/hole_kinds.h"

#include <algorithm>
#include <array>

namespace swizzle {
namespace {

constexpr std::array kHoleKinds = {
    HoleTraits{.kind = HoleKind::kXform,
               .name = "sw_xform",
               .parameters = "i, n, k…",
               .value = HoleValue::kIndex,
               .least_arguments = 2,
               .index = 0,
               .modulus = 1,
               .first_key = 2,
               .grammar = HoleGrammar::kTransformation,
               .family = "grouping, fanning and rotation",
               .family_of = "grouping, fanning and rotation of its arguments",
               .wider = HoleKind::kXformExtra},
    HoleTraits{.kind = HoleKind::kXformExtra,
               .name = "sw_xform_extra",
               .parameters = "i, n, k…",
               .value = HoleValue::kIndex,
               .least_arguments = 2,
               .index = 0,
               .modulus = 1,
               .first_key = 2,
               .grammar = HoleGrammar::kTransformation,
               .family = "grouping, fanning and rotation",
               .family_of = "grouping, fanning and rotation of its arguments",
               .most_values = 64,
               .swaps_digits = true},
    HoleTraits{.kind = HoleKind::kXor,
               .name = "sw_xor",
               .parameters = "i, n, k…",
               .value = HoleValue::kIndex,
               .least_arguments = 2,
               .index = 0,
               .modulus = 1,
               .first_key = 2,
               .grammar = HoleGrammar::kXor,
               .family = "XOR with bits of its arguments",
               .family_of = "XOR of its index with bits of its arguments",
               .permutes_index = true,
               .wider = HoleKind::kLinear},
    HoleTraits{.kind = HoleKind::kLinear,
               .name = "sw_linear",
               .parameters = "i, n, k…",
               .value = HoleValue::kIndex,
               .least_arguments = 2,
               .index = 0,
               .modulus = 1,
               .first_key = 2,
               .grammar = HoleGrammar::kLinear,
               .family = "linear map",
               .family_of = "linear map of its arguments' bits"},
    HoleTraits{.kind = HoleKind::kPart,
               .name = "sw_part",
               .parameters = "n, v…",
               .value = HoleValue::kIndex,
               .least_arguments = 2,
               .modulus = 0,
               .first_key = 1,
               .grammar = HoleGrammar::kPartition,
               .family = "partition",
               .family_of = "partition by its arguments"},
    HoleTraits{.kind = HoleKind::kCond,
               .name = "sw_cond",
               .parameters = "v…",
               .value = HoleValue::kTruth,
               .least_arguments = 1,
               .grammar = HoleGrammar::kCondition,
               .family = "condition",
               .family_of = "condition on its arguments"},
    HoleTraits{.kind = HoleKind::kConst,
               .name = "sw_const",
               .parameters = "lo, hi, k…",
               .value = HoleValue::kConstant,
               .least_arguments = 2,
               .of_arguments = HoleKind::kConstants},
    HoleTraits{.kind = HoleKind::kLayout,
               .name = "sw_layout",
               .parameters = "rows, columns",
               .value = HoleValue::kCell,
               .least_arguments = 2,
               .most_arguments = 3},
    HoleTraits{.kind = HoleKind::kMask, .name = "sw_mask", .parameters = "k…", .value = HoleValue::kMask},
    HoleTraits{.kind = HoleKind::kBytes, .name = "sw_bytes", .parameters = "k…", .value = HoleValue::kSelector},
    HoleTraits{.kind = HoleKind::kChoose,
               .name = "sw_choose",
               .parameters = "a, b…",
               .value = HoleValue::kChosen,
               .least_arguments = 1},
    HoleTraits{.kind = HoleKind::kExpr,
               .name = "sw_expr",
               .parameters = "lo, hi, v…",
               .value = HoleValue::kRanged,
               .least_arguments = 2,
               .grammar = HoleGrammar::kExpression,
               .family = "expression",
               .family_of = "expression of its arguments"},
    HoleTraits{.kind = HoleKind::kPred,
               .name = "sw_pred",
               .parameters = "v…",
               .value = HoleValue::kTruth,
               .least_arguments = 1,
               .grammar = HoleGrammar::kExpression,
               .family = "predicate",
               .family_of = "predicate on its arguments"},
    HoleTraits{.kind = HoleKind::kConstants,
               .name = "sw_const",
               .parameters = "lo, hi, k…",
               .value = HoleValue::kRanged,
               .least_arguments = 3,
               .grammar = HoleGrammar::kConstants,
               .family = "constants",
               .family_of = "constants for each value of its arguments"},
};

constexpr bool is_in_order() {
  for (std::size_t k = 0; k < kHoleKinds.size(); ++k)
    if (kHoleKinds[k].kind != static_cast<HoleKind>(k)) return false;
  return true;
}
static_assert(is_in_order(), "traits_of() finds a kind by its place");

}  // namespace

std::string HoleTraits::usage() const { return "?" + std::string(name) + "(" + parameters + ")"; }

std::span<const HoleTraits> hole_kinds() { return std::span(kHoleKinds).first(kHoleKinds.size() - 1); }

const HoleTraits& traits_of(HoleKind kind) { return kHoleKinds[static_cast<std::size_t>(kind)]; }

const HoleTraits* find_hole_kind(std::string_view name) {
  const auto known = std::ranges::find_if(kHoleKinds, [&](const HoleTraits& traits) { return traits.name == name; });
  return known == kHoleKinds.end() ? nullptr : &*known;
}

}  // namespace swizzle
