// One token after the other, and what module and functions are both made of: private to this room.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "synth/base/diagnostic.h"
#include "synth/ptx/module.h"
#include "synth/ptx/tokens.h"

namespace swizzle::ptx {

// "16", "0x1FU", "-1" is two tokens. Nothing for what is no integer.
std::optional<std::int64_t> parse_integer(std::string_view word);
bool is_real_literal(std::string_view word);                // "0f3F800000", "1.5"
std::optional<Space> space_of(std::string_view directive);  // ".shared"

class TokenReader {
 public:
  explicit TokenReader(const SourceText& source) : source_(source), tokens_(tokens_of(source.text())) {}

  bool at_end() const { return peek().kind == Token::Kind::kEnd; }
  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  Token next() { return at_end() ? peek() : tokens_[at_++]; }
  bool accept(std::string_view sign) { return peek().is(sign) && (next(), true); }
  void expect(std::string_view sign);
  void skip_past(std::string_view sign);
  void skip_line(int line);  // what is left of it
  std::int64_t integer();    // perhaps with a sign before it

  // Behind ".shared": " .align 4 .b8 s[128], t[4];"
  std::vector<Variable> read_variables(Space space);
  // Behind ".param": "  .u64 .ptr .align 1 k_param_0", without what separates parameters.
  Variable read_variable(Space space);

  void fail(const Token& at, std::string message);  // the first failure counts; everything ends there
  bool failed() const { return error_.has_value(); }
  Diagnostic error() const { return *error_; }

 private:
  void read_attributes(Variable& variable);
  void read_size(Variable& variable);
  void read_initial(Variable& variable);

  const SourceText& source_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::optional<Diagnostic> error_;
};

}  // namespace swizzle::ptx
