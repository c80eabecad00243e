#include "codegen/picture/drawing.h"

#include <algorithm>

namespace swizzle {
namespace {

constexpr const char* kHead =
    "<defs><marker id='head' viewBox='0 0 6 6' refX='5' refY='3' markerWidth='5' markerHeight='5' "
    "orient='auto'><path d='M0 0L6 3L0 6z' fill='#555'/></marker></defs>\n";

}  // namespace

std::string to_svg(const Drawing& drawing) {
  std::vector<std::vector<SvgPanel>> panels;
  std::string style, legend;
  int banks = 1;
  for (const std::vector<TilePicture>& row : drawing.tiles) {
    panels.emplace_back();
    for (const TilePicture& p : row) {
      panels.back().push_back(tile_panel(p));
      banks = std::max(banks, p.memory.banks);
    }
  }
  if (!drawing.tiles.empty()) style = tile_style(banks), legend = kTileLegend;
  if (drawing.movement) {
    panels.push_back({{kHead, 0, 0}});
    for (auto& row : movement_panels(*drawing.movement)) panels.push_back(std::move(row));
    style += movement_style();
    legend += (legend.empty() ? "" : " ") + std::string(kMovementLegend);
  }
  return svg_document(panels, style, legend);
}

std::string to_text(const Drawing& drawing) {
  std::string text = banks_text(drawing.tiles);
  if (!drawing.movement) return text;
  return text + (text.empty() ? "" : "\n") + movement_text(*drawing.movement);
}

}  // namespace swizzle
