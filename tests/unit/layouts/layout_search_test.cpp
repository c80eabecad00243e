#include "synth/layouts/layout_search.h"

#include <functional>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace swizzle::layout_search_test {
namespace {

void add(TileProblem& problem, SharedOperation operation, int bits, int element_bytes, int lanes, int steps,
         const std::function<TileCell(int, int)>& cell) {
  for (int step = 0; step < steps; ++step) {
    TileAccess access;
    access.operation = operation;
    access.bits = bits;
    access.element_bytes = element_bytes;
    for (int lane = 0; lane < lanes; ++lane) access.lanes.push_back(cell(lane, step));
    problem.accesses.push_back(access);
  }
}

TileProblem transpose(int n, std::optional<std::int64_t> capacity, const SharedMemoryModel& memory = {}) {
  TileProblem p{n, n, {}, capacity, memory};
  add(p, SharedOperation::kStore, 32, 4, memory.lanes, n, [](int lane, int i) { return TileCell{i, lane}; });
  add(p, SharedOperation::kLoad, 32, 4, memory.lanes, n, [](int lane, int i) { return TileCell{lane, i}; });
  return p;
}

double counted(const TileProblem& problem, const Layout& layout) {
  double total = 0;
  for (const TileAccess& a : problem.accesses)
    total += a.weight * count_wavefronts(problem.memory, a.operation, a.bits, addresses_of(a, layout)).count;
  return total;
}

std::string text(const LayoutChoice& c) { return c.layout.expression().print({"r", "c"}); }

TEST(LayoutSearch, ATransposeIsPaddedWhereThereIsRoom) {
  const auto found = search_layout(transpose(32, {}));
  ASSERT_TRUE(found);
  EXPECT_EQ(text(*found), "r * 33 + c");
  EXPECT_EQ(found->wavefronts, 64);
  EXPECT_EQ(found->ideal, 64);
}

TEST(LayoutSearch, ATransposeIsXoredWhereThereIsNone) {
  const auto found = search_layout(transpose(32, 1024));
  ASSERT_TRUE(found);
  EXPECT_EQ(text(*found), "r * 32 + (c ^ r)");
  EXPECT_EQ(found->wavefronts, 64);
}

// Of members that are alike in banks, the one that needs no mask is printed: (r & 31) is dearer than r.
TEST(LayoutSearch, AnXorTakesBitsThatChooseNoBankWhereThatSavesItsMask) {
  const auto found = search_layout(transpose(64, 4096));
  ASSERT_TRUE(found);
  EXPECT_EQ(text(*found), "r * 64 + (c ^ r)");
  EXPECT_EQ(found->wavefronts, found->ideal);
}

TEST(LayoutSearch, TheToyMachineTransposes8x8) {
  const auto found = search_layout(transpose(8, 64, SharedMemoryModel::toy8()));
  ASSERT_TRUE(found);
  EXPECT_EQ(text(*found), "r * 8 + (c ^ r)");
  EXPECT_EQ(found->wavefronts, 16);
  EXPECT_EQ(counted(transpose(8, 64, SharedMemoryModel::toy8()), Layout::plain(8, 8)), 8 + 64);
}

TEST(LayoutSearch, NothingButThePlainLayoutFitsAnOddTileWithoutRoom) {
  TileProblem p{3, 1, {}, 3, SharedMemoryModel::toy8()};
  const auto found = search_layout(p);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->layout, Layout::plain(3, 1));
  p.capacity = 2;
  EXPECT_FALSE(search_layout(p));
}

TEST(LayoutSearch, EveryPitchThatIsCoprimeToTheBanksFreesTheColumns) {
  for (int pitch = 32; pitch < 64; ++pitch) {
    Layout padded = Layout::plain(32, 32);
    padded.pitch = pitch;
    EXPECT_EQ(counted(transpose(32, {}), padded), 32 + 32 * std::gcd(pitch, 32)) << pitch;
  }
}

TEST(LayoutSearch, AdditionServesAsWellAsXor) {
  const Layout added{8, 8, 8, {}, {1, 0, 8}, {}}, xored{8, 8, 8, {0, 0, 7}, {}, {}};
  EXPECT_EQ(counted(transpose(8, {}, SharedMemoryModel::toy8()), added), 16);
  EXPECT_EQ(counted(transpose(8, {}, SharedMemoryModel::toy8()), xored), 16);
}

TEST(LayoutSearch, AGivenLayoutIsTheOnlyMember) {
  TileProblem p = transpose(8, 64, SharedMemoryModel::toy8());
  p.given = Layout::plain(8, 8);
  const auto found = search_layout(p);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->members, 1u);
  EXPECT_EQ(found->wavefronts, 72);
  p.given->pitch = 9;
  EXPECT_FALSE(search_layout(p));  // no room
  EXPECT_TRUE(keeps_together(p, *p.given));
  p.accesses[0].bits = 64;
  EXPECT_FALSE(keeps_together(p, *p.given));
}

