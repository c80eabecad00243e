#include "synth/proof/multiple_sizes.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/proof/size_products.h"

namespace swizzle::multiple_sizes_test {
namespace {

Program kernel_with(const std::string& body, const std::string& grid = "(rows * channels + 63) / 64") {
  return *parse_kernel(SourceText("k.cu", "#pragma swizzle launch grid(" + grid +
                                              ") block(64)\n#pragma swizzle assume channels % heads == 0\n"
                                              "__global__ void f(int* y, int rows, int channels, int heads) { " +
                                              body + " }\n"),
                       "f");
}

Program spec_with(const std::string& body) {
  return *parse_spec(SourceText("s.cpp", "void f(int* y, int n, int c, int h) { " + body + " }\n"), "f");
}

const Sizes kKnown{{"rows", 3}, {"channels", 12}, {"heads", 4}};

TEST(MultipleSizes, AreParametersOfTheirQuotients) {
  const Program kernel = kernel_with("y[0] = channels / heads + channels;"), spec = spec_with("y[0] = c;");
  const auto multiples = with_multiple_sizes(kernel, spec, {kKnown});
  ASSERT_TRUE(multiples.has_value());
  EXPECT_EQ(multiples->known, (std::vector<Sizes>{{{"rows", 3}, {"channels_by_heads", 3}, {"heads", 4}}}));
  const Directives& directives = multiples->kernel.directives;
  EXPECT_EQ(directives.launch->grid[0].text, "(rows * (heads * channels_by_heads) + 63) / 64");
  EXPECT_TRUE(directives.assumptions.empty());
  const auto count = [](const Program& program, Operator op) {
    return std::ranges::count_if(program.exprs,
                                 [&](const Expr& e) { return e.kind == ExprKind::kBinary && e.op == op; });
  };
  EXPECT_EQ(count(multiples->kernel, Operator::kDiv), 0);
  EXPECT_GT(count(multiples->spec, Operator::kMul), 0);
}

TEST(MultipleSizes, AreThoseThatAreDividedAtAllKnownSizes) {
  const Program kernel = kernel_with("y[0] = channels;"), spec = spec_with("int size = c / h; y[0] = size;");
  EXPECT_TRUE(with_multiple_sizes(kernel, spec, {kKnown}).has_value());
  EXPECT_FALSE(with_multiple_sizes(kernel, spec, {kKnown, {{"rows", 3}, {"channels", 13}, {"heads", 4}}}).has_value());
  EXPECT_FALSE(with_multiple_sizes(kernel, spec_with("y[0] = c / 4;"), {kKnown}).has_value());
  EXPECT_FALSE(with_multiple_sizes(kernel_with("y[0] = channels / heads; channels = 1;"), spec, {kKnown}).has_value());
}

TEST(MultipleSizes, AreToldAsTheyAreCalled) {
  MultipleSizes of;
  of.size = "c", of.divisor = "h", of.quotient = "q";
  EXPECT_EQ(of.conditions({"1 <= q <= 8", "1 <= h <= 8", "3 * q * b * h - h * q <= 9", "2 * q * b <= 9",
                           "(b * (h * q)) % 64 == 0", "c % h == 0"}),
            (std::vector<std::string>{"c % h == 0", "1 <= c / h <= 8", "1 <= h <= 8", "3 * c * b - c <= 9",
                                      "2 * (c / h) * b <= 9", "(b * c) % 64 == 0"}));
}

// What a program multiplies its sizes by.
TEST(SizeProducts, AreThoseOfSizesAndNumbers) {
  const Program kernel = kernel_with("y[0] = channels * 3 + rows * heads * rows + y[1] * rows + heads * -2;");
  const Polynomial n = Polynomial::atom(1), c = Polynomial::atom(2), h = Polynomial::atom(3);
  EXPECT_EQ(size_products(kernel, {{"rows", n}, {"channels", c}, {"heads", h}}),
            (std::set<Polynomial>{c * Polynomial(3), n * h * n, n * h}));
  EXPECT_TRUE(size_products(kernel_with("rows = 3; y[0] = rows * channels;"), {{"rows", n}, {"channels", c}}).empty());
}

}  // namespace
}  // namespace swizzle::multiple_sizes_test
