#include "synth/proof/residue_classes.h"

#include <gtest/gtest.h>

#include "frontend/parse.h"

namespace swizzle::residue_classes_test {
namespace {

// Of a kernel and a spec whose bodies take n and m.
std::vector<Residues> classes_of(const std::string& kernel, const std::string& spec) {
  const std::string parameters = "(int* y, int n, int m) { ";
  const auto parsed = parse_kernel(SourceText("k.cu", "__global__ void f" + parameters + kernel + " }"), "f");
  const auto sequential = parse_spec(SourceText("s.cpp", "void f(int* y, int size, int m) { " + spec + " }"), "f");
  EXPECT_TRUE(parsed.ok() && sequential.ok()) << kernel << spec;
  return parsed.ok() && sequential.ok() ? residue_classes(*parsed, *sequential) : std::vector<Residues>();
}

TEST(ResidueClasses, AreThoseOfSizesThatAreDivided) {
  EXPECT_TRUE(classes_of("y[n] = m;", "y[size] = m;").empty());
  EXPECT_TRUE(classes_of("y[threadIdx.x / 2] = m;", "y[size] = m;").empty());
  const std::vector<Residues> halves = classes_of("y[n / 2] = m;", "y[size] = m;");
  ASSERT_EQ(halves.size(), 2u);
  EXPECT_EQ(halves[1].at("n").modulus, 2);
  EXPECT_EQ(halves[1].at("n").rest, 1);
  EXPECT_EQ(classes_of("y[(n + 1) >> 2] = m;", "y[size % 6] = m;").size(), 12u);
  EXPECT_EQ(classes_of("y[n] = m / 3;", "y[size / 2] = m;").size(), 6u);
}

TEST(ResidueClasses, AreNoneIfThereAreTooMany) {
  EXPECT_TRUE(classes_of("y[n / 64] = m;", "y[size] = m;").empty());
  EXPECT_TRUE(classes_of("y[n / 5] = m / 7;", "y[size] = m;").empty());
}

TEST(ResidueClasses, HaveTheLeastBoundInCommon) {
  EXPECT_EQ(in_all_classes({{"1 <= n <= 46340", "m % 2 == 0"}, {"1 <= n <= 46339", "n * m <= 9"}}),
            (std::vector<std::string>{"1 <= n <= 46339", "m % 2 == 0", "n * m <= 9"}));
}

}  // namespace
}  // namespace swizzle::residue_classes_test
