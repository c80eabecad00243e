#include "frontend/unknown_macros.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>

#include "frontend/source_rewrite.h"
#include "synth/base/text.h"

namespace swizzle {
namespace {

bool is_like_a_macro(std::string_view word) {
  const auto is_capital = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  return word.size() > 1 && std::ranges::any_of(word, is_capital) && std::ranges::all_of(word, [&](char c) {
           return is_capital(c) || c == '_' || std::isdigit(static_cast<unsigned char>(c)) != 0;
         });
}

// Words, and signs one by one; neither comments nor strings nor preprocessor lines.
std::vector<SourceRange> tokens_of(const std::string& text) {
  std::vector<SourceRange> out;
  bool is_line_start = true;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t code = skip_non_code(text, at); code != at) {
      at = code;
      continue;
    }
    const char c = text[at];
    if (c == '#' && is_line_start) {
      while (at < text.size() && (text[at] != '\n' || goes_on_behind(text, at))) ++at;
      continue;
    }
    is_line_start = c == '\n' || (is_line_start && std::isspace(static_cast<unsigned char>(c)) != 0);
    const std::size_t begin = at++;
    if (is_of_word(c))
      while (at < text.size() && is_of_word(text[at])) ++at;
    if (std::isspace(static_cast<unsigned char>(c)) == 0)
      out.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)});
  }
  return out;
}

std::vector<SourceRange> launched_among(const std::string& text, const std::vector<SourceRange>& tokens) {
  const auto sign = [&](std::size_t i) { return text[tokens[i].begin]; };
  std::vector<SourceRange> names;
  for (std::size_t i = 1; i + 2 < tokens.size(); ++i) {
    if (sign(i) != '<' || sign(i + 1) != '<' || sign(i + 2) != '<' || tokens[i + 2].begin != tokens[i].begin + 2)
      continue;
    std::size_t name = i - 1;
    if (sign(name) == '>')
      for (int depth = 0, within = 0; name > 0; --name) {
        within += sign(name) == ')' ? 1 : sign(name) == '(' ? -1 : 0;
        if (within == 0) depth += sign(name) == '>' ? 1 : sign(name) == '<' ? -1 : 0;
        if (depth == 0) break;
      }
    if (sign(name) == '<' && name > 0) --name;
    if (is_of_word(sign(name))) names.push_back(tokens[name]);
    i += 2;
  }
  return names;
}

class MacrosBeforeKernels {
 public:
  MacrosBeforeKernels(const std::string& text, const std::vector<std::uint32_t>& errors)
      : text_(text),
        errors_(errors),
        tokens_(tokens_of(text)),
        launched_(launched_among(text, tokens_)) {}

