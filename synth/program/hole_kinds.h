// Hole kinds: a line for each in hole_kinds.cpp, with all that is true of it outside of its grammar. What reads, poses,
// searches, explains and emits holes asks for these traits, never for a kind.
//
//   ?sw_xform(lane, 4, k) on 4 lanes, k < 2      parameters "i, n, k…", value kIndex: an int in [0, 4)
//     written        lane, 4, k                  index 0, modulus 1, first_key 2
//     its 8 points   (lane, k)                   the arguments but the modulus
//
// To add a kind: an enumerator and a line; if it becomes expressions that no other does, a HoleGrammar, its
// TableGrammar in a file of its own and a case in tables.cpp; a row in docs/language.md and the name in docs/report.md;
// a sketch in tests/end_to_end/holes_test.cpp. tests/unit/program/hole_kinds_test.cpp holds each line to what it says.
//
// The language of holes is that of Swizzle Inventor (ASPLOS 2019), section 5, and what docs/language.md adds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace swizzle {

// In the order in which messages list them.
enum class HoleKind : std::uint8_t {
  kXform,
  kXformExtra,
  kXor,
  kLinear,
  kPart,
  kCond,
  kConst,
  kLayout,
  kMask,
  kBytes,
  kChoose,
  kExpr,
  kPred,
  kConstants  // a ?sw_const of arguments, unless words are followed bit by bit: none that find_hole_kind() knows
};

inline constexpr int kMaxDomain = 1024;  // no hole that the search decides has more values

// What a hole stands for, and so who decides it.
enum class HoleValue : std::uint8_t {
  kIndex,     // an int in [0, n), n being its argument `modulus`: the search, by a table over its points
  kTruth,     // a bool: likewise
  kConstant,  // an int in [lo, hi): constant search, the same everywhere; among bits the search, by k…
  kCell,      // where a layout puts the element (r, c) of its tile: placement
  kMask,      // an unsigned: the search, by a point for each of its bits
  kSelector,  // an unsigned with a number below 8 in each of its four low digits: the search, by a point for each
  kRanged,    // an int in [lo, hi): the search, by a table over its points
  kChosen,    // one of its arguments, the same everywhere: constant search
};

// Which expressions a kIndex, kRanged or kTruth may become; tables.h defines them.
enum class HoleGrammar : std::uint8_t {
  kNone,
  kTransformation,
  kXor,
  kLinear,
  kPartition,
  kCondition,
  kExpression,
  kConstants
};

struct HoleTraits {
  HoleKind kind = HoleKind::kXform;
  const char* name = "";        // as it is written, without the `?`
  const char* parameters = "";  // for messages: "i, n, k…"
  HoleValue value = HoleValue::kIndex;

  // Positions among the arguments as they are written.
  std::size_t least_arguments = 0, most_arguments = SIZE_MAX;
  std::optional<std::size_t> index = std::nullopt;    // of i, in [0, n), which the hole may become for no operation
  std::optional<std::size_t> modulus = std::nullopt;  // of n, the same everywhere, which is no part of a point
  std::size_t first_key = 0;                          // of the first of k… or v…

  HoleGrammar grammar = HoleGrammar::kNone;
  const char* family = "";       // for messages: "no partition"
  const char* family_of = "";    // "no partition by its arguments"
  int most_values = kMaxDomain;  // n is at most this
  bool permutes_index = false;   // for any k…, different i have different values
  bool swaps_digits = false;     // kTransformation: the digits of i may change places (the swapped form)
  std::optional<HoleKind> wider = std::nullopt;         // may become all that this one may, and more
  std::optional<HoleKind> of_arguments = std::nullopt;  // with k…, unless words are followed bit by bit

  constexpr bool is_constant() const { return value == HoleValue::kConstant; }
  constexpr bool is_cell() const { return value == HoleValue::kCell; }
  constexpr bool is_truth() const { return value == HoleValue::kTruth; }
  constexpr bool is_chosen() const { return value == HoleValue::kChosen; }
  constexpr bool is_mask() const { return value == HoleValue::kMask; }
  constexpr bool is_word() const { return is_mask() || value == HoleValue::kSelector; }
  constexpr bool is_assigned() const { return is_constant() || is_chosen(); }                 // by constant search
  constexpr bool has_bounds() const { return is_constant() || value == HoleValue::kRanged; }  // lo and hi, constants
  constexpr bool is_expression() const { return grammar == HoleGrammar::kExpression; }  // no list of tables is all
  constexpr bool has_tables() const { return grammar != HoleGrammar::kNone; }
  std::string usage() const;  // "?sw_part(n, v…)"
};

// By HoleKind, each with a name of its own.
std::span<const HoleTraits> hole_kinds();
const HoleTraits& traits_of(HoleKind kind);

// "sw_part"; null: there is no such kind.
const HoleTraits* find_hole_kind(std::string_view name);

}  // namespace swizzle
