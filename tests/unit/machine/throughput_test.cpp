#include "synth/machine/throughput.h"

#include <gtest/gtest.h>

namespace swizzle::machine_throughput_test {
namespace {

TEST(MachineThroughput, HasARowForEachArchitectureAndSaysWhoMeasuredIt) {
  for (const char* arch : {"sm_80", "sm_86", "sm_89", "sm_90", "sm_100"}) {
    const auto row = throughput_of(arch);
    ASSERT_TRUE(row) << arch;
    EXPECT_EQ(row->arch, arch);
    EXPECT_EQ(row->known == Throughput::Known::kMeasured, row->arch == "sm_90");
    EXPECT_FALSE(row->source.empty());
    EXPECT_EQ(row->date.size(), 10u);
  }
  EXPECT_EQ(throughput_of("sm_90a")->arch, "sm_90");
  EXPECT_EQ(throughput_of("sm_87")->arch, "sm_86");
  EXPECT_EQ(throughput_of("sm_121")->arch, "sm_100");
  EXPECT_FALSE(throughput_of("sm_75"));
  EXPECT_FALSE(throughput_of("gfx90a"));
}

TEST(MachineThroughput, TheBusiestPartTellsTheTimeAndOthersAddALittle) {
  WarpLoad load;
  load.lsu = 80;
  const Throughput sm_90 = *throughput_of("sm_90");
  EXPECT_DOUBLE_EQ(predicted_time(load, sm_90).cycles, 80);
  load.issued = 4 * 80;
  const PredictedTime both = predicted_time(load, sm_90);
  EXPECT_NEAR(both.cycles, 80 * 1.26, 0.1);
  load.xu = 50;
  EXPECT_EQ(predicted_time(load, sm_90).busiest, MachinePart::kXu);
}

TEST(MachineThroughput, MemoryIsSharedAmongMultiprocessors) {
  WarpLoad load;
  load.moved_bytes = 4096;
  const PredictedTime time = predicted_time(load, *throughput_of("sm_90"));
  EXPECT_EQ(time.busiest, MachinePart::kMemory);
  EXPECT_NEAR(time.cycles, 4096 / (4260e9 / 132 / 1969e6), 0.01);
}

}  // namespace
}  // namespace swizzle::machine_throughput_test
