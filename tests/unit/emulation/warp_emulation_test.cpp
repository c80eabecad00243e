#include "emulation/warp_emulation.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace {

using swizzle_emulation::kEmulationFailure;
using swizzle_emulation::kUndefinedWord;
using swizzle_emulation::launch;
using swizzle_emulation::Order;

constexpr unsigned kAll = 0xffffffffu;

// What each of 32 lanes gets from `body(lane)`.
template <typename Body>
std::vector<int> per_lane(Body body, int lanes = 32) {
  std::vector<int> got(static_cast<std::size_t>(lanes), -1);
  launch({1}, {static_cast<unsigned>(lanes)}, [&] { got[threadIdx.x] = body(static_cast<int>(threadIdx.x)); });
  return got;
}

TEST(WarpEmulation, ShuffleGivesTheSourceLanesArgument) {
  const auto got = per_lane([](int lane) { return __shfl_sync(kAll, 100 + lane, (lane * 5 + 3) & 31); });
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(got[lane], 100 + ((lane * 5 + 3) & 31));
}

TEST(WarpEmulation, ShuffleWrapsTheSourceLaneWithinItsSegment) {
  const auto got = per_lane([](int lane) { return __shfl_sync(kAll, lane, lane + 1, 8); });
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(got[lane], (lane & ~7) + ((lane + 1) & 7));
  EXPECT_EQ(per_lane([](int lane) { return __shfl_sync(kAll, lane, -1); })[0], 31);
}

TEST(WarpEmulation, ShuffleUpAndDownKeepTheirOwnValueOutsideTheSegment) {
  const auto up = per_lane([](int lane) { return __shfl_up_sync(kAll, lane, 3, 16); });
  const auto down = per_lane([](int lane) { return __shfl_down_sync(kAll, lane, 3, 16); });
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(up[lane], (lane & 15) >= 3 ? lane - 3 : lane);
    EXPECT_EQ(down[lane], (lane & 15) < 13 ? lane + 3 : lane);
  }
}

TEST(WarpEmulation, ShuffleXorReachesEarlierSegmentsAndNotLaterOnes) {
  const auto within = per_lane([](int lane) { return __shfl_xor_sync(kAll, lane, 5); });
  const auto across = per_lane([](int lane) { return __shfl_xor_sync(kAll, lane, 8, 8); });
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(within[lane], lane ^ 5);
    EXPECT_EQ(across[lane], (lane & 8) ? lane ^ 8 : lane);
  }
}

TEST(WarpEmulation, AWarpOfFewerLanesIsTheWidestSegment) {
  std::vector<int> down(16), wrapped(16), narrow(16);
  const auto kernel = [&] {
    const int lane = static_cast<int>(threadIdx.x);
    down[threadIdx.x] = __shfl_down_sync(kAll, lane, 3);
    wrapped[threadIdx.x] = __shfl_sync(kAll, lane, lane + 3);
    narrow[threadIdx.x] = __shfl_down_sync(kAll, lane, 3, 4);
  };
  launch({1}, {16}, kernel, Order::kAscending, 8);
  for (int lane = 0; lane < 16; ++lane) {
    EXPECT_EQ(down[lane], lane % 8 < 5 ? lane + 3 : lane);
    EXPECT_EQ(wrapped[lane], lane / 8 * 8 + (lane + 3) % 8);
    EXPECT_EQ(narrow[lane], lane % 4 < 1 ? lane + 3 : lane);
  }
}

TEST(WarpEmulation, ShuffleMovesEightBytesAndFloats) {
  std::vector<double> got(32);
  launch({1}, {32}, [&] {
    const int lane = static_cast<int>(threadIdx.x);
    got[threadIdx.x] = __shfl_xor_sync(kAll, lane + 0.25, 1) + __shfl_xor_sync(kAll, static_cast<float>(lane), 2) +
                       static_cast<double>(__shfl_sync(kAll, 1ll << 40, 0));
  });
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(got[lane], (lane ^ 1) + 0.25 + (lane ^ 2) + static_cast<double>(1ll << 40));
  }
}

TEST(WarpEmulation, HalvesOfADivergedWarpShuffleOnTheirOwnMasks) {
  const auto got = per_lane([](int lane) {
    if (lane < 16) return __shfl_sync(0x0000ffffu, lane, 15 - lane);
    return __shfl_sync(0xffff0000u, lane, 47 - lane);
  });
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(got[lane], lane < 16 ? 15 - lane : 47 - lane);
}

TEST(WarpEmulation, ALaneOutsideTheMaskReadsAsUndefined) {
  const auto got = per_lane([](int lane) { return lane < 16 ? __shfl_sync(0x0000ffffu, lane, lane + 16) : 0; });
  EXPECT_EQ(static_cast<unsigned>(got[0]), kUndefinedWord);
}

TEST(WarpEmulation, ExitedLanesAreNotWaitedFor) {
  const auto got = per_lane([](int lane) { return lane >= 20 ? 7 : __shfl_xor_sync(kAll, lane, 1); });
  for (int lane = 0; lane < 20; ++lane) EXPECT_EQ(got[lane], lane ^ 1);
}

