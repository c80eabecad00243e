// Instructions of small kernels, against what compilers make of them.
#include "synth/timing/kernel_time.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::kernel_time_test {
namespace {

using Kind = InstructionKind;

Program parsed(const std::string& text) {
  auto program = parse_kernel(SourceText("a.cu", text), "", ".", {});
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : render(program.errors()[0]));
  return program.ok() ? std::move(*program) : Program{};
}

// Of `void f(const float* x, const unsigned* w, float* y, unsigned* v, int n)`, at n = 64 in a block of 64 threads.
struct Counted {
  explicit Counted(const std::string& body, const std::string& arch = "sm_90") {
    const Program kernel = parsed(
        "#pragma swizzle launch grid(1) block(64)\n__global__ void f(const float* __restrict__ x, const unsigned* "
        "__restrict__ w, float* y, unsigned* v, int n) {\n  const int t = threadIdx.x, lane = t % 32;\n" +
        body + "\n}\n");
    if (kernel.functions.empty()) return;
    PredictedKernel predicted =
        predict_kernel(kernel, {{{{"n", 64}}, {{1, 1, 1}, {64, 1, 1}}, {64, 64, 64, 64, 1}}}, *throughput_of(arch));
    if (auto* why = std::get_if<std::string>(&predicted)) reason = *why;
    else time = std::get<KernelTime>(predicted);
  }
  double operator[](Kind kind) const { return time.mix[kind]; }
  KernelTime time;
  std::string reason;
};

TEST(KernelTime, CountsWhatIsComputedOnce) {
  const Counted one("y[t] = x[t] + 1;");
  EXPECT_EQ(one.reason, "");
  EXPECT_EQ(one[Kind::kReal], 1);
  EXPECT_EQ(one[Kind::kLoad], 1);
  EXPECT_EQ(one[Kind::kStore], 1);
  EXPECT_EQ(one[Kind::kMultiply], 2) << "an IMAD.WIDE for each array";
  const Counted twice("y[t] = (x[t] + 1) * (x[t] + 1);");
  EXPECT_EQ(twice[Kind::kReal], 2);
  EXPECT_EQ(twice[Kind::kLoad], 1);
  EXPECT_EQ(Counted("float unused = x[t] * 3; y[t] = x[t];")[Kind::kReal], 0);
}

TEST(KernelTime, FusesProductsWithSumsUnlessTheyServeOthers) {
  EXPECT_EQ(Counted("y[t] = x[t] * x[t + 64] + x[t + 128];")[Kind::kReal], 1);
  EXPECT_EQ(Counted("float p = x[t] * x[t + 64]; y[t] = p + x[t + 128]; y[t + 64] = p;")[Kind::kReal], 2);
}

TEST(KernelTime, TakesThreeWordsIntoOneLogicInstruction) {
  EXPECT_EQ(Counted("v[t] = w[t] ^ (w[t + 64] & w[t + 128]);")[Kind::kLogic], 1);
}

TEST(KernelTime, GivesEachProductOfWordsToItsSum) {
  const Counted four(
      "unsigned s = w[t]; for (int k = 1; k < 9; k += 2) s ^= w[t + 64 * k] & w[t + 64 * k + 64]; v[t] = s;");
  EXPECT_EQ(four[Kind::kLogic], 4);
}

TEST(KernelTime, LeavesOutConversionsOfBitsThatAreDropped) {
  const Counted halves("unsigned short s = w[t]; for (int k = 1; k < 5; k++) s += w[t + 64 * k]; v[t] = s;");
  EXPECT_EQ(halves[Kind::kInteger], 2) << "an IADD3 adds two";
  EXPECT_LE(halves[Kind::kLogic], 1);
}

TEST(KernelTime, FoldsWhatUnrolledLoopsKnow) {
  const Counted rolled("float s = 0; for (int k = 0; k < 4; k++) s += x[t + k]; y[t] = s;");
  EXPECT_EQ(rolled[Kind::kReal], 4);
  EXPECT_EQ(rolled[Kind::kLoad], 4);
  EXPECT_EQ(rolled[Kind::kMultiply], 2) << "offsets lie in the instructions";
  EXPECT_EQ(rolled[Kind::kCompare], 0);
  const Counted unknown("float s = 0; for (int k = 0; k < n; k += 32) s += x[t + k]; y[t] = s;");
  EXPECT_EQ(unknown[Kind::kReal], 2);
  EXPECT_GE(unknown[Kind::kCompare], 2);
  EXPECT_GE(unknown[Kind::kControl], 2);
}

TEST(KernelTime, PredicatesAnIfThatChangesMuch) {
  const std::string values = "unsigned a = w[t], b = a, c = a, d = a; ", stores = " v[t] = a + b; v[t + 64] = c + d;";
  EXPECT_EQ(Counted(values + "if (lane < 7) a ^= w[t + 64]; else b ^= w[t + 64];" + stores)[Kind::kSelect], 2);
  const Counted four(
      values + "if (lane < 7) { a ^= w[t + 64]; b ^= w[t + 128]; } else { c ^= w[t + 64]; d ^= w[t + 128]; }" + stores);
  EXPECT_EQ(four[Kind::kSelect], 0);
  EXPECT_EQ(four[Kind::kCompare], 1);
  EXPECT_EQ(four[Kind::kLogic], 4);
}

