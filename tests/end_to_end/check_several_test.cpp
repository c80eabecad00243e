// `swizzle-synth check` of folders, globs and builds; baselines, ignored lines, what code hosts read.
#include <gtest/gtest.h>

#include "tests/end_to_end/check_runs.h"

namespace swizzle::test::check_several_test {
namespace {

constexpr const char* kColumn =
    "__global__ void __launch_bounds__(32) column(float* y) {\n  __shared__ float s[1024];\n"
    "  s[threadIdx.x * 32] = y[0];\n}\n";
constexpr const char* kRow =
    "__global__ void __launch_bounds__(32) row(float* y) {\n  __shared__ float s[1024];\n  s[threadIdx.x] = y[0];\n}\n";
constexpr const char* kOpen =
    "__global__ void open(float* y) {\n  __shared__ float s[32];\n  s[threadIdx.x] = y[0];\n}\n";

// A folder of files, in which the tool is called.
class SeveralFiles : public ::testing::Test {
 protected:
  struct Run {
    int exit_code = -1;
    std::string output, errors;
  };
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((scratch_ / name).parent_path());
    return scratch_.write(name, text);
  }
  Run check(const std::string& arguments) const {
    const int status = std::system(fmt::format("cd '{}' && timeout 60 '{}' check {} > .out 2> .err < /dev/null",
                                               scratch_.path(), SWIZZLE_SYNTH_TOOL, arguments)
                                       .c_str());
    return {WEXITSTATUS(status), read_file(scratch_ / ".out"), read_file(scratch_ / ".err")};
  }
  nlohmann::json report(const std::string& arguments, int exit_code = 0) const {
    const Run run = check(arguments + " --json .r.json");
    EXPECT_EQ(run.exit_code, exit_code) << run.output << run.errors;
    return valid_report(read_file(scratch_ / ".r.json"), "docs/check_several.schema.json");
  }
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

