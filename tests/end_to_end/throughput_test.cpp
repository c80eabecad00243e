// bench/gpu/throughput: what was measured of instructions, and the page that tells of it.
#include <algorithm>
#include <map>
#include <set>
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

// What ncu counted of every kernel of the races, and what the tool counts beside it, are of the kernels that there are.
TEST(Throughput, EveryKernelOfTheRacesIsCounted) {
  const std::vector<Row> predictions = rows_of("bench/gpu/throughput/predictions.csv");
  const std::vector<Row> counted = rows_of("bench/gpu/throughput/counted.csv");
  const std::vector<Row> raced = rows_of("sketches/real/kernels.csv");
  std::set<std::string> synthesized, beside;
  for (const Row& row : predictions)
    if (row.at(1) == "synthesized") synthesized.insert(row[0]);
  for (const Row& row : counted) beside.insert(row.at(0));
  for (std::size_t i = 1; i < raced.size(); ++i) {
    // How far apart the sectors of a gather lie is for data to say: the page tells why none is there.
    if (raced[i].at(1) == "structs_gather" || raced[i].at(1) == "structs_scatter") continue;
    EXPECT_TRUE(synthesized.contains(raced[i].at(0))) << raced[i][0];
    EXPECT_TRUE(beside.contains(raced[i].at(0))) << raced[i][0];
  }
  for (const Row& setting : rows_of("bench/gpu/throughput/settings.csv"))
    EXPECT_TRUE(setting.at(0) == "kernel" || synthesized.contains(setting[0])) << setting[0];
  const std::string page = read_file(std::string(SWIZZLE_SOURCE_DIR) + "/docs/throughput.md");
  EXPECT_NE(page.find(fmt::format("\n{} kernels. Of pairs", predictions.size() - 1)), std::string::npos);
  EXPECT_NE(page.find(fmt::format("\n| predicted ÷ measured time | {} |", counted.size() - 1)), std::string::npos);
}

// Of which the tool counts fewer real operations than nvcc makes, and what share at least: exponentials and divisions
// are several of nvcc's, in scans and sums some warps of a block have nothing to do, and images end within the block
// counted.
const std::map<std::string, double> kFewerReals = {
    {"conv5x5", 0.98}, {"conv9x9", 0.98}, {"reduce4096", 0.85}, {"scan1024", 0.6}, {"softmax512", 0.3}};

// bench/gpu/throughput/machine_code.csv: by kind, what the tool counts of a kernel and what nvcc makes.
TEST(Throughput, CountsAreThoseOfTheMachineCode) {
  const std::vector<Row> rows = rows_of("bench/gpu/throughput/machine_code.csv");
  ASSERT_FALSE(rows.empty());
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin());
  };
  const std::size_t real = column("reals_tool"), shuffles = column("shuffles_tool"), all = column("all_tool");
  std::size_t close = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double reals = std::stod(rows[i].at(real)), reals_made = std::stod(rows[i].at(real + 1));
    const auto fewer = kFewerReals.find(rows[i][0]);
    EXPECT_LE(reals, reals_made + 2) << rows[i][0];
    EXPECT_GE(reals, fewer == kFewerReals.end() ? reals_made - 2 : fewer->second * reals_made) << rows[i][0];
    EXPECT_NEAR(std::stod(rows[i].at(shuffles)), std::stod(rows[i].at(shuffles + 1)), 8) << rows[i][0];
    const double ratio = std::stod(rows[i].at(all)) / std::stod(rows[i].at(all + 1));
    close += ratio >= 0.8 && ratio <= 1.25;
  }
  const std::string page = read_file(std::string(SWIZZLE_SOURCE_DIR) + "/docs/throughput.md");
  EXPECT_NE(page.find(fmt::format("\n| all | {} |", rows.size() - 1)), std::string::npos);
  EXPECT_NE(page.find(fmt::format("| {} |\n| logic |", close)), std::string::npos);
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

TEST(Throughput, ReportPredictsTheTimeOfWhatWasEmitted) {
  const ToolResult r = run_pair("reverse", "--run=none");
  const auto& predicted = r.report["predicted"];
  EXPECT_EQ(predicted["reason"], "");
  EXPECT_EQ(predicted["figures"]["known"], "measured");
  EXPECT_EQ(predicted["instructions"]["shuffles"], 1);
  EXPECT_EQ(predicted["instructions"]["loads"], 1);
  EXPECT_EQ(predicted["stored_bytes"], 128);
  EXPECT_GT(predicted["cycles"]["total"].get<double>(), predicted["cycles"]["issue"].get<double>());
  EXPECT_EQ(run_pair("reverse", "--run=none --arch sm_80").report["predicted"]["figures"]["known"], "published");
  EXPECT_TRUE(run_pair("reverse", "--run=none --arch sm_70").report["predicted"].is_null());
  EXPECT_TRUE(run_pair("infeasible_far", "--run=none").report["predicted"].is_null());
}

}  // namespace
}  // namespace swizzle::test::throughput_test
