// ldmatrix and stmatrix: 8 × 8 matrices of 16-bit units between shared memory and the lanes of a warp (matrix_units.h).
//
// A register is its two units side by side, whatever their type: two halves, four bytes, or parts of a word. Addresses
// of shared memory that are held in integers are pointers that count bytes.
#include <algorithm>

#include <fmt/format.h>

#include "synth/execution/interpreter.h"
#include "synth/program/intrinsics.h"
#include "synth/program/matrix_units.h"

namespace swizzle {
bool Interpreter::is_address(Value v) const {
  while (v.is_node() && provenance_.node(v).kind == Node::Kind::kChoice) v = provenance_.node(v).children()[0];
  return v.is_pointer();
}

// An address in an integer, plus or minus bytes.
Value Interpreter::shared_offset(Operator op, Value a, Value b, SourceRange range) {
  const bool sums = op == Operator::kAdd || (op == Operator::kSub && is_address(a));
  const Value address = is_address(a) ? a : b, bytes = is_address(a) ? b : a;
  if (!sums || is_address(bytes) || !provenance_.is_index(bytes) || bytes.is_undefined()) {
    fail(
        range,
        "of an address in shared memory, only sums with bytes are followed; ask for the address of the element: &tile[i]");
    return {};
  }
  refuse_arithmetic(address, range);
  if (failed()) return {};
  const int slot_bytes = objects_[provenance_.leaves(address)[0].aux].slot_bytes;
  const Value slots = provenance_.map_leaves(bytes, [&](Value x) -> Value {
    if (!without_stride(x).is_int()) return {};
    if (x.bits % slot_bytes == 0) return Value::integer(x.bits / slot_bytes);
    fail(range, fmt::format("this is {} bytes from an element, and elements have {}", x.bits % slot_bytes, slot_bytes));
    return {};
  });
  return provenance_.binary(op, Scalar::kI64, address, slots);
}

// The addresses of the rows, by thread; the other lanes have none.
Lanes Interpreter::matrix_rows(const Expr& e) {
  Lanes rows = eval(e.operands[0]);
  if (failed()) return rows;
  for (int first = 0; first < threads_; first += kWarpSize) {
    int present = 0;
    for (int t = first; t < std::min(threads_, first + kWarpSize); ++t)
      present += mask_.on[at(t)] && truth(mask_.guard[at(t)]) == true;
    if (present != 0 && present != kWarpSize) {
      fail(e.range, fmt::format("all 32 lanes of a warp must reach this, and {} do", present));
      return rows;
    }
  }
  for_active([&](int t) {
    if (t % kWarpSize >= kMatrixRows * e.touch.matrices) {
      rows.entry(at(t)) = {};
      return;
    }
    const bool is_shared =
        is_address(rows[at(t)]) && objects_[provenance_.leaves(rows[at(t)])[0].aux].space == Space::kShared;
    if (!is_shared)
      fail(e.range,
           fmt::format(
               "thread {} has no address in shared memory here; take it from __cvta_generic_to_shared(&tile[i])", t));
  });
  return rows;
}

// How many slots a unit has: 2 bytes, a half, or, as 0, a half of a word.
int Interpreter::unit_slots(Value row, SourceRange range) {
  const int slot_bytes = objects_[provenance_.leaves(row)[0].aux].slot_bytes;
  if (slot_bytes > 2 * kMatrixUnitBytes)
    fail(range, fmt::format("matrices of elements of {} bytes are not supported", slot_bytes));
  return kMatrixUnitBytes / slot_bytes;
}

Value Interpreter::matrix_register(int thread, const Lanes& rows, int matrix, const Expr& e) {
  std::vector<Value> parts;
  for (int half = 0; half < 2 && !failed(); ++half) {
    const MatrixUnit unit = matrix_unit(thread % kWarpSize, half, e.touch.is_transposed);
    const Value row = rows[at(thread / kWarpSize * kWarpSize + kMatrixRows * matrix + unit.row)];
    const int slots = unit_slots(row, e.range);
    if (failed()) return {};
    for (int s = 0; s < slots; ++s) parts.push_back(read_slot(thread, shifted(row, unit.column * slots + s), e.range));
    if (slots == 0)
      parts.push_back(provenance_.part(Scalar::kU16, read_slot(thread, shifted(row, unit.column / 2), e.range),
                                       unit.column % 2, 2));
  }
  return failed() ? Value{} : provenance_.join(Scalar::kU32, std::move(parts));
}

void Interpreter::store_matrix(int warp, const Lanes& rows, int matrix, const Lanes& registers, const Expr& e) {
  const auto held = [&](int row, int column) { return holder_of({row, column}, e.touch.is_transposed); };
  const auto value = [&](MatrixHolder h, Scalar s, int index, int count) {
    return provenance_.part(s, registers[at(warp + h.lane)], index, count);
  };
  for (int r = 0; r < kMatrixRows && !failed(); ++r) {
    const Value row = rows[at(warp + kMatrixRows * matrix + r)];
    const int slots = unit_slots(row, e.range);
    const auto scalar = objects_[provenance_.leaves(row)[0].aux].scalar;
    if (!scalar) fail(e.range, "matrices of elements of different types are not supported");
    for (int c = 0; c < kMatrixRows && !failed(); ++c) {
      const MatrixHolder h = held(r, c);
      for (int s = 0; s < slots; ++s)
        write_slot(warp + h.lane, shifted(row, c * slots + s), value(h, *scalar, h.half * slots + s, 2 * slots),
                   e.range);
      if (slots > 0 || c % 2 != 0) continue;
      const MatrixHolder next = held(r, c + 1);
      write_slot(
          warp + h.lane, shifted(row, c / 2),
          provenance_.join(*scalar, {value(h, Scalar::kU16, h.half, 2), value(next, Scalar::kU16, next.half, 2)}),
          e.range);
    }
  }
}

Lanes Interpreter::eval_matrices(const Expr& e) {
  const Lanes rows = matrix_rows(e);
  const bool loads = e.intrinsic == Intrinsic::kLdmatrix;
  for (int m = 0; m < e.touch.matrices && !failed(); ++m) {
    const ExprId operand = e.operands[static_cast<std::size_t>(1 + m)];
    if (loads) {
      Lanes values = blank();
      for_active([&](int t) { values.entry(at(t)) = matrix_register(t, rows, m, e); });
      if (!failed()) write(place(operand), values, program_.expr(operand).type, e.range);
      continue;
    }
    const Lanes registers = eval(operand);
    for (int warp = 0; warp < threads_ && !failed(); warp += kWarpSize)
      if (mask_.on[at(warp)]) store_matrix(warp, rows, m, registers, e);
  }
  if (!failed())
    count_shared(rows, kMatrixRowBytes, kMatrixRowBytes,
                 loads ? SharedOperation::kLdmatrix : SharedOperation::kStmatrix, e.range);
  return blank();
}

}  // namespace swizzle
