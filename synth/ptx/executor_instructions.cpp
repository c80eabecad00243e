// What instructions do to registers.
#include <utility>

#include <fmt/format.h>

#include "synth/ptx/executor.h"
#include "synth/ptx/lane_operations.h"

namespace swizzle::ptx {
namespace {

bool waits_for_barrier(const Instruction& i) {
  return i.opcode == Opcode::kMbarrier && (i.has(Modifier::kTryWait) || i.has(Modifier::kTestWait));
}

// Functions that access nothing of the kernel's.
bool is_harmless(const std::string& callee) {
  return callee == "vprintf" || callee == "__assertfail" || callee == "malloc" || callee == "free";
}

}  // namespace

// Lanes whose guard is not known perhaps do it.
void Executor::execute(const Instruction& i) {
  if (!i.is_guarded()) return dispatch(i);
  const LaneValue condition = guard_of(i);
  if (condition.is_uniform() && condition.at(0) != 0) return dispatch(i);
  Mask outer = mask_;
  for (std::size_t t = 0; t < threads(); ++t) {
    if (mask_.present[t] == Presence::kOut) continue;
    const auto known = condition.find(static_cast<int>(t));
    if (known && *known != 0) continue;
    mask_.present[t] = mask_.writes[t] = known ? Presence::kOut : Presence::kPerhaps;
    mask_.all_write = false;
    mask_.perhaps |= !known;
  }
  dispatch(i);
  mask_ = std::move(outer);
}

void Executor::dispatch(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::kMov: return move(i);
    case Opcode::kSet:
    case Opcode::kSetp: return compare(i);
    case Opcode::kCvta: return convert_address(i);
    case Opcode::kIsspacep: return tell_space(i);
    case Opcode::kLd:
    case Opcode::kLdu: return load(i);
    case Opcode::kSt: return store(i);
    case Opcode::kAtom:
    case Opcode::kRed: return change_atomically(i);
    case Opcode::kCp: return copy(i);
    case Opcode::kLdmatrix: return copy_matrices(i, MemoryOperation::kLdmatrix);
    case Opcode::kStmatrix: return copy_matrices(i, MemoryOperation::kStmatrix);
    case Opcode::kShfl: return shuffle(i);
    case Opcode::kVote: return vote(i);
    case Opcode::kRedux: return reduce(i);
    case Opcode::kActivemask:
    case Opcode::kElect: return tell_who_is_there(i);
    case Opcode::kCall: return call(i);
    case Opcode::kWgmma: return leave_uncounted(i);
    case Opcode::kWmma: return i.has(Modifier::kLoad) || i.has(Modifier::kStore) ? copy_fragment(i) : write_unknown(i);
    case Opcode::kBar:
    case Opcode::kBarrier:
    case Opcode::kMembar:
    case Opcode::kFence: return;
    default: return compute(i);
  }
}

LaneValue Executor::value_of(const Operand& operand) const {
  switch (operand.kind) {
    case Operand::Kind::kRegister: {
      const LaneValue& value = registers_[static_cast<std::size_t>(operand.id)];
      return operand.is_negated ? negated(value) : value;
    }
    case Operand::Kind::kImmediate: return LaneValue::uniform(operand.number);
    case Operand::Kind::kSpecial: return special(static_cast<Special>(operand.id));
    case Operand::Kind::kVariable: {
      const int region = region_of_variable(operand.id);
      const bool is_shared = space_.region(region).kind == RegionKind::kShared;
      const std::int64_t base = space_.region(region).base - (is_shared ? AddressSpace::shared_window() : 0);
      return LaneValue::uniform(base + operand.number).with_region(region);
    }
    default: return {};
  }
}

LaneValue Executor::thread_index(int axis) const {
  const auto& block = options_.shape.block;
  if (block[static_cast<std::size_t>(axis)] == 1) return LaneValue::uniform(0);
  std::vector<std::int64_t> values(threads());
  for (int t = 0; t < threads_; ++t) {
    const std::array<int, 3> index{t % block[0], t / block[0] % block[1], t / block[0] / block[1]};
    values[static_cast<std::size_t>(t)] = index[static_cast<std::size_t>(axis)];
  }
  return LaneValue::varying(std::move(values));
}

