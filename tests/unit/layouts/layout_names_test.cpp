#include "synth/layouts/layout_names.h"

#include <gtest/gtest.h>

#include "synth/layouts/layout_families.h"

namespace swizzle::layout_names_test {
namespace {

Layout with_xor(int rows, int columns, RowXor x) { return {rows, columns, columns, x, {}, {}}; }

TEST(LayoutNames, AHalfTileOf64ColumnsHasAllOfThem) {
  const Layout l = with_xor(64, 64, {0, 3, 7});
  EXPECT_EQ(cute_swizzle(l), (BitSwizzle{3, 3, 3}));
  EXPECT_EQ(triton_swizzle(l), (TritonSwizzle{8, 1, 8}));
  EXPECT_EQ(tma_swizzle_bytes(l, 2), 128);
  EXPECT_EQ(cute_text(l, {3, 3, 3}), "composition(Swizzle<3, 3, 3>{}, Layout<Shape<_64, _64>, Stride<_64, _1>>{})");
}

TEST(LayoutNames, TmaSwizzlesBytesOfRowsOfItsSpan) {
  EXPECT_EQ(tma_swizzle_bytes(with_xor(32, 32, {1, 3, 3}), 2), 64);  // rows of 64 bytes
  EXPECT_EQ(tma_swizzle_bytes(with_xor(32, 16, {2, 3, 1}), 2), 32);
  EXPECT_EQ(tma_swizzle_bytes(with_xor(32, 32, {0, 0, 31}), 4), std::nullopt);
  EXPECT_EQ(tma_swizzle_bytes(Layout::plain(32, 32), 4), 0);
  EXPECT_EQ(from_tma(32, 128, 128, 2), std::nullopt);  // a row is longer than the span
  EXPECT_EQ(from_tma(32, 16, 128, 2), std::nullopt);   // or shorter
}

TEST(LayoutNames, APitchIsAStrideOfCuTeAndNothingOfTritons) {
  const Layout l{32, 32, 33, {}, {}, {}};
  EXPECT_EQ(cute_swizzle(l), BitSwizzle{});
  EXPECT_EQ(cute_text(l, {}), "Layout<Shape<_32, _32>, Stride<_33, _1>>");
  EXPECT_EQ(triton_swizzle(l), std::nullopt);
  EXPECT_EQ(tma_swizzle_bytes(l, 4), std::nullopt);
}

TEST(LayoutNames, ABoxOfTmaHasRowsOfMultiplesOf16Bytes) {
  EXPECT_EQ(tma_swizzle_bytes(Layout::plain(32, 33), 4), std::nullopt);
  EXPECT_EQ(tma_swizzle_bytes(Layout::plain(32, 36), 4), 0);
  EXPECT_EQ(tma_swizzle_bytes(Layout::plain(32, 4), 2), std::nullopt);
  EXPECT_EQ(tma_swizzle_bytes(Layout::plain(512, 32), 4), std::nullopt);
  EXPECT_EQ(tma_swizzle_bytes(Layout::plain(32, 256), 4), 0);
  EXPECT_EQ(tma_swizzle_bytes(Layout::plain(32, 512), 4), std::nullopt);
  EXPECT_EQ(from_tma(32, 33, 0, 4), std::nullopt);
}

TEST(LayoutNames, TritonsTensorsHavePowersOfTwo) {
  EXPECT_EQ(triton_swizzle(Layout::plain(32, 33)), std::nullopt);
  EXPECT_EQ(triton_swizzle(Layout::plain(24, 32)), std::nullopt);
  EXPECT_EQ(triton_swizzle(Layout::plain(32, 32)), (TritonSwizzle{1, 1, 1}));
}

TEST(LayoutNames, ARotationHasNone) {
  const Layout l{8, 8, 8, {}, {1, 0, 8}, {}};
  EXPECT_EQ(cute_swizzle(l), std::nullopt);
  EXPECT_EQ(triton_swizzle(l), std::nullopt);
}

TEST(LayoutNames, TritonsFormulaIsWhatItsAttributeSays) {
  const TritonSwizzle s{4, 2, 4};
  const auto l = from_triton(16, 32, s);
  ASSERT_TRUE(l);
  for (int r = 0; r < 16; ++r)
    for (int c = 0; c < 32; ++c)
      EXPECT_EQ(l->address(r, c), r * 32 + ((c / s.vec) ^ (r / s.per_phase % s.max_phase)) * s.vec + c % s.vec);
  EXPECT_EQ(from_triton(16, 32, {3, 1, 4}), std::nullopt);
  EXPECT_EQ(from_triton(16, 24, {8, 1, 4}), std::nullopt);  // a phase would leave its row
}

// Every name that a member of the families is given means the same addresses.
TEST(LayoutNames, MeanTheSameAddresses) {
  int named = 0;
  for (const RankedLayout& m : layouts_of({16, 16, 2, 1, 128, 256})) {
    const Layout& l = m.layout;
    const auto cute = cute_swizzle(l);
    const auto triton = triton_swizzle(l);
    named += cute.has_value() + triton.has_value();
    for (int r = 0; r < 16; ++r)
      for (int c = 0; c < 16; ++c) {
        if (cute) {
          EXPECT_EQ(cute->apply(r * l.pitch + c), l.address(r, c));
        }
        if (!triton) continue;
        EXPECT_EQ(
            r * 16 + ((c / triton->vec) ^ (r / triton->per_phase % triton->max_phase)) * triton->vec + c % triton->vec,
            l.address(r, c));
      }
  }
  EXPECT_GT(named, 50);
}

// Swizzle<2, 3, 3> on 16×16 halves: where each group of 8 goes, in rows of 8 groups.
TEST(LayoutNames, SwizzleOf16x16HalvesPermutesGroupsAsDrawn) {
  const int drawn[4][8] = {{0, 1, 2, 3, 4, 5, 6, 7},
                           {9, 8, 11, 10, 13, 12, 15, 14},
                           {18, 19, 16, 17, 22, 23, 20, 21},
                           {27, 26, 25, 24, 31, 30, 29, 28}};
  const BitSwizzle s{2, 3, 3};
  for (int access = 0; access < 4; ++access)
    for (int bank = 0; bank < 8; ++bank) EXPECT_EQ(s.apply(drawn[access][bank] * 8), (access * 8 + bank) * 8);
}

// Which of 32 threads, with a group each, wrote what lies in each place: threads by columns of 16, and by rows of 2.
TEST(LayoutNames, SwizzleOf16x16HalvesPlacesThreadsAsDrawn) {
  const int by_columns[4][8] = {{0, 16, 1, 17, 2, 18, 3, 19},
                                {20, 4, 21, 5, 22, 6, 23, 7},
                                {9, 25, 8, 24, 11, 27, 10, 26},
                                {29, 13, 28, 12, 31, 15, 30, 14}};
  const int by_rows[4][8] = {{0, 1, 2, 3, 4, 5, 6, 7},
                             {9, 8, 11, 10, 13, 12, 15, 14},
                             {18, 19, 16, 17, 22, 23, 20, 21},
                             {27, 26, 25, 24, 31, 30, 29, 28}};
  const Layout l{16, 16, 16, {}, {}, {2, 3, 3}};
  for (int access = 0; access < 4; ++access)
    for (int bank = 0; bank < 8; ++bank) {
      const int place = (access * 8 + bank) * 8;
      EXPECT_EQ(l.address(by_columns[access][bank] % 16, by_columns[access][bank] / 16 * 8), place);
      EXPECT_EQ(l.address(by_rows[access][bank] / 2, by_rows[access][bank] % 2 * 8), place);
    }
}

// Swizzle<3, 2, 3> of the byte address of 8×8 words: column c of row r goes to column c ^ r.
TEST(LayoutNames, SwizzleOf8x8WordsInBytes) {
  const BitSwizzle bytes{3, 2, 3};
  const Layout words{8, 8, 8, {}, {}, {3, 0, 3}};
  for (int r = 0; r < 8; ++r)
    for (int c = 0; c < 8; ++c) {
      EXPECT_EQ(bytes.apply(r * 32 + c * 4), r * 32 + (c ^ r) * 4);
      EXPECT_EQ(words.address(r, c) * 4, bytes.apply(r * 32 + c * 4));
    }
}

}  // namespace
}  // namespace swizzle::layout_names_test
