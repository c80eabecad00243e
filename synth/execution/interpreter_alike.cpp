// What all threads do alike, at one place of their registers or of a buffer.
#include "synth/execution/interpreter.h"

namespace swizzle {

// The registers that all threads name alike, as they lie there; null: they are elsewhere, or in a wider or narrower
// type, or outside.
const Object* Interpreter::registers_at(const Lanes& places, TypeId type) const {
  if (!places.are_alike() || !places[0].is_pointer() || places[0].stride != 0 || !act_alike()) return nullptr;
  const Value place = places[0];
  const Object& object = objects_[place.aux];
  if (object.space != Space::kLocal || place.bits < 0 || place.bits + slots_of(type) > object.slots) return nullptr;
  return slots_per_scalar(place, type) == 1 && scalars_per_slot(place, type) == 1 ? &object : nullptr;
}

bool Interpreter::nobody_writes(const Object& object) const {
  return object.space == Space::kGlobal &&
         (box_ != nullptr || !execution_.shape || trace_.buffers[object.buffer.value].is_const);
}

std::optional<Lanes> Interpreter::read_alike(const Lanes& places, TypeId type, SourceRange range) {
  const int slots = slots_of(type);
  if (const Object* const object = registers_at(places, type)) {
    if (object->cells.are_alike()) return Lanes(at(threads_ * slots), object->cells[0]);
    Lanes result = blank(slots);
    const int first = static_cast<int>(places[0].bits), width = static_cast<int>(object->slots);
    for (int t = 0; t < threads_; ++t)
      for (int s = 0; s < slots; ++s) result.entry(at(t, slots, s)) = object->cells[at(t, width, first + s)];
    return result;
  }
  const bool is_one = places.are_alike() && places[0].is_pointer() && act_alike() && slots == 1;
  if (!is_one || !nobody_writes(objects_[places[0].aux]) || slots_per_scalar(places[0], type) != 1 ||
      scalars_per_slot(places[0], type) != 1)
    return std::nullopt;
  return Lanes(at(threads_), read_slot(0, places[0], range));
}

bool Interpreter::write_alike(const Lanes& places, const Lanes& values, TypeId type) {
  const Object* const found = registers_at(places, type);
  const int slots = slots_of(type);
  if (found == nullptr || places[0].aux < outer_objects_ || truth(mask_.guard[0]) != true ||
      execution_.register_writes != nullptr || values.size() != at(threads_ * slots))
    return false;
  Object& object = objects_[places[0].aux];
  if (object.slots == slots) {
    object.cells = values;
    return true;
  }
  const int first = static_cast<int>(places[0].bits), width = static_cast<int>(object.slots);
  for (int t = 0; t < threads_; ++t)
    for (int s = 0; s < slots; ++s) object.cells.entry(at(t, width, first + s)) = values[at(t, slots, s)];
  return true;
}

}  // namespace swizzle
