#include "synth/proof/conditions_text.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "synth/base/text.h"

namespace swizzle {
namespace {

constexpr std::string_view kAtMost = " <= ";

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

bool is_name(const std::string& text) { return text.find_first_of(" +-*/%(),<>=") == std::string::npos; }

// 1 <= n + 2 * m, h * 2: each name in it. None: it says something else.
std::vector<std::string> names_of_at_least_1(const std::string& condition) {
  if (!condition.starts_with("1 <= ") || condition.find_first_of("-/%(") != std::string::npos) return {};
  const std::string sum = condition.substr(5);
  if (is_name(sum) || sum.find(kAtMost) != std::string::npos) return {};
  std::vector<std::string> names;
  for (const std::string& summand : split(sum, " + "))
    for (const std::string& factor : split(summand, " * "))
      if (!is_number(factor)) names.push_back(factor);
  return names;
}

// w * h - w <= 9 beside w * h <= 9.
bool is_less_of(const std::string& condition, const std::string& other) {
  const std::size_t at = condition.rfind(kAtMost), at_other = other.rfind(kAtMost);
  if (at == std::string::npos || at_other == std::string::npos) return false;
  const std::string left = condition.substr(0, at), most = condition.substr(at + kAtMost.size()),
                    left_other = other.substr(0, at_other), most_other = other.substr(at_other + kAtMost.size());
  return is_number(most) && is_number(most_other) && std::atoll(most_other.c_str()) <= std::atoll(most.c_str()) &&
         left.starts_with(left_other + " - ") && left.find(" + ", left_other.size()) == std::string::npos;
}

}  // namespace

void bound_by(std::int64_t most, const std::string& name, std::vector<std::string>& conditions) {
  const std::string bounded = fmt::format("{} <= ", name), infix = " <= " + bounded;
  for (std::string& condition : conditions)
    if (const std::size_t at = condition.find(infix); at != std::string::npos || condition.starts_with(bounded)) {
      const std::size_t number = at != std::string::npos ? at + infix.size() : bounded.size();
      const std::int64_t known = std::atoll(condition.c_str() + number);
      condition = condition.substr(0, number) + std::to_string(std::min(known, most));
      return;
    }
  conditions.push_back(fmt::format("{} <= {}", name, most));
}

std::vector<std::string> with_one_bound_each(const std::vector<std::string>& conditions) {
  std::vector<std::string> kept;
  std::vector<std::pair<std::string, std::int64_t>> bounds;
  for (const std::string& condition : conditions) {
    const std::size_t at = condition.find(" <= ");
    const std::string most = at == std::string::npos ? "" : condition.substr(at + 4);
    if (most.empty() || most.find_first_not_of("0123456789") != std::string::npos) kept.push_back(condition);
    else bounds.emplace_back(condition.substr(0, at), std::atoll(most.c_str()));
  }
  for (const auto& [name, most] : bounds) bound_by(most, name, kept);
  std::vector<std::string> needed;  // 1 <= n is said by 1 <= n <= 32
  for (const std::string& condition : kept)
    if (std::ranges::none_of(kept, [&](const std::string& c) { return c.starts_with(condition + " <= "); }))
      needed.push_back(condition);
  return needed;
}

std::vector<std::string> without_what_others_say(std::vector<std::string> conditions) {
  const auto is_least_1 = [&](const std::string& name) {
    return std::ranges::any_of(conditions, [&](const std::string& c) {
      return c == "1 <= " + name || c.starts_with(fmt::format("1 <= {} <= ", name));
    });
  };
  std::vector<std::string> kept;
  for (const std::string& c : conditions) {
    const std::vector<std::string> names = names_of_at_least_1(c);
    const bool is_product = c.find(" + ") == std::string::npos && std::ranges::count(c, '*') == 1;
    const bool is_said =
        (!names.empty() && std::ranges::all_of(names, is_least_1)) ||
        std::ranges::any_of(conditions, [&](const std::string& other) { return is_less_of(c, other); });
    if (!is_said) kept.push_back(names.size() == 1 && is_product ? "1 <= " + names[0] : c);
  }
  return kept;
}

}  // namespace swizzle
