#include "codegen/picture/word_picture.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "codegen/picture/text_table.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostFirst = 24, kMostLast = 8;  // states
constexpr int kNameLetter = 7, kFirstWord = 44;        // pixels: of a row's name; above the first row

// "w, k = 1, at 14:5"
std::string label_of(const SourceText& source, const WordState& state) {
  std::string label = state.name;
  for (const auto& [name, value] : state.loops) label += fmt::format(", {} = {}", name, value);
  const LineColumn at = source.locate(state.range.begin);
  return label + fmt::format(", at {}:{}", at.line, at.column);
}

struct Shown {
  std::vector<const WordState*> states;
  std::size_t left_out = 0;
  std::size_t width = 0;  // bits of the longest
};

Shown shown_of(const std::vector<WordState>& words) {
  Shown shown;
  shown.left_out = words.size() > kMostFirst + kMostLast ? words.size() - kMostFirst - kMostLast : 0;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (i < kMostFirst || i >= kMostFirst + shown.left_out) shown.states.push_back(&words[i]);
  for (const WordState* state : shown.states) shown.width = std::max(shown.width, state->bits.size());
  return shown;
}

std::string title_of(const Shown& shown) {
  return shown.left_out == 0 ? "lane 0, bit by bit"
                             : fmt::format("lane 0, bit by bit, without {} assignments in between", shown.left_out);
}

// What comes before the colon, or else the byte that a bit is of: what has one colour.
std::string source_of(const Held& bit) {
  const std::size_t colon = bit.brief.find(':');
  if (colon != std::string::npos) return bit.brief.substr(0, colon);
  const bool is_number = !bit.brief.empty() && bit.brief.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? std::to_string(std::stoi(bit.brief) / 8) : "";
}

// By source, in the order in which they are met.
std::map<std::string, int> hues_of(const Shown& shown) {
  std::map<std::string, int> hues;
  for (const WordState* state : shown.states)
    for (const Held& bit : state->bits)
      if (const std::string source = source_of(bit); !source.empty())
        hues.emplace(source, static_cast<int>(hues.size()));
  for (auto& [source, hue] : hues) hue = hue * 360 / static_cast<int>(hues.size());
  return hues;
}

}  // namespace

std::string words_text(const SourceText& source, const std::vector<WordState>& words) {
  if (words.empty()) return "";
  const Shown shown = shown_of(words);
  std::vector<TextRow> rows = {{"bit", {}}};
  for (std::size_t i = shown.width; i-- > 0;) rows[0].cells.push_back(std::to_string(i));
  for (const WordState* state : shown.states) {
    TextRow& row = rows.emplace_back(TextRow{label_of(source, *state), {}});
    for (std::size_t i = shown.width; i-- > 0;) row.cells.push_back(i < state->bits.size() ? state->bits[i].brief : "");
  }
  return fmt::format("\n{}\n{}", title_of(shown), table_of(rows));
}

SvgPanel words_panel(const SourceText& source, const std::vector<WordState>& words) {
  const Shown shown = shown_of(words);
  const std::map<std::string, int> hues = hues_of(shown);
  std::size_t longest = 3;
  for (const WordState* state : shown.states) longest = std::max(longest, label_of(source, *state).size());
  const int left = 20 + kNameLetter * static_cast<int>(longest);
  const auto middle = [&](std::size_t bit) {
    return left + static_cast<int>(shown.width - 1 - bit) * kSvgCell + kSvgCell / 2;
  };
  SvgPanel panel{fmt::format("<text class='t' x='8' y='20'>{}</text>\n", title_of(shown)), 0, 0};
  for (std::size_t i = 0; i < shown.width; ++i)
    panel.body += fmt::format("<text class='h' x='{}' y='{}'>{}</text>\n", middle(i), kFirstWord - 5, i);
  int top = kFirstWord;
  for (const WordState* state : shown.states) {
    panel.body += fmt::format("<text class='g' x='{}' y='{}'>{}</text>\n", left - 6, top + 15,
                              svg_escaped(label_of(source, *state)));
    for (std::size_t i = 0; i < state->bits.size(); ++i) {
      const Held& bit = state->bits[i];
      const auto hue = hues.find(source_of(bit));
      panel.body += fmt::format(
          "<g><title>bit {} of {}: {}</title><rect class='c' x='{}' y='{}' width='{}' height='{}' fill='{}'/>"
          "<text class='{}' x='{}' y='{}'>{}</text></g>\n",
          i, svg_escaped(state->name), svg_escaped(bit.text), middle(i) - kSvgCell / 2, top, kSvgCell - 1, kSvgCell - 1,
          hue == hues.end() ? "#f4f4f4" : fmt::format("hsl({},65%,78%)", hue->second), bit.brief.size() > 3 ? "l" : "e",
          middle(i), top + 15, svg_escaped(bit.brief));
    }
    top += kSvgCell;
  }
  panel.width = left + static_cast<int>(shown.width) * kSvgCell + kSvgGap;
  panel.height = top + kSvgGap;
  return panel;
}

}  // namespace swizzle
