// A header of 150 lines, a source of 400: what is longer is split by idea. Functions, of 40, are clang-tidy's business.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace swizzle::file_limits_test {
namespace {

namespace fs = std::filesystem;

constexpr std::ptrdiff_t kMostOfHeader = 150, kMostOfSource = 400;

// Longer than that, and why. There are none.
const std::map<std::string, std::string> kExceptions;

std::ptrdiff_t lines_of(const fs::path& path) {
  std::ifstream in(path);
  return std::count(std::istreambuf_iterator<char>(in), {}, '\n');
}

// What is wrong with the sources in the folders `tops` of `root`, a line each.
std::vector<std::string> too_long(const fs::path& root, const std::vector<std::string>& tops,
                                  const std::map<std::string, std::string>& exceptions) {
  std::vector<std::string> found;
  std::size_t excused = 0;
  for (const std::string& top : tops)
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const bool is_header = entry.path().extension() == ".h";
      if (!entry.is_regular_file() || (!is_header && entry.path().extension() != ".cpp")) continue;
      const std::ptrdiff_t lines = lines_of(entry.path()), most = is_header ? kMostOfHeader : kMostOfSource;
      if (lines <= most) continue;
      const std::string file = fs::relative(entry.path(), root).generic_string();
      if (exceptions.contains(file)) ++excused;
      else found.push_back(fmt::format("{}: {} lines, and {} are the most", file, lines, most));
    }
  if (excused < exceptions.size()) found.push_back("an exception is no longer needed");
  return found;
}

TEST(FileLimits, TheTreeKeepsToThem) {
  const auto found = too_long(
      SWIZZLE_SOURCE_DIR,
      {"bench", "codegen", "driver", "emulation", "frontend", "recording", "synth", "tests", "tools"}, kExceptions);
  for (const std::string& each : found) ADD_FAILURE() << each;
}

class FileLimitsRules : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(::testing::TempDir()) /
            fmt::format("file_limits_{}", ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(root_);
    fs::create_directories(root_ / "room/inner");
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& path, std::size_t lines) {
    std::ofstream out(root_ / path);
    for (std::size_t i = 0; i < lines; ++i) out << "// line\n";
  }

  fs::path root_;
};

TEST_F(FileLimitsRules, WhatKeepsToThemPasses) {
  write("room/a.h", 150);
  write("room/inner/a.cpp", 400);
  write("room/data.inc", 1000);
  EXPECT_TRUE(too_long(root_, {"room"}, {}).empty());
}

TEST_F(FileLimitsRules, WhatIsLongerIsFoundInInnerFoldersToo) {
  write("room/inner/a.h", 151);
  write("room/inner/a.cpp", 401);
  EXPECT_EQ(too_long(root_, {"room"}, {}).size(), 2u);
}

TEST_F(FileLimitsRules, AnExceptionHoldsForAsLongAsItIsNeeded) {
  write("room/a.h", 151);
  EXPECT_TRUE(too_long(root_, {"room"}, {{"room/a.h", "a table"}}).empty());
  write("room/a.h", 150);
  EXPECT_EQ(too_long(root_, {"room"}, {{"room/a.h", "a table"}}).size(), 1u);
}

}  // namespace
}  // namespace swizzle::file_limits_test
