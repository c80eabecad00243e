// What is told of the sizes that a proof holds for.
#include "synth/proof/conditions_text.h"

#include <gtest/gtest.h>

namespace swizzle::conditions_text_test {
namespace {

using Texts = std::vector<std::string>;

TEST(ConditionsText, LeavesOutWhatOthersSay) {
  EXPECT_EQ(without_what_others_say({"1 <= n + 2 * m", "1 <= n <= 99", "1 <= m"}), (Texts{"1 <= n <= 99", "1 <= m"}));
  EXPECT_EQ(without_what_others_say({"1 <= n + m", "1 <= n"}), (Texts{"1 <= n + m", "1 <= n"}));
  EXPECT_EQ(without_what_others_say({"1 <= h * 2"}), Texts{"1 <= h"});
  EXPECT_EQ(without_what_others_say({"1 <= h * w"}), Texts{"1 <= h * w"});
  EXPECT_EQ(without_what_others_say({"w * h <= 99", "w * h - w - 1 <= 99", "w * h - w + 1 <= 99"}),
            (Texts{"w * h <= 99", "w * h - w + 1 <= 99"}));
  EXPECT_EQ(without_what_others_say({"w * h <= 99", "w * h - 1 <= 98"}), (Texts{"w * h <= 99", "w * h - 1 <= 98"}));
}

TEST(ConditionsText, SaysOneBoundOfEachSize) {
  EXPECT_EQ(with_one_bound_each({"1 <= n <= 99", "n <= 32", "1 <= n"}), Texts{"1 <= n <= 32"});
  Texts conditions{"1 <= n <= 99"};
  bound_by(10, "n", conditions);
  bound_by(20, "m", conditions);
  EXPECT_EQ(conditions, (Texts{"1 <= n <= 10", "m <= 20"}));
}

}  // namespace
}  // namespace swizzle::conditions_text_test
