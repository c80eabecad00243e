#include "synth/ptx/token_reader.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace swizzle::ptx {

std::optional<std::int64_t> parse_integer(std::string_view word) {
  if (word.empty() || !std::isdigit(static_cast<unsigned char>(word[0])) || is_real_literal(word)) return std::nullopt;
  if (word.back() == 'U') word.remove_suffix(1);
  const bool is_binary = word.starts_with("0b");
  const std::string digits(is_binary ? word.substr(2) : word);
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(digits.c_str(), &end, is_binary ? 2 : 0);
  return *end == '\0' ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
}

bool is_real_literal(std::string_view word) {
  if (word.starts_with("0f") || word.starts_with("0F") || word.starts_with("0d") || word.starts_with("0D")) return true;
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) && word.find('.') != std::string_view::npos;
}

std::optional<Space> space_of(std::string_view directive) {
  if (directive == ".param") return Space::kParam;
  if (directive == ".shared") return Space::kShared;
  if (directive == ".global") return Space::kGlobal;
  if (directive == ".local") return Space::kLocal;
  if (directive == ".const") return Space::kConst;
  return std::nullopt;
}

void TokenReader::fail(const Token& at, std::string message) {
  const std::string& text = source_.text();
  const auto from = static_cast<std::uint32_t>(at.text.data() - text.data());
  if (!error_)
    error_ = make_error(source_, {from, from + static_cast<std::uint32_t>(at.text.size())}, std::move(message));
  at_ = tokens_.size() - 1;
}

void TokenReader::expect(std::string_view sign) {
  if (!accept(sign)) fail(peek(), fmt::format("'{}' is expected here", sign));
}

void TokenReader::skip_past(std::string_view sign) {
  while (!at_end() && !next().is(sign)) {}
}

void TokenReader::skip_line(int line) {
  while (!at_end() && peek().line == line) next();
}

std::int64_t TokenReader::integer() {
  const bool is_negative = accept("-");
  const Token token = next();
  const auto value = parse_integer(token.text);
  if (!value) fail(token, "an integer is expected here");
  return is_negative ? -value.value_or(0) : value.value_or(0);
}

// ".align 4 .b8", and what a pointer says of where it points.
void TokenReader::read_attributes(Variable& variable) {
  while (peek().text.starts_with(".")) {
    const Token word = next();
    if (word.is(".align")) variable.alignment_bytes = static_cast<int>(integer());
    else if (const auto type = type_of(word.text.substr(1))) variable.element = *type;
    else if (word.is(".attribute")) skip_past(")");
  }
}

void TokenReader::read_size(Variable& variable) {
  variable.size_bytes = std::max(1, variable.element.bytes());
  while (accept("[")) {
    if (!peek().is("]")) variable.size_bytes *= integer();
    else variable.size_bytes = 0;
    expect("]");
  }
}

// Numbers alone: addresses of other variables, and reals, are not followed.
void TokenReader::read_initial(Variable& variable) {
  bool is_followed = variable.element.is_integer();
  int depth = 0;
  const auto bytes = static_cast<std::size_t>(std::max(1, variable.element.bytes()));
  do {
    if (accept("{")) ++depth;
    else if (accept("}")) --depth;
    else if (accept(",")) continue;
    else if (peek().is("-") || parse_integer(peek().text)) {
      const auto value = static_cast<std::uint64_t>(integer());
      for (std::size_t b = 0; b < bytes; ++b)
        variable.initial.push_back(static_cast<std::uint8_t>(b < 8 ? value >> (8 * b) : 0));
    } else {
      is_followed = false;
      next();
    }
  } while (depth > 0 && !at_end());
  if (!is_followed) variable.initial.clear();
  else variable.initial.resize(static_cast<std::size_t>(variable.size_bytes), 0);
}

Variable TokenReader::read_variable(Space space) {
  Variable variable;
  variable.space = space;
  read_attributes(variable);
  const Token name = next();
  if (name.kind != Token::Kind::kWord) fail(name, "the name of a variable is expected here");
  variable.name = name.text;
  read_size(variable);
  return variable;
}

std::vector<Variable> TokenReader::read_variables(Space space) {
  std::vector<Variable> variables{read_variable(space)};
  if (accept("=")) read_initial(variables.back());
  while (accept(",")) {
    Variable more = variables.front();
    more.initial.clear();
    more.name = next().text;
    read_size(more);
    if (accept("=")) read_initial(more);
    variables.push_back(std::move(more));
  }
  expect(";");
  return variables;
}

}  // namespace swizzle::ptx
