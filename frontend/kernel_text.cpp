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

// Without the words at its ends that are no part of a type, and without what makes a pointer or a reference of it.
SourceRange trimmed_type(const std::string& text, SourceRange r) {
  constexpr std::string_view kAround[] = {"const",    "volatile", "__restrict__", "__restrict", "__grid_constant__",
                                          "typename", "struct"};
  for (bool goes_on = true; goes_on && r.begin < r.end;) {
    goes_on = false;
    while (r.begin < r.end && std::isspace(static_cast<unsigned char>(text[r.begin]))) ++r.begin;
    while (r.end > r.begin && (std::isspace(static_cast<unsigned char>(text[r.end - 1])) || text[r.end - 1] == '*' ||
                               text[r.end - 1] == '&'))
      --r.end;
    const std::string_view type = std::string_view(text).substr(r.begin, r.end - r.begin);
    for (const std::string_view word : kAround) {
      const auto size = static_cast<std::uint32_t>(word.size());
      if (type.size() <= size) continue;
      if (type.starts_with(word) && !is_of_word(type[size])) r.begin += size, goes_on = true;
      else if (type.ends_with(word) && !is_of_word(type[type.size() - size - 1])) r.end -= size, goes_on = true;
      if (goes_on) break;
    }
  }
  return r;
}

}  // namespace

std::vector<OpaqueParameter> opaque_parameters(const std::string& text, const KernelText& kernel,
                                               const std::vector<std::uint32_t>& errors) {
  std::vector<OpaqueParameter> found;
  const std::size_t open = text.find('(', kernel.name.end);
  const auto close = open < kernel.range.end ? parentheses_end(text, open) : std::nullopt;
  if (!close) return found;
  for (const SourceRange piece : split_at_commas(text, open + 1, *close - 1, Listed::kParameters)) {
    const bool is_unknown =
        std::any_of(errors.begin(), errors.end(), [&](std::uint32_t e) { return piece.begin <= e && e < piece.end; });
    std::uint32_t end =
        std::min(piece.end, static_cast<std::uint32_t>(std::min(text.find('=', piece.begin), text.size())));
    while (end > piece.begin && !is_of_word(text[end - 1])) --end;
    OpaqueParameter out;
    out.name = {end, end};
    while (out.name.begin > piece.begin && is_of_word(text[out.name.begin - 1])) --out.name.begin;
    out.type = trimmed_type(text, {piece.begin, out.name.begin});
    if (is_unknown && out.type.begin < out.type.end && out.name.begin < out.name.end) found.push_back(out);
  }
  return found;
}

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
