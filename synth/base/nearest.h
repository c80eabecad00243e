// What was perhaps meant: the word that is nearest to a misspelt one.
//
//   did_you_mean("lunch", {"launch", "instance"})     "; did you mean 'launch'?"
//   did_you_mean("abacus", {"launch", "instance"})    ""
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace swizzle {

// How many letters are to be put in, taken out, changed or swapped with their neighbour; of more than `most` only that
// it is more.
int edit_distance(std::string_view a, std::string_view b, int most = std::numeric_limits<int>::max() - 1);

// Empty, unless a word is at most a third of its letters away. Of equally near ones, the first.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace swizzle
