// Arrays of structs: loaded and stored by permutations of registers and lanes, at several struct sizes.
#include <regex>

#include <gtest/gtest.h>

#include "tests/end_to_end/accepting_nvcc.h"

namespace swizzle::test::aos_test {
namespace {

// sketches/NAME.cu with its spec, at another struct size, and with ?sw_xform spelled `transformation`.
ToolResult run_with_fields(const std::string& name, int fields, const std::string& more,
                           const std::string& transformation = "?sw_xform") {
  const ScratchFolder scratch;
  const auto resized = [&](const std::string& folder, const std::string& extension) {
    std::string text = read_file(fmt::format("{}/{}/{}{}", SWIZZLE_SOURCE_DIR, folder, name, extension));
    const std::regex shown("constexpr int kFields = \\d+;");
    EXPECT_TRUE(std::regex_search(text, shown)) << name << extension << " has no kFields";
    text = std::regex_replace(text, std::regex("\\?sw_xform\\("), transformation + "(");
    return scratch.write(name + extension,
                         std::regex_replace(text, shown, fmt::format("constexpr int kFields = {};", fields)));
  };
  const std::string sketch = resized("sketches", ".cu"), spec = resized("specs", ".cpp");
  const std::string arguments = fmt::format("'{}' --spec '{}' {}", sketch, spec, more);
  return more.find("--run=") == std::string::npos ? run_on_cpu(arguments) : run_tool(arguments);
}

struct Expected {
  const char* name;
  int fields;
  double shuffles, integer_ops;
};

class ArraysOfStructs : public testing::TestWithParam<Expected> {};

TEST_P(ArraysOfStructs, AreFoundProvedRereadAndRun) {
  const ToolResult r = run_with_fields(GetParam().name, GetParam().fields, "--time-limit 120");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["outcome"], "found");
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["cost"]["shuffles"], GetParam().shuffles);
  EXPECT_EQ(r.report["cost"]["integer_ops"], GetParam().integer_ops);
  EXPECT_EQ(r.report["checked"]["reread"].size(), 3u);
  EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
  EXPECT_GT(r.report["checked"]["run"]["inputs"], 0);
}

INSTANTIATE_TEST_SUITE_P(AtTheirSizes, ArraysOfStructs,
                         testing::Values(Expected{"aos_load_crc", 2, 2, 22}, Expected{"aos_load_crc", 3, 3, 27},
                                         Expected{"aos_load_crc", 4, 4, 44}, Expected{"aos_load_crc", 5, 5, 50},
                                         Expected{"aos_load_crc", 7, 7, 70}, Expected{"aos_load_crc", 8, 8, 88},
                                         Expected{"aos_store_crc", 2, 2, 22}, Expected{"aos_store_crc", 3, 3, 27},
                                         Expected{"aos_store_crc", 4, 4, 44}, Expected{"aos_store_crc", 5, 5, 45},
                                         Expected{"aos_store_crc", 7, 7, 63}, Expected{"aos_store_crc", 8, 8, 88},
                                         Expected{"aos_load_addresses", 3, 3, 27},
                                         Expected{"aos_load_scatter", 3, 3, 27}, Expected{"aos_load_scatter", 4, 4, 44},
                                         Expected{"aos_load_scatter", 8, 8, 88}, Expected{"aos_sum", 2, 2, 16},
                                         Expected{"aos_sum", 3, 3, 27}, Expected{"aos_sum", 4, 4, 32},
                                         Expected{"aos_sum", 5, 5, 50}, Expected{"aos_sum", 7, 7, 70},
                                         Expected{"aos_sum", 8, 8, 64}, Expected{"aos_sum", 16, 16, 128}),
                         [](const auto& info) { return fmt::format("{}_{}", info.param.name, info.param.fields); });

INSTANTIATE_TEST_SUITE_P(ManyFields, ArraysOfStructs,
                         testing::Values(Expected{"aos_load_crc", 9, 9, 90}, Expected{"aos_load_crc", 11, 11, 99},
                                         Expected{"aos_load_crc", 13, 13, 130}, Expected{"aos_load_crc", 15, 15, 150},
                                         Expected{"aos_load_crc", 16, 16, 176}, Expected{"aos_store_crc", 9, 9, 81},
                                         Expected{"aos_store_crc", 11, 11, 99}, Expected{"aos_store_crc", 13, 13, 117},
                                         Expected{"aos_store_crc", 15, 15, 135},
                                         Expected{"aos_store_crc", 16, 16, 176}),
                         [](const auto& info) { return fmt::format("{}_{}", info.param.name, info.param.fields); });

