#include "synth/base/diagnostic.h"

#include <gtest/gtest.h>

namespace swizzle::diagnostic_test {
namespace {

SourceRange range_of(const SourceText& source, std::string_view words) {
  const auto at = static_cast<std::uint32_t>(source.text().find(words));
  return {at, static_cast<std::uint32_t>(at + words.size())};
}

TEST(SourceText, LocatesLinesAndColumnsFromOne) {
  const SourceText source("a.cu", "ab\n\ncd");
  EXPECT_EQ(source.locate(0).line, 1);
  EXPECT_EQ(source.locate(0).column, 1);
  EXPECT_EQ(source.locate(2).line, 1);  // the newline belongs to the line that it ends
  EXPECT_EQ(source.locate(2).column, 3);
  EXPECT_EQ(source.locate(3).line, 2);
  EXPECT_EQ(source.locate(5).line, 3);
  EXPECT_EQ(source.locate(5).column, 2);
  EXPECT_EQ(source.locate(6).column, 3);  // one past the end of the file
}

TEST(SourceText, LinesComeWithoutTheirEnds) {
  const SourceText source("a.cu", "ab\r\n\ncd");
  EXPECT_EQ(source.line_of(1), "ab");
  EXPECT_EQ(source.line_of(4), "");
  EXPECT_EQ(source.line_of(5), "cd");
  EXPECT_EQ(source.line_of(7), "cd");  // one past the end of the file
}

TEST(SourceText, HeadersGoOnBehindTheFile) {
  SourceText source("a.cu", "ab\ncd");
  const SourceText alone = source;
  const std::uint32_t first = source.add_header(SourceText("b.h", "ef\n")),
                      second = source.add_header(SourceText("c.h", "\n\ngh"));
  EXPECT_EQ(source.path_of(0), "a.cu");
  EXPECT_EQ(source.path_of(5), "a.cu");  // one past its end
  EXPECT_FALSE(source.is_in_header(5));
  EXPECT_EQ(source.path_of(first), "b.h");
  EXPECT_TRUE(source.is_in_header(first));
  EXPECT_EQ(source.locate(first + 1).column, 2);
  EXPECT_EQ(source.slice({first, first + 2}), "ef");
  EXPECT_EQ(source.path_of(second + 2), "c.h");
  EXPECT_EQ(source.locate(second + 2).line, 3);
  EXPECT_EQ(source.line_of(second + 3), "gh");
  EXPECT_EQ(render(make_error(source, {second + 2, second + 4}, "no")), "c.h:3:1: error: no\n  gh\n  ^~\n");
  EXPECT_EQ(source.path_of(second + 99), "c.h");
  EXPECT_EQ(alone.path_of(first), "a.cu");  // copies keep what they had
}

TEST(SourceText, SlicesStayWithinTheFile) {
  const SourceText source("a.cu", "abcd");
  EXPECT_EQ(source.slice({1, 3}), "bc");
  EXPECT_EQ(source.slice({3, 99}), "d");
  EXPECT_EQ(source.slice({99, 100}), "");
  EXPECT_EQ(source.slice({3, 1}), "");
}

TEST(SourceText, OfNothingHasNoLines) {
  EXPECT_EQ(SourceText().locate(0).line, 0);
  EXPECT_EQ(SourceText().line_of(1), "");
  EXPECT_EQ(SourceText("a.cu", "").locate(0).line, 1);
}

TEST(Render, PointsACaretAtTheRange) {
  const SourceText source("a.cu", "int a;\n  out += rc[tid];\n");
  EXPECT_EQ(render(make_error(source, range_of(source, "rc[tid]"), "index 32 is outside 'rc' of 2 registers")),
            "a.cu:2:10: error: index 32 is outside 'rc' of 2 registers\n"
            "    out += rc[tid];\n"
            "           ^~~~~~~\n");
}

TEST(Render, ShowsWhatSurroundsTheCaretOfALongLine) {
  const SourceText source("a.cu", std::string(500, 'a') + "HERE" + std::string(500, 'b') + "\n");
  EXPECT_EQ(render(make_error(source, range_of(source, "HERE"), "wrong")),
            "a.cu:1:501: error: wrong\n"
            "  ..." +
                std::string(80, 'a') + "HERE" + std::string(76, 'b') +
                "...\n"
                "  " +
                std::string(83, ' ') + "^~~~\n");
}

TEST(Render, CountsCharactersRatherThanBytes) {
  const SourceText source("a.cu", "ü = x\xc3\xa9y + 1;\n");
  EXPECT_EQ(render(make_error(source, range_of(source, "x\xc3\xa9y"), "wrong")),
            "a.cu:1:6: error: wrong\n"
            "  ü = x\xc3\xa9y + 1;\n"
            "      ^~~\n");
}

TEST(Render, NotesPrintAsNotes) {
  const SourceText source("a.cu", "int a;\n");
  EXPECT_EQ(render(make_note(source, range_of(source, "a"), "'a' is declared here")),
            "a.cu:1:5: note: 'a' is declared here\n"
            "  int a;\n"
            "      ^\n");
}

TEST(Render, KeepsTabsUnderTabs) {
  const SourceText source("a.cu", "\tx\ty;");
  EXPECT_EQ(render(make_error(source, range_of(source, "y"), "no y")),
            "a.cu:1:4: error: no y\n"
            "  \tx\ty;\n"
            "  \t \t^\n");
}

TEST(Render, UnderlinesOnlyTheFirstLineOfARange) {
  const SourceText source("a.cu", "f(a,\n  b);");
  EXPECT_EQ(render(make_error(source, {0, 9}, "too many arguments")),
            "a.cu:1:1: error: too many arguments\n"
            "  f(a,\n"
            "  ^~~~\n");
}

TEST(Render, AnEmptyRangeStillHasACaret) {
  const SourceText source("a.cu", "f(a");
  EXPECT_EQ(render(make_error(source, {3, 3}, "expected ')'")),
            "a.cu:1:4: error: expected ')'\n"
            "  f(a\n"
            "     ^\n");
}

TEST(Render, WithoutAFileThereIsOnlyTheMessage) {
  EXPECT_EQ(render(make_error("no kernel")), "error: no kernel\n");
  Diagnostic whole_file = make_error("is a folder");
  whole_file.path = "a.cu";
  EXPECT_EQ(render(whole_file), "a.cu: error: is a folder\n");
}

TEST(Result, IsAValueOrItsErrors) {
  const Result<int> value = 3;
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(*value, 3);
  const Result<int> error = make_error("no");
  ASSERT_FALSE(error.ok());
  EXPECT_EQ(error.errors().front().message, "no");
}

}  // namespace
}  // namespace swizzle::diagnostic_test
