// Accesses to shared memory: their wavefronts, or, where holes have a say in them, what they are known by.
#include <algorithm>

#include <fmt/format.h>

#include "synth/execution/interpreter.h"

namespace swizzle {
// An item wider than its alignment goes piece by piece, as in load_instructions().
void Interpreter::count_shared(const Lanes& places, TypeId id, SharedOperation operation, SourceRange range) {
  constexpr int kWidestBytes = 16;
  const Type& type = program_.type(id);
  count_shared(places, std::clamp(type.alignment_bytes, 1, kWidestBytes), type.size_bytes, operation, range);
}

void Interpreter::count_shared(const Lanes& places, int piece, int size_bytes, SharedOperation operation,
                               SourceRange range) {
  if (!meets(places, Space::kShared)) return;
  const SharedMemoryModel& memory = execution_.memory;
  for (int first = 0; first < threads_; first += memory.lanes) {
    LaneAddresses addresses;
    for (int t = first; t < std::min(threads_, first + memory.lanes); ++t)
      addresses.push_back(shared_address(t, places[at(t)]));
    bool open = false, aligned = true;
    for (int t = first; t < std::min(threads_, first + memory.lanes); ++t) open |= is_open(t, places[at(t)]);
    for (int done = 0; done < size_bytes; done += piece) {
      if (open) {
        record_shared(first, places, operation, 8 * piece, done, range);
        continue;
      }
      for (const auto& address : addresses) aligned &= !address || *address % piece == 0;
      if (!aligned)
        return fail(range, fmt::format("an access of {} bytes must be aligned to as many, and this one is not", piece));
      if (!count_wavefronts_under_guards(first, operation, 8 * piece, addresses))
        record_shared(first, places, operation, 8 * piece, done, range);
      for (auto& address : addresses)
        if (address) *address += piece;
    }
  }
}

bool Interpreter::count_wavefronts_under_guards(int first, SharedOperation operation, int bits,
                                                const LaneAddresses& addresses) {
  std::vector<int> active;
  for (std::size_t lane = 0; lane < addresses.size(); ++lane)
    if (addresses[lane]) active.push_back(static_cast<int>(lane));
  const int count = count_wavefronts(execution_.memory, operation, bits, addresses).count;
  const bool all_alike = std::ranges::all_of(
      active, [&](int lane) { return mask_.guard[at(first + lane)] == mask_.guard[at(first + active.front())]; });
  if (all_alike) {
    count_under(guards_of(first, active), &Counts::shared_wavefronts, count);
    return true;
  }
  // Fewer lanes may spread over fewer banks, and let a load's phases merge that did not.
  const std::vector<std::vector<int>> phases = phases_of(execution_.memory, operation, bits, addresses);
  const bool merges = operation == SharedOperation::kLoad && bits > 32;
  if (merges || count != static_cast<int>(phases.size())) return false;
  for (const std::vector<int>& phase : phases) count_under(guards_of(first, phase), &Counts::shared_wavefronts, 1);
  return true;
}

std::optional<std::int64_t> Interpreter::shared_address(int thread, Value place) const {
  if (!mask_.on[static_cast<std::size_t>(thread)] || !place.is_pointer()) return std::nullopt;
  const Object& object = objects_[place.aux];
  if (object.space != Space::kShared) return std::nullopt;
  return object.base_bytes + offset_of(place.bits, object.slot_bytes, object.uneven);
}

// Holes have a say in where this lane's word lies.
bool Interpreter::is_open(int thread, Value place) const {
  if (!mask_.on[at(thread)]) return false;
  return place.is_node() || (place.is_pointer() && objects_[place.aux].tile.layout.valid());
}

// Undefined where the holes keep the thread out.
Value Interpreter::where_guarded(int thread, Value place) {
  return provenance_.map_leaves(may_be(mask_.guard[at(thread)], true),
                                [&](Value leaf) { return truth(leaf) == false ? Value{} : place; });
}

void Interpreter::record_shared(int first, const Lanes& places, SharedOperation operation, int bits, int offset_bytes,
                                SourceRange range) {
  SharedAccess access{operation, bits, offset_bytes, range, {}, 1};
  std::vector<std::tuple<Value::Kind, std::uint32_t, std::int64_t>> key;
  for (int t = first; t < std::min(threads_, first + execution_.memory.lanes); ++t) {
    const Value lane = mask_.on[at(t)] ? where_guarded(t, places[at(t)]) : Value{};
    access.lanes.push_back(lane);
    key.emplace_back(lane.kind, lane.aux, lane.bits);
    for (const Value& leaf : provenance_.leaves(lane))
      if (leaf.is_pointer() && !objects_[leaf.aux].tile.layout.valid())
        trace_.shared_objects.try_emplace(leaf.aux, SharedObject{objects_[leaf.aux].name,
                                                                 objects_[leaf.aux].base_bytes,
                                                                 objects_[leaf.aux].slot_bytes,
                                                                 objects_[leaf.aux].uneven,
                                                                 {},
                                                                 1,
                                                                 0,
                                                                 1,
                                                                 false});
  }
  const auto [known, fresh] = recorded_.try_emplace({operation, bits, offset_bytes, range.begin, std::move(key)},
                                                    trace_.shared_accesses.size());
  if (fresh) trace_.shared_accesses.push_back(std::move(access));
  else trace_.shared_accesses[known->second].count += 1;
}

}  // namespace swizzle
