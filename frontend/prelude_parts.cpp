#include "frontend/prelude_parts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <set>
#include <utility>

#include "synth/base/nearest.h"

namespace swizzle {
namespace {

constexpr std::string_view kBeginStd = "namespace std {";

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

// The next word of `text` from `at` on, which is moved behind it; empty: there is none.
std::string_view next_word(std::string_view text, std::size_t& at) {
  while (at < text.size() && !is_letter(text[at])) ++at;
  const std::size_t begin = at;
  while (at < text.size() && is_letter(text[at])) ++at;
  return text.substr(begin, at - begin);
}

template <typename Each>
void for_each_word(std::string_view text, Each&& each) {
  for (std::size_t at = 0; at < text.size();)
    if (const std::string_view word = next_word(text, at); !word.empty()) each(word);
}

// Behind a bracket's partner; `at` is the bracket.
std::size_t behind_brackets(std::string_view text, std::size_t at, char open, char close) {
  for (int depth = 0; at < text.size(); ++at) {
    depth += text[at] == open ? 1 : text[at] == close ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return at;
}

// Behind the declaration or directive that begins at `at`.
std::size_t end_of_part(std::string_view text, std::size_t at) {
  if (text[at] == '#') return std::min(text.find('\n', at), text.size());
  while (at < text.size() && text[at] != ';') {
    if (text[at] != '{') {
      ++at;
      continue;
    }
    at = behind_brackets(text, at, '{', '}');
    const std::size_t next = std::min(text.find_first_not_of(" \n", at), text.size());
    if (next == text.size() || text[next] != ';') return at;  // the body of a function or namespace
  }
  return std::min(at + 1, text.size());
}

bool begins_with_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || !is_letter(text[word.size()]));
}

std::string_view without_template(std::string_view part) {
  while (begins_with_word(part, "template")) {
    const std::size_t behind = behind_brackets(part, part.find('<'), '<', '>');
    part.remove_prefix(std::min(part.find_first_not_of(' ', behind), part.size()));
  }
  return part;
}

// `struct alignas(8) int2 { … };` has a name of its own; `struct int2 f(int2);` has not.
std::vector<std::string_view> names_of_type(std::string_view part) {
  std::size_t at = 0;
  next_word(part, at);
  std::string_view name = next_word(part, at);
  if (name == "alignas") {
    at = behind_brackets(part, part.find('(', at), '(', ')');
    name = next_word(part, at);
  }
  std::vector<std::string_view> names{name};
  if (begins_with_word(part, "enum"))  // its constants
    for_each_word(part.substr(at), [&](std::string_view word) { names.push_back(word); });
  return names;
}

// Of `+(const half2& a, half2 b) { … }`: an operator is named by the types that it is for.
std::vector<std::string_view> operands_of(std::string_view part) {
  std::vector<std::string_view> types;
  const std::size_t open = std::min(part.find('(', 1), part.size()),
                    close = std::min(part.find(')', open), part.size());
  for (std::size_t at = open; at < close; at = std::min(part.find(',', at), close) + 1) {
    std::string_view type = next_word(part, at);
    if (type == "const") type = next_word(part, at);
    if (type != "T") types.push_back(type);
  }
  return types;
}

// Of functions, variables and synonyms: the words that a declarator ends behind, up to the first parameter list.
std::vector<std::string_view> names_of_declarators(std::string_view part) {
  std::vector<std::string_view> names;
  for (std::size_t at = 0; at < part.size();) {
    if (part[at] == '<') {
      at = behind_brackets(part, at, '<', '>');
      continue;
    }
    if (!is_letter(part[at])) {
      if (part[at] == '{' || part[at] == '=') at = std::min(part.find_first_of(",;", at), part.size());
      else ++at;
      continue;
    }
    const std::string_view word = next_word(part, at);
    const std::size_t next = std::min(part.find_first_not_of(' ', at), part.size() - 1);
    if (word == "operator") return operands_of(part.substr(at));
    if (std::string_view("(,;={[").find(part[next]) != std::string_view::npos) names.push_back(word);
    if (part[next] == '(') return names;
  }
  return names;
}

std::vector<std::string_view> names_of(std::string_view part) {
  if (part[0] == '#') {
    std::size_t at = 0;
    next_word(part, at);
    return {next_word(part, at)};
  }
  part = without_template(part);
  for (const std::string_view kind : {"struct", "class", "union", "enum", "namespace"})
    if (begins_with_word(part, kind)) return names_of_type(part);
  return names_of_declarators(part);
}

// Clang says that `known` was perhaps meant by `word` if it is at most so far away.
bool is_near(std::string_view word, std::string_view known) {
  const auto most = static_cast<int>((word.size() + 2) / 3);
  if (std::abs(static_cast<int>(word.size()) - static_cast<int>(known.size())) > most) return false;
  return edit_distance(word, known, most) <= most;
}

}  // namespace

