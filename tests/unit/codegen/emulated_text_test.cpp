#include "codegen/run/emulated_text.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::emulated_text_test {
namespace {

Result<std::string> emulated(const std::string& before, const std::string& body) {
  auto program =
      parse_kernel(SourceText("a.cu", before + "__global__ void f(const int* x, int* y) {\n" + body + "\n}\n"), "");
  if (!program.ok()) return program.errors();
  return emulated_text(*program);
}

TEST(EmulatedText, MatrixInstructionsBecomeCallsOnTheSameLines) {
  const auto text = emulated(
      "",
      "  __shared__ int tile[64];\n  unsigned a, b, p = __cvta_generic_to_shared(tile);\n"
      "  asm volatile(\"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2 + 16];\"\n    : \"=r\"(a), \"=r\"(b) : \"r\"(p));\n  y[0] = a;");
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text->find("  swizzle_emulation::ldmatrix<2, true>((p) + 16, a, b)\n;\n  y[0] = a;"), std::string::npos)
      << *text;
}

TEST(EmulatedText, CopiesBecomeOneExpression) {
  const auto text = emulated(
      "",
      "  __shared__ int tile[64];\n  unsigned p = __cvta_generic_to_shared(tile);\n  int some = 1;\n"
      "  asm volatile(\"{ .reg .pred q; setp.ne.b32 q, %0, 0; @!q cp.async.ca.shared.global [%1 + 8], [%2 + 16], 4, %3; }\"\n"
      "    :: \"r\"(some), \"r\"(p), \"l\"(x), \"r\"(some * 4));\n  asm volatile(\"cp.async.wait_all;\");\n"
      "  asm volatile(\"cp.async.wait_group %0;\" :: \"n\"(2));\n  y[0] = tile[0];");
  ASSERT_TRUE(text.ok());
  for (const char* call : {"  ((!(some) ? swizzle_emulation::ptx_copy((p) + 8, (x), 16, 4, (some * 4)) : void()))\n;\n",
                           "  (swizzle_emulation::commit_copies(), swizzle_emulation::wait_for_copies(0));\n",
                           "  (swizzle_emulation::wait_for_copies((2)));\n"})
    EXPECT_NE(text->find(call), std::string::npos) << *text;
}

TEST(EmulatedText, OperandsOfAMacroAreItsArguments) {
  const std::string macro =
      "#define STORE(p, ...) asm volatile(\"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};\" :: \"r\"(p), \"r\"(__VA_ARGS__))\n";
  const auto text = emulated(
      macro,
      "  __shared__ int tile[64];\n  unsigned a = 1;\n  STORE((unsigned)__cvta_generic_to_shared(&tile[4]), a);");
  ASSERT_TRUE(text.ok());
  EXPECT_NE(
      text->find("  swizzle_emulation::stmatrix<1, false>(((unsigned)__cvta_generic_to_shared(&tile[4])) + 0, a);"),
      std::string::npos)
      << *text;
  const auto hidden = emulated(
      "#define STORE asm volatile(\"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};\" :: \"r\"(p), \"r\"(a))\n",
      "  __shared__ int tile[64];\n  unsigned a = 1, p = __cvta_generic_to_shared(tile);\n  STORE;");
  ASSERT_FALSE(hidden.ok());
  EXPECT_NE(hidden.errors()[0].message.find("in the body of a macro"), std::string::npos);
}

TEST(EmulatedText, DynamicSharedMemoryIsAPointer) {
  const auto text =
      emulated("extern __shared__ __align__(16) unsigned char memory[];\n", "  y[threadIdx.x] = memory[0];");
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(
      text->find(
          "unsigned char* const memory = reinterpret_cast<unsigned char*>(swizzle_emulation::dynamic_shared_memory());\n"),
      0u)
      << *text;
}

TEST(EmulatedText, SharedArraysAreNotStaticTwice) {
  const auto text = emulated("#define SHARED static __shared__\nstatic __device__ int one() { return 1; }\n",
                             "  static __shared__ int a[3], b[4];\n  __shared__ static __align__(8) int c[2];\n"
                             "  SHARED int d[1];\n  static const int e = 1;\n  y[0] = a[0] + b[0] + c[0] + d[0] + e;");
  ASSERT_TRUE(text.ok());
  for (const char* line : {"#define SHARED  __shared__\nstatic __device__ int one()", "   __shared__ int a[3], b[4];\n",
                           "  __shared__  __align__(8) int c[2];\n  SHARED int d[1];\n  static const int e"})
    EXPECT_NE(text->find(line), std::string::npos) << *text;
}

TEST(EmulatedText, OtherTextStays) {
  EXPECT_EQ(*emulated("", "  y[0] = x[0];"), "__global__ void f(const int* x, int* y) {\n  y[0] = x[0];\n}\n");
}

}  // namespace
}  // namespace swizzle::emulated_text_test
