// Residue classes of sizes that a program divides by a constant: n / 2 is a polynomial where it is known what n leaves.
//
//   for (int i = 0; i < n / 2; ++i) y[2 * i] = x[i];      n = 2·m, n = 2·m + 1: each is looked at by itself
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "synth/program/program.h"

namespace swizzle {

struct Residue {
  std::int64_t modulus = 1, rest = 0;  // size % modulus == rest
};
using Residues = std::map<std::string, Residue>;  // by the kernel's names

// Together they are all sizes. Nothing, where no size is divided, or by so much that there are too many.
std::vector<Residues> residue_classes(const Program& kernel, const Program& spec);

// What is so in each of the classes, of the conditions of each: of upper bounds, the least.
std::vector<std::string> in_all_classes(const std::vector<std::vector<std::string>>& conditions);

}  // namespace swizzle
