// Cells that data choose, and cells that change by what they are.
#include <fmt/format.h>

#include "synth/execution/cell_access.h"
#include "synth/provenance/indicators.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostTerms = 32'768;  // of a sum over cases

}  // namespace

// A place, or each that data may make it: the sum of what is there, times whether it is there.
Value CellAccess::read_place(int thread, Value pointer, const Access& access, SourceRange range) {
  if (!has_cases(pointer)) return read_leaf(thread, pointer, access, range);
  const std::optional<Scalar> type = objects_[pointer.aux].scalar;
  Value seen = type && is_real(*type) ? Value::real(0) : Value::integer(0);
  std::size_t terms = 0;
  each_case(pointer, access, [&](Value slot, const Access& one, Value when) {
    const Value there = read_leaf(thread, slot, one, range);
    if (type) terms += provenance_.terms(Ring::kSum, *type, there).size();
    if (terms > kMostTerms) run_.refuse(range, "data decide this index, and what is there has too many cases");
    const bool is_number = type && *type != Scalar::kBool && !is_word(provenance_, there) && !there.is_undefined();
    if (run_.failed() || seen.is_undefined()) return;
    if (there.is_undefined()) seen = {};
    else if (!is_number || truth(when)) seen = provenance_.select(when, there, seen, type);
    else if (there.is_node() || there.as_real() != 0)
      seen = provenance_.combine(Ring::kSum, *type, seen,
                                 provenance_.multiply(Ring::kSum, *type, indicator(provenance_, when, *type), there));
  });
  return run_.failed() ? Value{} : provenance_.normalize(seen);
}

bool CellAccess::has_cases(Value pointer) const {
  return objects_.has_cases(pointer) && objects_.in_range(objects_[pointer.aux], pointer);
}

void CellAccess::update_slot(int thread, Value pointer, WordUse use, const Update& update, SourceRange range) {
  if (!is_followed(pointer, range)) return;
  each_place(pointer, {run_.mask.guard[at(thread)], pointer}, range,
             [&](Value slot, const Access& one) { update_leaf(thread, slot, one, use, update, range); });
}

void CellAccess::update_leaf(int thread, Value pointer, const Access& access, WordUse use, const Update& update,
                             SourceRange range) {
  Object& object = objects_[pointer.aux];
  const Value guard = races_.condition(access, pointer);
  if (!objects_.in_range(object, pointer)) {
    if (!run_.failed()) leaves_object(guard, object, pointer.bits, range);
    return;
  }
  const bool is_global = object.space == Object::Space::kGlobal;
  if ((objects_.is_outer(pointer.aux) || is_global) && run_.box != nullptr) {
    run_.box->strides.lose();
    return;
  }
  switch (object.space) {
    case Object::Space::kConstant: return run_.fail(range, fmt::format("'{}' is constant", object.name));
    case Object::Space::kLocal: {
      const std::size_t place = at(thread, static_cast<int>(object.slots), static_cast<int>(pointer.bits));
      write_local(object, thread, place, update(seen(object, thread, place), guard), run_.mask.guard[at(thread)]);
      return tell_register(object, thread, pointer.bits, object.cells[place], range);
    }
    case Object::Space::kShared: {
      races_.use_shared(object, thread, pointer, use, access, range);
      Value& there = object.cells.entry(static_cast<std::size_t>(pointer.bits));
      there = update(there, guard);
      return;
    }
    case Object::Space::kGlobal: break;
  }
  mind_data(object, pointer, false, range);
  if (run_.failed()) return;
  if (use == WordUse::kWrite) races_.use_buffer(object, thread, pointer, WordUse::kRead, access, range);
  races_.use_buffer(object, thread, pointer, use, access, range);
  Cell& cell = changed_cell(object, thread, pointer, range);
  cell.value = update(cell.value, guard);
  note_written(cell, guard);
}

// Writes that a barrier parts from this one are before it.
void CellAccess::note_writer(Cell& cell, std::uint32_t thread) {
  const bool is_of_others = cell.block != run_.block;
  const bool is_one = cell.thread == run_.number_of(static_cast<int>(thread));
  const auto last = cell.thread - run_.number_of(0);
  if (is_of_others) cell.outside = cell.written;
  const bool is_behind = !is_one && cell.time && !is_of_others && races_.is_behind(thread, last, *cell.time);
  if (is_of_others || is_behind || cell.epoch != races_.barriers()) {
    cell.since = Value::integer(0);
    cell.others = cell.outside;
    cell.time = 0;
  } else if (!is_one) {
    cell.others = either(cell.outside, cell.since);
    cell.time.reset();
  }
}

Value CellAccess::either(Value a, Value b) { return provenance_.binary(Operator::kLogicalOr, Scalar::kBool, a, b); }

void CellAccess::note_written(Cell& cell, Value guard) {
  cell.written = either(cell.written, guard);
  cell.since = either(cell.since, guard);
}

}  // namespace swizzle
