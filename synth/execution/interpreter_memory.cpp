// Memory: variables, buffers, shared words; what may be read and written when, and by whom.
#include <algorithm>

#include <fmt/format.h>

#include "synth/execution/interpreter.h"
#include "synth/program/places.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

constexpr std::int64_t kMostSharedBytes = 227 * 1024;  // of a block on sm_90
constexpr std::int64_t kSharedAlignment = 128;         // bytes: every array starts at bank 0

}  // namespace

std::uint32_t Interpreter::object_of(VariableId id) {
  std::uint32_t& known = variable_object_[id.value];
  if (known != ~0u) return known;
  const Variable& variable = program_.variable(id);
  const Type& type = program_.type(variable.type);
  Object object;
  object.name = variable.name;
  object.slots = variable.is_reference ? 1 : std::max(1, type.slots);
  const Type* scalar = &innermost(program_, variable.type);
  object.slot_bytes = std::max(1, scalar->size_bytes / std::max(1, scalar->slots));
  if (!variable.is_reference) object.scalar = packed_scalar(*scalar);
  if (variable.is_shared) {
    object.space = Space::kShared;
    object.is_extern = variable.is_extern;
    if (variable.is_extern) object.slots = kMostSharedBytes / object.slot_bytes;
    for (const Type* t = &type; t->form == Type::Form::kArray; t = &program_.type(t->element)) {
      object.array_slots = t->slots;
      object.sized_by = t->sized_by;
    }
    object.uneven = uneven_layout(program_, innermost_id(program_, variable.type));
    object.uses.resize(static_cast<std::size_t>(object.slots));
    object.base_bytes = shared_bytes_;
    const std::int64_t bytes = offset_of(object.slots, object.slot_bytes, object.uneven);
    shared_bytes_ += (bytes + kSharedAlignment - 1) / kSharedAlignment * kSharedAlignment;
  } else if (variable.is_global) {
    object.space = Space::kConstant;
  }
  const std::int64_t copies = object.space == Space::kLocal ? threads_ : 1;
  object.cells = Lanes(static_cast<std::size_t>(object.slots * copies));
  objects_.push_back(std::move(object));
  known = static_cast<std::uint32_t>(objects_.size() - 1);
  return known;
}

// NOLINTNEXTLINE(readability-function-size): a case for each kind of place, and what has none gets one
Lanes Interpreter::place(ExprId id) {
  const Expr& e = program_.expr(id);
  if (failed()) return blank();
  switch (e.kind) {
    case ExprKind::kVariable: {
      const std::uint32_t object = object_of(e.variable);
      if (!program_.variable(e.variable).is_reference) return splat(Value::pointer(object, 0));
      if (mask_.all()) return objects_[object].cells;
      Lanes pointers = blank();
      for_active([&](int t) { pointers.entry(at(t)) = objects_[object].cells[at(t)]; });
      return pointers;
    }
    case ExprKind::kDereference: return eval(e.operands[0]);
    case ExprKind::kSubscript:
    case ExprKind::kMember: return offset_place(e);
    case ExprKind::kComma: eval(e.operands[0]); return place(e.operands[1]);
    case ExprKind::kConditional:
      if (!names_place(e)) break;
      return eval_conditional(
          e.operands[0], [&] { return place(e.operands[1]); }, [&] { return place(e.operands[2]); }, 1);
    case ExprKind::kAssign:
    case ExprKind::kIncDec: eval(id); return place(e.operands[0]);
    default: break;
  }
  // A temporary: materialize it.
  const Lanes values = eval(id);
  const auto [known, fresh] = temporaries_.try_emplace(id, static_cast<std::uint32_t>(objects_.size()));
  if (fresh) {
    Object object;
    object.name = "a temporary";
    object.slots = slots_of(e.type);
    object.scalar = packed_scalar(program_.type(e.type));
    if (object.scalar) object.slot_bytes = size_bytes(*object.scalar);
    object.cells = blank(static_cast<int>(object.slots));
    objects_.push_back(std::move(object));
  }
  Object& object = objects_[known->second];
  const int slots = static_cast<int>(object.slots);
  for_active([&](int t) {
    for (int s = 0; s < slots; ++s) object.cells.entry(at(t, slots, s)) = values[at(t, slots, s)];
  });
  return splat(Value::pointer(known->second, 0));
}

