// Flags as compilers take them, response files, standard input, colours, and what goes to standard error.
#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test::compiler_flags_test {
namespace {

constexpr const char* kSketch =
    "#include <sizes.h>\n#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
    "__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = x[?sw_xform(t, 32)] + kLast + BIAS; }\n";
constexpr const char* kSpec =
    "#include <sizes.h>\n"
    "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[kLast - i] + kLast + BIAS; }\n";

// A sketch and a spec that need a folder of headers and a macro.
class CompilerFlags : public ::testing::Test {
 protected:
  CompilerFlags() {
    std::filesystem::create_directory(scratch_ / "inc dir");
    scratch_.write("inc dir/sizes.h", "#pragma once\nconstexpr int kLast = 31;\n");
    pair_ = fmt::format("'{}' --spec '{}'", scratch_.write("f.cu", kSketch), scratch_.write("f.cpp", kSpec));
    folder_ = fmt::format("'{}'", (scratch_ / "inc dir").string());
  }
  // In a folder of the test's; standard error alone, behind the exit code.
  std::pair<int, std::string> errors_of(const std::string& arguments, const std::string& before = "",
                                        const std::string& input = "/dev/null") const {
    const std::string err = (scratch_ / "err").string();
    const int status = std::system(fmt::format("cd '{}' && {} '{}' {} > out 2> err < '{}'", scratch_.path(), before,
                                               SWIZZLE_SYNTH_TOOL, arguments, input)
                                       .c_str());
    return {WEXITSTATUS(status), read_file(err)};
  }

  ScratchFolder scratch_;
  std::string pair_, folder_;
};

TEST_F(CompilerFlags, JoinedAndSeparateAreTheSame) {
  const ToolResult joined = run_tool(fmt::format("{} -I{} -DBIAS=7 --run=cpu", pair_, folder_)),
                   separate = run_tool(fmt::format("{} -I {} -D BIAS=7 --run=none", pair_, folder_));
  ASSERT_EQ(joined.exit_code, 0) << joined.output;
  ASSERT_EQ(separate.exit_code, 0) << separate.output;
  EXPECT_EQ(joined.kernel, separate.kernel);
  EXPECT_EQ(joined.report["checked"]["run"]["mismatches"], 0);
}

// The emitted kernel stands alone: it is completed for this value.
TEST_F(CompilerFlags, MacrosStandInTheKernel) {
  const ToolResult r = run_tool(fmt::format("{} -I{} -DBIAS -DOTHER=1 -UOTHER --run=none", pair_, folder_));
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.kernel.find("\n#define BIAS 1\n#define OTHER 1\n#undef OTHER\n#include <sizes.h>\n"), std::string::npos)
      << r.kernel;
}

TEST_F(CompilerFlags, WithoutThemTheSourcesDoNotParse) {
  const ToolResult folder = run_tool(pair_ + " -DBIAS=7 --run=none"),
                   macro = run_tool(fmt::format("{} -I{} --run=none", pair_, folder_));
  EXPECT_EQ(folder.exit_code, 1);
  EXPECT_NE(folder.output.find("f.cu:1:10: error: 'sizes.h' file not found"), std::string::npos) << folder.output;
  EXPECT_EQ(macro.exit_code, 1);
  EXPECT_NE(macro.output.find("use of undeclared identifier 'BIAS'"), std::string::npos) << macro.output;
}

TEST_F(CompilerFlags, MacrosHaveNames) {
  for (const char* macro : {"-D -o", "-D 3=4", "-D=4", "-U 3", "-D '(x)=x'"})
    EXPECT_EQ(run_tool(fmt::format("{} -I{} {} --run=none", pair_, folder_, macro)).exit_code, 2) << macro;
  const ToolResult r = run_tool(fmt::format("{} -I{} '-DADD(x)=(x)' -DBIAS=7 --run=none", pair_, folder_));
  EXPECT_EQ(r.exit_code, 0) << r.output;
}

