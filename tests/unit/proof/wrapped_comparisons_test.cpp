// unsigned(i - 2) < unsigned(n): both ends in one comparison.
#include <gtest/gtest.h>

#include "synth/proof/all_sizes_proof.h"
#include "tests/unit/proof/equal_at.h"
#include "tests/unit/proof/flat_pair.h"

namespace swizzle::wrapped_comparisons_test {
namespace {

bool is_proved(const std::string& guard, const std::string& value = "i >= 2 ? x[i - 2] : 0") {
  const auto kernel = test::flat_kernel("grid((n + 31) / 32) block(32)\n#pragma swizzle extent x(n)",
                                        "int v = 0; if (" + guard + ") v = x[i - 2]; if (i < n) y[i] = v;");
  const auto spec = test::flat_spec("for (int i = 0; i < n; i++) y[i] = " + value + ";");
  EXPECT_TRUE(kernel.ok() && spec.ok()) << guard;
  const bool is_proved = prove_all_sizes(*kernel, *spec, {{{"n", 64}}, {{"n", 77}}}, Deadline(10)).is_proved;
  for (const std::int64_t n : {1, 2, 31, 32, 77})
    if (is_proved) EXPECT_EQ(test::is_equal_at(*kernel, *spec, n), true) << guard << n;
  return is_proved;
}

TEST(WrappedComparisons, TellWhatIsBelowZero) {
  EXPECT_TRUE(is_proved("unsigned(i - 2) < unsigned(n)"));
  EXPECT_TRUE(is_proved("unsigned(n) > unsigned(i - 2)"));
  EXPECT_TRUE(is_proved("!(unsigned(i - 2) >= unsigned(n))"));
  EXPECT_TRUE(is_proved("unsigned(i - 2) <= unsigned(n - 1)"));
  EXPECT_FALSE(is_proved("unsigned(i - 1) < unsigned(n)")) << "x[-1]";
  EXPECT_FALSE(is_proved("unsigned(i - 3) < unsigned(n)"));
  EXPECT_FALSE(is_proved("unsigned(i - 2) < unsigned(n)", "i >= 3 ? x[i - 2] : 0"));
  EXPECT_FALSE(is_proved("unsigned(i - 2) > unsigned(n)"));
}

}  // namespace
}  // namespace swizzle::wrapped_comparisons_test
