// The log that a recorded application writes: what is alike is one line, counts lie beside it.
#include "recording/launch_log.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "codegen/run/files.h"

namespace swizzle::recording::launch_log_test {
namespace {

namespace fs = std::filesystem;

struct Written {
  std::vector<std::string> lines;
  std::vector<std::uint64_t> counts;  // of these
};

Written written_in(const std::string& folder) {
  Written out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".log") continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) out.lines.push_back(line);
    out.counts.resize(out.lines.size());
    std::ifstream counts(fs::path(entry.path()).replace_extension(".counts"), std::ios::binary);
    counts.read(reinterpret_cast<char*>(out.counts.data()),
                static_cast<std::streamsize>(out.counts.size() * sizeof(std::uint64_t)));
  }
  return out;
}

ParameterFacts number(int value) {
  ParameterFacts p{std::vector<unsigned char>(sizeof value)};
  std::memcpy(p.bytes.data(), &value, sizeof value);
  return p;
}

ParameterFacts pointer(std::uint64_t address, std::uint64_t bytes_behind) {
  ParameterFacts p{std::vector<unsigned char>(sizeof address), {{0, bytes_behind}}};
  std::memcpy(p.bytes.data(), &address, sizeof address);
  return p;
}

LaunchFacts launch(const std::string& name, std::vector<ParameterFacts> parameters) {
  LaunchFacts facts;
  facts.mangled = name;
  facts.block = {256, 1, 1};
  facts.parameters = std::move(parameters);
  return facts;
}

TEST(LaunchLog, EqualLaunchesAreOneLineWhereverTheirPointersPoint) {
  const ScratchFolder scratch;
  LaunchLog log(scratch.path());
  ASSERT_TRUE(log.is_open());
  log.add(launch("copy", {pointer(0x7f0000001000, 4096), number(7)}));
  log.add(launch("copy", {pointer(0x7f0000009000, 512), number(7)}));
  log.add(launch("copy", {pointer(0x7f0000001000, 4096), number(258)}));
  const Written w = written_in(scratch.path());
  ASSERT_EQ(w.lines.size(), 2u);
  EXPECT_EQ(w.lines[0], R"({"mangled":"copy","grid":[1,1,1],"block":[256,1,1],"shared_bytes":0,"parameters":[)"
                        R"({"bytes":"0000000000000000","pointers":[[0,4096]]},{"bytes":"07000000","pointers":[]}]})");
  EXPECT_NE(w.lines[1].find("\"02010000\""), std::string::npos) << w.lines[1];
  EXPECT_EQ(w.counts, (std::vector<std::uint64_t>{2, 1}));
}

TEST(LaunchLog, ShapeClusterAndSharedMemoryMakeAnotherLaunch) {
  LaunchFacts facts = launch("copy", {});
  const std::string plain = line_of(facts);
  facts.cluster = {2, 1, 1};
  facts.shared_bytes = 512;
  EXPECT_EQ(
      line_of(facts),
      R"({"mangled":"copy","grid":[1,1,1],"block":[256,1,1],"cluster":[2,1,1],"shared_bytes":512,"parameters":[]})");
  EXPECT_NE(plain, line_of(facts));
  facts.parameters.reset();
  EXPECT_EQ(line_of(facts).find("parameters"), std::string::npos);
}

TEST(LaunchLog, AnAddressWithoutMemoryBehindItIsANumber) {
  LaunchFacts facts = launch("k", {{std::vector<unsigned char>(8, 0xff), {}}});
  EXPECT_NE(line_of(facts).find("ffffffffffffffff"), std::string::npos);
}

TEST(LaunchLog, WhatDiffersTooOftenCountsInOneLine) {
  const ScratchFolder scratch;
  LaunchLog log(scratch.path());
  for (int i = 0; i < static_cast<int>(kMostOfKernel) + 5; ++i) log.add(launch("step", {number(i)}));
  log.add(launch("other", {number(1)}));
  const Written w = written_in(scratch.path());
  ASSERT_EQ(w.lines.size(), kMostOfKernel + 2);
  EXPECT_EQ(w.lines[kMostOfKernel], R"({"others":"step"})");
  EXPECT_EQ(w.counts[kMostOfKernel], 5u);
  EXPECT_EQ(w.counts.back(), 1u);
}

TEST(LaunchLog, WhatIsSaidIsSaidOnceAndQuoted) {
  const ScratchFolder scratch;
  LaunchLog log(scratch.path());
  log.say("device", "a \"GPU\"");
  log.say("device", "a \"GPU\"");
  EXPECT_EQ(written_in(scratch.path()).lines, (std::vector<std::string>{R"({"device":"a \"GPU\""})"}));
}

TEST(LaunchLog, AFolderThatIsNotThereKeepsNothingFromRunning) {
  LaunchLog log("/nowhere/at/all");
  EXPECT_FALSE(log.is_open());
  log.add(launch("copy", {}));
}

}  // namespace
}  // namespace swizzle::recording::launch_log_test
