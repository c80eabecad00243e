#include "synth/trials/residues.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace swizzle::residues_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMostOfFloat = std::numeric_limits<float>::max();

TEST(Residues, OfFractionsMultiplyToWholeNumbers) {
  EXPECT_EQ(multiplied(*residue_of(0.375), *residue_of(8.0)), *residue_of(3.0));
  EXPECT_EQ(added(*residue_of(-2.0), *residue_of(2.0)), 0u);
  EXPECT_FALSE(residue_of(std::nan("")));
}

TEST(Residues, OfExtremesAreInOrder) {
  const double ordered[] = {-kInfinity, -1e300, -kMostOfFloat, -1e30, -0x1p52, 0, 0x1p52, 1e30, 1.01e30, kInfinity};
  for (std::size_t i = 1; i < std::size(ordered); ++i) {
    const auto residue = [](double of) { return is_extreme(of) ? residue_of_extreme(of) : *residue_of(of); };
    EXPECT_LT(centered(residue(ordered[i - 1])), centered(residue(ordered[i]))) << ordered[i];
  }
}

TEST(Residues, OfExtremesLieBeyondTheOthers) {
  EXPECT_GT(centered(residue_of_extreme(0x1p52)), centered(kPrime / 2) - (std::int64_t{1} << 40));
  EXPECT_LT(centered(residue_of_extreme(-0x1p52)), (std::int64_t{1} << 40) - centered(kPrime / 2));
}

}  // namespace
}  // namespace swizzle::residues_test
