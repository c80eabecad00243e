#include "synth/synthesis/mirror_images.h"

#include <functional>

#include <gtest/gtest.h>

namespace swizzle::mirror_images_test {
namespace {

using Tables = std::vector<std::function<int(int, int)>>;  // by hole: of the arguments

class MirrorImages : public testing::Test {
 protected:
  static constexpr int kCount = 4;

  void hole(const std::string& first, const std::string& second, int seconds = kCount) {
    HoleSpace space;
    space.id = HoleId(holes_.size());
    space.domain = kCount;
    std::vector<Arguments> arguments;
    for (int b = 0; b < seconds; ++b)
      for (int a = 0; a < kCount; ++a) {
        space.points.emplace_back(space.points.size());
        arguments.push_back({a, b});
      }
    space.arguments = arguments;
    holes_.push_back(std::move(space));
    variables_.push_back({first, second});
  }

  std::vector<std::optional<std::size_t>> of(const std::vector<Tables>& written) const {
    std::vector<Completion> completions;
    for (const Tables& tables : written) {
      completions.emplace_back();
      for (std::size_t h = 0; h < tables.size(); ++h) {
        completions.back().tables.emplace_back();
        for (const auto& a : holes_[h].arguments)
          completions.back().tables.back().values.push_back(static_cast<std::int16_t>(
              (tables[h](static_cast<int>(a[0]), static_cast<int>(a[1])) % kCount + kCount) % kCount));
      }
    }
    return mirror_images(holes_, variables_, completions);
  }

  static constexpr std::nullopt_t kItself = std::nullopt;
  std::vector<HoleSpace> holes_;
  std::vector<std::vector<std::string>> variables_;
};

using Originals = std::vector<std::optional<std::size_t>>;

TEST_F(MirrorImages, AReversedLoopIsOne) {
  hole("", "k", 3);
  EXPECT_EQ(of({{[](int t, int k) { return t + k; }}, {[](int t, int k) { return t - k + 2; }}}),
            (Originals{kItself, 0}));
}

TEST_F(MirrorImages, ATableThatIsJustAnotherOneIsNone) {
  hole("", "k", 3);
  EXPECT_EQ(of({{[](int t, int k) { return t + k; }}, {[](int t, int k) { return t + k + 1; }}}),
            (Originals{kItself, kItself}));
}

TEST_F(MirrorImages, ALoopIsRenumberedInAnyWayButInAllHolesAlike) {
  hole("", "k");
  hole("", "k");
  const auto a = [](int t, int k) { return t + k; };
  const auto b = [](int t, int k) { return 2 * t + k; };
  const auto cycled = [](auto f) { return [f](int t, int k) { return f(t, (k + 1) % kCount); }; };
  EXPECT_EQ(of({{a, b}, {cycled(a), cycled(b)}, {a, cycled(b)}}), (Originals{kItself, 0, kItself}));
}

TEST_F(MirrorImages, OperandsThatChangePlacesAreOne) {
  hole("", "k");
  hole("", "k");
  const auto k = [](int, int k) { return k; };
  const auto difference = [](int t, int k) { return t - k; };
  EXPECT_EQ(of({{k, difference}, {difference, k}}), (Originals{kItself, 0}));
}

TEST_F(MirrorImages, HolesThatAreAskedDifferentlyDoNotChangePlaces) {
  hole("", "k");
  hole("", "k", 3);
  const auto k = [](int, int k) { return k; };
  const auto difference = [](int t, int k) { return t - k; };
  EXPECT_EQ(of({{k, difference}, {difference, k}}), (Originals{kItself, kItself}));
}

// r'[j] = r[first(j, t)], out[j] = r'[second(j, t)]: j of the first hole is a register between the two.
TEST_F(MirrorImages, RenamedRegistersAreOne) {
  hole("j", "");
  hole("i", "");
  const auto renamed = [](int j) { return std::vector{2, 0, 3, 1}[static_cast<std::size_t>(j)]; };
  const auto name = [](int r) { return std::vector{1, 3, 0, 2}[static_cast<std::size_t>(r)]; };
  const auto first = [](int j, int t) { return j + t; };
  const auto second = [](int j, int t) { return (3 * j + 2 * t) % kCount; };
  EXPECT_EQ(of({{first, second},
                {[&](int j, int t) { return first(renamed(j), t); }, [&](int j, int t) { return name(second(j, t)); }},
                {[&](int j, int t) { return first(renamed(j), t); },
                 [&](int j, int t) { return second(j, t) + (j == 0 ? 1 : 0); }}}),
            (Originals{kItself, 0, kItself}));
}

}  // namespace
}  // namespace swizzle::mirror_images_test
