#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test::bad_input_test {
namespace {

constexpr const char* kDirectives = "#pragma swizzle launch grid(1) block(32)\n#pragma swizzle instance n = 32\n";
constexpr const char* kSpec =
    "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[n - 1 - i]; }\n";

std::string kernel(const std::string& body) {
  return std::string(kDirectives) + "__global__ void f(const int* x, int* y, int n) {\n  int t = threadIdx.x;\n" +
         body + "\n}\n";
}

ToolResult run_text(const std::string& sketch, const std::string& spec = kSpec, const std::string& more = "") {
  const ScratchFolder scratch;
  const std::string a = scratch.write("sketch.cu", sketch), b = scratch.write("spec.cpp", spec);
  return run_tool("'" + a + "' --spec '" + b + "' " + (more.find("--run") == std::string::npos ? "--run=none " : "") +
                  more);
}

struct Bad {
  const char* name;
  std::string sketch;
  const char* says;
  std::string spec = kSpec;
};

class BadInput : public testing::TestWithParam<Bad> {};

TEST_P(BadInput, IsOneClearDiagnostic) {
  const ToolResult r = run_text(GetParam().sketch, GetParam().spec);
  EXPECT_EQ(r.exit_code, 1) << r.output;
  EXPECT_NE(r.output.find("error: "), std::string::npos) << r.output;
  EXPECT_NE(r.output.find(GetParam().says), std::string::npos) << r.output;
  EXPECT_TRUE(r.kernel.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Sketches, BadInput,
    testing::Values(
        Bad{"NoKernel", "// none\nint a;\n", "sketch.cu:2:1: error: there is no __global__ function here"},
        Bad{"NothingAtAll", "", "sketch.cu:1:1: error: there is no __global__ function here"},
        Bad{"MisspeltHole", kernel("  y[t] = x[?sw_xfrom(t, 32)];"),
            "sketch.cu:5:12: error: unknown hole '?sw_xfrom'; did you mean '?sw_xform'?"},
        Bad{"ATypeThatNothingTells",
            "__global__ separate\nconstexpr int k = 3;\n" + kernel("  for (int j = 0; j < k; j++) y[t] = x[t];"),
            "error: "},
        Bad{"BracketsThatDoNotMatch", kernel("  accumulate(o, [x[t], x[t]}, ?sw_cond(t));"), "sketch.cu:5:"},
        Bad{"RosettesHole", kernel("  y[t] = x[?sw-xform(t, 32)];"),
            "sketch.cu:5:12: error: unknown hole '?sw-xform'; did you mean '?sw_xform'?"},
        Bad{"ForgottenQuestionMark", kernel("  y[t] = x[sw_xform(t, 32)];"),
            "sketch.cu:5:12: error: use of undeclared identifier 'sw_xform'; did you mean '?sw_xform'?"},
        Bad{"MisspeltLoad", kernel("  auto r = laod(x, 0, 1, 2); y[t] = r[0];"),
            "sketch.cu:5:12: error: use of undeclared identifier 'laod'; did you mean 'load'?"},
        Bad{"MisspeltIntrinsic", kernel("  y[t] = __popcc(x[t]);"),
            "sketch.cu:5:10: error: use of undeclared identifier '__popcc'; did you mean '__popc'?"},
        Bad{"MisspeltPragma", "#pragma swizzl check n = 64\n" + kernel("  y[t] = x[t];"),
            "sketch.cu:1:9: error: unknown pragma 'swizzl'; did you mean 'swizzle'?"},
        Bad{"MisspeltDirective", "#pragma swizzle instanec n = 64\n" + kernel("  y[t] = x[t];"),
            "sketch.cu:1:17: error: unknown directive 'instanec'; did you mean 'instance'?"},
        Bad{"SwappedParameters", kernel("  y[t] = x[t];"),
            "spec.cpp:1:13: error: 'y' is parameter 1 of the spec and parameter 2 of the kernel",
            "void f(int* y, const int* x, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n"},
        Bad{"SeveralKernels", "__global__ void f(int* y) {}\n__global__ void g(int* y) {}\n",
            "choose one with --kernel"},
        Bad{"DoesNotParse", kernel("  y[t] = x[t"), "expected"},
        Bad{"AlmostTune", kernel("  y[t] = x[?sw_tuen(1, 2)];"),
            "sketch.cu:5:12: error: unknown hole '?sw_tuen'; did you mean '?sw_tune'?"},
        Bad{"HoleWithoutItsPrefix", kernel("  y[t] = x[?xform(t, 32)];"),
            "sketch.cu:5:12: error: unknown hole '?xform'; did you mean '?sw_xform'?"},
        Bad{"HoleWithoutAnUnderscore", kernel("  y[t] = x[?swxform(t, 32)];"),
            "sketch.cu:5:12: error: unknown hole '?swxform'; did you mean '?sw_xform'?"},
        Bad{"HoleWithoutParentheses", kernel("  y[t] = x[?sw_xform];"),
            "sketch.cu:5:12: error: ?sw_xform(i, n, k…) has its arguments in parentheses"},
        Bad{"UnknownHole", kernel("  y[t] = x[?sw_foo(t)];"), "sketch.cu:5:12: error: unknown hole '?sw_foo'"},
        Bad{"HoleWithTooFewArguments", kernel("  y[t] = x[?sw_xform(t)];"),
            "sketch.cu:5:12: error: ?sw_xform(i, n, k…) takes more arguments"},
        Bad{"ExtraHoleWithTooFewArguments", kernel("  y[t] = x[?sw_xform_extra(t)];"),
            "sketch.cu:5:12: error: ?sw_xform_extra(i, n, k…) takes more arguments"},
        Bad{"ExtraHoleOfTooMany", kernel("  y[t] = x[?sw_xform_extra(t, 96)];"), "must be between 1 and 64, and is 96"},
        Bad{"HoleOnData", kernel("  y[t] = x[?sw_xform(x[t], 32)];"), "must not depend on data"},
        Bad{"IndexOfHoleBelow", kernel("  y[t] = x[?sw_xform(t - 1, 32)];"), "and is -1: take it & 31"},
        Bad{"IndexOfHoleOutside", kernel("  y[t] = x[?sw_xform(t + 1, 32)];"),
            "the index must be in [0, 32), and is 32: take it % 32"},
        Bad{"EndlessLoop", kernel("  while (true) t++;\n  y[t] = 0;"), "does a loop here never end?"},
        Bad{"ReadOutside", kernel("  y[t] = x[t + 1];"), "index 32 is outside 'x' of 32 elements"},
        Bad{"ReadOutsideAnArray", kernel("  int r[2][3]; y[t] = r[1][3];"), "index 3 is outside 'r[1]' of 3 elements"},
        Bad{"HowToLengthenABuffer", kernel("  y[t] = x[t + 1];"),
            "note: a buffer is as long as the spec uses it; '#pragma swizzle extent x(…)' makes it longer"},
        Bad{"UnknownHeader", "#include <thrust/sort.h>\n" + kernel("  y[t] = x[t];"),
            "note: beside files of your own there are cuda_runtime.h, "},
        Bad{"SpecStoresNothing", kernel("  y[t] = x[?sw_xform(t, 32)];"),
            "spec.cpp:1:6: error: the spec stores nothing at n = 32",
            "void f(const int* x, int* y, int n) { for (int i = n; i < n; i++) y[i] = x[i]; }\n"},
        Bad{"TrapThatIsReached", kernel("  y[t] = x[31 - t];\n  if (t > 3) __trap();"),
            "sketch.cu:6:14: error: thread 4 ends the launch here"},
        Bad{"StoreOfTooMuch", kernel("  int r[1] = {x[31 - t]};\n  store(y, 0, 1, 1000000000, r);"),
            "store() takes a slice and a number of iterations that are constants of 1 or more, for 1024 registers at most"},
        Bad{"StoreOfAScalar", kernel("  int v = x[31 - t];\n  store(y, 0, 1, 1, v);"),
            "sketch.cu:6:21: error: store() takes an array of registers: float r[1] = {v};"},
        Bad{"StrayStore", "#pragma swizzle extent y(n)\n" + kernel("  y[t] = x[31 - t];"),
            "stores to 'y[1]', which the spec does not write",
            "void f(const int* x, int* y, int n) { y[0] = x[0] + x[31]; }\n"},
        Bad{"NoLaunch",
            "#pragma swizzle instance n = 32\n__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = 0; }\n",
            "no launch shape is given"},
        Bad{"NoSize",
            "#pragma swizzle launch grid(1) block(32)\n__global__ void f(const int* x, int* y, int n) { y[threadIdx.x] = 0; }\n",
            "no size is given for 'n'"},
        Bad{"UnknownSize", "#pragma swizzle instance m = 1\n" + kernel("  y[t] = x[t];"),
            "the kernel has no integer parameter 'm'"},
        Bad{"UnknownDirective", "#pragma swizzle lunch grid(1)\n" + kernel("  y[t] = x[t];"),
            "unknown directive 'lunch'"},
        Bad{"Goto", kernel("again: if (t < 0) goto again;\n  y[t] = x[t];"), "is not supported in a sketch"},
        Bad{"Race", kernel("  __shared__ int s[32];\n  s[t] = x[t];\n  y[t] = s[31 - t];"),
            "without a barrier between them: a race"},
        Bad{"OtherSignature", kernel("  y[t] = x[t];"), "the spec takes 2 parameters, and the kernel 3",
            "void f(const int* x, int* y) { y[0] = x[0]; }\n"},
        Bad{"OtherType", kernel("  y[t] = x[t];"), "is 'const float *' in the spec",
            "void f(const float* x, int* y, int n) { y[0] = 0; }\n"},
        Bad{"BeforeTheStart", kernel("  y[t] = x[t];"),
            "spec.cpp:1:74: error: index -1 is outside 'x', before its start",
            "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i - 1]; }\n"},
        Bad{"SpecStoresUndefined", kernel("  y[t] = 0;"),
            "spec.cpp:1:74: error: the spec stores an undefined value in 'y[0]' at n = 32",
            "void f(const int* x, int* y, int n) { int s; for (int i = 0; i < n; i++) y[i] = s; }\n"},
        Bad{"SpecTakesAReference", kernel("  y[t] = x[t];"), "parameter 'n' is a reference",
            "void f(const int* x, int* y, const int& n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n"},
        Bad{"SpecIsATemplate", kernel("  y[t] = x[t];"), "the spec 'f' is a template",
            "template <class T> void f(const T* x, T* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }\n"},
        Bad{"SizeTwice", "#pragma swizzle instance n = 32, n = 64\n" + kernel("  y[t] = x[t];"),
            "sketch.cu:1:34: error: 'n' has a value already"},
        Bad{"SizeThatDoesNotFit", "#pragma swizzle instance n = 4294967296\n" + kernel("  y[t] = x[t];"),
            "sketch.cu:1:26: error: n = 4294967296 does not fit in 'int'"},
        Bad{"ExtentOfNoBuffer", "#pragma swizzle extent y(n), z(n)\n" + kernel("  y[t] = x[t];"),
            "sketch.cu:1:30: error: the kernel has no buffer 'z'"},
        Bad{"HoleInLaunchBounds",
            std::string(kDirectives) +
                "__global__ __launch_bounds__(?sw_const(1, 64)) void f(const int* x, int* y, int n) { y[threadIdx.x] = 0; }\n",
            "sketch.cu:3:12: error: the arguments of __launch_bounds__ must be constants"},
        Bad{"NoSpecFunction", kernel("  y[t] = x[t];"), "spec.cpp:1:1: error: there is no function 'f' or 'spec' here",
            "int a;\n"},
        Bad{"OtherSpecFunction", kernel("  y[t] = x[t];"),
            "spec.cpp:1:1: error: there is no function 'f' or 'spec' here; there are g, h",
            "void g(int* y) {}\nvoid h(int* y) {}\n"}),
    [](const auto& info) { return std::string(info.param.name); });

struct Outcome {
  int exit_code;
  bool kernel, report, drawing;  // files of an earlier run's names that are there afterwards
};

// Over the results of an earlier run.
Outcome run_over_results(const std::string& arguments) {
  const ScratchFolder scratch;
  const std::string kernel = scratch.write("k.cu", "old"), report = scratch.write("r.json", "old"),
                    drawing = scratch.write("d.svg", "old");
  const int status =
      std::system(fmt::format("cd '{}' && '{}' {} --run=none -o '{}' --report '{}' --draw '{}' > /dev/null 2>&1",
                              SWIZZLE_SOURCE_DIR, SWIZZLE_SYNTH_TOOL, arguments, kernel, report, drawing)
                      .c_str());
  for (const std::string& path : {kernel, report, drawing}) EXPECT_NE(read_file(path), "old") << arguments << path;
  return {WEXITSTATUS(status), std::filesystem::exists(kernel), std::filesystem::exists(report),
          std::filesystem::exists(drawing)};
}

TEST(BadCommand, LeavesNoResultsOfAnEarlierRun) {
  const Outcome found = run_over_results("sketches/toy_transpose8.cu --spec specs/toy_transpose8.cpp");
  EXPECT_EQ(found.exit_code, 0);
  EXPECT_TRUE(found.kernel && found.report && found.drawing);
  const Outcome bad = run_over_results("nowhere.cu --spec specs/stencil1d.cpp");
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_TRUE(bad.report);
  EXPECT_FALSE(bad.kernel || bad.drawing);
  const Outcome unknown =
      run_over_results("sketches/toy_transpose8.cu --spec specs/toy_transpose8.cpp --time-limit 1e-9");
  EXPECT_EQ(unknown.exit_code, 20);
  EXPECT_TRUE(unknown.report);
  EXPECT_FALSE(unknown.kernel || unknown.drawing);
}

TEST(Reports, AreWrittenOfAWrongCommandLine) {
  for (const char* wrong : {"--no-such-flag", "@no/such/file", "sketches/reverse.cu"}) {  // two of one name
    const ToolResult r = run_pair("reverse", wrong);
    EXPECT_EQ(r.exit_code, 2) << wrong << r.output;
    ASSERT_TRUE(r.report.is_object()) << wrong;
    EXPECT_EQ(r.report["exit_code"], 2) << wrong;
    EXPECT_EQ(r.report["outcome"], "error") << wrong;
  }
}

TEST(Reports, OfACheckAreWrittenOfAWrongCommandLine) {
  const ScratchFolder scratch;
  for (const char* wrong : {"--no-such-flag", "@no/such/file"}) {
    const std::string report = scratch.write("r.json", "old"), log = scratch.write("r.sarif", "old");
    const int status = std::system(
        fmt::format("cd '{}' && '{}' check tests/kernels/transpose.cu {} --json '{}' --sarif '{}' 2> /dev/null",
                    SWIZZLE_SOURCE_DIR, SWIZZLE_SYNTH_TOOL, wrong, report, log)
            .c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2) << wrong;
    EXPECT_EQ(valid_report(read_file(report), "docs/check.schema.json")["exit_code"], 2) << wrong;
    EXPECT_EQ(nlohmann::json::parse(read_file(log))["version"], "2.1.0") << wrong;
  }
}

TEST(Reports, SayWhetherAKernelIsUpToDate) {
  const ScratchFolder scratch;
  const std::string kernel = scratch.write("k.cu", "old"), report = scratch.write("r.json", "old");
  const auto said = [&](const std::string& sketch, const std::string& flag) {
    const int status = std::system(fmt::format("cd '{}' && '{}' '{}' --spec specs/reverse.cpp --run=none -o '{}' "
                                               "--report '{}' {} > /dev/null 2>&1",
                                               SWIZZLE_SOURCE_DIR, SWIZZLE_SYNTH_TOOL, sketch, kernel, report, flag)
                                       .c_str());
    const nlohmann::json json = valid_report(read_file(report), "docs/report.schema.json");
    EXPECT_EQ(json["exit_code"], WEXITSTATUS(status));
    return json;
  };
  const auto stale = said("sketches/reverse.cu", "--check-up-to-date");
  EXPECT_EQ(stale["exit_code"], 6);
  EXPECT_EQ(stale["outcome"], "error");
  EXPECT_EQ(stale["diagnostics"][0]["path"], kernel);
  EXPECT_EQ(said("no/such/sketch.cu", "--check-up-to-date")["exit_code"], 1);
  said("sketches/reverse.cu", "--stamp");
  const auto fresh = said("sketches/reverse.cu", "--check-up-to-date");
  EXPECT_EQ(fresh["exit_code"], 0);
  EXPECT_EQ(fresh["outcome"], "found");
}

TEST(Reports, HaveNeitherCostNorTimesWhereThereAreNone) {
  const ToolResult infeasible = run_pair("infeasible_far", "--run=cpu");
  ASSERT_EQ(infeasible.exit_code, 10);
  for (const char* key : {"cost", "optimality"}) EXPECT_TRUE(infeasible.report.at(key).is_null()) << key;
  for (const char* phase : {"emit", "reread", "run"}) EXPECT_TRUE(infeasible.report["seconds"].at(phase).is_null());
  EXPECT_GT(infeasible.report["seconds"]["search"], 0);
  const ToolResult unknown = run_pair("stencil1d", "--run=none --time-limit 1e-9");
  ASSERT_EQ(unknown.exit_code, 20);
  for (const char* key : {"cost", "optimality", "search_space"}) EXPECT_TRUE(unknown.report.at(key).is_null()) << key;
  EXPECT_GT(unknown.report["seconds"]["parse"], 0);
  EXPECT_TRUE(unknown.report["seconds"]["search"].is_null());
  EXPECT_TRUE(run_pair("reverse", "--run=none").report["seconds"]["run"].is_null());
}

TEST(BadCommand, AFlagIsSuggested) {
  EXPECT_NE(run_pair("reverse", "--reprot r.json").output.find("unknown flag '--reprot'; did you mean '--report'?"),
            std::string::npos);
}

TEST(BadCommand, AFlagIsSuggestedThatHidesAnotherError) {
  EXPECT_NE(run_tool("sketches/reverse.cu --spce specs/reverse.cpp")
                .output.find("unknown flag '--spce'; did you mean '--spec'?"),
            std::string::npos);
  EXPECT_EQ(run_tool("sketches/reverse.cu").output.find("unknown flag"), std::string::npos);
}

TEST(BadCommand, ACommandIsSuggested) {
  const ToolResult r = run_tool("chekc sketches/reverse.cu");
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_NE(r.output.find("unknown command 'chekc'; did you mean 'check'?"), std::string::npos) << r.output;
  EXPECT_EQ(run_pair("reverse", "--run=none").output.find("unknown command"), std::string::npos);
}

TEST(BadCommand, AHeaderThatIsNotFoundInAHeaderHasALocation) {
  const ScratchFolder scratch;
  scratch.write("own.h", "// mine\n#include \"other.h\"\n");
  const std::string sketch = scratch.write("k.cu", "#include \"own.h\"\n" + kernel("  y[t] = x[t];"));
  const ToolResult r = run_tool(fmt::format("'{}' --spec '{}' --run=none", sketch, scratch.write("k.cpp", kSpec)));
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("own.h:2:10: error: 'other.h' file not found"), std::string::npos) << r.output;
}

TEST(BadCommand, AUsageErrorTouchesNothing) {
  const ScratchFolder scratch;
  const std::string kernel = scratch.write("k.cu", "old");
  EXPECT_EQ(run_tool(fmt::format("sketches/reverse.cu --no-such-flag --draw '{}'", kernel)).exit_code, 2);
  EXPECT_EQ(read_file(kernel), "old");
}

TEST(BadCommand, MissingFile) {
  const ToolResult r = run_tool("nowhere.cu --spec specs/stencil1d.cpp");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("nowhere.cu: error: no such file"), std::string::npos) << r.output;
}

