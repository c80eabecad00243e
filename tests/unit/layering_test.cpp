// tools → {frontend, codegen} → synth; clang's headers only in frontend/.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace {

void expect_no_include(const std::string& folder, const std::vector<std::string>& prefixes) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(SWIZZLE_SOURCE_DIR) / folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path());
    ++files;
    for (std::string line; std::getline(in, line);)
      for (const std::string& prefix : prefixes)
        EXPECT_FALSE(line.starts_with("#include \"" + prefix) || line.starts_with("#include <" + prefix))
            << entry.path() << ": " << line;
  }
  EXPECT_GT(files, 0u);
}

TEST(Layering, SynthStandsOnNothing) {
  expect_no_include("synth", {"clang/", "llvm/", "frontend/", "codegen/", "tools/"});
}

TEST(Layering, Z3StaysBehindOneWall) {
  std::vector<std::string> inside;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(SWIZZLE_SOURCE_DIR) / "synth")) {
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);)
      if (line.starts_with("#include <z3")) inside.push_back(entry.path().filename());
  }
  EXPECT_EQ(inside, std::vector<std::string>{"z3_solver.cpp"});
}

TEST(Layering, CodegenStandsOnSynth) { expect_no_include("codegen", {"clang/", "llvm/", "frontend/", "tools/", "z3"}); }
TEST(Layering, FrontendStandsOnSynth) { expect_no_include("frontend", {"codegen/", "tools/", "z3"}); }
TEST(Layering, ToolsShowNoClang) { expect_no_include("tools", {"clang/", "llvm/", "z3"}); }

}  // namespace
