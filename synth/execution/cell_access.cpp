#include "synth/execution/cell_access.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "synth/execution/unwritten.h"
#include "synth/program/size_products.h"
#include "synth/provenance/data_places.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

// Where data choose among items, all have the same members.
Scalar scalar_at(const Buffer& buffer, std::int64_t slot) {
  if (!is_data_place(slot)) return buffer.scalar_at(slot);
  const std::int64_t item = buffer.slots_per_item();
  return buffer.scalar_at((data_place(slot).offset % item + item) % item);
}

}  // namespace

Value CellAccess::initial(BufferId id, std::int64_t offset) {
  const Buffer& buffer = run_.trace.buffers[id.value];
  const Scalar scalar = scalar_at(buffer, offset);
  return buffer.has_bits ? input_word(provenance_, id, offset, scalar) : provenance_.input(id, offset, scalar);
}

Value CellAccess::read_slot(int thread, Value pointer, SourceRange range) {
  const Access access{run_.mask.guard[static_cast<std::size_t>(thread)], pointer};
  if (pointer.is_pointer()) return read_place(thread, pointer, access, range);
  if (!is_followed(pointer, range)) return {};
  if (pointer.is_undefined()) {
    run_.break_rule(range, "this address is undefined");
    return {};
  }
  run_.mind_deadline(range);
  stay_inside(access, range);
  return provenance_.map_leaves(pointer, [&](Value leaf) {
    return !run_.failed() && leaf.is_pointer() && objects_.in_range(objects_[leaf.aux], leaf)
               ? read_place(thread, leaf, access, range)
               : Value{};
  });
}

Value CellAccess::read_leaf(int thread, Value pointer, const Access& access, SourceRange range) {
  Object& object = objects_[pointer.aux];
  const std::int64_t offset = pointer.bits;
  if (!objects_.in_range(object, pointer)) {
    if (run_.failed()) return {};
    leaves_object(races_.condition(access, pointer), object, offset, range);
    return {};
  }
  const auto slot = static_cast<std::size_t>(offset);
  switch (object.space) {
    case Object::Space::kLocal:
      return seen(object, thread, at(thread, static_cast<int>(object.slots), static_cast<int>(offset)));
    case Object::Space::kConstant: return object.cells[slot];
    case Object::Space::kShared:
      races_.use_shared(object, thread, pointer, WordUse::kRead, access, range);
      return object.cells[slot];
    case Object::Space::kGlobal: break;
  }
  const BufferId buffer = object.buffer;
  run_.trace.touched[buffer.value] = std::max(run_.trace.touched[buffer.value], objects_.end_of(pointer));
  if (run_.execution.extents_only) {
    const Buffer& of = run_.trace.buffers[buffer.value];
    if (is_data_place(offset)) return provenance_.input(buffer, 0, scalar_at(of, offset));
    return provenance_.input(buffer, offset % of.slots_per_item(), of.scalar_at(offset));
  }
  mind_data(object, pointer, false, range);
  if (run_.box != nullptr) {
    read_repeatedly(object, pointer);
    return run_.failed() ? Value{} : initial(buffer, offset);
  }
  races_.use_buffer(object, thread, pointer, WordUse::kRead, access, range);
  const auto& cells = run_.trace.cells[buffer.value];
  const auto it = cells.find(offset);
  if (it == cells.end()) return initial(buffer, offset);
  return it->second.value;
}

// All that is read of a buffer moves alike, or what is read twice by one group might not be by another.
void CellAccess::read_repeatedly(const Object& object, Value pointer) {
  const std::size_t buffer = object.buffer.value;
  const Steps& steps = run_.box->strides.steps_of(pointer);
  const std::int64_t item = run_.trace.buffers[buffer].slots_per_item();
  const bool keeps_type = std::ranges::all_of(steps, [&](std::int64_t step) { return step % item == 0; });
  std::optional<Steps>& known = run_.box->read_steps[buffer];
  if (!known) known = steps;
  if (*known != steps || !keeps_type || run_.box->is_written[buffer]) run_.box->strides.lose();
}

bool CellAccess::is_followed(Value pointer, SourceRange range) {
  if (pointer.is_pointer() || provenance_.is_index(pointer)) return true;
  run_.refuse(range, "data decide this address, which is not supported");
  return false;
}

void CellAccess::write_slot(int thread, Value pointer, Value value, SourceRange range) {
  if (!is_followed(pointer, range)) return;
  const Access access{run_.mask.guard[static_cast<std::size_t>(thread)], pointer};
  if (!program_.holes.empty() && !run_.execution.extents_only && run_.box == nullptr)
    note_store(thread, access, value, range);
  each_place(pointer, access, range,
             [&](Value slot, const Access& one) { write_leaf(thread, slot, value, one, range); });
}

