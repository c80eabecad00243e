// Words of a lane, drawn bit by bit: a row for each assignment, the highest bit first.
//
//   lane 0         3  2  1  0
//   w at 4:3       3  2  1  0
//   w at 5:3       1  0  .  2
//
// A number is a bit of the input, with its element before it where there are several ("5:2"); . is 0, # is 1, ^2 an
// exclusive-or of two, f another function.
#pragma once

#include <string>
#include <vector>

#include "codegen/picture/svg.h"
#include "synth/base/diagnostic.h"
#include "synth/execution/word_states.h"

namespace swizzle {

// Of many states, the first ones and the last. Empty: there are none.
std::string words_text(const SourceText& source, const std::vector<WordState>& words);

SvgPanel words_panel(const SourceText& source, const std::vector<WordState>& words);

}  // namespace swizzle