TEST(KernelTime, ComparesOnceForAllSelectsOfACondition) {
  const Counted two("y[t] = lane < 7 ? x[t] : x[t + 64]; y[t + 64] = lane < 7 ? x[t + 64] : x[t];");
  EXPECT_EQ(two[Kind::kCompare], 1);
  EXPECT_EQ(two[Kind::kSelect], 2);
  const Counted guarded("float a = x[t]; if (lane < 7) a = x[t + 64]; y[t] = a;");
  EXPECT_EQ(guarded[Kind::kCompare], 1);
  EXPECT_EQ(guarded[Kind::kSelect], 1);
}

TEST(KernelTime, CountsWavefrontsAndSectors) {
  EXPECT_EQ(Counted("y[t] = x[t];").time.mix.global_wavefronts, 2);
  EXPECT_EQ(Counted("y[t] = x[8 * t];").time.mix.global_wavefronts, 9);
  EXPECT_EQ(Counted("y[t] = x[8 * t];").time.mix.read_bytes, 1024);
  EXPECT_EQ(Counted("y[t] = x[t];").time.mix.stored_bytes, 128);
  EXPECT_EQ(Counted("y[t] = x[t];").time.moved_bytes, 256);
  const Counted conflicts("__shared__ float s[1024]; s[32 * lane] = x[t]; __syncthreads(); y[t] = s[lane];");
  EXPECT_EQ(conflicts.time.mix.shared_wavefronts, 33);
  const std::string vectors = "*reinterpret_cast<float4*>(&y[4 * t]) = *reinterpret_cast<const float4*>(&x[4 * t]);";
  EXPECT_EQ(Counted(vectors)[Kind::kLoad], 1);
  EXPECT_EQ(Counted(vectors).time.mix.global_wavefronts, 8);
}

TEST(KernelTime, CountsShufflesByRegisters) {
  EXPECT_EQ(Counted("y[t] = __shfl_sync(~0u, x[t], (lane + 1) & 31);")[Kind::kShuffle], 1);
  EXPECT_EQ(Counted("double d = x[t]; d = __shfl_sync(~0u, d, 3); y[t] = d;")[Kind::kShuffle], 2);
}

TEST(KernelTime, InlinesFunctionsAndFollowsVectorsThroughRegisters) {
  const Program kernel = parsed(
      "#pragma swizzle launch grid(1) block(32)\n"
      "__device__ void fill(float (&r)[4], const float* x) { const float4 v = *reinterpret_cast<const float4*>(x);\n"
      "  r[0] = v.x, r[1] = v.y, r[2] = v.z, r[3] = v.w; }\n"
      "__global__ void f(const float* x, float* y) { float r[4]; fill(r, &x[4 * threadIdx.x]);\n"
      "  *reinterpret_cast<float4*>(&y[4 * threadIdx.x]) = make_float4(r[3], r[2], r[1], r[0]); }\n");
  const auto predicted = predict_kernel(kernel, {{{}, {{1, 1, 1}, {32, 1, 1}}, {128, 128}}}, *throughput_of("sm_90"));
  ASSERT_TRUE(std::holds_alternative<KernelTime>(predicted)) << std::get<std::string>(predicted);
  const InstructionMix& mix = std::get<KernelTime>(predicted).mix;
  EXPECT_EQ(mix[Kind::kLoad], 1);
  EXPECT_EQ(mix[Kind::kStore], 1);
  EXPECT_EQ(mix[Kind::kSelect] + mix[Kind::kReal], 0);
}

TEST(KernelTime, PacksHalvesOfRegistersByBytePermutations) {
  const Counted packed(
      "__align__(4) unsigned short a[2], b[2]; *reinterpret_cast<unsigned*>(a) = w[t];\n"
      "b[0] = a[1], b[1] = a[0]; v[t] = *reinterpret_cast<unsigned*>(b);");
  EXPECT_EQ(packed.reason, "");
  EXPECT_EQ(packed[Kind::kLogic], 1);
}

TEST(KernelTime, SaysWhyNothingIsKnown) {
  EXPECT_EQ(Counted("int k = 0; while (x[t] > k) k++; y[t] = k;").reason, "data decide how often a loop runs");
  EXPECT_EQ(Counted("float r[4] = {x[t], 1, 2, 3}; y[t] = r[lane & 3];").reason,
            "what is known only at run time chooses a register");
  EXPECT_EQ(Counted("struct M { int a; float b; } m; m.a = 1; m.b = x[t]; y[t] = m.b + m.a;").reason,
            "'m' has elements of several types, or padded ones");
}

TEST(KernelTime, CountsTheBlockInTheMiddleOfTheLargestLaunch) {
  const Program kernel = parsed(
      "#pragma swizzle launch grid(1) block(32)\n"
      "__global__ void f(const float* x, float* y, int n) { const int i = blockIdx.x * 32 + threadIdx.x;\n"
      "  if (i < n) y[i] = x[i]; }\n");
  const auto predicted = predict_kernel(
      kernel, {{{{"n", 3}}, {{1, 1, 1}, {32, 1, 1}}, {3, 3, 1}}, {{{"n", 70}}, {{3, 1, 1}, {32, 1, 1}}, {70, 70, 1}}},
      *throughput_of("sm_90"));
  ASSERT_TRUE(std::holds_alternative<KernelTime>(predicted));
  EXPECT_EQ(std::get<KernelTime>(predicted).at.at("n"), 70);
  EXPECT_EQ(std::get<KernelTime>(predicted).mix.stored_bytes, 128);
}

}  // namespace
}  // namespace swizzle::kernel_time_test
