#include "frontend/launch_macros.h"

#include <algorithm>

#include "frontend/source_rewrite.h"

namespace swizzle {
namespace {

// Of [begin, end), without blanks around it, and ends of lines that go on.
std::string inner_part(const std::string& text, std::size_t begin, std::size_t end) {
  while (begin < end && separates_tokens(text[begin])) ++begin;
  while (end > begin && separates_tokens(text[end - 1])) --end;
  return text.substr(begin, end - begin);
}

std::vector<std::string> listed(const std::string& text, std::size_t begin, std::size_t end, Listed what) {
  std::vector<std::string> all;
  for (const SourceRange& piece : split_at_commas(text, begin, end, what))
    all.push_back(inner_part(text, piece.begin, piece.end));
  return all;
}

std::size_t word_end(const std::string& text, std::size_t at) {
  while (at < text.size() && is_of_word(text[at])) ++at;
  return at;
}

// With arguments in place of the words that parameters are.
std::string substituted(const std::string& text, const std::vector<std::string>& parameters,
                        const std::vector<std::string>& arguments) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::max(word_end(text, at), at + 1);
    const std::string word = text.substr(at, end - at);
    const auto parameter = std::ranges::find(parameters, word);
    if (parameter == parameters.end()) out += word;
    else out += "(" + arguments[static_cast<std::size_t>(parameter - parameters.begin())] + ")";
    at = end;
  }
  return out;
}

}  // namespace

LaunchMacros::LaunchMacros(const std::string& text) : text_(text) {
  for (std::size_t at = text.find("<<<"); at != std::string::npos; at = text.find("<<<", at + 3)) {
    const auto body = body_around(at);
    const std::string whole = body ? inner_part(text, body->begin, body->end) : "";
    if (!whole.starts_with("<<<") || !whole.ends_with(">>>") || whole.size() < 6) continue;
    const std::string name = text.substr(body->name, word_end(text, body->name) - body->name);
    macros_[name] = {body->parameters, listed(whole, 3, whole.size() - 3, Listed::kArguments)};
  }
}

std::optional<LaunchMacros::Body> LaunchMacros::body_around(std::size_t at) const {
  constexpr std::string_view kDefine = "define";
  std::size_t line = at;
  while (line > 0 && !ends_line(line - 1)) --line;
  Body body;
  std::size_t next = text_.find_first_not_of(" \t", line);
  if (next == std::string::npos || text_[next] != '#') return std::nullopt;
  next = text_.find_first_not_of(" \t", next + 1);
  if (next == std::string::npos || text_.compare(next, kDefine.size(), kDefine) != 0) return std::nullopt;
  body.name = text_.find_first_not_of(" \t", next + kDefine.size());
  if (body.name == std::string::npos || body.name >= at) return std::nullopt;
  body.begin = word_end(text_, body.name);
  if (body.begin < text_.size() && text_[body.begin] == '(') {
    const auto close = parentheses_end(text_, body.begin);
    if (!close || *close > at) return std::nullopt;
    body.parameters = listed(text_, body.begin + 1, *close - 1, Listed::kParameters);
    body.begin = *close;
  }
  body.end = at;
  while (body.end < text_.size() && !ends_line(body.end)) ++body.end;
  return body;
}

std::optional<LaunchMacros::Use> LaunchMacros::use_at(std::size_t at) const {
  if (macros_.empty() || (at > 0 && is_of_word(text_[at - 1]))) return std::nullopt;
  const std::size_t end = word_end(text_, at);
  const auto known = macros_.find(text_.substr(at, end - at));
  if (known == macros_.end()) return std::nullopt;
  if (const auto definition = body_around(at); definition && definition->name == at) return std::nullopt;
  const Macro& macro = known->second;
  std::vector<std::string> arguments;
  Use use;
  use.end = end;
  if (!macro.parameters.empty()) {
    const auto given = in_parentheses(text_, end);
    if (!given) return std::nullopt;
    arguments = listed(text_, given->begin + 1, given->end - 1, Listed::kArguments);
    use.end = given->end;
  }
  if (arguments.size() != macro.parameters.size()) return std::nullopt;
  for (const std::string& part : macro.parts) use.parts.push_back(substituted(part, macro.parameters, arguments));
  return use;
}

bool LaunchMacros::ends_definition(std::size_t begin, std::size_t end) const {
  const auto body = body_around(begin);
  return body && end <= body->end && inner_part(text_, end, body->end).empty();
}

bool LaunchMacros::begins_definition(std::size_t begin) const {
  const auto body = body_around(begin);
  return body && inner_part(text_, body->begin, begin).empty();
}

}  // namespace swizzle
