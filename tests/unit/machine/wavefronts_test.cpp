#include "synth/machine/wavefronts.h"

#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace swizzle::wavefronts_test {
namespace {

struct Row {
  std::string text;
  SharedOperation operation = SharedOperation::kLoad;
  int bits = 32;
  LaneAddresses addresses;
  int wavefronts = 0;
};

Row parse_row(const std::string& line) {
  Row row{line, {}, 128, {}, 0};
  std::istringstream in(line);
  std::string op, mask, addresses, wavefronts;
  std::getline(in, op, ',');
  std::getline(in, mask, ',');
  std::getline(in, addresses, ',');
  std::getline(in, wavefronts, ',');
  const bool matrix = op.find("matrix") != std::string::npos;
  const bool load = op.starts_with("ld");
  row.operation = matrix ? (load ? SharedOperation::kLdmatrix : SharedOperation::kStmatrix)
                         : (load ? SharedOperation::kLoad : SharedOperation::kStore);
  if (!matrix) row.bits = std::stoi(op.substr(3));
  unsigned long active = std::stoul(mask, nullptr, 16);
  if (matrix) active &= (1ul << 8 * std::stoi(op.substr(op.find(".x") + 2))) - 1;  // matrix.x2: lanes 0 … 15
  std::istringstream each(addresses);
  std::int64_t address = 0;
  for (int lane = 0; each >> address; ++lane)
    row.addresses.push_back(active >> lane & 1 ? std::optional(address) : std::nullopt);
  row.wavefronts = std::stoi(wavefronts);
  return row;
}

std::vector<Row> measured_rows() {
  std::ifstream file(SWIZZLE_SOURCE_DIR "/tests/data/wavefronts_h200.csv");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#' && !line.starts_with("op,")) rows.push_back(parse_row(line));
  return rows;
}

LaneAddresses by_lane(int lanes, std::int64_t (*address)(int)) {
  LaneAddresses result;
  for (int lane = 0; lane < lanes; ++lane) result.push_back(address(lane));
  return result;
}

Wavefronts loads32(const LaneAddresses& addresses) {
  return count_wavefronts({}, SharedOperation::kLoad, 32, addresses);
}

TEST(Wavefronts, EqualEveryMeasuredRow) {
  const std::vector<Row> rows = measured_rows();
  ASSERT_EQ(rows.size(), 720u);
  for (const Row& row : rows)
    EXPECT_EQ(count_wavefronts({}, row.operation, row.bits, row.addresses).count, row.wavefronts) << row.text;
}

TEST(Wavefronts, IdealIsNeverAboveTheCountAndAWitnessNamesTheDifference) {
  for (const Row& row : measured_rows()) {
    const Wavefronts w = count_wavefronts({}, row.operation, row.bits, row.addresses);
    EXPECT_LE(w.ideal, w.count) << row.text;
    EXPECT_EQ(w.witness.has_value(), w.ideal < w.count) << row.text;
    if (!w.witness) continue;
    EXPECT_GT(w.witness->lanes.size(), 1u) << row.text;
    ASSERT_EQ(w.witness->lanes.size(), w.witness->word_addresses.size());
    EXPECT_EQ(std::set(w.witness->word_addresses.begin(), w.witness->word_addresses.end()).size(),
              w.witness->lanes.size())
        << row.text;
    for (std::size_t i = 0; i < w.witness->lanes.size(); ++i) {
      const std::int64_t word = w.witness->word_addresses[i],
                         first = *row.addresses[static_cast<std::size_t>(w.witness->lanes[i])];
      EXPECT_EQ(word / 4 % 32, w.witness->bank) << row.text;
      EXPECT_TRUE(word <= first + row.bits / 8 - 1 && first < word + 4) << row.text;
    }
  }
}

TEST(Wavefronts, ColumnsOfA32x32TileTake32) {
  const Wavefronts w = loads32(by_lane(32, [](int lane) { return std::int64_t{128} * lane; }));
  EXPECT_EQ(w.count, 32);
  EXPECT_EQ(w.ideal, 1);
  ASSERT_TRUE(w.witness);
  EXPECT_EQ(w.witness->bank, 0);
  EXPECT_EQ(w.witness->lanes.size(), 32u);
}

TEST(Wavefronts, SameWordReadsBroadcast) {
  const Wavefronts w = loads32(by_lane(32, [](int lane) { return std::int64_t{4} * (lane / 16); }));
  EXPECT_EQ(w.count, 1);
  EXPECT_FALSE(w.witness);
}

TEST(Wavefronts, BytesOfOneWordAreOneWord) {
  EXPECT_EQ(
      count_wavefronts({}, SharedOperation::kStore, 8, by_lane(32, [](int lane) { return std::int64_t{lane}; })).count,
      1);
  EXPECT_EQ(
      count_wavefronts({}, SharedOperation::kLoad, 16, by_lane(32, [](int lane) { return std::int64_t{256} * lane; }))
          .count,
      32);
}

TEST(Wavefronts, NobodyActiveTakesNone) {
  const Wavefronts w = loads32(LaneAddresses(32));
  EXPECT_EQ(w.count, 0);
  EXPECT_EQ(w.ideal, 0);
}

TEST(Wavefronts, WideLoadsWithEqualPairsMergeAndStoresDoNot) {
  const LaneAddresses pairs = by_lane(32, [](int lane) { return std::int64_t{8} * (lane / 2); });
  EXPECT_EQ(count_wavefronts({}, SharedOperation::kLoad, 64, pairs).count, 1);
  EXPECT_EQ(count_wavefronts({}, SharedOperation::kStore, 64, pairs).count, 2);
  const LaneAddresses twos_apart = by_lane(32, [](int lane) { return std::int64_t{8} * (lane / 4 * 2 + lane % 2); });
  EXPECT_EQ(count_wavefronts({}, SharedOperation::kLoad, 64, twos_apart).count, 1);
  const LaneAddresses fours_apart = by_lane(32, [](int lane) { return std::int64_t{8} * (lane % 4 + lane / 8 * 4); });
  EXPECT_EQ(count_wavefronts({}, SharedOperation::kLoad, 64, fours_apart).count, 2);
}

TEST(Wavefronts, PaddingOf32x33FreesTheColumns) {
  EXPECT_EQ(loads32(by_lane(32, [](int lane) { return std::int64_t{33 * 4} * lane; })).count, 1);
  EXPECT_EQ(loads32(by_lane(32, [](int lane) { return std::int64_t{34 * 4} * lane; })).count, 2);
}

TEST(Wavefronts, TheToyMachineHas8LanesAnd8Banks) {
  const SharedMemoryModel toy = SharedMemoryModel::toy8();
  EXPECT_EQ(
      count_wavefronts(toy, SharedOperation::kStore, 32, by_lane(8, [](int lane) { return std::int64_t{4} * lane; }))
          .count,
      1);
  const Wavefronts column =
      count_wavefronts(toy, SharedOperation::kLoad, 32, by_lane(8, [](int lane) { return std::int64_t{32} * lane; }));
  EXPECT_EQ(column.count, 8);
  EXPECT_EQ(column.ideal, 1);
  EXPECT_EQ(count_wavefronts(toy, SharedOperation::kLoad, 32,
                             by_lane(8, [](int lane) { return std::int64_t{32} * lane + 4 * (lane ^ 3); }))
                .count,
            1);
  EXPECT_EQ(
      count_wavefronts(toy, SharedOperation::kLoad, 64, by_lane(8, [](int lane) { return std::int64_t{8} * lane; }))
          .count,
      2);
}

// Brute force over (phase, bank, word), with the definition written out.
int brute_force(SharedOperation operation, int bits, const LaneAddresses& a) {
  const auto agree = [&](unsigned d) {
    for (unsigned n = 0; n < 32; ++n)
      if (a[n] && a[n ^ d] && *a[n] != *a[n ^ d]) return false;
    return true;
  };
  unsigned lanes = bits <= 32 ? 32 : bits == 64 ? 16 : 8;
  if (operation == SharedOperation::kLoad && bits > 32 && (agree(1) || agree(2))) lanes *= 2;
  int total = 0;
  for (unsigned first = 0; first < 32; first += lanes) {
    int most = 0;
    for (int bank = 0; bank < 32; ++bank) {
      std::set<std::int64_t> words;
      for (unsigned n = first; n < first + lanes; ++n)
        for (int byte = 0; a[n] && byte < bits / 8; ++byte)
          if ((*a[n] + byte) / 4 % 32 == bank) words.insert((*a[n] + byte) / 4);
      most = std::max(most, static_cast<int>(words.size()));
    }
    total += most;
  }
  return total;
}

TEST(Wavefronts, EqualBruteForceOnRandomPatterns) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 3000; ++trial) {
    const int bits = 8 << random() % 5;
    const auto operation = random() % 2 ? SharedOperation::kLoad : SharedOperation::kStore;
    const unsigned range = 1u << random() % 9, keep = random() % 4, coarse = random() % 3;
    LaneAddresses addresses;
    for (unsigned lane = 0; lane < 32; ++lane)
      addresses.push_back(static_cast<std::int64_t>(random() % range) * (bits / 8));
    for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = addresses[lane & ~coarse];
    for (unsigned lane = 0; lane < 32; ++lane)
      if (keep == 0 && random() % 2) addresses[lane] = std::nullopt;
    EXPECT_EQ(count_wavefronts({}, operation, bits, addresses).count, brute_force(operation, bits, addresses));
  }
}

}  // namespace
}  // namespace swizzle::wavefronts_test
