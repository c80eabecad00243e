#include "codegen/report.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace swizzle {
namespace {

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> keys(const nlohmann::ordered_json& object) {
  std::vector<std::string> result;
  for (const auto& [key, value] : object.items()) result.push_back(key);
  return result;
}

TEST(Report, HasEveryKeyOfItsSchema) {
  Report report;
  report.outcome = Report::Outcome::kFound;
  report.optimality = Report::Optimality::kProved;
  report.holes = {{0, "sw_xform", "a \"b\".cu:14:23", "(lane + k) & 31"}};
  report.checked.posed = {"n=128"};
  report.checked.run = RunOutcome{"cpu: warp emulation", 6, 0, ""};
  const auto json = nlohmann::ordered_json::parse(to_json(report));
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys(json),
            (Keys{"schema", "outcome", "reason", "holes", "cost", "optimality", "search_space", "checked", "seconds"}));
  EXPECT_EQ(keys(json["holes"][0]), (Keys{"id", "kind", "location", "expression"}));
  EXPECT_EQ(keys(json["cost"]),
            (Keys{"shuffles", "accumulates", "shared_wavefronts", "loads", "integer_ops", "total"}));
  EXPECT_EQ(keys(json["search_space"]), (Keys{"raw", "distinct"}));
  EXPECT_EQ(keys(json["checked"]), (Keys{"posed", "reread", "run"}));
  EXPECT_EQ(keys(json["checked"]["run"]), (Keys{"where", "inputs", "mismatches"}));
  EXPECT_EQ(keys(json["seconds"]), (Keys{"parse", "pose", "search", "emit", "reread", "run", "total"}));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["outcome"], "found");
  EXPECT_EQ(json["optimality"], "proved");
  EXPECT_EQ(json["holes"][0]["location"], "a \"b\".cu:14:23");
  EXPECT_TRUE(json["checked"]["reread"].is_array());
}

TEST(Report, ListsCompletionsOnlyIfThereIsAList) {
  Report report;
  EXPECT_FALSE(nlohmann::json::parse(to_json(report)).contains("completions"));
  report.completions = {{30, {"k"}, {}}, {36, {"2 - k"}, 1}};
  const auto json = nlohmann::ordered_json::parse(to_json(report));
  EXPECT_EQ(keys(json["completions"][0]), (std::vector<std::string>{"cost", "expressions", "mirror_of"}));
  EXPECT_TRUE(json["completions"][0]["mirror_of"].is_null());
  EXPECT_EQ(json["completions"][1]["mirror_of"], 1);
}

TEST(Report, SaysNullWhereNothingWasRunAndSurvivesBadBytes) {
  Report report;
  report.reason = "\xff";
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json["outcome"], "unknown");
  EXPECT_TRUE(json["checked"]["run"].is_null());
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
}  // namespace swizzle
