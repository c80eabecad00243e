#include "synth/program/matrix_units.h"

#include <gtest/gtest.h>

namespace swizzle {
namespace {

TEST(MatrixUnits, EachIsHeldByOneHalfOfOneLanesRegister) {
  for (const bool is_transposed : {false, true})
    for (int lane = 0; lane < 32; ++lane)
      for (int half = 0; half < 2; ++half) {
        const MatrixHolder holder = holder_of(matrix_unit(lane, half, is_transposed), is_transposed);
        EXPECT_EQ(holder.lane, lane);
        EXPECT_EQ(holder.half, half);
      }
}

TEST(MatrixUnits, ARowLiesInFourLanesAndTransposedInEight) {
  EXPECT_EQ(holder_of({3, 5}, false).lane, 14);
  EXPECT_EQ(holder_of({3, 5}, false).half, 1);
  EXPECT_EQ(holder_of({3, 5}, true).lane, 21);
  EXPECT_EQ(holder_of({3, 5}, true).half, 1);
}

}  // namespace
}  // namespace swizzle
