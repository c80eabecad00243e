// Recordings: out of logs, into JSON and back.
#include "driver/recording.h"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "codegen/run/files.h"
#include "recording/launch_log.h"
#include "tests/end_to_end/json_schema.h"

namespace swizzle::recording_test {
namespace {

using recording::LaunchFacts;
using recording::LaunchLog;

constexpr const char* kCopy =
    "_ZN2ns4copyILi4EEEvPfPKffibd1P";  // ns::copy<4>(float*, const float*, float, int, bool, double, P)

LaunchFacts copy_launch(int n) {
  LaunchFacts facts;
  facts.mangled = kCopy;
  facts.grid = {4, 2, 1};
  facts.block = {32, 8, 1};
  facts.parameters = {{{0, 0x10, 0, 0, 0, 0x7f, 0, 0}, {{0, 4096}}},
                      {{1, 2, 3, 4, 5, 6, 7, 8}, {}},  // memory that the driver does not know
                      {{0, 0, 0xc0, 0x3f}, {}},
                      {{static_cast<unsigned char>(n), 0xff, 0xff, 0xff}, {}},
                      {{1}, {}},
                      {{0, 0, 0, 0, 0, 0, 0xf8, 0x7f}, {}},
                      {{7, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0x7f, 0, 0}, {{8, 64}}}};
  return facts;
}

TEST(Recording, TellsValuesByTheTypesOfTheName) {
  const ScratchFolder scratch;
  LaunchLog log(scratch.path());
  log.say("device", "NVIDIA H200");
  log.add(copy_launch(0xfe));
  const auto recording = gathered_recording(scratch.path());
  ASSERT_TRUE(recording.ok());
  const auto j = nlohmann::json::parse(to_json(*recording));
  EXPECT_EQ(j["devices"], nlohmann::json{"NVIDIA H200"});
  const auto& launch = j["launches"][0];
  EXPECT_EQ(launch["kernel"], "ns::copy<4>");
  EXPECT_EQ(launch["mangled"], kCopy);
  EXPECT_EQ(launch["grid"], (nlohmann::json{4, 2, 1}));
  const auto& p = launch["parameters"];
  ASSERT_EQ(p.size(), 7u);
  EXPECT_EQ(p[0]["type"], "float*");
  EXPECT_EQ(p[0]["pointers"], nlohmann::json::parse(R"([{"offset": 0, "bytes_behind": 4096}])"));
  EXPECT_EQ(p[1]["bytes"], "0000000000000000");
  EXPECT_EQ(p[2]["value"], 1.5);
  EXPECT_EQ(p[3]["value"], -2);
  EXPECT_EQ(p[4]["value"], true);
  EXPECT_FALSE(p[5].contains("value"));  // a NaN
  EXPECT_EQ(p[6]["type"], "P");
  EXPECT_EQ(p[6]["bytes"], "07000000000000000000000000000000");
}

TEST(Recording, SeveralProcessesAreOneMostFrequentFirst) {
  const ScratchFolder scratch;
  {
    LaunchLog first(scratch.path()), second(scratch.path());
    first.add(copy_launch(1));
    first.add(copy_launch(2));
    second.add(copy_launch(2));
    second.add(copy_launch(2));
  }
  const auto recording = gathered_recording(scratch.path());
  ASSERT_TRUE(recording.ok());
  ASSERT_EQ(recording->launches.size(), 2u);
  EXPECT_EQ(recording->launches[0].occurrences, 3);
  EXPECT_EQ(integer_at((*recording->launches[0].parameters)[3], 0, 1, true), 2);
  EXPECT_EQ(recording->launches[1].occurrences, 1);
}

TEST(Recording, WhatKeepsAProcessFromBeingRecordedIsTold) {
  const ScratchFolder scratch;
  LaunchLog log(scratch.path());
  log.say("error", "CUPTI takes no subscriber");
  const auto recording = gathered_recording(scratch.path());
  ASSERT_FALSE(recording.ok());
  EXPECT_EQ(recording.errors()[0].message, "CUPTI takes no subscriber");
}

TEST(Recording, ReadsWhatItWrote) {
  const ScratchFolder scratch;
  LaunchLog log(scratch.path());
  log.add(copy_launch(3));
  LaunchFacts old = copy_launch(3);
  old.mangled = "plain";
  old.parameters.reset();
  log.add(old);
  auto recording = gathered_recording(scratch.path());
  ASSERT_TRUE(recording.ok());
  recording->others = {{"step", 12}};
  const std::string text = to_json(*recording);
  const auto again = read_recording(*scratch.write("r.json", text));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(to_json(*again), text);
  EXPECT_FALSE(again->launches[1].parameters.has_value());
}

TEST(Recording, IsAsItsSchemaSays) {
  const ScratchFolder scratch;
  LaunchLog log(scratch.path());
  LaunchFacts facts = copy_launch(3);
  facts.cluster = {2, 1, 1};
  log.add(facts);
  facts.parameters.reset();
  log.add(facts);
  std::ifstream schema(std::string(SWIZZLE_SOURCE_DIR) + "/docs/recording.schema.json");
  test::JsonSchema rules(nlohmann::json::parse(schema));
  auto recording = gathered_recording(scratch.path());
  recording->others = {{"step", 12}};
  EXPECT_EQ(rules.violations(nlohmann::json::parse(to_json(*recording))), std::vector<std::string>{});
}

TEST(Recording, IsRefusedWithAReason) {
  const ScratchFolder scratch;
  for (const auto& [text, why] :
       std::vector<std::pair<std::string, std::string>>{{"{", "it is no JSON object"},
                                                        {"{\"schema\": 7}", "its schema is 7, not 1"},
                                                        {"{}", "key 'schema' not found"}}) {
    const auto recording = read_recording(*scratch.write("r.json", text));
    ASSERT_FALSE(recording.ok()) << text;
    EXPECT_NE(recording.errors()[0].message.find(why), std::string::npos) << recording.errors()[0].message;
  }
  EXPECT_FALSE(read_recording(scratch.path() + "/none.json").ok());
}

TEST(Recording, NumbersAreOfTheirSizeAndSign) {
  const RecordedParameter p{"", {0xff, 0xff, 0xff, 0xff, 0, 0, 0x80, 0x3f}, {}};
  EXPECT_EQ(integer_at(p, 0, 4, true), -1);
  EXPECT_EQ(integer_at(p, 0, 4, false), 4294967295);
  EXPECT_EQ(integer_at(p, 1, 1, false), 255);
  EXPECT_EQ(real_at(p, 4, 4), 1.0);
  EXPECT_EQ(integer_at(p, 6, 4, true), std::nullopt);
}

}  // namespace
}  // namespace swizzle::recording_test
