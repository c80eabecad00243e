#include "synth/timing/instruction_choice.h"

#include <algorithm>
#include <bit>

namespace swizzle {
namespace {

constexpr int kBytesOfRegister = 4;
constexpr double kAroundIt = 10;  // parameters and descriptors that are fetched, registers that are set, the end

bool is_bit_logic(Operator op) { return op == Operator::kAnd || op == Operator::kOr || op == Operator::kXor; }

double registers_of(Scalar s) { return size_bytes(s) > kBytesOfRegister ? 2 : 1; }

InstructionKind kind_of_real(Scalar s) {
  return s == Scalar::kF64   ? InstructionKind::kDouble
         : s == Scalar::kF32 ? InstructionKind::kReal
                             : InstructionKind::kHalf;
}

}  // namespace

InstructionChoice::InstructionChoice(const WarpTrace& trace) : trace_(trace) {
  const std::size_t size = trace.graph.size();
  uses_.assign(size, 0);
  uses_in_addresses_.assign(size, 0);
  taken_in_.assign(size, 0);
  used_memory_.assign(trace.memory.size(), 0);
  find_uses();
  for (std::size_t n = size; n-- > 0;)
    if (uses_[n] > 0 && taken_in_[n] == 0) visit(static_cast<NodeIndex>(n));
  note_memory(trace_, used_memory_, mix_);
  count(InstructionKind::kControl, kAroundIt);
}

void InstructionChoice::find_uses() {
  for (const NodeIndex root : trace_.roots) ++uses_[root];
  for (std::size_t n = uses_.size(); n-- > 0;) {
    if (uses_[n] == 0) continue;
    const WarpNode& user = node(static_cast<NodeIndex>(n));
    const bool is_address = user.kind == WarpOp::kAddress || uses_in_addresses_[n] == uses_[n];
    const bool passes_on = user.kind == WarpOp::kAddress || (size_bytes(user.scalar) == 8 && !is_real(user.scalar));
    for (const NodeIndex operand : user.operands) {
      ++uses_[operand];
      if (is_address && passes_on) ++uses_in_addresses_[operand];
    }
  }
}

bool InstructionChoice::is_arithmetic(NodeIndex n, Operator op) const {
  return node(n).kind == WarpOp::kArithmetic && node(n).op == op && node(n).operands.size() > 1;
}

bool InstructionChoice::is_power_of_two(NodeIndex n) const {
  const auto c = trace_.graph.integer(n);
  return c && *c > 0 && std::has_single_bit(static_cast<std::uint64_t>(*c));
}

bool InstructionChoice::take_in(NodeIndex n, Operator op) {
  if (!is_arithmetic(n, op) || !is_sole(n) || taken_in_[n] != 0) return false;
  taken_in_[n] = 1;
  return true;
}

void InstructionChoice::visit(NodeIndex n) {
  const WarpNode& own = node(n);
  switch (own.kind) {
    case WarpOp::kConstant:
    case WarpOp::kParameter: return;
    case WarpOp::kRegister: {
      const auto which = static_cast<Builtin>(own.tag);
      if (which <= Builtin::kBlockIdxZ || which == Builtin::kLaneId) count(InstructionKind::kControl);  // S2R
      return;
    }
    case WarpOp::kArithmetic: return visit_arithmetic(own);
    case WarpOp::kSelect:
      if (own.tag != 0) return;
      if (own.scalar == Scalar::kBool) return count(InstructionKind::kCompare);
      return count(InstructionKind::kSelect, registers_of(own.scalar));
    case WarpOp::kConvert:
      if (uses_in_addresses_[n] < uses_[n]) visit_convert(own);
      return;
    case WarpOp::kFunction: return visit_function(own);
    case WarpOp::kPack: return visit_pack(own);
    case WarpOp::kPart:
      if (size_bytes(own.scalar) < kBytesOfRegister) count(InstructionKind::kLogic);
      return;
    case WarpOp::kAddress: return visit_address(own);
    case WarpOp::kShuffle: return count(InstructionKind::kShuffle, registers_of(own.scalar));
    case WarpOp::kVote: return count(InstructionKind::kVote);
    case WarpOp::kReduction: return count(InstructionKind::kReduction);
    case WarpOp::kLoad:
    case WarpOp::kStore: return visit_memory(own);
    case WarpOp::kControl: return count(InstructionKind::kControl);
  }
}

void InstructionChoice::visit_arithmetic(const WarpNode& own) {
  if (is_comparison(own.op))
    return count(own.from == Scalar::kF64 ? InstructionKind::kDouble : InstructionKind::kCompare,
                 is_real(own.from) ? 1 : registers_of(own.from));
  if (own.scalar == Scalar::kBool) return visit_truth(own);
  if (is_real(own.scalar)) return visit_real(own);
  visit_integer(own);
}

void InstructionChoice::visit_real(const WarpNode& own) {
  const InstructionKind kind = kind_of_real(own.scalar);
  switch (own.op) {
    case Operator::kNegate: return;
    case Operator::kAdd:
    case Operator::kSub:
      if (!take_in(own.operands[1], Operator::kMul)) take_in(own.operands[0], Operator::kMul);
      return count(kind);
    case Operator::kDiv: count(InstructionKind::kSpecial); return count(kind, 8);
    default: return count(kind);
  }
}

void InstructionChoice::visit_integer(const WarpNode& own) {
  const double registers = registers_of(own.scalar);
  switch (own.op) {
    case Operator::kAdd:
    case Operator::kSub: return visit_sum(own);
    case Operator::kMul: return visit_product(own);
    case Operator::kDiv:
    case Operator::kRem: return visit_division(own);
    case Operator::kBitNot: return;
    case Operator::kNegate: return count(InstructionKind::kInteger, registers);
    default: break;
  }
  if (is_bit_logic(own.op)) return visit_logic(own);
  count(InstructionKind::kLogic, registers);
}

// With a product: IMAD or LEA. With another sum: IADD3.
void InstructionChoice::visit_sum(const WarpNode& own) {
  const double registers = registers_of(own.scalar);
  for (const NodeIndex operand : own.operands) {
    const bool is_shifted = is_arithmetic(operand, Operator::kMul) && is_power_of_two(node(operand).operands[1]);
    if (take_in(operand, Operator::kMul))
      return count(is_shifted ? InstructionKind::kInteger : InstructionKind::kMultiply, registers);
  }
  for (const NodeIndex operand : own.operands)
    if (take_in(operand, Operator::kAdd)) break;
  count(InstructionKind::kInteger, registers);
}

void InstructionChoice::visit_product(const WarpNode& own) {
  if (size_bytes(own.scalar) > kBytesOfRegister) return count(InstructionKind::kMultiply, 3);
  count(is_power_of_two(own.operands[1]) ? InstructionKind::kLogic : InstructionKind::kMultiply);
}

void InstructionChoice::visit_division(const WarpNode& own) {
  const double registers = registers_of(own.scalar);
  if (is_power_of_two(own.operands[1])) {
    if (is_unsigned(own.scalar)) return count(InstructionKind::kLogic, registers);
    count(InstructionKind::kLogic, 2 * registers);
    return count(InstructionKind::kInteger, own.op == Operator::kDiv ? registers : 2 * registers);
  }
  count(InstructionKind::kMultiply, 2 * registers);
  count(InstructionKind::kInteger, 2 * registers);
  count(InstructionKind::kLogic, registers);
  if (trace_.graph.is_constant(own.operands[1])) return;
  count(InstructionKind::kSpecial, 2 * registers);
  count(InstructionKind::kMultiply, 4 * registers);
  count(InstructionKind::kInteger, 4 * registers);
}

// A comparison takes in what it is combined with.
void InstructionChoice::visit_truth(const WarpNode& own) {
  if (own.op == Operator::kLogicalNot) return;
  for (NodeIndex operand : own.operands) {
    if (node(operand).kind == WarpOp::kArithmetic && node(operand).op == Operator::kLogicalNot && is_sole(operand))
      operand = node(operand).operands[0];
    if (node(operand).kind == WarpOp::kArithmetic && is_comparison(node(operand).op) && is_sole(operand)) return;
  }
  count(InstructionKind::kCompare);
}

// Any function of three words is one LOP3. What is combined otherwise goes first: of a ^ (b & c) ^ (d & e), each
// product with its sum.
void InstructionChoice::visit_logic(const WarpNode& own) {
  count(InstructionKind::kLogic, registers_of(own.scalar));
  for (const bool is_alike : {false, true})
    for (NodeIndex operand : own.operands) {
      if (node(operand).kind == WarpOp::kArithmetic && node(operand).op == Operator::kBitNot && is_sole(operand))
        operand = node(operand).operands[0];
      const WarpNode& inner = node(operand);
      const bool fits = inner.kind == WarpOp::kArithmetic && is_bit_logic(inner.op) && (inner.op == own.op) == is_alike;
      if (fits && take_in(operand, inner.op)) return;
    }
}

void InstructionChoice::visit_convert(const WarpNode& own) {
  const bool from_real = is_real(own.from), to_real = is_real(own.scalar);
  if (from_real && to_real)
    return count(own.from == Scalar::kF64 || own.scalar == Scalar::kF64 ? InstructionKind::kDouble
                                                                        : InstructionKind::kHalf);
  if (from_real) return count(InstructionKind::kSpecial);
  if (to_real) return count(own.scalar == Scalar::kF64 ? InstructionKind::kDouble : InstructionKind::kInteger);
  if (own.from == Scalar::kBool) return count(InstructionKind::kSelect);
  const bool is_loaded = node(own.operands[0]).kind == WarpOp::kLoad || node(own.operands[0]).kind == WarpOp::kPart;
  const bool widens = bit_width(own.scalar) > bit_width(own.from);
  if (widens && !is_loaded && !(is_unsigned(own.from) && bit_width(own.from) == 32)) count(InstructionKind::kLogic);
}

void InstructionChoice::visit_function(const WarpNode& own) {
  const double registers = registers_of(own.scalar);
  switch (own.intrinsic) {
    case Intrinsic::kMin:
    case Intrinsic::kMax:
      return count(own.scalar == Scalar::kF64 ? InstructionKind::kDouble : InstructionKind::kInteger);
    case Intrinsic::kFma: return count(kind_of_real(own.scalar));
    case Intrinsic::kBytePerm:
    case Intrinsic::kFunnelShiftL:
    case Intrinsic::kFunnelShiftR:
    case Intrinsic::kFunnelShiftLC:
    case Intrinsic::kFunnelShiftRC: return count(InstructionKind::kLogic);
    case Intrinsic::kDp4a:
    case Intrinsic::kDp2aLo:
    case Intrinsic::kDp2aHi:
    case Intrinsic::kMul24:
    case Intrinsic::kUmul24:
    case Intrinsic::kMulhi:
    case Intrinsic::kUmulhi: return count(InstructionKind::kMultiply);
    case Intrinsic::kFloatAsInt:
    case Intrinsic::kFloatAsUint:
    case Intrinsic::kIntAsFloat:
    case Intrinsic::kUintAsFloat:
    case Intrinsic::kHalfAsUshort:
    case Intrinsic::kUshortAsHalf:
    case Intrinsic::kBfloat16AsUshort:
    case Intrinsic::kUshortAsBfloat16: return;
    case Intrinsic::kAbs:
    case Intrinsic::kSad:
    case Intrinsic::kUsad: return count(is_real(own.scalar) ? kind_of_real(own.scalar) : InstructionKind::kInteger);
    default: break;
  }
  count(InstructionKind::kSpecial, registers);
  if (is_real(own.scalar)) count(kind_of_real(own.scalar), 4);  // what goes before and after it
}

// Bytes of two registers into one: a PRMT, which finds the parts by itself.
void InstructionChoice::visit_pack(const WarpNode& own) {
  int bytes = 0;
  for (const NodeIndex part : own.operands) {
    bytes += size_bytes(node(part).scalar);
    if (node(part).kind == WarpOp::kPart) taken_in_[part] = 1;
  }
  const int words = (bytes + kBytesOfRegister - 1) / kBytesOfRegister;
  if (const int prmts = static_cast<int>(own.operands.size()) - words; prmts > 0) count(InstructionKind::kLogic, prmts);
}

// An index times the size of an element, and a start: IMAD.WIDE; in shared memory, whose start is known, LEA.
void InstructionChoice::visit_address(const WarpNode& own) {
  const NodeIndex offset = own.operands[0];
  if (trace_.graph.is_constant(offset)) return;
  const bool is_shared = own.scalar == Scalar::kU32;
  const bool is_scaled = is_arithmetic(offset, Operator::kMul) && uses_in_addresses_[offset] == uses_[offset];
  if (is_scaled) taken_in_[offset] = 1;
  if (is_shared) return is_scaled ? count(InstructionKind::kInteger) : void();
  if (is_scaled) return count(InstructionKind::kMultiply);
  count(InstructionKind::kInteger, 2);
}

void InstructionChoice::visit_memory(const WarpNode& own) {
  const auto m = static_cast<std::size_t>(own.tag);
  used_memory_[m] = 1;
  const MemoryInstruction& access = trace_.memory[m];
  if (access.space == MemoryInstruction::Space::kShared) return count(InstructionKind::kShared);
  if (access.space == MemoryInstruction::Space::kConstant) return count(InstructionKind::kControl);
  count(access.is_store ? InstructionKind::kStore : InstructionKind::kLoad);
}

InstructionMix instructions_of(const WarpTrace& trace) { return InstructionChoice(trace).mix(); }

}  // namespace swizzle
