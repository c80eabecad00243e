// Launches as C++ that clang parses: see source_rewrite.h.
#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "frontend/launch_macros.h"
#include "frontend/source_rewrite.h"

namespace swizzle {
namespace {

bool is_word_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '#'; }

// Behind what opens or closes a configuration at `at`: `<<<`, or `<< <` as some formatters have it; 0: it does not.
std::size_t behind_brackets(const std::string& text, std::size_t at, char bracket) {
  const std::string two(2, bracket);
  if (text.compare(at, 2, two) != 0) return 0;
  const std::size_t third = text.find_first_not_of(" \t", at + 2);
  return third != std::string::npos && text[third] == bracket ? third + 1 : 0;
}

struct Configuration {
  std::size_t end = 0, behind = 0;  // where the `>>>` begins, and behind it
};

// Of the `<<<` that ends at `begin`; nothing if none closes in this statement.
std::optional<Configuration> configuration_end(const std::string& text, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = begin; i < text.size();) {
    if (const std::size_t code = skip_non_code(text, i); code != i) {
      i = code;
      continue;
    }
    if (const std::size_t behind = depth == 0 ? behind_brackets(text, i, '>') : 0; behind != 0)
      return Configuration{i, behind};
    if (text[i] == ';') return std::nullopt;
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    ++i;
  }
  return std::nullopt;
}

// Behind the `>` of template arguments that the `<` at `at` opens, as far as their text tells them from a comparison.
std::optional<std::size_t> template_end(const std::string& text, std::size_t at, std::size_t end, Listed what) {
  if (at == 0 || !is_word_of_name(text[at - 1])) return std::nullopt;
  int depth = 0;
  for (std::size_t i = at; i < end; ++i) {
    const char c = text[i];
    if (!is_word_of_name(c) && !separates_tokens(c) &&
        std::string_view("<>,:*&()+-/").find(c) == std::string_view::npos)
      return std::nullopt;
    depth += c == '<' ? 1 : c == '>' ? -1 : 0;
    if (depth > 0) continue;
    std::size_t next = i + 1;
    while (next < end && separates_tokens(text[next])) ++next;
    const bool goes_on = what == Listed::kParameters || next == end ||
                         std::string_view("(:{,)>").find(text[next]) != std::string_view::npos;
    return goes_on ? std::optional(i + 1) : std::nullopt;
  }
  return std::nullopt;
}

using Comments = std::map<std::size_t, std::size_t>;  // where each ends, and begins

// Walks back over what names a function: `ns::f<T, 32>`, `this->f`, `table[i]`, `(*f)`. Comments are spaces: the end of
// a sentence before a launch is no `.` of a member's.
class Backwards {
 public:
  Backwards(const std::string& text, std::size_t at, const Comments& comments)
      : text_(text),
        at_(at),
        comments_(comments) {}

  std::size_t begin_of_name() {
    for (bool in_scope = false;;) {
      const std::size_t end = at_;
      skip_spaces();
      if (in_scope && !is_word_of_name(last()) && last() != '>') return at_ = end;  // `::f`
      if (last() == '>') skip_group('<', '>');
      while ((last() == ')' || last() == ']') && skip_group(last() == ')' ? '(' : '[', last())) {}
      const std::size_t groups = at_;
      skip_spaces();
      const std::size_t word_end = at_;
      while (at_ > 0 && is_word_of_name(last())) --at_;
      const std::size_t begin = at_ < word_end ? at_ : groups;
      if (begin == end) return at_ = begin;
      skip_spaces();
      if (ends_with("template")) at_ -= 8, skip_spaces();
      in_scope = ends_with("::");
      if (!in_scope && !ends_with("->") && !ends_with(".")) return at_ = begin;
      at_ -= last() == '.' ? 1 : 2;
    }
  }

