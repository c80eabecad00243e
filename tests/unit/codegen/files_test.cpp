#include "codegen/run/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace swizzle::files_test {
namespace {

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Outputs, AMinusAndNothingAreStandardOutput) {
  EXPECT_FALSE(names_file(""));
  EXPECT_FALSE(names_file("-"));
  EXPECT_TRUE(names_file("./-"));
}

TEST(Outputs, AFileIsWrittenWhole) {
  const ScratchFolder scratch;
  const std::string path = scratch.path() + "/out.cu";
  ASSERT_TRUE(write_output(path, "text"));
  EXPECT_EQ(read(path), "text");
}

TEST(WriteFileAtomically, ReplacesTheFileAndLeavesNoOther) {
  ScratchFolder scratch;
  const std::string path = scratch.path() + "/a report.json";
  ASSERT_TRUE(write_file_atomically(path, "old"));
  ASSERT_EQ(chmod(path.c_str(), 0640), 0);
  ASSERT_TRUE(write_file_atomically(path, "new"));
  EXPECT_EQ(read(path), "new");
  struct stat status{};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.path()), {}), 1);
}

TEST(WriteFileAtomically, FollowsALinkAndWritesToADevice) {
  ScratchFolder scratch;
  const std::string path = *scratch.write("target", "old");
  const std::string link = *scratch.link("link", path);
  ASSERT_TRUE(write_file_atomically(link, "new"));
  EXPECT_EQ(read(path), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_TRUE(write_file_atomically("/dev/null", "x"));
}

TEST(WriteFileAtomically, NamesAPathThatCannotBeWritten) {
  ScratchFolder scratch;
  const auto missing = write_file_atomically(scratch.path() + "/no/such/folder.json", "x");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.errors()[0].message.find("folder.json': No such file"), std::string::npos);
  EXPECT_FALSE(write_file_atomically(scratch.path(), "x"));
}

}  // namespace
}  // namespace swizzle::files_test
