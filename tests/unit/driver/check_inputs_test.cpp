// What decides the answer of `check`: each change of it is seen.
#include "driver/check_inputs.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "codegen/run/files.h"

namespace swizzle::check_inputs_test {
namespace {

class CheckInputs : public ::testing::Test {
 protected:
  void SetUp() override {
    write("k.cu", "#include \"tile.h\"\n#include <far.h>\n");
    write("tile.h", "#include \"deep.h\"\n");
    write("deep.h", "int a;\n");
    std::filesystem::create_directories(folder_.path() + "/inc");
    request_.path = folder_.path() + "/k.cu";
    request_.flags.include_folders = {folder_.path() + "/inc"};
    request_.ptx = PtxUse::kNever;
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() + "/" + name) << text;
  }
  // Whether `change` changes what check_inputs() says.
  template <typename Change>
  bool is_seen(const Change& change) {
    const auto before = check_inputs(request_);
    change();
    const auto after = check_inputs(request_);
    return before != after;
  }

  ScratchFolder folder_;
  CheckRequest request_;
};

TEST_F(CheckInputs, NothingThatChangesIsNothingSeen) {
  EXPECT_TRUE(check_inputs(request_).has_value());
  EXPECT_FALSE(is_seen([&] { write("deep.h", "int a;\n"); }));
  EXPECT_FALSE(is_seen([&] { write("other.h", "int b;\n"); }));
}

TEST_F(CheckInputs, TheFileAndItsHeadersAreSeenHoweverDeep) {
  EXPECT_TRUE(is_seen([&] { write("k.cu", "#include \"tile.h\"\n#include <far.h>\n\n"); }));
  EXPECT_TRUE(is_seen([&] { write("deep.h", "int b;\n"); }));
}

TEST_F(CheckInputs, AHeaderThatAppearsIsSeen) {
  EXPECT_TRUE(is_seen([&] { write("inc/far.h", ""); }));
  EXPECT_TRUE(is_seen([&] { write("far.h", ""); }));       // before the other
  EXPECT_TRUE(is_seen([&] { write("inc/deep.h", ""); }));  // behind the one that is taken: seen, too
}

TEST_F(CheckInputs, FlagsLaunchesAndRecordingsAreSeen) {
  EXPECT_TRUE(is_seen([&] { request_.flags.macros = {"DN=4"}; }));
  EXPECT_TRUE(is_seen([&] { request_.flags.forced_headers = {"deep.h"}; }));
  EXPECT_TRUE(is_seen([&] { request_.launch.launch = "block(32)"; }));
  EXPECT_TRUE(is_seen([&] { request_.launch.of_kernels["k"] = "block(32)"; }));
  EXPECT_TRUE(is_seen([&] { request_.launch.project_sizes["k"] = {{"n", 4}}; }));
  EXPECT_TRUE(is_seen([&] { request_.instances = {"k<4>"}; }));
  EXPECT_TRUE(is_seen([&] { request_.step_limit = 7; }));
  EXPECT_TRUE(is_seen([&] { request_.recording = std::make_shared<const Recording>(); }));
  EXPECT_TRUE(is_seen([&] { request_.ptx = PtxUse::kAuto; }));
}

// Also where nvcc makes no PTX: CUB is read with the text.
TEST_F(CheckInputs, TheCubOfAToolkitIsSeen) {
  const std::string home = folder_.path() + "/cuda", nvcc = home + "/bin/nvcc", cub = home + "/include/cub";
  std::filesystem::create_directories(home + "/bin");
  write("cuda/bin/nvcc", "#!/bin/sh\n");
  std::filesystem::permissions(nvcc, std::filesystem::perms::owner_all);
  const char* had = std::getenv("CUDA_HOME");
  const std::string before = had != nullptr ? had : "";
  setenv("CUDA_HOME", home.c_str(), 1);
  EXPECT_TRUE(is_seen([&] { std::filesystem::create_directories(cub); }));
  EXPECT_TRUE(is_seen([&] { write("cuda/include/cub/version.cuh", "#define CUB_VERSION 2\n"); }));
  had != nullptr ? setenv("CUDA_HOME", before.c_str(), 1) : unsetenv("CUDA_HOME");
}

TEST_F(CheckInputs, WhatNoTextTellsIsNotKnown) {
  write("deep.h", "#include HEADER\n");
  EXPECT_FALSE(check_inputs(request_).has_value());
  request_.path = folder_.path() + "/none.cu";
  EXPECT_FALSE(check_inputs(request_).has_value());
}

}  // namespace
}  // namespace swizzle::check_inputs_test
