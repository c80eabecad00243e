// `swizzle-synth check --recorded`: the launches of a recording, and no others; and `record` where there is no GPU.
#include <gtest/gtest.h>

#include "tests/end_to_end/check_launches.h"

namespace swizzle::test::check_recorded_test {
namespace {

using nlohmann::json;

json number(int value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += fmt::format("{:02x}", (static_cast<unsigned>(value) >> (8 * i)) & 255U);
  return {{"type", "int"}, {"bytes", bytes}, {"value", value}, {"pointers", json::array()}};
}

json pointer() {
  return {{"type", "float*"},
          {"bytes", "0000000000000000"},
          {"pointers", json::array({{{"offset", 0}, {"bytes_behind", 4096}}})}};
}

json launch(const std::string& kernel, const std::string& mangled, int threads, json parameters, int occurrences = 1) {
  return {{"kernel", kernel},
          {"mangled", mangled},
          {"grid", {2, 1, 1}},
          {"block", {threads, 1, 1}},
          {"shared_bytes", 0},
          {"occurrences", occurrences},
          {"parameters", std::move(parameters)}};
}

// As a recorder would write it.
std::string recording(const std::vector<json>& launches, const json& others = json::array()) {
  const json all{{"schema", 1},
                 {"tool", {{"name", "swizzle-synth"}, {"version", "0.1.0"}}},
                 {"command", {{"arguments", {"./app"}}, {"folder", "/home"}}},
                 {"devices", {"NVIDIA H200"}},
                 {"launches", launches},
                 {"others", others}};
  return valid_report(all.dump(), "docs/recording.schema.json").dump();
}

CheckResult check_recorded(const std::string& text, const std::vector<json>& recorded,
                           const std::string& arguments = "", const json& others = json::array()) {
  const ScratchFolder scratch;
  return check_text(
      text, fmt::format("--recorded '{}' {}", scratch.write("run.json", recording(recorded, others)), arguments));
}

constexpr const char* kStrided =
    "__global__ void f(float* x, int stride) { __shared__ float s[1024]; s[threadIdx.x * stride] = x[0]; }\n"
    "__global__ void never(float* x) { __shared__ float s[1024]; s[threadIdx.x * 32] = x[0]; }\n"
    "void run(float* x) { f<<<1, 32>>>(x, 16); }\n";

TEST(CheckRecorded, LaunchesOfTheRecordingCountWorstFirst) {
  const CheckResult r = check_recorded(kStrided, {launch("f", "_Z1fPfi", 32, {pointer(), number(1)}, 7),
                                                  launch("f", "_Z1fPfi", 64, {pointer(), number(2)}),
                                                  launch("f", "_Z1fPfi", 32, {pointer(), number(8)}, 12)});
  EXPECT_EQ(r.exit_code, 0) << r.errors;
  EXPECT_EQ(launches(r), "f (2) (32) stride = 8; f (2) (64) stride = 2; f (2) (32) stride = 1");
  EXPECT_EQ(r.accesses("f", "shared"),
            (Lines{"store s 8/1 of 2 = 16", "store s 2/1 of 4 = 8", "store s 1/1 of 2 = 2"}));
  EXPECT_EQ(r.report["kernels"][0]["recorded"], (json{{"kernel", "f"}, {"occurrences", 12}}));
  EXPECT_EQ(r.report["kernels"][0]["launch"], "recorded 12 times");
  EXPECT_EQ(r.report["kernels"][0]["assumed"], json::array());
  EXPECT_EQ(r.report["kernels"][1]["launch"], "recorded once");
}

TEST(CheckRecorded, LaunchesThatDifferInDataAloneAreOne) {
  json x = number(3);
  x["type"] = "float";
  x["bytes"] = "0000003f";  // 0.5
  json y = x;
  y["bytes"] = "0000803e";  // 0.25
  const std::string text =
      "__global__ void f(float* x, float a) { __shared__ float s[64]; s[threadIdx.x * 2] = x[0] * a; }\n";
  const CheckResult r = check_recorded(
      text, {launch("f", "_Z1fPff", 32, {pointer(), x}, 2), launch("f", "_Z1fPff", 32, {pointer(), y}, 3)});
  ASSERT_EQ(r.report["kernels"].size(), 1u) << r.errors;
  EXPECT_EQ(r.report["kernels"][0]["recorded"]["occurrences"], 5);
}

TEST(CheckRecorded, TemplatesAreInstancesOfTheRecording) {
  const std::string text =
      "enum Mode { kA, kB };\nnamespace ns {\n"
      "template <int N, Mode M, class T> __global__ void f(T* x) { __shared__ T s[4096]; s[threadIdx.x * N] = x[0]; }\n}\n"
      "static __global__ void g(int n) { __shared__ int s[1024]; s[threadIdx.x * n] = n; }\n"
      "extern \"C\" __global__ void h(int n) { __shared__ int s[1024]; s[threadIdx.x * n] = n; }\n";
  const CheckResult r =
      check_recorded(text, {launch("ns::f<4, (Mode)1, float>", "_ZN2ns1fILi4EL4Mode1EfEEvPT1_", 32, {pointer()}),
                            launch("ns::f<8, (Mode)0, double>", "_ZN2ns1fILi8EL4Mode0EdEEvPT1_", 32, {pointer()}),
                            launch("g", "_ZN37_INTERNAL_6d8a7e6b_4_k_cu_9e6b5e3f1gEi", 32, {number(2)}),
                            launch("h", "h", 32, {number(3)})});
  EXPECT_EQ(r.exit_code, 0) << r.errors;
  EXPECT_EQ(launches(r), "f<4, kB, float> (2) (32); f<8, kA, double> (2) (32); g (2) (32) n = 2; h (2) (32) n = 3");
  EXPECT_EQ(r.report["uncounted"], json::array());
}

TEST(CheckRecorded, NumbersInRecordsAndNarrowOnesAreSet) {
  const std::string text =
      "struct Shape { float* data; int rows; short pitch; };\n"
      "__global__ void f(Shape p, bool wide, unsigned char step) {\n  __shared__ int s[4096];\n"
      "  s[threadIdx.x * p.pitch * (wide ? 2 : 1) * step] = p.rows;\n}\n";
  const json record = {{"type", "Shape"},
                       {"bytes", "00000000000000000700000004000000"},
                       {"pointers", json::array({{{"offset", 0}, {"bytes_behind", 64}}})}};
  const auto byte = [](const std::string& type, const std::string& digits) {
    return json{{"type", type}, {"bytes", digits}, {"pointers", json::array()}};
  };
  const CheckResult r = check_recorded(
      text, {launch("f", "_Z1f5Shapebh", 32, {record, byte("bool", "01"), byte("unsigned char", "02")})});
  EXPECT_EQ(launches(r), "f (2) (32) p.pitch = 4 p.rows = 7 step = 2 wide = 1") << r.errors;
  EXPECT_EQ(r.accesses("f", "shared"), (Lines{"store s 16/1 of 2 = 32"}));
}

TEST(CheckRecorded, PtxIsGivenWhatWasRecorded) {
  const ScratchFolder scratch;
  const std::string ptx = scratch.write(
      "k.ptx",
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry _Z1fi(.param .u32 _Z1fi_param_0)\n{\n"
      "  .reg .b32 %r<5>;\n  .shared .align 4 .b8 s[4096];\n  ld.param.u32 %r1, [_Z1fi_param_0];\n  mov.u32 %r2, %tid.x;\n"
      "  mul.lo.s32 %r3, %r2, %r1;\n  mov.u32 %r4, s;\n  add.s32 %r4, %r4, %r3;\n  st.shared.u32 [%r4], %r3;\n  ret;\n}\n");
  const std::string run = scratch.write("run.json", recording({launch("f", "_Z1fi", 32, {number(64)})}));
  const CheckResult r = run_check(fmt::format("'{}' --recorded '{}'", ptx, run));
  EXPECT_EQ(r.accesses("f", "shared"), (Lines{"store s 16/1 of 2 = 32"})) << r.errors;
}

TEST(CheckRecorded, WhatIsNotHereOrNotKeptIsToldOnce) {
  const CheckResult r = check_recorded(
      kStrided,
      {launch("f", "_Z1fPfi", 32, {pointer(), number(1)}), launch("gone<2>", "_Z4goneILi2EEvPf", 32, {pointer()}, 3),
       launch("gone<2>", "_Z4goneILi2EEvPf", 64, {pointer()}, 4)},
      "--fail-on-conflicts", json::array({{{"kernel", "f"}, {"occurrences", 9}}}));
  EXPECT_EQ(r.exit_code, 20) << r.errors;
  ASSERT_EQ(r.report["uncounted"].size(), 2u);
  EXPECT_EQ(r.report["uncounted"][0]["message"], "'f' was launched in more ways than are counted: 9 times besides");
  EXPECT_EQ(r.report["uncounted"][1]["message"],
            "'gone<2>' is no kernel of these sources: its launches (7 times, in 2 ways) are not counted");
  const CheckResult one = check_recorded(
      kStrided, {launch("f", "_Z1fPfi", 32, {pointer(), number(1)}), launch("gone", "gone", 32, {pointer()})},
      "--kernel f --fail-on-conflicts");
  EXPECT_EQ(one.exit_code, 0) << one.errors;  // of the other, nothing was asked
}

TEST(CheckRecorded, OfSeveralFilesEachGivesItsKernels) {
  const ScratchFolder scratch;
  const std::string f = scratch.write("f.cu", kStrided),
                    h = scratch.write("h.cu",
                                      "__global__ void h(int n) { __shared__ int s[1024]; s[threadIdx.x * n] = n; }\n"),
                    other = scratch.write("other.cu", "__global__ void other() {}\n"),
                    run = scratch.write("run.json", recording({launch("f", "_Z1fPfi", 32, {pointer(), number(4)}),
                                                               launch("h", "_Z1hi", 32, {number(2)}),
                                                               launch("gone", "gone", 32, {number(2)})}));
  const std::string json_path = (scratch / "r.json").string();
  const int status =
      std::system(fmt::format("'{}' check '{}' '{}' '{}' --recorded '{}' --json '{}' > '{}' 2>&1", SWIZZLE_SYNTH_TOOL,
                              f, h, other, run, json_path, (scratch / "out").string())
                      .c_str());
  EXPECT_EQ(WEXITSTATUS(status), 0);
  const json all = valid_report(read_file(json_path), "docs/check_several.schema.json");
  EXPECT_EQ(all["summary"]["kernel_launches"], 2);
  EXPECT_EQ(all["summary"]["files_without_kernel"], 1);
  EXPECT_EQ(all["summary"]["not_counted"], 1);
  EXPECT_NE(read_file(scratch / "out").find("1 x  " + run + ": 'gone' is no kernel of these sources"),
            std::string::npos)
      << read_file(scratch / "out");
}

// That a GPU's driver told of: see docs/recording.md.
TEST(CheckRecorded, ARecordingOfAGpuIsAsItsSchemaSays) {
  const std::filesystem::path folder = std::filesystem::path(SWIZZLE_SOURCE_DIR) / "docs" / "recording";
  const json recorded = valid_report(read_file(folder / "launches.json"), "docs/recording.schema.json");
  const CheckResult r = run_check("docs/recording/app.cu --recorded docs/recording/launches.json --no-ptx");
  EXPECT_EQ(r.report["kernels"].size(), recorded["launches"].size()) << r.errors;
  for (const auto& kernel : r.report["kernels"]) EXPECT_EQ(kernel["assumed"], json::array()) << kernel;
}

TEST(CheckRecorded, AnotherVersionOfAKernelIsNotCounted) {
  const CheckResult r = check_recorded(kStrided, {launch("f", "_Z1fPfi", 32, {pointer(), number(1), number(2)})});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.errors.find("'f' was recorded with 3 parameters, and has 2 here: it is not counted"), std::string::npos)
      << r.errors;
}

TEST(CheckRecorded, WhatCannotBeMeantIsRefused) {
  const CheckResult none = check_recorded(kStrided, {launch("gone", "gone", 32, {number(1)})});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_NE(none.errors.find("no launch of the recording is of a kernel here"), std::string::npos) << none.errors;
  EXPECT_EQ(check_recorded(kStrided, {}, "--launch 'block(32)'").exit_code, 2);
  EXPECT_EQ(check_recorded(kStrided, {}, "--set stride=1").exit_code, 2);
  const CheckResult bad = check_text(kStrided, "--recorded CMakeLists.txt");
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_NE(bad.errors.find("CMakeLists.txt: error: this is no recording of `swizzle-synth record`"), std::string::npos)
      << bad.errors;
}

struct Recorded {
  int exit_code = -1;
  std::string errors;
};

Recorded record(const std::string& arguments) {
  const ScratchFolder scratch;
  const std::string errors = (scratch / "err").string();
  const int status =
      std::system(fmt::format("'{}' record {} 2> '{}' > /dev/null", SWIZZLE_SYNTH_TOOL, arguments, errors).c_str());
  return {WEXITSTATUS(status), read_file(errors)};
}

TEST(Record, SaysWhatIsMissing) {
  EXPECT_EQ(record("").exit_code, 2);
  EXPECT_EQ(record("--nothing -- ls").exit_code, 2);
  const Recorded none = record("-- /no/such/program -x");
  if (none.errors.find("this build has no recorder") != std::string::npos)
    GTEST_SKIP() << "CUPTI was not found when this was built";
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_NE(none.errors.find("'/no/such/program' cannot be started"), std::string::npos) << none.errors;
  if (std::filesystem::exists("/dev/nvidia0") || std::filesystem::exists("/dev/dxg")) GTEST_SKIP() << "there is a GPU";
  const Recorded blind = record("-o /dev/null -- ls");
  EXPECT_EQ(blind.exit_code, 5);
  EXPECT_NE(blind.errors.find("there is no GPU that this process may use"), std::string::npos) << blind.errors;
}

}  // namespace
}  // namespace swizzle::test::check_recorded_test