  ScratchFolder scratch_;
};

TEST_F(SeveralFiles, AFolderIsOneTable) {
  write("src/column.cu", kColumn);
  write("src/deep/row.cu", kRow);
  write("src/host.cu", "int main() {}\n");
  write("src/.hidden/no.cu", "this is no CUDA\n");
  write("src/tile.cuh", "struct Tile;\n");
  const Run run = check("src");
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_TRUE(has(run.output, "src/column.cu:3:3 shared store of s     32      1    31    97%")) << run.output;
  EXPECT_TRUE(has(run.output,
                  "bank conflicts in 1 of 2 kernel launches of 3 files: 31 of 33 wavefronts are lost; "
                  "1 file has no kernel"))
      << run.output;
  EXPECT_FALSE(has(run.output, "row"));
  EXPECT_TRUE(has(check("src -v").output, "row"));
  const auto summary = report("src")["summary"];
  EXPECT_EQ(summary["lost"], 31);
  EXPECT_EQ(summary["files_without_kernel"], 1);
}

TEST_F(SeveralFiles, GlobsAndFilesAndExceptions) {
  write("src/a.cu", kColumn);
  write("src/deep/b.cu", kRow);
  write("c.cu", kRow);
  EXPECT_EQ(report("'src/**/*.cu'")["summary"]["files"], 2);
  EXPECT_EQ(report("'src/*.cu' c.cu")["summary"]["files"], 2);
  EXPECT_EQ(report(". --exclude src/deep")["summary"]["files"], 2);
  EXPECT_EQ(report("c.cu ./c.cu src/a.cu")["summary"]["files"], 2);
  EXPECT_EQ(check("'src/*.cc'").exit_code, 1);
  EXPECT_EQ(check("c.cu nowhere.cu").exit_code, 1);
}

TEST_F(SeveralFiles, WhatWasNotCountedIsToldOnceForEachReason) {
  write("a.cu", kOpen);
  write("b.cu", kOpen);
  write("c.cu", kRow);
  const Run run = check(".");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(has(run.output,
                  "    2 x  a.cu:1:17: nothing here tells how many threads a block of 'open' has; say it: "
                  "--launch 'block(256)' (and 1 more, in 2 files)"))
      << run.output;
  EXPECT_TRUE(has(run.output,
                  "no bank conflicts in what was counted of 1 kernel launch of 3 files; 2 things were not "
                  "counted"))
      << run.output;
  EXPECT_EQ(check(". --fail-on-conflicts").exit_code, 20);
  EXPECT_EQ(check(". --fail-on-conflicts --allow-uncounted").exit_code, 0);
  EXPECT_TRUE(report(".")["conflicts"].is_null());
  EXPECT_EQ(report(". --launch 'open=block(32)'")["conflicts"], false);
  EXPECT_EQ(check(". --launch 'opne=block(32)'").exit_code, 1);
  EXPECT_EQ(check(". --set widht=4").exit_code, 1);
}

TEST_F(SeveralFiles, NothingCountedIsNoSuccess) {
  write("a.cu", kOpen);
  EXPECT_EQ(check(". --fail-on-conflicts").exit_code, 1);
  EXPECT_TRUE(has(check(".").output, "no kernel was counted"));
}

TEST_F(SeveralFiles, AFileThatTakesTooLongCostsItselfAlone) {
  write("a.cu",
        "__global__ void __launch_bounds__(1024) slow(float* y) {\n  __shared__ float s[1024];\n"
        "  for (int i = 0; i < 100000000; ++i) s[(threadIdx.x * i) % 1024] = y[0];\n}\n");
  write("b.cu", kColumn);
  const Run run = check(". --time-limit 1 --step-limit 900000000000 --fail-on-conflicts");
  EXPECT_EQ(run.exit_code, 4) << run.output;
  EXPECT_TRUE(has(run.output, "1 x  a.cu: this took longer than 1 seconds")) << run.output;
}

// Two files launch the kernel of a header, one of them as the other does; the header alone tells no launch.
TEST_F(SeveralFiles, AHeadersKernelCountsOnceForEachLaunch) {
  write("k.cuh",
        "#pragma once\n__global__ void k(float* y) {\n  __shared__ float s[2048];\n  s[threadIdx.x * 32] = y[0];\n}\n");
  for (const auto& [name, threads] : {std::pair{"a", 32}, {"b", 32}, {"c", 64}})
    write(fmt::format("{}.cu", name),
          fmt::format("#include \"k.cuh\"\nvoid run_{}(float* y) {{ k<<<1, {}>>>(y); }}\n", name, threads));
  const auto summary = report(".")["summary"];
  EXPECT_EQ(summary["kernel_launches"], 2);
  EXPECT_EQ(summary["lost"], 31 * 3);
  EXPECT_EQ(summary["not_counted"], 0);
  EXPECT_TRUE(has(check(".").output, "k.cuh:4:3 shared store of s")) << check(".").output;
}

TEST_F(SeveralFiles, ABuildTellsTheFlags) {
  write("src/a.cu",
        "#include \"size.h\"\n__global__ void __launch_bounds__(32) k(float* y) {\n  __shared__ float s[1024];\n"
        "  s[threadIdx.x * STRIDE * kTwo] = y[0];\n}\n");
  write("include/size.h", "constexpr int kTwo = 2;\n");
  write("build/flags.rsp", "-I../include");
  write("build/compile_commands.json", fmt::format(R"([{{"directory": "{0}/build", "file": "../src/a.cu",
                          "command": "nvcc -DSTRIDE=4 --options-file flags.rsp -std=c++17 -x cu -c ../src/a.cu"}},
                         {{"directory": "{0}/build", "file": "../src/a.cu",
                          "arguments": ["nvcc", "-D", "STRIDE=1", "-isystem", "{0}/include", "-c", "../src/a.cu"]}},
                         {{"directory": "{0}", "file": "main.cpp", "command": "c++ -c main.cpp"}}])",
                                                   scratch_.path()));
  const auto all = report("build/compile_commands.json");
  ASSERT_EQ(all["reports"].size(), 2u);
  EXPECT_EQ(all["reports"][0]["accesses"][0]["wavefronts"]["worst"], 8);
  EXPECT_EQ(all["reports"][1]["accesses"][0]["wavefronts"]["worst"], 2);
  EXPECT_EQ(all["reports"][0]["file"], "src/a.cu");
  EXPECT_TRUE(has(check("src/a.cu -p build").output, "  8  "));
  EXPECT_TRUE(has(check("src -p build").output, "  8  "));
  EXPECT_TRUE(has(check("src/a.cu -DSTRIDE=2 -I include -std=c++20").output, "  4  "));
  EXPECT_EQ(check("src/a.cu -p nowhere").exit_code, 1);
  EXPECT_EQ(check("src/a.cu -Iinclude").exit_code, 0);  // without STRIDE the access is not followed
  EXPECT_EQ(check("src/a.cu -Iinclude --fail-on-conflicts").exit_code, 20);
}

