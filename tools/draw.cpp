#include "tools/draw.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "codegen/check_report.h"
#include "codegen/layout_picture.h"
#include "codegen/report.h"

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

}  // namespace

PictureRows pictures_of(const Program& sketch, Problem& problem, const Completion& completion, const Program& emitted,
                        const Posed& posed) {
  if (sketch.layouts.empty() || !completion.placement) return worst_of_kernel(emitted, posed);
  PictureRows rows;
  LayoutPlacement placement(sketch, problem, memory_of(sketch));
  const std::vector<TileProblem> tiles = placement.tiles(completion.tables);
  for (std::size_t l = 0; l < tiles.size(); ++l) {
    auto row = before_and_after(sketch.source, sketch.layouts[l], tiles[l], completion.placement->layouts[l].layout);
    if (!row.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

Result<std::monostate> draw(const PictureRows& pictures, const std::string& file) {
  if (pictures.empty()) return make_error("there is no access to shared memory to draw");
  if (file != "-") return write_file_atomically(file, to_svg(pictures));
  if (std::fputs(banks_text(pictures).c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    return make_error(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  return std::monostate{};
}

bool has_shared_memory(const Program& kernel) {
  return std::any_of(kernel.variables.begin(), kernel.variables.end(), [](const Variable& v) { return v.is_shared; });
}

}  // namespace swizzle
