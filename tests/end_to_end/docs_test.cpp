// What README and docs/ show is what the tool does: sketches, kernels, commands, reports.
#include <algorithm>
#include <cstdlib>
#include <regex>
#include <set>

#include "tests/end_to_end/docs_blocks.h"
#include "tests/end_to_end/sketch_text.h"

namespace swizzle::test::docs_test {
namespace {

std::vector<Block> blocks_of(const std::string& language) {
  std::vector<Block> found = blocks();
  std::erase_if(found, [&](const Block& b) { return b.language != language; });
  return found;
}

bool is_sketch(const Block& b) {
  return b.language == "cuda" && b.text.find("__global__") != std::string::npos &&
         b.text.find("// Completed by") == std::string::npos;
}

// A block with a sketch, then its spec, then the kernel that comes out.
TEST(Docs, KernelsAreWhatComesOutOfTheSketchesAbove) {
  const std::vector<Block> all = blocks();
  int shown = 0;
  for (auto at = all.begin(); at != all.end(); ++at) {
    if (!is_sketch(*at)) continue;
    const auto spec = std::find_if(at, all.end(), [](const Block& b) { return b.language == "cpp"; });
    const auto kernel = std::find_if(at + 1, all.end(), [](const Block& b) { return b.language == "cuda"; });
    ASSERT_TRUE(spec != all.end() && kernel != all.end() && spec->page == at->page && kernel->page == at->page)
        << at->page;
    std::smatch name;
    ASSERT_TRUE(std::regex_search(at->text, name, std::regex(R"(__global__ void (\w+)\()")));
    const ScratchFolder scratch;
    const std::string sketch_path = scratch.write(name.str(1) + ".cu", at->text),
                      spec_path = scratch.write(name.str(1) + ".cpp", spec->text);
    const ToolResult r = run_tool(fmt::format("'{}' --spec '{}' --run=cpu", sketch_path, spec_path));
    ASSERT_EQ(r.exit_code, 0) << r.output;
    EXPECT_EQ(r.kernel, kernel->text) << at->page;
    ++shown;
  }
  EXPECT_EQ(shown, 2);
}

// ```cuda in FILE: consecutive lines of the file.
TEST(Docs, ExcerptsStandInTheirFiles) {
  const auto excerpts = blocks_with("cuda in ");
  EXPECT_GE(excerpts.size(), 8u);
  for (const auto& [file, b] : excerpts)
    EXPECT_NE(fmt::format("\n{}", text_of(file)).find("\n" + b.text), std::string::npos)
        << b.page << " shows of " << file << ":\n"
        << b.text;
}

// The pair NAME as the tool completes it where a constant has another value.
std::string kernel_with(const std::string& name, const std::string& setting) {
  const std::regex constant("constexpr int " + setting.substr(0, setting.find(' ')) + " = \\d+;");
  const ScratchFolder scratch;
  const auto changed = [&](const std::string& folder, const std::string& file) {
    return scratch.write(file,
                         std::regex_replace(text_of(folder + "/" + file), constant, "constexpr int " + setting + ";"));
  };
  return run_tool(fmt::format("'{}' --spec '{}' --run=none", changed("sketches", name + ".cu"),
                              changed("specs", name + ".cpp")))
      .kernel;
}

// ```cuda of NAME, or of NAME with CONSTANT = VALUE. Without a constant, Pairs looks for the lines.
TEST(Docs, LinesOfKernelsComeOut) {
  std::set<std::string> pairs;
  for (const auto& [pair, b] : blocks_with("cuda of ")) pairs.insert(pair);
  EXPECT_GE(pairs.size(), 8u);
  for (const std::string& pair : pairs) {
    const std::size_t with = pair.find(" with ");
    const std::string name = pair.substr(0, with);
    EXPECT_TRUE(std::filesystem::exists(fmt::format("{}/sketches/{}.cu", SWIZZLE_SOURCE_DIR, name))) << name;
    if (with != std::string::npos) expect_shown_lines(pair, kernel_with(name, pair.substr(with + 6)));
  }
}

// ```text NAME: what docs/families/pictures.py draws.
TEST(Docs, PicturesAreWhatIsDrawn) {
  if (std::system("python3 -c '' > /dev/null 2>&1") != 0) GTEST_SKIP() << "no python3: the pictures are not tested";
  const auto pictures = blocks_with("text ");
  EXPECT_GE(pictures.size(), 8u);
  for (const auto& [name, b] : pictures) {
    const ScratchFolder scratch;
    const std::string drawn = (scratch / "drawn").string();
    ASSERT_EQ(
        std::system(
            fmt::format("python3 '{}/docs/families/pictures.py' '{}' > '{}'", SWIZZLE_SOURCE_DIR, name, drawn).c_str()),
        0)
        << b.page;
    EXPECT_EQ(read_file(drawn), b.text) << b.page;
  }
}

// Lines of a kernel's body, with `int t`, x and y around them.
TEST(Docs, FragmentsAreAccepted) {
  const std::vector<Block> fragments = blocks_of("cuda fragment");
  EXPECT_GE(fragments.size(), 3u);
  for (const Block& b : fragments) {
    const ToolResult r = run_sketch(
        Sketch{"", b.text, "void f(const int* x, int* y, int n) { for (int i = 0; i < 32; i++) y[i] = x[i]; }\n"});
    EXPECT_TRUE(r.exit_code == 0 || r.exit_code == 10) << b.text << r.output;
  }
}

std::string without_times(const std::string& text) {
  return std::regex_replace(text, std::regex(R"( *[0-9]+\.[0-9]+ (ms|s)\b)"), " # $1");
}

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

// "$ swizzle-synth … -o KERNEL --draw PICTURE", then what it prints; both files stand in the repository as they are
// written.
TEST(Docs, FilesAreWhatIsWritten) {
  const std::vector<Block> consoles = blocks_of("console writes");
  EXPECT_GE(consoles.size(), 1u);
  for (const Block& b : consoles) {
    const std::regex command("\\$ swizzle-synth (.*) -o (\\S+) --draw (\\S+)\n([^]*)");
    std::smatch shown;
    ASSERT_TRUE(std::regex_match(b.text, shown, command)) << b.text;
    const ScratchFolder scratch;
    const std::string picture = (scratch / "picture.svg").string();
    const ToolResult r = run_tool(fmt::format("{} --draw '{}'", shown.str(1), picture));
    EXPECT_EQ(without_times(r.output), without_times(shown.str(4))) << b.page;
    EXPECT_EQ(r.kernel, text_of(shown.str(2)));
    EXPECT_TRUE(read_file(picture) == text_of(shown.str(3))) << shown.str(3) << " is not what is drawn";
    EXPECT_NE(
        text_of(b.page).find(
            "](" + std::filesystem::relative(shown.str(3), std::filesystem::path(b.page).parent_path()).string() + ")"),
        std::string::npos)
        << b.page << " does not show its picture";
  }
}

// "$ swizzle-synth check …", then what it prints.
TEST(Docs, ChecksPrintWhatIsShown) {
  const std::vector<Block> consoles = blocks_of("console check");
  EXPECT_GE(consoles.size(), 4u);
  for (const Block& b : consoles) {
    const std::string prompt = "$ swizzle-synth ";
    ASSERT_TRUE(b.text.starts_with(prompt)) << b.text;
    const std::size_t end = b.text.find('\n');
    const ScratchFolder scratch;
    const std::string out = (scratch / "out").string();
    const std::string command = fmt::format("cd '{}' && '{}' {} > '{}' 2>&1", SWIZZLE_SOURCE_DIR, SWIZZLE_SYNTH_TOOL,
                                            b.text.substr(prompt.size(), end - prompt.size()), out);
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    EXPECT_EQ(read_file(out), b.text.substr(end + 1)) << b.page;
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
  for (const char* of_the_run : {"search_space", "tool", "command", "peak_memory_bytes"}) {
    EXPECT_TRUE(shown.contains(of_the_run));
    shown.erase(of_the_run);
    written.erase(of_the_run);
  }
  for (nlohmann::json* report : {&shown, &written})
    for (nlohmann::json& file : (*report)["files"]) file.erase("sha256");
  for (nlohmann::json* report : {&shown, &written}) (*report)["checked"]["all_sizes"].erase("seconds");
  EXPECT_EQ(shown, written);
}

TEST(Docs, LinksLeadSomewhere) {
  const std::regex link(R"(\]\(([^)#\s]+)(#[^)]*)?\))");
  for (const std::string& page : pages()) {
    const std::string text = text_of(page);
    for (auto it = std::sregex_iterator(text.begin(), text.end(), link); it != std::sregex_iterator(); ++it) {
      const std::string target = it->str(1);
      if (target.starts_with("http")) continue;
      EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(SWIZZLE_SOURCE_DIR) /
                                          std::filesystem::path(page).parent_path() / target))
          << page << " links to " << target;
    }
  }
}

}  // namespace
}  // namespace swizzle::test::docs_test