PreludeParts::PreludeParts(std::string prelude) : text_(std::move(prelude)) { add_all(text_, false); }

void PreludeParts::add_all(std::string_view text, bool is_in_std) {
  for (std::size_t at = 0; (at = text.find_first_not_of(" \n;", at)) != std::string_view::npos;) {
    const std::size_t end = end_of_part(text, at);
    const std::string_view part = text.substr(at, end - at);
    if (part.starts_with(kBeginStd)) add_all(part.substr(kBeginStd.size(), part.size() - kBeginStd.size() - 1), true);
    else add({part, is_in_std});
    at = end;
  }
}

void PreludeParts::add(const Part& part) {
  const std::size_t number = parts_.size();
  parts_.push_back(part);
  const std::vector<std::string_view> names = names_of(part.text);
  for (const std::string_view name : names) by_name_[name].push_back(number);
  if (names.empty() || part.text.find("class initializer_list") != std::string_view::npos) always_.push_back(number);
}

std::vector<std::size_t> PreludeParts::named(std::string_view text) const {
  std::vector<std::size_t> found;
  for_each_word(text, [&](std::string_view word) {
    if (const auto known = by_name_.find(word); known != by_name_.end())
      found.insert(found.end(), known->second.begin(), known->second.end());
  });
  return found;
}

std::string PreludeParts::with_needs(std::vector<std::size_t> found) const {
  std::vector<bool> is_needed(parts_.size(), false);
  found.insert(found.end(), always_.begin(), always_.end());
  while (!found.empty()) {
    const std::size_t part = found.back();
    found.pop_back();
    if (is_needed[part]) continue;
    is_needed[part] = true;
    const std::vector<std::size_t> needs = named(parts_[part].text);
    found.insert(found.end(), needs.begin(), needs.end());
  }
  std::string result;
  for (std::size_t part = 0; part < parts_.size(); ++part)
    if (is_needed[part])
      result.append(parts_[part].is_in_std ? kBeginStd : "")
          .append(parts_[part].text)
          .append(parts_[part].is_in_std ? " }\n" : "\n");
  return result;
}

std::string PreludeParts::named_in(std::string_view text) const { return with_needs(named(text)); }

std::string PreludeParts::nearly_named_in(std::string_view text) const {
  std::vector<std::size_t> found = named(text);
  std::set<std::string_view> words;
  for_each_word(text, [&](std::string_view word) { words.insert(word); });
  for (const auto& [name, parts] : by_name_)
    if (std::any_of(words.begin(), words.end(),
                    [&, known = name](std::string_view word) { return is_near(word, known); }))
      found.insert(found.end(), parts.begin(), parts.end());
  return with_needs(std::move(found));
}

bool pastes_names(std::string_view text) {
  constexpr std::array<std::string_view, 6> kSigns = {"##", "%:", "#/", "\\\n", "\\\r", "\\u"};
  return std::any_of(kSigns.begin(), kSigns.end(),
                     [&](std::string_view sign) { return text.find(sign) != std::string_view::npos; });
}

}  // namespace swizzle