TEST_F(SeveralFiles, AForcedHeaderIsRead) {
  write(
      "k.cu",
      "__global__ void __launch_bounds__(32) k(float* y) { __shared__ float s[1024]; s[threadIdx.x * kStep] = y[0]; }\n");
  write("step.h", "constexpr int kStep = 4;\n");
  EXPECT_TRUE(has(check("k.cu -include step.h").output, "4      1")) << check("k.cu -include step.h").errors;
}

TEST_F(SeveralFiles, ALineMayBeIgnoredForAReason) {
  const std::string head = "__global__ void __launch_bounds__(32) k(float* y) {\n  __shared__ float s[1024];\n";
  write("end.cu", head + "  s[threadIdx.x * 32] = y[0];  // swizzle-ignore: once a launch\n}\n");
  write("above.cu", head + "  // swizzle-ignore: once a launch\n  s[threadIdx.x * 32] = y[0];\n}\n");
  write("text.cu", head + "  const char* m = \"// swizzle-ignore: x\"; s[threadIdx.x * 32] = y[0];\n}\n");
  write("bare.cu", head + "  s[threadIdx.x * 32] = y[0];  // swizzle-ignore\n}\n");
  for (const char* name : {"end.cu", "above.cu"}) {
    const Run run = check(fmt::format("{} --fail-on-conflicts --sarif log.sarif", name));
    EXPECT_EQ(run.exit_code, 0) << name << run.errors;
    EXPECT_TRUE(has(run.output, "ignored: once a launch")) << run.output;
    EXPECT_TRUE(has(run.output, "31 of 32 wavefronts are conflicts")) << run.output;
    const auto results = nlohmann::json::parse(read_file(scratch_ / "log.sarif"))["runs"][0]["results"];
    ASSERT_EQ(results.size(), 1u);
    EXPECT_EQ(results[0]["suppressions"][0]["justification"], "once a launch");
  }
  const Run bare = check("bare.cu --fail-on-conflicts");
  EXPECT_EQ(bare.exit_code, 4);
  EXPECT_TRUE(has(bare.errors, "bare.cu:3:35: warning: this ignores nothing, since it gives no reason")) << bare.errors;
  EXPECT_EQ(check("text.cu --fail-on-conflicts").exit_code, 4) << "a string is no comment";
  const auto all = report("end.cu above.cu --fail-on-conflicts");
  EXPECT_EQ(all["conflicts"], true);
  EXPECT_EQ(all["summary"]["open_conflicts"], 0);
}

TEST_F(SeveralFiles, OnlyWhatIsNotInTheBaselineFails) {
  write("a.cu", kColumn);
  write("open.cu", kOpen);
  EXPECT_EQ(check(". --fail-on-conflicts --baseline known.json").exit_code, 1);  // there is none yet
  EXPECT_EQ(check(". --fail-on-conflicts --baseline known.json --update-baseline").exit_code, 0);
  EXPECT_EQ(check(". --fail-on-conflicts --baseline known.json").exit_code, 0);
  EXPECT_EQ(check("a.cu --fail-on-conflicts --baseline known.json").exit_code, 0);
  EXPECT_TRUE(report(". --baseline known.json")["conflicts"]);
  // The same lines elsewhere in the file.
  write("a.cu", "\n\n  // moved\n" + std::string(kColumn));
  EXPECT_EQ(check(". --fail-on-conflicts --baseline known.json").exit_code, 0);
  // As bad as before in another line; once more in the same words; worse in the same words.
  write("b.cu", kColumn);
  EXPECT_EQ(check(". --fail-on-conflicts --baseline known.json").exit_code, 4);
  write("b.cu", kOpen);
  EXPECT_EQ(check(". --fail-on-conflicts --baseline known.json").exit_code, 20);
  std::filesystem::remove(scratch_ / "b.cu");
  std::string twice = kColumn;
  twice.insert(twice.find("}"), "  s[threadIdx.x * 32] = y[0];\n");
  write("a.cu", twice);
  EXPECT_EQ(check(". --fail-on-conflicts --baseline known.json").exit_code, 4);
  std::string milder = kColumn;
  milder.replace(milder.find("* 32"), 4, "* 8");
  write("a.cu", milder);
  EXPECT_EQ(check(". --fail-on-conflicts --baseline known.json").exit_code, 4);  // other words
  write("a.cu", kRow);
  const Run fixed = check(". --fail-on-conflicts --baseline known.json");
  EXPECT_EQ(fixed.exit_code, 0);
  EXPECT_TRUE(has(fixed.errors, "known.json: an entry is found no more")) << fixed.errors;
  write("known.json", "[]");
  EXPECT_EQ(check(". --baseline known.json").exit_code, 1);
}

