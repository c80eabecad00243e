// Blocks of code in README and docs/: what they say of sketches is what the tool does.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/end_to_end/tool.h"

namespace swizzle::test {

struct Block {
  std::string page, language;  // what stands behind ```
  std::string text;
};

inline std::vector<std::string> pages() {
  std::vector<std::string> names = {"README.md"};
  const std::filesystem::path root(SWIZZLE_SOURCE_DIR);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") names.push_back(std::filesystem::relative(entry.path(), root).string());
  std::sort(names.begin(), names.end());
  return names;
}

inline std::string text_of(const std::string& page) {
  return read_file(std::filesystem::path(SWIZZLE_SOURCE_DIR) / page);
}

inline std::vector<Block> blocks() {
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

// What stands behind `prefix` in a block's language: "cuda of NAME" → NAME.
inline std::vector<std::pair<std::string, Block>> blocks_with(const std::string& prefix) {
  std::vector<std::pair<std::string, Block>> found;
  for (const Block& b : blocks())
    if (b.language.starts_with(prefix)) found.emplace_back(b.language.substr(prefix.size()), b);
  return found;
}

// ```cuda of PAIR: lines of its kernel, in order.
inline void expect_shown_lines(const std::string& pair, const std::string& kernel) {
  for (const auto& [shown, b] : blocks_with("cuda of ")) {
    if (shown != pair) continue;
    std::size_t at = 0;
    std::istringstream lines(b.text);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t found = kernel.find("\n" + line + "\n", at);
      EXPECT_NE(found, std::string::npos) << b.page << " shows of " << pair << ": " << line;
      if (found != std::string::npos) at = found + line.size();
    }
  }
}

}  // namespace swizzle::test
