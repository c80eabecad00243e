// `swizzle-synth record` around an application that writes what the driver's callbacks would.
#include "tools/record.h"

#include <sys/stat.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "codegen/run/files.h"
#include "driver/recording.h"
#include "tools/exit_codes.h"

namespace swizzle::record_test {
namespace {

constexpr const char* kLaunch =
    R"({\"mangled\":\"_Z4copyPfi\",\"grid\":[1,1,1],\"block\":[64,1,1],\"shared_bytes\":0,\"parameters\":[]})";

struct Recorded {
  int code = -1;
  std::optional<Recording> recording;
};

Recorded recorded(const std::string& script) {
  const ScratchFolder scratch;
  RecordOptions options;
  options.application = {"/bin/sh", *scratch.write("app.sh", script), "a b"};
  options.output = scratch.path() + "/out.json";
  Recorded out{record_with("library.so", options), std::nullopt};
  if (auto read = read_recording(options.output); read.ok()) out.recording = *read;
  return out;
}

std::string log_line(const std::string& line) { return "echo \"" + line + "\" >> $SWIZZLE_SYNTH_RECORD/$$.log\n"; }

TEST(Record, WritesWhatAnApplicationLaunched) {
  const Recorded r = recorded(
      "test \"$CUDA_INJECTION64_PATH\" = library.so || exit 9\ntest \"$1\" = 'a b' || exit 9\n" + log_line(kLaunch));
  EXPECT_EQ(r.code, kExitFound);
  ASSERT_TRUE(r.recording);
  ASSERT_EQ(r.recording->launches.size(), 1u);
  EXPECT_EQ(r.recording->launches[0].kernel, "copy");
  EXPECT_EQ(r.recording->launches[0].occurrences, 1);
  EXPECT_EQ(r.recording->arguments.back(), "a b");
}

TEST(Record, KeepsWhatAnApplicationThatFailsHasLaunched) {
  const Recorded r = recorded(log_line(kLaunch) + "exit 3\n");
  EXPECT_EQ(r.code, kExitBadInput);
  EXPECT_TRUE(r.recording);
}

TEST(Record, WritesNothingWithoutLaunchesOrAProgram) {
  EXPECT_EQ(recorded("exit 0\n").code, kExitBadInput);
  EXPECT_FALSE(recorded("exit 0\n").recording);
  EXPECT_EQ(recorded(log_line(R"({\"error\":\"CUPTI takes no subscriber\"})")).code, kExitBadInput);
  RecordOptions options;
  options.application = {"/no/such/program"};
  EXPECT_EQ(record_with("library.so", options), kExitBadInput);
}

}  // namespace
}  // namespace swizzle::record_test
