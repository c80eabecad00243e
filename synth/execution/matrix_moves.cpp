#include "synth/execution/matrix_moves.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "synth/program/intrinsics.h"
#include "synth/program/matrix_units.h"

namespace swizzle {

// The addresses of the rows, by thread; the other lanes have none.
Lanes MatrixMoves::matrix_rows(const Expr& e) {
  Lanes rows = operands_.eval(e.operands[0]);
  if (run_.failed()) return rows;
  for (int first = 0; first < run_.threads; first += kWarpSize) {
    int present = 0;
    for (int t = first; t < std::min(run_.threads, first + kWarpSize); ++t)
      present += run_.mask.on[at(t)] && truth(run_.mask.guard[at(t)]) == true;
    if (present != 0 && present != kWarpSize) {
      run_.lack_lanes(e.range, fmt::format("all 32 lanes of a warp must reach this, and {} do", present));
      return rows;
    }
  }
  run_.for_active([&](int t) {
    if (t % kWarpSize >= kMatrixRows * e.touch.matrices) {
      rows.entry(at(t)) = {};
      return;
    }
    const bool is_shared = objects_.is_address(rows[at(t)]) &&
                           objects_[provenance_.leaves(rows[at(t)])[0].aux].space == Object::Space::kShared;
    if (!is_shared)
      run_.fail(
          e.range,
          fmt::format("thread {} has no address in shared memory here; take it from __cvta_generic_to_shared(&tile[i])",
                      t));
  });
  return rows;
}

// How many slots a unit has: 2 bytes, a half, or, as 0, a half of a word.
int MatrixMoves::unit_slots(Value row, SourceRange range) {
  const int slot_bytes = objects_[provenance_.leaves(row)[0].aux].slot_bytes;
  if (slot_bytes > 2 * kMatrixUnitBytes)
    run_.refuse(range, fmt::format("matrices of elements of {} bytes are not supported", slot_bytes));
  return kMatrixUnitBytes / slot_bytes;
}

Value MatrixMoves::matrix_register(int thread, const Lanes& rows, int matrix, const Expr& e) {
  std::vector<Value> parts;
  for (int half = 0; half < 2 && !run_.failed(); ++half) {
    const MatrixUnit unit = matrix_unit(thread % kWarpSize, half, e.touch.is_transposed);
    const Value row = rows[at(thread / kWarpSize * kWarpSize + kMatrixRows * matrix + unit.row)];
    const int slots = unit_slots(row, e.range);
    if (run_.failed()) return {};
    for (int s = 0; s < slots; ++s)
      parts.push_back(cells_.read_slot(thread, objects_.shifted(row, unit.column * slots + s), e.range));
    if (slots == 0)
      parts.push_back(provenance_.part(
          Scalar::kU16, cells_.read_slot(thread, objects_.shifted(row, unit.column / 2), e.range), unit.column % 2, 2));
  }
  return run_.failed() ? Value{} : provenance_.join(Scalar::kU32, std::move(parts));
}

void MatrixMoves::store_matrix(int warp, const Lanes& rows, int matrix, const Lanes& registers, const Expr& e) {
  const auto held = [&](int row, int column) { return holder_of({row, column}, e.touch.is_transposed); };
  const auto value = [&](MatrixHolder h, Scalar s, int index, int count) {
    return provenance_.part(s, registers[at(warp + h.lane)], index, count);
  };
  for (int r = 0; r < kMatrixRows && !run_.failed(); ++r) {
    const Value row = rows[at(warp + kMatrixRows * matrix + r)];
    const int slots = unit_slots(row, e.range);
    const auto scalar = objects_[provenance_.leaves(row)[0].aux].scalar;
    if (!scalar) run_.refuse(e.range, "matrices of elements of different types are not supported");
    for (int c = 0; c < kMatrixRows && !run_.failed(); ++c) {
      const MatrixHolder h = held(r, c);
      for (int s = 0; s < slots; ++s)
        cells_.write_slot(warp + h.lane, objects_.shifted(row, c * slots + s),
                          value(h, *scalar, h.half * slots + s, 2 * slots), e.range);
      if (slots > 0 || c % 2 != 0) continue;
      const MatrixHolder next = held(r, c + 1);
      cells_.write_slot(
          warp + h.lane, objects_.shifted(row, c / 2),
          provenance_.join(*scalar, {value(h, Scalar::kU16, h.half, 2), value(next, Scalar::kU16, next.half, 2)}),
          e.range);
    }
  }
}

Lanes MatrixMoves::eval_matrices(const Expr& e) {
  const Lanes rows = matrix_rows(e);
  const bool loads = e.intrinsic == Intrinsic::kLdmatrix;
  for (int m = 0; m < e.touch.matrices && !run_.failed(); ++m) {
    const ExprId operand = e.operands[static_cast<std::size_t>(1 + m)];
    if (loads) {
      Lanes values = run_.blank();
      run_.for_active([&](int t) { values.entry(at(t)) = matrix_register(t, rows, m, e); });
      if (!run_.failed()) memory_.write(operands_.place(operand), values, program_.expr(operand).type, e.range);
      continue;
    }
    const Lanes registers = operands_.eval(operand);
    for (int warp = 0; warp < run_.threads && !run_.failed(); warp += kWarpSize)
      if (run_.mask.on[at(warp)]) store_matrix(warp, rows, m, registers, e);
  }
  if (!run_.failed())
    wavefronts_.count_shared(rows, kMatrixRowBytes, kMatrixRowBytes,
                             loads ? SharedOperation::kLdmatrix : SharedOperation::kStmatrix, e.range);
  return run_.blank();
}

}  // namespace swizzle
