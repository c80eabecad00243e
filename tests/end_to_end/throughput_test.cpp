// bench/gpu/throughput: what was measured of instructions, and the page that tells of it.
#include <map>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test::throughput_test {
namespace {

using Row = std::vector<std::string>;

// The lines of a file of comma-separated values, the first among them.
std::vector<Row> rows_of(const std::string& path) {
  std::vector<Row> rows;
  std::istringstream lines(read_file(std::string(SWIZZLE_SOURCE_DIR) + "/" + path));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    for (Row& row = rows.emplace_back(); std::getline(fields, row.emplace_back(), ',');) continue;
    rows.back().pop_back();
  }
  return rows;
}

struct Measured {
  std::string opcode, pipe;
  double slots;  // of a scheduler's issue
};

std::map<std::string, Measured> instructions() {
  std::map<std::string, Measured> found;
  const std::vector<Row> rows = rows_of("bench/gpu/throughput/pipes.csv");
  EXPECT_EQ(rows.at(0), (Row{"instruction", "opcode", "pipe", "cycles", "slots"}));
  for (std::size_t i = 1; i < rows.size(); ++i)
    found[rows[i].at(0)] = {rows[i][1], rows[i][2], std::stod(rows[i].at(4))};
  return found;
}

TEST(Throughput, PageShowsWhatWasMeasured) {
  const std::string page = read_file(std::string(SWIZZLE_SOURCE_DIR) + "/docs/throughput.md");
  for (const Row& row : rows_of("bench/gpu/throughput/pipes.csv")) {
    if (row[0] == "instruction") continue;
    const std::string line = fmt::format("\n| {} | `{}` | {} | {} | {} |\n", row[0], row[1], row[2], row[3], row[4]);
    EXPECT_NE(page.find(line), std::string::npos) << line;
  }
}

TEST(Throughput, ShufflesAndWavefrontsCostWhatTheMachineTableSays) {
  const auto measured = instructions();
  for (const char* name : {"shfl_idx", "shfl_up", "shfl_down", "shfl_bfly", "lds_32", "sts_32", "ldsm_1"}) {
    EXPECT_NEAR(measured.at(name).slots, 4, 0.04) << name;
    EXPECT_EQ(measured.at(name).pipe, "lsu") << name;
  }
}

TEST(Throughput, EachSchedulerHasItsOwnArithmetic) {
  const auto measured = instructions();
  for (const char* name : {"lop3", "prmt", "sel", "isetp", "iadd3", "shf"}) {
    EXPECT_EQ(measured.at(name).pipe, "alu") << name;
    EXPECT_NEAR(measured.at(name).slots, 2, 0.2) << name;
  }
  for (const char* name : {"fadd", "fmul", "ffma", "imad"}) EXPECT_EQ(measured.at(name).pipe, "fma") << name;
}

}  // namespace
}  // namespace swizzle::test::throughput_test