// NOLINTNEXTLINE(readability-function-size): members and elements share the pointers
Lanes Interpreter::offset_place(const Expr& e) {
  const Expr& base = program_.expr(e.operands[0]);
  const Type& base_type = program_.type(base.type);
  const bool through_pointer = base_type.form == Type::Form::kPointer;
  Lanes pointers = through_pointer ? eval(e.operands[0]) : place(e.operands[0]);
  if (failed()) return pointers;
  if (e.kind == ExprKind::kMember) {
    change(pointers, [&](Value p) {
      if (p.is_pointer() && is_cell(p) &&
          p.bits % objects_[p.aux].tile.element_slots + e.member_slot >= objects_[p.aux].tile.element_slots)
        refuse_arithmetic(p, e.range);
      const int in_slot = scalars_per_slot(p, base.type);
      if (e.member_slot % in_slot != 0) {
        fail(e.range,
             "this is a part of a wider value; copy the whole first: half2 v = *reinterpret_cast<half2*>(&r);");
        return p;
      }
      return provenance_.binary(Operator::kAdd, Scalar::kI64, p,
                                Value::integer(e.member_slot * slots_per_scalar(p, base.type) / in_slot));
    });
    return pointers;
  }
  if (const Expr& index = program_.expr(e.operands[1]);
      index.kind == ExprKind::kHole && program_.hole(index.hole).traits().is_cell())
    return tile_place(e, std::move(pointers));
  const Lanes index = eval(e.operands[1]);
  const std::int64_t stride = slots_of(e.type);
  const SourceRange index_range = program_.expr(e.operands[1]).range;
  Value before;  // a pointer that the thread before had: lanes mostly have the same objects
  std::int64_t slots = 1;
  const auto moved = [&](int t, Value p) {
    const Value i = index[at(t, 1, 0)];
    if (failed()) return p;
    if (!provenance_.is_index(i)) return fail(index_range, "data decide this index, which is not supported"), p;
    if (i.is_undefined()) return fail(index_range, "this index is undefined"), p;
    if (through_pointer && !(i.is_int() && i.bits == 0)) refuse_arithmetic(p, e.range);
    if (!through_pointer && base_type.count > 0 && leaves_array(i, base_type.count)) {
      if (failed()) return p;
      const Value guard = mask_.guard[at(t, 1, 0)];
      std::string message = fmt::format("index {} is outside the array of {} elements", i.bits, base_type.count);
      if (!provenance_.has_choice(guard)) return fail(index_range, std::move(message)), p;
      violate(guard, std::move(message), index_range);
    }
    if (!p.is_pointer() || !before.is_pointer() || p.aux != before.aux) slots = item_slots(p, e.type);
    before = p;
    const Value into = provenance_.has_choice(i) ? provenance_.leaves(p)[0] : Value{};
    if (into.is_pointer() && objects_[into.aux].space == Space::kLocal) {
      const std::int64_t length =
          through_pointer || base_type.count == 0 ? objects_[into.aux].slots / stride : base_type.count;
      trace_.hole_indexed[ExprId(static_cast<std::size_t>(&e - program_.exprs.data()))] = static_cast<int>(length);
    }
    return provenance_.binary(Operator::kAdd, Scalar::kI64, p, scaled(i, slots));
  };
  if (pointers.are_alike() && index.are_alike() && act_alike()) return Lanes(pointers.size(), moved(0, pointers[0]));
  for_active([&](int t) { pointers.entry(at(t)) = moved(t, pointers[at(t)]); });
  return pointers;
}

bool Interpreter::in_range(const Object& object, Value pointer) const { return is_below(pointer, object.slots); }

// In [0, end), in all groups or in none.
bool Interpreter::is_below(Value v, std::int64_t end) const {
  if (v.stride == 0) return v.bits >= 0 && v.bits < end;
  return !box_->strides.is_at_most(v, -1) && box_->strides.is_at_most(v, end - 1);
}

