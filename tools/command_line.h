// What the parsers of the commands' flags share.
#pragma once

#include <charconv>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "synth/program/directives.h"

namespace swizzle {

// The whole of `text` as a number.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// Of an option: a number above 0, `what` in words.
template <typename Number>
CLI::Validator positive(const std::string& what) {
  const auto rewrite = [what](std::string& text) -> std::string {
    const auto value = parse_number<Number>(text);
    if (!value || !(*value > 0)) return "expected " + what + ", got '" + text + "'";
    text = fmt::format("{}", *value);  // CLI11 takes 010 for eight
    return "";
  };
  return {rewrite, "", ""};
}

// "auto|cpu|gpu|none": how help, completions and the manual name what an option may be.
using Choices = std::vector<std::string>;
std::string type_of(const Choices& words);

// One of some words, as the enumerator of the same position, all of them in order from 0.
template <typename Choice>
CLI::Option* add_choice(CLI::App& app, const std::string& names, Choice& chosen, const Choices& words,
                        const std::string& help) {
  const auto rewrite = [words](std::string& text) -> std::string {
    for (std::size_t i = 0; i < words.size(); ++i)
      if (text == words[i]) return text = std::to_string(i), "";
    std::string expected = words[0];
    for (std::size_t i = 1; i < words.size(); ++i) expected += (i + 1 == words.size() ? " or " : ", ") + words[i];
    return "expected " + expected + ", got '" + text + "'";
  };
  return app.add_option(names, chosen, help)->transform(CLI::Validator(rewrite, "", ""))->type_name(type_of(words));
}

enum class BehindDashes : std::uint8_t { kFiles, kApplication };

// Parses; then, if nothing is wrong, finishes, which may throw CLI::ParseError. Nothing: the program goes on. Else the
// exit code; help and usage errors are printed, and which flag was perhaps meant.
std::optional<int> parse_command(
    CLI::App& app, const std::vector<std::string>& arguments, const std::function<void()>& finish = [] {},
    BehindDashes behind = BehindDashes::kFiles);

// "name=value" of --set.
void set_size(Sizes& sizes, const std::string& text);

CLI::IsMember known_machine();

void keep_to_svg(const std::string& drawing);

}  // namespace swizzle
