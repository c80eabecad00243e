#include "tools/limits.h"

#include <future>
#include <new>

#include <gtest/gtest.h>

namespace swizzle::limits_test {
namespace {

constexpr std::size_t kHuge = std::size_t{8} << 30;

TEST(MemoryLimit, HoldsWhileItLives) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "no limit in a sanitizer build";
#else
  {
    const MemoryLimit memory(std::uint64_t{1} << 30);
    EXPECT_THROW(::operator delete(::operator new(kHuge)), std::bad_alloc);
  }
  EXPECT_NO_THROW(::operator delete(::operator new(kHuge)));
#endif
}

TEST(Watchdog, BarksAfterTheDeadline) {
  std::promise<void> barked;
  const Watchdog watchdog(Deadline(1e-6), [&] { barked.set_value(); });
  EXPECT_EQ(barked.get_future().wait_for(std::chrono::seconds(60)), std::future_status::ready);
}

TEST(Watchdog, IsSilentOnceItIsGone) {
  bool barked = false;
  {
    const Watchdog watchdog(Deadline(1e-6), [&] { barked = true; });
  }
  {
    const Watchdog watchdog(Deadline(), [&] { barked = true; });
  }
  EXPECT_FALSE(barked);
}

}  // namespace
}  // namespace swizzle::limits_test
