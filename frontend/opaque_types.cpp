#include "frontend/opaque_types.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>

#include "frontend/source_rewrite.h"
#include "synth/base/text.h"

namespace swizzle {
namespace {

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Without the words at its ends that are no part of a type, and without what makes a pointer or a reference of it.
SourceRange trimmed_type(const std::string& text, SourceRange r) {
  constexpr std::string_view kAround[] = {"const",      "volatile",          "__restrict__",
                                          "__restrict", "__grid_constant__", "struct"};
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

// Clang knows these: an error there tells of what stands before.
bool is_built_in(std::string_view type) {
  constexpr std::array<std::string_view, 15> kWords = {"void",  "bool",   "char",   "short",    "int",
                                                       "long",  "float",  "double", "unsigned", "signed",
                                                       "const", "size_t", "auto",   "volatile", "$"};
  for (std::size_t at = 0; at < type.size();) {
    if (!is_of_word(type[at]) && type[at] != '$') {
      if (!is_blank(type[at])) return false;
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < type.size() && (is_of_word(type[at]) || type[at] == '$')) ++at;
    if (!is_one_of(kWords, type.substr(begin, at - begin))) return false;
  }
  return true;
}

// Of each `(` that no other bracket but braces stands around: where it closes.
using Parentheses = std::map<std::uint32_t, std::uint32_t>;

Parentheses outer_parentheses(const std::string& text) {
  Parentheses out;
  int depth = 0;
  std::uint32_t open = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t code = skip_non_code(text, at); code != at) {
      at = code;
      continue;
    }
    const auto here = static_cast<std::uint32_t>(at);
    if (text[at] == '{' || text[at] == '}') depth = 0;
    if (text[at] == '(') {
      if (depth == 0) open = here;
      ++depth;
    } else if (text[at] == ')' && depth > 0) {
      --depth;
      if (depth == 0) out[open] = here;
    }
    ++at;
  }
  return out;
}

class Declarations {
 public:
  explicit Declarations(const std::string& text) : text_(text), parentheses_(outer_parentheses(text)) {}

  std::vector<OpaqueType> around(const std::vector<std::uint32_t>& errors) {
    std::map<std::uint32_t, OpaqueType> found;  // by where the type begins
    for (const std::uint32_t error : errors)
      for (const auto& one : {of_parameter(error), of_function(error)})
        if (one) found.emplace(one->type.begin, *one);
    std::vector<OpaqueType> out;
    for (const auto& [begin, one] : found) out.push_back(one);
    return out;
  }

 private:
  std::string_view slice(SourceRange r) const { return std::string_view(text_).substr(r.begin, r.end - r.begin); }

  std::uint32_t before_spaces(std::uint32_t at) const {
    while (at > 0 && is_blank(text_[at - 1])) --at;
    return at;
  }
  SourceRange word_before(std::uint32_t at) const {
    const std::uint32_t end = before_spaces(at);
    std::uint32_t begin = end;
    while (begin > 0 && is_of_word(text_[begin - 1])) --begin;
    return {begin, end};
  }

  // Whether the parentheses are the parameters of a function whose body follows.
  bool define(std::uint32_t open, std::uint32_t close) const {
    constexpr std::array<std::string_view, 7> kStatements = {"if",    "for",    "while", "switch",
                                                             "catch", "return", "sizeof"};
    const SourceRange name = word_before(open);
    if (name.begin == name.end || is_one_of(kStatements, slice(name))) return false;
    const std::size_t next = text_.find_first_of("{;()=}", close + 1);
    return next != std::string::npos && text_[next] == '{';
  }

  std::optional<OpaqueType> of_parameter(std::uint32_t error) const {
    auto around = parentheses_.upper_bound(error);
    if (around == parentheses_.begin()) return std::nullopt;
    --around;
    if (error > around->second || !define(around->first, around->second)) return std::nullopt;
    for (const SourceRange piece : split_at_commas(text_, around->first + 1, around->second, Listed::kParameters))
      if (piece.begin <= error && error < piece.end) return parameter(piece, error);
    return std::nullopt;
  }

