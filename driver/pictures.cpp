#include "driver/pictures.h"

#include "codegen/picture/check_picture.h"
#include "codegen/picture/layout_picture.h"
#include "driver/synthesis_report.h"
#include "synth/execution/movement.h"
#include "synth/problem/bit_equations.h"
#include "synth/problem/element_ranges.h"
#include "synth/synthesis/layout_placement.h"

namespace swizzle {
namespace {

PictureRows worst_of_kernel(const Program& kernel, const Posed& posed) {
  CheckReport report;
  KernelCheck& check = report.kernels.emplace_back();
  check.name = kernel.function(kernel.entry).name;
  TraceOptions how;
  how.sizes = posed.sizes;
  how.shape = posed.shape;
  how.memory = memory_of(kernel);
  check.trace = trace_accesses(kernel, how);
  const auto worst = worst_access(report);
  return worst ? PictureRows{{picture_of(*worst, kernel, how.memory)}} : PictureRows{};
}

PictureRows layouts_of(const Program& sketch, Problem& problem, const Completion& completion) {
  PictureRows rows;
  LayoutPlacement placement(sketch, problem, memory_of(sketch));
  const std::vector<TileProblem> tiles = placement.tiles(completion.tables);
  for (std::size_t l = 0; l < tiles.size(); ++l) {
    auto row = before_and_after(sketch.source, sketch.layouts[l], tiles[l], completion.placement->layouts[l].layout);
    if (!row.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

Result<Drawing> drawing_of(Searched& searched, const RereadKernel& reread) {
  const Program& sketch = searched.best->sketch;
  const Completion& completion = searched.solution.completions[0];
  const Posed& posed = reread.posed[0];
  Drawing drawing;
  if (!sketch.layouts.empty() && completion.placement)
    drawing.tiles = layouts_of(sketch, searched.best->problem, completion);
  else if (has_shared_memory(*reread.kernel)) drawing.tiles = worst_of_kernel(*reread.kernel, posed);
  auto has_bits = buffers_with_bits(*reread.kernel);
  if (!has_bits.ok()) return has_bits.errors();
  auto ranges = element_ranges(*reread.kernel, posed.sizes);
  if (!ranges.ok()) return ranges.errors();
  auto movement = movement_of(*reread.kernel, {.sizes = posed.sizes,
                                               .shape = posed.shape,
                                               .extents = posed.extents,
                                               .has_bits = std::move(*has_bits),
                                               .ranges = std::move(*ranges),
                                               .deadline = {},
                                               .memory = memory_of(*reread.kernel)});
  if (!movement.ok()) return movement.errors();
  if (!movement->steps.empty() || !movement->words.empty())
    drawing.movement = MovementPicture{reread.kernel->source, hole_lines(searched), std::move(*movement)};
  if (drawing.tiles.empty() && !drawing.movement)
    return make_error(
        "there is nothing to draw: no access to shared memory, no move between registers, no words bit by bit");
  return drawing;
}

}  // namespace swizzle