// It stands in no file.
TEST_F(CompilerFlags, AForcedHeaderThatIsNotThereIsToldOfTheCommandLine) {
  const ToolResult r = run_tool(fmt::format("{} -I{} -DBIAS=7 -include nowhere.h --run=none", pair_, folder_));
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_TRUE(r.output.starts_with("error: -include: 'nowhere.h' file not found\n")) << r.output;
}

TEST_F(CompilerFlags, AHeaderIsForcedUponBoth) {
  const std::string bias = scratch_.write("bias.h", "#pragma once\n#define BIAS 7\n");
  const ToolResult r = run_tool(fmt::format("{} -I{} -include '{}' --run=cpu", pair_, folder_, bias));
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.kernel.find(fmt::format("\n#include \"{}\"\n", bias)), std::string::npos) << r.kernel;
  std::vector<std::string> headers;
  for (const auto& file : r.report["files"])
    if (file["role"] == "header") headers.push_back(std::filesystem::path(file["path"].get<std::string>()).filename());
  EXPECT_EQ(headers, (std::vector<std::string>{"bias.h", "sizes.h"}));
}

TEST_F(CompilerFlags, TheStandardDecidesWhatParses) {
  const std::string sketch = scratch_.write(
      "g.cu",
      "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n"
      "template <int N> __device__ int last() requires(N > 0) { return N - 1; }\n"
      "__global__ void f(const int* x, int* y, int n) { int t = threadIdx.x; y[t] = x[?sw_xform(t, 32)] + last<8>(); }\n");
  const std::string spec = scratch_.write(
      "g.cpp", "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[31 - i] + 7; }\n");
  const std::string pair = fmt::format("'{}' --spec '{}' --run=cpu", sketch, spec);
  EXPECT_EQ(run_tool(pair).exit_code, 1);
  EXPECT_EQ(run_tool(pair + " -std=c++20").exit_code, 0);
  EXPECT_EQ(run_tool(pair + " -std=gnu++20").exit_code, 0);
  EXPECT_EQ(run_tool(pair + " -std=c++98").exit_code, 2);
}

TEST_F(CompilerFlags, AResponseFileHoldsArguments) {
  scratch_.write("inner.rsp", "-I 'inc dir'\n");
  scratch_.write("flags.rsp", "f.cu --spec=f.cpp \"-DBIAS=7\"\n@inner.rsp --run=none -o out.cu");
  const auto [code, said] = errors_of("@flags.rsp");
  EXPECT_EQ(code, 0) << said;
  EXPECT_NE(read_file(scratch_ / "out.cu").find("#define BIAS 7"), std::string::npos);
  EXPECT_EQ(errors_of("@nowhere.rsp").first, 2);
  scratch_.write("circle.rsp", "@circle.rsp");
  EXPECT_EQ(errors_of("@circle.rsp").first, 2);
}

TEST_F(CompilerFlags, AMinusIsStandardInput) {
  const auto [code, said] = errors_of("- --spec f.cpp -I 'inc dir' -DBIAS=7 --run=cpu -o out.cu", "", "f.cu");
  EXPECT_EQ(code, 0) << said;
  EXPECT_NE(said.find("<stdin>: found, cost "), std::string::npos) << said;
  EXPECT_NE(read_file(scratch_ / "out.cu").find(" from <stdin>\n"), std::string::npos);
  EXPECT_EQ(errors_of("- --spec -").first, 2);
}

