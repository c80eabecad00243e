// Loops of all threads along several axes of a grid.
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/proof/all_sizes_proof.h"
#include "synth/proof/stride_loops.h"

namespace swizzle::stride_loops_test {
namespace {

Program kernel_of(const std::string& body, const std::string& launch = "grid(4, 2) block(16, 4)") {
  auto kernel = parse_kernel(
      SourceText("k.cu", "#pragma swizzle launch " + launch +
                             "\n__global__ void f(const int* x, int* y, int w, int h) {\n  " + body + "\n}\n"),
      "f");
  EXPECT_TRUE(kernel.ok()) << body;
  return kernel.ok() ? *std::move(kernel) : Program();
}

std::string rows(const std::string& body, const std::string& step = "gridDim.y * blockDim.y") {
  return "for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < h; r += " + step + ") { " + body + " }";
}
const std::string kColumns =
    "for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < w; c += gridDim.x * blockDim.x) y[r * w + c] = x[r * w + c];";

// Of the axes, as the launch has them then; empty: no loop is shared out.
std::string grid_of(const std::string& body) {
  const auto turned = with_turns_as_blocks(kernel_of(body));
  std::string grid;
  if (turned)
    for (const SizeExpr& count : turned->kernel.directives.launch->grid) grid += count.text + "; ";
  return grid;
}

TEST(StrideLoops, AreSharedOutAlongTheirAxes) {
  EXPECT_EQ(grid_of(rows(kColumns)), "(w + 15) / 16; (h + 3) / 4; ");
  EXPECT_EQ(grid_of(rows("y[r] = x[r];")), "4; (h + 3) / 4; ");
  EXPECT_EQ(grid_of("const int by = gridDim.y * blockDim.y; int first = threadIdx.y + blockDim.y * blockIdx.y; "
                    "for (int r = first; r < h; r += by) y[r] = x[r];"),
            "4; (h + 3) / 4; ");
}

TEST(StrideLoops, AreLeftWhereTheyAreSomethingElse) {
  EXPECT_EQ(grid_of(rows("y[r] = x[r];", "gridDim.x * blockDim.y")), "");
  EXPECT_EQ(grid_of(rows("y[r] = x[r] + blockIdx.y;")), "") << "asks for its block";
  EXPECT_EQ(grid_of("int s = 0; " + rows("s += x[r]; y[r] = s;")), "") << "hands on a sum";
  EXPECT_EQ(grid_of("const int* p = x; " + rows("y[r] = p[r]; p += 1;")), "") << "hands on a pointer";
  EXPECT_EQ(grid_of(rows("y[r] = x[r]; x += 1;")), "");
  EXPECT_EQ(grid_of("int k = 0; int* q = &k; " + rows("*q += 1; y[r] = k;")), "");
  EXPECT_EQ(grid_of(rows("const int* t = x; y[r] = t[r];")), "");
  EXPECT_EQ(grid_of("int s[2] = {0, 0}; " + rows("int* a = s; a[0] += 1; y[r] = s[0];")), "");
  EXPECT_EQ(grid_of(rows("if (x[r] < 0) break; y[r] = x[r];")), "");
  EXPECT_EQ(grid_of(rows("if (x[r] < 0) return; y[r] = x[r];")), "");
  EXPECT_EQ(grid_of("h += 1; " + rows("y[r] = x[r];")), "");
  EXPECT_EQ(grid_of("__shared__ int s[16]; " + rows("s[threadIdx.x] = x[r]; y[r] = s[threadIdx.x];")), "");
  EXPECT_EQ(grid_of("for (int r = blockIdx.y * blockDim.y; r < h; r += gridDim.y * blockDim.y) y[r] = x[r];"), "");
  EXPECT_FALSE(with_turns_as_blocks(kernel_of(rows("y[r] = x[r];"), "grid(4, h / 2) block(16, 4)")));
}

TEST(StrideLoops, AreProvedAlongSeveralAxes) {
  const auto proof_of = [](const std::string& columns) {
    const auto spec = parse_spec(
        SourceText("s.cpp",
                   "void f(const int* x, int* y, int w, int h) { for (int r = 0; r < h; r++) for (int c = 0; "
                   "c < w; c++) y[r * w + c] = x[r * w + c]; }"),
        "f");
    return prove_all_sizes(kernel_of(rows(columns)), *spec, {{{"h", 16}, {"w", 64}}, {{"h", 9}, {"w", 33}}},
                           Deadline(10));
  };
  EXPECT_TRUE(proof_of(kColumns).is_proved);
  EXPECT_EQ(proof_of(kColumns).holds_for(), "1 <= w <= 2147483583, 1 <= h <= 2147483639, w * h <= 2147483647");
  std::string skips = kColumns, wrong = kColumns;
  EXPECT_FALSE(proof_of(skips.replace(skips.find("c < w"), 5, "c < w - 1")).is_proved);
  EXPECT_FALSE(proof_of(wrong.replace(wrong.find("x[r * w + c]"), 12, "x[c * h + r]")).is_proved);
}

}  // namespace
}  // namespace swizzle::stride_loops_test
