// Kernels that are proved for every size, with a number or an operator changed: what of them is still proved is right
// at every size that is tried, by the interpreter for concrete sizes.
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/problem/pose.h"
#include "synth/proof/all_sizes_proof.h"
#include "synth/proof/further_sizes.h"

namespace swizzle::mutated_kernels_test {
namespace {

struct VerifiedKernel {
  const char *name, *kernel, *spec;
};

constexpr VerifiedKernel kVerified[] = {
    {"Stencil", R"(
#pragma swizzle launch grid((n + 63) / 64) block(64)
__global__ void f(const int* x, int* y, int n) {
  const int lane = threadIdx.x % 32, i = blockIdx.x * 64 + threadIdx.x;
  int own = i < n + 2 ? x[i] : 0, rim = 0;
  if (lane < 2 && i + 32 < n + 2) rim = x[i + 32];
  int sum = own;
  for (int k = 1; k < 3; k++) sum += __shfl_sync(0xffffffff, lane < k ? rim : own, (lane + k) % 32);
  if (i < n) y[i] = sum;
})",
     "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) { y[i] = x[i] + x[i + 1] + x[i + 2]; } }"},
    {"Structs", R"(
#pragma swizzle launch grid((n + 31) / 32) block(32)
__global__ void f(const int* x, int* y, int n) {
  const int lane = threadIdx.x, i = blockIdx.x * 32 + lane;
  int r[3];
  for (int j = 0; j < 3; j++) { const int at = 96 * blockIdx.x + 32 * j + lane; r[j] = at < 3 * n ? x[at] : 0; }
  for (int j = 0; j < 3; j++) {
    const int from = (3 * lane + j) % 32;
    int v = 0;
    for (int q = 0; q < 3; q++) {
      const int got = __shfl_sync(0xffffffff, r[q], from);
      if ((3 * lane + j) / 32 == q) v = got;
    }
    if (i < n) y[j * n + i] = v;
  }
})",
     "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) y[j * n + i] = "
     "x[3 * i + j]; }"},
    {"Slope", R"(
#pragma swizzle launch grid((n + 31) / 32) block(32)
__global__ void f(const int* x, int* y, int n) {
  __shared__ int s[34];
  const int t = threadIdx.x, i = blockIdx.x * 32 + t;
  if (i < n) s[t + 1] = x[i];
  if (t < 1) s[0] = i > 0 ? x[i - 1] : 0;
  if (t == 31) s[33] = i + 1 < n ? x[i + 1] : 0;
  if (i + 1 == n && t < 31) s[t + 2] = 0;
  __syncthreads();
  if (i >= n) return;
  y[i] = s[t] - s[t + 2] + s[t + 1];
})",
     "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = (i > 0 ? x[i - 1] : 0) - (i + 1 < n ? x[i + 1] : 0) + x[i]; }"},
    {"FourEach", R"(
#pragma swizzle launch grid((n + 127) / 128) block(32)
__global__ void f(const int* x, int* y, int n) {
  const int i = 4 * (blockIdx.x * 32 + threadIdx.x);
  int r[4];
  for (int e = 0; e < 4; e++) r[e] = 7;
  if (i + 3 < n) {
    const int4 v = *reinterpret_cast<const int4*>(&x[i]);
    r[0] = v.x; r[1] = v.y; r[2] = v.z; r[3] = v.w;
  } else {
    for (int e = 0; e < 4; e++) { if (i + e >= n) break; r[e] = x[i + e]; }
  }
  for (int e = 0; e < 4; e++) { if (i + e >= n) continue; y[i + e] = r[e]; }
})",
     "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }"},
    {"Sum", R"(
#pragma swizzle launch grid(1) block(32)
__global__ void f(const int* x, int* y, int n) {
  const int t = threadIdx.x;
  int s = 0;
  for (int c = t; c < n; c += 32) s += x[c];
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffff, s, d);
  if (t < 1) y[0] = s;
})",
     "void f(const int* x, int* y, int n) { int s = 0; for (int i = 0; i < n; i++) s += x[i]; y[0] = s; }"},
    {"StagedSum", R"(
#pragma swizzle launch grid(1) block(32)
__global__ void f(const int* x, int* y, int n) {
  __shared__ int a[64];
  const int t = threadIdx.x;
  const int* p = x + t;
  int s = 0;
  for (int c = 0; c < n; c += 64) {
    a[t] = c + t < n ? p[0] : 0;
    a[t + 32] = c + t + 32 < n ? p[32] : 0;
    __syncthreads();
    s += a[2 * t] + a[2 * t + 1];
    __syncthreads();
    p += 64;
  }
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffff, s, d);
  if (t < 1) y[0] = s;
})",
     "void f(const int* x, int* y, int n) { int s = 0; for (int i = 0; i < n; i++) s += x[i]; y[0] = s; }"},
    {"Queue", R"(
#pragma swizzle launch grid(1) block(32)
__global__ void f(const int* x, int* y, int n) {
  const int t = threadIdx.x;
  int a = x[t], b = x[t + 32];
  for (int r = 0; r < n; r++) {
    const int d = x[32 * r + 64 + t];
    y[32 * r + t] = a - b + 3 * d;
    a = b;
    b = d;
  }
})",
     "void f(const int* x, int* y, int n) { for (int r = 0; r < n; r++) for (int c = 0; c < 32; c++) y[32 * r + c] = "
     "x[32 * r + c] - x[32 * r + 32 + c] + 3 * x[32 * r + 64 + c]; }"}};

