// A spec's loop over a product of sizes, as loops over each of them: a launch may share out those.
//
//   for (int i = 0; i < w * h; ++i) f(i);        for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x) f(y * w + x);
#pragma once

#include <set>
#include <string>
#include <vector>

#include "synth/program/program.h"

namespace swizzle {

// For sizes of at least 1, which `sizes` names; in each order. None: there is no such loop.
struct NestedLoops {
  Program spec;
  std::set<std::string> sizes;
};
std::vector<NestedLoops> with_nested_loops(const Program& spec);

}  // namespace swizzle
