#include "synth/execution/warp_order.h"

#include <gtest/gtest.h>

namespace swizzle::warp_order_test {
namespace {

TEST(WarpOrder, IsOfThoseThatMet) {
  WarpOrder order;
  const auto before = order.time(0);
  order.meet(0x0000ffff);
  EXPECT_TRUE(order.is_behind(15, 0, before));
  EXPECT_FALSE(order.is_behind(16, 0, before));
  EXPECT_FALSE(order.is_behind(15, 0, order.time(0))) << "since then";
  EXPECT_FALSE(order.is_behind_all(0, before));
}

TEST(WarpOrder, IsHandedOn) {
  WarpOrder order;
  const auto of_first = order.time(0), of_last = order.time(31);
  order.meet(0x0000ffff);
  const auto since = order.time(0);
  order.meet(0x00ffff00);
  EXPECT_TRUE(order.is_behind(16, 0, of_first)) << "by way of lane 8";
  EXPECT_FALSE(order.is_behind(16, 0, since));
  EXPECT_FALSE(order.is_behind(16, 31, of_last));
  order.meet(~0u);
  EXPECT_TRUE(order.is_behind_all(0, since));
  EXPECT_TRUE(order.is_behind_all(31, of_last));
}

}  // namespace
}  // namespace swizzle::warp_order_test