void CellAccess::note_store(int thread, const Access& access, Value value, SourceRange range) {
  bool any = false;
  const Value pointer = provenance_.map_leaves(access.pointer, [&](Value leaf) {
    if (!leaf.is_pointer() || objects_[leaf.aux].space != Object::Space::kGlobal ||
        !objects_.in_range(objects_[leaf.aux], leaf))
      return Value{};
    any = true;
    return Value::pointer(objects_[leaf.aux].buffer.value, leaf.bits);
  });
  if (any) run_.trace.stores.push_back({access.guard, pointer, value, run_.number_of(thread), range, 0});
}

void CellAccess::write_leaf(int thread, Value pointer, Value value, const Access& access, SourceRange range) {
  const Value guard = races_.condition(access, pointer);
  Object& object = objects_[pointer.aux];
  const std::int64_t offset = pointer.bits;
  if (!objects_.in_range(object, pointer)) {
    if (run_.failed()) return;
    return leaves_object(guard, object, offset, range);
  }
  // A copy of what was never written, of some inputs alone.
  if (value.is_undefined() && object.scalar && !provenance_.is_index(guard)) value = unwritten(*object.scalar);
  if (objects_.is_outer(pointer.aux) && object.space != Object::Space::kGlobal) {
    run_.box->strides.lose();
    return;
  }
  const auto slot = static_cast<std::size_t>(offset);
  const auto store = [&](Value& cell) { cell = provenance_.select(guard, value, cell, object.scalar); };
  switch (object.space) {
    case Object::Space::kLocal: {
      const std::size_t place = at(thread, static_cast<int>(object.slots), static_cast<int>(offset));
      write_local(object, thread, place, value, guard);
      return tell_register(object, thread, offset, object.cells[place], range);
    }
    case Object::Space::kConstant: return run_.fail(range, fmt::format("'{}' is constant", object.name));
    case Object::Space::kShared:
      races_.use_shared(object, thread, pointer, WordUse::kWrite, access, range, value);
      if (object.cells[slot].is_undefined() && object.scalar && !provenance_.is_index(guard))
        object.cells.entry(slot) = unwritten(*object.scalar);
      return store(object.cells.entry(slot));
    case Object::Space::kGlobal: break;
  }
  if (run_.box != nullptr) return write_repeatedly(object, thread, pointer, value, {guard, access.pointer}, range);
  races_.use_buffer(object, thread, pointer, WordUse::kWrite, access, range);
  write_buffer(object, thread, pointer, value, {guard, access.pointer}, range);
}

// `here`: the access, its guard being when it goes to `pointer`. Where holes decide whether two threads store to a
// slot, it is for the completion to say whether they store the same: see stores.h.
void CellAccess::write_buffer(const Object& object, int thread, Value pointer, Value value, const Access& here,
                              SourceRange range) {
  Cell& cell = changed_cell(object, thread, pointer, range);
  const Value guard = here.guard;
  const bool is_open = provenance_.has_choice(guard) && provenance_.is_index(guard);
  const bool may_agree = is_open || provenance_.has_choice(value) || provenance_.has_choice(cell.value);
  const bool is_told_later = may_agree && provenance_.is_index(guard) && provenance_.is_index(cell.others);
  if (!is_told_later && truth(cell.others) != false &&
      !(provenance_.normalize(cell.value) == provenance_.normalize(value))) {
    run_.violate(provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, guard, cell.others),
                 fmt::format("'{}[{}]' is written twice with different values", object.name, pointer.bits), range);
  }
  if (is_open && here.pointer.is_node())
    cell.value = provenance_.map_leaves(guard, [&](Value c) {
      return c.is_undefined() ? c : truth(c) == true ? value : cell.value;
    });
  else cell.value = provenance_.select(guard, value, cell.value, object.scalar);
  if (!is_open) note_written(cell, guard);
}

// Of a buffer, from now on of this thread.
Cell& CellAccess::changed_cell(const Object& object, int thread, Value pointer, SourceRange range) {
  std::int64_t& touched = run_.trace.touched[object.buffer.value];
  touched = std::max(touched, objects_.end_of(pointer));
  mind_data(object, pointer, true, range);
  const std::uint32_t writer = run_.number_of(thread);
  const auto [at, fresh] = run_.trace.cells[object.buffer.value].try_emplace(pointer.bits);
  Cell& cell = at->second;
  if (fresh) cell.value = initial(object.buffer, pointer.bits);
  else note_writer(cell, static_cast<std::uint32_t>(thread));
  cell.thread = writer;
  cell.block = static_cast<std::uint32_t>(run_.block);
  cell.epoch = races_.barriers();
  if (fresh || cell.time) cell.time = races_.time(static_cast<std::uint32_t>(thread));
  cell.range = range;
  return cell;
}

