#include "synth/access/address_space.h"

#include <gtest/gtest.h>

namespace swizzle::address_space_test {
namespace {

const Presences kAll(4, Presence::kIn);

TEST(AddressSpace, AnAddressTellsItsRegion) {
  AddressSpace space;
  const int local = space.allocate(RegionKind::kLocal, "v", 16), shared = space.allocate(RegionKind::kShared, "s", 256),
            other = space.allocate(RegionKind::kShared, "t", 256);
  const int buffer = space.allocate(RegionKind::kGlobal, "x", 1 << 20);
  for (const int id : {local, shared, other, buffer}) EXPECT_EQ(space.region_of(space.region(id).base + 100), id);
  EXPECT_EQ(space.region_of(space.region(buffer).base - 4), buffer);
  EXPECT_EQ(space.region(other).base - AddressSpace::shared_window(), 256);
  EXPECT_EQ(space.region_of(0), kNoRegion);
}

TEST(AddressSpace, APartIsFoundAsItWasWritten) {
  AddressSpace space;
  const int v = space.allocate(RegionKind::kLocal, "v", 16);
  const LaneValue at4 = LaneValue::uniform(space.region(v).base + 4);
  space.write_own(v, at4, 4, {{0, {4, LaneValue::uniform(7)}}}, kAll, false);
  EXPECT_EQ(space.read_own(v, at4, 4, 4).find(0), 7);
  EXPECT_TRUE(space.read_own(v, at4, 2, 4).is_unknown());
  space.write_own(v, LaneValue::uniform(space.region(v).base + 6), 2, {{0, {2, LaneValue::uniform(1)}}}, kAll, false);
  EXPECT_TRUE(space.read_own(v, at4, 4, 4).is_unknown());
}

TEST(AddressSpace, ThreadsHaveTheirOwnElements) {
  AddressSpace space;
  const int v = space.allocate(RegionKind::kLocal, "v", 16);
  const std::int64_t base = space.region(v).base;
  const LaneValue each = LaneValue::varying({base, base + 4, base + 8, base + 12});
  space.write_own(v, each, 4, {{0, {4, LaneValue::varying({1, 2, 3, 4})}}}, kAll, false);
  EXPECT_EQ(space.read_own(v, each, 4, 4).find(2), 3);
  EXPECT_EQ(space.read_own(v, LaneValue::uniform(base), 4, 4).find(2), std::nullopt);
}

TEST(AddressSpace, AnUnknownPlaceMayBeAnyOfItsRegion) {
  AddressSpace space;
  const int v = space.allocate(RegionKind::kLocal, "v", 8);
  const LaneValue at = space.address_of(v);
  space.write_own(v, at, 4, {{0, {4, LaneValue::uniform(7)}}}, kAll, false);
  space.write_own(v, LaneValue::in_region(v), 4, {}, kAll, false);
  EXPECT_TRUE(space.read_own(v, at, 4, 4).is_unknown());
}

TEST(AddressSpace, SharedWordsAreSeenByAllThreads) {
  AddressSpace space;
  const int s = space.allocate(RegionKind::kShared, "s", 64);
  const std::int64_t base = space.region(s).base;
  space.write_shared(s, LaneValue::varying({base, base + 4, base + 8, base + 12}), 4, LaneValue::varying({9, 8, 7, 6}),
                     kAll);
  EXPECT_EQ(space.read_shared(s, LaneValue::uniform(base + 8), 4, 4).find(0), 7);
  EXPECT_TRUE(space.read_shared(s, LaneValue::uniform(base + 8), 2, 4).is_unknown());
  space.write_shared(s, LaneValue::uniform(base + 6), 4, LaneValue(), kAll);
  EXPECT_TRUE(space.read_shared(s, LaneValue::uniform(base + 8), 4, 4).is_unknown());
  EXPECT_EQ(space.read_shared(s, LaneValue::uniform(base + 12), 4, 4).find(0), 6);
}

}  // namespace
}  // namespace swizzle::address_space_test
