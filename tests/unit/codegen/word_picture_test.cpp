#include "codegen/picture/word_picture.h"

#include <gtest/gtest.h>

namespace swizzle::word_picture_test {
namespace {

WordState state(const std::string& name, const std::vector<std::string>& bits) {
  WordState s{{4, 5}, name, {{"k", 1}}, {}, {}};
  for (const std::string& bit : bits) s.bits.push_back({"bit " + bit, bit});
  return s;
}

const SourceText kSource("k.cu", "a =\nw = b;\n");

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(WordPicture, TheHighestBitComesFirst) {
  EXPECT_EQ(words_text(kSource, {state("w", {"0", "1", ".", "5:2"}), state("v", {"#", "^2"})}),
            "\nlane 0, bit by bit\n"
            "bit                3   2   1   0\n"
            "w, k = 1, at 2:1 5:2   .   1   0\n"
            "v, k = 1, at 2:1          ^2   #\n");
}

TEST(WordPicture, OfManyWordsTheFirstAndTheLast) {
  std::vector<WordState> many(40, state("w", {"0"}));
  many.back().name = "last";
  const std::string text = words_text(kSource, many);
  EXPECT_EQ(count(text, "at 2:1"), 32u);
  EXPECT_NE(text.find("without 8 assignments in between"), std::string::npos) << text;
  EXPECT_NE(text.find("last, "), std::string::npos) << text;
}

TEST(WordPicture, WithoutWordsThereIsNothing) { EXPECT_EQ(words_text(kSource, {}), ""); }

TEST(WordPicture, ColoursTellTheElement) {
  const SvgPanel panel = words_panel(kSource, {state("w", {"4:0", "5:0", "4:1", ".", "^2"})});
  EXPECT_EQ(count(panel.body, "fill='hsl(0,"), 2u);
  EXPECT_EQ(count(panel.body, "fill='hsl(180,"), 1u);
  EXPECT_EQ(count(panel.body, "fill='#f4f4f4'"), 2u);
  EXPECT_EQ(count(panel.body, "<title>bit 1 of w: bit 5:0</title>"), 1u);
}

}  // namespace
}  // namespace swizzle::word_picture_test