LaneValue Executor::special(Special which) const {
  const int lanes = options_.memory.lanes;
  const auto axis = [&](Special first) { return static_cast<std::size_t>(which) - static_cast<std::size_t>(first); };
  const auto by_lane = [&](auto f) {
    std::vector<std::int64_t> values(threads());
    for (int t = 0; t < threads_; ++t)
      values[static_cast<std::size_t>(t)] =
          static_cast<std::int64_t>(static_cast<std::uint32_t>(f(static_cast<unsigned>(t % lanes))));
    return LaneValue::varying(std::move(values));
  };
  if (which <= Special::kTidZ) return thread_index(static_cast<int>(axis(Special::kTidX)));
  if (which <= Special::kNtidZ) return LaneValue::uniform(options_.shape.block[axis(Special::kNtidX)]);
  if (which <= Special::kCtaidZ) return LaneValue::uniform(block_index_[axis(Special::kCtaidX)]);
  if (which <= Special::kNctaidZ) return LaneValue::uniform(options_.shape.grid[axis(Special::kNctaidX)]);
  switch (which) {
    case Special::kLaneid: return by_lane([](unsigned lane) { return lane; });
    case Special::kWarpid: {
      std::vector<std::int64_t> values(threads());
      for (int t = 0; t < threads_; ++t) values[static_cast<std::size_t>(t)] = t / lanes;
      return LaneValue::varying(std::move(values));
    }
    case Special::kNwarpid: return LaneValue::uniform((threads_ + lanes - 1) / lanes);
    case Special::kLanemaskEq: return by_lane([](unsigned lane) { return 1u << lane; });
    case Special::kLanemaskLt: return by_lane([](unsigned lane) { return (1u << lane) - 1; });
    case Special::kLanemaskLe: return by_lane([](unsigned lane) { return (2u << lane) - 1; });
    case Special::kLanemaskGt: return by_lane([](unsigned lane) { return ~((2u << lane) - 1); });
    case Special::kLanemaskGe: return by_lane([](unsigned lane) { return ~((1u << lane) - 1); });
    default: return {};
  }
}

// A register holds as many bits as it has.
void Executor::write(const Operand& to, const LaneValue& value) {
  if (!to.is_register()) return;
  LaneValue& held = registers_[static_cast<std::size_t>(to.id)];
  held = mask_.all_write ? value : overwrite(held, value, mask_.writes);
}

void Executor::write_truncated(const Operand& to, const LaneValue& value) {
  if (to.is_register()) write(to, truncated(value, kernel_.kernel.register_bits[static_cast<std::size_t>(to.id)]));
}

void Executor::write_unknown(const Instruction& i) {
  for (const int r : registers_written_by(i)) {
    Operand to;
    to.kind = Operand::Kind::kRegister;
    to.id = r;
    write(to, LaneValue());
  }
}

void Executor::compute(const Instruction& i) {
  if (waits_for_barrier(i) && !i.operands.empty()) return write(i.operands[0], LaneValue::uniform(1));  // it ends once
  if (i.opcode == Opcode::kOther || i.opcode == Opcode::kMbarrier || i.operands.size() < 2) return write_unknown(i);
  if (i.operands[0].kind == Operand::Kind::kVector) return write_unknown(i);
  std::vector<LaneValue> sources;
  for (std::size_t o = 1; o < i.operands.size(); ++o) sources.push_back(value_of(i.operands[o]));
  if (i.opcode == Opcode::kSelp)
    return write(i.operands[0], selected(sources.back(), sources[0], sources[1], threads()));
  const bool is_logic = i.opcode == Opcode::kAnd || i.opcode == Opcode::kOr;
  if (is_logic && i.type.kind == Type::Kind::kPredicate)
    return write(i.operands[0], decided(i.opcode == Opcode::kAnd, sources[0], sources[1], threads()));
  if (i.opcode == Opcode::kCvt) return write_truncated(i.operands[0], computed(i, sources));
  write(i.operands[0], computed(i, sources));
}