TEST_F(CompilerFlags, ColorsAreForTerminalsAndForWhoAsks) {
  const std::string wrong = "f.cu --spec f.cpp -DBIAS=7";
  EXPECT_EQ(errors_of(wrong).second.find('\x1b'), std::string::npos);
  EXPECT_NE(errors_of(wrong + " --color=always").second.find("\x1b[1;31merror: \x1b[0m"), std::string::npos);
  EXPECT_NE(errors_of(wrong + " --color=always", "NO_COLOR=1").second.find('\x1b'), std::string::npos);
  const auto on_terminal = [&](const std::string& before) {
    return errors_of("", fmt::format("{} script -qec \"'{}' {}\" typescript; true", before, SWIZZLE_SYNTH_TOOL, wrong)),
           read_file(scratch_ / "typescript");
  };
  if (std::system("command -v script > /dev/null") != 0) GTEST_SKIP() << "there is no script(1)";
  EXPECT_NE(on_terminal("TERM=xterm").find("\x1b[1;31merror: "), std::string::npos);
  EXPECT_EQ(on_terminal("TERM=xterm NO_COLOR=1").find("\x1b[1;31m"), std::string::npos);
  EXPECT_EQ(on_terminal("TERM=dumb").find("\x1b[1;31m"), std::string::npos);
}

nlohmann::json valid_sarif(const std::string& text) {
  return valid_report(text, "tests/data/sarif_essentials.schema.json");
}

TEST_F(CompilerFlags, SarifPointsAtWhatIsWrong) {
  const auto [code, said] = errors_of("f.cu --spec f.cpp -DBIAS=7 --diagnostics=sarif");
  EXPECT_EQ(code, 1);
  const nlohmann::json run = valid_sarif(said)["runs"][0];
  EXPECT_EQ(run["invocations"][0]["exitCode"], 1);
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], false);
  ASSERT_EQ(run["results"].size(), 1u);
  const nlohmann::json& result = run["results"][0];
  EXPECT_EQ(result["level"], "error");
  EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
  const nlohmann::json& place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "f.cu");
  EXPECT_EQ(place["region"], (nlohmann::json{{"startLine", 1}, {"startColumn", 10}, {"endColumn", 11}}));
  EXPECT_EQ(result["relatedLocations"].size(), 1u);
}

TEST_F(CompilerFlags, SarifTellsAnswersAsTheirKinds) {
  const std::string flags = " --run=none --diagnostics=sarif -o out.cu ";
  const std::string folder = SWIZZLE_SOURCE_DIR;
  const auto result_of = [&](const std::string& name, const std::string& more, int expected) {
    const auto [code, said] =
        errors_of(fmt::format("{0}/sketches/{1}.cu --spec {0}/specs/{1}.cpp{2}{3}", folder, name, flags, more));
    EXPECT_EQ(code, expected) << said;
    return valid_sarif(said)["runs"][0]["results"].back();
  };
  const nlohmann::json found = result_of("reverse", "", 0), infeasible = result_of("infeasible_far", "", 10),
                       unknown = result_of("stencil2d_7x7", "--time-limit 1e-6", 20);
  EXPECT_EQ(found["kind"], "pass");
  EXPECT_EQ(infeasible["kind"], "fail");
  EXPECT_EQ(infeasible["ruleId"], "infeasible");
  EXPECT_EQ(unknown["kind"], "open");
  EXPECT_EQ(unknown["level"], "none");
}

TEST_F(CompilerFlags, SarifTellsBankConflicts) {
  const auto [code, said] = errors_of(
      fmt::format("check {}/tests/kernels/transpose.cu --diagnostics=sarif --fail-on-conflicts", SWIZZLE_SOURCE_DIR));
  EXPECT_EQ(code, 4);
  const nlohmann::json results = valid_sarif(said)["runs"][0]["results"];
  EXPECT_TRUE(std::any_of(results.begin(), results.end(), [](const auto& r) {
    return r["ruleId"] == "bank-conflict" && r["level"] == "warning";
  })) << said;
}

TEST_F(CompilerFlags, JsonIsAListOfDiagnostics) {
  const auto [code, said] = errors_of("f.cu --spec f.cpp -DBIAS=7 --diagnostics=json");
  EXPECT_EQ(code, 1);
  const nlohmann::json list = nlohmann::json::parse(said);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0]["severity"], "error");
  EXPECT_EQ(list[0]["line"], 1);
  EXPECT_EQ(list[0]["notes"].size(), 1u);
}

