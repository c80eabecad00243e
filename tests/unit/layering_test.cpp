// rooms.txt says which folder of sources may include which; here the tree is held to it.
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace swizzle::layering_test {
namespace {

namespace fs = std::filesystem;

struct Room {
  std::set<std::string> may_include;  // rooms, itself not among them
  std::set<std::string> libraries;    // "z3": headers whose name begins so, which no other room may include
};
using Rooms = std::map<std::string, Room>;

// "synth/oracle: synth/base <z3>"; # begins a comment.
Rooms rooms_of(std::istream& text) {
  Rooms rooms;
  for (std::string line; std::getline(text, line);) {
    line.resize(std::min(line.find('#'), line.size()));
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    Room& room = rooms[line.substr(0, colon)];
    std::istringstream words(line.substr(colon + 1));
    for (std::string word; words >> word;)
      if (word.front() == '<') room.libraries.insert(word.substr(1, word.size() - 2));
      else room.may_include.insert(word);
  }
  return rooms;
}

bool is_source(const fs::path& path) {
  return path.extension() == ".h" || path.extension() == ".cpp" || path.extension() == ".inc";
}

// The name of what an #include line names, without the quotes.
std::optional<std::string> included(const std::string& line) {
  constexpr std::string_view kInclude = "#include ";
  if (!line.starts_with(kInclude) || line.size() < kInclude.size() + 2) return std::nullopt;
  const auto end = line.find_first_of("\">", kInclude.size() + 1);
  return line.substr(kInclude.size() + 1, end - kInclude.size() - 1);
}

// What is wrong with the sources below `root`, a line each. Looks into every folder of `tops`, recursively.
std::vector<std::string> breaches(const fs::path& root, const std::vector<std::string>& tops, const Rooms& rooms) {
  std::vector<std::string> found;
  std::map<std::string, std::size_t> files;
  for (const std::string& top : tops)
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      const std::string file = fs::relative(entry.path(), root).generic_string();
      const std::string room = fs::path(file).parent_path().generic_string();
      ++files[room];
      if (!rooms.contains(room)) {
        found.push_back(file + ": its folder is not listed");
        continue;
      }
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        const auto name = included(line);
        if (!name) continue;
        const std::string of = fs::path(*name).parent_path().generic_string();
        if (fs::exists(root / *name) && of != room && !rooms.at(room).may_include.contains(of))
          found.push_back(fmt::format("{}: {} may not include {}", file, room, *name));
        for (const auto& [other, about] : rooms)
          for (const std::string& library : about.libraries)
            if (name->starts_with(library) && !rooms.at(room).libraries.contains(library))
              found.push_back(fmt::format("{}: {} may not include {}", file, room, *name));
      }
    }
  for (const auto& [room, about] : rooms) {
    if (files[room] == 0) found.push_back(room + ": there is no file");
    for (const std::string& other : about.may_include)
      if (!rooms.contains(other)) found.push_back(fmt::format("{}: {} is not listed", room, other));
  }
  return found;
}

// A room that may include itself by way of others; nothing, if there is none.
std::optional<std::string> circle(const Rooms& rooms) {
  std::map<std::string, int> state;  // 1: under way, 2: done
  std::function<bool(const std::string&)> closes = [&](const std::string& room) {
    if (state[room] != 0) return state[room] == 1;
    state[room] = 1;
    for (const std::string& other : rooms.at(room).may_include)
      if (rooms.contains(other) && closes(other)) return true;
    state[room] = 2;
    return false;
  };
  for (const auto& [room, about] : rooms)
    if (closes(room)) return room;
  return std::nullopt;
}

Rooms rooms_of(const std::string& text) {
  std::istringstream in(text);
  return rooms_of(in);
}

Rooms listed() {
  std::ifstream in(fs::path(SWIZZLE_SOURCE_DIR) / "rooms.txt");
  return rooms_of(in);
}

std::vector<std::string> tops_of(const Rooms& rooms) {
  std::set<std::string> tops;
  for (const auto& [room, about] : rooms) tops.insert(room.substr(0, room.find('/')));
  return {tops.begin(), tops.end()};
}