// 128-bit stores by rows, 32-bit loads by columns, 32 lanes down a column of 32 floats.
TileProblem wide_rows_narrow_columns() {
  TileProblem p{32, 32, {}, {}, {}};
  add(p, SharedOperation::kStore, 128, 4, 32, 8,
      [](int lane, int i) { return TileCell{i * 4 + lane / 8, lane % 8 * 4}; });
  add(p, SharedOperation::kLoad, 32, 4, 32, 32, [](int lane, int i) { return TileCell{lane, i}; });
  return p;
}

TEST(LayoutSearch, NoLayoutServesWideRowsAndNarrowColumnsIdeally) {
  const TileProblem p = wide_rows_narrow_columns();
  const auto found = search_layout(p);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->exhausted);
  EXPECT_EQ(found->tried, found->members);
  EXPECT_EQ(found->ideal, 8 * 4 + 32);
  EXPECT_EQ(found->wavefronts, 8 * 4 + 32 * 4);  // a column's 32 words lie in 8 groups of 4 banks
  EXPECT_EQ(counted(p, found->layout), found->wavefronts);
}

TEST(LayoutSearch, LdmatrixOfA64x64HalfTile) {
  TileProblem p{64, 64, {}, 4096, {}};
  add(p, SharedOperation::kStore, 128, 2, 32, 16,
      [](int lane, int i) { return TileCell{i * 4 + lane / 8, lane % 8 * 8}; });
  add(p, SharedOperation::kLdmatrix, 128, 2, 32, 16,
      [](int lane, int i) { return TileCell{i / 4 * 16 + lane % 16, i % 4 * 16 + lane / 16 * 8}; });
  add(p, SharedOperation::kLdmatrix, 128, 2, 32, 16,
      [](int lane, int i) { return TileCell{i / 4 * 16 + lane % 8 + lane / 16 * 8, i % 4 * 16 + lane / 8 % 2 * 8}; });
  const auto found = search_layout(p);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->wavefronts, found->ideal);
  EXPECT_EQ(found->ideal, 16 * 4 * 3);
  EXPECT_EQ(text(*found), "r * 64 + (c ^ ((r & 7) * 8))");
}

// What search_layout says is the least is the least over all members, counted by the wavefront model itself.
TEST(LayoutSearch, AgreesWithTheModelOnRandomAccesses) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 25; ++trial) {
    const int element_bytes = 1 << random() % 4, together = 1 << random() % 3,
              bits = std::min(128, 8 * element_bytes * together);
    const int elements = bits / 8 / element_bytes, columns = elements * (1 + static_cast<int>(random() % 5)),
              rows = 1 + static_cast<int>(random() % 9);
    TileProblem p{rows, columns, {}, {}, random() % 2 ? SharedMemoryModel{} : SharedMemoryModel::toy8()};
    if (random() % 2) p.capacity = rows * columns + random() % 9;
    add(p, random() % 2 ? SharedOperation::kLoad : SharedOperation::kStore, bits, element_bytes, p.memory.lanes, 3,
        [&](int, int) { return TileCell{0, 0, 0, static_cast<int>(random() % 2)}; });
    for (TileAccess& a : p.accesses)
      for (auto& cell : a.lanes)
        *cell = {static_cast<int>(random() % static_cast<unsigned>(rows)),
                 static_cast<int>(random() % static_cast<unsigned>(columns / elements)) * elements, 0, cell->tile};
    ASSERT_TRUE(is_aligned(p));
    const auto found = search_layout(p);
    ASSERT_TRUE(found);
    double least = 1e9;
    for (const RankedLayout& m :
         layouts_of({rows, columns, element_bytes, elements, p.memory.banks * p.memory.bank_bytes, p.capacity}))
      least = std::min(least, counted(p, m.layout));
    EXPECT_EQ(found->wavefronts, least);
    EXPECT_EQ(counted(p, found->layout), least);
    EXPECT_GE(found->wavefronts, found->ideal);
  }
}

TEST(LayoutSearch, AVectorMustStartAtItsOwnWidth) {
  TileProblem p{4, 8, {}, {}, {}};
  add(p, SharedOperation::kLoad, 128, 4, 4, 1, [](int lane, int) { return TileCell{lane, 4}; });
  EXPECT_TRUE(is_aligned(p));
  p.accesses[0].lanes[2]->column = 2;
  EXPECT_FALSE(is_aligned(p));
}

}  // namespace
}  // namespace swizzle::layout_search_test
