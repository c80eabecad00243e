#include "synth/execution/lane_memory.h"

#include <algorithm>
#include <utility>

namespace swizzle {

double load_instructions(const Type& type) {
  const int piece = bytes_at_once(type);
  return std::max(1, (type.size_bytes + piece - 1) / piece);
}

Lanes LaneMemory::read(const Lanes& places, TypeId type, SourceRange range) {
  objects_.stay_aligned(places, bytes_at_once(program_.type(type)), range);
  std::optional<Lanes> alike = read_alike(places, type, range);
  Lanes result = alike ? std::move(*alike) : read_each(places, type, range);
  wavefronts_.count_shared(places, type, SharedOperation::kLoad, range);
  const bool loads = objects_.meets(places, Object::Space::kGlobal);
  if (run_.box != nullptr) issues_.note_issue({false, range.begin}, loads);
  if (loads) issues_.count_guarded(&Counts::loads, load_instructions(program_.type(type)));
  return result;
}

bool LaneMemory::has_cases(const Lanes& places) const {
  for (std::size_t t = 0; t < run_.mask.on.size(); ++t)
    if (run_.mask.on[t] && cells_.has_cases(places[t])) return true;
  return false;
}

Lanes LaneMemory::read_each(const Lanes& places, TypeId type, SourceRange range) {
  const int slots = run_.slots_of(type);
  Lanes result = run_.blank(slots);
  Value before;  // of the thread before: lanes mostly read the same object
  int narrow = 1, in_slot = 1;
  std::optional<Scalar> held;
  run_.for_active([&](int t) {
    const Value place = places[at(t, 1, 0)];
    if (!place.is_pointer() || !before.is_pointer() || place.aux != before.aux)
      narrow = objects_.slots_per_scalar(place, type), in_slot = objects_.scalars_per_slot(place, type),
      held = objects_.held_as(place, type);
    before = place;
    for (int s = 0; s < slots && !run_.failed(); ++s) {
      if (in_slot > 1) {
        const Value whole = cells_.read_slot(t, objects_.shifted(place, s / in_slot), range);
        if (!run_.failed())
          result.entry(at(t, slots, s)) = provenance_.part(program_.type(type).scalar, whole, s % in_slot, in_slot);
        continue;
      }
      if (narrow == 1) {
        const Value whole = cells_.read_slot(t, objects_.shifted(place, s), range);
        result.entry(at(t, slots, s)) = held ? seen(whole, *held, program_.type(type).scalar, range) : whole;
        continue;
      }
      std::vector<Value> parts;
      for (int p = 0; p < narrow && !run_.failed(); ++p)
        parts.push_back(cells_.read_slot(t, objects_.shifted(place, s * narrow + p), range));
      if (!run_.failed())
        result.entry(at(t, slots, s)) = provenance_.join(program_.type(type).scalar, std::move(parts));
    }
  });
  return result;
}

Value LaneMemory::seen(Value v, Scalar from, Scalar to, SourceRange range) {
  const Value result = provenance_.same_bits(v, from, to);
  if (result.is_undefined() && !v.is_undefined() && !run_.failed())
    run_.refuse(range, "this word is followed bit by bit, and no real value is");
  return result;
}

void LaneMemory::write(const Lanes& places, const Lanes& values, TypeId type, SourceRange range) {
  objects_.stay_aligned(places, bytes_at_once(program_.type(type)), range);
  if (write_alike(places, values, type)) return;
  const int slots = run_.slots_of(type);
  run_.for_active([&](int t) {
    const Value place = places[at(t, 1, 0)];
    const int narrow = objects_.slots_per_scalar(place, type), in_slot = objects_.scalars_per_slot(place, type);
    const std::optional<Scalar> held = objects_.held_as(place, type);
    for (int s = 0; in_slot > 1 && s + in_slot <= slots && !run_.failed(); s += in_slot) {
      std::vector<Value> parts;
      for (int p = 0; p < in_slot; ++p) parts.push_back(values[at(t, slots, s + p)]);
      cells_.write_slot(t, objects_.shifted(place, s / in_slot),
                        provenance_.join(*objects_[provenance_.leaves(place)[0].aux].scalar, std::move(parts)), range);
    }
    for (int s = 0; in_slot == 1 && s < slots; ++s)
      for (int p = 0; p < narrow && !run_.failed(); ++p) {
        const Value whole = values[at(t, slots, s)];
        const Value value = held ? seen(whole, program_.type(type).scalar, *held, range) : whole;
        const Value part = narrow == 1
                               ? value
                               : provenance_.part(*objects_[provenance_.leaves(place)[0].aux].scalar, value, p, narrow);
        cells_.write_slot(t, objects_.shifted(place, s * narrow + p), part, range);
      }
  });
  wavefronts_.count_shared(places, type, SharedOperation::kStore, range);
}

// The registers that all threads name alike, as they lie there; null: they are elsewhere, or in a wider or narrower
// type, or outside.
const Object* LaneMemory::registers_at(const Lanes& places, TypeId type) const {
  if (!places.are_alike() || !places[0].is_pointer() || places[0].stride != 0 || !run_.act_alike()) return nullptr;
  const Value place = places[0];
  const Object& object = objects_[place.aux];
  if (object.space != Object::Space::kLocal || place.bits < 0 || place.bits + run_.slots_of(type) > object.slots)
    return nullptr;
  return is_held_as(place, type) ? &object : nullptr;
}

bool LaneMemory::is_held_as(Value place, TypeId type) const {
  return objects_.slots_per_scalar(place, type) == 1 && objects_.scalars_per_slot(place, type) == 1 &&
         !objects_.held_as(place, type);
}

bool LaneMemory::nobody_writes(const Object& object) const {
  return object.space == Object::Space::kGlobal &&
         (run_.box != nullptr || !run_.execution.shape || run_.trace.buffers[object.buffer.value].is_const);
}

std::optional<Lanes> LaneMemory::read_alike(const Lanes& places, TypeId type, SourceRange range) {
  const int slots = run_.slots_of(type);
  if (const Object* const object = registers_at(places, type);
      object != nullptr && (object->arm_writes.empty() || truth(run_.mask.guard[0]) == true)) {
    if (object->cells.are_alike()) return Lanes(at(run_.threads * slots), object->cells[0]);
    Lanes result = run_.blank(slots);
    const int first = static_cast<int>(places[0].bits), width = static_cast<int>(object->slots);
    for (int t = 0; t < run_.threads; ++t)
      for (int s = 0; s < slots; ++s) result.entry(at(t, slots, s)) = object->cells[at(t, width, first + s)];
    return result;
  }
  const bool is_one = places.are_alike() && places[0].is_pointer() && run_.act_alike() && slots == 1;
  if (!is_one || !nobody_writes(objects_[places[0].aux]) || !is_held_as(places[0], type)) return std::nullopt;
  return Lanes(at(run_.threads), cells_.read_slot(0, places[0], range));
}

bool LaneMemory::write_alike(const Lanes& places, const Lanes& values, TypeId type) {
  const Object* const found = registers_at(places, type);
  const int slots = run_.slots_of(type);
  if (found == nullptr || objects_.is_outer(places[0].aux) || truth(run_.mask.guard[0]) != true ||
      run_.execution.register_writes != nullptr || values.size() != at(run_.threads * slots))
    return false;
  Object& object = objects_[places[0].aux];
  const int first = static_cast<int>(places[0].bits), width = static_cast<int>(object.slots);
  std::erase_if(object.arm_writes, [&](const auto& written) {
    const auto slot = static_cast<int>(written.first % at(width));
    return slot >= first && slot < first + slots;
  });
  if (object.slots == slots) {
    object.cells = values;
    return true;
  }
  for (int t = 0; t < run_.threads; ++t)
    for (int s = 0; s < slots; ++s) object.cells.entry(at(t, width, first + s)) = values[at(t, slots, s)];
  return true;
}

}  // namespace swizzle