INSTANTIATE_TEST_SUITE_P(RowsFirst, ArraysOfStructs,
                         testing::Values(Expected{"aos_load_rcr", 2, 4, 18}, Expected{"aos_load_rcr", 3, 6, 27},
                                         Expected{"aos_load_rcr", 4, 8, 36}, Expected{"aos_load_rcr", 5, 10, 50},
                                         Expected{"aos_load_rcr", 7, 14, 70}, Expected{"aos_load_rcr", 8, 16, 72},
                                         Expected{"aos_load_rcr", 9, 18, 90}, Expected{"aos_load_rcr", 11, 22, 99},
                                         Expected{"aos_load_rcr", 13, 26, 130}, Expected{"aos_load_rcr", 15, 30, 150},
                                         Expected{"aos_load_rcr", 16, 32, 144}, Expected{"aos_store_rcr", 2, 4, 24},
                                         Expected{"aos_store_rcr", 3, 6, 27}, Expected{"aos_store_rcr", 4, 8, 48},
                                         Expected{"aos_store_rcr", 5, 10, 45}, Expected{"aos_store_rcr", 7, 14, 63},
                                         Expected{"aos_store_rcr", 8, 16, 96}, Expected{"aos_store_rcr", 9, 18, 81},
                                         Expected{"aos_store_rcr", 11, 22, 99}, Expected{"aos_store_rcr", 13, 26, 117},
                                         Expected{"aos_store_rcr", 15, 30, 135}),
                         [](const auto& info) { return fmt::format("{}_{}", info.param.name, info.param.fields); });

INSTANTIATE_TEST_SUITE_P(
    WithExtraRotations, ArraysOfStructs,
    testing::Values(Expected{"aos_load_extra", 6, 6, 156}, Expected{"aos_load_extra", 10, 10, 260},
                    Expected{"aos_load_extra", 12, 12, 312}, Expected{"aos_load_extra", 14, 14, 378},
                    Expected{"aos_store_extra", 6, 6, 174}, Expected{"aos_store_extra", 10, 10, 290},
                    Expected{"aos_store_extra", 12, 12, 360}, Expected{"aos_store_extra", 14, 14, 420}),
    [](const auto& info) { return fmt::format("{}_{}", info.param.name, info.param.fields); });

class RowsFirstWithExtraRotations : public testing::TestWithParam<Expected> {};

TEST_P(RowsFirstWithExtraRotations, AreFoundProvedRereadAndRun) {
  const ToolResult r = run_with_fields(GetParam().name, GetParam().fields, "--time-limit 120", "?sw_xform_extra");
  ASSERT_EQ(r.exit_code, 0) << r.output;
  EXPECT_EQ(r.report["optimality"], "proved");
  EXPECT_EQ(r.report["cost"]["shuffles"], GetParam().shuffles);
  EXPECT_EQ(r.report["cost"]["integer_ops"], GetParam().integer_ops);
  EXPECT_EQ(r.report["checked"]["run"]["mismatches"], 0);
}

INSTANTIATE_TEST_SUITE_P(Even, RowsFirstWithExtraRotations,
                         testing::Values(Expected{"aos_load_rcr", 6, 12, 174}, Expected{"aos_load_rcr", 10, 20, 290},
                                         Expected{"aos_load_rcr", 12, 24, 348}, Expected{"aos_load_rcr", 14, 28, 420},
                                         Expected{"aos_store_rcr", 6, 12, 192}, Expected{"aos_store_rcr", 10, 20, 320},
                                         Expected{"aos_store_rcr", 12, 24, 396},
                                         Expected{"aos_store_rcr", 14, 28, 462}),
                         [](const auto& info) { return fmt::format("{}_{}", info.param.name, info.param.fields); });

// The grammar of fanning and rotation has no completion for structs of six fields.
class SixFields : public testing::TestWithParam<const char*> {};

TEST_P(SixFields, AreInfeasible) {
  const ToolResult r = run_with_fields(GetParam(), 6, "--run=none");
  EXPECT_EQ(r.exit_code, 10) << r.output;
  EXPECT_EQ(r.report["outcome"], "infeasible");
  EXPECT_TRUE(std::regex_search(
      r.output,
      std::regex(
          R"(the \?sw_xform at 23:\d+ fails with each of the \d+ tables that it may have; with .*, which comes closest, .*y\[\d+\], written by thread \d+)")))
      << r.output;
  EXPECT_NE(r.output.find("note: with ?sw_xform_extra(i, n, k…) here there is a completion"), std::string::npos)
      << r.output;
  EXPECT_TRUE(r.kernel.empty());
}

TEST_P(SixFields, SaveTheTimeOfSuggestions) {
  const ToolResult r = run_with_fields(GetParam(), 6, "--run=none --no-suggestions");
  EXPECT_EQ(r.exit_code, 10) << r.output;
  EXPECT_EQ(r.output.find("there is a completion"), std::string::npos) << r.output;
}

INSTANTIATE_TEST_SUITE_P(EitherDirection, SixFields, testing::Values("aos_load_crc", "aos_store_crc", "aos_sum"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace swizzle::test::aos_test
