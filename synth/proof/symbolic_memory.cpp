// Memory of a symbolic run: variables, shared words, elements of buffers.
#include <algorithm>

#include "synth/program/places.h"
#include "synth/program/size_tree.h"
#include "synth/proof/symbolic_interpreter.h"

namespace swizzle {

Scalar SymbolicState::scalar_of(TypeId type) const {
  const Type& t = innermost(program_, type);
  return t.form == Type::Form::kPointer ? Scalar::kI64 : t.scalar;
}

// Of an array that is as long as the launch says; 0: that is no number.
static int launched_slots(const Program& program, int slot_bytes) {
  constexpr std::int64_t kMostBytes = 1 << 18;  // more than any multiprocessor has
  const auto& bytes = program.directives.launch->shared_bytes;
  const auto tree = bytes ? parse_size(*bytes, program.source) : Result<SizeTree>(SizeTree());
  const auto value = bytes && tree.ok() ? value_of(*tree, {}) : std::nullopt;
  return value && *value >= 0 && *value <= kMostBytes ? static_cast<int>(*value / slot_bytes) : 0;
}

std::uint32_t SymbolicInterpreter::object_of(VariableId id) {
  const auto [known, fresh] = object_of_.try_emplace(id, static_cast<std::uint32_t>(objects_.size()));
  if (!fresh) return known->second;
  const Variable& variable = program_.variable(id);
  const Type& type = program_.type(variable.type);
  Object object;
  object.name = variable.name;
  object.slots = variable.is_reference ? 1 : std::max(1, type.slots);
  const Type* scalar = &innermost(program_, variable.type);
  object.slot_bytes = std::max(1, scalar->size_bytes / std::max(1, scalar->slots));
  if (!variable.is_reference) object.scalar = packed_scalar(*scalar);
  object.depth = variable.is_shared ? 0 : depth();
  object.declared = here();
  if (variable.is_shared && variable.is_extern) object.slots = launched_slots(program_, object.slot_bytes);
  const auto is_named = [&](const Expr& e) { return e.kind == ExprKind::kVariable && e.variable == id; };
  if (object.slots == 0 && std::ranges::any_of(program_.exprs, is_named))
    give_up("the size of a shared array is the launch's");
  object.slots = std::max(1, object.slots);
  if (variable.is_shared) {
    if (spec_ == nullptr && !region_.slices.empty()) give_up("warps share memory");
    only_of_blocks();
    object.space = Object::Space::kShared;
    object.uses.resize(static_cast<std::size_t>(object.slots));
  }
  object.cells = SymbolicCells(variable.is_shared ? 1 : threads_, object.slots);
  objects_.push_back(std::move(object));
  return known->second;
}

SymbolicInterpreter::Lanes SymbolicInterpreter::place(ExprId id) {
  const Expr& e = program_.expr(id);
  if (stopped()) return blank();
  if (e.kind == ExprKind::kVariable) {
    const std::uint32_t object = object_of(e.variable);
    if (!program_.variable(e.variable).is_reference) return splat(Symbol::pointer(object, Polynomial()));
    return pointers_in(objects_[object].cells);
  }
  if (e.kind == ExprKind::kDereference) return eval(e.operands[0]);
  if (e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec) return eval(id), place(e.operands[0]);
  if (e.kind != ExprKind::kSubscript && e.kind != ExprKind::kMember) return temporary(id, e);
  const Type& base = program_.type(program_.expr(e.operands[0]).type);
  const bool through_pointer = base.form == Type::Form::kPointer;
  Lanes pointers = through_pointer ? eval(e.operands[0]) : place(e.operands[0]);
  if (stopped()) return pointers;
  const Lanes index =
      e.kind == ExprKind::kSubscript ? eval(e.operands[1]) : splat(Symbol::integer(Polynomial(e.member_slot)));
  const auto at_index = [&](const Symbol& p, const Symbol& i) {
    if (!has_cases(p) && !has_cases(i)) return element(e, p, i);
    return by_cases(p, i, [&](const Symbol& x, const Symbol& y) { return element(e, x, y); });
  };
  compute(pointers, at_index, index);
  return pointers;
}

// p[i], or the member of *p at i.
Symbol SymbolicInterpreter::element(const Expr& e, const Symbol& p, const Symbol& i) {
  const Type& base = program_.type(program_.expr(e.operands[0]).type);
  if (p.is_pointer() && i.kind == Symbol::Kind::kData && base.form == Type::Form::kPointer)
    return gathered(p, i, slots_per_scalar(p, e.type) * slots_of(e.type));
  if (!p.is_pointer() || !i.is_integer()) return give_up("data decide an address"), Symbol{};
  if (e.kind == ExprKind::kSubscript && base.form != Type::Form::kPointer && base.count > 0) {
    const auto value = i.number.value();
    if (!value || *value < 0 || *value >= base.count)
      return give_up("an index of an array that depends on the sizes, or leaves it"), Symbol{};
  }
  const std::int64_t stride = slots_per_scalar(p, e.type) * (e.kind == ExprKind::kMember ? 1 : slots_of(e.type));
  Symbol at = p;
  at.number = p.number + i.number * Polynomial(stride);
  return at;
}

SymbolicInterpreter::Lanes SymbolicInterpreter::temporary(ExprId id, const Expr& e) {
  const Lanes values = eval(id);
  const auto [known, fresh] = temporaries_.try_emplace(id, static_cast<std::uint32_t>(objects_.size()));
  if (fresh) {
    Object object;
    object.name = "a temporary";
    object.slots = slots_of(e.type);
    object.depth = depth();
    object.cells = SymbolicCells(threads_, object.slots);
    objects_.push_back(std::move(object));
  }
  declare(objects_[known->second], values);
  return splat(Symbol::pointer(known->second, Polynomial()));
}

// What a reference refers to.
// How many slots a scalar of the type takes up where the pointer leads: two halves for each word of a uint4.
std::int64_t SymbolicState::slots_per_scalar(const Symbol& pointer, TypeId id) const {
  const Type& type = program_.type(id);
  if (!pointer.is_pointer() || !objects_[pointer.object].scalar || type.form == Type::Form::kPointer || type.is_mixed ||
      type.slots < 1)
    return 1;
  return std::max(1, size_bytes(scalar_of(id)) / objects_[pointer.object].slot_bytes);
}

// Not through a pointer to narrower scalars, and aligned to what is accessed at once.
bool SymbolicInterpreter::is_held_as(const Symbol& pointer, TypeId id) {
  const Type& type = program_.type(id);
  if (!pointer.is_pointer()) return give_up("an address is undefined"), false;
  const Object& object = objects_[pointer.object];
  if (!object.scalar) return true;
  const int bytes = type.form == Type::Form::kPointer || type.is_mixed ? 0 : size_bytes(scalar_of(id));
  if (bytes == 0 || bytes % object.slot_bytes != 0) return give_up("memory is read as another type"), false;
  const int aligned = (type.form == Type::Form::kRecord ? type.alignment_bytes : bytes) / object.slot_bytes;
  const bool is_apart =
      pointer.data.is_node() && !has_cases(pointer) && !elements_.index_of(pointer.data).is_multiple_of(aligned);
  if (aligned > 1 && object.space == Object::Space::kGlobal &&
      (is_apart || !pointer.number.divided(aligned).rest.terms().empty()))
    return give_up("an access of several elements may not be aligned"), false;
  return true;
}

// The slots of a local variable at which a constant pointer leads to a value of the type; nothing: elsewhere.
std::optional<SymbolicInterpreter::SlotRange> SymbolicInterpreter::local_slots(const Lanes& places, TypeId type) const {
  if (!places.is_plain() || !places[0].is_pointer()) return std::nullopt;
  const Object& object = objects_[places[0].object];
  const std::int64_t first = places[0].number.constant(),
                     end = first + slots_of(type) * slots_per_scalar(places[0], type);
  if (object.space != Object::Space::kLocal || first < 0 || end > object.slots) return std::nullopt;
  return SlotRange{static_cast<std::size_t>(first), static_cast<std::size_t>(end)};
}

// Whether all threads read the same there.
bool SymbolicInterpreter::is_read_once(const Lanes& places, TypeId type) {
  if (!is_computed_once({&places}) || !places[0].is_pointer()) return false;
  const Object& object = objects_[places[0].object];
  if (object.space == Object::Space::kGlobal) return object.is_const && are_in_one_place();
  const auto range = local_slots(places, type);
  if (!range) return false;
  for (std::size_t slot = range->first; slot < range->end; ++slot) {
    if (!object.cells.is_same(slot)) return false;
    if (object.cells.at(0, slot).data.is_node() && !are_in_one_place()) return false;
  }
  return true;
}

// Whether a write leaves the same in all threads that have the variable.
bool SymbolicInterpreter::is_written_once(const Lanes& places, const Lanes& values, TypeId type) {
  const auto range = local_slots(places, type);
  if (!range || !values.is_same() || uncertain_ > 0 || slots_per_scalar(places[0], type) != 1 ||
      held_scalar(places[0], type) != scalar_of(type))
    return false;
  const Object& object = objects_[places[0].object];
  if (loose_.contains(places[0].object) || object.depth < static_cast<int>(loops_.size()) ||
      !is_held_as(places[0], type))
    return false;
  for (std::size_t t = 0; t < mask_.size(); ++t)
    if (mask_[t] ? path_[t] != kEverywhere && path_[t] != object.declared[t] : object.declared[t] != kNowhere)
      return false;
  return true;
}

SymbolicInterpreter::Lanes SymbolicInterpreter::read(const Lanes& places, TypeId type) {
  const int slots = slots_of(type);
  Lanes result = blank(slots);
  if (is_read_once(places, type)) {
    for (int s = 0; s < slots && !stopped(); ++s)
      result.of_all(static_cast<std::size_t>(s)) = read_scalar(thread_, places[0], s, type);
    return result;
  }
  for_active([&](int t) {
    const Symbol& place = places[at(t)];
    for (int s = 0; s < slots && !stopped(); ++s)
      result[at(t, slots, s)] = !has_cases(place)
                                    ? read_scalar(t, place, s, type)
                                    : by_cases(place, [&](const Symbol& p) { return read_scalar(t, p, s, type); });
  });
  return result;
}

// The scalar at `index` of those of the type.
Symbol SymbolicInterpreter::read_scalar(int thread, Symbol pointer, int index, TypeId type) {
  if (index == 0 && !is_held_as(pointer, type)) return {};
  const std::int64_t count = slots_per_scalar(pointer, type);
  pointer.number = pointer.number + Polynomial(index * count);
  Symbol whole;
  std::vector<Value> parts;
  for (std::int64_t i = 0; i < count && !stopped(); ++i) {
    whole = read_slot(thread, pointer);
    if (count > 1) parts.push_back(data_of(whole, *objects_[pointer.object].scalar));
    pointer.number = pointer.number + Polynomial(1);
  }
  if (count == 1 && !stopped()) return seen_as(whole, held_scalar(pointer, type), scalar_of(type));
  return stopped() ? whole : symbol_of(elements_.provenance().join(scalar_of(type), std::move(parts)));
}

void SymbolicInterpreter::write(const Lanes& places, const Lanes& values, TypeId type, SourceRange range) {
  const int slots = slots_of(type);
  if (is_written_once(places, values, type)) {
    SymbolicCells& cells = objects_[places[0].object].cells;
    const auto first = static_cast<std::size_t>(*places[0].number.value());
    for (std::size_t s = 0; s < static_cast<std::size_t>(slots); ++s) cells.set_all(first + s, values[s]);
    return;
  }
  for_active([&](int t) {
    const auto write_at = [&](Symbol p) {
      if (!is_held_as(p, type)) return Symbol{};
      const auto count = static_cast<int>(slots_per_scalar(p, type));
      for (int s = 0; s < slots * count && !stopped(); ++s) {
        const Symbol& whole = values[at(t, slots, s / count)];
        write_slot(t, p,
                   count == 1 ? seen_as(whole, scalar_of(type), held_scalar(p, type))
                              : part_of(whole, type, *objects_[p.object].scalar, s % count, count),
                   range);
        p.number = p.number + Polynomial(1);
      }
      return Symbol{};
    };
    if (const Symbol& place = places[at(t)]; has_cases(place)) by_cases(place, write_at);
    else write_at(place);
  });
}

// From its start on, and up to where the spec reads, too, or some candidate for the extent.
bool SymbolicInterpreter::stays_inside(const Object& object, const Polynomial& slot, Value path) {
  if (extents_ == nullptr || is_rehearsed_) return true;
  const auto& [ends, touched] = (*extents_)[object.buffer];
  const auto it = touched.find(slot);
  const bool is_touched = it != touched.end() && (it->second == path || guards().implies(path, it->second, region_));
  const auto known_least = region_.least(slot);
  if (is_touched && known_least && *known_least >= 0) return true;
  const std::vector<Polynomial>& facts = guards().facts(path, region_);
  if (!facts.empty() && guards().follows(slot, facts, region_)) {
    if (is_touched) return true;
    for (const Polynomial& end : ends)
      if (guards().follows(end - slot - Polynomial(1), facts, region_)) return true;
  }
  const auto from_start = is_at_least_0(slot);
  if (!from_start) return false;
  if (!*from_start) return give_up("'" + object.name + "' is read before its start"), false;
  if (is_touched) return true;
  for (const Polynomial& end : ends)
    if (const auto least = region_.least(end - slot - Polynomial(1)); least && *least >= 0) return true;
  for (const Polynomial& end : ends) {
    const auto before_end = is_at_least_0(end - slot - Polynomial(1));
    if (!before_end) return false;
    if (*before_end) return true;
  }
  return give_up("nothing shows that '" + object.name + "' is not read behind its end"), false;
}

Symbol SymbolicInterpreter::read_slot(int thread, const Symbol& pointer) {
  Object& object = objects_[pointer.object];
  if (object.space == Object::Space::kGlobal) {
    const Value path = path_[at(thread)];
    if (pointer.data.is_node()) return read_gathered(object, pointer, path);
    if (stored_.contains(object.buffer))
      if (const auto own = read_back(thread, object, pointer.number)) return *own;
    if (updated_.contains(object.buffer)) give_up("'" + object.name + "' is read and updated");
    return read_element(thread, object, pointer.number);
  }
  const auto slot = pointer.number.value();
  if (!slot || *slot < 0 || *slot >= object.slots)
    return give_up("an address in '" + object.name + "' depends on the sizes, or leaves it"), Symbol{};
  if (object.space == Object::Space::kLocal) {
    const Symbol& held = std::as_const(object.cells).at(at(thread), static_cast<std::size_t>(*slot));
    const Value path = path_[at(thread)];
    if (elements_.begins_with_number(held.data)) return chosen(held, guards().within(held.data, path));
    return guards().is_choice(held.data) && held.kind == Symbol::Kind::kData && path != kEverywhere
               ? symbol_of(guards().outcome(held.data, path, region_))
               : held;
  }
  use_shared(object, *slot, {.thread = thread});
  return object.cells.at(0, static_cast<std::size_t>(*slot));
}

// Of an object whose scalars have the width of the type's.
Scalar SymbolicInterpreter::held_scalar(const Symbol& pointer, TypeId id) const {
  const Type& type = program_.type(id);
  const bool is_of_scalars = type.form != Type::Form::kPointer && !type.is_mixed && pointer.is_pointer();
  return is_of_scalars ? objects_[pointer.object].scalar.value_or(scalar_of(id)) : scalar_of(id);
}

Symbol SymbolicInterpreter::seen_as(const Symbol& s, Scalar from, Scalar to) {
  if (from == to || s.is_undefined() || stopped()) return s;
  if (is_real(from) == is_real(to)) return converted(s, from, to);
  return symbol_of(elements_.provenance().same_bits(data_of(s, from), from, to));
}

Symbol SymbolicInterpreter::part_of(const Symbol& whole, TypeId type, Scalar scalar, int index, int count) {
  return symbol_of(elements_.provenance().part(scalar, data_of(whole, scalar_of(type)), index, count));
}

void SymbolicInterpreter::write_slot(int thread, const Symbol& pointer, const Symbol& value, SourceRange range) {
  Object& object = objects_[pointer.object];
  if (pointer.data.is_node()) return give_up("data decide where something is stored");
  if (object.space == Object::Space::kGlobal) {
    if (is_rehearsed_) return;
    if (object.is_const || updated_.contains(object.buffer))
      return give_up("'" + object.name + "' is read and written");
    stored_.insert(object.buffer);
    if (value.is_pointer() || pointer.number.has(unknown_)) return give_up("what decides an address is not followed");
    if (!rounds_.empty()) return give_up("a loop over a size that others share stores something");
    return store(thread, object, pointer.number, data_of(value, *object.scalar), range);
  }
  if (loose_.contains(pointer.object)) {
    if (object.depth < static_cast<int>(loops_.size())) trace_.sequences.insert(loops_.back());
    return;
  }
  if (object.depth < static_cast<int>(loops_.size()) && !carried_.contains(pointer.object))
    return give_up("an iteration changes '" + object.name + "', which others see");
  const auto slot = pointer.number.value();
  if (!slot || *slot < 0 || *slot >= object.slots)
    return give_up("an address in '" + object.name + "' depends on the sizes, or leaves it");
  // What a condition decides that is taken both ways is not known.
  const Symbol known =
      uncertain_ > 0 && object.space == Object::Space::kLocal && value.is_integer() ? unknown() : value;
  const Value path = path_[at(thread)];
  if (object.space == Object::Space::kLocal) {
    Symbol& cell = object.cells.at(at(thread), static_cast<std::size_t>(*slot));
    cell = predicated(path, object.declared[at(thread)], known, cell);
    return;
  }
  use_shared(object, *slot, {.thread = thread, .is_write = true, .written = value});
  Symbol& cell = object.cells.at(0, static_cast<std::size_t>(*slot));
  Symbol written = value;
  for_each_condition(thread, [&](Value condition, bool holds) {
    written =
        holds ? selected(condition, written, cell, object.scalar) : selected(condition, cell, written, object.scalar);
  });
  cell = predicated(path, kEverywhere, written, cell);
}

// What there is after a write where `path` holds, if all that reads it is where `whole` does.
Symbol SymbolicInterpreter::predicated(Value path, Value whole, const Symbol& value, const Symbol& old) {
  if (path == kEverywhere || path == whole) return value;
  return selected(whole == kEverywhere ? path : guards().without_implied(path, whole, region_), value, old);
}

// Two threads in a word at once, one of which writes, with no barrier between.
void SymbolicState::use_shared(Object& object, std::int64_t slot, Object::SharedUse use) {
  auto& uses = object.uses[static_cast<std::size_t>(slot)];
  ++shared_uses_;
  if (!uses.empty() && uses.front().epoch != epoch_) uses.clear();
  const int warp = use.thread / 32, warp_epoch = warp_epoch_[static_cast<std::size_t>(warp)];
  const Value path = path_[at(use.thread)];
  for (const Object::SharedUse& other : uses) {
    const bool is_ordered = other.thread == use.thread || (other.thread / 32 == warp && other.warp_epoch != warp_epoch);
    const bool are_alike = (use.updates && use.updates == other.updates) ||
                           (use.written && !use.written->is_undefined() && use.written == other.written);
    if (is_ordered || are_alike || (!use.is_write && !other.is_write)) continue;
    if (!rounds_.empty() || !loops_.empty() || guards().is_possible(guards().both(other.where, path), region_))
      return give_up("a race in '" + object.name + "'");
  }
  use.epoch = epoch_, use.warp_epoch = warp_epoch;
  use.where = rounds_.empty() && loops_.empty() ? path : kEverywhere;
  uses.push_back(std::move(use));
}

}  // namespace swizzle
