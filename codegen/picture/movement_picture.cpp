#include "codegen/picture/movement_picture.h"

#include <algorithm>

#include <fmt/format.h>

#include "codegen/picture/text_table.h"
#include "codegen/picture/word_picture.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostSteps = 16, kMostOfCode = 84;

// On one line, with an end that says that there is more.
std::string code_of(const MovementPicture& picture, const MovementStep& step) {
  std::string code;
  for (const char c : picture.source.slice(step.range)) {
    const bool is_space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!is_space) code += c;
    else if (!code.empty() && code.back() != ' ') code += ' ';
  }
  if (code.size() > kMostOfCode) code = code.substr(0, kMostOfCode - 3) + "...";
  return code;
}

// "2 of 3, k = 1, at 40:17: …"
std::string title_of(const MovementPicture& picture, std::size_t number) {
  const MovementStep& step = picture.movement.steps[number];
  std::string title = fmt::format("{} of {}", number + 1, picture.movement.steps.size());
  for (const auto& [name, value] : step.loops) title += fmt::format(", {} = {}", name, value);
  const LineColumn at = picture.source.locate(step.range.begin);
  return title + fmt::format(", at {}:{}: {}", at.line, at.column, code_of(picture, step));
}

std::size_t shown_steps(const MovementPicture& picture) { return std::min(kMostSteps, picture.movement.steps.size()); }

std::string left_out(const MovementPicture& picture) {
  const std::size_t more = picture.movement.steps.size() - shown_steps(picture);
  return more == 0 ? "" : fmt::format("and {} more", more);
}

// Text ----------------------------------------------------------------------------------------------------------------

// 0 is a, 25 is z, 26 is aa.
std::string letters(int row) { return (row < 26 ? "" : letters(row / 26 - 1)) + static_cast<char>('a' + row % 26); }

std::vector<TextRow> rows_of(const MovementStep& step, int lanes) {
  std::vector<TextRow> rows = {{"lane", {}}};
  for (int lane = 0; lane < lanes; ++lane) rows[0].cells.push_back(std::to_string(lane));
  const bool is_one = step.before.size() == 1;
  const auto held = [](const RegisterRow& row, const std::string& label) {
    TextRow text{label, {}};
    for (const Held& h : row.holds) text.cells.push_back(h.brief);
    return text;
  };
  for (std::size_t r = 0; r < step.before.size(); ++r)
    rows.push_back(held(step.before[r], (is_one ? "" : letters(static_cast<int>(r)) + " ") + step.before[r].name));
  for (std::size_t to = 0; to < step.after.size(); ++to) {
    TextRow from{"from", std::vector<std::string>(static_cast<std::size_t>(lanes))};
    for (const LaneMove& m : step.moves)
      if (m.to_row == static_cast<int>(to))
        from.cells[static_cast<std::size_t>(m.to_lane)] =
            (is_one ? "" : letters(m.from_row)) + std::to_string(m.from_lane);
    rows.push_back(std::move(from));
    rows.push_back(held(step.after[to], step.after[to].name));
  }
  return rows;
}

// SVG -----------------------------------------------------------------------------------------------------------------

constexpr int kLetter = 7, kFirstRow = 44,
              kForArrows = 64;           // pixels: of a row's name; above the first row; for the arrows
constexpr std::size_t kMostArrows = 96;  // more would cover each other: those into the first row alone

class StepDrawing {
 public:
  StepDrawing(const MovementStep& step, int lanes) : step_(step), lanes_(lanes), within_lanes_(!step.is_shuffle) {
    for (const auto* rows : {&step.before, &step.after})
      for (const RegisterRow& row : *rows) left_ = std::max(left_, 20 + kLetter * static_cast<int>(row.name.size()));
  }

  SvgPanel panel(const std::string& title) const {
    SvgPanel panel{fmt::format("<text class='t' x='8' y='20'>{}</text>\n", svg_escaped(title)), 0, 0};
    for (int lane = 0; lane < lanes_; ++lane)
      panel.body += fmt::format("<text class='h' x='{}' y='{}'>{}</text>\n", middle(lane), kFirstRow - 5, lane);
    std::vector<std::vector<int>> from(step_.before.size(), blank()), to(step_.after.size(), blank());
    for (const LaneMove& m : step_.moves) {
      from[static_cast<std::size_t>(m.from_row)][static_cast<std::size_t>(m.from_lane)] = hue(m);
      to[static_cast<std::size_t>(m.to_row)][static_cast<std::size_t>(m.to_lane)] = hue(m);
    }
    for (std::size_t r = 0; r < from.size(); ++r) panel.body += row(step_.before[r], from[r], top_before(r));
    for (std::size_t r = 0; r < to.size(); ++r) panel.body += row(step_.after[r], to[r], top_after(r));
    for (const LaneMove& m : step_.moves)
      if (!within_lanes_ && (step_.moves.size() <= kMostArrows || m.to_row == 0)) panel.body += arrow(m);
    panel.width =
        std::max(left_ + lanes_ * kSvgCell, static_cast<int>(kSvgTitleLetter * static_cast<double>(title.size()))) +
        kSvgGap;
    panel.height = top_after(to.size()) + kSvgGap;
    return panel;
  }

