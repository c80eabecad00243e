#include "synth/provenance/lattice.h"

#include <random>

#include <gtest/gtest.h>

namespace swizzle::lattice_test {
namespace {

TEST(Lattice, EqualFunctionsHaveOneNumber) {
  Lattice l;
  const auto a = l.of(0), b = l.of(1), c = l.of(2);
  EXPECT_EQ(l.least(*l.greatest(a, b), c), l.greatest(*l.least(a, c), *l.least(b, c)));
  EXPECT_EQ(l.greatest(a, *l.least(a, b)), a);
  EXPECT_NE(l.least(a, b), l.greatest(a, b));
}

TEST(Lattice, TellsWhatIsSimple) {
  Lattice l;
  const auto ab = *l.least(l.of(0), l.of(1));
  const auto least = l.simple(*l.least(ab, l.of(2))), one = l.simple(l.of(3));
  ASSERT_TRUE(least && one);
  EXPECT_TRUE(least->is_least);
  EXPECT_EQ(least->atoms, (std::vector<Lattice::Atom>{0, 1, 2}));
  EXPECT_EQ(one->atoms, (std::vector<Lattice::Atom>{3}));
  EXPECT_FALSE(l.simple(*l.greatest(ab, l.of(2))));
  EXPECT_FALSE(l.simple(*l.greatest(*l.least(l.of(0), l.of(1)), *l.least(l.of(0), l.of(2)))));
}

// Two functions have one number if and only if they are the same for all truths of their atoms.
TEST(Lattice, IsToldByTruths) {
  constexpr unsigned kAtoms = 5, kAssignments = 1 << kAtoms;
  std::mt19937 random(7);
  Lattice l;
  struct Made {
    Lattice::Function function;
    unsigned truths;  // by assignment
  };
  std::vector<Made> made;
  for (unsigned atom = 0; atom < kAtoms; ++atom) {
    unsigned truths = 0;
    for (unsigned holds = 0; holds < kAssignments; ++holds) truths |= (holds >> atom & 1) << holds;
    made.push_back({l.of(atom), truths});
  }
  for (int i = 0; i < 300; ++i) {
    const Made a = made[random() % made.size()], b = made[random() % made.size()];
    if (random() % 2 == 0) made.push_back({*l.least(a.function, b.function), a.truths & b.truths});
    else made.push_back({*l.greatest(a.function, b.function), a.truths | b.truths});
  }
  for (const Made& a : made)
    for (const Made& b : made) ASSERT_EQ(a.function == b.function, a.truths == b.truths);
}

// Bits of a multiplexer with its selectors last need a diagram for each combination of the others.
TEST(Lattice, GivesUpOnWhatIsTooLarge) {
  Lattice l;
  std::optional<Lattice::Function> all = l.of(0);
  constexpr unsigned kPairs = 20;
  for (unsigned i = 0; i < kPairs && all; ++i) {
    const auto pair = l.least(l.of(i), l.of(kPairs + i));
    all = pair ? l.greatest(*all, *pair) : std::nullopt;
    if (i == 0) all = pair;
  }
  EXPECT_FALSE(all);
}

}  // namespace
}  // namespace swizzle::lattice_test
