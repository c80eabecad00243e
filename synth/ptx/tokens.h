// The words of a PTX text, without comments.
//
//   @%p1 bra $L;          "@" "%p1" "bra" "$L" ";"
//   ld.shared::cta.b32    one word; so are 0x1F, 0f3F800000 and %tid.x
#pragma once

#include <string_view>
#include <vector>

namespace swizzle::ptx {

struct Token {
  enum class Kind { kWord, kString, kSign, kEnd };
  Kind kind = Kind::kEnd;
  std::string_view text;  // of a string, without its quotes
  int line = 0;           // 1-based

  bool is(std::string_view sign) const { return kind != Kind::kString && text == sign; }
};

// Ends with a kEnd.
std::vector<Token> tokens_of(std::string_view text);

}  // namespace swizzle::ptx
