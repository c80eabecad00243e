#include "synth/execution/shared_wavefronts.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace swizzle {

// An item wider than its alignment goes piece by piece, as in load_instructions().
void SharedWavefronts::count_shared(const Lanes& places, TypeId id, SharedOperation operation, SourceRange range) {
  const Type& type = run_.program.type(id);
  count_shared(places, bytes_at_once(type), type.size_bytes, operation, range);
}

void SharedWavefronts::count_shared(const Lanes& places, int piece, int size_bytes, SharedOperation operation,
                                    SourceRange range) {
  if (!objects_.meets(places, Object::Space::kShared)) return;
  const SharedMemoryModel& memory = run_.execution.memory;
  for (int first = 0; first < run_.threads; first += memory.lanes) {
    LaneAddresses addresses;
    for (int t = first; t < std::min(run_.threads, first + memory.lanes); ++t)
      addresses.push_back(shared_address(t, places[at(t)]));
    bool open = false, aligned = true;
    for (int t = first; t < std::min(run_.threads, first + memory.lanes); ++t) open |= is_open(t, places[at(t)]);
    for (int done = 0; done < size_bytes; done += piece) {
      if (open) {
        record_shared(first, places, operation, 8 * piece, done, range);
        continue;
      }
      for (const auto& address : addresses) aligned &= !address || *address % piece == 0;
      if (!aligned)
        return run_.fail(range,
                         fmt::format("an access of {} bytes must be aligned to as many, and this one is not", piece));
      if (!count_wavefronts_under_guards(first, operation, 8 * piece, addresses))
        record_shared(first, places, operation, 8 * piece, done, range);
      for (auto& address : addresses)
        if (address) *address += piece;
    }
  }
}

bool SharedWavefronts::count_wavefronts_under_guards(int first, SharedOperation operation, int bits,
                                                     const LaneAddresses& addresses) {
  std::vector<int> active;
  for (std::size_t lane = 0; lane < addresses.size(); ++lane)
    if (addresses[lane]) active.push_back(static_cast<int>(lane));
  const int count = count_wavefronts(run_.execution.memory, operation, bits, addresses).count;
  const bool all_alike = std::ranges::all_of(active, [&](int lane) {
    return run_.mask.guard[at(first + lane)] == run_.mask.guard[at(first + active.front())];
  });
  if (all_alike) {
    issues_.count_under(issues_.guards_of(first, active), &Counts::shared_wavefronts, count);
    return true;
  }
  // Fewer lanes may spread over fewer banks, and let a load's phases merge that did not.
  const std::vector<std::vector<int>> phases = phases_of(run_.execution.memory, operation, bits, addresses);
  const bool merges = operation == SharedOperation::kLoad && bits > 32;
  if (merges || count != static_cast<int>(phases.size())) return false;
  for (const std::vector<int>& phase : phases)
    issues_.count_under(issues_.guards_of(first, phase), &Counts::shared_wavefronts, 1);
  return true;
}

std::optional<std::int64_t> SharedWavefronts::shared_address(int thread, Value place) const {
  if (!run_.mask.on[static_cast<std::size_t>(thread)] || !place.is_pointer()) return std::nullopt;
  const Object& object = objects_[place.aux];
  if (object.space != Object::Space::kShared) return std::nullopt;
  // As few as there may be: where data choose the word, all lanes may have the same one.
  const std::int64_t slot = is_data_place(place.bits) ? 0 : place.bits;
  return object.base_bytes + offset_of(slot, object.slot_bytes, object.uneven);
}

// Holes have a say in where this lane's word lies.
bool SharedWavefronts::is_open(int thread, Value place) const {
  if (!run_.mask.on[at(thread)]) return false;
  return place.is_node() || (place.is_pointer() && objects_[place.aux].tile.layout.valid());
}

// Undefined where the holes keep the thread out.
Value SharedWavefronts::where_guarded(int thread, Value place) {
  return provenance_.map_leaves(issues_.may_be(run_.mask.guard[at(thread)], true),
                                [&](Value leaf) { return truth(leaf) == false ? Value{} : place; });
}

void SharedWavefronts::record_shared(int first, const Lanes& places, SharedOperation operation, int bits,
                                     int offset_bytes, SourceRange range) {
  SharedAccess access{operation, bits, offset_bytes, range, {}, 1};
  std::vector<std::tuple<Value::Kind, std::uint32_t, std::int64_t>> key;
  for (int t = first; t < std::min(run_.threads, first + run_.execution.memory.lanes); ++t) {
    const Value lane = run_.mask.on[at(t)] ? where_guarded(t, places[at(t)]) : Value{};
    access.lanes.push_back(lane);
    key.emplace_back(lane.kind, lane.aux, lane.bits);
    for (const Value& leaf : provenance_.leaves(lane))
      if (leaf.is_pointer() && !objects_[leaf.aux].tile.layout.valid())
        run_.trace.shared_objects.try_emplace(leaf.aux, SharedObject{objects_[leaf.aux].name,
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
                                                    run_.trace.shared_accesses.size());
  if (fresh) run_.trace.shared_accesses.push_back(std::move(access));
  else run_.trace.shared_accesses[known->second].count += 1;
}

}  // namespace swizzle
