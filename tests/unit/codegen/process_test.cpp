#include "codegen/run/process.h"

#include <gtest/gtest.h>

#include <chrono>

namespace swizzle::process_test {
namespace {

TEST(RunProcess, PassesArgumentsUnchangedAndCapturesBothStreams) {
  const auto done = run_process({"sh", "-c", "printf %s \"$1\"; printf %s \"$2\" >&2; exit 3", "sh", "a \"b' $c", "e*"},
                                std::chrono::seconds(10));
  ASSERT_TRUE(done);
  EXPECT_EQ(done->standard_output, "a \"b' $c");
  EXPECT_EQ(done->standard_error, "e*");
  EXPECT_EQ(done->exit_code, 3);
}

TEST(RunProcess, EndsWhatRunsTooLong) {
  const auto begin = std::chrono::steady_clock::now();
  const auto done = run_process({"sh", "-c", "sleep 30; true"}, std::chrono::milliseconds(100));
  ASSERT_TRUE(done);
  EXPECT_TRUE(done->timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_FALSE(run_process({"/no/such/program"}, std::chrono::seconds(1)));
}

}  // namespace
}  // namespace swizzle::process_test