TEST_F(SeveralFiles, ABaselineDoesNotHideWhatBecameWorse) {
  const auto kernel = [&](int stride) {
    return fmt::format(
        "constexpr int kStride = {};\n__global__ void __launch_bounds__(32) k(float* y) {{\n"
        "  __shared__ float s[1024];\n  s[threadIdx.x * kStride] = y[0];\n}}\n",
        stride);
  };
  write("a.cu", kernel(4));
  EXPECT_EQ(check("a.cu --baseline known.json --update-baseline --fail-on-conflicts").exit_code, 0);
  write("a.cu", kernel(2));
  EXPECT_EQ(check("a.cu --baseline known.json --fail-on-conflicts").exit_code, 0);
  write("a.cu", kernel(8));
  EXPECT_EQ(check("a.cu --baseline known.json --fail-on-conflicts").exit_code, 4);
}

TEST_F(SeveralFiles, AnnotationsAreForGithub) {
  write("a.cu", kColumn);
  write("b.cu", kOpen);
  const std::string conflict =
      "file=a.cu,line=3,endLine=3,col=3,endColumn=21,title=swizzle-synth bank-conflict::bank conflicts in column: 32 "
      "wavefronts at worst where 1 would do, 32 in all where 1 would\n";
  EXPECT_TRUE(has(check(". --format=github").output, "::warning " + conflict)) << check(". --format=github").output;
  const Run gated = check(". --format=github --fail-on-conflicts");
  EXPECT_EQ(gated.exit_code, 4);
  EXPECT_TRUE(has(gated.output, "::error " + conflict)) << gated.output;
  EXPECT_TRUE(has(gated.output,
                  "::warning file=b.cu,line=1,endLine=1,col=17,endColumn=20,title=swizzle-synth "
                  "not-counted::not counted of open: nothing here tells"))
      << gated.output;
  EXPECT_EQ(check("a.cu --format=github").output, "::warning " + conflict);
  check(". --baseline known.json --update-baseline");
  EXPECT_EQ(check(". --format=github --baseline known.json").output, "");
}

TEST_F(SeveralFiles, ALogForCodeScanning) {
  write("a.cu", kColumn);
  write("b.cu", kOpen);
  ASSERT_EQ(check(". --sarif log.sarif --format=sarif").exit_code, 0);
  EXPECT_EQ(read_file(scratch_ / "log.sarif"), read_file(scratch_ / ".out"));
  const auto log = valid_report(read_file(scratch_ / "log.sarif"), "tests/data/sarif_essentials.schema.json");
  std::vector<std::string> rules;
  for (const auto& result : log["runs"][0]["results"])
    rules.push_back(fmt::format("{} {}", result["ruleId"].get<std::string>(), result["kind"].get<std::string>()));
  EXPECT_EQ(rules, (Lines{"bank-conflict fail", "not-counted open"}));
}

TEST_F(SeveralFiles, SortedAsAsked) {
  write("a.cu", kColumn);
  std::string twice = kColumn;
  twice.replace(twice.find("* 32"), 4, "* 4");
  twice.replace(twice.find("column"), 6, "beside");
  twice.insert(twice.find("}"), "  for (int i = 0; i < 32; ++i) s[threadIdx.x * 4] = i;\n");
  write("b.cu", twice);
  const auto first = [&](const std::string& sort) {
    const std::string out = check(". --sort " + sort).output;
    return out.find("column") < out.find("beside") ? "column" : "beside";
  };
  EXPECT_STREQ(first("lost"), "beside");
  EXPECT_STREQ(first("worst"), "column");
  EXPECT_STREQ(first("share"), "column");
  EXPECT_STREQ(first("kernel"), "beside");
  EXPECT_STREQ(first("file"), "column");
}

}  // namespace
}  // namespace swizzle::test::check_several_test
