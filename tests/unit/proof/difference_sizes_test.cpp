#include "synth/proof/difference_sizes.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::difference_sizes_test {
namespace {

std::optional<DifferenceSizes> differences(const std::string& grid, const std::vector<Sizes>& known) {
  const auto kernel = parse_kernel(SourceText("k.cu", "#pragma swizzle launch grid(" + grid +
                                                          ") block(16)\n#pragma swizzle extent y(n * k)\n"
                                                          "__global__ void f(int* y, int n, int k) { y[0] = n; }\n"),
                                   "f");
  const auto spec = parse_spec(SourceText("s.cpp", "void f(int* y, int m, int l) { y[0] = m; }\n"), "f");
  EXPECT_TRUE(kernel.ok() && spec.ok()) << grid;
  return kernel.ok() && spec.ok() ? with_difference_sizes(*kernel, *spec, known) : std::nullopt;
}

const Sizes kKnown{{"n", 20}, {"k", 3}};

TEST(DifferenceSizes, AreParametersOfTheirDifferences) {
  const auto found = differences("(n - k + 1 + 15) / 16", {kKnown});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->known, (std::vector<Sizes>{{{"n_less_k", 17}, {"k", 3}}}));
  EXPECT_EQ(found->kernel.directives.launch->grid[0].text, "(n_less_k + 16) / 16");
  EXPECT_TRUE(found->kernel.directives.chosen.contains("k")) << "as the launch named it";
  EXPECT_EQ(found->kernel.directives.extents[0].elements.text, "k * k + n_less_k * k");
}

TEST(DifferenceSizes, AreThoseThatTheLaunchHasAtAllKnownSizes) {
  EXPECT_TRUE(differences("(3 - k + n + 15) / 16", {kKnown}).has_value());
  EXPECT_TRUE(differences("(n - k) / 2 + 1", {kKnown}).has_value());
  EXPECT_FALSE(differences("(n + k + 15) / 16", {kKnown}).has_value());
  EXPECT_FALSE(differences("(n - 2 * k + 15) / 16", {kKnown}).has_value());
  EXPECT_FALSE(differences("(n - n * k + 15) / 16", {kKnown}).has_value());
  EXPECT_FALSE(differences("(n - k + 15) / 16", {kKnown, {{"n", 2}, {"k", 3}}}).has_value());
}

// A launch may round quotients of negative differences to what it has for 0: no size is one.
TEST(DifferenceSizes, AreAtLeast0) {
  DifferenceSizes of;
  of.size = "n", of.less = "k", of.difference = "d";
  EXPECT_EQ(of.conditions({"1 <= (d / 2 + 64) / 64"}),
            (std::vector<std::string>{"0 <= n - k", "1 <= ((n - k) / 2 + 64) / 64"}));
  EXPECT_EQ(of.conditions({"1 <= d + 1", "0 <= d <= 9"}), (std::vector<std::string>{"0 <= n - k", "0 <= n - k <= 9"}));
  EXPECT_EQ(of.conditions({"1 <= d <= 9"}), (std::vector<std::string>{"1 <= n - k <= 9"}));
}

TEST(DifferenceSizes, AreToldAsSizes) {
  DifferenceSizes of;
  of.size = "n", of.less = "k", of.difference = "d";
  EXPECT_EQ(of.conditions({"0 <= d <= 8", "1 <= k", "d + k <= 9", "d * m + k * m <= 9", "2 * d + 1 <= 9", "d % 4 == 0",
                           "no index passes 9"}),
            (std::vector<std::string>{"0 <= n - k <= 8", "1 <= k", "n <= 9", "n * m <= 9", "2 * n - 2 * k + 1 <= 9",
                                      "(n - k) % 4 == 0", "no index passes 9"}));
}

}  // namespace
}  // namespace swizzle::difference_sizes_test