// A number becomes a neighbour or a double, a comparison or a sum another one.
std::string mutated(std::string text, std::mt19937& random) {
  const std::size_t body = text.find("__global__");
  for (;;) {
    const std::size_t at = body + random() % (text.size() - body);
    const char c = text[at], before = text[at - 1], after = at + 1 < text.size() ? text[at + 1] : ' ';
    if (std::isdigit(c) != 0 && std::isalnum(before) == 0 && std::isdigit(after) == 0) {
      constexpr std::array<int, 4> kOthers{1, -1, 2, 32};
      const int other = c - '0' + kOthers[random() % kOthers.size()];
      if (after != 'x' && other >= 0) return text.replace(at, 1, std::to_string(other));
    } else if (before == ' ' && after == ' ' && (c == '+' || c == '-' || c == '<' || c == '>')) {
      return text.replace(at, 1, c == '+' ? "-" : c == '-' ? "+" : c == '<' ? "<=" : ">=");
    } else if (c == '<' && after == '=') {
      return text.replace(at, 2, "<");
    }
  }
}

class MutatedKernels : public testing::TestWithParam<VerifiedKernel> {};

TEST_P(MutatedKernels, AreRightWhereTheyAreProved) {
  const std::vector<Sizes> known{{{"n", 128}}, {{"n", 77}}};
  const auto spec = parse_spec(SourceText("s.cpp", GetParam().spec), "f");
  // A proof takes some hundredths of a second; what is none may go on until it is told to stop.
  const auto proof_of = [&](const std::string& text, double patience) {
    const auto kernel = parse_kernel(SourceText("k.cu", text), "f");
    return kernel.ok() ? prove_all_sizes(*kernel, *spec, known, Deadline(patience)) : AllSizesProof{};
  };
  const AllSizesProof verified = proof_of(GetParam().kernel, 2);
  ASSERT_TRUE(verified.is_proved) << verified.reason;
  EXPECT_LE(verified.regions, 12);

  std::mt19937 random(5);
  int proved = 0;
  for (int trial = 0; trial < 25; ++trial) {
    const std::string text = mutated(GetParam().kernel, random);
    if (!proof_of(text, 0.3).is_proved) continue;
    ++proved;
    const auto kernel = parse_kernel(SourceText("k.cu", text), "f");
    for (int i = 0; i < 20; ++i) {
      const Sizes sizes{{"n", 1 + random() % 300}};
      auto expected = expect(*kernel, *spec, sizes);
      ASSERT_TRUE(expected.ok());
      const auto refuted = refute(*kernel, std::move(*expected));
      EXPECT_TRUE(refuted.ok() && refuted->text.empty()) << text << sizes_text(sizes);
    }
  }
  EXPECT_LT(proved, 13) << "most mutants are wrong";
}

INSTANTIATE_TEST_SUITE_P(AllSizesProof, MutatedKernels, testing::ValuesIn(kVerified),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace swizzle::mutated_kernels_test
