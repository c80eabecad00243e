// From nothing: a prefix that is moved, packages, completions, a CMake project with the tool and without it, and known
// answers.
#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test::installed_test {
namespace {

struct Shell {
  int exit_code = -1;
  std::string output;  // stdout and stderr
};

Shell shell(const std::string& command) {
  const ScratchFolder scratch;
  const std::string out = (scratch / "out").string();
  const int status = std::system(fmt::format("({}) > '{}' 2>&1 < /dev/null", command, out).c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(out)};
}

class Installed : public ::testing::Test {
 protected:
  // A prefix that was moved after it was made.
  static void SetUpTestSuite() {
    scratch_ = new ScratchFolder;
    const std::string made = (*scratch_ / "made").string();
    installing_ = shell(
        fmt::format("cmake --install '{}' --prefix '{}' && mv '{}' '{}'", SWIZZLE_BUILD_DIR, made, made, prefix()));
  }
  static void TearDownTestSuite() { delete scratch_; }
  void SetUp() override { ASSERT_EQ(installing_.exit_code, 0) << installing_.output; }

  static std::string prefix() { return (*scratch_ / "moved here").string(); }
  static std::string tool() { return prefix() + "/bin/swizzle-synth"; }

  static inline ScratchFolder* scratch_ = nullptr;  // NOLINT: of the suite
  static inline Shell installing_ = {};             // NOLINT: likewise
};

TEST_F(Installed, AMovedPrefixRunsKernels) {
  const Shell run =
      shell(fmt::format("cd '{}' && '{}' sketches/stencil1d.cu --spec specs/stencil1d.cpp --run=cpu -o /dev/null",
                        SWIZZLE_SOURCE_DIR, tool()));
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_NE(run.output.find("ran on cpu: warp emulation for 6 inputs"), std::string::npos) << run.output;
}

// Nothing of the build or the sources is asked for: the compiler is told files of the prefix alone.
TEST_F(Installed, NothingOfTheBuildIsUsed) {
  const std::string compiler = scratch_->write(
      "c++", fmt::format("#!/bin/sh\necho \"$@\" >> '{}'\nexec g++ \"$@\"\n", (*scratch_ / "commands").string()));
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  const Shell run =
      shell(fmt::format("cd '{}' && CXX='{}' '{}' sketches/reverse.cu --spec specs/reverse.cpp --run=cpu -o /dev/null",
                        SWIZZLE_SOURCE_DIR, compiler, tool()));
  ASSERT_EQ(run.exit_code, 0) << run.output;
  const std::string commands = read_file(*scratch_ / "commands");
  EXPECT_NE(commands.find(prefix() + "/share/swizzle-synth/emulation"), std::string::npos) << commands;
  EXPECT_EQ(commands.find(SWIZZLE_BUILD_DIR), std::string::npos) << commands;
}

TEST_F(Installed, PackagesHoldAToolThatRuns) {
  const std::string run = "sketches/reverse.cu --spec specs/reverse.cpp --run=cpu -o /dev/null";
  const auto packed = [&](const char* generator, const std::string& unpack, const std::string& program) {
    const Shell shown = shell(fmt::format(
        "cd '{}' && rm -rf {} && mkdir {} && cpack --config '{}/CPackConfig.cmake' -G {} -B \"$PWD/{}\" && {} && "
        "program=\"$PWD/{}/{}\" && cd '{}' && \"$program\" {}",
        scratch_->path(), generator, generator, SWIZZLE_BUILD_DIR, generator, generator, unpack, generator, program,
        SWIZZLE_SOURCE_DIR, run));
    EXPECT_EQ(shown.exit_code, 0) << shown.output;
    EXPECT_NE(shown.output.find("ran on cpu"), std::string::npos) << shown.output;
  };
  packed("TGZ", "tar -xf TGZ/*.tar.gz -C TGZ --strip-components=1", "bin/swizzle-synth");
  if (shell("command -v dpkg-shlibdeps").exit_code != 0) GTEST_SKIP() << "there is no dpkg-shlibdeps";
  packed("DEB", "dpkg-deb -f DEB/*.deb Depends | grep -q libfmt && dpkg-deb -x DEB/*.deb DEB", "usr/bin/swizzle-synth");
}

// It loads where the driver would load it, and shows nothing but what that asks for.
TEST_F(Installed, TheRecorderStandsBesideTheTool) {
  const std::string folder = prefix() + "/lib/swizzle-synth", library = folder + "/libswizzle_recorder.so";
  if (!std::filesystem::exists(SWIZZLE_BUILD_DIR "/libswizzle_recorder.so")) GTEST_SKIP() << "CUPTI was not found";
  const Shell symbols = shell(fmt::format("nm -D --defined-only '{}' | cut -d ' ' -f 3", library));
  EXPECT_EQ(symbols.output, "InitializeInjection\n");
  const Shell loaded =
      shell(fmt::format("LD_LIBRARY_PATH='{}' LD_PRELOAD=libswizzle_recorder.so /bin/echo runs", folder));
  EXPECT_EQ(loaded.output, "runs\n");
}

TEST_F(Installed, TheManualNamesEveryFlag) {
  const std::string manual = read_file(prefix() + "/share/man/man1/swizzle-synth.1");
  for (const char* command : {"", "check", "record", "verify"}) {
    std::istringstream help(shell(fmt::format("'{}' {} --help", tool(), command)).output);
    const std::regex flag("^  (-[a-zA-Z]),?[ =]|(--[a-z-]+)");
    for (std::string line; std::getline(help, line);) {
      std::smatch found;
      if (!line.starts_with("  -") || !std::regex_search(line, found, flag)) continue;
      const std::string escaped = std::regex_replace(found.str(1) + found.str(2), std::regex("-"), "\\-");
      EXPECT_NE(manual.find(escaped), std::string::npos) << line;
    }
  }
}

// By the module and the tool of the prefix; two processes of it, one after the other.
TEST_F(Installed, ASweepIsDoneByTheModuleOfThePrefix) {
  if (shell("python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))'").exit_code != 0)
    GTEST_SKIP() << "there is no Python 3.10";
  const ScratchFolder folder;
  folder.write("sweep.toml", fmt::format("[sizes]\nn = [64, 128]\n[[pairs]]\nsketch = \"{0}/sketches/reverse.cu\"\n"
                                         "spec = \"{0}/specs/reverse.cpp\"\n",
                                         SWIZZLE_SOURCE_DIR));
  const Shell swept =
      shell(fmt::format("cd '{}' && unset PYTHONPATH SWIZZLE_SYNTH; PYTHONDONTWRITEBYTECODE=1 '{}' sweep sweep.toml",
                        folder.path(), tool()));
  EXPECT_EQ(swept.exit_code, 0) << swept.output;
  EXPECT_NE(swept.output.find("2 results: 2 found"), std::string::npos) << swept.output;
  const Shell help = shell(fmt::format("'{}' sweep --help", tool()));
  EXPECT_NE(help.output.find("SWEEP.toml"), std::string::npos) << help.output;
}

// Bash is asked as the reader's shell asks it.
TEST_F(Installed, BashCompletesWhatThereIs) {
  const std::string script = prefix() + "/share/bash-completion/completions/swizzle-synth";
  const auto completed = [&](const std::string& words, int at) {
    return shell(fmt::format(
                     "bash -c 'source \"{}\"; COMP_WORDS=({}); COMP_CWORD={}; _swizzle_synth; echo ${{COMPREPLY[@]}}'",
                     script, words, at))
        .output;
  };
  EXPECT_EQ(completed("swizzle-synth --di", 1), "--diagnostics\n");
  EXPECT_EQ(completed("swizzle-synth ver", 1), "verify\n");
  EXPECT_EQ(completed("swizzle-synth swe", 1), "sweep\n");
  EXPECT_EQ(completed("swizzle-synth check --fail-on-", 2), "--fail-on-conflicts\n");
  EXPECT_EQ(completed("swizzle-synth verify --fir", 2), "\n");
  EXPECT_EQ(completed("swizzle-synth --run \"\"", 2), "auto cpu gpu none\n");
}

TEST_F(Installed, OtherShellsAcceptTheirs) {
  int tried = 0;
  for (const auto& [program, file] : {std::pair{"zsh", "/share/zsh/site-functions/_swizzle-synth"},
                                      {"fish", "/share/fish/vendor_completions.d/swizzle-synth.fish"}}) {
    EXPECT_NE(read_file(prefix() + file).find("diagnostics"), std::string::npos) << file;
    if (shell(fmt::format("command -v {}", program)).exit_code != 0) continue;
    const Shell parsed = shell(fmt::format("{} -n '{}{}'", program, prefix(), file));
    EXPECT_EQ(parsed.exit_code, 0) << parsed.output;
    ++tried;
  }
  if (tried == 0) GTEST_SKIP() << "there is neither zsh nor fish";
}

// The example as a user has it, in a folder of its own.
class Project : public Installed {
 protected:
  void SetUp() override {
    Installed::SetUp();
    std::filesystem::copy(std::filesystem::path(SWIZZLE_SOURCE_DIR) / "examples/cmake", folder_.path(),
                          std::filesystem::copy_options::recursive);
    std::filesystem::create_directory(folder_ / "cmake");
    std::filesystem::copy(std::filesystem::path(SWIZZLE_SOURCE_DIR) / "cmake/AddSwizzleKernel.cmake",
                          folder_ / "cmake");
  }
  Shell in_project(const std::string& command) const {
    return shell(fmt::format("cd '{}' && {}", folder_.path(), command));
  }
  Shell configured(const std::string& more = "") const {
    return in_project(fmt::format("unset SWIZZLE_CACHE; cmake -S . -B b -G Ninja {}", more));
  }
  static std::string with_tool() { return fmt::format("-DCMAKE_PREFIX_PATH='{}'", prefix()); }
  static std::string without_tool() { return "-DSWIZZLE_SYNTH_EXECUTABLE=SWIZZLE_SYNTH_EXECUTABLE-NOTFOUND"; }

