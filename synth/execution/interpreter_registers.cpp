// What the lanes of the first warp come to hold, for whoever asked: see Execution::register_writes.
#include <algorithm>

#include "synth/execution/interpreter.h"

namespace swizzle {

bool Interpreter::tells_registers_of(int thread) const {
  return execution_.register_writes != nullptr && block_ == 0 && thread < std::min(kWarpSize, execution_.memory.lanes);
}

void Interpreter::tell_register(const Object& object, int thread, std::int64_t slot, Value value, SourceRange range) {
  if (tells_registers_of(thread))
    execution_.register_writes->push_back({range, object.name, slot, object.slots, thread, {}, value});
}

void Interpreter::tell_shuffle(const Expr& e, int thread, int source, const Lanes& result) {
  if (!tells_registers_of(thread)) return;
  const int slots = slots_of(e.type);
  for (int s = 0; s < slots; ++s)
    execution_.register_writes->push_back({e.range, "", s, slots, thread, source, result[at(thread, slots, s)]});
}

}  // namespace swizzle