TEST(BadCommand, UsageExitsWithTwo) {
  EXPECT_EQ(run_tool("--no-such-flag").exit_code, 2);
  EXPECT_EQ(run_tool("sketches/stencil1d.cu").exit_code, 2);
}

TEST(BadCommand, SourcesAreNotOverwritten) {
  const ScratchFolder scratch;
  const std::string sketch = scratch.write("sketch.cu", kernel("  y[t] = x[?sw_xform(t, 32)];")),
                    spec = scratch.write("spec.cpp", kSpec);
  const std::string before = read_file(sketch),
                    command = fmt::format("cd '{}' && '{}' sketch.cu --spec spec.cpp --run=none ", scratch.path(),
                                          SWIZZLE_SYNTH_TOOL);
  for (const char* outputs : {"-o sketch.cu", "-o ./sketch.cu", "-o spec.cpp", "-o a.cu --report sketch.cu",
                              "-o a.cu --report a.cu", "--report -"}) {
    const int status = std::system((command + outputs + " > /dev/null 2>&1").c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2) << outputs;
  }
  EXPECT_EQ(read_file(sketch), before);
}

TEST(BadCommand, AMinusIsStandardOutput) {
  const ScratchFolder scratch;
  scratch.write("sketch.cu", kernel("  y[t] = x[?sw_xform(t, 32)];")), scratch.write("spec.cpp", kSpec);
  const std::string command =
      fmt::format("cd '{}' && '{}' sketch.cu --spec spec.cpp --run=cpu ", scratch.path(), SWIZZLE_SYNTH_TOOL);
  EXPECT_EQ(std::system((command + "-o - > kernel.cu 2> /dev/null").c_str()), 0);
  EXPECT_NE(read_file(scratch / "kernel.cu").find("__global__"), std::string::npos);
  EXPECT_EQ(std::system((command + "-o a.cu --report - > report.json 2> /dev/null").c_str()), 0);
  EXPECT_EQ(nlohmann::json::parse(read_file(scratch / "report.json"))["outcome"], "found");
  EXPECT_FALSE(std::filesystem::exists(scratch / "-"));
}

