// Kernels that add up, stage or move on over a size that the launch does not know: rounds of a loop, by induction.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/proof/all_sizes_proof.h"
#include "tests/unit/proof/equal_at.h"

namespace swizzle::symbolic_rounds_test {
namespace {

struct Pair {
  std::string launch, kernel, spec;  // bodies over x, y, n and m; the kernel's over t and r as well
};

Result<Program> kernel_of(const Pair& pair) {
  return parse_kernel(
      SourceText("k.cu",
                 fmt::format("#pragma swizzle launch {}\n__global__ void f(const int* x, int* y, int n, int m) {{\n"
                             "  const int t = threadIdx.x, r = blockIdx.x;\n  {}\n}}\n",
                             pair.launch, pair.kernel)),
      "f");
}

Result<Program> spec_of(const Pair& pair) {
  return parse_spec(SourceText("s.cpp", fmt::format("void f(const int* x, int* y, int n, int m) {{ {} }}", pair.spec)),
                    "f");
}

// What is no proof may go on until it is told to stop.
AllSizesProof proof_of(const Pair& pair, double patience = 10) {
  const auto kernel = kernel_of(pair), spec = spec_of(pair);
  EXPECT_TRUE(kernel.ok() && spec.ok()) << pair.kernel << pair.spec;
  return prove_all_sizes(*kernel, *spec, {{{"n", 2}, {"m", 64}}, {{"n", 3}, {"m", 77}}}, Deadline(patience));
}

bool is_equal_at(const Pair& pair, std::int64_t n, std::int64_t m) {
  return test::is_equal_at(*kernel_of(pair), *spec_of(pair), {{"n", n}, {"m", m}}).value_or(false);
}

constexpr const char *kRows = "grid(n) block(32)", *kColumns = "grid((n + 31) / 32) block(32)";
const std::string kSum =
    "for (int r = 0; r < n; r++) { int s = 0; for (int c = 0; c < m; c++) s += x[r * m + c]; y[r] = s; }";
const std::string kLoop = "for (int c = t; c < m; c += 32) ";
const std::string kShuffles = "for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(~0u, s, d); if (t == 0) y[r] = s;";

std::string summed(const std::string& loop) { return "int s = 0; " + loop + kShuffles; }

TEST(Rounds, AddUpWhateverTheirNumber) {
  for (
      const std::string& kernel : std::vector<std::string>{
          summed(kLoop + "s += x[r * m + c];"), summed("for (int c = t; c <= m - 1; c += 32) s += x[r * m + c];"),
          summed("for (unsigned c = t; c < m; c += 32) s += x[r * m + c];"),
          summed("const int* p = x + r * m + t; " + kLoop + "{ s += *p; p += 32; }"),
          summed("int at = r * m + t; " + kLoop + "{ s += x[at]; at += 32; }"),
          summed("for (int c0 = 0; c0 < m; c0 += 32) if (c0 + t < m) s += x[r * m + c0 + t];"),
          summed("for (int c = t; c < m; c += 64) { s += x[r * m + c]; if (c + 32 < m) s += x[r * m + c + 32]; }"),
          summed("int q = 0; " + kLoop + "{ int v = x[r * m + c]; q = v; s += q; }"),
          summed("int all[2] = {0, 0}; " + kLoop + "{ all[0] += x[r * m + c]; all[1] += 3; } s = all[0];"),
          summed(
              "__shared__ int a[32]; for (int c0 = 0; c0 < m; c0 += 32) { a[t ^ 1] = c0 + (t ^ 1) < m ? x[r * m + c0 + "
              "(t ^ 1)] : 0; __syncthreads(); s += a[t]; __syncthreads(); }"),
          summed(kLoop + "{ if (c % 2) continue; s += x[r * m + c]; }" + kLoop + "if (c % 2) s += x[r * m + c];")}) {
    const AllSizesProof proof = proof_of({kRows, kernel, kSum});
    EXPECT_TRUE(proof.is_proved) << kernel << ": " << proof.reason;
    EXPECT_NE(proof.holds_for().find("1 <= m <= "), std::string::npos) << proof.holds_for();
    for (std::int64_t m : {1, 32, 70}) EXPECT_TRUE(is_equal_at({kRows, kernel, kSum}, 2, m)) << kernel << m;
  }
}

// What is proved of them is right at every size that is tried; those that are not right are not proved.
TEST(Rounds, HoldOnlyWhereTheyAreRight) {
  const std::string stage = "a[t] = c0 + t < m ? x[r * m + c0 + t] : 0; ",
                    tiles = "for (int c0 = 0; c0 < m; c0 += 32) ";
  int proved = 0, wrong = 0;
  for (
      const std::string& kernel : std::vector<std::string>{
          summed(kLoop + "s += x[r * m + c];"),
          summed("for (int c = t; c < m; c += 31) s += x[r * m + c];"),
          summed("for (int c = t; c < m; c += 64) s += x[r * m + c];"),
          summed("for (int c = t; c < m; c += 16) s += x[r * m + c];"),
          summed("for (int c = t + 1; c < m; c += 32) s += x[r * m + c];"),
          summed("for (int c = t + 32; c < m; c += 32) s += x[r * m + c];"),
          summed("if (t < m) s = x[r * m + t]; for (int c = t + 32; c < m; c += 32) s += x[r * m + c];"),
          summed("for (int c = t; c < m - 1; c += 32) s += x[r * m + c];"),
          summed("for (int c = t; c <= m; c += 32) s += x[r * m + c];"),
          summed("for (int c = t; c + 31 < m; c += 32) s += x[r * m + c];"),
          summed("for (int c = t; c < 640; c += 32) if (c < m) s += x[r * m + c];"),
          summed("for (char c = t; c < m; c += 32) s += x[r * m + c];"),
          summed("for (int c = t; (char)c < m; c += 32) s += x[r * m + c];"),
          summed(kLoop + "s += x[r * m + (c ^ 1)];"),
          summed(kLoop + "s += x[r * m + c] + (c > 100);"),
          summed(kLoop + "if (c < 100) s += x[r * m + c];"),
          summed(kLoop + "s = x[r * m + c];"),
          summed(kLoop + "s = 2 * s + x[r * m + c];"),
          summed(kLoop + "s = x[r * m + c] - s;"),
          summed(kLoop + "s += x[r * m + c] + s * 0;"),
          summed(kLoop + "s += x[r * m + c] * (s != 7);"),
          summed(kLoop + "{ s += x[r * m + c]; if (s == 5) s++; }"),
          summed(kLoop + "{ s += x[r * m + c]; c += 0; }"),
          summed(kLoop + "{ s += x[r * m + c]; c += 32; }"),
          summed(kLoop + "{ s += x[r * m + c]; m = 64; }"),
          summed(kLoop + "{ s += x[r * m + c]; m++; }"),
          summed(kLoop + "{ if (c > 60) break; s += x[r * m + c]; }"),
          summed(kLoop + "{ s += x[r * m + c]; if (c > 60) return; }"),
          summed("int k = 32; for (int c = t; c < m; c += k) { s += x[r * m + c]; k = 31; }"),
          summed("int k = m; for (int c = t; c < k; c += 32) { s += x[r * m + c]; k = m - (c > 40); }"),
          summed("int f = 1; " + kLoop + "{ s += f * x[r * m + c]; f = 0; }"),
          summed("int f = 1; " + kLoop + "{ if (f) s += x[r * m + c]; f = 0; }"),
          summed("int f = 0; " + kLoop + "{ s += x[r * m + c] + f; f = 1; }"),
          summed("int k = 0; " + kLoop + "{ if (k < 3) s += x[r * m + c]; k++; }"),
          summed("int k = 0; " + kLoop + "{ s += x[r * m + c + k]; k ^= 1; }"),
          summed("int k = 1; " + kLoop + "{ s += x[r * m + c] * k; k *= 2; }"),
          summed("int q = 0; " + kLoop + "{ s += q; q = x[r * m + c]; }"),
          summed("int q = 0; " + kLoop + "{ s += q; q = x[r * m + c]; } s += q;"),
          summed("int q; " + kLoop + "{ s += q; q = x[r * m + c]; }"),
          summed("int q = x[r * m]; " + kLoop + "{ s += q; q = x[r * m + c]; }"),
          summed("int a = 0, b = 0; " + kLoop + "{ const int v = a; a = b; b = v + x[r * m + c]; } s = a + b;"),
          summed("int a[2] = {0, 0}; " + kLoop + "a[c / 32 % 2] += x[r * m + c]; s = a[0] + a[1];"),
          summed("const int* p = x + r * m + t; " + kLoop + "{ s += *p; p += 31; }"),
          summed("const int* p = x + r * m + t; " + kLoop + "{ s += *p; p += t == 3 ? 64 : 32; }"),
          summed("const int* p = x + r * m + t; " + kLoop + "{ p += 32; s += *p; }"),
          summed("int at = r * m + t; " + kLoop + "{ s += x[at]; at += 32 - (at == 64); }"),
          summed("int v = 0; " + kLoop + "{ s += x[r * m + c] + v - v; v = s; }"),
          summed("s = x[0]; " + kLoop + "s += x[r * m + c]; s -= x[0];"),
          summed("if (t != 5) " + kLoop + "s += x[r * m + c];"),
          summed(kLoop + "s += x[r * m + c]; if (m > 200) s++;"),
          summed(kLoop + kLoop + "s += x[r * m + c];"),
          "int s = 0; " + kLoop + "s += x[r * m + c]; if (t == 0) y[r] = s;",
          "int s = 0; " + kLoop + "{ s += x[r * m + c]; y[r] = s; }",
          "int s = 0; " + kLoop + "s = max(s, x[r * m + c]); " + kShuffles,
          "unsigned char s = 0; " + kLoop + "s += x[r * m + c]; " + kShuffles,
          "long long s = 0; " + kLoop + "s += x[r * m + c]; " + kShuffles,
          summed("__shared__ int a[32]; " + tiles + "{ " + stage + "s += a[t ^ 1]; __syncthreads(); }"),
          summed("__shared__ int a[32]; " + tiles + "{ " + stage + "__syncthreads(); s += a[t ^ 1]; }"),
          summed("__shared__ int a[32]; " + tiles + "{ " + stage +
                 "__syncthreads(); s += a[t ^ 1]; __syncthreads(); }"),
          summed("__shared__ int a[32]; a[t] = 0; " + tiles + "{ s += a[t]; " + stage + " } s += a[t];"),
          summed("__shared__ int a[32]; a[t] = 0; " + tiles +
                 "{ if (c0 + t < m) a[t] += x[r * m + c0 + t]; } s = a[t];"),
          summed("__shared__ int a[32]; a[t] = 0; " + tiles +
                 "{ if (c0 + t < m) a[t ^ 1] += x[r * m + c0 + t]; } s = a[t];"),
          summed("__shared__ int a[64]; " + tiles +
                 "{ a[c0 % 64 + t] = c0 + t < m ? x[r * m + c0 + t] : 0; s += a[c0 % 64 + "
                 "t]; }"),
          "__shared__ int a[32]; a[t] = t; int s = 0; for (int c = t; c + 32 <= m; c += 32) { __syncthreads(); s += x[r * m + "
          "c]; } s += a[t ^ 1]; s -= t ^ 1; if (m % 32 > t) s += x[r * m + m / 32 * 32 + t]; " +
              kShuffles}) {
    const Pair pair{kRows, kernel, kSum};
    const AllSizesProof proof = proof_of(pair, 0.3);
    const auto program = kernel_of(pair), spec = spec_of(pair);
    proved += proof.is_proved;
    for (std::int64_t m : {1, 2, 5, 31, 32, 33, 63, 64, 65, 95, 96, 97, 128, 161, 259, 700}) {
      if (test::is_equal_at(*program, *spec, {{"n", 2}, {"m", m}}) == true) continue;
      ++wrong;
      EXPECT_FALSE(proof.is_proved) << kernel << m << proof.holds_for();
      break;
    }
  }
  EXPECT_GE(proved, 5);
  EXPECT_GE(wrong, 40);
}

const std::string kMarch =
    "for (int r = 1; r + 1 < m; r++) for (int c = 0; c < n; c++) y[r * n + c] = x[(r - 1) * n + c] + 3 * x[r * n + c] + x[(r + "
    "1) * n + c];";
const std::string kColumn = "const int c = 32 * r + t; if (c >= n) return; ",
                  kRowsOf = "for (int k = 1; k + 1 < m; k++) ";

TEST(Turns, HandOnWhatTheyKeep) {
  for (const std::string& kernel : std::vector<std::string>{
           "int a = x[c], b = x[n + c]; " + kRowsOf +
               "{ const int d = x[(k + 1) * n + c]; y[k * n + c] = a + 3 * b + d; a = b; b = d; }",
           "int q[2] = {x[c], x[n + c]}; " + kRowsOf +
               "{ const int d = x[(k + 1) * n + c]; y[k * n + c] = q[0] + 3 * q[1] + d; q[0] = q[1]; q[1] = d; }",
           "int a = x[c] + 3 * x[n + c], b = x[n + c]; " + kRowsOf +
               "{ const int d = x[(k + 1) * n + c]; y[k * n + c] = a + d; a = b + 3 * d; b = d; }",
           "const int* p = x + n + c; " + kRowsOf + "{ y[k * n + c] = p[-n] + 3 * *p + p[n]; p += n; }"}) {
    const Pair pair{std::string(kColumns) + "\n#pragma swizzle assume m >= 3", kColumn + kernel, kMarch};
    const AllSizesProof proof = proof_of(pair);
    EXPECT_TRUE(proof.is_proved) << kernel << ": " << proof.reason;
    for (std::int64_t m : {3, 4, 9}) EXPECT_TRUE(is_equal_at(pair, 33, m)) << kernel << m;
  }
}

TEST(Turns, HandOnNothingElse) {
  const std::string next = "const int d = x[(k + 1) * n + c]; y[k * n + c] = a + 3 * b + d; ",
                    start = "int a = x[c], b = x[n + c]; ";
  for (const std::string& kernel : std::vector<std::string>{
           start + kRowsOf + "{ " + next + "a = b; }", start + kRowsOf + "{ " + next + "b = d; a = b; }",
           start + kRowsOf + "{ " + next + "a = b; b = x[k * n + c]; }",
           start + kRowsOf + "{ " + next + "if (k != 5) a = b; b = d; }",
           start + kRowsOf + "{ " + next + "a = k < 6 ? b : d; b = d; }",
           start + kRowsOf + "{ " + next + "a = b; b = d + (k == 7); }",
           "int a = x[c], b = x[c]; " + kRowsOf + "{ " + next + "a = b; b = d; }",
           "int a = 0, b = x[n + c]; " + kRowsOf + "{ " + next + "a = b; b = d; }",
           "int a, b = x[n + c]; " + kRowsOf + "{ " + next + "a = b; b = d; }",
           "int a = x[c], b = x[n + c], z = 0; " + kRowsOf +
               "{ const int d = x[(k + 1) * n + c]; y[k * n + c] = a + 3 * b + d + z; "
               "a = b; b = d; z = k > 5; }",
           "int a = x[c], b = x[n + c], z = 0; " + kRowsOf +
               "{ const int d = x[(k + 1) * n + c]; y[k * n + c] = a + 3 * b + d + z; "
               "a = b; b = d; z += d; }",
           start + "int e = m; for (int k = 1; k + 1 < e; k++) { " + next + "a = b; b = d; e = 9; }",
           start + "int e = m; for (int k = 1; k + 1 < e; k++) { " + next + "a = b; b = d; e -= k == 5; }",
           start + "int e = 1; for (int k = 1; k + 1 < m; k += e) { " + next + "a = b; b = d; e = 2; }",
           "const int* p = x + n + c; " + kRowsOf + "{ y[k * n + c] = p[-n] + 3 * *p + p[n]; p += n - (k == 4); }"}) {
    const Pair pair{std::string(kColumns) + "\n#pragma swizzle assume m >= 3", kColumn + kernel, kMarch};
    EXPECT_FALSE(proof_of(pair).is_proved) << kernel;
    EXPECT_FALSE(is_equal_at(pair, 33, 12)) << kernel;
  }
}

// Tiles of shared memory that turns use again.
TEST(Turns, DoNotRaceWithEachOther) {
  const std::string spec =
      "for (int r = 0; r < n; r++) for (int c = 0; c < m; c++) y[r * m + c] = x[r * m + c / 32 * 32 + 31 - c % 32];";
  const std::string
      launch = "grid(n) block(32)\n#pragma swizzle assume m % 32 == 0",
      head =
          "__shared__ int s[32]; for (int c = 0; c < m; c += 32) { s[t] = x[r * m + c + t]; __syncthreads(); y[r * m "
          "+ c + t] = s[31 - t]; ";
  const AllSizesProof proof = proof_of({launch, head + "__syncthreads(); }", spec});
  EXPECT_TRUE(proof.is_proved) << proof.reason;
  EXPECT_FALSE(proof_of({launch, head + "}", spec}).is_proved);
  EXPECT_FALSE(proof_of({launch, head + "if (c != 64) __syncthreads(); }", spec}).is_proved);
  EXPECT_FALSE(proof_of({launch, head + "__syncthreads(); } y[r * m] = s[t];", spec}).is_proved);
}

// Sums of a spec and what is computed of them.
TEST(Rounds, AreFollowedInASpec) {
  const std::string sum =
      "int s = 0; " + kLoop + "s += x[r * m + c]; for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(~0u, s, d); ";
  const std::string of_spec =
      "for (int r = 0; r < n; r++) { int s = 0; for (int c = 0; c < m; c++) s += x[r * m + c]; ";
  const Pair right{kRows, sum + kLoop + "y[r * m + c] = x[r * m + c] * s;",
                   of_spec + "for (int c = 0; c < m; c++) y[r * m + c] = x[r * m + c] * s; }"};
  const AllSizesProof proof = proof_of(right);
  EXPECT_TRUE(proof.is_proved) << proof.reason;
  for (std::int64_t m : {1, 33, 64}) EXPECT_TRUE(is_equal_at(right, 2, m)) << m;
  for (
      const auto& [kernel, spec] : std::vector<std::pair<std::string, std::string>>{
          {sum + kLoop + "y[r * m + c] = x[r * m + c] + s;",
           of_spec + "for (int c = 0; c < m; c++) y[r * m + c] = x[r * m + c] * s; }"},
          {sum + "if (t == 0) y[r] = s;", of_spec + "s += x[r * m]; y[r] = s; }"},
          {sum + "if (t == 0) y[r] = s;",
           "int s = 0; for (int r = 0; r < n; r++) { for (int c = 0; c < m; c++) s += x[r * m + c]; y[r] = s; }"},
          {sum + "if (t == 0) y[r] = s;",
           "int k = 0; for (int r = 0; r < n; r++) { int s = 0; for (int c = 0; c < m; c++) s += x[k++]; y[r] = s; if (r == 1) k++; }"},
          {sum + "if (t == 0) y[r] = s;",
           "for (int r = 0; r < n; r++) { int s = 0; for (int c = 0; c < m; c++) { s += x[r * m + c]; if (s == 3) break; } y[r] = s; }"},
          {sum + "if (t == 0) y[r] = s;",
           "for (int r = 0; r < n; r++) { int s = 0, k = 0; for (int c = 0; c < m; c++) { s += x[r * m + k]; k += c < 50; } y[r] = s; }"},
          {sum + "if (t == 0) y[r] = s;",
           "int f = 1; for (int r = 0; r < n; r++) { int s = 0; for (int c = 0; c < m; c++) s += f * x[r * m + c]; y[r] = s; f = 0; }"},
          {"if (t == 0) y[r] = x[r];", "int f = 1; for (int r = 0; r < n; r++) { y[r] = f ? x[r] : 0; f = 0; }"},
          {sum + "if (t == 0) y[r] = s * s;",
           "for (int r = 0; r < n; r++) { int s = 0; for (int c = 0; c < m; c++) s += x[r * m + c] * x[r * m + c]; y[r] = s; }"}}) {
    EXPECT_FALSE(proof_of({kRows, kernel, spec}).is_proved) << kernel << spec;
    EXPECT_FALSE(is_equal_at({kRows, kernel, spec}, 4, 65)) << kernel << spec;
  }
}

}  // namespace
}  // namespace swizzle::symbolic_rounds_test