TEST(WarpEmulation, VotesCountTheLanesOfTheMask) {
  EXPECT_EQ(static_cast<unsigned>(per_lane([](int lane) { return int(__ballot_sync(kAll, lane % 3 == 0)); })[5]),
            0x49249249u);
  EXPECT_EQ(per_lane([](int lane) { return lane < 8 ? int(__ballot_sync(0xffu, lane & 1)) : 0; })[0], 0xaa);
  EXPECT_EQ(per_lane([](int lane) { return __any_sync(kAll, lane == 31); })[0], 1);
  EXPECT_EQ(per_lane([](int lane) { return __all_sync(kAll, lane != 31); })[0], 0);
  EXPECT_EQ(static_cast<unsigned>(per_lane([](int lane) { return lane < 4 ? int(__activemask()) : 0; })[0]), 0xfu);
}

TEST(WarpEmulation, TheLastWarpMayBePartial) {
  const auto got = per_lane([](int lane) { return int(__ballot_sync(kAll, 1)) + 0 * lane; }, 40);
  EXPECT_EQ(static_cast<unsigned>(got[0]), kAll);
  EXPECT_EQ(got[39], 0xff);
}

TEST(WarpEmulation, SharedMemoryPassesValuesBetweenWarpsAcrossBarriers) {
  for (const Order order : {Order::kAscending, Order::kDescending}) {
    std::vector<int> out(2 * 256);
    launch(
        {2}, {256},
        [&] {
          __shared__ int tile[256];
          const unsigned t = threadIdx.x;
          tile[t] = static_cast<int>(blockIdx.x * 1000 + t);
          __syncthreads();
          const int mirrored = tile[255 - t];
          __syncthreads();
          tile[t] = mirrored + 1;
          __syncthreads();
          out[blockIdx.x * blockDim.x + t] = tile[(t + 64) % 256];
        },
        order);
    for (int i = 0; i < 512; ++i) EXPECT_EQ(out[i], i / 256 * 1000 + 255 - (i % 256 + 64) % 256 + 1);
  }
}

TEST(WarpEmulation, SharedMemoryIsPoisonedAtEveryBlock) {
  std::vector<unsigned> seen(2);
  launch({2}, {1}, [&] {
    __shared__ unsigned cell[4];
    seen[blockIdx.x] = cell[2];
    cell[2] = 1;
  });
  EXPECT_EQ(seen, std::vector<unsigned>(2, kUndefinedWord));
}

TEST(WarpEmulation, AMissingBarrierShowsBetweenTheTwoOrders) {
  const auto racy = [](Order order) {
    int got = 0;
    launch(
        {1}, {64},
        [&] {
          __shared__ int cell;
          if (threadIdx.x == 0) cell = 5;
          if (threadIdx.x == 63) got = cell;
        },
        order);
    return got;
  };
  EXPECT_NE(racy(Order::kAscending), racy(Order::kDescending));
}

TEST(WarpEmulation, BlocksOfThreeDimensionsNumberXFirst) {
  std::vector<int> out(2 * 3 * 4 * 6, -1);
  launch({2, 3, 1}, {4, 3, 2}, [&] {
    const int thread = static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
    const int block = static_cast<int>(blockIdx.x + gridDim.x * blockIdx.y);
    out[block * 24 + thread] = __shfl_sync(kAll, thread, 0) + block * 24 + thread;
  });
  std::vector<int> expected(out.size());
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(out, expected);
}

TEST(WarpEmulation, BitIntrinsicsFollowTheGuide) {
  EXPECT_EQ(__popc(0xf0f0u), 8);
  EXPECT_EQ(__ffs(0), 0);
  EXPECT_EQ(__ffs(8), 4);
  EXPECT_EQ(__clz(0), 32);
  EXPECT_EQ(__clz(1), 31);
  EXPECT_EQ(__brev(1u), 0x80000000u);
  EXPECT_EQ(__byte_perm(0x33221100u, 0x77665544u, 0x7531u), 0x77553311u);
  EXPECT_EQ(__byte_perm(0x00000080u, 0u, 0x8888u), 0x80808080u);  // so a GPU says
  EXPECT_EQ(__byte_perm(0x8177f6f5u, 0u, 0xba98u), 0x8177f6f5u);
  EXPECT_EQ(__funnelshift_l(0x80000000u, 1u, 1u), 3u);
  EXPECT_EQ(__funnelshift_r(2u, 1u, 1u), 0x80000001u);
  EXPECT_EQ(__funnelshift_l(7u, 9u, 32u), 9u);
  EXPECT_EQ(__funnelshift_lc(7u, 9u, 32u), 7u);
  EXPECT_EQ(__funnelshift_rc(7u, 9u, 40u), 9u);
}

TEST(WarpEmulation, AtomicsReturnTheOldValue) {
  int sum = 0;
  launch({4}, {64}, [&] { atomicAdd(&sum, 2); });
  EXPECT_EQ(sum, 512);
}

using WarpEmulationDeathTest = testing::Test;

