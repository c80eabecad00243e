// What README and docs/ show is what the tool does: sketches, kernels, commands, reports.
#include <algorithm>
#include <regex>

#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test {
namespace {

struct Block {
  std::string page, language;  // what stands behind ```
  std::string text;
};

std::vector<std::string> pages() {
  std::vector<std::string> names = {"README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(SWIZZLE_SOURCE_DIR) / "docs"))
    if (entry.path().extension() == ".md") names.push_back("docs/" + entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string text_of(const std::string& page) { return read_file(std::filesystem::path(SWIZZLE_SOURCE_DIR) / page); }

std::vector<Block> blocks() {
  std::vector<Block> found;
  for (const std::string& page : pages()) {
    std::istringstream lines(text_of(page));
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("```")) {
        inside = !inside;
        if (inside) found.push_back({page, line.substr(3), ""});
      } else if (inside) {
        found.back().text += line + "\n";
      }
    }
    EXPECT_FALSE(inside) << page << " has a block without an end";
  }
  return found;
}

std::vector<Block> blocks_of(const std::string& language) {
  std::vector<Block> found = blocks();
  std::erase_if(found, [&](const Block& b) { return b.language != language; });
  return found;
}

bool is_sketch(const Block& b) { return b.language == "cuda" && b.text.find("__global__") != std::string::npos && b.text.find("// Completed by") == std::string::npos; }

// A block with a sketch, then its spec, then the kernel that comes out.
TEST(Docs, KernelsAreWhatComesOutOfTheSketchesAbove) {
  const std::vector<Block> all = blocks();
  int shown = 0;
  for (auto at = all.begin(); at != all.end(); ++at) {
    if (!is_sketch(*at)) continue;
    const auto spec = std::find_if(at, all.end(), [](const Block& b) { return b.language == "cpp"; });
    const auto kernel = std::find_if(at + 1, all.end(), [](const Block& b) { return b.language == "cuda"; });
    ASSERT_TRUE(spec != all.end() && kernel != all.end() && spec->page == at->page && kernel->page == at->page) << at->page;
    std::smatch name;
    ASSERT_TRUE(std::regex_search(at->text, name, std::regex(R"(__global__ void (\w+)\()")));
    const ScratchFolder scratch;
    const std::string sketch_path = scratch.write(name.str(1) + ".cu", at->text), spec_path = scratch.write(name.str(1) + ".cpp", spec->text);
    const ToolResult r = run_tool(fmt::format("'{}' --spec '{}' --run=cpu", sketch_path, spec_path));
    ASSERT_EQ(r.exit_code, 0) << r.output;
    EXPECT_EQ(r.kernel, kernel->text) << at->page;
    ++shown;
  }
  EXPECT_EQ(shown, 2);
}

// Lines of a kernel's body, with `int t`, x and y around them.
TEST(Docs, FragmentsAreAccepted) {
  const std::vector<Block> fragments = blocks_of("cuda fragment");
  EXPECT_GE(fragments.size(), 3u);
  for (const Block& b : fragments) {
    const ToolResult r = run_sketch(Sketch{"", b.text, "void f(const int* x, int* y, int n) { for (int i = 0; i < 32; i++) y[i] = x[i]; }\n"});
    EXPECT_TRUE(r.exit_code == 0 || r.exit_code == 10) << b.text << r.output;
  }
}

std::string without_times(const std::string& text) { return std::regex_replace(text, std::regex(R"( *[0-9]+\.[0-9]+ (ms|s)\b)"), " # $1"); }

// "$ command", then what it prints; times may differ.
TEST(Docs, CommandsPrintWhatIsShown) {
  const std::vector<Block> consoles = blocks_of("console");
  EXPECT_GE(consoles.size(), 1u);
  for (const Block& b : consoles) {
    const std::string prompt = "$ swizzle-synth ";
    ASSERT_TRUE(b.text.starts_with(prompt)) << b.text;
    const std::size_t end = b.text.find('\n');
    std::string arguments = b.text.substr(prompt.size(), end - prompt.size());
    const std::size_t output = arguments.find(" -o /dev/null");
    ASSERT_NE(output, std::string::npos) << "write the kernel to /dev/null";
    arguments.erase(output);
    EXPECT_EQ(without_times(run_tool(arguments).output), without_times(b.text.substr(end + 1))) << b.page;
  }
}

TEST(Docs, TheReportIsWhatIsWritten) {
  const std::vector<Block> reports = blocks_of("json");
  ASSERT_EQ(reports.size(), 1u);
  nlohmann::json shown = nlohmann::json::parse(reports[0].text), written = run_pair("stencil1d", "--run=cpu").report;
  std::vector<std::string> phases, timed;
  for (const auto& [phase, seconds] : shown["seconds"].items()) phases.push_back(phase);
  for (const auto& [phase, seconds] : written["seconds"].items()) timed.push_back(phase);
  EXPECT_EQ(phases, timed);
  shown.erase("seconds");
  written.erase("seconds");
  for (const char* space : {"raw", "distinct"}) {
    EXPECT_NEAR(shown["search_space"][space].get<double>(), written["search_space"][space].get<double>(), 1e-6);
  }
  shown.erase("search_space");
  written.erase("search_space");
  EXPECT_EQ(shown, written);
}

TEST(Docs, LinksLeadSomewhere) {
  const std::regex link(R"(\]\(([^)#\s]+)(#[^)]*)?\))");
  for (const std::string& page : pages()) {
    const std::string text = text_of(page);
    for (auto it = std::sregex_iterator(text.begin(), text.end(), link); it != std::sregex_iterator(); ++it) {
      const std::string target = it->str(1);
      if (target.starts_with("http")) continue;
      EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(SWIZZLE_SOURCE_DIR) / std::filesystem::path(page).parent_path() / target)) << page << " links to " << target;
    }
  }
}

}  // namespace
}  // namespace swizzle::test
