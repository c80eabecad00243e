#include "tools/arguments.h"

#include <cctype>
#include <fstream>
#include <sstream>

namespace swizzle {
namespace {

constexpr int kDeepest = 8;  // response files in response files

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string with_two_dashes(const std::string& argument) {
  const bool is_long = argument == "-include" || argument == "-std" || argument.starts_with("-std=");
  return is_long ? "-" + argument : argument;
}

Result<std::monostate> expand(const std::vector<std::string>& arguments, int depth, std::vector<std::string>& out) {
  for (const std::string& argument : arguments) {
    if (argument.size() < 2 || argument[0] != '@') {
      out.push_back(with_two_dashes(argument));
      continue;
    }
    const std::string path = argument.substr(1);
    if (depth == kDeepest) return make_error("'" + path + "' leads to itself");
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) return make_error("the response file '" + path + "' cannot be read");
    if (const auto inner = expand(split_arguments(text.str()), depth + 1, out); !inner.ok()) return inner;
  }
  return std::monostate{};
}

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
  std::vector<std::string> out;
  if (const auto expanded = expand(arguments, 0, out); !expanded.ok()) return expanded.errors();
  return out;
}

}  // namespace swizzle
