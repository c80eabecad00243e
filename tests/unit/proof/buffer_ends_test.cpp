// Where buffers end: behind the items that the spec reads.
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/proof/all_sizes_proof.h"

namespace swizzle::buffer_ends_test {
namespace {

AllSizesProof proof_of(const std::string& item, const std::string& body, const std::string& of_spec) {
  const auto kernel = parse_kernel(
      SourceText("k.cu", "#pragma swizzle launch grid((n + 31) / 32) block(32)\n__global__ void f(const " + item +
                             "* x, float* y, int n) {\n  const int i = blockIdx.x * 32 + threadIdx.x;\n  " + body +
                             "\n}\n"),
      "f");
  const auto spec =
      parse_spec(SourceText("s.cpp", "void f(const " + item + "* x, float* y, int n) { for (int i = 0; i < n; i++) " +
                                         of_spec + " }\n"),
                 "f");
  EXPECT_TRUE(kernel.ok() && spec.ok()) << body;
  return prove_all_sizes(*kernel, *spec, {{{"n", 64}}, {{"n", 77}}}, Deadline(10));
}

TEST(BufferEnds, AreThoseOfItemsThatAreReadInPart) {
  const std::string all = "if (i < n) { const float4 p = x[i]; y[i] = p.x + p.y + p.w * 0; }";
  EXPECT_TRUE(proof_of("float4", all, "y[i] = x[i].x + x[i].y;").is_proved);
  EXPECT_TRUE(proof_of("float4", "if (i < n) { const float4 p = x[i]; y[i] = p.y; }", "y[i] = x[i].y;").is_proved);
  EXPECT_FALSE(proof_of("float4", "const float4 p = x[i]; if (i < n) y[i] = p.y;", "y[i] = x[i].y;").is_proved);
  EXPECT_FALSE(proof_of("float4", "if (i < n) y[i] = x[i].y + x[i + 1].x * 0;", "y[i] = x[i].y;").is_proved);
  EXPECT_TRUE(proof_of("float2", "if (i < n) { const float2 p = x[2 * i + 1]; y[i] = p.x; }", "y[i] = x[2 * i + 1].x;")
                  .is_proved);
}

}  // namespace
}  // namespace swizzle::buffer_ends_test
