// Rows of a length that an assumption bounds: each block makes all iterations of what no dimension shares out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/proof/all_sizes_proof.h"

namespace swizzle::bounded_rows_test {
namespace {

// A warp a row; `lane` and `row` are its. The spec's body is within the loop over r.
AllSizesProof proof_of(const std::string& kernel, const std::string& spec, const std::string& assumption = "w <= 64",
                       const std::string& grid = "(h + 1) / 2") {
  const auto sketch = parse_kernel(
      SourceText("k.cu", fmt::format("#pragma swizzle launch grid({}) block(32, 2)\n#pragma swizzle assume {}\n"
                                     "__global__ void f(const float* x, float* y, int w, int h) {{\n"
                                     "  const int lane = threadIdx.x, row = 2 * blockIdx.x + threadIdx.y;\n  {}\n}}\n",
                                     grid, assumption, kernel)),
      "f");
  const auto plain = parse_spec(SourceText("s.cpp", fmt::format("void f(const float* x, float* y, int w, int h) {{\n"
                                                                "  for (int r = 0; r < h; r++) {{ {} }}\n}}\n",
                                                                spec)),
                                "f");
  EXPECT_TRUE(sketch.ok() && plain.ok()) << kernel << spec;
  return prove_all_sizes(*sketch, *plain, {{{"w", 64}, {"h", 2}}, {{"w", 36}, {"h", 5}}}, Deadline(10));
}

const std::string kLoad =
    "if (row >= h) return; float own[2]; for (int e = 0; e < 2; e++) own[e] = 32 * e + lane < w ? x[row * w + 32 * e + lane] : ";
const std::string kStore = " for (int e = 0; e < 2; e++) if (32 * e + lane < w) y[row * w + 32 * e + lane] = own[e]";
const std::string kMost = "float m = x[r * w]; for (int c = 1; c < w; c++) m = fmaxf(m, x[r * w + c]); ";
const std::string kReduceMost =
    " float m = fmaxf(own[0], own[1]); for (int d = 1; d < 32; d *= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, d));";

TEST(BoundedRows, AreMadeByEachBlock) {
  for (
      const auto& [kernel, spec] : std::vector<std::pair<std::string, std::string>>{
          {kLoad + "0;" + kStore + ";", "for (int c = 0; c < w; c++) y[r * w + c] = x[r * w + c];"},
          {kLoad + "-INFINITY;" + kReduceMost + kStore + " - m;",
           kMost + "for (int c = 0; c < w; c++) y[r * w + c] = x[r * w + c] - m;"},
          {kLoad + "-INFINITY;" + kReduceMost +
               " float s = 0; for (int e = 0; e < 2; e++) s += 32 * e + lane < w ? expf(own[e] - m) : 0; for (int d = 1; d < 32; d "
               "*= 2) s += __shfl_xor_sync(~0u, s, d);" +
               kStore + " / s;",
           kMost +
               "float s = 0; for (int c = 0; c < w; c++) s += expf(x[r * w + c] - m); for (int c = 0; c < w; c++) y[r * w "
               "+ c] = x[r * w + c] / s;"}}) {
    const AllSizesProof proof = proof_of(kernel, spec);
    EXPECT_TRUE(proof.is_proved) << kernel << spec << ": " << proof.reason;
    EXPECT_NE(proof.holds_for().find("w <= 64"), std::string::npos) << proof.holds_for();
  }
}

// From 8 columns on: a width of at least 8 is (q + 8) tiles of one.
TEST(BoundedRows, MayHaveALeastLength) {
  const AllSizesProof proof = proof_of(kLoad + "0;" + kStore + ";",
                                       "for (int c = 0; c < w; c++) y[r * w + c] = x[r * w + c];", "w >= 8, w <= 64");
  EXPECT_TRUE(proof.is_proved) << proof.reason;
  EXPECT_NE(proof.holds_for().find("w * h <= 2147483647"), std::string::npos) << proof.holds_for();
}

TEST(BoundedRows, AreNotProvedElsewhere) {
  const std::string copy = "for (int c = 0; c < w; c++) y[r * w + c] = x[r * w + c];",
                    centred = kMost + "for (int c = 0; c < w; c++) y[r * w + c] = x[r * w + c] - m;";
  for (const AllSizesProof& proof :
       {proof_of(kLoad + "0;" + kStore + ";", copy, "w <= 65"), proof_of(kLoad + "0;" + kStore + ";", copy, "w >= 1"),
        proof_of(kLoad + "0;" + kReduceMost + kStore + " - m;", centred),
        proof_of("if (row > h) return;" + kLoad.substr(kLoad.find("float")) + "0;" + kStore + ";", copy),
        proof_of(kLoad + "0;" + kStore + " + (row > 5 ? 1 : 0);", copy)}) {
    EXPECT_FALSE(proof.is_proved);
    EXPECT_FALSE(proof.reason.empty());
  }
}

}  // namespace
}  // namespace swizzle::bounded_rows_test
