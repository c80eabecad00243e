#include "synth/synthesis/wavefront_prices.h"

#include <gtest/gtest.h>

#include "tests/unit/hole_table.h"

namespace swizzle::wavefront_prices_test {
namespace {

constexpr int kLanes = 32;

// A load of words by 32 lanes, each of which a point of hole 0 moves by `by` words or not at all, `count` times.
class Loads : public testing::Test {
 protected:
  Loads() {
    problem_.holes.resize(2);
    problem_.shared_objects.resize(1);
    problem_.shared_objects[0][0] = {.name = "tile"};
  }
  PointId point(std::size_t hole, int lane) {
    const PointId point = problem_.points.intern(HoleId(hole), {lane}, 2);
    if (static_cast<std::size_t>(lane) == problem_.holes[hole].points.size())
      problem_.holes[hole].points.push_back(point);
    return point;
  }
  SharedAccess access(std::size_t hole, int by, double count) {
    SharedAccess access;
    access.count = count;
    for (int lane = 0; lane < kLanes; ++lane)
      access.lanes.push_back(problem_.provenance.choice(
          point(hole, lane), {Value::pointer(0, lane), Value::pointer(0, lane + by * lane)}));
    return access;
  }
  double of(const HoleTable& table) const { return WavefrontPrices(problem_, SharedMemoryModel{}).of(0, table); }

  Problem problem_;
  const HoleTable all_ = table(std::vector<std::int16_t>(kLanes, 1)),
                  none_ = table(std::vector<std::int16_t>(kLanes, 0));
};

TEST_F(Loads, CostWhatTheirBanksAdd) {
  problem_.shared_accesses = {access(0, 31, 3)};  // all lanes in one bank: 32 wavefronts in place of one
  EXPECT_EQ(of(none_), 0);
  EXPECT_EQ(of(all_), 3 * 31);
  EXPECT_TRUE(WavefrontPrices(problem_, SharedMemoryModel{}).are_all());
  problem_.shared_accesses.push_back(access(0, 1, 1));  // every other bank: two
  EXPECT_EQ(of(all_), 3 * 31 + 1);
}

TEST_F(Loads, CostNothingWhereSeveralHolesDecide) {
  SharedAccess both = access(0, 31, 1);
  both.lanes[5] = access(1, 31, 1).lanes[5];
  problem_.shared_accesses = {both};
  EXPECT_FALSE(WavefrontPrices(problem_, SharedMemoryModel{}).are_any());
  EXPECT_FALSE(WavefrontPrices(problem_, SharedMemoryModel{}).are_all());
  EXPECT_EQ(of(all_), 0);
}

TEST_F(Loads, CostNothingBehindALayout) {
  problem_.shared_objects[0][0].layout = LayoutId(std::size_t{0});
  problem_.shared_accesses = {access(0, 31, 1)};
  EXPECT_EQ(of(all_), 0);
}

}  // namespace
}  // namespace swizzle::wavefront_prices_test
