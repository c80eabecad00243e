// SizeParser: the arithmetic of directives, over a domain: numbers (directives.cpp) or trees (size_tree.cpp).
//
//   SizeParser({"(n + 63) / 64", range}, Numbers{{{"n", 100}}}, source).run()     2
//
// A domain has a Value, number(v), name(word) (nothing: unknown) and apply(op, a, b), which is a value or what is
// wrong; op is one of + - * / %, or < for the minimum and > for the maximum. Errors point at what is wrong.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "synth/program/directives.h"

namespace swizzle {

// expression := term (('+' | '-') term)*;  term := factor (('*' | '/' | '%') factor)*
// factor := '-' factor | '(' expression ')' | number | name | ('min' | 'max') '(' expression ',' expression ')'
template <typename Domain>
class SizeParser {
 public:
  SizeParser(const SizeExpr& expr, Domain domain, const SourceText& source)
      : expr_(expr),
        domain_(std::move(domain)),
        source_(source) {}

  Result<typename Domain::Value> run() {
    Value value = expression();  // after an error: anything
    skip();
    if (!error_ && at_ < expr_.text.size()) fail(at_, 1, fmt::format("unexpected '{}'", expr_.text[at_]));
    if (error_) return *error_;
    return value;
  }

 private:
  using Value = typename Domain::Value;

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

  // lhs op rhs; what the domain does not have is an error at the operator.
  Value compute(char op, Value lhs, Value rhs, std::size_t at) {
    auto value = domain_.apply(op, std::move(lhs), std::move(rhs));
    if (const auto* why = std::get_if<const char*>(&value)) {
      fail(at, 1, *why);
      return domain_.number(0);
    }
    return std::get<Value>(std::move(value));
  }

  // next (op next)*, for any op of `operators`.
  template <typename Next>
  Value chain(std::string_view operators, Next next) {
    Value value = next();
    for (;;) {
      skip();
      const std::size_t at = at_;
      if (error_ || at >= expr_.text.size() || operators.find(expr_.text[at]) == operators.npos) return value;
      ++at_;
      Value rhs = next();
      if (!error_) value = compute(expr_.text[at], std::move(value), std::move(rhs), at);
    }
  }

  Value expression() {
    return chain("+-", [this] { return term(); });
  }
  Value term() {
    return chain("*/%", [this] { return factor(); });
  }

  Value factor() {
    if (error_) return domain_.number(0);
    skip();
    const std::size_t begin = at_;
    if (depth_ == kMaxDepth) {
      fail(begin, 1, fmt::format("nested more than {} deep", kMaxDepth));
      return domain_.number(0);
    }
    ++depth_;
    Value value = take('-')   ? compute('-', domain_.number(0), factor(), begin)
                  : take('(') ? parenthesized()
                              : word(begin);
    --depth_;
    return value;
  }

  Value parenthesized() {
    Value value = expression();
    if (!take(')')) fail(at_, 1, "expected ')'");
    return value;
  }

  Value word(std::size_t begin) {
    while (at_ < expr_.text.size() &&
           (std::isalnum(static_cast<unsigned char>(expr_.text[at_])) || expr_.text[at_] == '_'))
      ++at_;
    const std::string word = expr_.text.substr(begin, at_ - begin);
    if (word.empty()) {
      fail(begin, 1, "expected a number or the name of a parameter");
      return domain_.number(0);
    }
    if (std::isdigit(static_cast<unsigned char>(word[0]))) return number(word, begin);
    if (word == "min" || word == "max") return extremum(word == "min" ? '<' : '>', begin);
    if (auto value = domain_.name(word)) return std::move(*value);
    fail(begin, word.size(), fmt::format("'{}' is no integer parameter with a value here", word));
    return domain_.number(0);
  }

  Value number(const std::string& word, std::size_t begin) {
    std::int64_t value = 0;
    for (char c : word) {
      if (!std::isdigit(static_cast<unsigned char>(c)) || value > (INT64_MAX - (c - '0')) / 10) {
        fail(begin, word.size(), fmt::format("'{}' is no integer of 64 bits", word));
        return domain_.number(0);
      }
      value = value * 10 + (c - '0');
    }
    return domain_.number(value);
  }

  Value extremum(char op, std::size_t begin) {
    if (!take('(')) fail(at_, 1, "expected '('");
    Value a = expression();
    if (!take(',')) fail(at_, 1, "expected ','");
    Value b = expression();
    if (!take(')')) fail(at_, 1, "expected ')'");
    return compute(op, std::move(a), std::move(b), begin);
  }

  const SizeExpr& expr_;
  Domain domain_;
  const SourceText& source_;
  static constexpr int kMaxDepth = 200;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::optional<Diagnostic> error_;
};

}  // namespace swizzle
