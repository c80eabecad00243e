#include "synth/ptx/tokens.h"

#include <algorithm>
#include <cctype>

namespace swizzle::ptx {
namespace {

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' || c == '.';
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (skip_space(), at_ < text_.size()) {
      if (text_[at_] == '"') add_string();
      else if (is_of_word(text_[at_])) add_word();
      else add(Token::Kind::kSign, at_, at_ + 1);
    }
    tokens_.push_back({Token::Kind::kEnd, text_.substr(text_.size()), line_});
    return std::move(tokens_);
  }

 private:
  void skip_space() {
    for (; at_ < text_.size(); ++at_) {
      if (text_.compare(at_, 2, "//") == 0) at_ = std::min(text_.find('\n', at_), text_.size());
      if (text_.compare(at_, 2, "/*") == 0) {
        const std::size_t end = std::min(text_.find("*/", at_ + 2), text_.size() - 2);
        line_ += static_cast<int>(
            std::count(text_.begin() + static_cast<long>(at_), text_.begin() + static_cast<long>(end), '\n'));
        at_ = end + 1;
        continue;
      }
      if (at_ >= text_.size() || !std::isspace(static_cast<unsigned char>(text_[at_]))) return;
      line_ += text_[at_] == '\n';
    }
  }

  void add(Token::Kind kind, std::size_t from, std::size_t to) {
    tokens_.push_back({kind, text_.substr(from, to - from), line_});
    at_ = to;
  }

  void add_string() {
    const std::size_t end = std::min(text_.find('"', at_ + 1), text_.size());
    add(Token::Kind::kString, at_ + 1, end);
    at_ = std::min(end + 1, text_.size());
  }

  void add_word() {
    std::size_t end = at_;
    while (end < text_.size()) {
      if (is_of_word(text_[end])) ++end;
      else if (text_.compare(end, 2, "::") == 0) end += 2;
      else break;
    }
    add(Token::Kind::kWord, at_, end);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text) { return Tokenizer(text).run(); }

}  // namespace swizzle::ptx
