#include "synth/base/non_code.h"

#include <algorithm>
#include <cctype>

namespace swizzle {
namespace {

std::size_t quoted_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') ++i;
    else if (text[i] == quote) return i + 1;
    else if (text[i] == '\n') return i;
  }
  return text.size();
}

}  // namespace

std::size_t skip_non_code(std::string_view text, std::size_t at) {
  if (text.compare(at, 2, "//") == 0) return std::min(text.find('\n', at), text.size());
  if (text.compare(at, 2, "/*") == 0) {
    const std::size_t end = text.find("*/", at + 2);
    return end == std::string_view::npos ? text.size() : end + 2;
  }
  const bool digit_separator = at > 0 && text[at] == '\'' && std::isalnum(static_cast<unsigned char>(text[at - 1]));
  if (text[at] == '"' || (text[at] == '\'' && !digit_separator)) return quoted_end(text, at);
  return at;
}

}  // namespace swizzle
