// `swizzle-synth check`: launches, templates, outputs, usage.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/end_to_end/check_runs.h"

namespace swizzle::test::check_command_test {
namespace {

TEST(Check, ALaunchComesFromTheCommandTheDirectiveTheFileOrTheBounds) {
  const std::string body = "f(float* x, int n) { x[blockIdx.x * blockDim.x + threadIdx.x] = n; }\n";
  const auto block = [](const CheckResult& r) { return r.report["kernels"][0]["block"]; };
  const std::string bounded = "__global__ void __launch_bounds__(96) " + body,
                    host = "void run(float* x) { int threads = 64; f<<<dim3(3, 2), threads>>>(x, 7); }\n";
  EXPECT_EQ(block(check_text(bounded)), (nlohmann::json{96, 1, 1}));
  EXPECT_EQ(block(check_text(bounded + host)), (nlohmann::json{64, 1, 1}));
  EXPECT_EQ(block(check_text("#pragma swizzle launch grid(n) block(32, n)\n#pragma swizzle instance n = 4\n" + bounded +
                             host)),
            (nlohmann::json{32, 4, 1}));
  const CheckResult r = check_text(bounded + host, "--launch 'grid(2) block(16, 2)' --set n=5");
  EXPECT_EQ(block(r), (nlohmann::json{16, 2, 1}));
  EXPECT_EQ(r.report["kernels"][0]["sizes"]["n"], 5);
  EXPECT_EQ(check_text(bounded + host).report["kernels"][0]["sizes"]["n"], 7);
  EXPECT_EQ(check_text(bounded).report["kernels"][0]["assumed"], (nlohmann::json{"n"}));
  EXPECT_NE(check_text(bounded).output.find("n = 1024 (assumed)"), std::string::npos);
  const CheckResult open = check_text("__global__ void " + body);
  EXPECT_EQ(open.exit_code, 1);
  EXPECT_NE(
      open.errors.find(
          "k.cu:1:17: error: nothing here tells how many threads a block of 'f' has; say it: --launch 'block(256)'"),
      std::string::npos)
      << open.errors;
}

// 1024 of each are 2^40 threads, which no int tells.
TEST(Check, AssumesFewerOfSizesWhoseProductWrapsAround) {
  const CheckResult r = check_text(
      "__global__ void f(const float* x, float* y, int n, int c, int h, int w) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n * c * h * w) y[i] = x[i];\n}\n"
      "void g(float* x, float* y, int n, int c, int h, int w) { f<<<(n * c * h * w + 255) / 256, 256>>>(x, y, n, c, h, w); }\n");
  EXPECT_NE(r.output.find("n = 64 (assumed), c = 64 (assumed)"), std::string::npos) << r.output;
  EXPECT_NE(r.output.find("global store  y"), std::string::npos) << r.output;
}

TEST(Check, WhatIsBehindALeaveThatDataDecideIsUnderACondition) {
  const std::string begin = "__global__ void __launch_bounds__(32) f(const int* a) {\n  __shared__ int s[64];\n",
                    loop = "  for (int i = threadIdx.x; i < 64; i += blockDim.x) { ";
  for (const std::string& body :
       {loop + "if (i >= a[0]) continue; s[i] = 1; }\n", loop + "if (a[i] < 0) break; s[i] = 1; }\n",
        std::string("  if (a[0] > 0) return;\n  s[threadIdx.x] = 1;\n")}) {
    const CheckResult r = check_text(begin + body + "}\n", "--no-ptx");
    EXPECT_NE(r.errors.find("warning: data decide this condition"), std::string::npos) << body << r.errors;
    bool stored = false;
    for (const auto& a : r.report["accesses"])
      if (a["space"] == "shared") {
        EXPECT_EQ(a["conditional"], true) << body;
        stored = true;
      }
    EXPECT_TRUE(stored) << body;
  }
  const CheckResult known =
      check_text(begin + "  if (threadIdx.x >= 16) return;\n  s[threadIdx.x] = 1;\n}\n", "--no-ptx");
  for (const auto& a : known.report["accesses"]) EXPECT_EQ(a["conditional"], false);
  EXPECT_EQ(known.errors.find("data decide"), std::string::npos) << known.errors;
}

TEST(Check, OneKernelMayHaveALaunchOfItsOwn) {
  const std::string text = "__global__ void f(float* x) { x[0] = 1; }\n__global__ void g(float* x) { x[0] = 1; }\n";
  const CheckResult r = check_text(text, "--launch 'block(64)' --launch 'g=grid(2) block(32)'");
  EXPECT_EQ(r.report["kernels"][0]["block"], (nlohmann::json{64, 1, 1}));
  EXPECT_EQ(r.report["kernels"][1]["block"], (nlohmann::json{32, 1, 1}));
  EXPECT_EQ(r.report["kernels"][1]["grid"], (nlohmann::json{2, 1, 1}));
  EXPECT_EQ(check_text(text, "--launch 'h=block(32)'").exit_code, 1);
  EXPECT_EQ(check_text(text, "--launch 'block(32)' --launch 'block(64)'").exit_code, 2);
}

TEST(Check, TemplatesAreTakenAsAskedForOrByDefault) {
  const std::string typed =
      "template <class T, int N = 4> __global__ void __launch_bounds__(32) f(T* x) { __shared__ T s[32 * N]; s[threadIdx.x * N] = x[0]; }\n";
  const CheckResult by_default = check_text(typed);
  EXPECT_EQ(by_default.accesses("f<float, 4>", "shared"), (Lines{"store s 4/1 of 1 = 4"})) << by_default.errors;
  EXPECT_NE(by_default.errors.find("nothing here instantiates this template: taken as f<float, 4>"), std::string::npos)
      << by_default.errors;
  EXPECT_EQ(check_text(typed, "--kernel 'f<double, 8>'").accesses("f<double, 8>", "shared"),
            (Lines{"store s 16/2 of 1 = 16"}));
  const CheckResult open = check_text("template <int N> __global__ void f(float* x) { x[threadIdx.x] = N; }\n");
  EXPECT_EQ(open.exit_code, 1);
  EXPECT_NE(open.errors.find("nothing here tells the template arguments of 'f'; give them: --kernel 'f<…>'"),
            std::string::npos)
      << open.errors;
  EXPECT_EQ(check_text("__global__ void f(float* x) {}\n", "--kernel g").exit_code, 1);
}

TEST(Check, TypesMayHoldPointersToThemselvesOrBeUndefined) {
  const CheckResult r = check_text(
      "struct Node { Node* next; int v; };\nenum Open;\nstruct Elsewhere;\n"
      "__global__ void __launch_bounds__(32) f(Node* a, Open* b, Elsewhere* c) {\n  __shared__ int s[1024];\n"
      "  s[threadIdx.x * 32] = 1;\n  Node* n = a->next;\n}\n");
  EXPECT_EQ(r.exit_code, 0) << r.errors;
  EXPECT_EQ(r.accesses("f", "shared"), (Lines{"store s 32/1 of 1 = 32"}));
  EXPECT_EQ(r.accesses("f", "global"), (Lines{"load a 1/1 of 1 = 1"}));
}

TEST(Check, AKernelIsCountedButForWhatComesOfUnknownTypes) {
  for (const char* head :
       {"__global__ void __launch_bounds__(32) f", "template <class T> __global__ void __launch_bounds__(32) f"}) {
    const CheckResult r = check_text(
        std::string(head) +
        "(const torch::PackedTensorAccessor32<float, 2, torch::RestrictPtrTraits> a, Elsewhere b, int n) {\n"
        "  __shared__ float s[1024];\n  s[threadIdx.x * 32] = a[threadIdx.x][n] * 2.0f;\n  a[0][0] += s[b.size(0)];\n}\n");
    EXPECT_EQ(r.exit_code, 0) << r.errors;
    ASSERT_FALSE(r.report["kernels"].empty());
    EXPECT_EQ(r.accesses(r.report["kernels"][0]["name"], "shared"),
              (Lines{"store s 32/1 of 1 = 32", "load s unknown of 1"}))
        << r.errors;
    EXPECT_NE(r.errors.find("warning: the type 'Elsewhere' is not known here: what comes of 'b' is not followed"),
              std::string::npos)
        << r.errors;
    EXPECT_EQ(r.report["kernels"][0]["sizes"], (nlohmann::json{{"n", 1024}}));
  }
}

TEST(Check, WhatIsMissingOfOneKernelIsToldBesideAnother) {
  const CheckResult r = check_text(
      "template <int N> __global__ void g(float* x) { x[0] = N; }\n__global__ void f(float* x) { x[0] = 1; }\n");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.errors.find("give them: --kernel 'g<…>'"), std::string::npos) << r.errors;
  EXPECT_NE(r.errors.find("how many threads a block of 'f' has"), std::string::npos) << r.errors;
  EXPECT_EQ(r.report["uncounted"].size(), 2u);
  const CheckResult nothing = check_text("template <int N> __global__ void g(float* x) { x[0] = N; }\n");
  EXPECT_EQ(nothing.exit_code, 1);
  ASSERT_EQ(nothing.report["uncounted"].size(), 1u);
  EXPECT_TRUE(nothing.report["conflicts"].is_null());
}

TEST(Check, AStatementThatAnInstanceCannotHaveIsLeftOut) {
  const CheckResult r = check_text(
      "#include \"elsewhere.h\"\ntemplate <class T> struct Traits { static constexpr int kRows = 32; };\n"
      "template <class T> __global__ void __launch_bounds__(32) f(T* x) {\n  __shared__ T s[32][32];\n  typename Traits<T>::packed p;\n  s[threadIdx.x][0] = x[0];\n  p.store(s);\n  s[0][threadIdx.x] = 1;\n}\n"
      "template __global__ void f<float>(float*);\n");
  EXPECT_EQ(r.exit_code, 0) << r.errors;
  EXPECT_EQ(r.accesses("f<float>", "shared"), (Lines{"store s 32/1 of 1 = 32", "store s 1/1 of 1 = 1"})) << r.errors;
  EXPECT_NE(r.errors.find("k.cu:5:"), std::string::npos) << r.errors;
}

TEST(Check, JsonGoesToStandardOutputInPlaceOfTheTable) {
  const ScratchFolder scratch;
  const std::string out = (scratch / "out").string();
  ASSERT_EQ(std::system(fmt::format("cd '{}' && '{}' check tests/kernels/transpose.cu --json - > '{}' 2> /dev/null",
                                    SWIZZLE_SOURCE_DIR, SWIZZLE_SYNTH_TOOL, out)
                            .c_str()),
            0);
  EXPECT_EQ(nlohmann::json::parse(read_file(out))["accesses"].size(), 14u);
}

TEST(Check, APipeHasNoControlCharacters) {
  const CheckResult r = run_check("tests/kernels/histogram.cu");
  for (const std::string& text : {r.output, r.errors})
    EXPECT_TRUE(std::none_of(text.begin(), text.end(), [](unsigned char c) {
      return (c < 32 && c != '\n') || c == 127;
    })) << text;
}

TEST(Check, BadInputAndUsage) {
  EXPECT_EQ(run_check("no/such/file.cu").exit_code, 1);
  EXPECT_EQ(run_check("").exit_code, 2);
  EXPECT_EQ(run_check("tests/kernels/transpose.cu --machine abacus").exit_code, 2);
  EXPECT_EQ(run_check("tests/kernels/transpose.cu --launch 'block(2000)'").exit_code, 1);
  EXPECT_EQ(check_text("int main() {}\n").exit_code, 1);
  EXPECT_EQ(check_text("").exit_code, 1);
}

TEST(Check, BadInputLeavesNoResultsOfAnEarlierRun) {
  const ScratchFolder scratch;
  const std::string json = scratch.write("r.json", "old"), drawing = scratch.write("d.svg", "old");
  EXPECT_EQ(std::system(fmt::format("'{}' check no/such/file.cu --json '{}' --draw '{}' 2> /dev/null",
                                    SWIZZLE_SYNTH_TOOL, json, drawing)
                            .c_str()) >>
                8,
            1);
  EXPECT_EQ(valid_report(read_file(json), "docs/check.schema.json")["exit_code"], 1);
  EXPECT_FALSE(std::filesystem::exists(drawing));
}

TEST(Check, ThePictureShowsTheWorstAccess) {
  const ScratchFolder scratch;
  const std::string path = (scratch / "tile.svg").string();
  ASSERT_EQ(run_check(fmt::format("tests/kernels/transpose.cu --draw '{}'", path)).exit_code, 0);
  const std::string svg = read_file(path);
  std::size_t cells = 0;
  for (std::size_t at = 0; (at = svg.find("<g><title>", at)) != std::string::npos; ++at) ++cells;
  EXPECT_EQ(cells, 32u * 32u);
  EXPECT_NE(svg.find("tile in transposeCoalesced, 33:79"), std::string::npos);
  EXPECT_NE(svg.find("[31][0]: byte 3968, bank 0, lanes 31, waits"), std::string::npos);
  const CheckResult padded = run_check("tests/kernels/transpose.cu --kernel transposeNoBankConflicts --draw -");
  ASSERT_EQ(padded.exit_code, 0) << padded.errors;
  EXPECT_NE(padded.output.find("row 31 |"), std::string::npos) << padded.output;
  EXPECT_EQ(padded.output.find('!'), std::string::npos) << padded.output;
  EXPECT_EQ(check_text("__global__ void __launch_bounds__(32) f(float* x) { x[0] = 1; }\n", "--draw -").exit_code, 1);
}

TEST(Check, TheToyGpuHasEightBanks) {
  const std::string text =
      "__global__ void __launch_bounds__(8) f(const unsigned* x, unsigned* y) {\n  __shared__ unsigned s[8][8];\n  const int t = threadIdx.x;\n"
      "  for (int i = 0; i < 8; ++i) s[i][t] = x[i * 8 + t];\n  for (int i = 0; i < 8; ++i) y[i * 8 + t] = s[t][i];\n}\n";
  EXPECT_EQ(check_text(text, "--machine toy8").accesses("f", "shared"),
            (Lines{"store s 1/1 of 8 = 8", "load s 8/1 of 8 = 64"}));
}

const char* const kCommented =
    "// Completed by swizzle-synth\n// swizzle the tile by rows\n// swizzle launch grid(n / 8) block(8)\n// swizzle instance n = 16\n// swizzle machine toy8\n"
    "__global__ void f(int* y, int n) {\n  __shared__ int s[64];\n  y[threadIdx.x] = s[threadIdx.x * 8];\n}\n";

TEST(Check, EmittedKernelsTellTheirLaunchAndMachine) {
  const CheckResult r = check_text(kCommented);
  EXPECT_EQ(r.accesses("f", "shared"), (Lines{"load s 8/1 of 2 = 16"}));
  EXPECT_EQ(r.report["kernels"][0]["grid"], (std::vector<int>{2, 1, 1}));
  EXPECT_EQ(r.report["kernels"][0]["launch"], "from line 3");
  EXPECT_TRUE(r.report["kernels"][0]["assumed"].empty());
}

TEST(Check, APragmaCountsOverAComment) {
  const CheckResult r = check_text("#pragma swizzle launch grid(1) block(8)\n" + std::string(kCommented));
  EXPECT_EQ(r.report["kernels"][0]["launch"], "from line 1");
}

TEST(Check, AnotherMachineThanTheFilesIsAnError) {
  const CheckResult r = check_text(kCommented, "--machine h200");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.errors.find(":5:1: error: this is for the machine 'toy8', and --machine says 'h200'"), std::string::npos)
      << r.errors;
}

}  // namespace
}  // namespace swizzle::test::check_command_test
