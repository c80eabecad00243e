// What a symbolic run stores to buffers, and reads of those that it may store to.
#include <algorithm>
#include <utility>

#include "synth/proof/symbolic_interpreter.h"

namespace swizzle {

// As it was before the launch.
Symbol SymbolicInterpreter::read_element(int thread, const Object& object, const Polynomial& slot) {
  if (stopped()) return {};
  const Value path = path_[at(thread)];
  if (!object.is_const && !is_rehearsed_)
    trace_.in_place.push_back({object.buffer, slot, thread, epoch_, loops_, path});
  if (!stays_inside(object, slot, path)) return {};
  read_.insert(object.buffer);
  if (spec_ != nullptr)
    trace_.reads.push_back({object.buffer, slot,
                            uncertain_ == 0 && (by_data_ == 0 || loose_.empty()) && !slot.has(unknown_),
                            in_rounds(path), loops_});
  return symbol_of(elements_.at(object.buffer, slot, *object.scalar));
}

// What the same iteration of a spec stored there before; nothing, if it has not: in_place.h says whether that is seen.
std::optional<Symbol> SymbolicState::read_back(int thread, const Object& object, const Polynomial& slot) {
  const Value path = path_[at(thread)];
  std::optional<Symbol> own;
  for (std::size_t i : stores_of_[at(thread)]) {
    const StoredSymbol& store = trace_.stores[i];
    if (store.buffer != object.buffer) continue;
    const auto apart = (slot - store.slot).value();
    if (!apart || store.loops != loops_ || (*apart == 0 && spec_ == nullptr))
      return give_up("'" + object.name + "' is read after it was written"), Symbol{};
    if (*apart == 0 && !guards().implies(path, store.where, region_))
      return give_up("'" + object.name + "' is read where it may not have been written"), Symbol{};
    if (*apart == 0) own = symbol_of(store.value);
  }
  return own;
}

void SymbolicState::store(int thread, const Object& object, const Polynomial& slot, Value value, SourceRange range) {
  const Value path = path_[at(thread)];
  if (spec_ == nullptr)  // what was stored there before stays where this is not
    for (std::size_t i : stores_of_[at(thread)])
      if (StoredSymbol& before = trace_.stores[i];
          before.buffer == object.buffer && before.slot == slot && before.loops == loops_)
        before.stays = guards().both(before.stays, guards().negated(path));
  stores_of_[at(thread)].push_back(trace_.stores.size());
  trace_.stores.push_back({object.buffer, slot, value, thread, range, loops_, path, path, epoch_, index_facts_});
}

// What is there before the store number `then`, to the thread that made the store `of`.
Symbol SymbolicInterpreter::what_was_there(const StoredSymbol& of, std::size_t then) {
  std::optional<Symbol> own;
  for (std::size_t i : stores_of_[at(of.thread)]) {
    const StoredSymbol& before = trace_.stores[i];
    if (i >= then || before.buffer != of.buffer) continue;
    const auto apart = (of.slot - before.slot).value();
    if (!apart || (*apart == 0 && (before.loops != loops_ || !guards().implies(of.where, before.where, region_))))
      return give_up("data decide what is stored where something else was"), Symbol{};
    if (*apart == 0) own = symbol_of(before.value);
  }
  return own ? *own : read_element(of.thread, buffer(of.buffer), of.slot);
}

// Where data decide which of two arms a thread takes, it stores in either case: what the arm stores that it takes, or,
// if only the other one stores there, what there was. The arms' stores are those from `then` on, and from `other` on.
void SymbolicInterpreter::settle_stores(const Lanes& condition, const Mask& by_data, std::size_t then,
                                        std::size_t other) {
  struct Left {
    std::optional<Symbol> then, other;
  };
  std::vector<std::map<std::pair<std::size_t, Polynomial>, Left>> by_element(mask_.size());  // by thread
  const auto left_by = [&](const StoredSymbol& s) -> Left& { return by_element[at(s.thread)][{s.buffer, s.slot}]; };
  const std::size_t end = trace_.stores.size();
  for (std::size_t i = then; i < end && !stopped(); ++i) {
    const StoredSymbol& store = trace_.stores[i];
    if (!by_data[at(store.thread)]) continue;
    if (store.loops != loops_ || store.where != path_[at(store.thread)])
      return give_up("data and sizes decide what is stored");
    (i < other ? left_by(store).then : left_by(store).other) = symbol_of(store.value);
  }
  for (std::size_t i = then; i < end && !stopped(); ++i) {
    StoredSymbol& store = trace_.stores[i];
    if (!by_data[at(store.thread)]) continue;
    thread_ = store.thread;
    auto& [in_then, in_other] = left_by(store);
    if (!in_then || !in_other) (in_then ? in_other : in_then) = what_was_there(store, then);
    if (stopped()) return;
    const Scalar s = *buffer(store.buffer).scalar;
    store.value = data_of(selected(condition[at(store.thread)].data, *in_then, *in_other, s), s);
  }
}

}  // namespace swizzle
