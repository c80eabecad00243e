// The places that lvalues name: a pointer of each thread.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "synth/execution/interpreter.h"
#include "synth/program/places.h"

namespace swizzle {

bool Interpreter::names_place(const Expr& e) const {
  const auto operand = [&](std::size_t i) { return names_place(program_.expr(e.operands[i])); };
  switch (e.kind) {
    case ExprKind::kConditional: return operand(1) && operand(2);
    case ExprKind::kComma: return operand(1);
    case ExprKind::kAssign: return true;
    case ExprKind::kIncDec: return e.prefix;
    default: return is_lvalue(program_, e);
  }
}

// Reading it needs no address.
const Object* Interpreter::scalar_variable(const Expr& e) {
  if (e.kind != ExprKind::kVariable || program_.variable(e.variable).is_reference) return nullptr;
  const Object& object = objects_[objects_.object_of(e.variable)];
  return object.space == Object::Space::kLocal && object.slots == 1 && e.type == program_.variable(e.variable).type
             ? &object
             : nullptr;
}

Lanes Interpreter::place(ExprId id) {
  const Expr& e = program_.expr(id);
  if (run_.failed()) return run_.blank();
  switch (e.kind) {
    case ExprKind::kVariable: {
      const std::uint32_t object = objects_.object_of(e.variable);
      if (!program_.variable(e.variable).is_reference) return run_.splat(Value::pointer(object, 0));
      if (run_.mask.all()) return objects_[object].cells;
      Lanes pointers = run_.blank();
      run_.for_active([&](int t) { pointers.entry(at(t)) = objects_[object].cells[at(t)]; });
      return pointers;
    }
    case ExprKind::kDereference: return eval(e.operands[0]);
    case ExprKind::kSubscript: return element_place(e);
    case ExprKind::kMember: return member_place(e);
    case ExprKind::kComma: eval(e.operands[0]); return place(e.operands[1]);
    case ExprKind::kConditional:
      if (!names_place(e)) break;
      return eval_conditional(
          e.operands[0], [&] { return place(e.operands[1]); }, [&] { return place(e.operands[2]); }, 1);
    case ExprKind::kAssign:
    case ExprKind::kIncDec: eval(id); return place(e.operands[0]);
    default: break;
  }
  return temporary_place(id);
}

// A value that something refers to.
Lanes Interpreter::temporary_place(ExprId id) {
  const Expr& e = program_.expr(id);
  const Lanes values = eval(id);
  const auto [known, fresh] = temporaries_.try_emplace(id, 0);
  if (fresh) {
    Object object;
    object.name = "a temporary";
    object.slots = run_.slots_of(e.type);
    object.scalar = packed_scalar(program_.type(e.type));
    if (object.scalar) object.slot_bytes = size_bytes(*object.scalar);
    object.cells = run_.blank(static_cast<int>(object.slots));
    known->second = objects_.add(std::move(object));
  }
  Object& object = objects_[known->second];
  const int slots = static_cast<int>(object.slots);
  run_.for_active([&](int t) {
    for (int s = 0; s < slots; ++s) object.cells.entry(at(t, slots, s)) = values[at(t, slots, s)];
  });
  return run_.splat(Value::pointer(known->second, 0));
}

// What a member or an element is counted from.
Lanes Interpreter::base_place(const Expr& e) {
  const Expr& base = program_.expr(e.operands[0]);
  return program_.type(base.type).form == Type::Form::kPointer ? eval(e.operands[0]) : place(e.operands[0]);
}

Lanes Interpreter::member_place(const Expr& e) {
  const Expr& base = program_.expr(e.operands[0]);
  Lanes pointers = base_place(e);
  if (run_.failed()) return pointers;
  run_.change(pointers, [&](Value p) {
    if (p.is_pointer() && objects_.is_cell(p) &&
        p.bits % objects_[p.aux].tile.element_slots + e.member_slot >= objects_[p.aux].tile.element_slots)
      objects_.refuse_arithmetic(p, e.range);
    const int in_slot = objects_.scalars_per_slot(p, base.type);
    if (e.member_slot % in_slot != 0) {
      run_.refuse(e.range,
                  "this is a part of a wider value; copy the whole first: half2 v = *reinterpret_cast<half2*>(&r);");
      return p;
    }
    return provenance_.binary(Operator::kAdd, Scalar::kI64, p,
                              Value::integer(e.member_slot * objects_.slots_per_scalar(p, base.type) / in_slot));
  });
  return pointers;
}

// False: it leaves the array, which is an error. Of one of 0 elements it is not known how many there are.
bool Interpreter::stays_in_array(Value index, const Expr& array, int thread, SourceRange range) {
  const std::int64_t count = program_.type(array.type).count;
  if (count == 0 || !objects_.leaves_array(index, count)) return true;
  if (run_.failed()) return false;
  run_.violate(
      run_.mask.guard[at(thread, 1, 0)],
      fmt::format("index {} is outside '{}' of {} elements", index.bits, program_.source.slice(array.range), count),
      range);
  return !run_.failed();
}

Lanes Interpreter::element_place(const Expr& e) {
  const Type& base_type = program_.type(program_.expr(e.operands[0]).type);
  const bool through_pointer = base_type.form == Type::Form::kPointer;
  Lanes pointers = base_place(e);
  if (run_.failed()) return pointers;
  if (const Expr& index = program_.expr(e.operands[1]);
      index.kind == ExprKind::kHole && program_.hole(index.hole).traits().is_cell())
    return tile_place(e, std::move(pointers));
  const Lanes index = eval(e.operands[1]);
  const std::int64_t stride = run_.slots_of(e.type);
  const SourceRange index_range = program_.expr(e.operands[1]).range;
  const Scalar index_type = run_.scalar_of(program_.expr(e.operands[1]).type);
  Value before;  // a pointer that the thread before had: lanes mostly have the same objects
  std::int64_t slots = 1;
  const auto moved = [&](int t, Value p) {
    const Value i = index[at(t, 1, 0)];
    if (run_.failed()) return p;
    if (!provenance_.is_index(i))
      return objects_.at_data(p, i, index_type, objects_.item_slots(p, e.type), run_.mask.guard[at(t)], index_range);
    if (i.is_undefined()) return run_.break_rule(index_range, "this index is undefined"), p;
    if (through_pointer && !(i.is_int() && i.bits == 0)) objects_.refuse_arithmetic(p, e.range);
    if (!through_pointer && !stays_in_array(i, program_.expr(e.operands[0]), t, index_range)) return p;
    if (!p.is_pointer() || !before.is_pointer() || p.aux != before.aux) slots = objects_.item_slots(p, e.type);
    before = p;
    const Value into = provenance_.has_choice(i) ? provenance_.leaves(p)[0] : Value{};
    if (into.is_pointer() && objects_[into.aux].space == Object::Space::kLocal) {
      const std::int64_t length =
          through_pointer || base_type.count == 0 ? objects_[into.aux].slots / stride : base_type.count;
      run_.trace.hole_indexed[ExprId(static_cast<std::size_t>(&e - program_.exprs.data()))] = static_cast<int>(length);
    }
    return provenance_.binary(Operator::kAdd, Scalar::kI64, p, objects_.scaled(i, slots));
  };
  if (pointers.are_alike() && index.are_alike() && run_.act_alike())
    return Lanes(pointers.size(), moved(0, pointers[0]));
  run_.for_active([&](int t) { pointers.entry(at(t)) = moved(t, pointers[at(t)]); });
  return pointers;
}

// tile[L(r, c)], one pointer per thread. The array is named, or pointed to from its start.
Lanes Interpreter::tile_place(const Expr& e, Lanes arrays) {
  const Lanes cells = eval(e.operands[1]);
  if (run_.failed()) return arrays;
  run_.for_active([&](int t) {
    Value& p = arrays.entry(at(t));
    if (run_.failed()) return;
    if (!p.is_pointer() || objects_[p.aux].space != Object::Space::kShared || objects_[p.aux].tile.layout.valid())
      return run_.refuse(e.range, "a layout indexes a __shared__ array, by its name or by a pointer to its start");
    const std::int64_t stride = objects_.item_slots(p, e.type), offset = p.bits;
    const std::uint32_t tile = objects_.tile_of(p, stride, e);
    if (run_.failed()) return;
    p = provenance_.map_leaves(cells[at(t)], [&](Value cell) {
      return cell.is_int() ? Value::pointer(tile, cell.bits == HolePoints::kNoCell ? HolePoints::kNoCell
                                                                                   : offset + cell.bits * stride)
                           : Value{};
    });
  });
  return arrays;
}

}  // namespace swizzle
