// Pieces of text.
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace swizzle {

// Without space at its ends.
inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

// Whether the line that ends at `newline`, a position in the text, goes on in the next, by a backslash at its end.
inline bool goes_on_behind(std::string_view text, std::size_t newline) {
  const std::size_t last = newline == 0 ? std::string_view::npos : text.find_last_not_of('\r', newline - 1);
  return last != std::string_view::npos && text[last] == '\\';
}

// "a + b" at " + ": "a", "b".
inline std::vector<std::string> split(const std::string& text, std::string_view mark) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t at = 0; (at = text.find(mark, begin)) != std::string::npos; begin = at + mark.size())
    parts.push_back(text.substr(begin, at - begin));
  parts.push_back(text.substr(begin));
  return parts;
}

inline bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Where `word` first stands by itself, at `from` or behind it; npos: nowhere.
inline std::size_t find_word(std::string_view text, std::string_view word, std::size_t from = 0) {
  for (std::size_t at = text.find(word, from); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_of_word(text[at - 1])) && (end == text.size() || !is_of_word(text[end]))) return at;
  }
  return std::string_view::npos;
}

// "y[0], y[6] and y[7]", with `last` " and ".
inline std::string listed(const std::vector<std::string>& words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text.append(i == 0 ? "" : i + 1 == words.size() ? last : ", ").append(words[i]);
  return text;
}

inline bool contains_word(std::string_view text, std::string_view word) {
  return find_word(text, word) != std::string_view::npos;
}

}  // namespace swizzle
