// Arrays that are stored from their ends.
#include <gtest/gtest.h>

#include "synth/proof/all_sizes_proof.h"
#include "synth/proof/reversed_loops.h"
#include "tests/unit/proof/equal_at.h"
#include "tests/unit/proof/flat_pair.h"

namespace swizzle::reversed_loops_test {
namespace {

// In how many ways.
std::size_t ways_of(const std::string& body) {
  const auto spec = test::flat_spec(body);
  EXPECT_TRUE(spec.ok()) << body;
  return spec.ok() ? with_reversed_loops(*spec).size() : 0;
}

TEST(ReversedLoops, HandOnNothing) {
  EXPECT_EQ(ways_of("for (int i = 0; i < n; i++) y[i] = x[n - 1 - i];"), 1u);
  EXPECT_EQ(ways_of("for (int i = 0; i <= n; ++i) { if (i == 3) continue; const int v = x[i]; y[i] = v; }"), 1u);
  EXPECT_EQ(ways_of("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) y[i * n + j] = x[j];"), 3u);
}

TEST(ReversedLoops, AreLeftWhereTheyHandOnSomething) {
  EXPECT_EQ(ways_of("for (int i = 0; i < 8; i++) y[i] = x[i];"), 0u) << "over no size";
  EXPECT_EQ(ways_of("for (int i = 1; i < n; i++) y[i] = x[i];"), 0u);
  EXPECT_EQ(ways_of("for (int i = 0; i < n; i += 2) y[i] = x[i];"), 0u);
  EXPECT_EQ(ways_of("for (int i = 0; i < n; i++) y[i + 1] = y[i];"), 0u);
  EXPECT_EQ(ways_of("for (int i = 0; i < n; i++) y[i] += x[i];"), 0u);
  EXPECT_EQ(ways_of("int s = 0; for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; }"), 0u);
  EXPECT_EQ(ways_of("int* p = y; for (int i = 0; i < n; i++) p[i] = x[i];"), 0u);
  EXPECT_EQ(ways_of("for (int i = 0; i < n; i++) { y[i] = x[i]; i++; }"), 0u);
  EXPECT_EQ(ways_of("for (int i = 0; i < n; i++) { y[0] = x[i]; y++; }"), 0u);
  EXPECT_EQ(ways_of("int k = 0; for (int i = 0; i < n; i++) { int* q = &k; *q += 1; y[i] = k; }"), 0u);
  EXPECT_EQ(ways_of("for (int i = 0; i < n; i++) { if (x[i] < 0) break; y[i] = x[i]; }"), 0u);
  EXPECT_EQ(ways_of("for (int i = 0; i < n; i++) { if (x[i] < 0) return; y[i] = x[i]; }"), 0u);
}

bool is_proved(const std::string& launch, const std::string& body, const std::string& loop) {
  const auto kernel = test::flat_kernel(launch, body), spec = test::flat_spec(loop);
  EXPECT_TRUE(kernel.ok() && spec.ok()) << body << loop;
  const bool is_proved = prove_all_sizes(*kernel, *spec, {{{"n", 64}}, {{"n", 96}}}, Deadline(10)).is_proved;
  for (const std::int64_t n : {32, 64, 96})
    if (is_proved) EXPECT_EQ(test::is_equal_at(*kernel, *spec, n), true) << body << loop << n;
  return is_proved;
}

const std::string kGather = "for (int i = 0; i < n; i++) y[i] = x[n - 1 - i];";
const std::string kScatter = "for (int i = 0; i < n; i++) y[n - 1 - i] = x[i];";

TEST(ReversedArrays, AreProvedInEitherDirection) {
  for (const std::string& spec : {kGather, kScatter}) {
    const std::string ragged = "grid((n + 31) / 32) block(32)", whole = "grid(n / 32) block(32)";
    EXPECT_TRUE(is_proved(ragged, "if (i < n) y[n - 1 - i] = x[i];", spec));
    EXPECT_TRUE(is_proved(ragged, "if (i < n) y[i] = x[n - 1 - i];", spec));
    EXPECT_FALSE(is_proved(ragged, "if (i < n) y[n - i] = x[i];", spec));
    EXPECT_FALSE(is_proved(ragged, "if (i < n - 1) y[n - 1 - i] = x[i];", spec));
    const std::string by_tiles =
        "__shared__ int s[32]; s[31 - t] = x[i]; __syncthreads(); y[32 * (gridDim.x - 1 - blockIdx.x) + t] = s[t];";
    EXPECT_TRUE(is_proved(whole, by_tiles, spec));
    EXPECT_FALSE(is_proved(ragged, by_tiles, spec)) << "tiles begin at multiples of 32";
  }
  EXPECT_FALSE(is_proved("grid((n + 31) / 32) block(32)", "if (i < n) y[n - 1 - i] = x[i];",
                         "for (int i = 0; i < n; i++) y[i] = x[i];"));
}

}  // namespace
}  // namespace swizzle::reversed_loops_test
