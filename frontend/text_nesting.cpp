#include "frontend/text_nesting.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include "frontend/nesting_guard.h"
#include "frontend/source_rewrite.h"
#include "synth/base/text.h"

namespace swizzle {
namespace {

constexpr int kMostLevels = 1000;

constexpr std::string_view kSigns = "!~-+";

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// How deep the code is that has been read so far, character by character. What a macro is made of counts by itself.
class Levels {
 public:
  bool are_too_many() const { return (in_ == Line::kCode ? code_ : directive_) > kMostLevels; }

  void read(const std::string& text, std::size_t at) {
    const char c = text[at];
    if (c == '\n') return end_line(text, at);
    if (is_start_ && c == '#' && in_ == Line::kCode) begin_directive(text, at + 1);
    is_start_ = is_start_ && is_space(c);
    if (in_ == Line::kCode) nest(c, code_);
    else if (in_ == Line::kCondition) directive_ += c == '(' || c == '?' || kSigns.find(c) != std::string_view::npos;
    else read_of_macro(c);
  }

 private:
  enum class Line { kCode, kCondition, kOtherDirective };

  void begin_directive(const std::string& text, std::size_t behind_hash) {
    const std::size_t name = std::min(text.find_first_not_of(" \t", behind_hash), text.size());
    const bool is_condition = text.compare(name, 2, "if") == 0 || text.compare(name, 4, "elif") == 0;
    in_ = is_condition ? Line::kCondition : Line::kOtherDirective;
    directive_ = signs_ = 0;
  }

  // A backslash at its end joins it with the next one.
  void end_line(const std::string& text, std::size_t end) {
    if (!goes_on_behind(text, end)) in_ = Line::kCode;
    is_start_ = true;
  }

  static void nest(char c, int& level) {
    if (c == '(') ++level;
    if (c == ')' && level > 0) --level;
  }

  void read_of_macro(char c) {
    if (is_space(c) || c == '\\') return;
    const bool is_sign = kSigns.find(c) != std::string_view::npos;
    if (!is_sign) directive_ -= std::exchange(signs_, 0);
    if (is_sign) ++signs_, ++directive_;
    else nest(c, directive_);
  }

  Line in_ = Line::kCode;
  bool is_start_ = true;                      // of a line
  int code_ = 0, directive_ = 0, signs_ = 0;  // signs: those of `directive_` that follow one another
};

}  // namespace

std::optional<Diagnostic> nested_too_deeply(const SourceText& source) {
  const std::string& text = source.text();
  Levels levels;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t code = skip_non_code(text, at); code != at) {
      at = code;
      continue;
    }
    levels.read(text, at);
    if (levels.are_too_many())
      return make_error(source, {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 1)}, kNestedTooDeeply);
    ++at;
  }
  return std::nullopt;
}

}  // namespace swizzle
