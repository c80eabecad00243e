#include "synth/program/directives.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace swizzle {
namespace {

// expression := term (('+' | '-') term)*;  term := factor (('*' | '/' | '%') factor)*
// factor := '-' factor | '(' expression ')' | number | name | ('min' | 'max') '(' expression ',' expression ')'
class Evaluator {
 public:
  Evaluator(const SizeExpr& expr, const Sizes& sizes, const SourceText& source)
      : expr_(expr),
        sizes_(sizes),
        source_(source) {}

  Result<std::int64_t> run() {
    const std::int64_t value = expression();  // after an error: anything
    skip();
    if (!error_ && at_ < expr_.text.size()) fail(at_, 1, fmt::format("unexpected '{}'", expr_.text[at_]));
    if (error_) return *error_;
    return value;
  }

 private:
  // Space, comments and continued lines.
  void skip() {
    const std::string& text = expr_.text;
    while (at_ < text.size()) {
      if (text.compare(at_, 2, "/*") == 0) at_ = std::min(text.find("*/", at_ + 2), text.size() - 2) + 2;
      else if (std::isspace(static_cast<unsigned char>(text[at_])) || text[at_] == '\\') ++at_;
      else return;
    }
  }
  bool take(char c) {
    skip();
    if (at_ >= expr_.text.size() || expr_.text[at_] != c) return false;
    ++at_;
    return true;
  }
  void fail(std::size_t at, std::size_t length, std::string message) {
    const auto begin = static_cast<std::uint32_t>(expr_.range.begin + at);
    if (!error_) error_ = make_error(source_, {begin, static_cast<std::uint32_t>(begin + length)}, std::move(message));
  }

  // lhs op rhs in 64 bits; what does not fit is an error at the operator.
  std::int64_t compute(char op, std::int64_t lhs, std::int64_t rhs, std::size_t at) {
    if ((op == '/' || op == '%') && rhs == 0) {
      fail(at, 1, "division by zero");
      return 0;
    }
    std::int64_t value = 0;
    bool overflows = false;
    switch (op) {
      case '+': overflows = __builtin_add_overflow(lhs, rhs, &value); break;
      case '-': overflows = __builtin_sub_overflow(lhs, rhs, &value); break;
      case '*': overflows = __builtin_mul_overflow(lhs, rhs, &value); break;
      default:
        overflows = lhs == INT64_MIN && rhs == -1;
        if (!overflows) value = op == '/' ? lhs / rhs : lhs % rhs;
    }
    if (overflows) fail(at, 1, "the value does not fit in 64 bits");
    return value;
  }

  // next (op next)*, for any op of `operators`.
  template <typename Next>
  std::int64_t chain(std::string_view operators, Next next) {
    std::int64_t value = next();
    for (;;) {
      skip();
      const std::size_t at = at_;
      if (error_ || at >= expr_.text.size() || operators.find(expr_.text[at]) == operators.npos) return value;
      ++at_;
      const std::int64_t rhs = next();
      if (!error_) value = compute(expr_.text[at], value, rhs, at);
    }
  }

  std::int64_t expression() {
    return chain("+-", [this] { return term(); });
  }
  std::int64_t term() {
    return chain("*/%", [this] { return factor(); });
  }

  std::int64_t factor() {
    if (error_) return 0;
    skip();
    const std::size_t begin = at_;
    if (depth_ == kMaxDepth) {
      fail(begin, 1, fmt::format("nested more than {} deep", kMaxDepth));
      return 0;
    }
    ++depth_;
    const std::int64_t value = take('-') ? compute('-', 0, factor(), begin) : take('(') ? parenthesized() : word(begin);
    --depth_;
    return value;
  }

  std::int64_t parenthesized() {
    const std::int64_t value = expression();
    if (!take(')')) fail(at_, 1, "expected ')'");
    return value;
  }

  std::int64_t word(std::size_t begin) {
    while (at_ < expr_.text.size() &&
           (std::isalnum(static_cast<unsigned char>(expr_.text[at_])) || expr_.text[at_] == '_'))
      ++at_;
    const std::string word = expr_.text.substr(begin, at_ - begin);
    if (word.empty()) {
      fail(begin, 1, "expected a number or the name of a parameter");
      return 0;
    }
    if (std::isdigit(static_cast<unsigned char>(word[0]))) return number(word, begin);
    if (word == "min" || word == "max") return extremum(word == "min");
    if (const auto it = sizes_.find(word); it != sizes_.end()) return it->second;
    fail(begin, word.size(), fmt::format("'{}' is no integer parameter with a value here", word));
    return 0;
  }

  std::int64_t number(const std::string& word, std::size_t begin) {
    std::int64_t value = 0;
    for (char c : word) {
      if (!std::isdigit(static_cast<unsigned char>(c)) || value > (INT64_MAX - (c - '0')) / 10) {
        fail(begin, word.size(), fmt::format("'{}' is no integer of 64 bits", word));
        return 0;
      }
      value = value * 10 + (c - '0');
    }
    return value;
  }

  std::int64_t extremum(bool is_min) {
    if (!take('(')) fail(at_, 1, "expected '('");
    const std::int64_t a = expression();
    if (!take(',')) fail(at_, 1, "expected ','");
    const std::int64_t b = expression();
    if (!take(')')) fail(at_, 1, "expected ')'");
    return is_min ? std::min(a, b) : std::max(a, b);
  }

  const SizeExpr& expr_;
  const Sizes& sizes_;
  const SourceText& source_;
  static constexpr int kMaxDepth = 200;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::optional<Diagnostic> error_;
};

}  // namespace

std::string sizes_text(const Sizes& sizes) {
  std::string text;
  for (const auto& [name, value] : sizes) text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  return text.empty() ? "the only size" : text;
}

std::string at_sizes(const Sizes& sizes) {
  std::string text;
  for (const auto& [name, value] : sizes) text += fmt::format("{} {} = {}", text.empty() ? " at" : ",", name, value);
  return text;
}

Result<std::int64_t> evaluate(const SizeExpr& expr, const Sizes& sizes, const SourceText& source) {
  return Evaluator(expr, sizes, source).run();
}

Result<LaunchShape> evaluate(const Launch& launch, const Sizes& sizes, const SourceText& source) {
  LaunchShape shape;
  const auto fill = [&](const std::vector<SizeExpr>& exprs, std::array<int, 3>& out,
                        std::int64_t most) -> std::optional<Diagnostics> {
    for (std::size_t i = 0; i < exprs.size() && i < 3; ++i) {
      const auto v = evaluate(exprs[i], sizes, source);
      if (!v.ok()) return v.errors();
      if (*v < 1 || *v > most)
        return Diagnostics{make_error(
            source, exprs[i].range,
            fmt::format("'{}' is {}{}, and must be between 1 and {}", exprs[i].text, *v, at_sizes(sizes), most))};
      out[i] = static_cast<int>(*v);
    }
    return std::nullopt;
  };
  if (auto errors = fill(launch.grid, shape.grid, 1 << 20)) return *errors;
  if (auto errors = fill(launch.block, shape.block, 1024)) return *errors;
  if (shape.threads_per_block() > 1024)
    return make_error(
        source, launch.range,
        fmt::format("a block of {} threads is more than the 1024 that there can be", shape.threads_per_block()));
  return shape;
}

}  // namespace swizzle
