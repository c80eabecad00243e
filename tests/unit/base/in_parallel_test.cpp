#include "synth/base/in_parallel.h"

#include <atomic>
#include <stdexcept>

#include <gtest/gtest.h>

namespace swizzle::in_parallel_test {
namespace {

TEST(InParallel, DoesEachOnce) {
  for (const std::size_t count : {0u, 1u, 5u}) {
    std::atomic<int> calls = 0;
    std::atomic<std::size_t> sum = 0;
    in_parallel(count, [&](std::size_t i) { ++calls, sum += i + 1; });
    EXPECT_EQ(calls, count);
    EXPECT_EQ(sum, count * (count + 1) / 2);
  }
}

TEST(InParallel, HandsOnWhatTheFirstThrows) {
  const auto work = [](std::size_t i) {
    if (i > 0) throw std::runtime_error(i == 1 ? "first" : "second");
  };
  try {
    in_parallel(3, work);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "first");
  }
}

}  // namespace
}  // namespace swizzle::in_parallel_test
