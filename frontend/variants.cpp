#include "frontend/variants.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "frontend/source_rewrite.h"
#include "synth/base/text.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostVariants = 64;
constexpr char kFilling = '\v';

// Of `4, 8, 16`.
Result<std::vector<std::int64_t>> numbers_in(const SourceText& source, SourceRange list) {
  std::vector<std::int64_t> numbers;
  std::string_view rest = source.slice(list);
  std::uint32_t at = list.begin;
  while (true) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view text = trimmed(rest.substr(0, comma));
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const SourceRange range{at, at + static_cast<std::uint32_t>(comma)};
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
      return make_error(source, range, "?sw_tune(a, b…) chooses among integers, written as numbers");
    if (std::find(numbers.begin(), numbers.end(), number) != numbers.end())
      return make_error(source, range, fmt::format("{} is a choice already", number));
    numbers.push_back(number);
    if (comma == rest.size()) return numbers;
    rest.remove_prefix(comma + 1);
    at += static_cast<std::uint32_t>(comma + 1);
  }
}

}  // namespace

Result<std::vector<TuneHole>> tunes_in(const SourceText& source) {
  const std::string& text = source.text();
  std::vector<TuneHole> tunes;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t code = skip_non_code(text, at);
    if (code != at || text.compare(at, kTuneHole.size(), kTuneHole) != 0) {
      at = std::max(code, at + 1);
      continue;
    }
    const std::size_t open = text.find_first_not_of(" \t", at + kTuneHole.size());
    const auto end = open != std::string::npos && text[open] == '(' ? parentheses_end(text, open) : std::nullopt;
    const SourceRange name{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + kTuneHole.size())};
    if (!end) return make_error(source, name, "?sw_tune(a, b…) has its choices in parentheses");
    auto numbers = numbers_in(source, {static_cast<std::uint32_t>(open + 1), static_cast<std::uint32_t>(*end - 1)});
    if (!numbers.ok()) return numbers.errors();
    tunes.push_back({{name.begin, static_cast<std::uint32_t>(*end)}, std::move(*numbers)});
    at = *end;
  }
  return tunes;
}

Result<std::vector<TuneChoice>> choices_of(const SourceText& source, const std::vector<TuneHole>& tunes) {
  std::vector<TuneChoice> all = {{}};
  for (const TuneHole& tune : tunes) {
    std::vector<TuneChoice> longer;
    for (const TuneChoice& choice : all)
      for (const std::int64_t value : tune.choices) {
        longer.push_back(choice);
        longer.back().push_back(value);
      }
    all = std::move(longer);
    if (all.size() > kMostVariants)
      return make_error(
          source, tune.range,
          fmt::format("with these choices there are more than the {} variants that are tried", kMostVariants));
  }
  return all;
}

SourceText with_choice(const SourceText& source, const std::vector<TuneHole>& tunes, const TuneChoice& choice) {
  std::string text = source.text();
  for (std::size_t i = 0; i < tunes.size(); ++i) {
    const std::string value = std::to_string(choice.empty() ? tunes[i].choices[0] : choice[i]);
    std::size_t at = tunes[i].range.begin;
    for (const char c : value) text[at++] = c;  // shorter than what stands there
    for (; at < tunes[i].range.end; ++at)
      if (text[at] != '\n') text[at] = kFilling;
  }
  return {source.path(), std::move(text)};
}

std::string without_filling(std::string text) {
  std::erase(text, kFilling);
  return text;
}

}  // namespace swizzle