  std::optional<OpaqueType> parameter(SourceRange piece, std::uint32_t error) const {
    const std::string_view all = slice(piece);
    const auto first = [&](std::string_view what) {
      return piece.begin + static_cast<std::uint32_t>(std::min(all.find(what), all.size()));
    };
    std::uint32_t end = first("=");
    OpaqueType out;
    const std::uint32_t group = std::min(first("(*"), first("(&"));  // `Foo (*a)[3]`
    if (group < end)
      end = piece.begin + static_cast<std::uint32_t>(std::min(all.find(')', group - piece.begin), all.size()));
    else end = std::min(end, first("["));
    if (error >= end) return std::nullopt;
    while (end > piece.begin && !is_of_word(text_[end - 1])) --end;
    out.name = {end, end};
    while (out.name.begin > piece.begin && is_of_word(text_[out.name.begin - 1])) --out.name.begin;
    out.type = trimmed_type(text_, {piece.begin, std::min(group, out.name.begin)});
    const bool is_whole = out.type.begin < out.type.end && out.name.begin < out.name.end;
    const bool is_pack = slice(out.type).ends_with("...");
    return is_whole && !is_pack && !is_built_in(slice(out.type)) ? std::optional(out) : std::nullopt;
  }

  // Its type, or the class whose member it is.
  std::optional<OpaqueType> of_function(std::uint32_t error) const {
    const auto list = parentheses_.upper_bound(error);
    if (list == parentheses_.end() || !define(list->first, list->second)) return std::nullopt;
    if (!is_declarator(slice({error, list->first}))) return std::nullopt;
    OpaqueType out;
    out.name = word_before(list->first);
    const std::uint32_t whole = begin_of_scope(out.name.begin);
    out.is_class = whole <= error && error < out.name.begin;
    if (out.is_class) {
      out.type = {whole, out.name.begin};
    } else if (error < whole) {
      std::uint32_t begin = error;
      while (begin > 0 && (is_of_word(text_[begin - 1]) || text_[begin - 1] == ':')) --begin;
      out.type = trimmed_type(text_, {begin, whole});
    }
    const std::string_view type = slice(out.type);
    return type.empty() || is_built_in(type) || contains_word(type, "__global__") ? std::nullopt : std::optional(out);
  }

  // Names and their template arguments; those of a `template <…>` around end first.
  static bool is_declarator(std::string_view text) {
    int depth = 0;
    return std::all_of(text.begin(), text.end(), [&](char c) {
      depth += c == '<' ? 1 : c == '>' ? -1 : 0;
      const bool is_sign = std::string_view(":<>,*&").find(c) != std::string_view::npos;
      return depth >= 0 && (is_of_word(c) || is_blank(c) || is_sign);
    });
  }

  // Where the `a::b<c>::` before a name begins.
  std::uint32_t begin_of_scope(std::uint32_t name) const {
    for (std::uint32_t begin = name;;) {
      std::uint32_t at = before_spaces(begin);
      if (at < 2 || text_[at - 1] != ':' || text_[at - 2] != ':') return begin;
      at = before_spaces(at - 2);
      for (int depth = 0; at > 0 && (text_[at - 1] == '>' || depth > 0); --at) {
        depth += text_[at - 1] == '>' ? 1 : text_[at - 1] == '<' ? -1 : 0;
        if (depth == 0 && text_[at - 1] == '<') {
          --at;
          break;
        }
      }
      begin = word_before(at).begin;
    }
  }

  const std::string& text_;
  Parentheses parentheses_;
};

}  // namespace

std::vector<OpaqueType> opaque_types(const std::string& text, const std::vector<std::uint32_t>& errors) {
  return errors.empty() ? std::vector<OpaqueType>{} : Declarations(text).around(errors);
}

}  // namespace swizzle