TEST(WarpEmulationDeathTest, ThreadsAtDifferentBarriersAreADeadlock) {
  const auto body = [] {
    if (threadIdx.x == 0) {
      __syncthreads();
    } else {
      __syncwarp();
    }
  };
  EXPECT_EXIT(launch({1}, {32}, body), testing::ExitedWithCode(kEmulationFailure),
              "deadlock in block .*thread \\(0,0,0\\) waits at .*warp_emulation_test.cpp:[0-9]+ in __syncthreads");
}

TEST(WarpEmulationDeathTest, LanesThatDisagreeOnTheMaskAreADeadlock) {
  EXPECT_EXIT(per_lane([](int lane) { return __shfl_sync(lane == 3 ? 0xfu : kAll, lane, 0); }),
              testing::ExitedWithCode(kEmulationFailure), "deadlock.*__shfl_sync with mask 0xffffffff");
}

TEST(WarpEmulationDeathTest, AMaskWithoutItsOwnLaneIsAnError) {
  EXPECT_EXIT(per_lane([](int lane) { return __shfl_sync(0xfu, lane, 0); }), testing::ExitedWithCode(kEmulationFailure),
              "does not name lane 4");
}

TEST(WarpEmulationDeathTest, AWidthThatIsNoPowerOfTwoIsAnError) {
  EXPECT_EXIT(per_lane([](int lane) { return __shfl_sync(kAll, lane, 0, 12); }),
              testing::ExitedWithCode(kEmulationFailure), "width 12");
}

// Lane l's registers of `matrices` matrices whose rows lie where lane 8m + i says.
template <bool kTransposed>
void expect_matrices() {
  unsigned got[32][4];
  launch({1}, {32}, [&] {
    __shared__ unsigned short tile[32 * 8];
    const int lane = static_cast<int>(threadIdx.x);
    for (int i = 0; i < 8; ++i) tile[lane * 8 + i] = static_cast<unsigned short>(lane * 8 + i);
    __syncthreads();
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&tile[(lane ^ 3) * 8]));
    swizzle_emulation::ldmatrix<4, kTransposed>(address, got[lane][0], got[lane][1], got[lane][2], got[lane][3]);
    __syncthreads();
    swizzle_emulation::stmatrix<4, kTransposed>(address, got[lane][0] + 0x10001u * 1000, got[lane][1], got[lane][2],
                                                got[lane][3]);
    __syncthreads();
    for (int i = 0; i < 8; ++i) EXPECT_EQ(tile[lane * 8 + i], lane * 8 + i + (lane < 8 ? 1000 : 0));
  });
  for (int lane = 0; lane < 32; ++lane)
    for (int m = 0; m < 4; ++m)
      for (int half = 0; half < 2; ++half) {
        const int pair = lane % 4 * 2 + half, line = lane / 4, row = kTransposed ? pair : line,
                  column = kTransposed ? line : pair;
        EXPECT_EQ(got[lane][m] >> (16 * half) & 0xffffu, static_cast<unsigned>(((8 * m + row) ^ 3) * 8 + column))
            << lane << " " << m;
      }
}

TEST(WarpEmulation, LdmatrixTakesRowsAndStmatrixPutsThemBack) { expect_matrices<false>(); }
TEST(WarpEmulation, LdmatrixTransposes) { expect_matrices<true>(); }

TEST(WarpEmulation, CopiesArriveWhenTheirGroupIsWaitedFor) {
  const unsigned from[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  alignas(16) static unsigned to[12];
  std::vector<unsigned> seen;
  launch({1}, {1}, [&] {
    __pipeline_memcpy_async(&to[0], &from[0], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&to[4], &from[0], 8);
    __pipeline_memcpy_async(&to[8], &from[4], 4, 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    seen = {to[0], to[4], to[8]};
    __pipeline_wait_prior(0);
    seen.insert(seen.end(), {to[4], to[5], to[8]});
  });
  EXPECT_EQ(seen, (std::vector<unsigned>{1, kUndefinedWord, kUndefinedWord, 1, 2, 0}));
}

TEST(WarpEmulationDeathTest, ACopyOfAnOddWidthOrPlaceIsAnError) {
  alignas(16) static unsigned to[8], from[8];
  EXPECT_EXIT(launch({1}, {1}, [&] { __pipeline_memcpy_async(to, from, 12); }),
              testing::ExitedWithCode(swizzle_emulation::kEmulationFailure), "copy of 12 bytes");
  EXPECT_EXIT(launch({1}, {1}, [&] { __pipeline_memcpy_async(&to[1], from, 16); }),
              testing::ExitedWithCode(swizzle_emulation::kEmulationFailure), "not aligned");
}

TEST(WarpEmulation, DynamicSharedMemoryIsPoisonedBetweenBlocks) {
  std::vector<unsigned> before(2);
  launch({2}, {1}, [&] {
    unsigned* const memory = reinterpret_cast<unsigned*>(swizzle_emulation::dynamic_shared_memory());
    before[blockIdx.x] = memory[100];
    memory[100] = 7;
  });
  EXPECT_EQ(before, std::vector<unsigned>(2, kUndefinedWord));
}

}  // namespace
