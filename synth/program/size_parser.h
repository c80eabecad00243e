// SizeParser: the arithmetic of directives, over a domain: numbers (directives.cpp) or trees (size_tree.cpp).
//
//   SizeParser({"(n + 63) / 64", range}, Numbers{{{"n", 100}}}, source).run()     2
//
// A domain has a Value, number(v), name(word) (nothing: unknown) and apply(op, a, b), which is a value or what is
// wrong; op is one of + - * / %, or < for the minimum and > for the maximum. Errors point at what is wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "synth/program/size_text.h"

namespace swizzle {

// expression := term (('+' | '-') term)*;  term := factor (('*' | '/' | '%') factor)*
// factor := '-' factor | '(' expression ')' | number | name | ('min' | 'max') '(' expression ',' expression ')'
template <typename Domain>
class SizeParser {
 public:
  SizeParser(const SizeExpr& expr, Domain domain, const SourceText& source)
      : text_(expr, source),
        constants_(expr.constants),
        domain_(std::move(domain)) {}

  Result<typename Domain::Value> run() {
    Value value = expression();  // after an error: anything
    text_.expect_end();
    if (text_.error()) return *text_.error();
    return value;
  }

 private:
  using Value = typename Domain::Value;

  Value fail(std::size_t at, std::size_t length, std::string message) {
    text_.fail(at, length, std::move(message));
    return domain_.number(0);
  }

  // lhs op rhs; what the domain does not have is an error at the operator.
  Value compute(char op, Value lhs, Value rhs, std::size_t at) {
    auto value = domain_.apply(op, std::move(lhs), std::move(rhs));
    if (const auto* why = std::get_if<const char*>(&value)) return fail(at, 1, *why);
    return std::get<Value>(std::move(value));
  }

  // next (op next)*, for any op of `operators`.
  template <typename Next>
  Value chain(std::string_view operators, Next next) {
    Value value = next();
    for (;;) {
      const std::size_t at = text_.begin_of_next();
      if (text_.error()) return value;
      const auto op = text_.take_one_of(operators);
      if (!op) return value;
      Value rhs = next();
      if (!text_.error()) value = compute(*op, std::move(value), std::move(rhs), at);
    }
  }

  Value expression() {
    return chain("+-", [this] { return term(); });
  }
  Value term() {
    return chain("*/%", [this] { return factor(); });
  }

  Value factor() {
    if (text_.error()) return domain_.number(0);
    const std::size_t begin = text_.begin_of_next();
    if (depth_ == kMaxDepth) return fail(begin, 1, fmt::format("nested more than {} deep", kMaxDepth));
    ++depth_;
    Value value = text_.take('-')   ? compute('-', domain_.number(0), factor(), begin)
                  : text_.take('(') ? parenthesized()
                                    : word(begin);
    --depth_;
    return value;
  }

  Value parenthesized() {
    Value value = expression();
    text_.expect(')');
    return value;
  }

  Value word(std::size_t begin) {
    const std::string word = text_.take_word();
    if (word.empty()) return fail(begin, 1, "expected a number or the name of a parameter");
    if (word[0] >= '0' && word[0] <= '9') {
      const auto value = integer_of(word);
      return value ? domain_.number(*value)
                   : fail(begin, word.size(), fmt::format("'{}' is no integer of 64 bits", word));
    }
    if (word == "min" || word == "max") return extremum(word == "min" ? '<' : '>', begin);
    if (const auto constant = constants_.find(word); constant != constants_.end())
      return domain_.number(constant->second);
    if (auto value = domain_.name(word)) return std::move(*value);
    return fail(begin, word.size(), fmt::format("'{}' is no integer parameter with a value here", word));
  }

  Value extremum(char op, std::size_t begin) {
    text_.expect('(');
    Value a = expression();
    text_.expect(',');
    Value b = expression();
    text_.expect(')');
    return compute(op, std::move(a), std::move(b), begin);
  }

  static constexpr int kMaxDepth = 200;
  SizeText text_;
  const Sizes& constants_;
  Domain domain_;
  int depth_ = 0;
};

}  // namespace swizzle
