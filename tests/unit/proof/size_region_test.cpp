#include "synth/proof/size_region.h"

#include <set>

#include <gtest/gtest.h>

namespace swizzle::size_region_test {
namespace {

Program launched(const std::string& grid) {
  Program kernel;
  kernel.directives.launch = Launch{{{grid, {}}}, {{"64", {}}}, {}};
  return kernel;
}

Result<SizeRegion> whole(const std::string& grid, std::int64_t n = 64, const std::string& rest_of_zero = "") {
  Program kernel = launched(grid);
  if (!rest_of_zero.empty()) kernel.directives.assumptions.push_back({{rest_of_zero, {}}, {"0", {}}, "=="});
  const auto admissible = AdmissibleSizes::of(kernel, {{{"n", n}}});
  return whole_region(kernel, *admissible, {{{"n", n}}}, {});
}

TEST(SizeRegion, HasAllSizesThatTheLaunchIsFor) {
  const auto exact = whole("n / 64");
  ASSERT_TRUE(exact.ok());
  EXPECT_EQ(exact->sizes.at("n"), exact->grid[0] * Polynomial(64));
  EXPECT_EQ(exact->least(exact->sizes.at("n")), 64);
  EXPECT_EQ(exact->least(exact->grid[0] - exact->block[0] - Polynomial(1)), 0);
  const auto ragged = whole("(n + 63) / 64");
  EXPECT_EQ(ragged->least(ragged->sizes.at("n")), 1);
  EXPECT_EQ(ragged->least(ragged->grid[0] * Polynomial(64) - ragged->sizes.at("n")), 0);
  EXPECT_EQ(ragged->least(ragged->sizes.at("n") - ragged->block[0] * Polynomial(64)), 1);
}

// Whatever the launch: a size that it is for is one of those that are looked at.
TEST(SizeRegion, HasEachSizeThatIsAdmitted) {
  for (const char* grid : {"n", "n / 48", "n / 4 / 16", "(n + 63) / 64", "(n + 29) / 32", "(n - 2) / 62", "n / 3 + 1",
                           "(n / 4 + 255) / 256", "(n / 4 + 64) / 128", "(n / 4 - 2) / 16", "(n * 32 + 127) / 128",
                           "(32 * n + 64) / 128", "n * 32 / 128", "(n + 300) / 256", "(2 * n + 1) / 32",
                           "(4 * n + 59) / 64", "(n * 32 + 200) / 256", "(8 * n + 2) / 16"}) {
    Program kernel = launched(grid);
    for (std::int64_t given = 1; given < 1100; given += 7) {
      const std::vector<Sizes> known{{{"n", given}}};
      const auto admissible = AdmissibleSizes::of(kernel, known);
      if (!admissible->admits(known[0])) continue;
      const auto region = whole_region(kernel, *admissible, known, {});
      if (!region.ok()) break;
      const Dimension& d = *region->dimensions[0];
      for (std::int64_t n = 1; n < 3000; n += 13)
        if (admissible->admits({{"n", n}}) && !d.is_ragged) {
          EXPECT_EQ((n - d.offset) % d.unit, 0) << grid << ' ' << given << ' ' << n;
        }
    }
  }
}

TEST(SizeRegion, ComputesTheConstantsOfALaunch) {
  for (const char* grid : {"(n + 2 * 32 - 1) / (2 * 32)", "(n + (64 - 1)) / 64", "(n + 60 + 3) / (128 / 2)"}) {
    const auto region = whole(grid);
    ASSERT_TRUE(region.ok()) << grid;
    EXPECT_EQ(region->dimensions[0]->unit, 64) << grid;
    EXPECT_TRUE(region->dimensions[0]->is_ragged) << grid;
    EXPECT_EQ(region->least(region->sizes.at("n")), 1) << grid;
  }
}

TEST(SizeRegion, IsRaggedWhereAGivenSizeLeavesARemainder) {
  const auto region = whole("n / 64", 100);
  ASSERT_TRUE(region.ok());
  EXPECT_TRUE(region->dimensions[0]->is_ragged);
}

TEST(SizeRegion, KeepsToWhatIsAssumedToDivideASize) {
  const auto values = [](const char* assumed) {
    const auto region = whole("(n + 63) / 64", 64, assumed);
    std::set<std::int64_t> values;  // of one block
    Polynomial n = region->sizes.at("n");
    for (Atom a : {region->dimensions[0]->before, region->dimensions[0]->behind}) n = n.with(a, Polynomial(0));
    const Atom rest = region->dimensions[0]->behind + 1;
    for (std::int64_t v = 0; v <= *region->most(n.with(rest, Polynomial::atom(rest))); ++v)
      if (const Polynomial one = n.with(rest, Polynomial(v)); one.constant() <= 64) values.insert(one.constant());
    return values;
  };
  EXPECT_EQ(values("n % 16"), (std::set<std::int64_t>{16, 32, 48, 64}));
  EXPECT_EQ(values("n % 64"), (std::set<std::int64_t>{64}));
  EXPECT_EQ(values("n % 48"), (std::set<std::int64_t>{16, 32, 48, 64}));  // what divides 64, too
  EXPECT_EQ(*whole("(n + 63) / 64", 64, "n % 16")->least(whole("(n + 63) / 64", 64, "n % 16")->sizes.at("n")), 16);
}

TEST(SizeRegion, IsSplitUntilASignIsKnown) {
  const auto region = whole("(n + 63) / 64");
  std::vector<SizeRegion> open{*region};
  int known = 0;
  for (; !open.empty() && known < 1000; ++known) {
    const SizeRegion one = open.back();
    open.pop_back();
    Split split;
    const Polynomial guard = one.sizes.at("n") - one.block[0] * Polynomial(64) - Polynomial(41);  // 64 b + 40 < n
    if (one.is_at_least_0(guard, split)) continue;
    for (SizeRegion& part : one.parts(split)) open.push_back(std::move(part));
  }
  EXPECT_GT(known, 2);
  EXPECT_LT(known, 10);
}

// The row above the first of its block, in an image of any width: it begins at (4 b - 1) · (8 a + 3).
TEST(SizeRegion, IsSplitAtWhatTurnsTheSign) {
  SizeRegion region;
  const Polynomial a = Polynomial::atom(region.fresh()), b = Polynomial::atom(region.fresh());
  const Polynomial begin = (Polynomial(4) * b - Polynomial(1)) * (Polynomial(8) * a + Polynomial(3));
  Split split;
  EXPECT_EQ(region.is_at_least_0(begin, split), std::nullopt);
  EXPECT_TRUE(b.has(split.atom));
  EXPECT_EQ(split.threshold, 1);
  region.sizes["n"] = begin;
  for (const SizeRegion& part : region.parts(split)) {
    Split further;
    EXPECT_TRUE(part.is_at_least_0(part.sizes.at("n"), further).has_value());
  }
}

// Every value of the atoms is in one part.
TEST(SizeRegion, IsTheWholeOfItsParts) {
  SizeRegion region;
  const Atom atom = region.fresh(), bounded = region.fresh(10);
  region.sizes["n"] = Polynomial::atom(atom);
  region.sizes["u"] = Polynomial::atom(bounded);
  for (const Split& split :
       {Split{atom, 1, 0}, Split{atom, 5, 0}, Split{atom, 0, 3}, Split{bounded, 1, 0}, Split{bounded, 10, 0}}) {
    std::map<std::int64_t, int> seen;
    const bool is_bounded = split.atom == bounded;
    for (const SizeRegion& part : region.parts(split))
      for (std::int64_t v = 0; v < 40; ++v) {
        const Polynomial& p = part.sizes.at(is_bounded ? "u" : "n");
        if (const auto most = part.most(p); most && p.with(split.atom, Polynomial(v)).constant() > *most) continue;
        if (p.is_constant() && v > 0) continue;
        ++seen[p.with(split.atom, Polynomial(v)).constant()];
      }
    for (std::int64_t v = 0; v <= (is_bounded ? 10 : 30); ++v)
      EXPECT_EQ(seen[v], 1) << v << " of " << split.threshold << ", " << split.modulus;
  }
}

TEST(SizeRegion, DoesNotFollowALaunchItCannotInvert) {
  EXPECT_FALSE(whole("n * n").ok());
  EXPECT_TRUE(whole("(n - 2) / 62", 64).ok());
}

}  // namespace
}  // namespace swizzle::size_region_test
