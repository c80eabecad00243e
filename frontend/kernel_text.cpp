#include "frontend/kernel_text.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "frontend/source_rewrite.h"
#include "synth/base/text.h"

namespace swizzle {
namespace {

constexpr std::string_view kGlobal = "__global__";

// Behind the `}` that closes the first `{`; nothing for a declaration.
std::optional<std::size_t> body_end(const std::string& text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    if (const std::size_t code = skip_non_code(text, at); code != at) {
      at = code;
      continue;
    }
    if (depth == 0 && text[at] == ';') return std::nullopt;
    depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
    if (text[at++] == '}' && depth <= 0) return at;
  }
  return text.size();
}

// The word before the first parenthesis that is none of __launch_bounds__'s or of an attribute's.
SourceRange name_behind(const std::string& text, std::size_t at, std::size_t end) {
  SourceRange word{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at)};
  for (int depth = 0; at < end;) {
    if (const std::size_t code = skip_non_code(text, at); code != at) {
      at = code;
    } else if (is_of_word(text[at])) {
      const std::size_t begin = at;
      while (at < end && is_of_word(text[at])) ++at;
      if (depth == 0) word = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)};
    } else {
      const std::string_view last(text.data() + word.begin, word.end - word.begin);
      if (text[at] == '{') break;
      if (depth == 0 && text[at] == '(' && !last.starts_with("__")) break;
      depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
      ++at;
    }
  }
  return word;
}

}  // namespace

std::vector<KernelText> kernel_texts(const std::string& text) {
  std::vector<KernelText> found;
  bool line_start = true, in_directive = false;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t code = skip_non_code(text, at); code != at) {
      at = code;
      continue;
    }
    if (line_start && text[at] == '#') in_directive = true;
    if (text[at] == '\n' && (at == 0 || text[at - 1] != '\\')) in_directive = false;
    line_start = text[at] == '\n' || (line_start && std::isspace(static_cast<unsigned char>(text[at])));
    const bool is_kernel = !in_directive && text.compare(at, kGlobal.size(), kGlobal) == 0;
    if (!is_kernel) {
      ++at;
      continue;
    }
    const std::size_t behind = at + kGlobal.size();
    if (const auto end = body_end(text, behind))
      found.push_back(
          {name_behind(text, behind, *end), {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(*end)}});
    at = behind;
  }
  return found;
}

}  // namespace swizzle