 private:
  char last() const { return at_ > 0 ? text_[at_ - 1] : ' '; }
  bool ends_with(std::string_view word) const {
    return at_ >= word.size() && text_.compare(at_ - word.size(), word.size(), word) == 0;
  }
  void skip_spaces() {
    while (at_ > 0) {
      const auto comment = comments_.find(at_);
      if (comment == comments_.end() && !separates_tokens(last())) return;
      at_ = comment != comments_.end() ? comment->second : at_ - 1;
    }
  }
  // To before its opening bracket. False: there is none. Of what stands between, `a << b` opens nothing, and what is in
  // parentheses compares or shifts.
  bool skip_group(char open, char close) {
    const std::size_t start = at_;
    for (int depth = 0; at_ > 0;) {
      if (const auto comment = comments_.find(at_); comment != comments_.end()) {
        at_ = comment->second;
        continue;
      }
      if (close == '>' && last() == ')' && skip_group('(', ')')) continue;
      if (open == '<' && ends_with("<<")) {
        at_ -= 2;
        continue;
      }
      const char c = text_[--at_];
      if (c == ';' || c == '}') break;
      depth += c == close ? 1 : c == open ? -1 : 0;
      if (depth == 0) return true;
    }
    at_ = start;
    return false;
  }
  const std::string& text_;
  std::size_t at_;
  const Comments& comments_;
};

// `#define UNROLL #pragma unroll`, as nvcc has it: clang takes none there. Blanks keep places as they are.
void blank_pragmas_in_macros(std::string& text) {
  for (std::size_t at = 0; (at = pragma_in_macro(text, at)) != std::string::npos;)
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(at),
              text.begin() + static_cast<std::ptrdiff_t>(std::min(text.find('\n', at), text.size())), ' ');
}

class LaunchRewriter {
 public:
  explicit LaunchRewriter(const std::string& text) : text_(text), macros_(text) {}

  RewrittenSource run() {
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t code = skip_non_code(text_, at);
      if (code != at && text_[at] == '/') comments_[code] = at;
      if (code == at && behind_brackets(text_, at, '<') != 0)
        if (const auto behind = launch(at)) {
          at = *behind;
          anchor(at);
          continue;
        }
      if (code == at)
        if (const auto behind = launch_by_macro(at)) {
          at = *behind;
          anchor(at);
          continue;
        }
      const std::size_t next = std::max(code, at + 1);
      out_.text.append(text_, at, next - at);
      at = next;
    }
    blank_pragmas_in_macros(out_.text);
    return std::move(out_);
  }

 private:
  static SourceRange range(std::size_t begin, std::size_t end) {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  void anchor(std::size_t original) {
    out_.anchors.emplace_back(static_cast<std::uint32_t>(out_.text.size()), static_cast<std::uint32_t>(original));
  }
  void copy(SourceRange piece) {
    anchor(piece.begin);
    out_.text.append(text_, piece.begin, piece.end - piece.begin);
  }
  void add_call(const std::string& name, SourceRange argument) {
    out_.text += name + "(";
    copy(argument);
    out_.text += "); ";
  }

  // Of the `<<<` at `at`: writes the statements, and returns where the text goes on.
  std::optional<std::size_t> launch(std::size_t at) {
    const std::size_t begin = behind_brackets(text_, at, '<');
    const auto configured = configuration_end(text_, begin);
    if (!configured || macros_.begins_definition(at)) return std::nullopt;
    const auto arguments = in_parentheses(text_, configured->behind);
    if (!arguments && !macros_.ends_definition(at, configured->behind)) return std::nullopt;
    const auto shape = split_at_commas(text_, begin, configured->end, Listed::kArguments);
    const bool is_written = write(at, shape.size(), [&](std::size_t i) { copy(shape[i]); }, arguments);
    return is_written ? std::optional(arguments ? arguments->end : configured->behind) : std::nullopt;
  }

  // Likewise, where a macro that is a configuration stands.
  std::optional<std::size_t> launch_by_macro(std::size_t at) {
    const auto use = macros_.use_at(at);
    const auto arguments = use ? in_parentheses(text_, use->end) : std::nullopt;
    if (!arguments) return std::nullopt;
    const bool is_written = write(at, use->parts.size(), [&](std::size_t i) { out_.text += use->parts[i]; }, arguments);
    return is_written ? std::optional(std::size_t{arguments->end}) : std::nullopt;
  }

  // Of the kernel that is named in front of `at`; `write_part` writes one of so many parts of its configuration. False:
  // none is named there, and nothing is written.
  template <typename WritePart>
  bool write(std::size_t at, std::size_t parts, WritePart&& write_part, const std::optional<SourceRange>& arguments) {
    constexpr std::array<std::string_view, 3> kShape{"$grid", "$block", "$shared"};
    const SourceRange callee = range(Backwards(text_, at, comments_).begin_of_name(), at);
    if (!take_back(callee)) return false;
    out_.text += "({ $launched(); ";
    add_call("$kernel", callee);
    for (std::size_t i = 0; i < std::min(parts, kShape.size()) && parts >= 2 && parts <= 4; ++i) {
      out_.text += fmt::format("{}(", kShape[i]);
      write_part(i);
      out_.text += "); ";
    }
    if (arguments) {
      const auto each = split_at_commas(text_, arguments->begin + 1, arguments->end - 1, Listed::kArguments);
      for (std::size_t i = 0; i < each.size(); ++i) add_call(fmt::format("$argument<{}>", i), each[i]);
    }
    copy(callee);
    if (arguments) copy(*arguments);
    out_.text += "; })";
    return true;
  }

  // What names the kernel is in the text that is written so far; from now on it is not.
  bool take_back(SourceRange callee) {
    const std::size_t length = callee.end - callee.begin;
    const bool is_whole = length > 0 && out_.text.size() >= length &&
                          out_.text.compare(out_.text.size() - length, length, text_, callee.begin, length) == 0;
    if (is_whole) out_.text.resize(out_.text.size() - length);
    return is_whole;
  }

  const std::string& text_;
  const LaunchMacros macros_;
  Comments comments_;  // so far
  RewrittenSource out_;
};

}  // namespace

