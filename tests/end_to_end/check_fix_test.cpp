// `swizzle-synth check --suggest` and `--fix`: pads and swizzles that are counted before they are offered.
#include <gtest/gtest.h>

#include "tests/end_to_end/check_runs.h"

namespace swizzle::test::check_fix_test {
namespace {

constexpr const char* kTile =
    "#define DIM 32\n#pragma swizzle launch grid(1) block(32, 8)\n"
    "__global__ void transpose(float* y, const float* x) {\n  __shared__ float tile[DIM][DIM];\n"
    "  for (int j = 0; j < DIM; j += 8) tile[threadIdx.y + j][threadIdx.x] = x[(threadIdx.y + j) * DIM + threadIdx.x];\n"
    "  __syncthreads();\n"
    "  for (int j = 0; j < DIM; j += 8) y[(threadIdx.y + j) * DIM + threadIdx.x] = tile[threadIdx.x][threadIdx.y + j];\n}\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// With `tile` as an array without rows.
std::string flat() {
  std::string text = replaced(kTile, "tile[DIM][DIM]", "tile[DIM * DIM]");
  text = replaced(text, "tile[threadIdx.y + j][threadIdx.x]", "tile[(threadIdx.y + j) * DIM + threadIdx.x]");
  return replaced(text, "tile[threadIdx.x][threadIdx.y + j]", "tile[threadIdx.x * DIM + threadIdx.y + j]");
}

struct Fixed {
  CheckResult check;
  std::string text;
};
Fixed fixed(const std::string& text, const std::string& arguments = "--fix") {
  const ScratchFolder scratch;
  const std::string path = scratch.write("k.cu", text);
  Fixed out{run_check(fmt::format("'{}' {}", path, arguments)), ""};
  out.text = read_file(path);
  return out;
}

TEST(CheckFix, AColumnMoreRemovesTheConflictsOfATile) {
  const CheckResult suggested = check_text(kTile, "--suggest");
  for (
      const char* line :
      {"k.cu:4:20: fix: tile[DIM][DIM] -> tile[DIM][DIM + 1]: 1056 wavefronts become 64, the ideal, for 128 bytes more\n",
       "k.cu:4:20: or: tile[r][c] -> tile[r][c ^ r] (Swizzle<5, 0, 5>): 1056 wavefronts become 64, the ideal, in the same memory\n"})
    EXPECT_NE(suggested.output.find(line), std::string::npos) << suggested.output;
  const Fixed f = fixed(kTile);
  EXPECT_EQ(f.text, replaced(kTile, "tile[DIM][DIM]", "tile[DIM][DIM + 1]")) << f.check.output << f.check.errors;
  ASSERT_EQ(f.check.report["fixes"].size(), 1u);
  EXPECT_EQ(f.check.report["fixes"][0]["written"], true);
  EXPECT_EQ(f.check.report["fixes"][0]["note"], "verify: the kernel computes the same");
  EXPECT_EQ(f.check.report["conflicts"], false);
  EXPECT_EQ(fixed(f.text).text, f.text);
}

// An index beyond its row is an element of another row, and would be none of that once rows are longer.
TEST(CheckFix, RowsThatArePassedStayAsTheyAre) {
  const std::string text =
      "#pragma swizzle launch grid(1) block(32)\n__global__ void f(float* y, const float* x) {\n"
      "  __shared__ float a[32][32];\n  for (int i = threadIdx.x; i < 1024; i += 32) a[0][i] = x[i];\n"
      "  __syncthreads();\n  float s = 0;\n  for (int i = 0; i < 32; i++) s += a[threadIdx.x][i];\n  y[threadIdx.x] = s;\n}\n";
  EXPECT_EQ(fixed(text).text, text);
  EXPECT_NE(fixed(replaced(text, "a[0][i]", "a[i / 32][i % 32]")).text.find("a[32][32 + 1]"), std::string::npos);
}

// Also where that is in a branch which no launch takes; what a launch takes is seen not to.
TEST(CheckFix, RowsThatAnotherPathMayPassStayAsTheyAre) {
  const auto with = [](const char* condition) {
    return fixed(fmt::format("__global__ void __launch_bounds__(32) k(const float* x, float* y, int mode) {{\n"
                             "  __shared__ float a[32][32];\n  const int i = threadIdx.x;\n"
                             "  for (int j = 0; j < 32; ++j) a[j][i] = x[j * 32 + i];\n  __syncthreads();\n"
                             "  if ({}) y[i] = a[0][i + mode];\n  y[i] += a[i][3];\n}}\n"
                             "void go(float* x, float* y) {{ k<<<1, 32>>>(x, y, 0); }}\n",
                             condition))
        .text;
  };
  EXPECT_EQ(with("mode > 5").find("a[32][32 + 1]"), std::string::npos);
  EXPECT_NE(with("mode == 0").find("a[32][32 + 1]"), std::string::npos);
}

TEST(CheckFix, AFlatTileIsChangedWhereItIsUsedAsWell) {
  const Fixed f = fixed(flat());
  EXPECT_NE(f.text.find("tile[(DIM * DIM) / DIM * (DIM + 1)]"), std::string::npos) << f.text << f.check.output;
  EXPECT_NE(f.text.find("tile[threadIdx.x * (DIM + 1) + threadIdx.y + j]"), std::string::npos) << f.text;
  EXPECT_EQ(f.check.report["conflicts"], false);
}

TEST(CheckFix, ThatRowsOfAFlatTileMayGrowIsToBeShown) {
  // Without a launch in the file nothing can be executed. A swizzle needs no proof.
  const std::string text = replaced(flat(), "#pragma swizzle launch grid(1) block(32, 8)\n", "");
  const Fixed f = fixed(text, "--fix --launch 'grid(1) block(32, 8)'");
  ASSERT_EQ(f.check.report["fixes"].size(), 2u) << f.check.output;
  EXPECT_EQ(f.check.report["fixes"][0]["written"], false) << f.check.output;
  EXPECT_EQ(f.check.report["fixes"][1]["written"], true) << f.check.output;
  EXPECT_NE(f.text.find("__shared__ float tile[DIM * DIM]; static_assert"), std::string::npos) << f.text;
}

TEST(CheckFix, AccessesOfSeveralElementsStayAligned) {
  const std::string text =
      "#pragma swizzle launch grid(1) block(32)\n__global__ void f(float4* y) {\n  __shared__ float4 s[32][8];\n"
      "  s[threadIdx.x][0] = y[threadIdx.x];\n  y[threadIdx.x] = s[threadIdx.x][1];\n}\n";
  EXPECT_NE(fixed(text, "--suggest").check.output.find("s[32][8] -> s[32][8 + 1]"), std::string::npos);
}

TEST(CheckFix, WhereSomethingElseSeesTheElementsNothingIsOffered) {
  const std::string head =
      "#pragma swizzle launch grid(1) block(32)\n__device__ float first(float* p) { return p[33]; }\n"
      "__global__ void f(float* y) {\n  __shared__ float s[32][32];\n  s[threadIdx.x][0] = y[0];\n  ";
  for (const char* use :
       {"float* p = &s[0][0]; y[1] = p[threadIdx.x * 32];", "y[1] = first(s[0]);", "y[1] = sizeof(s);",
        "y[1] = *(s[0] + threadIdx.x);", "y[1] = s[0][threadIdx.x]; y[2] = elsewhere(s);"})
    EXPECT_TRUE(check_text(head + use + "\n}\n", "--suggest").report["fixes"].empty()) << use;
  EXPECT_FALSE(check_text(head + "y[1] = s[0][threadIdx.x];\n}\n", "--suggest").report["fixes"].empty());
}

TEST(CheckFix, AnArrayThatMayNotGrowIsSwizzled) {
  const std::string text =
      "#pragma swizzle launch grid(1) block(32)\n__global__ void f(float* y) {\n"
      "  __shared__ float s[384][32];\n  s[threadIdx.x][0] = y[threadIdx.x];\n  y[threadIdx.x] = s[threadIdx.x][0];\n}\n";
  const Fixed f = fixed(text);
  ASSERT_EQ(f.check.report["fixes"].size(), 1u);
  EXPECT_EQ(f.check.report["fixes"][0]["bytes_more"], 0);
  EXPECT_EQ(f.check.report["fixes"][0]["swizzle"], "Swizzle<5, 0, 5>");
  EXPECT_NE(f.text.find("s[threadIdx.x][0 ^ (threadIdx.x & 31)] = y[threadIdx.x];"), std::string::npos) << f.text;
  EXPECT_EQ(f.check.report["conflicts"], false);
}

// 228 KB hold six blocks of 36 KB, and five of what a pad makes of them.
TEST(CheckFix, APadThatCostsABlockComesSecond) {
  const std::string text =
      "#pragma swizzle launch grid(1) block(32)\n__global__ void f(float* y) {\n"
      "  __shared__ float s[296][32];\n  y[threadIdx.x] = s[threadIdx.x][0];\n}\n";
  const auto fixes = check_text(text, "--suggest").report["fixes"];
  ASSERT_EQ(fixes.size(), 2u);
  EXPECT_EQ(fixes[0]["is"], "s[r][c ^ (r & 31)]");
  EXPECT_EQ(fixes[0]["alternative"], false);
  EXPECT_EQ(fixes[1]["is"], "s[296][32 + 1]");
  EXPECT_EQ(fixes[1]["alternative"], true);
}

// Rows as float4, columns as float.
constexpr const char* kVectors =
    "#pragma swizzle launch grid(1) block(32)\n"
    "__global__ void f(float* y, const float4* x) {\n  __shared__ float s[32][32];\n"
    "  for (int k = 0; k < 8; k++) *reinterpret_cast<float4*>(&s[threadIdx.x][k * 4]) = x[threadIdx.x * 8 + k];\n"
    "  __syncthreads();\n  for (int k = 0; k < 32; k++) y[k * 32 + threadIdx.x] = s[k][threadIdx.x];\n}\n";

// Rows of 16 bytes by ldmatrix, in a function that is given their address.
constexpr const char* kMatrices =
    "#pragma swizzle launch grid(1) block(32)\n"
    "__device__ void rows(unsigned* a, const void* p) {\n"
    "  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(p));\n"
    "  asm volatile(\"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\"\n"
    "               : \"=r\"(a[0]), \"=r\"(a[1]), \"=r\"(a[2]), \"=r\"(a[3]) : \"r\"(at));\n}\n"
    "__global__ void f(unsigned* y, const uint4* x) {\n  __shared__ __align__(16) unsigned short s[64][64];\n"
    "  for (int k = 0; k < 16; k++)\n"
    "    *reinterpret_cast<uint4*>(&s[k * 4 + threadIdx.x / 8][threadIdx.x % 8 * 8]) = x[k * 32 + threadIdx.x];\n"
    "  __syncthreads();\n  unsigned a[4];\n  rows(a, &s[threadIdx.x % 16][threadIdx.x / 16 * 8]);\n"
    "  for (int k = 0; k < 4; k++) y[k * 32 + threadIdx.x] = a[k];\n}\n";

TEST(CheckFix, WhatIsAccessedTogetherStaysTogether) {
  EXPECT_NE(fixed(kVectors, "--fix --no-pads").text.find("s[k][threadIdx.x ^ ((k & 7) * 4)]"), std::string::npos);
  EXPECT_EQ(fixed(kVectors, "--fix --no-pads").check.report["fixes"][0]["swizzle"], "Swizzle<3, 2, 3>");
  EXPECT_EQ(fixed(kMatrices, "--fix --no-pads").check.report["fixes"][0]["swizzle"], "Swizzle<3, 3, 3>");
}

// The mismatches of a run in the emulation; -1: `verify` does not say that both compute the same.
int mismatches(const std::string& fixed, const std::string& original) {
  const ScratchFolder scratch;
  const std::string report = (scratch / "r.json").string();
  const std::string command =
      fmt::format("'{}' verify '{}' --spec '{}' --run=cpu --report '{}' > /dev/null 2>&1 < /dev/null",
                  SWIZZLE_SYNTH_TOOL, scratch.write("fixed.cu", fixed), scratch.write("original.cu", original), report);
  if (std::system(command.c_str()) != 0) return -1;
  return nlohmann::json::parse(read_file(report))["checked"]["run"]["mismatches"].get<int>();
}

// What is written checks clean, and computes the same: on symbols, and in the emulation of warps.
TEST(CheckFix, WhatIsWrittenComputesTheSame) {
  for (const std::string& text : {std::string(kTile), flat(), std::string(kVectors), std::string(kMatrices)})
    for (const char* arguments : {"--fix", "--fix --no-pads"}) {
      const Fixed f = fixed(text, arguments);
      EXPECT_NE(f.text, text) << f.check.output;
      EXPECT_EQ(f.check.report["conflicts"], false) << f.text;
      EXPECT_EQ(mismatches(f.text, text), 0) << f.text;
    }
}

// An index that is no row and no column: each is swizzled, which needs no proof.
TEST(CheckFix, AnyIndexOfAFlatArrayIsSwizzled) {
  const std::string text =
      "#pragma swizzle launch grid(1) block(32)\n__global__ void f(float* y, const int* x) {\n"
      "  __shared__ float s[4096];\n  int at = threadIdx.x << 7;\n  s[at] = y[threadIdx.x];\n  __syncthreads();\n"
      "  y[threadIdx.x] = s[at];\n}\n";
  const Fixed f =
      fixed(replaced(text, "#pragma swizzle launch grid(1) block(32)\n", ""), "--fix --launch 'grid(1) block(32)'");
  EXPECT_EQ(f.check.report["fixes"][0]["written"], true) << f.check.output;
  EXPECT_EQ(f.check.report["fixes"][0]["note"], "each use of the array is swizzled");
  EXPECT_EQ(f.check.report["conflicts"], false) << f.text;
}

TEST(CheckFix, InstancesOfATemplateShareWhatIsWritten) {
  const std::string text =
      "template <int N> __global__ void f(float* y) {\n  __shared__ float s[N][N];\n"
      "  for (int k = 0; k < N; ++k) s[k][threadIdx.x] = y[k * N + threadIdx.x];\n  __syncthreads();\n"
      "  for (int k = 0; k < N; ++k) y[k * N + threadIdx.x] = s[threadIdx.x][k];\n}\n"
      "void run(float* y) {\n  f<32><<<1, 32>>>(y);\n  f<96><<<1, 96>>>(y);\n}\n";
  const Fixed both = fixed(text, "--fix --no-pads");
  EXPECT_NE(both.text.find("static_assert(N % 32 == 0, \"for the swizzle of s\");"), std::string::npos) << both.text;
  EXPECT_EQ(both.check.report["fixes"][0]["swizzle"], "");  // rows of 96 have no such name
  EXPECT_EQ(both.check.report["conflicts"], false);
  const Fixed odd = fixed(replaced(text, "96", "33"), "--fix --no-pads");
  EXPECT_TRUE(odd.check.report["fixes"].empty()) << odd.check.output;
}

TEST(CheckFix, WithoutConflictsThereIsNothingToFix) {
  const std::string text = replaced(kTile, "tile[DIM][DIM]", "tile[DIM][DIM + 1]");
  const Fixed f = fixed(text);
  EXPECT_TRUE(f.check.report["fixes"].empty());
  EXPECT_EQ(f.text, text);
  EXPECT_FALSE(check_text(text).report.contains("fixes"));
}

}  // namespace
}  // namespace swizzle::test::check_fix_test