bool Interpreter::leaves_array(Value index, std::int64_t count) const {
  return index.kind == Value::Kind::kInt && !is_below(index, count);
}

std::int64_t Interpreter::end_of(Value pointer) const {
  return (pointer.stride == 0 ? pointer.bits : box_->strides.range(pointer).second) + 1;
}

Value Interpreter::scaled(Value index, std::int64_t factor) {
  return provenance_.map_leaves(index, [&](Value x) {
    if (x.stride != 0 && !x.is_pointer())
      return box_->strides.binary(Operator::kMul, Scalar::kI64, x, Value::integer(factor));
    return x.is_int() ? Value::integer(x.bits * factor) : x;
  });
}

void Interpreter::violate(Value violation, std::string message, SourceRange range, std::string note) {
  if (truth(violation) == false) return;
  if (truth(violation) == true) return break_rule(range, std::move(message), std::move(note));
  if (!provenance_.is_index(violation)) return fail(range, message + ", depending on data");
  if (!violation.is_node() || required_.insert(violation.aux).second)
    trace_.requirements.push_back({violation, std::move(message), range, {}});
}

void Interpreter::leaves_object(Value violation, const Object& object, std::int64_t offset, SourceRange range) {
  if (offset < 0)
    return violate(violation, fmt::format("index {} is outside '{}', before its start", offset, object.name), range,
                   "");
  const bool is_measured = object.space == Space::kGlobal && trace_.buffers[object.buffer.value].is_pointer;
  violate(violation, fmt::format("index {} is outside '{}' of {} elements", offset, object.name, object.slots), range,
          is_measured
              ? fmt::format("a buffer is as long as the spec uses it; '#pragma swizzle extent {}(…)' makes it longer",
                            object.name)
              : "");
}

// One requirement for all leaves of an address that lie outside of their object.
void Interpreter::stay_inside(const Access& access, SourceRange range) {
  std::optional<Value> first;
  const Value outside = provenance_.map_leaves(access.pointer, [&](Value leaf) {
    const bool is_outside = leaf.is_pointer() && !in_range(objects_[leaf.aux], leaf);
    if (is_outside && !first) first = leaf;
    return Value::integer(is_outside);
  });
  if (!first) return;
  const Object& object = objects_[first->aux];
  leaves_object(provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, access.guard, outside), object, first->bits,
                range);
}

// A pointer may have been cast to wider scalars than its object has: 8 halves read as a uint4 are 2 slots for each of
// its words.
int Interpreter::slots_per_scalar(Value pointer, TypeId id) const {
  while (pointer.is_node() && provenance_.node(pointer).kind == Node::Kind::kChoice)
    pointer = provenance_.node(pointer).children()[0];
  const Type& type = program_.type(id);
  if (!pointer.is_pointer() || !objects_[pointer.aux].scalar || type.form == Type::Form::kPointer || type.is_mixed ||
      type.slots < 1)
    return 1;
  return std::max(1, size_bytes(type.scalar) / objects_[pointer.aux].slot_bytes);
}

// The other way round: an unsigned read as a half2 has both of its scalars in one slot.
int Interpreter::scalars_per_slot(Value pointer, TypeId id) const {
  while (pointer.is_node() && provenance_.node(pointer).kind == Node::Kind::kChoice)
    pointer = provenance_.node(pointer).children()[0];
  const Type& type = program_.type(id);
  if (!pointer.is_pointer() || !objects_[pointer.aux].scalar || type.form == Type::Form::kPointer || type.is_mixed ||
      type.slots < 1)
    return 1;
  return std::max(1, objects_[pointer.aux].slot_bytes / size_bytes(type.scalar));
}

std::int64_t Interpreter::item_slots(Value pointer, TypeId type) const {
  return std::max<std::int64_t>(
      1, std::int64_t{slots_of(type)} * slots_per_scalar(pointer, type) / scalars_per_slot(pointer, type));
}

Value Interpreter::shifted(Value pointer, int slots) {
  return slots == 0 ? pointer : provenance_.binary(Operator::kAdd, Scalar::kI64, pointer, Value::integer(slots));
}