 private:
  std::vector<int> blank() const { return std::vector<int>(static_cast<std::size_t>(lanes_), -1); }
  int middle(int lane) const { return left_ + lane * kSvgCell + kSvgCell / 2; }
  static int top_before(std::size_t row) { return kFirstRow + static_cast<int>(row) * kSvgCell; }
  int top_after(std::size_t row) const {
    return top_before(step_.before.size()) + (within_lanes_ ? kSvgGap : kForArrows) + static_cast<int>(row) * kSvgCell;
  }

  // Of the lane that it comes from; of the register, where nothing leaves its lane.
  int hue(const LaneMove& m) const {
    return within_lanes_ ? m.from_row * 360 / static_cast<int>(step_.before.size()) : m.from_lane * 360 / lanes_;
  }

  // `hues`: by lane; -1: what is there does not move.
  std::string row(const RegisterRow& row, const std::vector<int>& hues, int top) const {
    std::string text =
        fmt::format("<text class='g' x='{}' y='{}'>{}</text>\n", left_ - 6, top + 15, svg_escaped(row.name));
    for (int lane = 0; lane < lanes_; ++lane) {
      const auto i = static_cast<std::size_t>(lane);
      const Held& held = row.holds[i];
      const std::string fill = hues[i] < 0 ? "#f4f4f4" : fmt::format("hsl({},65%,78%)", hues[i]);
      text += fmt::format(
          "<g><title>{} of lane {}: {}</title><rect class='c' x='{}' y='{}' width='{}' height='{}' fill='{}'/>"
          "<text class='{}' x='{}' y='{}'>{}</text></g>\n",
          svg_escaped(row.name), lane, held.text.empty() ? "nothing" : svg_escaped(held.text),
          middle(lane) - kSvgCell / 2, top, kSvgCell - 1, kSvgCell - 1, fill, held.brief.size() > 3 ? "l" : "e",
          middle(lane), top + 15, svg_escaped(held.brief));
    }
    return text;
  }

  std::string arrow(const LaneMove& m) const {
    return fmt::format(
        "<line class='m' x1='{}' y1='{}' x2='{}' y2='{}' stroke='hsl({},65%,42%)' marker-end='url(#head)'/>\n",
        middle(m.from_lane), top_before(static_cast<std::size_t>(m.from_row)) + kSvgCell - 2, middle(m.to_lane),
        top_after(static_cast<std::size_t>(m.to_row)) - 4, hue(m));
  }

  const MovementStep& step_;
  int lanes_;
  bool within_lanes_;
  int left_ = 40;
};

}  // namespace

std::string movement_text(const MovementPicture& picture) {
  std::string text;
  for (const std::string& expression : picture.expressions) text += expression + "\n";
  text += words_text(picture.source, picture.movement.words);
  for (std::size_t s = 0; s < shown_steps(picture); ++s)
    text += fmt::format("\n{}\n{}", title_of(picture, s),
                        table_of(rows_of(picture.movement.steps[s], picture.movement.lanes)));
  if (const std::string more = left_out(picture); !more.empty()) text += "\n" + more + "\n";
  return text;
}

std::vector<std::vector<SvgPanel>> movement_panels(const MovementPicture& picture) {
  constexpr int kLine = 20;
  std::vector<std::vector<SvgPanel>> panels;
  const auto add_line = [&](const std::string& text) {
    panels.push_back({{fmt::format("<text class='t' x='8' y='16'>{}</text>\n", svg_escaped(text)),
                       static_cast<int>(kSvgTitleLetter * static_cast<double>(text.size())) + kSvgGap, kLine}});
  };
  for (const std::string& expression : picture.expressions) add_line(expression);
  if (!picture.movement.words.empty()) panels.push_back({words_panel(picture.source, picture.movement.words)});
  for (std::size_t s = 0; s < shown_steps(picture); ++s)
    panels.push_back({StepDrawing(picture.movement.steps[s], picture.movement.lanes).panel(title_of(picture, s))});
  if (const std::string more = left_out(picture); !more.empty()) add_line(more);
  return panels;
}

std::string movement_style() {
  return ".h{font-size:9px;fill:#666}.t{font-size:14px;text-anchor:start}.g{text-anchor:end}.c{stroke:#ccc}"
         ".e{font-size:10px}.l{font-size:7px}.m{stroke-width:1.3px;opacity:.8}";
}

}  // namespace swizzle
