// Word states: what the bits of a lane's words are, assignment by assignment.
//
//   unsigned w = x[0];  w = w << 2 | w >> 2 & 1;  y[0] = w;        on words of 4 bits
//
//   w      x[0].0  x[0].1  x[0].2  x[0].3        the lowest bit first
//   w      x[0].2  0       x[0].0  x[0].1
//   y[0]   x[0].2  0       x[0].0  x[0].1
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "synth/execution/execute.h"

namespace swizzle {

// What a register of a lane holds, or a bit of it. Empty: nothing, or no data.
struct Held {
  std::string text;  // "x[33]", "x[0] + x[1]"
  std::string
      brief;  // "33", where x is the only input; "+2": a sum of two; "*4": a word of bits of four elements;
              // ".": anything else. Of a bit: "7", or "2:7" where there are several elements; "." is 0, "#" is 1
};

struct WordState {
  SourceRange range;                                        // of the assignment
  std::string name;                                         // "r[1]", "y[0]"
  std::vector<std::pair<std::string, std::int64_t>> loops;  // around it, outermost first: "k" is 1
  Value word;
  std::vector<Held> bits = {};  // the lowest first
};

// Tells the bits of all these words.
void tell_bits(Provenance& provenance, const std::vector<std::string>& inputs, std::vector<WordState>& states);

// What a whole word holds.
Held held_word(Provenance& provenance, Value word, const std::vector<std::string>& inputs, bool is_one_input);

}  // namespace swizzle