Lanes Interpreter::read(const Lanes& places, TypeId type, SourceRange range) {
  std::optional<Lanes> alike = read_alike(places, type, range);
  Lanes result = alike ? std::move(*alike) : read_each(places, type, range);
  count_shared(places, type, SharedOperation::kLoad, range);
  const bool loads = meets(places, Space::kGlobal);
  if (box_ != nullptr) note_issue({false, range.begin}, loads);
  if (loads) count_guarded(&Counts::loads, load_instructions(type));
  return result;
}

Lanes Interpreter::read_each(const Lanes& places, TypeId type, SourceRange range) {
  const int slots = slots_of(type);
  Lanes result = blank(slots);
  Value before;  // of the thread before: lanes mostly read the same object
  int narrow = 1, in_slot = 1;
  for_active([&](int t) {
    const Value place = places[at(t, 1, 0)];
    if (!place.is_pointer() || !before.is_pointer() || place.aux != before.aux)
      narrow = slots_per_scalar(place, type), in_slot = scalars_per_slot(place, type);
    before = place;
    for (int s = 0; s < slots && !failed(); ++s) {
      if (in_slot > 1) {
        const Value whole = read_slot(t, shifted(place, s / in_slot), range);
        if (!failed())
          result.entry(at(t, slots, s)) = provenance_.part(program_.type(type).scalar, whole, s % in_slot, in_slot);
        continue;
      }
      if (narrow == 1) {
        result.entry(at(t, slots, s)) = read_slot(t, shifted(place, s), range);
        continue;
      }
      std::vector<Value> parts;
      for (int p = 0; p < narrow && !failed(); ++p)
        parts.push_back(read_slot(t, shifted(place, s * narrow + p), range));
      if (!failed()) result.entry(at(t, slots, s)) = provenance_.join(program_.type(type).scalar, std::move(parts));
    }
  });
  return result;
}

Value Interpreter::initial(BufferId id, std::int64_t offset) {
  const Buffer& buffer = trace_.buffers[id.value];
  const Scalar scalar = buffer.scalar_at(offset);
  return buffer.has_bits ? input_word(provenance_, id, offset, scalar) : provenance_.input(id, offset, scalar);
}

Value Interpreter::read_slot(int thread, Value pointer, SourceRange range) {
  const Access access{mask_.guard[static_cast<std::size_t>(thread)], pointer};
  if (pointer.is_pointer()) return read_leaf(thread, pointer, access, range);
  if (!provenance_.is_index(pointer)) {
    fail(range, "data decide this address, which is not supported");
    return {};
  }
  if (pointer.is_undefined()) {
    fail(range, "this address is undefined");
    return {};
  }
  mind_deadline(range);
  stay_inside(access, range);
  return provenance_.map_leaves(pointer, [&](Value leaf) {
    return !failed() && leaf.is_pointer() && in_range(objects_[leaf.aux], leaf) ? read_leaf(thread, leaf, access, range)
                                                                                : Value{};
  });
}

// When the access goes to `pointer`. Building this takes a walk of the tree: only what may violate something asks.
Value Interpreter::condition(const Access& access, Value pointer) {
  if (access.pointer == pointer) return access.guard;
  return both(access.guard, equals(access.pointer, pointer));
}

Value Interpreter::both(Value a, Value b) {
  if (a == Value::integer(1)) return b;
  return b == Value::integer(1) ? a : provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, a, b);
}

// Whether a pointer that holes decide comes out as `leaf`.
Value Interpreter::equals(Value pointer, Value leaf) {
  auto& known = equals_[pointer.aux];
  const auto [it, fresh] = known.try_emplace({leaf.aux, leaf.stride, leaf.bits});
  if (fresh) it->second = provenance_.map_leaves(pointer, [&](Value v) { return Value::integer(v == leaf); });
  return it->second;
}

