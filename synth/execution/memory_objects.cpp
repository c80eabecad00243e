#include "synth/execution/memory_objects.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "synth/machine/residency.h"
#include "synth/program/places.h"

namespace swizzle {
namespace {

bool may_have_data_places(const Buffer& buffer, std::int64_t slots) {
  const bool is_mixed = std::ranges::any_of(buffer.scalars, [&](Scalar other) { return other != buffer.scalars[0]; });
  return !buffer.has_bits && (!is_mixed || slots % buffer.slots_per_item() == 0);
}

constexpr std::int64_t kSharedAlignment = 128;  // bytes: every array starts at bank 0

}  // namespace

std::uint32_t MemoryObjects::add(Object object) {
  objects_.push_back(std::move(object));
  return static_cast<std::uint32_t>(objects_.size() - 1);
}

std::uint32_t MemoryObjects::object_of(VariableId id) {
  std::uint32_t& known = variable_object_[id.value];
  if (known != kNone) return known;
  const Variable& variable = program_.variable(id);
  const Type& type = program_.type(variable.type);
  Object object;
  object.name = variable.name;
  object.slots = variable.is_reference ? 1 : std::max(1, type.slots);
  const Type* scalar = &innermost(program_, variable.type);
  object.slot_bytes = std::max(1, scalar->size_bytes / std::max(1, scalar->slots));
  if (!variable.is_reference) object.scalar = packed_scalar(*scalar);
  if (variable.is_shared) {
    object.space = Object::Space::kShared;
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
    object.space = Object::Space::kConstant;
  }
  const std::int64_t copies = object.space == Object::Space::kLocal ? run_.threads : 1;
  object.cells = Lanes(static_cast<std::size_t>(object.slots * copies));
  known = add(std::move(object));
  return known;
}

std::uint32_t MemoryObjects::tile_of(Value place, std::int64_t element_slots, const Expr& e) {
  const Hole& hole = program_.hole(program_.expr(e.operands[1]).hole);
  const TileLayout& layout = program_.layout(hole.layout);
  const std::uint32_t array = place.aux;
  const std::int64_t cells = std::int64_t{layout.rows} * layout.columns;
  const std::int64_t elements = objects_[array].is_extern ? cells : objects_[array].array_slots / element_slots;
  if (place.bits % std::max<std::int64_t>(1, elements * element_slots) != 0 ||
      (objects_[array].is_extern && place.bits != 0))
    run_.refuse(e.range, fmt::format("a layout indexes '{}' from its start", objects_[array].name));
  const auto [known, fresh] = tiles_.try_emplace(array, static_cast<std::uint32_t>(objects_.size()));
  if (!fresh) {
    const SharedObject& other = objects_[known->second].tile;
    if (other.layout != hole.layout)
      run_.fail(e.range, fmt::format("'{}' goes through '{}' here, and through '{}' elsewhere", objects_[array].name,
                                     layout.name, program_.layout(other.layout).name));
    else if (other.element_slots != element_slots)
      run_.fail(e.range, fmt::format("'{}' has elements of {} bytes here, and of {} elsewhere", objects_[array].name,
                                     element_slots * other.slot_bytes, other.element_slots * other.slot_bytes));
    return known->second;
  }
  if (!objects_[array].uneven.slots.empty())
    run_.refuse(e.range,
                fmt::format("'{}' has members at uneven distances, which no layout places", objects_[array].name));
  if (objects_[array].is_used)
    run_.fail(e.range, fmt::format("'{}' is used with a layout here, and without one elsewhere", objects_[array].name));
  if (elements < cells)
    run_.fail(e.range, fmt::format("'{}' has {} elements, and '{}' places {} x {}", objects_[array].name, elements,
                                   layout.name, layout.rows, layout.columns));
  Object object = objects_[array];
  if (object.is_extern) object.slots = cells * element_slots;
  const bool is_sized = object.is_extern || object.sized_by == hole.layout;
  object.tile = {object.name,       0,
                 object.slot_bytes, {},
                 hole.layout,       static_cast<int>(element_slots),
                 elements,          object.slots / std::max<std::int64_t>(1, elements * element_slots),
                 is_sized};
  run_.trace.shared_objects[known->second] = object.tile;
  return add(std::move(object));
}

void MemoryObjects::start_block() {
  for (Object& object : objects_) {
    if (object.space != Object::Space::kShared) continue;
    object.cells = Lanes(object.cells.size());
    for (SharedSlot& slot : object.uses) slot = {};
  }
}

// In [0, end), in all groups or in none.
bool MemoryObjects::is_below(Value v, std::int64_t end) const {
  if (v.stride == 0) return v.bits >= 0 && v.bits < end;
  return !run_.box->strides.is_at_most(v, -1) && run_.box->strides.is_at_most(v, end - 1);
}

bool MemoryObjects::leaves_array(Value index, std::int64_t count) const {
  return index.kind == Value::Kind::kInt && !is_below(index, count);
}

bool MemoryObjects::in_range(const Object& object, Value pointer) const {
  if (!is_data_place(pointer.bits)) return is_below(pointer, object.slots);
  const ValueRange where = range_of(data_place(pointer.bits));
  return where.low >= 0 && where.high < object.slots;
}

ValueRange MemoryObjects::range_of(const DataPlace& place) const {
  const ValueRange sum = sums_.at(place.sum.aux).values;
  return {sum.low + place.offset, sum.high + place.offset};
}

std::int64_t MemoryObjects::end_of(Value pointer) const {
  if (is_data_place(pointer.bits)) return range_of(data_place(pointer.bits)).high + 1;
  return (pointer.stride == 0 ? pointer.bits : run_.box->strides.range(pointer).second) + 1;
}

bool MemoryObjects::is_address(Value v) const {
  while (v.is_node() && provenance_.node(v).kind == Node::Kind::kChoice) v = provenance_.node(v).children()[0];
  return v.is_pointer();
}

bool MemoryObjects::is_cell(Value place) const {
  while (place.is_node() && provenance_.node(place).kind == Node::Kind::kChoice)
    place = provenance_.node(place).children()[0];
  return place.is_pointer() && objects_[place.aux].tile.layout.valid();
}

bool MemoryObjects::lies_in(Value place, Object::Space space) const {
  if (!is_address(place)) return false;
  const Value leaf = provenance_.leaves(place)[0];
  return leaf.is_pointer() && objects_[leaf.aux].space == space;
}

// Whether a lane's place is, or may come out to be, in memory of this kind.
bool MemoryObjects::meets(const Lanes& places, Object::Space space) const {
  const auto is_there = [&](Value p) {
    while (p.is_node() && provenance_.node(p).kind == Node::Kind::kChoice) p = provenance_.node(p).children()[0];
    return p.is_pointer() && objects_[p.aux].space == space;
  };
  if (places.are_alike()) return run_.mask.any() && is_there(places[0]);
  for (std::size_t t = 0; t < run_.mask.on.size(); ++t)
    if (run_.mask.on[t] && is_there(places[t])) return true;
  return false;
}

Value MemoryObjects::scaled(Value index, std::int64_t factor) {
  return provenance_.map_leaves(index, [&](Value x) {
    if (x.stride != 0 && !x.is_pointer())
      return run_.box->strides.binary(Operator::kMul, Scalar::kI64, x, Value::integer(factor));
    return x.is_int() ? Value::integer(x.bits * factor) : x;
  });
}

Value MemoryObjects::shifted(Value pointer, int slots) {
  return slots == 0 ? pointer : provenance_.binary(Operator::kAdd, Scalar::kI64, pointer, Value::integer(slots));
}

Value MemoryObjects::at_data(Value pointer, Value index, Scalar s, std::int64_t slots, Value guard, SourceRange range) {
  if (run_.box != nullptr) return run_.box->strides.lose();
  if (!pointer.is_pointer() || objects_[pointer.aux].tile.layout.valid()) {
    run_.refuse(range, "holes and data decide this index together, which is not supported");
    return {};
  }
  return over_choices(provenance_, index, [&](Value i) {
    return run_.failed() || i.is_undefined() ? Value{} : place_of(pointer, i, s, slots, guard, range);
  });
}

// That an index is made of.
std::optional<std::string> MemoryObjects::first_integers_in(Value index, int depth) const {
  if (!index.is_node() || depth == 0) return std::nullopt;
  const Node& n = provenance_.node(index);
  const auto& parameters = program_.function(program_.entry).parameters;
  if (n.kind == Node::Kind::kInput && n.tag < parameters.size())
    return is_real(n.scalar) ? std::nullopt : std::optional(program_.variable(parameters[n.tag]).name);
  std::optional<std::string> first;
  n.for_each_part([&](Value part) {
    if (!first) first = first_integers_in(part, depth - 1);
  });
  return first;
}

// `buffer`: of integers that the index is made of.
static std::string unknown_index(const std::optional<std::string>& buffer) {
  const std::string why = "data decide this index, and what it may be is not known";
  return !buffer ? why
                 : why + fmt::format("; '#pragma swizzle range {0}(0, n)' says that every element of {0} is in [0, n)",
                                     *buffer);
}

// False: conditions say something else of the sum than is known of it.
static bool keep(std::unordered_map<std::uint32_t, DataIndex>& sums, const DataIndex& now) {
  DataIndex& known = sums.try_emplace(now.place.sum.aux, now).first->second;
  const bool differs = known.values.low != now.values.low || known.values.high != now.values.high;
  if (differs && (known.is_by_guard || now.is_by_guard)) return false;
  known = now;
  return true;
}

Value MemoryObjects::place_of(Value pointer, Value index, Scalar s, std::int64_t slots, Value guard,
                              SourceRange range) {
  if (index.is_int()) return Value::pointer(pointer.aux, pointer.bits + index.bits * slots);
  const bool is_global = objects_[pointer.aux].space == Object::Space::kGlobal;
  if (is_global && !may_have_data_places(run_.trace.buffers[objects_[pointer.aux].buffer.value], slots)) {
    run_.refuse(range, "data decide this index, which is not supported here");
    return {};
  }
  const auto by = data_index(provenance_, index, s, guard);
  if (!by) {
    run_.refuse(range, unknown_index(first_integers_in(index)));
    return {};
  }
  const bool moves = is_data_place(pointer.bits);
  const DataPlace from = moves ? data_place(pointer.bits) : DataPlace{Value::integer(0), pointer.bits};
  const DataIndex before = moves ? sums_.at(from.sum.aux) : DataIndex{};
  const Value scaled = provenance_.multiply(Ring::kSum, Scalar::kI64, Value::integer(slots), by->place.sum);
  const Value sum = provenance_.normalize(provenance_.combine(Ring::kSum, Scalar::kI64, from.sum, scaled));
  const std::int64_t offset = from.offset + slots * by->place.offset;
  if (!sum.is_node()) return Value::pointer(pointer.aux, sum.bits + offset);
  const auto slot = slot_of({sum, offset});
  if (!slot) {
    run_.refuse(range, "data decide this index, and it lies too far from its start");
    return {};
  }
  const auto [low, high] = std::minmax({slots * by->values.low, slots * by->values.high});
  const ValueRange all{before.values.low + low, before.values.high + high};
  if (const std::int64_t cases = is_global ? 0 : swizzle::count_cases(provenance_, {sum, offset}, all);
      cases > kMostDataCases) {
    run_.refuse(range, fmt::format("data decide this index, and it may be any of {}; up to {} are gone through", cases,
                                   kMostDataCases));
    return {};
  }
  if (!keep(sums_, {{sum, 0}, all, before.is_by_guard || by->is_by_guard})) {
    run_.refuse(range, "data decide this index, and conditions say of it what others do not: this is not supported");
    return {};
  }
  return Value::pointer(pointer.aux, *slot);
}

bool MemoryObjects::has_cases(Value pointer) const {
  if (!pointer.is_pointer() || !is_data_place(pointer.bits)) return false;
  const Object& object = objects_[pointer.aux];
  return object.space != Object::Space::kGlobal || run_.execution.by_cases.contains(object.buffer.value);
}

std::int64_t MemoryObjects::count_cases(Value pointer) const {
  if (!is_data_place(pointer.bits)) return 1;
  const DataPlace place = data_place(pointer.bits);
  return swizzle::count_cases(provenance_, place, sums_.at(place.sum.aux).values);
}

const std::vector<DataCase>& MemoryObjects::cases_of(Value pointer) {
  const auto [known, fresh] = cases_.try_emplace(pointer.bits);
  const DataPlace place = data_place(pointer.bits);
  if (fresh) known->second = swizzle::cases_of(provenance_, place, sums_.at(place.sum.aux).values);
  return known->second;
}

// The object that the pointer, or what holes choose among, points into, if both it and the type are of scalars.
const Object* MemoryObjects::scalars_at(Value pointer, const Type& type) const {
  while (pointer.is_node() && provenance_.node(pointer).kind == Node::Kind::kChoice)
    pointer = provenance_.node(pointer).children()[0];
  const bool is_of_scalars =
      pointer.is_pointer() && type.form != Type::Form::kPointer && !type.is_mixed && type.slots >= 1;
  return is_of_scalars && objects_[pointer.aux].scalar ? &objects_[pointer.aux] : nullptr;
}

int bytes_at_once(const Type& type) {
  constexpr int kWidestBytes = 16;
  return std::clamp(type.alignment_bytes, 1, kWidestBytes);
}

bool MemoryObjects::is_misaligned(Value place, int bytes) {
  const Object& object = objects_[place.aux];
  if (object.space == Object::Space::kShared || !object.scalar || bytes <= object.slot_bytes) return false;
  const int slots = bytes / object.slot_bytes;
  if (is_data_place(place.bits)) return data_place(place.bits).offset % slots != 0;  // data choose whole items
  const auto is_apart = [slots](std::int64_t step) { return step % slots != 0; };
  if (place.stride != 0 && std::ranges::any_of(run_.box->strides.steps_of(place), is_apart)) run_.box->strides.lose();
  return place.bits % slots != 0;
}

void MemoryObjects::stay_aligned(const Lanes& places, int bytes, SourceRange range) {
  if (!run_.execution.shape || bytes <= 1) return;
  std::uint32_t narrow = kNone;  // an object of which every slot is as wide
  run_.for_active([&](int t) {
    const Value place = places[at(t)];
    if (run_.failed() || (place.is_pointer() && place.aux == narrow)) return;
    if (place.is_pointer() && bytes <= objects_[place.aux].slot_bytes) {
      narrow = place.aux;
      return;
    }
    std::optional<Value> first;
    const Value misaligned = provenance_.map_leaves(place, [&](Value leaf) {
      const bool is_apart = leaf.is_pointer() && is_misaligned(leaf, bytes);
      if (is_apart && !first) first = leaf;
      return Value::integer(is_apart);
    });
    if (!first || run_.failed()) return;
    const Object& object = objects_[first->aux];
    const std::string where =
        is_data_place(first->bits) ? "" : fmt::format(" at byte {}", first->bits * object.slot_bytes);
    run_.violate(provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, run_.mask.guard[at(t)], misaligned),
                 fmt::format("thread {} accesses {} bytes{} of '{}', which is no multiple of {}", run_.number_of(t),
                             bytes, where, object.name, bytes),
                 range);
  });
}

