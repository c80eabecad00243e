// `swizzle-synth check` of what a compiler made: FILE.ptx.
#include <map>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "tests/end_to_end/check_runs.h"
#include "tests/end_to_end/nvcc.h"

namespace swizzle::test::check_ptx_test {
namespace {

// What nvcc makes of
//   __device__ float look(const float (*t)[32], int i) { return t[i][0]; }      look.h, line 2
//   __global__ void turn(float* y, const float* x, int n) {                     turn.cu, line 3
//     __shared__ float t[32][32];
//     t[0][threadIdx.x] = x[n];
//     y[threadIdx.x] = look(t, threadIdx.x);
//   }
constexpr const char* kTurn = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry _Z4turnPfPKfi(
	.param .u64 _Z4turnPfPKfi_param_0,
	.param .u64 _Z4turnPfPKfi_param_1,
	.param .u32 _Z4turnPfPKfi_param_2
)
{
	.reg .f32 	%f<3>;
	.reg .b32 	%r<9>;
	.reg .b64 	%rd<9>;
	.loc	1 3 0
	.shared .align 4 .b8 _ZZ4turnPfPKfiE1t[4096];
	ld.param.u64 	%rd1, [_Z4turnPfPKfi_param_0];
	ld.param.u64 	%rd2, [_Z4turnPfPKfi_param_1];
	ld.param.u32 	%r1, [_Z4turnPfPKfi_param_2];
	.loc	1 5 3
	cvta.to.global.u64 	%rd3, %rd2;
	mul.wide.s32 	%rd4, %r1, 4;
	add.s64 	%rd5, %rd3, %rd4;
	ld.global.f32 	%f1, [%rd5];
	mov.u32 	%r2, %tid.x;
	shl.b32 	%r3, %r2, 2;
	mov.u32 	%r4, _ZZ4turnPfPKfiE1t;
	add.s32 	%r5, %r4, %r3;
	st.shared.f32 	[%r5], %f1;
	.loc	1 6 3
	.loc	2 2 58, function_name $L__info_string0, inlined_at 1 6 3
	shl.b32 	%r6, %r2, 7;
	add.s32 	%r7, %r4, %r6;
	ld.shared.f32 	%f2, [%r7];
	.loc	1 6 3
	cvta.to.global.u64 	%rd6, %rd1;
	mul.wide.u32 	%rd7, %r2, 4;
	add.s64 	%rd8, %rd6, %rd7;
	st.global.f32 	[%rd8], %f2;
	.loc	1 7 1
	ret;
}
	.file	1 "turn.cu"
	.file	2 "look.h"
	.section	.debug_str
	{
$L__info_string0:
.b8 95,90,52,108,111,111,107,80,65,51,50,95,75,102,105,0
	}
)";

CheckResult check_ptx(const std::string& text, const std::string& arguments) {
  const ScratchFolder scratch;
  return run_check(fmt::format("'{}' {}", scratch.write("k.ptx", text), arguments));
}

TEST(CheckPtx, WhatIsCountedStandsWhereTheSourceHasIt) {
  const CheckResult r = check_ptx(kTurn, "--launch 'block(32)' --set param_2=7");
  EXPECT_EQ(r.exit_code, 0) << r.errors;
  EXPECT_EQ(r.report["kernels"][0]["name"], "turn");
  EXPECT_EQ(r.report["kernels"][0]["sizes"]["param_2"], 7);
  EXPECT_EQ(r.accesses("turn", "shared"), (Lines{"store t 1/1 of 1 = 1", "load t 32/1 of 1 = 32"}));
  EXPECT_EQ(r.accesses("turn", "global"), (Lines{"load param_1 1/1 of 1 = 1", "store param_0 4/4 of 1 = 4"}));
  EXPECT_EQ(r.report["conflicts"], true);
  const nlohmann::json& load = r.report["accesses"].back();
  EXPECT_EQ(load["location"], "look.h:2:58");
  EXPECT_EQ(load["called_from"], "turn.cu:6:3");
  EXPECT_EQ(load["inlined"][0]["function"], "look");
  EXPECT_NE(r.output.find("in look, called at turn.cu:6:3"), std::string::npos) << r.output;
}

TEST(CheckPtx, WithoutPlacesItsOwnLinesAreTold) {
  const CheckResult r = check_ptx(
      ".version 8.0\n.target sm_90\n.entry k() .reqntid 32 {\n.reg .b32 %r<3>; .shared .b8 s[4096];\nmov.u32 %r1, %tid.x;\n"
      "mad.lo.u32 %r2, %r1, 128, s;\nst.shared.u32 [%r2], %r1;\n}\n",
      "--fail-on-conflicts");
  EXPECT_EQ(r.exit_code, 4) << r.errors;
  EXPECT_EQ(r.accesses("k", "shared"), (Lines{"store s 32/1 of 1 = 32"}));
  EXPECT_NE(r.report["accesses"][0]["location"].get<std::string>().find("k.ptx:7:1"), std::string::npos);
  EXPECT_EQ(r.report["kernels"][0]["launch"], "from __launch_bounds__ (grid assumed)");
}

TEST(CheckPtx, WhatIsNotKnownIsAnErrorOrNotCounted) {
  const CheckResult open = check_ptx(kTurn, "");
  EXPECT_EQ(open.exit_code, 1);
  EXPECT_NE(open.errors.find("nothing here tells how many threads a block of 'turn' has"), std::string::npos);
  EXPECT_EQ(check_ptx(kTurn, "--launch 'block(32)' --set n=7").exit_code, 1);
  EXPECT_EQ(check_ptx(kTurn, "--launch 'block(32)' --kernel turned").exit_code, 1);
  const CheckResult broken = check_ptx(".version 8.0\n.entry k() {\n  bra NOWHERE;\n}\n", "--launch 'block(32)'");
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_NE(broken.errors.find("k.ptx:3:7: error: there is no label 'NOWHERE'"), std::string::npos) << broken.errors;
}

using Totals = std::map<std::tuple<int, std::string, std::string>, std::int64_t>;  // by line, space, operation

// Of one kernel: wavefronts and sectors.
Totals totals_of(const nlohmann::json& report, std::size_t kernel) {
  Totals totals;
  for (const auto& a : report["accesses"]) {
    if (a["kernel_number"] != kernel) continue;
    const std::string location = a["location"];
    const std::size_t column = location.rfind(':'), line = location.rfind(':', column - 1);
    const char* const unit = a["space"] == "shared" ? "wavefronts" : "sectors";
    totals[{std::stoi(location.substr(line + 1)), a["space"], a["operation"]}] +=
        a.contains(unit) ? a[unit]["total"].get<std::int64_t>() : 0;
  }
  return totals;
}

// What a compiler or a library has done to a line, where the two ways differ.
struct Difference {
  const char* file;
  int line;
  const char* operation;
  const char* why;
};
constexpr Difference kDifferences[] = {
    {"copies.cu", 38, "store", "the pipeline keeps its state in shared memory: not in the text of the kernel"},
    {"copies.cu", 39, "atomic", "likewise"},
    {"scan.cu", 14, "store", "what is stored is stored again before anyone reads it"},
    {"scan.cu", 28, "load", "what the same thread has stored stays in a register"},
    {"softmax.cu", 59, "load", "two reads of one word are one"},
};

class BothWays : public testing::TestWithParam<const char*> {};

TEST_P(BothWays, AgreeOnEveryLineOrACompilerHasChangedIt) {
  if (find_nvcc().empty()) GTEST_SKIP() << "no nvcc: PTX is not compared";
  const std::string file = GetParam();
  const CheckResult text = run_check("tests/kernels/" + file + " --no-ptx");
  const CheckResult ptx = run_check("tests/kernels/" + file + " --ptx");
  ASSERT_FALSE(text.report["kernels"].empty()) << text.errors;
  ASSERT_EQ(ptx.report["kernels"].size(), text.report["kernels"].size()) << ptx.errors;
  for (std::size_t k = 0; k < text.report["kernels"].size(); ++k) {
    const std::string name = text.report["kernels"][k]["name"];
    EXPECT_EQ(ptx.report["kernels"][k]["name"], name);
    EXPECT_EQ(ptx.report["kernels"][k]["sizes"], text.report["kernels"][k]["sizes"]);
    Totals by_text = totals_of(text.report, k), by_ptx = totals_of(ptx.report, k);
    for (const Difference& d : kDifferences)
      for (const char* space : {"shared", "global"})
        if (file == d.file)
          for (Totals* totals : {&by_text, &by_ptx}) totals->erase({d.line, space, d.operation});
    EXPECT_EQ(by_ptx, by_text) << name;
  }
}

TEST(CheckPtx, GoesOnWhereNotAllOfAKernelCanBeRead) {
  if (find_nvcc().empty()) GTEST_SKIP() << "no nvcc: nothing goes on";
  const std::string text =
      "__global__ void __launch_bounds__(32) k(float* y) {\n  __shared__ float s[1024];\n"
      "  unsigned at = (unsigned)__cvta_generic_to_shared(s);\n"
      "  asm volatile(\"{ .reg .u32 a; bfi.b32 a, %0, 0, 7, 25; add.u32 a, a, %1; st.shared.f32 [a], %2; }\" :: \"r\"(threadIdx.x), \"r\"(at), \"f\"(y[0]));\n"
      "  __syncthreads();\n  y[threadIdx.x] = s[threadIdx.x];\n}\n";
  const CheckResult r = check_text(text);
  EXPECT_EQ(r.accesses("k", "shared"), (Lines{"store s 32/1 of 1 = 32", "load s 1/1 of 1 = 1"})) << r.errors;
  EXPECT_NE(r.errors.find("not all of 'k' can be read here: it is counted in the PTX that nvcc makes of it"),
            std::string::npos)
      << r.errors;
  EXPECT_TRUE(r.report["uncounted"].empty()) << r.report["uncounted"].dump();
  EXPECT_FALSE(check_text(text, "--no-ptx").report["uncounted"].empty());
}

// One statement that is not followed hides three accesses, of which data decide two.
TEST(CheckPtx, GoesOnWhereMoreIsCountedThoughAsMuchIsLeftOpen) {
  if (find_nvcc().empty()) GTEST_SKIP() << "no nvcc: nothing goes on";
  const std::string text =
      "__global__ void __launch_bounds__(32) k(const int* x, int* y) {\n  __shared__ int s[64];\n  int v;\n"
      "  unsigned at = (unsigned)__cvta_generic_to_shared(s), any = at + 4 * (x[threadIdx.x] & 63);\n"
      "  asm volatile(\"{ .reg .u32 a; bfi.b32 a, %1, 0, 3, 29; add.u32 a, a, %3; red.shared.add.u32 [a], 1;\"\n"
      "    \" st.shared.u32 [%2], 1; ld.shared.u32 %0, [%2]; }\" : \"=r\"(v) : \"r\"(threadIdx.x), \"r\"(any), \"r\"(at));\n"
      "  __syncthreads();\n  y[threadIdx.x] = s[threadIdx.x] + v;\n}\n";
  const CheckResult by_text = check_text(text, "--no-ptx"), r = check_text(text);
  EXPECT_EQ(by_text.report["uncounted"].size(), 2u) << by_text.report["uncounted"].dump();
  EXPECT_EQ(r.report["uncounted"].size(), 2u) << r.report["uncounted"].dump();
  EXPECT_EQ(r.accesses("k", "shared").size(), 4u) << r.errors;
}

// nvcc has `k<(Step)2>`, Clang `k<Step::kTwo>`.
TEST(CheckPtx, LaunchesOfTemplatesOfEnumeratorsAreFound) {
  if (find_nvcc().empty()) GTEST_SKIP() << "no nvcc: PTX is not compared";
  const CheckResult r = check_text(
      "enum class Step { kOne = 1, kTwo };\n"
      "template <Step S> __global__ void k(float* y) { __shared__ float s[64]; s[threadIdx.x * (int)S] = y[0];\n"
      "__syncthreads(); y[1] = s[threadIdx.x]; }\nvoid run(float* y) { k<Step::kTwo><<<1, 32>>>(y); }\n",
      "--ptx");
  EXPECT_EQ(r.accesses("k<Step::kTwo>", "shared"), (Lines{"store s 2/1 of 1 = 2", "load s 1/1 of 1 = 1"})) << r.errors;
}

TEST(CheckPtx, FlagsBehindDashesAreForTheCompiler) {
  if (find_nvcc().empty()) GTEST_SKIP() << "no nvcc: it is passed no flags";
  const std::string text =
      "__global__ void __launch_bounds__(32) k(float* y) {\n  __shared__ float s[32 * STEP];\n"
      "  s[threadIdx.x * STEP] = y[0];\n  __syncthreads();\n  y[threadIdx.x] = s[threadIdx.x];\n}\n";
  const ScratchFolder scratch;
  const std::string file = scratch.write("k.cu", text);
  EXPECT_EQ(run_check(fmt::format("'{}' -DSTEP=2 --ptx", file)).accesses("k", "shared"),
            (Lines{"store s 2/1 of 1 = 2", "load s 1/1 of 1 = 1"}));
  const std::string command = fmt::format("'{}' check '{}' --ptx -- -arch=sm_80 -DSTEP=4 > '{}' 2>&1",
                                          SWIZZLE_SYNTH_TOOL, file, (scratch / "out").string());
  EXPECT_EQ(std::system(command.c_str()), 0) << read_file(scratch / "out");
  EXPECT_NE(read_file(scratch / "out").find("bank 0 has 4 words to give"), std::string::npos)
      << read_file(scratch / "out");
  const CheckResult wrong = run_check(fmt::format("'{}' --ptx", file));
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_NE(wrong.errors.find("nvcc makes no PTX of"), std::string::npos) << wrong.errors;
}

TEST(CheckPtx, HeadersAreCompiledAsCuda) {
  if (find_nvcc().empty()) GTEST_SKIP() << "no nvcc: nothing is compiled";
  const ScratchFolder scratch;
  const std::string header = scratch.write(
      "k.cuh",
      "__global__ void k(float* x) { __shared__ float s[64]; s[threadIdx.x * 2] = x[0]; __syncthreads(); x[1] = s[63 - threadIdx.x]; }\n");
  const CheckResult r = run_check(fmt::format("'{}' --ptx --launch 'block(32)'", header));
  EXPECT_EQ(r.exit_code, 0) << r.errors;
  EXPECT_EQ(r.accesses("k", "shared").size(), 2u);
}

TEST(CheckPtx, ReadsWhatACompiledFileCarries) {
  const std::string nvcc = find_nvcc();
  if (nvcc.empty()) GTEST_SKIP() << "no nvcc: nothing is compiled";
  const ScratchFolder scratch;
  const auto kernel = [](const char* name, int step) {
    return fmt::format(
        "__global__ void __launch_bounds__(32) {}(float* y) {{\n  __shared__ float s[{}];\n"
        "  s[threadIdx.x * {}] = y[0];\n  __syncthreads();\n  y[threadIdx.x] = s[threadIdx.x];\n}}\n",
        name, 32 * step, step);
  };
  const std::string a = scratch.write("a.cu", kernel("a", 2)), b = scratch.write("b.cu", kernel("b", 4));
  const std::string object = scratch / "a.o", library = scratch / "both.so", bare = scratch / "a.cubin";
  const auto make = [&](const std::string& flags) {
    const std::string command =
        fmt::format("'{}' -arch=sm_90 -lineinfo {} > '{}' 2>&1", nvcc, flags, (scratch / "said").string());
    ASSERT_EQ(std::system(command.c_str()), 0) << read_file(scratch / "said");
  };
  make(fmt::format("-c '{}' -o '{}'", a, object));
  make(fmt::format("-shared -Xcompiler -fPIC '{}' '{}' -o '{}'", a, b, library));
  make(fmt::format("-cubin '{}' -o '{}'", a, bare));
  EXPECT_EQ(run_check(fmt::format("'{}'", object)).accesses("a", "shared"),
            (Lines{"store s 2/1 of 1 = 2", "load s 1/1 of 1 = 1"}));
  const std::string command =
      fmt::format("'{}' check '{}' --format=json > '{}'", SWIZZLE_SYNTH_TOOL, library, (scratch / "out").string());
  ASSERT_EQ(std::system(command.c_str()), 0);
  const auto overview = nlohmann::json::parse(read_file(scratch / "out"));
  ASSERT_EQ(overview["reports"].size(), 2u) << overview.dump();
  EXPECT_EQ(overview["reports"][1]["kernels"][0]["name"], "b");
  const CheckResult none = run_check(fmt::format("'{}'", bare));
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_NE(none.errors.find("has code for GPUs, but no PTX of it"), std::string::npos) << none.errors;
}

INSTANTIATE_TEST_SUITE_P(Kernels, BothWays,
                         testing::Values("transpose.cu", "toy_transpose.cu", "histogram.cu", "scan.cu", "reduction.cu",
                                         "softmax.cu", "copies.cu"),
                         [](const auto& info) {
                           const std::string file = info.param;
                           return file.substr(0, file.find('.'));
                         });

}  // namespace
}  // namespace swizzle::test::check_ptx_test