TEST_F(CompilerFlags, TheVersionNamesTheLibraries) {
  ASSERT_EQ(errors_of("--version").first, 0);
  EXPECT_TRUE(
      std::regex_match(read_file(scratch_ / "out"),
                       std::regex(R"(swizzle-synth \d+\.\d+\.\d+ \(LLVM \d+\.\d+\.\d+(, Z3 \d+\.\d+\.\d+)?\)\n)")))
      << read_file(scratch_ / "out");
}

TEST_F(CompilerFlags, AReportIsWrittenForEveryExitCode) {
  const std::string folder = SWIZZLE_SOURCE_DIR;
  const auto report_of = [&](const std::string& arguments) {
    std::filesystem::remove(scratch_ / "r.json");
    const auto [code, said] = errors_of(arguments + " --report r.json -o out.cu");
    const nlohmann::json report = valid_report(read_file(scratch_ / "r.json"), "docs/report.schema.json");
    EXPECT_EQ(report["exit_code"], code) << said;
    EXPECT_GT(report["peak_memory_bytes"], 1 << 20);
    return report;
  };
  const nlohmann::json bad = report_of("f.cu --spec f.cpp");
  EXPECT_EQ(bad["exit_code"], 1);
  EXPECT_EQ(bad["outcome"], "error");
  EXPECT_EQ(bad["reason"], bad["diagnostics"][0]["message"]);
  EXPECT_TRUE(bad["machine"].is_null());
  EXPECT_EQ(bad["files"][0]["sha256"].get<std::string>().size(), 64u);
  EXPECT_TRUE(report_of("nowhere.cu --spec f.cpp")["files"][0]["sha256"].is_null());
  EXPECT_EQ(report_of("f.cu --spec f.cpp --jobs=0")["exit_code"], 2);
  if (!std::filesystem::exists("/dev/nvidia0")) {
    EXPECT_EQ(report_of("f.cu --spec f.cpp --run=gpu")["exit_code"], 5);
  }
  const nlohmann::json found = report_of("f.cu --spec f.cpp -I 'inc dir' -DBIAS=7 --run=none");
  EXPECT_EQ(found["machine"], "sm_90");
  EXPECT_EQ(found["command"]["arguments"][0], "f.cu");
  EXPECT_TRUE(found["checked"]["run"].is_null());
}

// None of the commands passes on what stands behind --, except for check --ptx.
TEST_F(CompilerFlags, FlagsBehindDashesAreNoFiles) {
  for (const char* command : {"f.cu --spec f.cpp", "verify f.cu --spec f.cpp", "check f.cu"}) {
    const auto [code, said] = errors_of(fmt::format("{} -- -include nowhere.h", command));
    EXPECT_EQ(code, 2) << said;
    EXPECT_EQ(said.rfind("--: behind it stand files, and '-include' looks like a flag; ", 0), 0u) << said;
  }
  EXPECT_EQ(errors_of("--spec f.cpp -I 'inc dir' -DBIAS=7 --run=none -- f.cu").first, 0);
}

// A report is written over no file that the command line names otherwise.
TEST_F(CompilerFlags, AWrongCommandLineHurtsNoFile) {
  scratch_.write("k.cu", "kept");
  for (const char* outputs : {"-o k.cu --report k.cu", "-ok.cu --report k.cu", "--report f.cu", "--report=f.cpp"})
    EXPECT_EQ(errors_of(fmt::format("f.cu --spec f.cpp --jobs=0 {}", outputs)).first, 2) << outputs;
  EXPECT_EQ(read_file(scratch_ / "k.cu"), "kept");
  EXPECT_EQ(read_file(scratch_ / "f.cu"), kSketch);
  EXPECT_EQ(read_file(scratch_ / "f.cpp"), kSpec);
}

}  // namespace
}  // namespace swizzle::test::compiler_flags_test