void CellAccess::write_repeatedly(const Object& object, int thread, Value pointer, Value value, const Access& here,
                                  SourceRange range) {
  const std::size_t buffer = object.buffer.value;
  run_.trace.touched[buffer] = std::max(run_.trace.touched[buffer], objects_.end_of(pointer));
  run_.box->is_written[buffer] = 1;
  const bool is_open = here.pointer.is_node() || truth(here.guard) != true;
  Cell& cell = run_.trace.cells[buffer][pointer.bits];
  const Steps& steps = run_.box->strides.steps_of(pointer);
  const bool is_first = cell.steps.empty();
  const bool grows = value.stride != 0 || (value.is_node() && provenance_.node(value).grows);
  if (is_open || run_.box->read_steps[buffer] || grows ||
      (!is_first && (cell.steps != steps || cell.thread != run_.number_of(thread)))) {
    run_.box->strides.lose();
    return;
  }
  cell = {value, Value::integer(1), Value::integer(0), run_.number_of(thread), static_cast<std::uint32_t>(run_.block)};
  cell.range = range;
  cell.steps = steps;
}

// Under another condition on data than it was written under, which may imply that one, a cell is what was written or
// anything.
Value CellAccess::seen(const Object& object, int thread, std::size_t place) {
  if (object.arm_writes.empty()) return object.cells[place];
  const auto known = object.arm_writes.find(place);
  if (known == object.arm_writes.end()) return object.cells[place];
  const Value guard = run_.mask.guard[at(thread)];
  return known->second.seen_under(provenance_, guard, object.scalar).value_or(object.cells[place]);
}

void CellAccess::settle_unwritten() {
  if (unwritten_ == 0) return;
  UnwrittenParts parts(provenance_);
  for (auto& cells : run_.trace.cells)
    for (auto& [slot, cell] : cells) {
      if (run_.execution.deadline.passed()) return;
      if (parts.are_seen_in(cell.value)) cell.value = {};
    }
}

// What a declaration makes has no older value that a guard could keep: in
//
//   if (?sw_cond(t)) for (int k = 0; k < 2; k++) …
//
// k is 0, then 1, wherever it is seen at all, and the loop's end is known.
void CellAccess::write_local(Object& object, int thread, std::size_t place, Value value, Value guard) {
  Value& cell = object.cells.entry(place);
  if (object.declared_under.size() != 0 && guard == object.declared_under[at(thread)]) {
    object.arm_writes.erase(place);
    cell = value;
  } else if (provenance_.is_index(guard)) {
    object.arm_writes.erase(place);
    cell = provenance_.select(guard, value, cell, object.scalar);
  } else {
    write_arm(object, place, value, guard);
  }
}

// Under a condition on data.
void CellAccess::write_arm(Object& object, std::size_t place, Value value, Value guard) {
  if (is_never(provenance_, guard)) return;
  Value& cell = object.cells.entry(place);
  const auto [known, fresh] = object.arm_writes.try_emplace(place, ArmWrite{guard, value, cell});
  if (!fresh && !known->second.write(provenance_, guard, value, object.scalar)) known->second = {guard, value, cell};
  cell = known->second.seen(provenance_, object.scalar);
  if (cell.is_undefined() && object.scalar)
    cell = known->second.seen_or(provenance_, object.scalar, unwritten(*object.scalar));
}

Value CellAccess::unwritten(Scalar s) {
  return provenance_.opaque(kOpaqueUnwritten, s,
                            {Value::integer(run_.execution.shape ? 1 : 0), Value::integer(++unwritten_)});
}

void CellAccess::make_fresh(Object& object, const Lanes& values, SourceRange range) {
  const int slots = static_cast<int>(object.slots);
  object.arm_writes.clear();
  if (run_.mask.all() && object.cells.size() == values.size() && run_.execution.register_writes == nullptr) {
    object.cells = values;
    object.declared_under = run_.mask.guard;
    return;
  }
  if (object.declared_under.size() == 0) object.declared_under = run_.blank();
  run_.for_active([&](int t) {
    object.declared_under.entry(at(t)) = run_.mask.guard[at(t)];
    for (int s = 0; s < slots; ++s) {
      object.cells.entry(at(t, slots, s)) = values[at(t, slots, s)];
      tell_register(object, t, s, values[at(t, slots, s)], range);
    }
  });
}

