// Several sketches in one call.
#include <gtest/gtest.h>

#include "tests/end_to_end/tool.h"

namespace swizzle::test::several_test {
namespace {

struct Several {
  int exit_code = -1;
  std::string output, errors;
  nlohmann::json report;
};

// In the folder of the sources; kernels go to `folder`/out.
Several run_several(const ScratchFolder& folder, const std::string& arguments) {
  const std::string command = fmt::format(
      "cd '{0}' && '{1}' {2} --run=none -o '{3}/out' --report '{3}/r.json' > '{3}/o' 2> '{3}/e' < /dev/null",
      SWIZZLE_SOURCE_DIR, SWIZZLE_SYNTH_TOOL, arguments, folder.path());
  Several result;
  result.exit_code = WEXITSTATUS(std::system(command.c_str()));
  result.output = read_file(folder / "o");
  result.errors = read_file(folder / "e");
  if (std::filesystem::exists(folder / "r.json"))  // of usage that is wrong, nothing is told of sketches
    result.report = valid_report(read_file(folder / "r.json"),
                                 result.exit_code == 2 ? "docs/report.schema.json" : "docs/report_several.schema.json");
  return result;
}

TEST(Several, EachIsCompletedAndTheTableTellsAll) {
  const ScratchFolder folder;
  const Several r = run_several(
      folder, "sketches/reverse.cu sketches/infeasible_far.cu sketches/stencil1d.cu --spec specs/ --jobs 2");
  EXPECT_EQ(r.exit_code, 10) << r.errors;
  EXPECT_TRUE(std::regex_search(r.output, std::regex(R"(sketches/reverse\.cu +found +13 +proved +\d)"))) << r.output;
  EXPECT_TRUE(std::regex_search(r.output, std::regex(R"(sketches/infeasible_far\.cu +infeasible +- +- +\d)")))
      << r.output;
  EXPECT_EQ(read_file(folder / "out/stencil1d.cu"), run_pair("stencil1d", "--run=none").kernel);
  EXPECT_FALSE(std::filesystem::exists(folder / "out/infeasible_far.cu"));
  ASSERT_EQ(r.report["reports"].size(), 3u);
  for (const nlohmann::json& one : r.report["reports"]) valid_report(one.dump(), "docs/report.schema.json");
  EXPECT_EQ(r.report["reports"][1]["outcome"], "infeasible");
  EXPECT_EQ(r.report["exit_code"], 10);
}

TEST(Several, OneThatCannotBeReadCostsItselfAlone) {
  const ScratchFolder folder;
  const Several r = run_several(folder, "nowhere.cu sketches/reverse.cu --spec specs");
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_NE(r.errors.find("nowhere.cu: error: no such file"), std::string::npos) << r.errors;
  EXPECT_TRUE(std::filesystem::exists(folder / "out/reverse.cu"));
}

TEST(Several, SpecsAreOfTheirPlaces) {
  const ScratchFolder folder;
  EXPECT_EQ(run_several(folder,
                        "sketches/reverse.cu sketches/stencil1d.cu --spec specs/reverse.cpp --spec specs/stencil1d.cpp")
                .exit_code,
            0);
  EXPECT_EQ(run_several(folder, "sketches/reverse.cu sketches/stencil1d.cu --spec a --spec b --spec c").exit_code, 2);
  EXPECT_EQ(run_several(folder, "sketches/reverse.cu sketches/../sketches/reverse.cu --spec specs").exit_code, 2);
  EXPECT_EQ(run_several(folder, "sketches/reverse.cu sketches/stencil1d.cu --spec specs --draw x.svg").exit_code, 2);
}

}  // namespace
}  // namespace swizzle::test::several_test
