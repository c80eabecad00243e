#include "tests/fuzz/mutator.h"

#include <cctype>
#include <set>

namespace swizzle::fuzz {
namespace {

// What no text of ours has, and users may.
const std::vector<std::string> kRare = {
    "0",    "-1",        "1 << 31",  "2147483648", "1e400", "0x",          "?",       "$",
    "\"",   "'",         "/*",       "*/",         "//",    "#",           "\\\n",    "{",
    "}",    "(",         ")",        "[",          "]",     "<<<",         ">>>",     "\r\n",
    "goto", "template",  "operator", "union",      "asm",   "sizeof",      "nullptr", "double",
    "%",    "/ 0",       "% 0",      "volatile",   "char",  "__shared__",  "extern",  "return",
    "long", "threadIdx", "\xc3\xa4", "unsigned",   "auto",  "for (;;) {}", ";",       "?sw_"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t below(std::size_t n, std::mt19937_64& random) { return static_cast<std::size_t>(random() % n); }

}  // namespace

std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (is_word(text[at]))
      while (end < text.size() && is_word(text[end])) ++end;
    tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

Mutator::Mutator(const std::vector<std::string>& texts) {
  std::set<std::string> known(kRare.begin(), kRare.end());
  for (const std::string& text : texts)
    for (std::string& token : tokens_of(text)) known.insert(std::move(token));
  dictionary_.assign(known.begin(), known.end());
}

const std::string& Mutator::any_token(std::mt19937_64& random) const {
  return below(3, random) == 0 ? kRare[below(kRare.size(), random)] : dictionary_[below(dictionary_.size(), random)];
}

void Mutator::mutate_once(std::vector<std::string>& tokens, std::mt19937_64& random) const {
  if (tokens.empty()) return tokens.push_back(any_token(random));
  const std::size_t at = below(tokens.size(), random), other = below(tokens.size(), random);
  const auto here = tokens.begin() + static_cast<std::ptrdiff_t>(at);
  switch (below(8, random)) {
    case 0: tokens.erase(here); break;
    case 1: tokens.insert(here, std::string(*here)); break;
    case 2: std::swap(tokens[at], tokens[other]); break;
    case 3: tokens[at] = any_token(random); break;
    case 4: tokens.insert(here, any_token(random)); break;
    case 5: tokens[at] = tokens[other]; break;
    case 6: {  // a piece of the text, moved
      const std::size_t length = std::min(tokens.size() - at, 1 + below(30, random));
      const std::vector<std::string> piece(here, here + static_cast<std::ptrdiff_t>(length));
      tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(other), piece.begin(), piece.end());
      break;
    }
    default:
      if (below(4, random) == 0) tokens.resize(at);
      else tokens[at] = kRare[below(kRare.size(), random)];
  }
}

std::string Mutator::mutated(const std::string& text, std::mt19937_64& random) const {
  std::vector<std::string> tokens = tokens_of(text);
  for (std::size_t left = 1 + below(3, random); left > 0; --left) mutate_once(tokens, random);
  std::string result;
  for (const std::string& token : tokens) result += token;
  return result;
}

}  // namespace swizzle::fuzz