// Also to and from the parts of a register: mov.b64 {%r1, %r2}, %rd1.
void Executor::move(const Instruction& i) {
  const Operand &to = i.operands[0], &from = i.operands[1];
  if (to.kind == Operand::Kind::kVector) {
    const LaneValue whole = value_of(from);
    const int bits = i.type.bits / static_cast<int>(to.parts.size());
    for (std::size_t p = 0; p < to.parts.size(); ++p) write(to.parts[p], part_of(whole, static_cast<int>(p), bits));
    return;
  }
  if (from.kind != Operand::Kind::kVector) return write_truncated(to, value_of(from));
  std::vector<LaneValue> parts;
  for (const Operand& part : from.parts) parts.push_back(value_of(part));
  write(to, packed(parts, i.type.bits / static_cast<int>(parts.size())));
}

// setp.lt.and.s32 p|q, a, b, c: p is a < b && c, q is !(a < b) && c.
void Executor::compare(const Instruction& i) {
  const bool has_third = i.has(Modifier::kAnd) || i.has(Modifier::kOr) || i.has(Modifier::kXor);
  const std::size_t first = i.operands.size() - (has_third ? 3 : 2);
  const LaneValue holds = compared(i, value_of(i.operands[first]), value_of(i.operands[first + 1]));
  const LaneValue third = has_third ? value_of(i.operands[first + 2]) : LaneValue();
  const auto combined = [&](const LaneValue& value) {
    if (!has_third) return value;
    return i.has(Modifier::kXor) ? different(value, third) : decided(i.has(Modifier::kAnd), value, third, threads());
  };
  if (i.opcode == Opcode::kSetp) {
    write(i.operands[0], combined(holds));
    if (first == 2) write(i.operands[1], combined(negated(holds)));
    return;
  }
  const bool is_followed = i.first_type.is_integer();
  write(i.operands[0], is_followed ? sign_extended(combined(holds), 1, i.first_type.bits) : LaneValue());
}

// Generic addresses of shared memory are those of its window.
void Executor::convert_address(const Instruction& i) {
  const LaneValue from = value_of(i.operands[1]);
  const bool is_shared = space_of(i) == Space::kShared;
  if (!is_shared) return write(i.operands[0], from);
  constexpr int kOffsetBits = 32;
  const LaneValue offset = truncated(from, kOffsetBits);
  write(i.operands[0], i.has(Modifier::kTo) ? offset : plus(offset, AddressSpace::shared_window()));
}

void Executor::tell_space(const Instruction& i) {
  const LaneValue address = value_of(i.operands[1]);
  const int region = space_.region_of(address, mask_.present);
  if (region == kNoRegion || (address.region() == kNoRegion && !address.is_uniform())) return write_unknown(i);
  const RegionKind kind = space_.region(region).kind;
  const Space space = space_of(i);
  const bool is_there = (space == Space::kShared && kind == RegionKind::kShared) ||
                        (space == Space::kGlobal && kind == RegionKind::kGlobal) ||
                        (space == Space::kLocal && kind == RegionKind::kLocal);
  write(i.operands[0], LaneValue::uniform(is_there));
}

void Executor::call(const Instruction& i) {
  for (const Operand& operand : i.operands)
    if (operand.kind == Operand::Kind::kFunction && is_harmless(operand.name)) return;
  remark_uncounted(i, "a function is called here that is not followed: what it accesses is not counted");
  forget_memory(Space::kShared);
  forget_memory(Space::kLocal);
}

void Executor::leave_uncounted(const Instruction& i) {
  const bool is_wmma = i.opcode == Opcode::kWmma;
  if (is_wmma && i.has(Modifier::kLoad)) write_unknown(i);
  if (!is_wmma && !i.name.starts_with("wgmma.mma_async")) return;
  if (space_of(i) == Space::kGlobal) return remark(i, fmt::format("{}: its accesses are not counted", i.name));
  remark_uncounted(i, fmt::format("{}: which lane accesses what is not told: not counted", i.name));
  if (i.has(Modifier::kStore)) forget_memory(Space::kShared);
}

}  // namespace swizzle::ptx
