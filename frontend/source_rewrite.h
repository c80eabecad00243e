// From the sketch language to C++ that clang parses, on raw tokens: outside of comments, strings and characters.
//
//   ?sw_cond(a, b)                              $sw_cond(a, b)
//   accumulate(o, [a, b], ?sw_cond(a))          accumulate(o, {a, b}, $sw_cond(a))
//   ?sw_layout(32, 32)                          $sw_layout<0>(32, 32)      the next one is <1>
//   constexpr int n = ?sw_const(1, 5);          const     int n = $sw_const(1, 5);     likewise what is made of n
//   create_accumulator(0, identity, ^, &)       create_accumulator(0, identity, bit_xor, bit_and)
//   create_accumulator(0, identity, max)        create_accumulator(0, identity, [&](auto swizzle_a, auto swizzle_b) { …
//   })
#pragma once

#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "synth/base/diagnostic.h"
#include "synth/base/non_code.h"
#include "synth/program/hole_kinds.h"

namespace swizzle {

struct RewrittenSource {
  std::string text;
  // (offset in text, offset in the original) wherever the distance changes, ascending.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> anchors;
  std::vector<std::pair<SourceRange, std::string>>
      unknown_holes;  // as `?sw_none(1)`, `?xform(i, n)`, or no call: `?sw_xform`

  std::uint32_t original(std::uint32_t offset) const;
};

RewrittenSource rewrite_source(const std::string& text);

// The kind whose holes clang sees by this name, "$sw_cond"; null: it is no hole's.
const HoleTraits* hole_kind_seen_as(std::string_view name);

// Of a file that is checked: sketches' holes and sugar stay as they are. Launches become statements, one for each
// part, so that one that clang does not understand hides no other:
//   f<32><<<grid, block>>>(x, n)
//   ({ $launched(); $kernel(f<32>); $grid(grid); $block(block); $argument<0>(x); $argument<1>( n); f<32>(x, n); })
RewrittenSource rewrite_launches(const std::string& text);
// The first `#pragma` at or behind `from` that a `#define` has in front of it on its line, which that blanks; npos:
// none.
std::size_t pragma_in_macro(const std::string& text, std::size_t from);

// Both: of a sketch or spec that is a whole program.
RewrittenSource rewrite_program(const std::string& text);

// What stands between the commas of [begin, end), those within brackets and template arguments aside; nothing of what
// is empty. Among parameters, `<` compares nothing.
enum class Listed { kArguments, kParameters };
std::vector<SourceRange> split_at_commas(const std::string& text, std::size_t begin, std::size_t end, Listed what);

// Blanks, and backslashes at the ends of lines.
inline bool separates_tokens(char c) { return std::isspace(static_cast<unsigned char>(c)) || c == '\\'; }
// What stands in parentheses, and these, as the next token at `at` or behind it; nothing if none does.
std::optional<SourceRange> in_parentheses(const std::string& text, std::size_t at);

// Behind the parenthesis that closes the one at `at`; nothing if none does.
std::optional<std::size_t> parentheses_end(const std::string& text, std::size_t at);

}  // namespace swizzle
