// Votes, reductions and shuffles of emulation/intrinsic_table.inc: what a lane hears is what the emulation tells it.
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "emulation/warp_emulation.h"
#include "tests/unit/program/intrinsic_calls.h"

namespace swizzle::intrinsics_of_warps_test {
namespace {

struct Vote {
  std::string name;
  Intrinsic kind;
  std::int64_t (*call)(unsigned mask, int predicate);
};

const std::vector<Vote> kVotes = {
#define SWIZZLE_VOTE(kind, result, name, outcome) \
  {#name, Intrinsic::kind,                        \
   [](unsigned mask, int predicate) { return static_cast<std::int64_t>(::name(mask, predicate)); }},
#include "emulation/intrinsic_table.inc"
};

TEST(Intrinsics, VotesTellWhatTheEmulationHears) {
  std::mt19937 random(7);
  for (const Vote& vote : kVotes)
    for (int i = 0; i < 100; ++i) {
      const unsigned yes = i == 0 ? 0 : i == 1 ? kEveryLane : random(), mask = i < 4 ? kEveryLane : random() | 1u;
      std::vector<std::int64_t> heard(32, -1);
      swizzle_emulation::launch({1}, {32}, [&] {
        if (mask >> threadIdx.x & 1u) heard[threadIdx.x] = vote.call(mask, yes >> threadIdx.x & 1u);
      });
      for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1u) {
          ASSERT_EQ(heard[lane], outcome(vote.kind, yes & mask, mask))
              << vote.name << " of " << yes << " among " << mask;
        }
    }
}

TEST(Intrinsics, VotesOnIndicesAreExecutedAndTraced) {
  std::string stores, branches;
  Integers expected;
  for (const Vote& vote : kVotes)
    for (const unsigned yes : {0u, 1u, 0x80000001u, 0x0ffffffeu, kEveryLane}) {
      const std::string call = fmt::format("{}(0xffffffffu, {:#x}u >> t & 1)", vote.name, yes);
      stores += fmt::format("  if (t == 5) y[{}] = 0;\n  {{ long long heard = {}; if (t == 5) y[{}] = heard; }}\n",
                            expected.size(), call, expected.size());
      expected.push_back(outcome(vote.kind, yes, kEveryLane));
      branches += fmt::format("  if ((long long){} != {}) y[0] = 1;\n", call, expected.back());
    }
  auto values = executed(stores, 32);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(values.contains(static_cast<std::int64_t>(i)) && values[static_cast<std::int64_t>(i)] == expected[i])
        << "y[" << i << "]";
  EXPECT_EQ(accesses_traced(branches, 32), 0u);
}

struct Reduction {
  std::string name, type;
  Intrinsic kind;
  std::int64_t (*call)(unsigned mask, std::int64_t value);
  std::int64_t (*converted)(std::int64_t value);
};

const std::vector<Reduction> kReductions = {
#define SWIZZLE_REDUCTION(kind, type, name, combined)                                                           \
  {#name, #type, Intrinsic::kind,                                                                               \
   [](unsigned mask, std::int64_t v) { return static_cast<std::int64_t>(::name(mask, static_cast<type>(v))); }, \
   [](std::int64_t v) { return static_cast<std::int64_t>(static_cast<type>(v)); }},
#include "emulation/intrinsic_table.inc"
};

TEST(Intrinsics, ReductionsCombineTheLanesOfTheMask) {
  std::mt19937 random(11);
  ASSERT_EQ(kReductions.size(), 9u);
  for (const Reduction& r : kReductions)
    for (int i = 0; i < 50; ++i) {
      const unsigned mask = i < 2 ? kEveryLane : random() | 1u;
      std::vector<std::int64_t> values, got(32, -1);
      for (int lane = 0; lane < 32; ++lane) values.push_back(r.converted(i == 0 ? lane - 7 : random()));
      swizzle_emulation::launch({1}, {32}, [&] {
        if (mask >> threadIdx.x & 1u) got[threadIdx.x] = r.call(mask, values[threadIdx.x]);
      });
      std::int64_t expected = values[0];
      for (unsigned lane = 1; lane < 32; ++lane)
        if (mask >> lane & 1u) expected = r.converted(reduced(r.kind, expected, values[lane]));
      for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1u) {
          ASSERT_EQ(got[lane], expected) << r.name << " of " << r.type << ", " << mask;
        }
    }
}

