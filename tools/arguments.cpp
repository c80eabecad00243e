#include "tools/arguments.h"

#include <cctype>
#include <fstream>
#include <sstream>
#include <utility>

namespace swizzle {
namespace {

constexpr int kDeepest = 8;  // response files in response files

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string with_two_dashes(const std::string& argument) {
  const bool is_long = argument == "-include" || argument == "-std" || argument.starts_with("-std=");
  return is_long ? "-" + argument : argument;
}

class Expansion {
 public:
  Result<std::monostate> add(const std::vector<std::string>& arguments, int depth = 0) {
    for (const std::string& argument : arguments) {
      is_ours_ = is_ours_ && argument != "--";
      if (is_ours_ && argument.size() > 1 && argument[0] == '@') {
        if (const auto inner = add_file(argument.substr(1), depth); !inner.ok()) return inner;
      } else {
        expanded.push_back(is_ours_ ? with_two_dashes(argument) : argument);
      }
    }
    return std::monostate{};
  }

  std::vector<std::string> expanded;

 private:
  Result<std::monostate> add_file(const std::string& path, int depth) {
    if (depth == kDeepest) return make_error("'" + path + "' leads to itself");
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) return make_error("the response file '" + path + "' cannot be read");
    return add(split_arguments(text.str()), depth + 1);
  }

  bool is_ours_ = true;  // before --
};

}  // namespace

std::vector<std::string> split_arguments(const std::string& text) {
  std::vector<std::string> arguments;
  for (std::size_t at = 0; at < text.size();) {
    if (is_space(text[at])) {
      ++at;
      continue;
    }
    std::string argument;
    char quote = '\0';
    for (; at < text.size() && (quote != '\0' || !is_space(text[at])); ++at) {
      const char c = text[at];
      if (c == '\\' && quote != '\'' && at + 1 < text.size()) argument += text[++at];
      else if (quote == '\0' && (c == '"' || c == '\'')) quote = c;
      else if (c == quote) quote = '\0';
      else argument += c;
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

Result<std::vector<std::string>> expanded_arguments(const std::vector<std::string>& arguments) {
  Expansion expansion;
  if (const auto added = expansion.add(arguments); !added.ok()) return added.errors();
  return std::move(expansion.expanded);
}

}  // namespace swizzle