TEST(BadCommand, UnknownSetVariable) {
  const ToolResult r = run_pair("stencil1d", "--run=none --set m=3");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("no integer parameter 'm'"), std::string::npos) << r.output;
}

TEST(Unseen, AReversalIsFoundUnderOtherNames) {
  const ToolResult r =
      run_text(kernel("  int mine = x[t];\n  y[t] = __shfl_sync(0xffffffff, mine, ?sw_xform(t, 32));"));
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_NE(r.kernel.find("31"), std::string::npos) << r.kernel;
}

TEST(Unseen, AByteOrderMarkIsSkipped) {
  const ToolResult r =
      run_text("\xef\xbb\xbf" + kernel("  y[t] = x[?sw_xform(t, 32)];"), "\xef\xbb\xbf" + std::string(kSpec));
  EXPECT_EQ(r.exit_code, 0) << r.output;
}

TEST(Unseen, ASpecMayStandInAWholeProgram) {
  const std::string program =
      "#include <iostream>\n#include <vector>\n" + std::string(kSpec) +
      "int main() { std::vector<int> a(32), b(32); f(a.data(), b.data(), 32); std::cout << b[0]; }\n";
  const ToolResult r = run_text(kernel("  y[t] = x[?sw_xform(t, 32)];"), program, "--run=cpu");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
}

