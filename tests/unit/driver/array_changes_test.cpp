#include "driver/array_changes.h"

#include <set>

#include <gtest/gtest.h>

#include "tests/unit/driver/arrays_in_file.h"

namespace swizzle::array_changes_test {
namespace {

class Array {
 public:
  explicit Array(const std::string& body, const std::string& before = "")
      : kernel_(test::parsed_kernel(before + "__global__ void k(float* y) { int i = threadIdx.x; " + body + " }\n")),
        array_(*shared_array(kernel_.program, test::variable_named(kernel_.program, "s"))) {}

  const SharedArray& array() const { return array_; }
  ArrayChange with(const Layout& layout) const { return swizzled(kernel_.program.source, array_, layout); }
  ArrayChange with_pad(std::int64_t more) const { return padded(kernel_.program.source, array_, more); }
  std::string text(const ArrayChange& change) const { return edited(kernel_.program.source, change.edits); }
  bool has(const std::string& text, const ArrayChange& change) const {
    return this->text(change).find(text) != std::string::npos;
  }
  std::vector<RankedLayout> swizzles() const { return swizzles_of(array_, {}); }

 private:
  CheckedKernel kernel_;
  SharedArray array_;
};

Layout row_xor(int rows, int columns, RowXor x) {
  Layout layout = Layout::plain(rows, columns);
  layout.row_xor = x;
  return layout;
}

Layout bit_swizzle(int elements, BitSwizzle s) {
  Layout layout = Layout::plain(1, elements);
  layout.swizzle = s;
  return layout;
}

TEST(ArrayChanges, ASwizzleOfRowsIsWrittenIntoEachUse) {
  const Array tile("__shared__ float s[32][32]; s[i + 1][0] = 1; y[0] = s[0][i];");
  const ArrayChange change = tile.with(row_xor(32, 32, {0, 0, 31}));
  EXPECT_EQ(change.was + " " + change.is, "s[r][c] s[r][c ^ r]");
  EXPECT_EQ(change.swizzle, "Swizzle<5, 0, 5>");
  EXPECT_EQ(change.bytes_more, 0);
  EXPECT_TRUE(tile.has("__shared__ float s[32][32]; s[i + 1][0 ^ (i + 1)] = 1; y[0] = s[0][i ^ 0];", change))
      << tile.text(change);
}

TEST(ArrayChanges, WhatANameSaysOfTheExtentsIsAsserted) {
  const Array tile("__shared__ float s[R][C]; s[i][0] = 1;", "#define R 32\n#define C 64\n");
  EXPECT_TRUE(tile.has("s[R][C]; static_assert(C % 32 == 0 && R <= 32, \"for the swizzle of s\");",
                       tile.with(row_xor(32, 64, {0, 0, 31}))));
  EXPECT_TRUE(
      tile.has("s[R][C]; static_assert(C % 8 == 0, \"for the swizzle of s\");", tile.with(row_xor(32, 64, {0, 0, 7}))));
  const Array flat("__shared__ float s[R * C]; s[i] = 1;", "#define R 32\n#define C 32\n");
  EXPECT_TRUE(
      flat.has("static_assert((R * C) % 32 == 0 && (R * C) <= 1024, ", flat.with(bit_swizzle(1024, {5, 0, 5}))));
  EXPECT_TRUE(flat.has("static_assert((R * C) % 32 == 0, ", flat.with(bit_swizzle(1024, {3, 2, 3}))));
}

TEST(ArrayChanges, OfAFlatArrayEveryIndexIsSwizzled) {
  const Array flat("__shared__ float s[2048]; s[i * 2 + 1] = 1; y[0] = s[i];");
  const ArrayChange change = flat.with(bit_swizzle(2048, {5, 0, 5}));
  EXPECT_EQ(change.is, "s[i ^ ((i >> 5) & 31)]");
  EXPECT_EQ(change.swizzle, "Swizzle<5, 0, 5>");
  EXPECT_TRUE(flat.has("s[(i * 2 + 1) ^ (((i * 2 + 1) >> 5) & 31)] = 1; y[0] = s[i ^ ((i >> 5) & 31)];", change));
}

TEST(ArrayChanges, RowsThatAreNoPowersOfTwoHaveNoNameOfCutes) {
  const Array tile("__shared__ float s[32][96]; s[i][0] = 1;");
  EXPECT_EQ(tile.with(row_xor(32, 96, {0, 0, 31})).swizzle, "");
}

// Each member is a permutation of the array, and keeps four elements side by side.
TEST(ArrayChanges, SwizzlesPermuteWhatIsThere) {
  for (const char* body :
       {"__shared__ float s[12][32]; *(float4*)&s[i][4] = {};", "__shared__ float s[32][24]; *(float4*)&s[i][4] = {};",
        "__shared__ float s[384]; *(float4*)&s[4 * i] = {};"}) {
    const Array tile(body);
    const auto members = tile.swizzles();
    EXPECT_FALSE(members.empty()) << body;
    for (const RankedLayout& member : members) {
      const Layout& l = member.layout;
      std::set<std::int64_t> places;
      for (int r = 0; r < l.rows; ++r)
        for (int c = 0; c < l.columns; ++c) {
          places.insert(l.address(r, c));
          EXPECT_EQ(l.address(r, c), l.address(r, c / 4 * 4) + c % 4);
        }
      EXPECT_EQ(static_cast<std::int64_t>(places.size()), tile.array().elements());
      EXPECT_LT(*places.rbegin(), tile.array().elements());
    }
  }
}

TEST(ArrayChanges, OneInstanceIsServedAsTheOtherOrNot) {
  EXPECT_TRUE(serves(row_xor(32, 32, {0, 0, 15}), {64, 48}));
  EXPECT_FALSE(serves(row_xor(32, 32, {0, 0, 15}), {64, 40}));  // groups of 16 columns
  EXPECT_FALSE(serves(row_xor(32, 32, {0, 0, 31}), {64, 32}));  // c ^ r is written, without a mask
  EXPECT_TRUE(serves(bit_swizzle(2048, {5, 0, 5}), {4096}));
  EXPECT_FALSE(serves(bit_swizzle(1024, {5, 0, 5}), {2048}));  // i >> 5, without a mask
}

TEST(ArrayChanges, APadIsWrittenIntoTheDeclaration) {
  const Array tile("__shared__ float s[32][32]; s[i][0] = 1;");
  const ArrayChange change = tile.with_pad(2);
  EXPECT_EQ(change.is, "s[32][32 + 2]");
  EXPECT_EQ(change.bytes_more, 32 * 2 * 4);
}

}  // namespace
}  // namespace swizzle::array_changes_test