std::optional<SourceRange> in_parentheses(const std::string& text, std::size_t at) {
  while (at < text.size() && separates_tokens(text[at])) ++at;
  const auto end = at < text.size() && text[at] == '(' ? parentheses_end(text, at) : std::nullopt;
  if (!end) return std::nullopt;
  return SourceRange{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(*end)};
}

std::optional<std::size_t> parentheses_end(const std::string& text, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i < text.size();) {
    if (const std::size_t code = skip_non_code(text, i); code != i) {
      i = code;
      continue;
    }
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    ++i;
    if (depth == 0) return i;
  }
  return std::nullopt;
}

std::vector<SourceRange> split_at_commas(const std::string& text, std::size_t begin, std::size_t end, Listed what) {
  const auto offset = [](std::size_t at) { return static_cast<std::uint32_t>(at); };
  std::vector<SourceRange> pieces{{offset(begin), offset(begin)}};
  int depth = 0;
  for (std::size_t i = begin; i < end;) {
    if (const std::size_t code = skip_non_code(text, i); code != i) {
      i = code;
    } else if (const auto behind = text[i] == '<' && depth == 0 ? template_end(text, i, end, what) : std::nullopt) {
      i = *behind;
    } else {
      depth += std::string_view("([{").find(text[i]) != std::string_view::npos   ? 1
               : std::string_view(")]}").find(text[i]) != std::string_view::npos ? -1
                                                                                 : 0;
      if (text[i] == ',' && depth == 0) {
        pieces.back().end = offset(i);
        pieces.push_back({offset(i + 1), offset(i + 1)});
      }
      ++i;
    }
  }
  pieces.back().end = offset(end);
  std::erase_if(pieces, [&](const SourceRange& p) { return text.find_first_not_of(" \t\r\n\\", p.begin) >= p.end; });
  return pieces;
}

std::size_t pragma_in_macro(const std::string& text, std::size_t from) {
  constexpr std::string_view kPragma = "#pragma";
  for (std::size_t at = text.find(kPragma, from); at != std::string::npos; at = text.find(kPragma, at + 1)) {
    const std::size_t line = text.rfind('\n', at) + 1, word = text.find_first_not_of(" \t", line);
    if (word == at || text[word] != '#') continue;
    if (text.compare(text.find_first_not_of(" \t", word + 1), 6, "define") == 0) return at;
  }
  return std::string::npos;
}

RewrittenSource rewrite_launches(const std::string& text) { return LaunchRewriter(text).run(); }

RewrittenSource rewrite_program(const std::string& text) {
  RewrittenSource holes = rewrite_source(text);
  RewrittenSource both = rewrite_launches(holes.text);
  both.unknown_holes = std::move(holes.unknown_holes);
  // Each piece of the text between, and where the distance to the original changes within it.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pieces{{0, 0}}, anchors;
  pieces.insert(pieces.end(), both.anchors.begin(), both.anchors.end());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto [begin, between] = pieces[i];
    const std::size_t end = i + 1 < pieces.size() ? pieces[i + 1].first : both.text.size();
    anchors.emplace_back(begin, holes.original(between));
    for (const auto& [before, original] : holes.anchors)
      if (before > between && before < between + (end - begin))
        anchors.emplace_back(begin + (before - between), original);
  }
  both.anchors = std::move(anchors);
  return both;
}

}  // namespace swizzle