// Where data choose a slot that is written, it must be none that is used otherwise.
void CellAccess::mind_data(const Object& object, Value pointer, bool is_write, SourceRange range) {
  if (run_.trace.buffers[object.buffer.value].is_const) return;  // never stored to
  if (places_.empty()) places_.resize(run_.trace.buffers.size());
  BufferPlaces& places = places_[object.buffer.value];
  places.note(provenance_, pointer.bits, objects_.count_cases(pointer), is_write);
  if (!places.are_mixed()) return;
  if (!run_.execution.by_cases.contains(object.buffer.value) && places.are_few()) run_.wants_cases = object.buffer;
  const std::string index = buffer_in(data_place(places.by_data()).sum);
  run_.refuse(
      range,
      fmt::format(
          "data decide which elements of '{0}' are used, and some are stored to: nothing tells them apart; '#pragma swizzle range {1}(0, n) distinct' says that no two elements of {1} are alike",
          object.name, index.empty() ? "x" : index));
}

// Of an element that decides an index: empty, there is none.
std::string CellAccess::buffer_in(Value v) const {
  if (!v.is_node()) return "";
  const Node& n = provenance_.node(v);
  if (n.kind == Node::Kind::kInput) return run_.trace.buffers[n.tag].name;
  if (n.kind == Node::Kind::kOpaque)
    for (const Value child : n.children())
      if (std::string name = buffer_in(child); !name.empty()) return name;
  if (n.kind == Node::Kind::kRing)
    for (const Term& term : n.terms())
      for (const NodeId factor : term.factors)
        if (std::string name = buffer_in(Value::node(factor)); !name.empty()) return name;
  return "";
}

void CellAccess::leaves_object(Value violation, const Object& object, std::int64_t offset, SourceRange range) {
  if (is_data_place(offset)) {
    std::vector<std::string> names;
    for (const Buffer& b : run_.trace.buffers) names.push_back(b.name);
    const ValueRange where = objects_.range_of(data_place(offset));
    return run_.violate(
        violation,
        fmt::format("index {}, from {} to {}, is outside '{}' of {} elements", slot_text(provenance_, offset, names),
                    where.low, where.high, object.name, object.slots),
        range, "");
  }
  if (offset < 0)
    return run_.violate(violation, fmt::format("index {} is outside '{}', before its start", offset, object.name),
                        range, "");
  const bool is_measured = object.space == Object::Space::kGlobal && run_.trace.buffers[object.buffer.value].is_pointer;
  const std::string said = fmt::format("index {} is outside '{}' of {} elements", offset, object.name, object.slots);
  if (!is_measured) return run_.violate(violation, said, range, "");
  const auto length = longer_than(object, offset);
  const std::int64_t item = std::max<std::int64_t>(1, run_.trace.buffers[object.buffer.value].slots_per_item());
  auto enough = least_product_from(run_.execution.sizes, offset / item + 1);
  if (enough && enough->value > 2 * (object.slots / item)) enough.reset();
  const std::string note =
      fmt::format("a buffer is as long as the spec uses it; '#pragma swizzle extent {}({})' makes it longer",
                  object.name, length.value_or(enough ? enough->text : "…"));
  if (truth(violation) != true || !length || run_.failed()) return run_.violate(violation, said, range, note);
  run_.fail(range, said, note);
  run_.errors.front().longer = {object.name, *length};
}

// Where nobody says how long a buffer is, it may have as many elements as a product of sizes, of which the spec uses
// most: without a corner of an image, say. Nothing: the slot is outside of that, too.
std::optional<std::string> CellAccess::longer_than(const Object& object, std::int64_t offset) const {
  constexpr std::int64_t kMostUnused = 4;  // a quarter
  const auto is_said = [&](const Extent& extent) { return extent.buffer == object.name; };
  if (std::ranges::any_of(run_.program.directives.extents, is_said)) return std::nullopt;
  const std::int64_t item = std::max<std::int64_t>(1, run_.trace.buffers[object.buffer.value].slots_per_item());
  const auto length = least_product_from(run_.execution.sizes, object.slots / item);
  if (!length || offset >= length->value * item || kMostUnused * (length->value - object.slots / item) > length->value)
    return std::nullopt;
  return length->text;
}

// One requirement for all leaves of an address that lie outside of their object.
void CellAccess::stay_inside(const Access& access, SourceRange range) {
  std::optional<Value> first;
  const Value outside = provenance_.map_leaves(access.pointer, [&](Value leaf) {
    const bool is_outside = leaf.is_pointer() && !objects_.in_range(objects_[leaf.aux], leaf);
    if (is_outside && !first) first = leaf;
    return Value::integer(is_outside);
  });
  if (!first) return;
  const Object& object = objects_[first->aux];
  leaves_object(provenance_.binary(Operator::kLogicalAnd, Scalar::kBool, access.guard, outside), object, first->bits,
                range);
}

void CellAccess::tell_register(const Object& object, int thread, std::int64_t slot, Value value, SourceRange range) {
  if (run_.tells_registers_of(thread))
    run_.execution.register_writes->push_back({range, object.name, slot, object.slots, thread, {}, value});
}

}  // namespace swizzle
