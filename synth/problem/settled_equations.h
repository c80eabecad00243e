// Equations in which no hole has a say, between values that are the same whatever the data are.
#pragma once

#include <vector>

#include "synth/problem/problem.h"

namespace swizzle {

// What the order of elements decides, comparisons of them, or divisions of reals has the kernel's form, if it is the
// same in every order, or in every case.
std::vector<Equation> settled_by_cases(std::vector<Equation> equations, Provenance& provenance);

}  // namespace swizzle
