#include "codegen/picture/check_picture.h"

#include <algorithm>

#include <fmt/format.h>

namespace swizzle {
namespace {

struct Shape {
  int rows = 1, columns = 1, element_bytes = 4;  // columns 0: of one dimension
  std::int64_t total_bytes = 0;                  // of one dimension; 0: open
};

// As declared; of more than two dimensions, the last is a row.
Shape shape_of(const Program& program, const std::string& array) {
  Shape shape;
  for (const Variable& v : program.variables) {
    if (!v.is_shared || v.name != array) continue;
    std::vector<std::int64_t> dimensions;
    const Type* type = &program.type(v.type);
    for (; type->form == Type::Form::kArray; type = &program.type(type->element)) dimensions.push_back(type->count);
    shape.element_bytes = std::max(1, type->size_bytes);
    if (dimensions.size() < 2) {
      shape.columns = 0;
      shape.total_bytes = dimensions.empty() ? shape.element_bytes : dimensions[0] * shape.element_bytes;
      return shape;
    }
    std::int64_t rows = 1;
    for (std::size_t d = 0; d + 1 < dimensions.size(); ++d) rows *= dimensions[d];
    shape.rows = static_cast<int>(std::min<std::int64_t>(rows, 1 << 20));
    shape.columns = static_cast<int>(std::min<std::int64_t>(dimensions.back(), 1 << 20));
    return shape;
  }
  return shape.columns = 0, shape;
}

}  // namespace

std::optional<DrawnAccess> worst_access(const CheckReport& report) {
  std::optional<DrawnAccess> worst;
  for (const KernelCheck& kernel : report.kernels)
    for (const AccessSite& site : kernel.trace.sites) {
      if (site.space != MemorySpace::kShared || !site.worst_request) continue;
      if (!worst || site.worst - site.worst_ideal > worst->site->worst - worst->site->worst_ideal)
        worst = DrawnAccess{&kernel, &site};
    }
  return worst;
}

TilePicture picture_of(const DrawnAccess& access, const Program& program, const SharedMemoryModel& memory) {
  const AccessSite& site = *access.site;
  Shape shape = shape_of(program, site.array);
  const int words = shape.columns * shape.element_bytes / memory.bank_bytes;
  if (shape.columns == 0 || words > kMostWords) {
    shape.columns = memory.banks * memory.bank_bytes / std::min(shape.element_bytes, memory.bank_bytes);
    shape.element_bytes = std::min(shape.element_bytes, memory.bank_bytes);
    shape.rows = 0;
  }
  const std::int64_t row_bytes = std::int64_t{shape.columns} * shape.element_bytes;
  std::vector<int> rows;
  std::int64_t bytes = std::max(shape.total_bytes, shape.rows * row_bytes);
  for (const auto& a : site.worst_request->addresses)
    for (std::int64_t at = a ? *a : 0, end = a ? *a + site.bits / 8 : 0; at < end; at += row_bytes - at % row_bytes) {
      rows.push_back(static_cast<int>(at / row_bytes));
      bytes = std::max(bytes, end);
    }
  TilePicture p;
  p.rows = shown_part(static_cast<int>((bytes + row_bytes - 1) / row_bytes), std::move(rows), kMostRows);
  p.columns = shown_part(shape.columns, {}, shape.columns);
  p.element_bytes = shape.element_bytes;
  p.address = [=](int row, int column) { return row * row_bytes + std::int64_t{column} * shape.element_bytes; };
  p.memory = memory;
  p.operation = shared_operation(site.operation);
  p.bits = site.bits;
  p.addresses = site.worst_request->addresses;
  const LineColumn at = program.source.locate(site.range.begin);
  const auto& block = site.worst_request->block;
  p.title = fmt::format("{} in {}, {}:{}: lanes of warp {} of block ({}, {}, {})", site.array, access.kernel->name,
                        at.line, at.column, site.worst_request->warp, block[0], block[1], block[2]);
  return p;
}

}  // namespace swizzle
