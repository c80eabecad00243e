#include "driver/placement_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "synth/layouts/layout_names.h"

namespace swizzle {
namespace {

std::string where(const Program& sketch, SourceRange range) {
  const LineColumn at = sketch.source.locate(range.begin);
  return fmt::format("{}:{}", at.line, at.column);
}

std::string counted_wavefronts(double count) { return fmt::format("{:g} wavefront{}", count, count == 1 ? "" : "s"); }

bool is_ideal(double wavefronts, double ideal) { return wavefronts <= ideal + 1e-9; }

std::string lanes_text(const std::vector<int>& lanes) {
  constexpr std::size_t kMost = 4;
  std::vector<int> first(lanes.begin(), lanes.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, lanes.size())));
  return fmt::format("{}{}", fmt::join(first, ", "), lanes.size() > kMost ? ", …" : "");
}

struct Names {
  std::optional<std::string> cute, triton, tma;
};

Names names_of(const Layout& layout, int element_bytes) {
  Names names;
  if (const auto s = cute_swizzle(layout)) names.cute = cute_text(layout, *s);
  if (const auto s = triton_swizzle(layout))
    names.triton = fmt::format("vec {}, perPhase {}, maxPhase {}", s->vec, s->per_phase, s->max_phase);
  if (const auto bytes = tma_swizzle_bytes(layout, std::max(1, element_bytes)))
    names.tma = *bytes == 0 ? "CU_TENSOR_MAP_SWIZZLE_NONE" : fmt::format("CU_TENSOR_MAP_SWIZZLE_{}B", *bytes);
  return names;
}

}  // namespace

void report_placement(const Program& sketch, const std::string& file, const Completion& completion, Report& report) {
  if (!completion.placement) return;
  for (std::size_t l = 0; l < sketch.layouts.size(); ++l) {
    const TileLayout& named = sketch.layouts[l];
    const LayoutChoice& choice = completion.placement->layouts[l];
    const Names names = names_of(choice.layout, completion.placement->element_bytes[l]);
    report.layouts.push_back({named.name, file + ":" + where(sketch, named.range), named.rows, named.columns,
                              choice.layout.expression().print({"r", "c"}), choice.layout.size(), choice.wavefronts,
                              choice.ideal, choice.members, names.cute, names.triton, names.tma});
  }
  for (const PlacedAccess& a : completion.placement->accesses)
    report.accesses.push_back({file + ":" + where(sketch, a.range), name_of(a.operation), a.bits, a.executions,
                               a.wavefronts, a.ideal, a.worst, a.worst_ideal, a.witness});
}

double layouts_log10(const Completion& completion) {
  double sum = 0;
  if (completion.placement)
    for (const LayoutChoice& choice : completion.placement->layouts)
      sum += std::log10(static_cast<double>(choice.members));
  return sum;
}

std::string layout_lines(const Program& sketch, const Completion& completion) {
  std::string text;
  for (std::size_t l = 0; l < sketch.layouts.size(); ++l) {
    const LayoutChoice& choice = completion.placement->layouts[l];
    text += fmt::format(
        "  sw_layout at {}: {}(r, c) = {}, {}, {}\n", where(sketch, sketch.layouts[l].range), sketch.layouts[l].name,
        choice.layout.expression().print({"r", "c"}), counted_wavefronts(choice.wavefronts),
        is_ideal(choice.wavefronts, choice.ideal) ? "the ideal" : fmt::format("ideal {:g}", choice.ideal));
    const Names names = names_of(choice.layout, completion.placement->element_bytes[l]);
    if (names.cute) text += fmt::format("    CuTe: {}\n", *names.cute);
    if (names.triton) text += fmt::format("    Triton: {}\n", *names.triton);
    if (names.tma) text += fmt::format("    TMA: {}\n", *names.tma);
  }
  return text;
}

std::string wavefront_summary(const Program& sketch, const Completion& completion) {
  if (!completion.placement || sketch.layouts.empty()) return "";
  const Placement& p = *completion.placement;
  const bool all_given = std::all_of(sketch.layouts.begin(), sketch.layouts.end(),
                                     [](const TileLayout& l) { return l.given.has_value(); });
  if (is_ideal(p.wavefronts, p.ideal)) return counted_wavefronts(p.wavefronts) + ", the ideal";
  std::string text = fmt::format("{} where {:g} would be ideal{}", counted_wavefronts(p.wavefronts), p.ideal,
                                 !p.exhausted || all_given ? "" : ", and no layout does better");
  const auto worst = std::max_element(
      p.accesses.begin(), p.accesses.end(),
      [](const PlacedAccess& a, const PlacedAccess& b) { return a.worst - a.worst_ideal < b.worst - b.worst_ideal; });
  if (worst != p.accesses.end() && worst->witness)
    text += fmt::format("; at {} lanes {} meet in bank {}", where(sketch, worst->range),
                        lanes_text(worst->witness->lanes), worst->witness->bank);
  return text;
}

}  // namespace swizzle