  std::vector<UnknownMacro> run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (word(i) == "__global__") look_around(i);
      else if (is_like_a_macro(word(i))) look_at_global(i);
    std::ranges::sort(found_, {}, [](const UnknownMacro& m) { return m.range.begin; });
    return std::move(found_);
  }

 private:
  std::string_view word(std::size_t i) const {
    return i < tokens_.size() ? std::string_view(text_).substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin)
                              : std::string_view();
  }
  bool has_error(std::uint32_t begin, std::uint32_t end) const {
    return std::ranges::any_of(errors_, [&](std::uint32_t e) { return begin <= e && e < end; });
  }
  // Of the bracket at `close`, the one that opens; nothing: there is none.
  std::optional<std::size_t> opened(std::size_t close, std::string_view open_sign, std::string_view close_sign) const {
    int depth = 0;
    for (std::size_t i = close + 1; i-- > 0;) {
      depth += word(i) == close_sign ? 1 : word(i) == open_sign ? -1 : 0;
      if (depth == 0) return i;
    }
    return std::nullopt;
  }
  std::size_t closed(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < tokens_.size(); ++i) {
      depth += word(i) == "(" ? 1 : word(i) == ")" ? -1 : 0;
      if (depth == 0) return i;
    }
    return open;
  }
  void add(std::size_t first, std::size_t last, std::size_t name, bool is_global = false) {
    found_.push_back({{tokens_[first].begin, tokens_[last].end}, tokens_[name], is_global});
  }

  // The first word from here on that parameters follow; nothing: there is none before the body.
  std::optional<std::size_t> name_from(std::size_t i) const {
    constexpr std::array<std::string_view, 3> kNoNames{"__launch_bounds__", "__attribute__", "__cluster_dims__"};
    for (; i < tokens_.size() && word(i) != "{" && word(i) != ";"; ++i)
      if (word(i + 1) == "(" && is_of_word(word(i)[0])) {
        const std::size_t behind = closed(i + 1) + 1;
        const bool is_attribute = std::ranges::find(kNoNames, word(i)) != kNoNames.end() ||
                                  (behind < tokens_.size() && is_of_word(word(behind)[0]));
        if (!is_attribute) return i;
        i = behind - 1;
      }
    return std::nullopt;
  }

  void look_around(std::size_t global) {
    const auto name = name_from(global + 1);
    if (!name) return;
    for (std::size_t i = global + 1; i < *name; ++i) {
      const std::size_t last = word(i + 1) == "(" ? closed(i + 1) : i;
      if (is_like_a_macro(word(i)) && has_error(tokens_[i].begin, tokens_[last].end)) add(i, last, *name);
      i = last;
    }
    look_before(global, *name);
  }

  void look_before(std::size_t global, std::size_t name) {
    constexpr std::array<std::string_view, 6> kSpecifiers{"static",   "inline",     "extern",
                                                          "__host__", "__device__", "__forceinline__"};
    for (std::size_t i = global; i-- > 0;) {
      std::size_t first = i;
      if (word(i) == ")") {
        const auto open = opened(i, "(", ")");
        if (!open || *open == 0) return;
        first = *open - 1;
      } else if (word(i) == ">") {
        const auto open = opened(i, "<", ">");
        if (!open || *open == 0 || word(*open - 1) != "template") return;
        i = *open - 1;
        continue;
      }
      if (is_like_a_macro(word(first))) {
        if (has_error(tokens_[first].begin, tokens_[global].end)) add(first, i, name);
      } else if (std::ranges::find(kSpecifiers, word(first)) == kSpecifiers.end()) {
        return;
      }
      i = first;
    }
  }

  // `GLOBAL void k(`, launched: at the beginning of a definition.
  void look_at_global(std::size_t i) {
    constexpr std::array<std::string_view, 4> kBefore{";", "}", "{", ">"};
    const bool is_first = i == 0 || std::ranges::find(kBefore, word(i - 1)) != kBefore.end() ||
                          word(i - 1) == "static" || word(i - 1) == "extern";
    if (!is_first || word(i + 1) != "void" || word(i + 3) != "(" || !has_error(tokens_[i].begin, tokens_[i].end))
      return;
    if (word(closed(i + 3) + 1) == "{" && is_launched(word(i + 2))) add(i, i, i + 2, true);
  }
  bool is_launched(std::string_view kernel) const {
    return std::ranges::any_of(launched_, [&](SourceRange name) {
      return std::string_view(text_).substr(name.begin, name.end - name.begin) == kernel;
    });
  }

  const std::string& text_;
  const std::vector<std::uint32_t>& errors_;
  std::vector<SourceRange> tokens_;
  std::vector<SourceRange> launched_;
  std::vector<UnknownMacro> found_;
};

}  // namespace

std::vector<UnknownMacro> unknown_macros(const std::string& text, const std::vector<std::uint32_t>& errors) {
  return errors.empty() ? std::vector<UnknownMacro>() : MacrosBeforeKernels(text, errors).run();
}

std::vector<SourceRange> launched_names(const std::string& text) { return launched_among(text, tokens_of(text)); }

}  // namespace swizzle
