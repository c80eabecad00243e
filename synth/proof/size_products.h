// Products of sizes that a program computes, `n * 3` and `rows * cols`: no index is larger where buffers are shorter.
#pragma once

#include <map>
#include <set>
#include <string>

#include "synth/program/program.h"
#include "synth/proof/polynomial.h"

namespace swizzle {

// Of parameters that stay as they are, which `sizes` has, and numbers; each two factors at least.
std::set<Polynomial> size_products(const Program& program, const std::map<std::string, Polynomial>& sizes);

}  // namespace swizzle
