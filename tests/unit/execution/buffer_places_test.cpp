#include "synth/execution/buffer_places.h"

#include <gtest/gtest.h>

#include "synth/provenance/data_places.h"

namespace swizzle::buffer_places_test {
namespace {

constexpr bool kReads = false, kWrites = true;

class BufferPlacesTest : public testing::Test {
 protected:
  BufferPlacesTest() { p_.value_ranges().set({std::nullopt, ValueRange{0, 99, true}, ValueRange{0, 99, false}}); }

  // scale * index[i] + offset of the buffer; 1: distinct elements, 2: any.
  std::int64_t slot(std::int64_t i, std::int64_t scale, std::int64_t offset, std::size_t buffer = 1) {
    const Value v =
        p_.binary(Operator::kMul, Scalar::kI32, p_.input(BufferId(buffer), i, Scalar::kI32), Value::integer(scale));
    DataIndex at = *data_index(p_, v, Scalar::kI32);
    at.place.offset = offset;
    return *slot_of(at.place);
  }
  bool are_mixed(const std::vector<std::pair<std::int64_t, bool>>& uses) {
    BufferPlaces places;
    for (const auto& [slot, is_write] : uses) places.note(p_, slot, 1, is_write);
    return places.are_mixed();
  }

  Provenance p_;
};

TEST_F(BufferPlacesTest, AreApartByDistinctIndices) {
  EXPECT_FALSE(are_mixed({{slot(0, 8, 0), kWrites}, {slot(1, 8, 7), kWrites}, {slot(0, 8, 7), kReads}}));
  EXPECT_TRUE(are_mixed({{slot(0, 8, 0), kWrites}, {slot(1, 8, 8), kWrites}}));
  EXPECT_TRUE(are_mixed({{slot(0, 8, 0), kWrites}, {slot(1, 4, 0), kWrites}}));
  EXPECT_TRUE(are_mixed({{slot(0, 8, 0, 2), kWrites}, {slot(1, 8, 0, 2), kWrites}}));
}

TEST_F(BufferPlacesTest, MayBeAnyWhereNothingIsWritten) {
  EXPECT_FALSE(are_mixed({{slot(0, 8, 0, 2), kReads}, {slot(1, 4, 9, 2), kReads}, {5, kReads}}));
  EXPECT_TRUE(are_mixed({{slot(0, 8, 0, 2), kReads}, {5, kWrites}}));
}

TEST_F(BufferPlacesTest, MayBeThoseThatNumbersStandFor) {
  EXPECT_TRUE(are_mixed({{slot(0, 8, 0), kWrites}, {5, kReads}}));
  EXPECT_TRUE(are_mixed({{5, kWrites}, {slot(0, 8, 0), kWrites}}));
  EXPECT_FALSE(are_mixed({{5, kWrites}, {6, kReads}}));
}

}  // namespace
}  // namespace swizzle::buffer_places_test
