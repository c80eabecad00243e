// What a sketch leaves open: holes, and layouts of tiles.
//
//   out[?sw_xform(t, 4)]           a Hole of kind kXform; arguments t, 4
//   auto L = ?sw_layout(4, 4);     a TileLayout
//   s[L(r, c)]                     a Hole of kind kCell, of that layout; arguments r, c
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "synth/base/diagnostic.h"
#include "synth/base/ids.h"
#include "synth/program/hole_kinds.h"

namespace swizzle {

struct Hole {
  HoleKind kind = HoleKind::kXform;
  SourceRange range;                        // from `?` to the closing parenthesis
  std::vector<ExprId> arguments;            // as written, of the first use: see HoleTraits
  std::vector<std::string> argument_texts;  // what the user wrote for each, to print it again
  std::int64_t low = 0,
               high = 0;  // kConstant, kRanged: its value is in [low, high), and `arguments` are k…; kChosen: of which
  int bits = 32;          // kMask: of the word
  LayoutId layout;        // HoleValue::kCell: the use L(r, c) of this one; arguments: r, c

  const HoleTraits& traits() const { return traits_of(kind); }
};

// As it is written, without the `?`.
inline const char* name_of(const Hole& hole) { return hole.traits().name; }

// A layout that the user names: sw_pitch(33), sw_cute(3, 3, 3), sw_triton(8, 1, 8), sw_tma(128). See layout_names.h.
struct NamedLayout {
  enum class Kind { kPitch, kCute, kTriton, kTma } kind = Kind::kPitch;
  std::array<int, 3> numbers{};
  std::string text;
  SourceRange range;
};

// `auto L = ?sw_layout(rows, columns);`: unknown is where it puts element (r, c). Each use L(r, c) is a Hole.
struct TileLayout {
  std::string name;
  SourceRange range;        // from `?` to the closing parenthesis
  SourceRange declaration;  // with its semicolon
  int rows = 1, columns = 1;
  std::vector<SourceRange> sizes;  // where L.size() stands
  std::optional<NamedLayout>
      given;               // ?sw_layout(rows, columns, sw_cute(3, 3, 3)): nothing is unknown but its wavefronts
  bool is_passed = false;  // to a function, which uses it by a name of its own
};

// A variable that nothing but the arguments of holes reads, and which a completion may leave without any use.
struct SoleUse {
  std::string name;
  std::uint32_t declared_at = 0;  // offset of the declaration
  std::set<HoleId> holes;
};

}  // namespace swizzle
