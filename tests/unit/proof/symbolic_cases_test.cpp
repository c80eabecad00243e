// Addresses and integers that guards choose.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/proof/all_sizes_proof.h"
#include "tests/unit/proof/equal_at.h"

namespace swizzle::symbolic_cases_test {
namespace {

constexpr const char* kCopy = "y[i] = x[i];";
constexpr const char* kClamped =
    "int v = 0; for (int k = -2; k < 3; k++) { const int at = i + k; v += x[at < 0 ? 0 : at < n ? at : n - 1]; } y[i] = v;";
struct Pair {
  std::string kernel, spec;  // bodies over t, i, n; of the spec within its loop over i
  std::string more = "";     // directives
};

Program kernel_of(const Pair& pair) {
  const auto kernel = parse_kernel(
      SourceText("k.cu", fmt::format("#pragma swizzle launch grid((n + 31) / 32) block(32)\n{}"
                                     "__global__ void f(const int* x, int* y, int n) {{\n"
                                     "  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n  {}\n}}\n",
                                     pair.more, pair.kernel)),
      "f");
  EXPECT_TRUE(kernel.ok()) << pair.kernel;
  return *kernel;
}

Program spec_of(const Pair& pair) {
  const auto spec = parse_spec(
      SourceText("s.cpp",
                 fmt::format("void f(const int* x, int* y, int n) {{\n  for (int i = 0; i < n; i++) {{ {} }}\n}}\n",
                             pair.spec)),
      "f");
  EXPECT_TRUE(spec.ok()) << pair.spec;
  return *spec;
}

AllSizesProof proof_of(const Pair& pair) { return prove_all_sizes(kernel_of(pair), spec_of(pair), {{{"n", 64}}}, {}); }

TEST(SymbolicCases, AreFollowedAtOnce) {
  for (const Pair& pair : std::vector<Pair>{
           {"const int v = x[min(i, n - 1)]; if (i < n) y[i] = v;", kCopy},
           {"const int v = x[max(0, min(i, n - 1))]; if (i < n) y[i] = v;", kCopy},
           {"const int j = i < n ? i : n - 1, k = j + 3 - 3; const int v = x[k]; if (k == i) y[k] = v;", kCopy},
           {"int j = i; if (j >= n) j = n - 1; const int* p = x + j; const int v = *p; if (i < n) y[j] = v;", kCopy},
           {"const int* p = i < n ? x + i : x; const int v = p[0]; if (i < n) y[i] = v;", kCopy},
           {"int s[2]; s[0] = 7; s[1] = i < n ? x[i] : 0; const int v = s[i < n ? 1 : 0]; if (i < n) y[i] = v;", kCopy},
           {"int s[2] = {7, 7}; s[i < n ? 1 : 0] = i < n ? x[i] : 0; if (i < n) y[i] = s[1];", kCopy},
           {"if (i < n) y[i] = min(i, 5) + x[i];", "y[i] = (i <= 5 ? i : 5) + x[i];"},
           {"int v = 0; for (int k = -2; k < 3; k++) v += x[max(0, min(i + k, n - 1))]; if (i < n) y[i] = v;",
            kClamped},
           {"if (i < n) { " + std::string(kClamped) + " }", kClamped}}) {
    const AllSizesProof proof = proof_of(pair);
    EXPECT_TRUE(proof.is_proved) << pair.kernel << ": " << proof.reason;
    EXPECT_LE(proof.regions, 2) << pair.kernel;
  }
}

// Each is wrong near the edge, or at few sizes alone.
TEST(SymbolicCases, AreNotProvedWhereOneIsWrong) {
  const std::vector<Pair> wrong{
      {"const int v = x[min(i, n)]; if (i < n) y[i] = v;", kCopy},
      {"const int v = x[min(i, n - 2)]; if (i < n) y[i] = v;", kCopy},
      {"const int j = min(i, n - 1); y[j] = x[j] + (i == n);", kCopy},
      {"const int j = i < n - 1 ? i : n - 1; const int v = x[j] + (i > n - 2 && n % 32 == 5); if (i < n) y[i] = v;",
       kCopy},
      {"const int j = i != 36 ? i : n - 1; if (i < n) y[i] = x[j];", kCopy},
      {"const int* p = i + 1 < n ? x + i : x; const int v = p[0]; if (i < n) y[i] = v;", kCopy},
      {"int s[2]; s[0] = 7; if (i + 1 < n) s[1] = x[i]; const int v = s[i < n ? 1 : 0]; if (i < n) y[i] = v;", kCopy},
      {"int s[2] = {7, 7}; s[i + 1 < n ? 1 : 0] = i < n ? x[i] : 0; if (i < n) y[i] = s[1];", kCopy},
      {"int v = 0; for (int k = -2; k < 3; k++) v += x[max(0, min(i + k, n - 2))]; if (i < n) y[i] = v;", kClamped},
      {"int v = 0; for (int k = -2; k < 3; k++) v += x[max(1, min(i + k, n - 1))]; if (i < n) y[i] = v;", kClamped}};
  for (const Pair& pair : wrong) {
    EXPECT_FALSE(proof_of(pair).is_proved) << pair.kernel;
    const Program kernel = kernel_of(pair), spec = spec_of(pair);
    bool is_wrong = false;
    for (std::int64_t n = 1; n <= 70; ++n) is_wrong |= !test::is_equal_at(kernel, spec, n).value_or(false);
    EXPECT_TRUE(is_wrong) << pair.kernel;
  }
}

}  // namespace
}  // namespace swizzle::symbolic_cases_test
