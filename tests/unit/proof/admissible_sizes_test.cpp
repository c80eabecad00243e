#include "synth/proof/admissible_sizes.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "synth/proof/further_sizes.h"

namespace swizzle::admissible_sizes_test {
namespace {

Program launched(const std::string& grid, std::vector<Assumption> assumptions = {}) {
  Program kernel;
  kernel.directives.launch = Launch{{{grid, {}}}, {{"64", {}}}, {}};
  kernel.directives.assumptions = std::move(assumptions);
  return kernel;
}

std::string conditions(const std::string& grid, const std::vector<Sizes>& known) {
  const Program kernel = launched(grid);
  const auto admissible = AdmissibleSizes::of(kernel, known);
  return admissible.ok() ? fmt::format("{}", fmt::join(admissible->conditions(), ", "))
                         : admissible.errors()[0].message;
}

TEST(AdmissibleSizes, AreThoseWhoseBlocksLeaveNoRemainder) {
  EXPECT_EQ(conditions("n / 64", {{{"n", 64}}}), "n % 64 == 0, 64 <= n");
  EXPECT_EQ(conditions("(n - 2) / 62", {{{"n", 64}}}), "(n - 2) % 62 == 0, 62 <= n - 2");
  const Program kernel = launched("n / 64");
  const auto admissible = AdmissibleSizes::of(kernel, {{{"n", 64}}});
  EXPECT_TRUE(admissible->admits({{"n", 192}}));
  EXPECT_FALSE(admissible->admits({{"n", 100}}));
  EXPECT_FALSE(admissible->admits({{"n", 0}}));
}

TEST(AdmissibleSizes, MayBeRaggedWhereTheLaunchRoundsUp) {
  EXPECT_EQ(conditions("(n + 63) / 64", {{{"n", 64}}}), "1 <= n");
  EXPECT_EQ(conditions("n / 64 + 1", {{{"n", 64}}}), "1 <= n / 64 + 1");
  EXPECT_EQ(conditions("(n + 31) / 64", {{{"n", 33}}}), "(n + 31) % 64 == 0, 64 <= n + 31");
}

TEST(AdmissibleSizes, MayLeaveARemainderWhereAGivenSizeDoes) {
  EXPECT_EQ(conditions("n / 64", {{{"n", 64}}, {{"n", 100}}}), "64 <= n");
}

TEST(AdmissibleSizes, KeepWhatTheLaunchDoesNotNameAndHasOneValue) {
  EXPECT_EQ(conditions("1", {{{"n", 32}}}), "n == 32");
  EXPECT_EQ(conditions("1", {{{"n", 32}}, {{"n", 48}}}), "");
}

TEST(AdmissibleSizes, KeepNumbersThatTheLaunchHands) {
  Program kernel = launched("n");
  kernel.directives.launch->handed = {{"threads", {"64", {}}}, {"total", {"n * 64", {}}}};
  const std::vector<Sizes> known{{{"n", 8}, {"m", 3}, {"threads", 64}, {"total", 512}}};
  const auto varies = [&](OneValue one_value, const std::string& name) {
    return AdmissibleSizes::of(kernel, known, one_value)->varies(name);
  };
  EXPECT_FALSE(varies(OneValue::kHandedStays, "threads"));
  EXPECT_TRUE(varies(OneValue::kHandedStays, "m"));
  EXPECT_TRUE(varies(OneValue::kHandedStays, "total"));
  EXPECT_TRUE(varies(OneValue::kVaries, "threads"));
  EXPECT_FALSE(varies(OneValue::kStays, "m"));
}

TEST(AdmissibleSizes, AreThoseThatAreAssumed) {
  const Program kernel = launched("(n + 63) / 64", {{{"n % 2", {}}, {"0", {}}, "=="}, {{"n", {}}, {"200", {}}, "<"}});
  const auto admissible = AdmissibleSizes::of(kernel, {{{"n", 64}}});
  EXPECT_EQ(admissible->conditions(), (std::vector<std::string>{"1 <= n", "n % 2 == 0", "n < 200"}));
  EXPECT_TRUE(admissible->admits({{"n", 66}}));
  EXPECT_FALSE(admissible->admits({{"n", 65}}));
  EXPECT_FALSE(admissible->admits({{"n", 202}}));
}

TEST(FurtherSizes, AreNeighboursAndTheSmallestOnes) {
  const Program kernel = launched("(n + 63) / 64");
  const std::vector<Sizes> known{{{"n", 100}}};
  const auto admissible = AdmissibleSizes::of(kernel, known);
  const std::vector<Sizes> further = further_sizes(*admissible, kernel, known, 1 << 20);
  for (std::int64_t n : {1, 2, 63, 64, 65, 99, 101, 200})
    EXPECT_TRUE(std::find(further.begin(), further.end(), Sizes{{"n", n}}) != further.end()) << n;
  EXPECT_TRUE(std::find(further.begin(), further.end(), known[0]) == further.end());
}

// A grid that is rounded down too far leaves the last elements of a launch.
TEST(FurtherSizes, AreThoseBehindWhichTheLaunchIsAnother) {
  const Program kernel = launched("(n + 62) / 64");
  const std::vector<Sizes> known{{{"n", 64}}};
  const std::vector<Sizes> further = further_sizes(*AdmissibleSizes::of(kernel, known), kernel, known, 512);
  for (std::int64_t n : {65, 129})
    EXPECT_TRUE(std::find(further.begin(), further.end(), Sizes{{"n", n}}) != further.end()) << n;
}

TEST(FurtherSizes, KeepToTheThreadsThatTheyMayTake) {
  const Program kernel = launched("n / 64");
  const std::vector<Sizes> known{{{"n", 64}}};
  const auto admissible = AdmissibleSizes::of(kernel, known);
  std::int64_t threads = 0;
  const std::vector<Sizes> further = further_sizes(*admissible, kernel, known, 400);
  for (const Sizes& sizes : further) threads += threads_at(kernel, sizes);
  EXPECT_FALSE(further.empty());
  EXPECT_LE(threads, 400);
}

}  // namespace
}  // namespace swizzle::admissible_sizes_test