  ScratchFolder folder_;
};

TEST_F(Project, TheKernelIsCompletedWhenItsInputsChangeAndOnlyThen) {
  ASSERT_EQ(configured(with_tool()).exit_code, 0) << configured(with_tool()).output;
  const Shell first = in_project("cmake --build b --target kernels_reverse_commit -v");
  ASSERT_EQ(first.exit_code, 0) << first.output;
  EXPECT_NE(first.output.find("reverse.cu: found, cost "), std::string::npos) << first.output;
  const std::string kernel = read_file(folder_ / "kernels/reverse.cu");
  EXPECT_NE(kernel.find("#define LANES 32\n"), std::string::npos) << kernel;
  const Shell tests = in_project("ctest --test-dir b");
  EXPECT_EQ(tests.exit_code, 0) << tests.output;

  // A header is depended on, and known inputs are not asked about again.
  folder_.write("include/sizes.h", "#pragma once\nconstexpr int kLast = LANES + LANES - 1;\n");
  const Shell changed = in_project("cmake --build b --target kernels_reverse_commit -v");
  EXPECT_NE(changed.output.find("reverse.cu: infeasible"), std::string::npos) << changed.output;
  folder_.write("include/sizes.h", "#pragma once\n\nconstexpr int kLast = LANES - 1;\n");
  const Shell again = in_project("cmake --build b --target kernels_reverse_commit -v");
  EXPECT_EQ(again.exit_code, 0) << again.output;
  EXPECT_NE(again.output.find("reverse.cu: found in the cache"), std::string::npos) << again.output;
  EXPECT_EQ(read_file(folder_ / "kernels/reverse.cu"), kernel);
}

TEST_F(Project, ACommittedKernelMustBeUpToDate) {
  ASSERT_EQ(configured(with_tool()).exit_code, 0);
  const Shell fresh = in_project("ctest --test-dir b --output-on-failure");
  EXPECT_EQ(fresh.exit_code, 0) << fresh.output;
  std::ofstream(folder_ / "reverse.cpp", std::ios::app) << "// changed\n";
  const Shell stale = in_project("ctest --test-dir b --output-on-failure");
  EXPECT_NE(stale.exit_code, 0);
  EXPECT_NE(stale.output.find("this kernel was made from other inputs"), std::string::npos) << stale.output;
}

TEST_F(Project, WithoutTheToolTheCommittedKernelIsCompiled) {
  const Shell configured_without = configured(without_tool());
  EXPECT_EQ(configured_without.exit_code, 0) << configured_without.output;
  std::ofstream(folder_ / "reverse.cpp", std::ios::app) << "// changed\n";
  const Shell stale = configured(without_tool());
  EXPECT_NE(stale.exit_code, 0);
  EXPECT_NE(stale.output.find("was not made from"), std::string::npos) << stale.output;
}

TEST_F(Project, KnownAnswersAreTheSame) {
  const std::string command =
      fmt::format("'{}' reverse.cu --spec reverse.cpp -Iinclude -DLANES=32 --run=cpu --cache known -o", tool());
  const Shell first = in_project(command + " a.cu --report a.json"),
              second = in_project(command + " b.cu --report b.json");
  ASSERT_EQ(first.exit_code, 0) << first.output;
  ASSERT_EQ(second.exit_code, 0) << second.output;
  EXPECT_NE(second.output.find("found in the cache"), std::string::npos) << second.output;
  EXPECT_EQ(read_file(folder_ / "a.cu"), read_file(folder_ / "b.cu"));
  const nlohmann::json a = valid_report(read_file(folder_ / "a.json"), "docs/report.schema.json"),
                       b = valid_report(read_file(folder_ / "b.json"), "docs/report.schema.json");
  EXPECT_FALSE(a.contains("cached"));
  EXPECT_EQ(b["cached"], true);
  EXPECT_EQ(a["checked"], b["checked"]);
  for (const char* other : {"-DLANES=32 -DMORE", "--set n=128", "--proof=posed"})
    EXPECT_EQ(in_project(fmt::format("{} c.cu {}", command, other)).output.find("cache"), std::string::npos) << other;
}

}  // namespace
}  // namespace swizzle::test::installed_test
