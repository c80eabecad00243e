#include "driver/observer.h"

#include "tests/unit/pair_files.h"

namespace swizzle::observer_test {
namespace {

TEST(PhaseTimer, TellsWhereAPhaseBeginsAndEnds) {
  test::Log log;
  PhaseTimer timer(Phase::kReread, log);
  EXPECT_EQ(log.lines, (std::vector<std::string>{"begin re-reading"}));
  EXPECT_GE(timer.end("done"), 0);
  EXPECT_EQ(log.lines.back(), "end re-reading: done");
}

TEST(Counted, OneIsSingular) {
  EXPECT_EQ(counted(0, "hole"), "0 holes");
  EXPECT_EQ(counted(1, "hole"), "1 hole");
  EXPECT_EQ(counted(2, "hole"), "2 holes");
}

}  // namespace
}  // namespace swizzle::observer_test