TEST(Intrinsics, ReductionsOfIndicesAreExecutedAndTraced) {
  std::string stores, branches;
  for (std::size_t i = 0; i < kReductions.size(); ++i) {
    const std::string call =
        fmt::format("{}(t < 16 ? 0xffffu : 0xffff0000u, ({})(t * 5 - 60))", kReductions[i].name, kReductions[i].type);
    stores += fmt::format("  y[{} + t] = {};\n", 32 * i, call);
    std::int64_t halves[2] = {};
    for (int lane = 0; lane < 32; ++lane) {
      std::int64_t& half = halves[lane / 16];
      const std::int64_t v = kReductions[i].converted(lane * 5 - 60);
      half = lane % 16 == 0 ? v : kReductions[i].converted(reduced(kReductions[i].kind, half, v));
    }
    branches += fmt::format("  if ((long long){} != (t < 16 ? {}ll : {}ll)) y[0] = 1;\n", call, halves[0], halves[1]);
    auto values = executed(stores, 32);
    for (int lane = 0; lane < 32; ++lane)
      EXPECT_EQ(values.at(static_cast<std::int64_t>(32 * i) + lane), halves[lane / 16]) << kReductions[i].name;
  }
  EXPECT_EQ(accesses_traced(branches, 32), 0u);
}

struct Shuffle {
  std::string name;
  Intrinsic kind;
  int (*call)(int value, int operand, int width);
};

const std::vector<Shuffle> kShuffles = {
#define SWIZZLE_SHUFFLE(kind, name, Operand, source) \
  {#name, Intrinsic::kind,                           \
   [](int value, int operand, int width) { return ::name(kEveryLane, value, static_cast<Operand>(operand), width); }},
#include "emulation/intrinsic_table.inc"
};

TEST(Intrinsics, ShufflesReadTheLaneThatTheEmulationReads) {
  for (const Shuffle& shuffle : kShuffles)
    for (const int width : {1, 2, 4, 8, 16, 32})
      for (int operand = -3; operand < 40; ++operand) {
        std::vector<int> source(32, -1);
        swizzle_emulation::launch(
            {1}, {32}, [&] { source[threadIdx.x] = shuffle.call(static_cast<int>(threadIdx.x), operand, width); });
        for (int lane = 0; lane < 32; ++lane)
          ASSERT_EQ(source[static_cast<std::size_t>(lane)], source_lane(shuffle.kind, lane, operand, width))
              << shuffle.name << " of lane " << lane << ", " << operand << ", " << width;
      }
}

TEST(Intrinsics, ShufflesOfIndicesAreExecutedAndTraced) {
  std::string stores, branches;
  for (std::size_t i = 0; i < kShuffles.size(); ++i) {
    const std::string call = fmt::format("{}(0xffffffffu, t, 3, 8)", kShuffles[i].name);
    stores += fmt::format("  y[{} + t] = {};\n", 32 * i, call);
    std::string expected = "0";
    for (int lane = 0; lane < 32; ++lane)
      expected = fmt::format("t == {} ? {} : {}", lane, source_lane(kShuffles[i].kind, lane, 3, 8), expected);
    branches += fmt::format("  if ({} != ({})) y[0] = 1;\n", call, expected);
  }
  auto values = executed(stores, 32);
  for (std::size_t i = 0; i < kShuffles.size(); ++i)
    for (int lane = 0; lane < 32; ++lane)
      EXPECT_EQ(values.at(static_cast<std::int64_t>(32 * i) + lane), source_lane(kShuffles[i].kind, lane, 3, 8))
          << kShuffles[i].name << " at lane " << lane;
  EXPECT_EQ(accesses_traced(branches, 32), 0u);
}

// Where lanes wait for each other, all must come.
TEST(Intrinsics, CollectivesAreShufflesVotesReductionsAndBarriers) {
  for (const char* name :
       {"__shfl_xor_sync", "__any_sync", "__reduce_add_sync", "__activemask", "__syncwarp", "__syncthreads"})
    EXPECT_TRUE(is_collective(lane_behavior(*intrinsic_named(name)))) << name;
  for (const char* name : {"__ldg", "__popc", "min", "fmaf", "sqrtf", "printf", "load"})
    EXPECT_FALSE(is_collective(lane_behavior(*intrinsic_named(name)))) << name;
}

}  // namespace
}  // namespace swizzle::intrinsics_of_warps_test