Value Interpreter::read_leaf(int thread, Value pointer, const Access& access, SourceRange range) {
  Object& object = objects_[pointer.aux];
  const std::int64_t offset = pointer.bits;
  if (!in_range(object, pointer)) {
    if (failed()) return {};
    leaves_object(condition(access, pointer), object, offset, range);
    return {};
  }
  const auto slot = static_cast<std::size_t>(offset);
  switch (object.space) {
    case Space::kLocal: return object.cells[at(thread, static_cast<int>(object.slots), static_cast<int>(offset))];
    case Space::kConstant: return object.cells[slot];
    case Space::kShared: use_shared(object, thread, pointer, false, access, range); return object.cells[slot];
    case Space::kGlobal: break;
  }
  const BufferId buffer = object.buffer;
  trace_.touched[buffer.value] = std::max(trace_.touched[buffer.value], end_of(pointer));
  if (execution_.extents_only) {
    const Buffer& of = trace_.buffers[buffer.value];
    return provenance_.input(buffer, offset % of.slots_per_item(), of.scalar_at(offset));
  }
  if (box_ != nullptr) {
    read_repeatedly(object, pointer);
    return failed() ? Value{} : initial(buffer, offset);
  }
  use_buffer(object, thread, pointer, false, access, range);
  const auto& cells = trace_.cells[buffer.value];
  const auto it = cells.find(offset);
  if (it == cells.end()) return initial(buffer, offset);
  return it->second.value;
}

void Interpreter::write(const Lanes& places, const Lanes& values, TypeId type, SourceRange range) {
  if (write_alike(places, values, type)) return;
  const int slots = slots_of(type);
  for_active([&](int t) {
    const Value place = places[at(t, 1, 0)];
    const int narrow = slots_per_scalar(place, type), in_slot = scalars_per_slot(place, type);
    for (int s = 0; in_slot > 1 && s + in_slot <= slots && !failed(); s += in_slot) {
      std::vector<Value> parts;
      for (int p = 0; p < in_slot; ++p) parts.push_back(values[at(t, slots, s + p)]);
      write_slot(t, shifted(place, s / in_slot),
                 provenance_.join(*objects_[provenance_.leaves(place)[0].aux].scalar, std::move(parts)), range);
    }
    for (int s = 0; in_slot == 1 && s < slots; ++s)
      for (int p = 0; p < narrow && !failed(); ++p) {
        const Value value = values[at(t, slots, s)];
        const Value part = narrow == 1
                               ? value
                               : provenance_.part(*objects_[provenance_.leaves(place)[0].aux].scalar, value, p, narrow);
        write_slot(t, shifted(place, s * narrow + p), part, range);
      }
  });
  count_shared(places, type, SharedOperation::kStore, range);
}

void Interpreter::write_slot(int thread, Value pointer, Value value, SourceRange range) {
  const Access access{mask_.guard[static_cast<std::size_t>(thread)], pointer};
  if (!pointer.is_pointer() && !provenance_.is_index(pointer))
    return fail(range, "data decide this address, which is not supported");
  if (!program_.holes.empty() && !execution_.extents_only && box_ == nullptr) note_store(thread, access, value, range);
  if (pointer.is_pointer()) return write_leaf(thread, pointer, value, access, range);
  stay_inside(access, range);
  for (const Value& leaf : provenance_.leaves(pointer)) {
    mind_deadline(range);
    if (failed()) return;
    if (!leaf.is_pointer()) return fail(range, "this address is undefined");
    if (in_range(objects_[leaf.aux], leaf)) write_leaf(thread, leaf, value, access, range);
  }
}

void Interpreter::note_store(int thread, const Access& access, Value value, SourceRange range) {
  bool any = false;
  const Value pointer = provenance_.map_leaves(access.pointer, [&](Value leaf) {
    if (!leaf.is_pointer() || objects_[leaf.aux].space != Space::kGlobal || !in_range(objects_[leaf.aux], leaf))
      return Value{};
    any = true;
    return Value::pointer(objects_[leaf.aux].buffer.value, leaf.bits);
  });
  if (any) trace_.stores.push_back({access.guard, pointer, value, number_of(thread), range, 0});
}

