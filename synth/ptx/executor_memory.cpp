// What is read from and written to memory, and counted.
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "synth/ptx/executor.h"
#include "synth/ptx/lane_operations.h"

namespace swizzle::ptx {
namespace {

constexpr int kRowsOfAMatrix = 8, kMatrixRowBits = 128;

// What is loaded or stored, one after the other: the parts of a vector.
std::vector<Operand> elements_of(const Operand& operand) {
  return operand.kind == Operand::Kind::kVector ? operand.parts : std::vector<Operand>{operand};
}

}  // namespace

Space space_of(const Instruction& i) {
  if (i.has(Modifier::kShared) || i.has(Modifier::kSharedCta) || i.has(Modifier::kSharedCluster)) return Space::kShared;
  if (i.has(Modifier::kGlobal)) return Space::kGlobal;
  if (i.has(Modifier::kLocal)) return Space::kLocal;
  if (i.has(Modifier::kConst)) return Space::kConst;
  if (i.has(Modifier::kParam) || i.has(Modifier::kParamEntry) || i.has(Modifier::kParamFunc)) return Space::kParam;
  return Space::kGeneric;
}

// As AddressSpace has it. Of shared memory, instructions give the offset in its window, in 32 bits.
LaneValue Executor::address_of(const Operand& memory, Space space) const {
  const Operand& base = memory.parts[0];
  LaneValue address = value_of(base);
  if (base.is_register()) address = plus(address, base.number);
  if (space != Space::kShared) return address;
  constexpr int kOffsetBits = 32;
  return plus(truncated(address, kOffsetBits), AddressSpace::shared_window());
}

// One after the other, where lanes go to several regions; what goes to none that is known is said not to be counted.
void Executor::in_each_region(const Instruction& i, const LaneValue& address, Space space, const InRegion& each) {
  const MemorySpace counted = space == Space::kGlobal ? MemorySpace::kGlobal : MemorySpace::kShared;
  if (address.region() != kNoRegion) return each(address.region(), address);
  std::map<int, Presences> regions;
  for (std::size_t t = 0; t < threads(); ++t) {
    if (mask_.present[t] == Presence::kOut) continue;
    const auto known = address.find(static_cast<int>(t));
    Presences& here = regions[known ? space_.region_of(*known) : kNoRegion];
    here.resize(threads(), Presence::kOut);
    here[t] = mask_.present[t];
  }
  const bool is_followed = space != Space::kLocal && space != Space::kParam && space != Space::kConst;
  // Lanes that go nobody knows where are taken to go with the others.
  const bool has_open = regions.erase(kNoRegion) > 0;
  if (has_open && is_followed) not_counted(i, counted);
  if (regions.size() == 1) return each(regions.begin()->first, address);
  for (auto& [region, present] : regions) {
    Mask outer = std::exchange(mask_, make_mask(std::move(present)));
    each(region, address.with_region(region));
    mask_ = std::move(outer);
  }
}

LaneValue Executor::read(int region, const LaneValue& address, int size_bytes) const {
  switch (space_.region(region).kind) {
    case RegionKind::kShared: return space_.read_shared(region, address, size_bytes, threads());
    case RegionKind::kGlobal: return {};
    default: return space_.read_own(region, address, size_bytes, threads());
  }
}

void Executor::write_memory(int region, const LaneValue& address, int size_bytes, const LaneValue& value) {
  const LaneValue word = truncated(value, size_bytes * 8);
  const RegionKind kind = space_.region(region).kind;
  if (kind == RegionKind::kShared) space_.write_shared(region, address, size_bytes, word, mask_.present);
  if (kind == RegionKind::kLocal)
    space_.write_own(region, address, size_bytes, {{0, {size_bytes, word}}}, mask_.present, false);
}

void Executor::forget_memory(Space space) {
  if (space == Space::kShared) return space_.forget_shared();
  for (int r = 0; r < space_.count(); ++r)
    if (space_.region(r).kind == RegionKind::kLocal) space_.region(r).parts.clear();
}

void Executor::load(const Instruction& i) {
  const Space space = space_of(i);
  const std::vector<Operand> elements = elements_of(i.operands[0]);
  const int bytes = std::max(1, i.type.bytes());
  const LaneValue address = address_of(i.operands[1], space);
  std::vector<LaneValue> values(elements.size());
  write_unknown(i);
  in_each_region(i, address, space, [&](int region, const LaneValue& place) {
    record(i, region, place, bytes * 8 * static_cast<int>(elements.size()), MemoryOperation::kLoad);
    for (std::size_t e = 0; e < elements.size(); ++e) {
      if (!elements[e].is_register()) continue;
      const LaneValue value = read(region, plus(place, static_cast<std::int64_t>(e) * bytes), bytes);
      const int bits = kernel_.kernel.register_bits[static_cast<std::size_t>(elements[e].id)];
      write(elements[e], i.type.is_signed() ? sign_extended(value, i.type.bits, bits) : value);
    }
  });
}

void Executor::store(const Instruction& i) {
  const Space space = space_of(i);
  if (space == Space::kParam) return;  // of a call
  const std::vector<Operand> elements = elements_of(i.operands[1]);
  const int bytes = std::max(1, i.type.bytes());
  bool is_somewhere = false;
  in_each_region(i, address_of(i.operands[0], space), space, [&](int region, const LaneValue& place) {
    is_somewhere = true;
    record(i, region, place, bytes * 8 * static_cast<int>(elements.size()), MemoryOperation::kStore);
    for (std::size_t e = 0; e < elements.size(); ++e)
      write_memory(region, plus(place, static_cast<std::int64_t>(e) * bytes), bytes, value_of(elements[e]));
  });
  if (is_somewhere) return;
  if (space != Space::kGlobal && space != Space::kLocal) forget_memory(Space::kShared);
  if (space == Space::kGeneric || space == Space::kLocal) forget_memory(Space::kLocal);
}

void Executor::change_atomically(const Instruction& i) {
  const Operand& memory = i.operands[i.opcode == Opcode::kRed ? 0 : 1];
  const int elements = i.has(Modifier::kV2) ? 2 : i.has(Modifier::kV4) ? 4 : i.has(Modifier::kV8) ? 8 : 1;
  const int bytes = std::max(1, i.type.bytes()) * elements;
  const Space space = space_of(i);
  const LaneValue address = address_of(memory, space);
  if (i.opcode == Opcode::kAtom) write_unknown(i);
  in_each_region(i, address, space, [&](int region, const LaneValue& place) {
    record(i, region, place, bytes * 8, MemoryOperation::kAtomic);
    write_memory(region, place, bytes, LaneValue());
  });
}

// cp.async loads from global memory and stores into shared memory; the copies of the TMA unit are not followed.
void Executor::copy(const Instruction& i) {
  if (i.has(Modifier::kCommitGroup) || i.has(Modifier::kWaitGroup) || i.has(Modifier::kWaitAll) ||
      i.has(Modifier::kPrefetch) || i.has(Modifier::kMbarrier))
    return;
  if (i.has(Modifier::kBulk) || i.operands.size() < 3) {
    remark_uncounted(i, fmt::format("{}: a copy by another unit is not counted", i.name));
    return forget_memory(Space::kShared);
  }
  const LaneValue size = value_of(i.operands[2]);
  if (!size.is_uniform()) return not_counted(i, MemorySpace::kShared);
  const auto bytes = static_cast<int>(size.at(0));
  in_each_region(i, address_of(i.operands[1], Space::kGlobal), Space::kGlobal, [&](int region, const LaneValue& place) {
    record(i, region, place, bytes * 8, MemoryOperation::kLoad);
  });
  in_each_region(i, address_of(i.operands[0], Space::kShared), Space::kShared, [&](int region, const LaneValue& place) {
    record(i, region, place, bytes * 8, MemoryOperation::kStore);
    write_memory(region, place, bytes, LaneValue());
  });
}

void Executor::copy_matrices(const Instruction& i, MemoryOperation operation) {
  const int matrices = i.has(Modifier::kX4) ? 4 : i.has(Modifier::kX2) ? 2 : 1;
  const bool is_load = operation == MemoryOperation::kLdmatrix;
  const LaneValue address = address_of(i.operands[is_load ? 1 : 0], Space::kShared);
  if (is_load) write_unknown(i);
  in_each_region(i, address, Space::kShared, [&](int region, const LaneValue& place) {
    record(i, region, place, kMatrixRowBits, operation, matrices);
    if (!is_load) write_memory(region, place, kMatrixRowBits / 8, LaneValue());
  });
}

void Executor::record(const Instruction& i, int region_id, const LaneValue& address, int bits,
                      MemoryOperation operation, int matrices) {
  const Region& region = space_.region(region_id);
  if (region.kind <= RegionKind::kConstant) return;
  const PlaceInSource& place = place_of(i);
  const MemorySpace space = region.kind == RegionKind::kShared ? MemorySpace::kShared : MemorySpace::kGlobal;
  AccessSite& site = recorder_.site({place.range, place.call_site, region_id}, space, operation, bits, region.name);
  if (site.requests == 0) site.inlined = place.inlined;
  for (int first = 0; first < threads_; first += options_.memory.lanes)
    record_warp(i, site, region, address, first, matrices);
}

void Executor::record_warp(const Instruction& i, AccessSite& site, const Region& region, const LaneValue& address,
                           int first, int matrices) {
  const int lanes = std::min(options_.memory.lanes, threads_ - first);
  LaneAddresses addresses(static_cast<std::size_t>(options_.memory.lanes));
  bool any = false, is_known = true;
  for (int lane = 0; lane < lanes; ++lane) {
    const Presence present = mask_.present[static_cast<std::size_t>(first + lane)];
    if (present == Presence::kOut) continue;
    site.is_conditional |= present == Presence::kPerhaps;
    if (matrices > 0 && lane >= matrices * kRowsOfAMatrix) continue;
    any = true;
    is_known &= address.knows(first + lane);
    if (is_known) addresses[static_cast<std::size_t>(lane)] = address.at(first + lane) - region.base;
  }
  if (!any) return;
  ++recorded_;
  charge(i);
  if (is_known) recorder_.count(site, {region.name, block_index_, first / options_.memory.lanes}, addresses, matrices);
  else ++site.not_counted;
}

}  // namespace swizzle::ptx
