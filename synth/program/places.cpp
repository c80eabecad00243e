#include "synth/program/places.h"

namespace swizzle {

bool is_lvalue(const Program& program, const Expr& e) {
  switch (e.kind) {
    case ExprKind::kVariable:
    case ExprKind::kSubscript:
    case ExprKind::kDereference: return true;
    case ExprKind::kMember: return is_lvalue(program, program.expr(e.operands[0]));
    default: return false;
  }
}

TypeId innermost_id(const Program& program, TypeId type) {
  while (program.type(type).form == Type::Form::kArray) type = program.type(type).element;
  return type;
}

const Type& innermost(const Program& program, TypeId type) { return program.type(innermost_id(program, type)); }

std::optional<Scalar> packed_scalar(const Type& type) {
  if (type.form == Type::Form::kVoid || type.form == Type::Form::kPointer || type.is_mixed) return std::nullopt;
  if (type.size_bytes != type.slots * size_bytes(type.scalar)) return std::nullopt;
  return type.scalar;
}

ItemLayout uneven_layout(const Program& program, TypeId id) {
  ItemLayout layout = item_layout(program, id);
  const int count = static_cast<int>(layout.slots.size()), distance = count == 0 ? 0 : layout.size_bytes / count;
  bool is_even = distance * count == layout.size_bytes;
  for (int s = 0; s < count; ++s) is_even &= layout.slots[static_cast<std::size_t>(s)].offset_bytes == s * distance;
  return is_even ? ItemLayout() : layout;
}

ItemLayout item_layout(const Program& program, TypeId id) {
  const Type& type = program.type(id);
  ItemLayout layout{{}, type.size_bytes};
  if (type.form == Type::Form::kScalar) layout.slots = {{type.scalar, 0}};
  if (type.form == Type::Form::kRecord) layout.slots = type.places;
  if (type.form == Type::Form::kArray) {
    const ItemLayout element = item_layout(program, type.element);
    for (std::int64_t i = 0; i < type.count; ++i)
      for (const SlotPlace& slot : element.slots)
        layout.slots.push_back({slot.scalar, static_cast<int>(i) * element.size_bytes + slot.offset_bytes});
  }
  return layout;
}

}  // namespace swizzle
