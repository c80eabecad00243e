// Atomics of a symbolic run: see updates.h.
#include "synth/proof/symbolic_interpreter.h"
#include "synth/proof/updates.h"

namespace swizzle {

void SymbolicInterpreter::eval_atomic(const Expr& e) {
  const Lanes places = eval(e.operands[0]), given = eval(e.operands[1]);
  const auto ring = ring_of_updates(e.intrinsic);
  const Scalar s = scalar_of(e.type);
  if (!ring || (is_set(*ring) && s == Scalar::kU64)) return give_up("atomics of this kind");
  for_active([&](int t) {
    const bool is_negative = e.intrinsic == Intrinsic::kAtomicSub;
    const Symbol none = symbol_of(neutral(*ring, s));
    update(t, places[at(t)], is_negative ? binary(Operator::kSub, e.type, none, given[at(t)]) : given[at(t)], *ring,
           e.type);
  });
}

void SymbolicInterpreter::update(int thread, const Symbol& pointer, const Symbol& value, Ring ring, TypeId type) {
  if (stopped()) return;
  if (!pointer.is_pointer() || value.is_undefined() || value.is_pointer()) return give_up("what an atomic is given");
  Object& object = objects_[pointer.object];
  const Scalar s = scalar_of(type);
  if (object.space == Object::Space::kLocal || object.scalar != s) return give_up("an atomic on words of another type");
  if (uncertain_ > 0 && spec_ == nullptr) return give_up("a condition of an index decides an atomic");
  Provenance& provenance = elements_.provenance();
  const Value none = neutral(ring, s);
  Value comes = data_of(value, s);
  for_each_condition(thread, [&](Value condition, bool holds) {
    comes = provenance.select(condition, holds ? comes : none, holds ? none : comes, s);
  });
  const Value path = path_[at(thread)];
  if (object.space == Object::Space::kShared) {
    const auto slot = pointer.data.is_node() ? std::nullopt : pointer.number.value();
    if (!slot || *slot < 0 || *slot >= object.slots) return give_up("data decide where something is stored");
    use_shared(object, *slot, {.thread = thread, .is_write = true, .updates = ring});
    Symbol& cell = object.cells.at(0, static_cast<std::size_t>(*slot));
    if (cell.is_undefined()) return give_up("'" + object.name + "' is updated before it is written");
    if (path != kEverywhere) comes = provenance.select(path, comes, none, s);
    cell = symbol_of(provenance.combine(ring, s, data_of(cell, s), comes));
    return;
  }
  updated_.insert(object.buffer);
  if (is_rehearsed_) return;
  if (object.is_const || stored_.contains(object.buffer) || read_.contains(object.buffer))
    return give_up("'" + object.name + "' is updated and named elsewhere");
  if (!rounds_.empty()) return give_up("a loop over a size that others share updates something");
  if (spec_ == nullptr && region_.dimensions[kTurns] && loops_.empty()) {  // a block makes it once, whatever its turns
    comes = elements_.part_of_turn(comes, ring, s);
    if (comes.is_undefined()) return give_up("an atomic is made once, and a loop before it goes on by the whole grid");
  }
  GatheredIndex index = GatheredIndex::of(pointer.number);
  if (pointer.data.is_node()) index.add(elements_.index_of(pointer.data));
  const bool is_narrow = index.is_narrow && !elements_.range_of(index, region_);
  trace_.updates.push_back(
      {object.buffer, elements_.value_of(index), is_narrow, ring, s, provenance.normalize(comes), loops_, path});
}

// What is added up begins with a placeholder, and from nothing.
void SymbolicInterpreter::begin_sums_of_turns(std::vector<CarriedSymbol>& carried) {
  for (CarriedSymbol& c : carried) {
    if (c.kind != CarriedSymbol::Kind::kAdds) continue;
    thread_ = static_cast<int>(c.thread);
    if (!(data_of(c.start, c.scalar) == neutral(c.ring, c.scalar))) c.kind = CarriedSymbol::Kind::kLost;
    else objects_[c.object].cells.at(c.thread, c.slot) = {Symbol::Kind::kData, {}, 0, c.placeholder};
  }
}

void SymbolicInterpreter::end_sums_of_turns(std::vector<CarriedSymbol>& carried) {
  for (CarriedSymbol& c : carried) {
    if (c.kind != CarriedSymbol::Kind::kAdds) continue;
    const bool is_followed = !c.is_shared && mask_[c.thread] != 0 && adds(left_in(c).data, c) &&
                             !c.part.is_undefined() && !elements_.has_placeholder(c.part);
    if (!is_followed) {
      c.kind = CarriedSymbol::Kind::kLost;
      continue;
    }
    if (const Value path = path_[c.thread]; path != kEverywhere)
      c.part = elements_.provenance().select(path, c.part, neutral(c.ring, c.scalar), c.scalar);
    c.part = elements_.sum_of_turns(c.ring, c.scalar, c.part);
  }
}

}  // namespace swizzle
