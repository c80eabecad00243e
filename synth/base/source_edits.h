// Edits of a source text: independent of how the text was parsed, so that any phase can make and apply them.
//
//   y[t] = rc[?sw_part(2, t, k)];      edits {{10, 27} "lane < k ? 1 : 0"}, {{0, 4} "*y"}      gives
//   *y = rc[lane < k ? 1 : 0];
//
// Ranges are half-open, in bytes of the file as it was. In order of where they begin (of equals, the first given
// first), an edit that begins inside one that was made, or that leaves the range which is asked for, is left out:
//
//   file "abcdef", edits {1, 3} "X", {2, 4} "Y", {4, 4} "Z"      gives "aXdZef": {2, 4} begins in {1, 3}
//
// The idea of a replacement as a value: clang/Tooling/Core/Replacement.h.
#pragma once

#include <string>
#include <vector>

#include "synth/base/diagnostic.h"

namespace swizzle {

struct SourceEdit {
  SourceRange range;
  std::string text;
};

// inner ⊆ outer
bool is_within(SourceRange inner, SourceRange outer);

enum class LineBreaks {
  kAsEdited,
  kKept
};  // kKept: an edit is followed by the newlines that it replaces, so that line numbers stay

// The text of `range` (without one: of the file) with the edits made.
std::string edited(const SourceText& source, SourceRange range, std::vector<SourceEdit> edits,
                   LineBreaks breaks = LineBreaks::kAsEdited);
std::string edited(const SourceText& source, std::vector<SourceEdit> edits, LineBreaks breaks = LineBreaks::kAsEdited);

}  // namespace swizzle
