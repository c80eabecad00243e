// Memory: registers, by bytes, so that vectors and their parts meet; and what goes to memory.
#include <algorithm>
#include <utility>

#include "synth/program/places.h"
#include "synth/timing/warp_tracer.h"

namespace swizzle {
namespace {

constexpr int kWidestBytes = 16;
constexpr std::int64_t kSectorBytes = 32, kLineBytes = 128;
constexpr std::int64_t kSharedAlignmentBytes = 128;
constexpr std::int64_t kMostObjectBytes = 1 << 20;

}  // namespace

int WarpTracer::object_of(VariableId id) {
  int& known = variable_object_[id.value];
  if (known >= 0) return known;
  const Variable& variable = program_.variable(id);
  const Type& type = program_.type(variable.type);
  TimedObject object;
  const int leaf = variable.is_reference ? size_bytes(Scalar::kI64) : leaf_bytes(variable.type);
  const std::int64_t bytes = std::int64_t{leaf} * (variable.is_reference ? 1 : slots_of(variable.type));
  if (variable.is_shared) {
    object.space = Space::kShared;
    object.base_bytes = shared_bytes_;
    const std::int64_t size = std::max(type.size_bytes, 1);
    shared_bytes_ += (size + kSharedAlignmentBytes - 1) / kSharedAlignmentBytes * kSharedAlignmentBytes;
  } else if (leaf == 0 || bytes > kMostObjectBytes) {
    give_up("'" + variable.name + "' has elements of several types, or padded ones");
  } else {
    if (variable.is_constant_memory) object.space = Space::kConstant;
    object.cells.resize(static_cast<std::size_t>(bytes));
  }
  objects_.push_back(std::move(object));
  return known = static_cast<int>(objects_.size() - 1);
}

std::optional<std::int64_t> WarpTracer::known_offset(const WarpValue& place) const {
  return graph_.integer(place.node);
}

WarpValue WarpTracer::part_of(WarpValue whole, std::int64_t from_byte, int bytes, Scalar s) {
  if (whole.node == kNoNode || whole.is_place()) return {};
  const WarpNode node = graph_.node(whole.node);
  if (node.kind == WarpOp::kPack) {
    std::int64_t at = 0;
    for (const NodeIndex part : node.operands) {
      const int size = size_bytes(graph_.node(part).scalar);
      if (at == from_byte && size == bytes) return {part, -1};
      at += size;
    }
  }
  return {graph_.add({.kind = WarpOp::kPart, .scalar = s, .tag = from_byte, .operands = {whole.node}}), -1};
}

WarpValue WarpTracer::packed(const std::vector<WarpValue>& parts, int bytes, Scalar s) {
  std::vector<NodeIndex> nodes;
  NodeIndex whole = kNoNode;
  bool is_whole = true;
  std::int64_t at = 0;
  for (const WarpValue& part : parts) {
    if (part.node == kNoNode || part.is_place()) return {};
    const WarpNode& node = graph_.node(part.node);
    const bool is_next = node.kind == WarpOp::kPart && node.tag == at;
    if (nodes.empty() && is_next) whole = node.operands[0];
    is_whole = is_whole && is_next && node.operands[0] == whole;
    nodes.push_back(part.node);
    at += size_bytes(node.scalar);
  }
  if (is_whole && size_bytes(graph_.node(whole).scalar) == bytes) return {whole, -1};
  return {graph_.add({.kind = WarpOp::kPack, .scalar = s, .operands = std::move(nodes)}), -1};
}

WarpValue WarpTracer::read_cells(TimedObject& object, std::int64_t offset, int bytes, Scalar s) {
  if (offset < 0 || offset + bytes > static_cast<std::int64_t>(object.cells.size())) return {};
  const auto cell = [&](std::int64_t at) -> TimedObject::Cell& { return object.cells[static_cast<std::size_t>(at)]; };
  if (cell(offset).bytes == bytes) return cell(offset).value;
  if (cell(offset).bytes > bytes) return part_of(cell(offset).value, 0, bytes, s);
  for (std::int64_t back = 1; cell(offset).bytes == 0 && back < kWidestBytes && back <= offset; ++back)
    if (cell(offset - back).bytes > 0)
      return cell(offset - back).bytes >= back + bytes ? part_of(cell(offset - back).value, back, bytes, s)
                                                       : WarpValue{};
  std::vector<WarpValue> parts;
  std::int64_t at = offset;
  while (at < offset + bytes && cell(at).bytes > 0) {
    parts.push_back(cell(at).value);
    at += cell(at).bytes;
  }
  return at == offset + bytes ? packed(parts, bytes, s) : WarpValue{};
}

// Wider ones that reach into these bytes become pieces as wide as them.
void WarpTracer::split_cells(TimedObject& object, std::int64_t offset, int bytes) {
  for (std::int64_t at = std::max<std::int64_t>(0, offset - kWidestBytes); at < offset + bytes; ++at) {
    const TimedObject::Cell old = object.cells[static_cast<std::size_t>(at)];
    if (old.bytes == 0 || at + old.bytes <= offset || (at >= offset && at + old.bytes <= offset + bytes)) continue;
    for (int piece = 0; piece + bytes <= old.bytes; piece += bytes)
      object.cells[static_cast<std::size_t>(at + piece)] = {part_of(old.value, piece, bytes, Scalar::kU32), bytes};
  }
}

void WarpTracer::write_cells(TimedObject& object, std::int64_t offset, int bytes, WarpValue value, Scalar s) {
  if (offset < 0 || offset + bytes > static_cast<std::int64_t>(object.cells.size())) return;
  if (object.depth < guards_.size()) {
    const WarpValue old = read_cells(object, offset, bytes, s);
    if (!value.is_place() && !old.is_place() && old.node != kNoNode) {
      NodeIndex condition = guards_[object.depth];
      for (std::size_t g = object.depth + 1; g < guards_.size(); ++g)
        condition = graph_.binary(Operator::kLogicalAnd, Scalar::kBool, condition, guards_[g]);
      value.node = graph_.select(condition, value.node, old.node, s, is_predicated_);
    }
  }
  split_cells(object, offset, bytes);
  for (int k = 0; k < bytes; ++k) object.cells[static_cast<std::size_t>(offset + k)] = {};
  object.cells[static_cast<std::size_t>(offset)] = {value, bytes};
}

NodeIndex WarpTracer::address(WarpValue place) {
  const bool is_shared = objects_[static_cast<std::size_t>(place.object)].space == Space::kShared;
  const NodeIndex base = graph_.base_of(place.node);
  return graph_.add({.kind = WarpOp::kAddress,
                     .scalar = is_shared ? Scalar::kU32 : Scalar::kI64,
                     .tag = is_shared ? 0 : place.object,  // where an array in shared memory starts is known
                     .operands = {base}});
}

// Wavefronts of 128 bytes, and sectors, of the lanes that take part; where data decide the address, the least there
// are.
void WarpTracer::note_accesses(MemoryInstruction& m, WarpValue place, std::int64_t offset,
                               SharedOperation operation) const {
  const TimedObject& object = objects_[static_cast<std::size_t>(place.object)];
  LaneAddresses addresses(kTimedLanes);
  const LaneIntegers* known = graph_.lanes(place.node);
  int active = 0;
  for (std::size_t t = 0; t < kTimedLanes; ++t) {
    if ((mask_ >> t & 1) == 0) continue;
    const auto own = static_cast<std::int64_t>(t) * m.bytes;
    addresses[t] = known != nullptr ? object.base_bytes + (*known)[t] + offset : own;
    ++active;
  }
  if (m.space == MemoryInstruction::Space::kShared) {
    m.wavefronts = count_wavefronts(warp_.memory, operation, 8 * m.bytes, addresses).count;
    return;
  }
  m.wavefronts = 0;
  const int lanes_per_phase = std::clamp(static_cast<int>(kLineBytes) / m.bytes, 1, kTimedLanes);
  for (int first = 0; first < kTimedLanes; first += lanes_per_phase) {
    std::set<std::int64_t> lines;
    for (int t = first; t < first + lanes_per_phase; ++t) {
      if (!addresses[static_cast<std::size_t>(t)]) continue;
      const std::int64_t a = *addresses[static_cast<std::size_t>(t)];
      lines.insert(a / kLineBytes);
      for (std::int64_t s = a / kSectorBytes; s <= (a + m.bytes - 1) / kSectorBytes; ++s) m.sectors.insert(s);
    }
    m.wavefronts += static_cast<double>(lines.size());
  }
  if (m.is_store) m.stored_bytes = active * m.bytes;
}

std::size_t WarpTracer::memory_instruction(WarpValue place, std::int64_t offset, int bytes, bool is_store,
                                           SharedOperation operation) {
  const TimedObject& object = objects_[static_cast<std::size_t>(place.object)];
  MemoryInstruction m;
  m.space = object.space == Space::kGlobal   ? MemoryInstruction::Space::kGlobal
            : object.space == Space::kShared ? MemoryInstruction::Space::kShared
                                             : MemoryInstruction::Space::kConstant;
  m.is_store = is_store;
  m.parameter = object.parameter;
  m.bytes = bytes;
  if (m.space != MemoryInstruction::Space::kConstant) note_accesses(m, place, offset, operation);
  trace_.memory.push_back(std::move(m));
  return trace_.memory.size() - 1;
}

// The same words need no second instruction, if nothing was stored meanwhile.
WarpValue WarpTracer::load(WarpValue place, std::int64_t offset, int bytes, Scalar s) {
  const bool is_read_only = objects_[static_cast<std::size_t>(place.object)].is_read_only;
  const auto [known, is_new] =
      loads_.try_emplace({place.object, place.node, offset, bytes, is_read_only ? 0 : epoch_ + 1}, 0);
  if (is_new) known->second = memory_instruction(place, offset, bytes, false, SharedOperation::kLoad);
  return {graph_.add({.kind = WarpOp::kLoad,
                      .scalar = s,
                      .tag = static_cast<std::int64_t>(known->second),
                      .operands = {address(place)}}),
          -1};
}

WarpValues WarpTracer::read(WarpValue place, TypeId id) {
  const int slots = slots_of(id), leaf = leaf_bytes(id);
  WarpValues values = blank(slots);
  if (stopped() || mask_ == 0) return values;
  if (!place.is_place()) return give_up("data decide an address"), values;
  if (leaf == 0) return give_up("elements are of several types"), values;
  TimedObject& object = objects_[static_cast<std::size_t>(place.object)];
  const Scalar s = scalar_of(id);
  const auto offset = known_offset(place);
  if (object.space == Space::kLocal || (object.space == Space::kConstant && offset)) {
    if (!offset) return give_up("what is known only at run time chooses a register"), values;
    for (int k = 0; k < slots; ++k)
      values[static_cast<std::size_t>(k)] = read_cells(object, *offset + k * leaf, leaf, s);
    return values;
  }
  const Type& type = program_.type(id);
  const int piece = std::clamp(type.alignment_bytes, leaf, kWidestBytes);
  for (int at = 0; at < slots * leaf; at += piece) {
    const int bytes = std::min(piece, slots * leaf - at);
    const WarpValue loaded = load(place, at, bytes, s);
    for (int k = 0; k * leaf < bytes; ++k)
      values[static_cast<std::size_t>(at / leaf + k)] = bytes == leaf ? loaded : part_of(loaded, k * leaf, leaf, s);
  }
  return values;
}

void WarpTracer::write(WarpValue place, const WarpValues& values, TypeId id) {
  const int slots = slots_of(id), leaf = leaf_bytes(id);
  if (stopped() || mask_ == 0) return;
  if (!place.is_place()) return give_up("data decide an address");
  if (leaf == 0) return give_up("elements are of several types");
  TimedObject& object = objects_[static_cast<std::size_t>(place.object)];
  const Scalar s = scalar_of(id);
  if (object.space == Space::kLocal || object.space == Space::kConstant) {
    const auto offset = known_offset(place);
    if (!offset) return give_up("what is known only at run time chooses a register");
    for (int k = 0; k < slots; ++k)
      write_cells(object, *offset + k * leaf, leaf, values[static_cast<std::size_t>(k)], s);
    return;
  }
  ++epoch_;
  const int piece = std::clamp(program_.type(id).alignment_bytes, leaf, kWidestBytes);
  for (int at = 0; at < slots * leaf; at += piece) {
    const int bytes = std::min(piece, slots * leaf - at);
    const std::size_t m = memory_instruction(place, at, bytes, true, SharedOperation::kStore);
    WarpNode store{
        .kind = WarpOp::kStore, .scalar = s, .tag = static_cast<std::int64_t>(m), .operands = {address(place)}};
    for (int k = 0; k * leaf < bytes; ++k)
      if (const NodeIndex stored = values[static_cast<std::size_t>(at / leaf + k)].node; stored != kNoNode)
        store.operands.push_back(stored);
    trace_.roots.push_back(graph_.add(std::move(store)));
  }
}

}  // namespace swizzle
