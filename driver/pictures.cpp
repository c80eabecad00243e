#include "driver/pictures.h"

#include "codegen/picture/check_picture.h"
#include "codegen/picture/layout_picture.h"
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

Result<PictureRows> pictures_of(Searched& searched, const RereadKernel& reread) {
  const Program& sketch = searched.best->sketch;
  const Completion& completion = searched.solution.completions[0];
  const bool has_layouts = !sketch.layouts.empty() && completion.placement;
  PictureRows rows = has_layouts ? layouts_of(sketch, searched.best->problem, completion)
                                 : worst_of_kernel(*reread.kernel, reread.posed[0]);
  if (rows.empty()) return make_error("there is no access to shared memory to draw");
  return rows;
}

}  // namespace swizzle