TEST(Unseen, ASpecMayCountBitsAsCompilersDo) {
  const std::string spec =
      "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = __builtin_popcount(x[i]) + __builtin_clz(i + 1); }\n";
  const ToolResult r = run_text(kernel("  y[t] = __popc(x[?sw_xform(t, 32)]) + __clz(t + 1);"), spec, "--run=cpu");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
}

TEST(Unseen, ConstantsOfCudaAndOfTheStandardLibrary) {
  const std::string sketch =
      "#include <math_constants.h>\n#include <cfloat>\n#include <climits>\n#pragma swizzle extent x(n)\n" +
      kernel(
          "  float v = x[t] * 1.0f, m = t < 4 ? CUDART_INF_F : v;\n  y[t] = m > FLT_MAX ? INT_MAX : x[?sw_xform(t, 32)] + SHRT_MIN;");
  const std::string spec =
      "#include <climits>\nvoid f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = i < 4 || float(x[i]) > 3.402823466e+38f ? INT_MAX : x[n - 1 - i] - 32768; }\n";
  const ToolResult r = run_text(sketch, spec, "--run=cpu");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
}

TEST(BadInput, AFaultAtACheckSizeIsOneOfTheSketch) {
  const std::string sketch =
      "#pragma swizzle launch grid((n + 31) / 32) block(32)\n#pragma swizzle instance n = 64\n#pragma swizzle check n = 1\n"
      "__global__ void f(const int* x, int* y, int n) {\n  int i = blockIdx.x * 32 + threadIdx.x, v = i < n ? x[i] : 0;\n  v = __shfl_sync(~0u, v, ?sw_xform(i % 32, 32));\n  if (i < n) y[i] = v;\n}\n";
  const ToolResult r = run_text(
      sketch,
      "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) { int p = i ^ 1; y[i] = p < n ? x[p] : 0; } }\n");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.output.find("sketch.cu:5:54: error: index 0 is outside 'x' of 0 elements"), std::string::npos)
      << r.output;
  EXPECT_NE(r.output.find("note: this happens at n=1"), std::string::npos) << r.output;
  EXPECT_TRUE(r.kernel.empty());
}

TEST(Infeasible, NamesTheHoleByItsPlace) {
  const ToolResult r =
      run_text(kernel("  y[t] = x[?sw_xor(t, 32)];"),
               "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[(i + 1) % n]; }\n");
  EXPECT_EQ(r.exit_code, 10);
  EXPECT_NE(r.output.find("the ?sw_xor at 5:12"), std::string::npos) << r.output;
}

}  // namespace
}  // namespace swizzle::test::bad_input_test
