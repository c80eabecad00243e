// SizeText: the characters of a directive's arithmetic, as SizeParser takes them one after the other.
//
//   (n + 63) / 64     take('('), take_word() "n", take_one_of("+-") '+', take_word() "63", take(')'), …
//
// Space, comments and continued lines stand for nothing. Of errors the first is kept; it points at what is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "synth/program/directives.h"

namespace swizzle {

class SizeText {
 public:
  SizeText(const SizeExpr& expr, const SourceText& source) : expr_(expr), source_(source) {}

  // Where what comes next begins.
  std::size_t begin_of_next();
  bool take(char c);
  // Any one of `operators`; nothing if something else comes next.
  std::optional<char> take_one_of(std::string_view operators);
  // Letters, digits and underscores; empty if something else comes next.
  std::string take_word();
  void expect(char c);
  void expect_end();

  void fail(std::size_t at, std::size_t length, std::string message);
  const std::optional<Diagnostic>& error() const { return error_; }

 private:
  const SizeExpr& expr_;
  const SourceText& source_;
  std::size_t at_ = 0;
  std::optional<Diagnostic> error_;
};

// What digits say; nothing if something else is among them, or if 64 bits do not hold it.
std::optional<std::int64_t> integer_of(std::string_view digits);

}  // namespace swizzle