TEST(Layering, TheTreeKeepsToRoomsTxt) {
  const Rooms rooms = listed();
  ASSERT_TRUE(rooms.contains("synth/base"));
  for (const std::string& breach : breaches(SWIZZLE_SOURCE_DIR, tops_of(rooms), rooms)) ADD_FAILURE() << breach;
}

TEST(Layering, NoRoomIncludesItselfByWayOfOthers) { EXPECT_EQ(circle(listed()), std::nullopt); }

TEST(Layering, EachRoomOfSynthSaysWhatItMayInclude) {
  for (const auto& [room, about] : listed()) {
    if (!room.starts_with("synth/")) continue;
    std::ifstream in(fs::path(SWIZZLE_SOURCE_DIR) / room / "README.md");
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    const auto at = text.find("- May include: ");
    ASSERT_NE(at, std::string::npos) << room;
    std::string told = text.substr(at, text.find("\n\n", at) - at);
    told.resize(std::min(told.find('('), told.size()));
    std::set<std::string> words;
    std::string word;
    for (char c : told.substr(std::string("- May include: ").size())) {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0) word += c;
      else if (!word.empty()) words.insert(std::exchange(word, ""));
    }
    std::set<std::string> expected;
    for (const std::string& other : about.may_include) expected.insert(other.substr(other.find('/') + 1));
    expected.insert(about.libraries.begin(), about.libraries.end());
    if (expected.empty()) expected.insert("nothing");
    EXPECT_EQ(words, expected) << room;
  }
}

TEST(Layering, Z3StaysBehindOneWall) {
  std::vector<std::string> inside;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(SWIZZLE_SOURCE_DIR) / "synth")) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);)
      if (const auto name = included(line); name && name->starts_with("z3")) inside.push_back(entry.path().filename());
  }
  EXPECT_EQ(inside, std::vector<std::string>{"z3_solver.cpp"});
}

// The rules themselves, on a small tree.
class LayeringRules : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(::testing::TempDir()) /
            fmt::format("layering_{}", ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(root_);
    write("low/a.h", "");
    write("high/inner/b.cpp", "#include \"low/a.h\"\n");
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  std::vector<std::string> told(const std::string& rooms) { return breaches(root_, {"low", "high"}, rooms_of(rooms)); }

  fs::path root_;
};

TEST_F(LayeringRules, AnArrowThatIsListedPasses) { EXPECT_TRUE(told("low:\nhigh/inner: low").empty()); }

TEST_F(LayeringRules, AnArrowThatIsBentIsFound) {
  write("low/a.h", "#include \"high/inner/b.h\"\n");
  write("high/inner/b.h", "");
  EXPECT_EQ(told("low:\nhigh/inner: low"), std::vector<std::string>{"low/a.h: low may not include high/inner/b.h"});
}

TEST_F(LayeringRules, AFolderThatIsNotListedIsFound) {
  EXPECT_EQ(told("low:"), std::vector<std::string>{"high/inner/b.cpp: its folder is not listed"});
}

TEST_F(LayeringRules, ARoomWithoutFilesIsFound) {
  EXPECT_EQ(told("low:\nhigh/inner: low\nhigh/empty:"), std::vector<std::string>{"high/empty: there is no file"});
}

TEST_F(LayeringRules, ALibraryBelongsToTheRoomsThatNameIt) {
  write("low/a.h", "#include <z3++.h>\n");
  EXPECT_EQ(told("low:\nhigh/inner: low <z3>"), std::vector<std::string>{"low/a.h: low may not include z3++.h"});
  EXPECT_TRUE(told("low: <z3>\nhigh/inner: low").empty());
}

TEST_F(LayeringRules, CirclesAreFound) {
  EXPECT_TRUE(circle(rooms_of("low: high\nhigh: low")).has_value());
  EXPECT_FALSE(circle(rooms_of("low:\nhigh: low")).has_value());
}

}  // namespace
}  // namespace swizzle::layering_test
