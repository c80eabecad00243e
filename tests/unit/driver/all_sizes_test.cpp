#include "driver/all_sizes.h"

#include <gtest/gtest.h>

namespace swizzle::all_sizes_test {
namespace {

TEST(ForWhichSizes, OfOneNumberInWords) {
  EXPECT_EQ(for_which_sizes("n % 64 == 0, 64 <= n <= 2147483584"),
            "every n that is a multiple of 64, up to 2147483584");
  EXPECT_EQ(for_which_sizes("1 <= rows <= 2147483647"), "every rows from 1 to 2147483647");
  EXPECT_EQ(for_which_sizes(""), "every launch");
}

TEST(ForWhichSizes, OfAnythingElseAsItIs) {
  for (const char* region : {"n % 64 == 0, 32 <= n <= 2147483584", "n % 64 == 0, 64 <= m <= 128", "1 <= n <= m",
                             "1 <= h <= 8, 1 <= w <= 8", "w % 8 == 0, 8 <= w <= 64, 1 <= h <= 8", "2 <= n <= 8"})
    EXPECT_EQ(for_which_sizes(region), std::string("every size with ") + region);
}

}  // namespace
}  // namespace swizzle::all_sizes_test
