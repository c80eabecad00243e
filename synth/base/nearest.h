// What was perhaps meant: the word that is nearest to a misspelt one.
//
//   did_you_mean("lunch", {"launch", "instance"})     "; did you mean 'launch'?"
//   did_you_mean("abacus", {"launch", "instance"})    ""
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace swizzle {

// How many letters are to be put in, taken out, changed or swapped with their neighbour.
int edit_distance(std::string_view a, std::string_view b);

// Empty, unless a word is at most a third of its letters away. Of equally near ones, the first.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace swizzle