void Interpreter::write_leaf(int thread, Value pointer, Value value, const Access& access, SourceRange range) {
  const Value guard = condition(access, pointer);
  Object& object = objects_[pointer.aux];
  const std::int64_t offset = pointer.bits;
  if (!in_range(object, pointer)) {
    if (failed()) return;
    return leaves_object(guard, object, offset, range);
  }
  if (pointer.aux < outer_objects_ && object.space != Space::kGlobal) {
    box_->strides.lose();
    return;
  }
  const auto slot = static_cast<std::size_t>(offset);
  const auto store = [&](Value& cell) { cell = provenance_.select(guard, value, cell); };
  switch (object.space) {
    case Space::kLocal: {
      Value& cell = object.cells.entry(at(thread, static_cast<int>(object.slots), static_cast<int>(offset)));
      if (object.declared_under.size() != 0 && guard == object.declared_under[at(thread)]) cell = value;
      else store(cell);
      return tell_register(object, thread, offset, cell, range);
    }
    case Space::kConstant: return fail(range, fmt::format("'{}' is constant", object.name));
    case Space::kShared:
      use_shared(object, thread, pointer, true, access, range);
      return store(object.cells.entry(slot));
    case Space::kGlobal: break;
  }
  if (box_ != nullptr) return write_repeatedly(object, thread, pointer, value, {guard, access.pointer}, range);
  use_buffer(object, thread, pointer, true, access, range);
  write_buffer(object, thread, pointer, value, {guard, access.pointer}, range);
}

// `here`: the access, its guard being when it goes to `pointer`. Where holes decide whether two threads store to a
// slot, it is for the completion to say whether they store the same: see stores.h.
void Interpreter::write_buffer(const Object& object, int thread, Value pointer, Value value, const Access& here,
                               SourceRange range) {
  const BufferId buffer = object.buffer;
  const std::int64_t offset = pointer.bits;
  trace_.touched[buffer.value] = std::max(trace_.touched[buffer.value], offset + 1);
  const std::uint32_t writer = number_of(thread);
  auto [it, fresh] = trace_.cells[buffer.value].try_emplace(offset);
  Cell& cell = it->second;
  if (fresh) {
    cell.value = initial(buffer, offset);
  } else if (cell.thread != writer) {
    cell.others = cell.written;
  }
  const Value guard = here.guard;
  const bool is_open = provenance_.has_choice(guard) && provenance_.is_index(guard);
  const bool may_agree = is_open || provenance_.has_choice(value) || provenance_.has_choice(cell.value);
  const bool is_told_later = may_agree && provenance_.is_index(guard) && provenance_.is_index(cell.others);
  if (!is_told_later && truth(cell.others) != false &&
      !(provenance_.normalize(cell.value) == provenance_.normalize(value))) {
    violate(provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, guard, cell.others),
            fmt::format("'{}[{}]' is written twice with different values", object.name, offset), range);
  }
  if (is_open && here.pointer.is_node())
    cell.value = provenance_.map_leaves(guard, [&](Value c) {
      return c.is_undefined() ? c : truth(c) == true ? value : cell.value;
    });
  else cell.value = provenance_.select(guard, value, cell.value);
  if (!is_open) cell.written = provenance_.binary(Operator::kLogicalOr, Scalar::kBool, cell.written, guard);
  cell.thread = writer;
  cell.block = static_cast<std::uint32_t>(block_);
  cell.range = range;
}

// An aligned item is loaded at once, up to 16 bytes (float4); any other, piece by piece.
double Interpreter::load_instructions(TypeId id) const {
  constexpr int kWidestBytes = 16;
  const Type& type = program_.type(id);
  const int piece = std::clamp(type.alignment_bytes, 1, kWidestBytes);
  return std::max(1, (type.size_bytes + piece - 1) / piece);
}

// Whether a lane's place is, or may come out to be, in memory of this kind.
bool Interpreter::meets(const Lanes& places, Space space) const {
  const auto is_there = [&](Value p) {
    while (p.is_node() && provenance_.node(p).kind == Node::Kind::kChoice) p = provenance_.node(p).children()[0];
    return p.is_pointer() && objects_[p.aux].space == space;
  };
  if (places.are_alike()) return mask_.any() && is_there(places[0]);
  for (std::size_t t = 0; t < mask_.on.size(); ++t)
    if (mask_.on[t] && is_there(places[t])) return true;
  return false;
}

}  // namespace swizzle
