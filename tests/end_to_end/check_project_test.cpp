// `.swizzle-synth.toml`: launches, sizes and template arguments that a repository's code does not tell.
#include <gtest/gtest.h>

#include "tests/end_to_end/check_runs.h"

namespace swizzle::test::check_project_test {
namespace {

constexpr const char* kKernels =
    "template <int N> __global__ void scaled(float* y) {\n  __shared__ float s[4096];\n  s[threadIdx.x * N] = y[0];\n}\n"
    "__global__ void plain(float* y, int step) {\n  __shared__ float s[4096];\n  s[threadIdx.x * step] = y[0];\n}\n";

class CheckProject : public ::testing::Test {
 protected:
  CheckProject() {
    std::filesystem::create_directories(scratch_ / "src");
    kernels_ = scratch_.write("src/k.cu", kKernels);
  }
  CheckResult with(const std::string& toml, const std::string& arguments = "") const {
    scratch_.write(".swizzle-synth.toml", toml);
    return run_check(fmt::format("'{}' {}", kernels_, arguments));
  }

  ScratchFolder scratch_;
  std::string kernels_;
};

constexpr const char* kToml =
    "# for all\n[kernel.scaled]\nlaunch = \"block(32)\"\ntemplates = [\"<2>\", '<8>']  # two of them\n"
    "[kernel.\"plain\"]\nlaunch = \"grid(2) block(64)\"\nsizes = { step = 4 }\n"
    "[kernel.\"scaled<8>\"]\nlaunch = \"block(16)\"\n[kernel.elsewhere]\nlaunch = \"block(1)\"\n";

TEST_F(CheckProject, LaunchesSizesAndInstancesAreTold) {
  const CheckResult r = with(kToml);
  ASSERT_EQ(r.exit_code, 0) << r.errors;
  EXPECT_EQ(r.accesses("scaled<2>", "shared"), (Lines{"store s 2/1 of 1 = 2"})) << r.errors;
  EXPECT_EQ(r.accesses("scaled<8>", "shared"), (Lines{"store s 4/1 of 1 = 4"}));
  EXPECT_EQ(r.accesses("plain", "shared"), (Lines{"store s 4/1 of 4 = 16"}));
  EXPECT_EQ(r.report["kernels"][0]["launch"], "from .swizzle-synth.toml (grid assumed)");
  EXPECT_TRUE(r.report["uncounted"].empty());
}

TEST_F(CheckProject, TheCommandLineGoesBeforeIt) {
  const CheckResult r = with(kToml, "--launch 'plain=block(32)' --set step=2");
  EXPECT_EQ(r.accesses("plain", "shared"), (Lines{"store s 2/1 of 1 = 2"})) << r.errors;
  EXPECT_EQ(with(kToml, "--launch 'plane=block(32)'").exit_code, 1);
}

TEST_F(CheckProject, WhatIsAmissIsTold) {
  for (
      const auto& [toml, message] :
      {std::pair{"launch = \"block(1)\"\n", ":1:1: error: expected [kernel.NAME] first"},
       {"[kernel.plain]\nlunch = 3\n", ":2:1: error: expected launch, sizes or templates"},
       {"[kernel.plain]\nlaunch = 3\n", ":2:10: error: expected a string"},
       {"[kernel.plain]\nsizes = { step = }\n", ":2:18: error: expected an integer"},
       {"[kernel.plain\n", "error: expected ']'"},
       {"[kernel.plain]\n[kernel.plain]\n", "error: 'plain' has a table already"},
       {"[kernel.plain]\nsizes = { stop = 4 }\n",
        "sizes of 'plain' in .swizzle-synth.toml: stop = 4: it has no parameter of this name that is a number; did you "
        "mean 'step'?"},
       {"[kernel.plain]\nlaunch = \"block(\n", "does not end on its line"}}) {
    const CheckResult r = with(toml);
    EXPECT_EQ(r.exit_code, 1) << toml;
    EXPECT_NE(r.errors.find(message), std::string::npos) << toml << r.errors;
  }
  EXPECT_EQ(with("[kernel.plain]\nlaunch = \"block(n)\"\n").exit_code, 1);
}

TEST_F(CheckProject, WithoutItNothingIsAssumedOfALaunch) {
  const CheckResult r = run_check("'" + kernels_ + "'");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_EQ(r.report["uncounted"].size(), 2u);
}

// As it is written it changes nothing; with its comments taken away it says what they say.
TEST_F(CheckProject, InitWritesWhatIsKnownAndWhatIsNot) {
  const std::string tool = fmt::format("cd '{}' && '{}' check ", scratch_.path(), SWIZZLE_SYNTH_TOOL);
  scratch_.write("src/run.cu",
                 "__global__ void run(float* y, int n) { y[n] = 1; }\n"
                 "void go(float* y) { run<<<3, 96>>>(y, 12); }\n"
                 "struct P { int n, d[2]; };\n__global__ void by(float* y, P p, int m) { y[p.d[1]] = p.n + m; }\n"
                 "void all(float* y, P p) { by<<<3, 96>>>(y, p, 7); }\n");
  EXPECT_EQ(std::system((tool + "--init src > out 2> err").c_str()), 0) << read_file(scratch_ / "err");
  const std::string text = read_file(scratch_ / "src" / ".swizzle-synth.toml");
  EXPECT_NE(
      text.find("[kernel.run]  # src/run.cu, from line 2\n# launch = \"grid(3) block(96)\"\n# sizes = { n = 12 }\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("[kernel.plain]  # src/k.cu: nothing here tells how many threads"), std::string::npos) << text;
  EXPECT_NE(text.find("# sizes = { m = 7, \"p.d[0]\" = 1024, \"p.d[1]\" = 1024, \"p.n\" = 1024 }  # assumed: "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("# templates = [\"<32>\"]"), std::string::npos) << text;
  EXPECT_NE(std::system((tool + "--init src > out 2> err").c_str()), 0);
  EXPECT_NE(read_file(scratch_ / "err").find("is there already, and stays as it is"), std::string::npos);
  EXPECT_EQ(run_check("'" + kernels_ + "'").report["uncounted"].size(), 2u);
  std::string said = text.substr(text.find("\n\n"));
  for (std::size_t at = 0; (at = said.find("\n# ", at)) != std::string::npos;) said.erase(at + 1, 2);
  scratch_.write("src/.swizzle-synth.toml", said);
  const CheckResult r = run_check("'" + kernels_ + "'");
  EXPECT_EQ(r.report["kernels"].size(), 2u) << said << r.errors;
  EXPECT_EQ(run_check(fmt::format("'{}'", (scratch_ / "src" / "run.cu").string())).exit_code, 0) << said;
}

}  // namespace
}  // namespace swizzle::test::check_project_test
