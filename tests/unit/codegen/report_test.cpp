#include "codegen/report/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace swizzle::report_test {
namespace {

std::vector<std::string> keys(const nlohmann::ordered_json& object) {
  std::vector<std::string> result;
  for (const auto& [key, value] : object.items()) result.push_back(key);
  return result;
}

TEST(Report, HasEveryKeyOfItsSchema) {
  Report report;
  report.outcome = Outcome::kFound;
  report.optimality = Optimality::kProved;
  report.holes = {{0, "sw_xform", "a \"b\".cu:14:23", "(lane + k) & 31"}};
  report.cost = Cost{};
  report.search_space = Report::SearchSpace{2, 1};
  report.checked.posed = {"n=128"};
  report.checked.run = RunOutcome{"cpu: warp emulation", 6, 0, ""};
  const auto json = nlohmann::ordered_json::parse(to_json(report));
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys(json), (Keys{"schema",      "tool",       "command",  "files",        "exit_code", "peak_memory_bytes",
                              "diagnostics", "outcome",    "reason",   "arch",         "machine",   "holes",
                              "cost",        "optimality", "at_least", "search_space", "checked",   "certified",
                              "predicted",   "seconds"}));
  EXPECT_EQ(keys(json["holes"][0]), (Keys{"id", "kind", "location", "expression"}));
  EXPECT_EQ(keys(json["cost"]),
            (Keys{"shuffles", "accumulates", "multiplies", "shared_wavefronts", "loads", "integer_ops", "total"}));
  EXPECT_EQ(keys(json["search_space"]), (Keys{"raw", "distinct"}));
  EXPECT_EQ(keys(json["checked"]), (Keys{"posed", "reread", "all_sizes", "run"}));
  EXPECT_EQ(keys(json["checked"]["run"]), (Keys{"where", "inputs", "mismatches"}));
  EXPECT_EQ(keys(json["seconds"]), (Keys{"parse", "pose", "search", "emit", "reread", "prove", "run", "total"}));
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

TEST(Report, SaysNullOfWhatThereIsNot) {
  Report report;
  report.outcome = Outcome::kInfeasible;
  report.seconds.parse = 0.5;
  const auto json = nlohmann::json::parse(to_json(report));
  for (const char* key : {"cost", "optimality", "search_space"}) EXPECT_TRUE(json.at(key).is_null()) << key;
  for (const char* phase : {"pose", "search", "emit", "reread", "run"})
    EXPECT_TRUE(json.at("seconds").at(phase).is_null()) << phase;
  EXPECT_EQ(json["seconds"]["parse"], 0.5);
}

TEST(Report, SaysNullWhereNothingWasRunAndSurvivesBadBytes) {
  Report report;
  report.reason = "\xff";
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json["outcome"], "unknown");
  EXPECT_TRUE(json["checked"]["run"].is_null());
}

}  // namespace
}  // namespace swizzle::report_test
