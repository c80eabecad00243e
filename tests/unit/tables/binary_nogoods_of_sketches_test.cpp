#include "synth/tables/binary_nogoods.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/problem/pose.h"
#include "synth/propagation/propagator.h"

namespace swizzle::binary_nogoods_of_sketches_test {
namespace {

using Points = std::vector<BinaryNogoods::Word>;

// Lane t of 4 needs x[t … t + 4] and fetches from lane t + k: in the first and in the last iteration from itself, where
// one register has x[t] and the other x[t + 4].
TEST(BinaryNogoodsOfSketches, AreValuesThatMakeTwoFetchesTheSame) {
  const auto sketch = parse_kernel(SourceText("f.cu", R"(#pragma swizzle launch grid(1) block(4)
__global__ void f(const float* x, float* y) {
  int t = threadIdx.x;
  float r[2] = {x[t], x[t + 4]}, sum = 0;
  for (int k = 0; k < 5; k++) sum += __shfl_sync(15, r[?sw_part(2, t, k)], ?sw_xform(t, 4, k));
  y[t] = sum;
})"),
                                   "");
  const auto spec = parse_spec(
      SourceText(
          "f.cpp",
          "void f(const float* x, float* y) { for (int i = 0; i < 4; i++) { y[i] = 0; for (int k = 0; k < 5; k++) y[i] += x[i + k]; } }"),
      "f");
  ASSERT_TRUE(sketch.ok()) << render(sketch.errors()[0]);
  ASSERT_TRUE(spec.ok()) << render(spec.errors()[0]);
  Problem problem;
  ASSERT_TRUE(pose(*sketch, *spec, {}, problem).ok());
  collect_holes(*sketch, problem);
  ConstraintNetwork network;
  ASSERT_FALSE(add_equations(problem, covering_equations(problem), network));
  Domains domains(problem.points);
  Propagator propagator(network, problem, domains);
  ASSERT_FALSE(propagator.propagate());
  const bool first_is_part = problem.holes[0].kind == HoleKind::kPart;
  const HoleSpace& part = problem.holes[first_is_part ? 0 : 1];
  const HoleSpace& lane = problem.holes[first_is_part ? 1 : 0];
  EXPECT_TRUE(propagator.binary_nogoods(part).empty());  // the lanes are not known yet
  for (std::size_t p = 0; p < lane.points.size(); ++p)
    ASSERT_TRUE(domains.fix(lane.points[p], static_cast<int>((lane.arguments[p][0] + lane.arguments[p].back()) % 4)));
  ASSERT_FALSE(propagator.propagate());
  const BinaryNogoods pairs = propagator.binary_nogoods(part);
  for (int t = 0; t < 4; ++t)
    for (int value = 0; value < 2; ++value) {
      Points same(pairs.words(), 0), different(pairs.words(), 0);
      for (std::size_t p = 0; p < part.points.size(); ++p) {
        const std::int64_t k = part.arguments[p].back();
        if (part.arguments[p][part.arguments[p].size() - 2] != t || (k != 0 && k != 4)) continue;
        same[static_cast<std::size_t>(value)] |= std::uint64_t{1} << p;
        different[static_cast<std::size_t>(k == 0 ? value : 1 - value)] |= std::uint64_t{1} << p;
      }
      EXPECT_FALSE(pairs.allows(static_cast<std::size_t>(value), same)) << t;
      EXPECT_TRUE(pairs.allows(static_cast<std::size_t>(value), different)) << t;
    }
}

}  // namespace
}  // namespace swizzle::binary_nogoods_of_sketches_test
