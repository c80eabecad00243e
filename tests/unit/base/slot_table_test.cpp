#include "synth/base/slot_table.h"

#include <gtest/gtest.h>

namespace swizzle::slot_table_test {
namespace {

class NumbersOfWords : public testing::Test {
 protected:
  std::uint32_t number(const std::string& word, std::size_t hash) {
    const auto add = [&] {
      words_.push_back(word);
      return static_cast<std::uint32_t>(words_.size() - 1);
    };
    return table_.find_or_add(hash, [&](std::uint32_t n) { return words_[n] == word; }, add);
  }

  std::vector<std::string> words_;
  SlotTable table_;
};

TEST_F(NumbersOfWords, AreThoseOfEqualWords) {
  EXPECT_EQ(number("a", 7), 0u);
  EXPECT_EQ(number("b", 7), 1u);
  EXPECT_EQ(number("b", 7), 1u);
  EXPECT_EQ(number("a", 7), 0u);
}

// Hashes are kept by their low 32 bits; equal ones stand one behind the other, past the end of the table and on from
// its beginning.
TEST_F(NumbersOfWords, StayWhenTheTableGrows) {
  constexpr std::size_t kWords = 20'000;
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < kWords; ++i)
      ASSERT_EQ(number(std::to_string(i), i % 100 == 0 ? ~std::size_t{0} - i % 2 : i * 0x9e3779b97f4a7c15ull), i);
  EXPECT_EQ(words_.size(), kWords);
}

}  // namespace
}  // namespace swizzle::slot_table_test