// A pointer may have been cast to wider scalars than its object has: 8 halves read as a uint4 are 2 slots for each of
// its words.
int MemoryObjects::slots_per_scalar(Value pointer, TypeId id) const {
  const Type& type = program_.type(id);
  const Object* const object = scalars_at(pointer, type);
  return object == nullptr ? 1 : std::max(1, size_bytes(type.scalar) / object->slot_bytes);
}

// The other way round: an unsigned read as a half2 has both of its scalars in one slot.
int MemoryObjects::scalars_per_slot(Value pointer, TypeId id) const {
  const Type& type = program_.type(id);
  const Object* const object = scalars_at(pointer, type);
  return object == nullptr ? 1 : std::max(1, object->slot_bytes / size_bytes(type.scalar));
}

std::optional<Scalar> MemoryObjects::held_as(Value pointer, TypeId id) const {
  const Type& type = program_.type(id);
  const Object* const object = scalars_at(pointer, type);
  const bool is_other = object != nullptr && *object->scalar != type.scalar;
  return is_other && size_bytes(*object->scalar) == size_bytes(type.scalar) ? object->scalar : std::nullopt;
}

std::int64_t MemoryObjects::item_slots(Value pointer, TypeId type) const {
  return std::max<std::int64_t>(
      1, std::int64_t{run_.slots_of(type)} * slots_per_scalar(pointer, type) / scalars_per_slot(pointer, type));
}

// Whose neighbour a cell is depends on the layout.
void MemoryObjects::refuse_arithmetic(Value place, SourceRange range) {
  if (is_cell(place))
    run_.refuse(
        range,
        "this steps from one cell of a tile to another, and a layout decides where that lies; ask the layout: tile[L(r, c)]");
}

}  // namespace swizzle
