#include "synth/synthesis/necessary_accesses.h"

#include <gtest/gtest.h>

#include "tests/unit/problem_builder.h"

namespace swizzle::necessary_accesses_test {
namespace {

// Four lanes add up x[0] … x[3] in two rounds, each a load of what a lane further on has, under a condition.
class LoadedSumOfFour : public testing::Test {
 protected:
  LoadedSumOfFour() {
    std::vector<Value> v;
    for (std::int64_t lane = 0; lane < 4; ++lane) v.push_back(b_.x(lane));
    for (std::size_t k = 0; k < 2; ++k) {
      std::vector<Value> next;
      SharedAccess load;
      load.count = 3;
      for (std::size_t lane = 0; lane < 4; ++lane) {
        const PointId p = b_.at(condition_, k * 4 + lane);
        next.push_back(b_.choice(p, {v[lane], b_.sum({v[lane], v[lane ^ (k + 1)]})}));
        load.lanes.push_back(b_.choice(p, {Value{}, Value::pointer(0, static_cast<std::int64_t>(lane))}));
      }
      v = next;
      b_.problem.shared_accesses.push_back(load);
    }
    sum_ = v[0];
  }

  ProblemBuilder b_;
  const HoleId condition_ = b_.condition(4, 2);
  Value sum_;
};

TEST_F(LoadedSumOfFour, LoadsTwice) {
  b_.equation(sum_, b_.sum({b_.x(0), b_.x(1), b_.x(2), b_.x(3)}));
  EXPECT_EQ(necessary_wavefronts(b_.problem), 6);
}

TEST_F(LoadedSumOfFour, OfTwoLoadsOnceBeItInEitherRound) {
  b_.equation(sum_, b_.sum({b_.x(0), b_.x(2)}));
  EXPECT_EQ(necessary_wavefronts(b_.problem), 0);
}

// What some lane does in any case has its wavefronts elsewhere.
TEST_F(LoadedSumOfFour, LeavesWhatIsNoChoiceAlone) {
  b_.equation(sum_, b_.sum({b_.x(0), b_.x(1), b_.x(2), b_.x(3)}));
  for (SharedAccess& access : b_.problem.shared_accesses) access.lanes.push_back(Value::pointer(0, 4));
  EXPECT_EQ(necessary_wavefronts(b_.problem), 0);
}

}  // namespace
}  // namespace swizzle::necessary_accesses_test
