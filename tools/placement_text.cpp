#include "tools/placement_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace swizzle {
namespace {

const char* operation_name(SharedOperation operation) {
  switch (operation) {
    case SharedOperation::kLoad: return "load";
    case SharedOperation::kStore: return "store";
    case SharedOperation::kLdmatrix: return "ldmatrix";
    case SharedOperation::kStmatrix: return "stmatrix";
  }
  return "";
}

std::string where(const Program& sketch, SourceRange range) {
  const LineColumn at = sketch.source.locate(range.begin);
  return fmt::format("{}:{}", at.line, at.column);
}

std::string counted(double count) { return fmt::format("{:g} wavefront{}", count, count == 1 ? "" : "s"); }

bool is_ideal(double wavefronts, double ideal) { return wavefronts <= ideal + 1e-9; }

std::string lanes_text(const std::vector<int>& lanes) {
  constexpr std::size_t kMost = 4;
  std::vector<int> first(lanes.begin(), lanes.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, lanes.size())));
  return fmt::format("{}{}", fmt::join(first, ", "), lanes.size() > kMost ? ", …" : "");
}

}  // namespace

void report_placement(const Program& sketch, const std::string& file, const Completion& completion, Report& report) {
  if (!completion.placement) return;
  for (std::size_t l = 0; l < sketch.layouts.size(); ++l) {
    const TileLayout& named = sketch.layouts[l];
    const LayoutChoice& choice = completion.placement->layouts[l];
    report.layouts.push_back({named.name, file + ":" + where(sketch, named.range), named.rows, named.columns, choice.layout.expression().print({"r", "c"}),
                              choice.layout.size(), choice.wavefronts, choice.ideal, choice.members});
  }
  for (const PlacedAccess& a : completion.placement->accesses)
    report.accesses.push_back({file + ":" + where(sketch, a.range), operation_name(a.operation), a.bits, a.executions, a.wavefronts, a.ideal, a.worst, a.worst_ideal, a.witness});
}

std::string layout_lines(const Program& sketch, const Completion& completion) {
  std::string text;
  for (std::size_t l = 0; l < sketch.layouts.size(); ++l) {
    const LayoutChoice& choice = completion.placement->layouts[l];
    text += fmt::format("  sw_layout at {}: {}(r, c) = {}, {}, {}\n", where(sketch, sketch.layouts[l].range), sketch.layouts[l].name, choice.layout.expression().print({"r", "c"}),
                        counted(choice.wavefronts), is_ideal(choice.wavefronts, choice.ideal) ? "the ideal" : fmt::format("ideal {:g}", choice.ideal));
  }
  return text;
}

std::string wavefront_summary(const Program& sketch, const Completion& completion) {
  if (!completion.placement || sketch.layouts.empty()) return "";
  const Placement& p = *completion.placement;
  if (is_ideal(p.wavefronts, p.ideal)) return counted(p.wavefronts) + ", the ideal";
  std::string text = fmt::format("{} where {:g} would be ideal{}", counted(p.wavefronts), p.ideal, p.exhausted ? ", and no layout does better" : "");
  const auto worst = std::max_element(p.accesses.begin(), p.accesses.end(), [](const PlacedAccess& a, const PlacedAccess& b) { return a.worst - a.worst_ideal < b.worst - b.worst_ideal; });
  if (worst != p.accesses.end() && worst->witness)
    text += fmt::format("; at {} lanes {} meet in bank {}", where(sketch, worst->range), lanes_text(worst->witness->lanes), worst->witness->bank);
  return text;
}

}  // namespace swizzle
