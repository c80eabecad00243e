// ?sw_tune(a, b, …): a number that a sketch leaves to whoever has to be fast. Each choice is a variant, a sketch like
// any other.
//
//   constexpr int kOutputs = ?sw_tune(4, 8);        tunes_in: one, of 4 and 8
//   #pragma swizzle launch grid(…) block(kThreads)
//
//   with_choice(source, tunes, {8})                 constexpr int kOutputs = 8vvvvvvvvvvvvvvv;
//
// It may stand wherever an integer may: in a constant, in a directive, behind #pragma unroll. What is shorter than what
// it replaces is filled up with vertical tabs (v), which are blanks to a compiler and stand in nobody's text: places
// stay true to the user's file, and without_filling() leaves them out of what is emitted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "synth/base/diagnostic.h"

namespace swizzle {

inline constexpr std::string_view kTuneHole = "?sw_tune";

struct TuneHole {
  SourceRange range;                  // from `?` to the closing parenthesis
  std::vector<std::int64_t> choices;  // no two alike
};

using TuneChoice = std::vector<std::int64_t>;  // a value for each hole

// In the order of the file. Errors: no numbers, the same number twice.
Result<std::vector<TuneHole>> tunes_in(const SourceText& source);

// All of them, the last hole's fastest. Error: more than 64.
Result<std::vector<TuneChoice>> choices_of(const SourceText& source, const std::vector<TuneHole>& tunes);

// The first choice of every hole, where `choice` is empty.
SourceText with_choice(const SourceText& source, const std::vector<TuneHole>& tunes, const TuneChoice& choice);

std::string without_filling(std::string text);

}  // namespace swizzle
