#include "synth/program/size_text.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "synth/base/text.h"

namespace swizzle {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\\'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::size_t SizeText::begin_of_next() {
  const std::string& text = expr_.text;
  while (at_ < text.size()) {
    if (text.compare(at_, 2, "/*") == 0) at_ = std::min(text.find("*/", at_ + 2), text.size() - 2) + 2;
    else if (is_space(text[at_])) ++at_;
    else break;
  }
  return at_;
}

bool SizeText::take(char c) { return take_one_of({&c, 1}).has_value(); }

std::optional<char> SizeText::take_one_of(std::string_view operators) {
  const std::size_t at = begin_of_next();
  if (at >= expr_.text.size() || operators.find(expr_.text[at]) == operators.npos) return std::nullopt;
  return expr_.text[at_++];
}

std::string SizeText::take_word() {
  const std::size_t begin = begin_of_next();
  while (at_ < expr_.text.size() && is_of_word(expr_.text[at_])) ++at_;
  return expr_.text.substr(begin, at_ - begin);
}

void SizeText::expect(char c) {
  if (!take(c)) fail(at_, 1, fmt::format("expected '{}'", c));
}

void SizeText::expect_end() {
  if (!error_ && begin_of_next() < expr_.text.size()) fail(at_, 1, fmt::format("unexpected '{}'", expr_.text[at_]));
}

void SizeText::fail(std::size_t at, std::size_t length, std::string message) {
  const auto begin = static_cast<std::uint32_t>(expr_.range.begin + at);
  if (!error_) error_ = make_error(source_, {begin, static_cast<std::uint32_t>(begin + length)}, std::move(message));
}

std::optional<std::int64_t> integer_of(std::string_view digits) {
  std::int64_t value = 0;
  for (char c : digits) {
    if (!is_digit(c) || value > (INT64_MAX - (c - '0')) / 10) return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

}  // namespace swizzle
