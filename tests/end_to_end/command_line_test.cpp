// What a person sees: progress on a terminal, plain text in a pipe, phases under -v, and limits.
#include <pty.h>
#include <cstdlib>

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test::command_line_test {
namespace {

// The tool's output on a terminal of its own. `arguments` as for a shell.
std::string run_on_terminal(const std::string& arguments) {
  const std::string command = fmt::format("cd '{}' && exec '{}' {}", SWIZZLE_SOURCE_DIR, SWIZZLE_SYNTH_TOOL, arguments);
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  std::string output;
  char buffer[4096];
  for (ssize_t n; (n = read(terminal, buffer, sizeof buffer)) > 0;) output.append(buffer, static_cast<std::size_t>(n));
  close(terminal);
  waitpid(child, nullptr, 0);
  return output;
}

// $CXX for one scope: g++ behind a pause, so that a run takes more than a second.
class SlowCompiler {
 public:
  SlowCompiler() {
    const std::string path = scratch_.write("slow-c++", "#!/bin/sh\nsleep 1.3\nexec g++ \"$@\"\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    if (const char* before = std::getenv("CXX")) before_ = before;
    setenv("CXX", path.c_str(), 1);
  }
  ~SlowCompiler() { before_.empty() ? unsetenv("CXX") : setenv("CXX", before_.c_str(), 1); }

 private:
  ScratchFolder scratch_;
  std::string before_;
};

constexpr const char* kReverse = "sketches/reverse.cu --spec specs/reverse.cpp -o /dev/null ";

TEST(Progress, ATerminalShowsThePhaseAfterASecondAndClearsTheLine) {
  const SlowCompiler slow;
  const std::string output = run_on_terminal(std::string(kReverse) + "--run=cpu");
  const std::size_t shown = output.find("\rrunning, ");
  ASSERT_NE(shown, std::string::npos) << output;
  const std::size_t summary = output.find("sketches/reverse.cu: found");
  ASSERT_NE(summary, std::string::npos) << output;
  EXPECT_LT(shown, summary);
  ASSERT_GT(summary, 2u);
  EXPECT_EQ(output.substr(summary - 2, 2), " \r") << "the line is not blank below the summary";
  EXPECT_EQ(output.find("running, ", summary), std::string::npos) << output;
}

TEST(Progress, APipeHasNoControlCharacters) {
  const SlowCompiler slow;
  const ToolResult r = run_pair("reverse", "--run=cpu -v");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_TRUE(std::none_of(r.output.begin(), r.output.end(), [](unsigned char c) {
    return (c < 32 && c != '\n') || c == 127;
  })) << r.output;
}

TEST(Verbose, SaysWhatEachPhaseDidAndHowLongItTook) {
  const ToolResult r = run_pair("stencil1d", "--run=cpu -v");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  std::size_t at = 0;
  for (const char* what : {"ms  parsed stencil1d: 2 holes\n", "ms  posed 64 equations over 192 points at 1 size\n",
                           "ms  searched ", " parameter settings: found\n", "ms  emitted ",
                           "ms  re-read and executed at 3 sizes\n", "ms  ran on cpu: warp emulation for 6 inputs"}) {
    const std::size_t found = r.output.find(what, at);
    ASSERT_NE(found, std::string::npos) << what << " is missing, or not in its place:\n" << r.output;
    at = found;
  }
}

TEST(Limits, ATimeLimitEndsInUnknownWithTheReason) {
  const ToolResult r = run_pair("stencil2d_7x7", "--run=none --time-limit 0.000001");
  EXPECT_EQ(r.exit_code, 20) << r.output;
  EXPECT_EQ(r.report["outcome"], "unknown");
  EXPECT_EQ(r.report["reason"], "the time limit of 1e-06 s ended the posing");
  EXPECT_NE(r.output.find("sketches/stencil2d_7x7.cu: unknown: the time limit of 1e-06 s ended the posing\n"),
            std::string::npos)
      << r.output;
  EXPECT_TRUE(r.kernel.empty());
}

TEST(Limits, AnAmpleTimeLimitChangesNothing) {
  const ToolResult r = run_pair("reverse", "--run=none --time-limit 600");
  EXPECT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
}

TEST(Usage, WhatStandsInForAnArchitectureIsNamed) {
  const ToolResult other = run_pair("stencil1d", "--run=none --arch sm_80 -v"),
                   own = run_pair("stencil1d", "--run=none -v");
  const std::string stand_in = "by the figures of sm_90, which stand in for sm_80";
  EXPECT_NE(other.output.find("costs are counted " + stand_in), std::string::npos) << other.output;
  EXPECT_NE(other.kernel.find("// cost of a warp, " + stand_in + ": 46 "), std::string::npos) << other.kernel;
  EXPECT_EQ(other.report["arch"], (nlohmann::json{{"target", "sm_80"}, {"costs_of", "sm_90"}}));
  EXPECT_EQ(own.output.find("stand in"), std::string::npos);
  EXPECT_EQ(own.kernel.find("stand in"), std::string::npos);
}

TEST(Usage, TheGpuThatIsAskedForMustBeThere) {
  if (std::filesystem::exists("/dev/nvidia0")) GTEST_SKIP() << "there is a GPU";
  const ToolResult r = run_pair("stencil1d", "--run=gpu");
  EXPECT_EQ(r.exit_code, 5);
  EXPECT_NE(r.output.find("error: --run=gpu: there is no GPU"), std::string::npos) << r.output;
  EXPECT_TRUE(r.kernel.empty());
}

TEST(Usage, ADrawingIsAnSvg) {
  const ScratchFolder scratch;
  for (const char* name : {"x.png", "x.PDF"}) {
    const ToolResult r = run_pair("toy_transpose8", fmt::format("--run=none --draw '{}'", (scratch / name).string()));
    EXPECT_EQ(r.exit_code, 2) << r.output;
    EXPECT_NE(r.output.find("--draw: writes SVG, and '"), std::string::npos) << r.output;
    EXPECT_FALSE(std::filesystem::exists(scratch / name));
  }
  EXPECT_EQ(run_pair("toy_transpose8", fmt::format("--run=none --draw '{}'", (scratch / "x.svg").string())).exit_code,
            0);
}

std::string with_crlf(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return out;
}

TEST(LineEnds, OfACrlfFileStayThroughout) {
  for (const char* name : {"stencil1d", "aos_sum", "aos_load_rcr", "tile_transpose32_float4", "butterfly_quads"}) {
    const ScratchFolder scratch;
    const std::string folder = SWIZZLE_SOURCE_DIR;
    const std::string sketch =
        scratch.write(fmt::format("{}.cu", name), with_crlf(read_file(fmt::format("{}/sketches/{}.cu", folder, name))));
    const ToolResult r = run_tool(fmt::format("'{}' --spec specs/{}.cpp --run=none", sketch, name)),
                     unix_ends = run_pair(name, "--run=none");
    ASSERT_EQ(unix_ends.exit_code, 0) << name << unix_ends.output;
    ASSERT_EQ(r.exit_code, 0) << name << r.output;
    EXPECT_EQ(r.kernel, with_crlf(unix_ends.kernel)) << name;
  }
}

TEST(LineEnds, OfAStampAreThoseOfTheFile) {
  const ScratchFolder scratch;
  const std::string text = with_crlf(read_file(fmt::format("{}/sketches/stencil1d.cu", SWIZZLE_SOURCE_DIR)));
  const std::string sketch = scratch.write("stencil1d.cu", text), kernel = (scratch / "kernel.cu").string();
  const auto exit_code_with = [&](const char* flag) {
    return std::system(fmt::format("cd '{}' && '{}' '{}' --spec specs/stencil1d.cpp --run=none -o '{}' {} 2>/dev/null",
                                   SWIZZLE_SOURCE_DIR, SWIZZLE_SYNTH_TOOL, sketch, kernel, flag)
                           .c_str());
  };
  ASSERT_EQ(exit_code_with("--stamp"), 0);
  const std::string stamped = read_file(kernel);
  EXPECT_NE(stamped.find("// inputs of swizzle-synth: "), std::string::npos);
  for (std::size_t end = stamped.find('\n'); end != std::string::npos; end = stamped.find('\n', end + 1))
    EXPECT_EQ(stamped[end - 1], '\r') << stamped.substr(0, end);
  EXPECT_EQ(exit_code_with("--check-up-to-date"), 0);
}

TEST(Usage, SaysWhatWasExpected) {
  const std::pair<const char*, const char*> wrong[] = {
      {"--time-limit nan", "--time-limit: expected a positive number of seconds, or inf for no limit, got 'nan'"},
      {"--jobs 0", "--jobs: expected a positive number of threads, got '0'"},
      {"--all=-1", "--all: expected a positive number of completions, got '-1'"},
      {"--all=0", "--all: expected a positive number of completions, got '0'"},
      {"--run=tpu", "--run: expected auto, cpu, gpu or none, got 'tpu'"},
      {"--set n=", "--set: expected name=number, got 'n='"},
      {"--set n=99999999999999999999", "--set: expected name=number"},
      {"--set n=3 --set n=4", "--set: 'n' has a value already"},
      {"--set =3", "--set: expected name=number"},
      {"--first --all", "--first"}};
  for (const auto& [arguments, says] : wrong) {
    const ToolResult r = run_pair("reverse", arguments);
    EXPECT_EQ(r.exit_code, 2) << arguments << r.output;
    EXPECT_NE(r.output.find(says), std::string::npos) << arguments << r.output;
    EXPECT_TRUE(r.kernel.empty());
  }
}

TEST(Files, WhatCannotBeWrittenOrReadIsAnError) {
  const auto exit_code_of = [](const std::string& command) { return WEXITSTATUS(std::system(command.c_str())); };
  const std::string tool = fmt::format("cd '{}' && '{}' sketches/reverse.cu --spec specs/reverse.cpp ",
                                       SWIZZLE_SOURCE_DIR, SWIZZLE_SYNTH_TOOL);
  EXPECT_EQ(exit_code_of(tool + "--run=none > /dev/full 2> /dev/null"), 1);
  EXPECT_EQ(exit_code_of(tool + "--run=none >&- 2> /dev/null"), 1);
  EXPECT_EQ(exit_code_of("export TMPDIR=/no/such/folder; " + tool + "--run=cpu > /dev/null 2>&1"), 1);
  EXPECT_EQ(exit_code_of(fmt::format("'{}' /dev/zero --spec /dev/zero > /dev/null 2>&1", SWIZZLE_SYNTH_TOOL)), 1);
}

TEST(Files, QuotedIncludesAreFoundBesideTheSketch) {
  const ScratchFolder scratch;
  scratch.write("own.h", "#pragma once\nconstexpr int kLast = 31;\n");
  const std::string sketch = scratch.write(
      "f.cu",
      "#include \"own.h\"\n#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
      "__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = x[?sw_xform(t, 32)] + kLast; }\n");
  const std::string spec = scratch.write(
      "f.cpp",
      "#include \"own.h\"\nvoid f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[kLast - i] + kLast; }\n");
  const ToolResult r = run_tool(fmt::format("'{}' --spec '{}' --run=cpu", sketch, spec));
  EXPECT_EQ(r.exit_code, 0) << r.output;
}

TEST(Limits, ATimeLimitOfNothingIsUsage) { EXPECT_EQ(run_pair("reverse", "--run=none --time-limit 0").exit_code, 2); }

TEST(Jobs, AnyPositiveNumberGivesTheSameKernel) {
  const ToolResult one = run_pair("stencil1d", "--run=none --jobs 1"),
                   four = run_pair("stencil1d", "--run=none --jobs 4");
  ASSERT_EQ(one.exit_code, 0) << one.output;
  ASSERT_EQ(four.exit_code, 0) << four.output;
  EXPECT_EQ(one.kernel, four.kernel);
  EXPECT_EQ(run_pair("stencil1d", "--run=none --jobs 0").exit_code, 2);
}

}  // namespace
}  // namespace swizzle::test::command_line_test
