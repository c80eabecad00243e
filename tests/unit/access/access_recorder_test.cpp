#include "synth/access/access_recorder.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace swizzle::access_recorder_test {
namespace {

LaneAddresses steps(int lanes, std::int64_t first, std::int64_t step) {
  LaneAddresses a(32);
  for (int lane = 0; lane < lanes; ++lane) a[static_cast<std::size_t>(lane)] = first + lane * step;
  return a;
}

TEST(Sectors, CountDistinctOnes) {
  EXPECT_EQ(count_sectors(4, steps(32, 0, 4)).count, 4);
  EXPECT_EQ(count_sectors(4, steps(32, 4, 4)).count, 5);
  EXPECT_EQ(count_sectors(4, steps(32, 4, 4)).ideal, 4);
  EXPECT_EQ(count_sectors(4, steps(32, 0, 0)).count, 1);
  EXPECT_EQ(count_sectors(16, steps(32, 0, 16)).count, 16);
  EXPECT_EQ(count_sectors(1, steps(32, 0, 1)).count, 1);
  EXPECT_EQ(count_sectors(4, steps(32, -64, 32)).count, 32);
  EXPECT_EQ(count_sectors(4, steps(0, 0, 4)).count, 0);
}

TEST(Sectors, EqualThoseOfEveryByte) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const int bytes = 1 << random() % 5;
    LaneAddresses a(32);
    std::set<std::int64_t> sectors, all;
    for (auto& lane : a) {
      if (random() % 4 == 0) continue;
      lane = static_cast<std::int64_t>(random() % 64) * bytes;
      for (int b = 0; b < bytes; ++b) sectors.insert((*lane + b) / kSectorBytes), all.insert(*lane + b);
    }
    EXPECT_EQ(count_sectors(bytes, a).count, static_cast<int>(sectors.size()));
    EXPECT_EQ(count_sectors(bytes, a).ideal, static_cast<int>((all.size() + kSectorBytes - 1) / kSectorBytes));
  }
}

TEST(AccessRecorder, TheWorstRequestIsKeptWithItsOwnAddresses) {
  AccessRecorder recorder{SharedMemoryModel{}};
  AccessSite& site = recorder.site({{1, 2}}, MemorySpace::kShared, MemoryOperation::kLoad, 32, "s");
  for (const auto& [first, step] : {std::pair(0, 4), {4096, 128}, {0, 8}})
    recorder.count(site, {"s", {}, 0}, steps(32, first, step), 0);
  EXPECT_EQ(site.requests, 3);
  EXPECT_EQ(site.total, 1 + 32 + 2);
  EXPECT_EQ(site.excess(), 31 + 1);
  EXPECT_EQ(site.worst, 32);
  ASSERT_TRUE(site.worst_request && site.worst_request->conflict);
  EXPECT_EQ(site.worst_request->conflict->word_addresses[1], 4096 + 128);
}

TEST(AccessRecorder, ShiftedRequestsCountAlike) {
  AccessRecorder recorder{SharedMemoryModel{}};
  AccessSite& site = recorder.site({{1, 2}}, MemorySpace::kShared, MemoryOperation::kStore, 32, "s");
  for (const int first : {0, 4, 60, 128, 132}) recorder.count(site, {"s", {}, 0}, steps(32, first, 12), 0);
  EXPECT_EQ(site.total, 5);
}

}  // namespace
}  // namespace swizzle::access_recorder_test
