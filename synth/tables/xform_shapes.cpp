#include "synth/tables/xform_shapes.h"

#include <numeric>

#include "synth/base/integers.h"

namespace swizzle {
namespace {

// For c prime to d, and e prime to g/d.
void add_swapped(int g, int d, std::vector<XformShape>& shapes) {
  for (int c = 0; c < d && d != g; ++c)  // d = g is d = 1 again
    for (int e = 0; e < g / d; ++e)
      if (std::gcd(c, d) == 1 && std::gcd(e, g / d) == 1) shapes.push_back({g, c, d, g / d, true, e});
}

}  // namespace

std::int64_t XformShape::start(std::int64_t i) const { return floor_div(i, group) * group; }

int XformShape::offset(std::int64_t i, int x) const {
  const std::int64_t inner = floor_mod(i, group);
  if (swapped) return static_cast<int>(run * ((fan * inner + x) % period));
  return run == group ? 0 : static_cast<int>(fan * inner % group);
}

int XformShape::shift(std::int64_t i) const {
  const std::int64_t inner = floor_mod(i, group);
  return static_cast<int>((stride * (inner / period) + (run == group ? fan * inner : 0)) % run);
}

std::vector<XformShape> shapes_of(const HoleSpace& space) {
  std::vector<XformShape> shapes;
  for (int g = space.domain; g >= 1; --g) {
    if (space.domain % g != 0) continue;
    for (int c = 0; c < g; ++c)
      for (int d = g; d >= 1; --d) {
        if (g % d != 0 || c % (g / d) != 0) continue;
        shapes.push_back({g, c, d, g, false, 1});
        if (d != g && d != 1)
          shapes.push_back({g, c, d, g / d, false, 1});  // d = 1 wraps mod g, d = g has no rotation: plain forms
      }
    for (int d = g; d >= 1 && space.traits().swaps_digits; --d)
      if (g % d == 0) add_swapped(g, d, shapes);
  }
  return shapes;
}

}  // namespace swizzle
