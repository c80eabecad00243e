// ldmatrix and stmatrix in a symbolic run (matrix_units.h). An address of shared memory in an integer is a pointer.
#include <algorithm>

#include "synth/program/matrix_units.h"
#include "synth/proof/symbolic_interpreter.h"

namespace swizzle {

// An address, plus or minus bytes.
Symbol SymbolicInterpreter::shared_offset(Operator op, const Symbol& a, const Symbol& b) {
  const Symbol &address = a.is_pointer() ? a : b, &bytes = a.is_pointer() ? b : a;
  const bool sums = op == Operator::kAdd || (op == Operator::kSub && a.is_pointer());
  if (!sums || !bytes.is_integer()) return give_up("what is computed of an address"), Symbol{};
  const Polynomial::Division division = bytes.number.divided(objects_[address.object].slot_bytes);
  if (!division.rest.terms().empty()) return give_up("a part of an element is addressed"), Symbol{};
  return Symbol::pointer(
      address.object, op == Operator::kAdd ? address.number + division.quotient : address.number - division.quotient);
}

// The addresses of the rows, by thread, where all lanes of each warp come.
SymbolicInterpreter::Lanes SymbolicInterpreter::matrix_rows(const Expr& e) {
  only_of_blocks();
  if (by_data_ > 0) give_up("data decide which lanes come");
  for_active([&](int t) {
    const int first = t / 32 * 32;
    for (int u = first; u < first + 32; ++u)
      if (u >= threads_ || !mask_[at(u)] || path_[at(u)] != path_[at(t)])
        return give_up("not all lanes of a warp move a matrix");
  });
  Lanes rows = stopped() ? blank() : eval(e.operands[0]);
  for_active([&](int t) {
    const Symbol& row = rows[at(t)];
    if (t % 32 < kMatrixRows * e.touch.matrices &&
        (!row.is_pointer() || objects_[row.object].space != Object::Space::kShared || !objects_[row.object].scalar ||
         objects_[row.object].slot_bytes > 2 * kMatrixUnitBytes || !row.number.value()))
      give_up("the address of a matrix' row is not followed");
  });
  return rows;
}

Symbol SymbolicInterpreter::matrix_register(int thread, const Lanes& rows, int matrix, const Expr& e) {
  Provenance& provenance = elements_.provenance();
  std::vector<Value> parts;
  for (int half = 0; half < 2; ++half) {
    const MatrixUnit unit = matrix_unit(thread % 32, half, e.touch.is_transposed);
    const Symbol& row = rows[at(thread / 32 * 32 + kMatrixRows * matrix + unit.row)];
    const Object& object = objects_[row.object];
    const auto unit_in = [&](int slot) {
      const Symbol read = read_slot(thread, Symbol::pointer(row.object, row.number + Polynomial(slot)));
      return data_of(read, *object.scalar);
    };
    const int slots = kMatrixUnitBytes / object.slot_bytes;
    for (int s = 0; s < slots; ++s) parts.push_back(unit_in(unit.column * slots + s));
    if (slots == 0) parts.push_back(provenance.part(Scalar::kU16, unit_in(unit.column / 2), unit.column % 2, 2));
    if (stopped()) return {};
  }
  return symbol_of(provenance.join(Scalar::kU32, std::move(parts)));
}

void SymbolicInterpreter::store_matrix(int warp, const Lanes& rows, int matrix, const Lanes& registers, const Expr& e) {
  Provenance& provenance = elements_.provenance();
  const auto part = [&](MatrixHolder h, Scalar s, int index, int count) {
    return provenance.part(s, data_of(registers[at(warp + h.lane)], Scalar::kU32), index, count);
  };
  for (int r = 0; r < kMatrixRows && !stopped(); ++r) {
    const Symbol& row = rows[at(warp + kMatrixRows * matrix + r)];
    const Scalar scalar = *objects_[row.object].scalar;
    const int slots = kMatrixUnitBytes / objects_[row.object].slot_bytes;
    const auto store = [&](int lane, int slot, Value v) {
      write_slot(warp + lane, Symbol::pointer(row.object, row.number + Polynomial(slot)), symbol_of(v), e.range);
    };
    for (int c = 0; c < kMatrixRows && !stopped(); ++c) {
      const MatrixHolder h = holder_of({r, c}, e.touch.is_transposed);
      for (int s = 0; s < slots; ++s) store(h.lane, c * slots + s, part(h, scalar, h.half * slots + s, 2 * slots));
      if (slots > 0 || c % 2 != 0) continue;
      const MatrixHolder next = holder_of({r, c + 1}, e.touch.is_transposed);
      store(h.lane, c / 2,
            provenance.join(scalar, {part(h, Scalar::kU16, h.half, 2), part(next, Scalar::kU16, next.half, 2)}));
    }
  }
}

SymbolicInterpreter::Lanes SymbolicInterpreter::eval_matrices(const Expr& e) {
  const Lanes rows = matrix_rows(e);
  for (int m = 0; m < e.touch.matrices && !stopped(); ++m) {
    const ExprId operand = e.operands[static_cast<std::size_t>(1 + m)];
    if (e.intrinsic == Intrinsic::kLdmatrix) {
      Lanes values = blank();
      for_active([&](int t) { values[at(t)] = matrix_register(t, rows, m, e); });
      if (!stopped()) write(place(operand), values, program_.expr(operand).type, e.range);
      continue;
    }
    const Lanes registers = eval(operand);
    for (int warp = 0; warp < threads_ && !stopped(); warp += 32)
      if (mask_[at(warp)]) store_matrix(warp, rows, m, registers, e);
  }
  return blank();
}

}  // namespace swizzle
