// `swizzle-synth check --suggest` and `--fix`: pads that are counted before they are offered.
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
  EXPECT_NE(
      suggested.output.find("k.cu:4:20: fix: tile[DIM][DIM] -> tile[DIM][DIM + 1]: 1056 wavefronts become 64, the "
                            "ideal\n"),
      std::string::npos)
      << suggested.output;
  const Fixed f = fixed(kTile);
  EXPECT_EQ(f.text, replaced(kTile, "tile[DIM][DIM]", "tile[DIM][DIM + 1]")) << f.check.output << f.check.errors;
  ASSERT_EQ(f.check.report["fixes"].size(), 1u);
  EXPECT_EQ(f.check.report["fixes"][0]["written"], true);
  EXPECT_EQ(f.check.report["fixes"][0]["note"], "verify: the kernel computes the same");
  EXPECT_EQ(f.check.report["conflicts"], false);
  EXPECT_EQ(fixed(f.text).text, f.text);
}

TEST(CheckFix, AFlatTileIsChangedWhereItIsUsedAsWell) {
  const Fixed f = fixed(flat());
  EXPECT_NE(f.text.find("tile[(DIM * DIM) / DIM * (DIM + 1)]"), std::string::npos) << f.text << f.check.output;
  EXPECT_NE(f.text.find("tile[threadIdx.x * (DIM + 1) + threadIdx.y + j]"), std::string::npos) << f.text;
  EXPECT_EQ(f.check.report["conflicts"], false);
}

TEST(CheckFix, OfAFlatTileEqualityIsToBeShown) {
  // Without a launch in the file nothing can be executed.
  const Fixed f = fixed(replaced(flat(), "#pragma swizzle launch grid(1) block(32, 8)\n", ""),
                        "--fix --launch 'grid(1) block(32, 8)'");
  EXPECT_EQ(f.check.report["fixes"][0]["written"], false) << f.check.output;
  EXPECT_EQ(f.text, replaced(flat(), "#pragma swizzle launch grid(1) block(32, 8)\n", ""));
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

TEST(CheckFix, AnArrayThatWouldNotFitStays) {
  const std::string text =
      "#pragma swizzle launch grid(1) block(32)\n__global__ void f(float* y) {\n"
      "  __shared__ float s[384][32];\n  y[threadIdx.x] = s[threadIdx.x][0];\n}\n";
  EXPECT_TRUE(check_text(text, "--suggest").report["fixes"].empty());
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
