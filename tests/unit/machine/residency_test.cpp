#include "synth/machine/residency.h"

#include <gtest/gtest.h>

namespace swizzle::residency_test {
namespace {

constexpr std::int64_t kKilobyte = 1024;

TEST(Residency, IsWhatThreadsAllowOrSharedMemory) {
  EXPECT_EQ(resident_blocks(0, 256), 8);
  EXPECT_EQ(resident_blocks(0, 32), 32);
  EXPECT_EQ(resident_blocks(32 * kKilobyte, 256), 6);
  EXPECT_EQ(resident_blocks(37 * kKilobyte, 256), 6);
  EXPECT_EQ(resident_blocks(38 * kKilobyte, 256), 5);
  EXPECT_EQ(resident_blocks(32 * kKilobyte, 1024), 2);
}

}  // namespace
}  // namespace swizzle::residency_test
