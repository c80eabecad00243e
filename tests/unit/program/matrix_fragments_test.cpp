#include "synth/program/matrix_fragments.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

namespace swizzle {
namespace {

using Use = MatrixFragment::Use;
using Element = MatrixFragment::Element;

constexpr Use kUses[] = {Use::kA, Use::kB, Use::kAccumulator};

// How often each element, by line and place in it, is moved.
std::map<std::pair<int, int>, int> moved(const MatrixFragment& f) {
  std::map<std::pair<int, int>, int> times;
  for (const FragmentAccess& a : fragment_accesses(f)) {
    const int lanes = a.operation == MemoryOperation::kLdmatrix ? 8 * a.matrices : 32;
    for (int lane = 0; lane < lanes; ++lane)
      for (int i = 0; i < a.bits / 8 / bytes_of(f.element); ++i)
        ++times[{a.line + lane / a.split * a.line_of_high + lane % a.split * a.line_of_low,
                 a.element + lane / a.split * a.element_of_high + lane % a.split * a.element_of_low + i}];
  }
  return times;
}

TEST(MatrixFragments, EachElementIsMovedOnce) {
  int known = 0;
  for (const auto& [m, n, k] : {std::tuple(16, 16, 16), {32, 8, 16}, {8, 32, 16}, {16, 16, 8}})
    for (const Use use : kUses)
      for (const Element element :
           {Element::kHalf, Element::kBfloat16, Element::kTf32, Element::kFloat, Element::kInt32, Element::kInt8})
        for (const bool is_row_major : {false, true})
          for (const bool is_in_shared : {false, true}) {
            const MatrixFragment f{use, m, n, k, element, is_row_major, false, is_in_shared};
            const auto times = moved(f);
            if (times.empty()) continue;
            ++known;
            const int rows = use == Use::kB ? k : m, columns = use == Use::kA ? k : n;
            EXPECT_EQ(times.size(), static_cast<std::size_t>(rows * columns));
            for (const auto& [place, count] : times) {
              EXPECT_EQ(count, 1);
              EXPECT_LT(place.first, is_row_major ? rows : columns);
              EXPECT_LT(place.second, is_row_major ? columns : rows);
            }
          }
  EXPECT_EQ(known, 120);
}

TEST(MatrixFragments, OperandsOfHalvesInSharedMemoryGoByLdmatrix) {
  const auto all = fragment_accesses({Use::kA, 16, 16, 16, Element::kHalf, true, false, true});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].operation, MemoryOperation::kLdmatrix);
  EXPECT_EQ(all[0].matrices, 4);
  EXPECT_EQ(fragment_accesses({Use::kA, 16, 16, 16, Element::kHalf, true, false, false}).size(), 4u);
}

TEST(MatrixFragments, SumsGoInPairsAlongALineOfN) {
  const auto rows = fragment_accesses({Use::kAccumulator, 16, 16, 16, Element::kFloat, true, true, true});
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].bits, 64);
  EXPECT_EQ(rows[0].operation, MemoryOperation::kStore);
  const auto columns = fragment_accesses({Use::kAccumulator, 16, 16, 16, Element::kFloat, false, true, true});
  ASSERT_EQ(columns.size(), 8u);
  EXPECT_EQ(columns[0].bits, 32);
  // of 8 rows and 32 columns, the other way round
  EXPECT_EQ(fragment_accesses({Use::kAccumulator, 8, 32, 16, Element::kFloat, true}).size(), 8u);
  EXPECT_EQ(fragment_accesses({Use::kAccumulator, 8, 32, 16, Element::kFloat, false}).size(), 4u);
}

TEST(MatrixFragments, OtherShapesAndElementsAreNotKnown) {
  EXPECT_TRUE(fragment_accesses({Use::kA, 8, 8, 4, Element::kOther}).empty());
  EXPECT_TRUE(fragment_accesses({Use::kA, 8, 8, 32, Element::kInt8}).empty());
  EXPECT_TRUE(fragment_accesses({Use::kA, 16, 16, 16, Element::kFloat}).empty());
  EXPECT_EQ(fragment_element("f64"), std::nullopt);
  EXPECT_EQ(fragment_element("bf16"), Element::kBfloat16);
}

}  // namespace
}  // namespace swizzle
