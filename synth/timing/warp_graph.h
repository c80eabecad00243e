// WarpGraph: what one warp computes, as a graph without repetitions: what a compiler sees once loops are unrolled,
// functions inlined and common expressions computed once.
//
//   for (int k = 0; k < 2; k++) out += __shfl_sync(~0u, x[i + k], (lane + k) & 31);
//
//   add ─┬─ shuffle ─┬─ load x at i              k is a constant in each turn, and folded: (lane + 0) & 31 is lane
//   & 31.
//        │           └─ and ── lane              The address of x[i + 1] is that of x[i], and 4 bytes on.
//        └─ shuffle ─┬─ load x at i, 4 bytes on
//                    └─ and ── add 1 ── lane
//
// A node is found by what it is made of, so that equal expressions are one node. Of integers that no data have a say
// in, the node has the value of each lane: control flow and addresses need them; sizes that a kernel is launched with
// are known like that, and still not constants. Arithmetic on constants is folded, and constants move outwards in sums.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "synth/base/slot_table.h"
#include "synth/program/intrinsics.h"
#include "synth/program/operators.h"

namespace swizzle {

inline constexpr int kTimedLanes = 32;
using LaneIntegers = std::array<std::int64_t, kTimedLanes>;
using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = ~0u;  // of an undefined value

enum class WarpOp : std::uint8_t {
  kConstant,    // tag: the integer; a real number's bits
  kParameter,   // of the kernel, or what a loop starts with: an operand, no instruction; tag: which
  kRegister,    // that the machine has: threadIdx, blockIdx; tag: which Builtin
  kArithmetic,  // op
  kSelect,      // operands: condition, then, else; tag 1: no instruction, what makes `then` is predicated
  kConvert,     // to `scalar`, from `from`
  kFunction,    // intrinsic
  kPack,        // operands: parts, side by side, lowest first
  kPart,        // tag: how many bytes from the start of the operand
  kAddress,     // an object's start and an offset in bytes; tag: the object
  kShuffle,     // operands: value, lane
  kVote,        // intrinsic; operands: predicate
  kReduction,   // likewise
  kLoad,        // operands: address; tag: which MemoryInstruction
  kStore,       // operands: address, values; tag: likewise
  kControl,     // operands: condition, if there is one; tag: which
};

struct WarpNode {
  WarpOp kind = WarpOp::kConstant;
  Operator op = Operator::kAdd;
  Intrinsic intrinsic{};
  Scalar scalar = Scalar::kI32;  // of its value
  Scalar from = Scalar::kI32;    // kConvert; of comparisons: what is compared
  std::int64_t tag = 0;
  std::vector<NodeIndex> operands = {};
  std::optional<LaneIntegers> lanes = {};  // where they are known; no part of what a node is found by
  bool is_same(const WarpNode& other) const;
};

class WarpGraph {
 public:
  NodeIndex constant(Scalar s, std::int64_t value);
  NodeIndex real(Scalar s, double value);
  NodeIndex add(WarpNode node);  // the same node, where there is one
  // Folded and simplified; an undefined operand makes an undefined result. `s`: the type that is computed in.
  NodeIndex binary(Operator op, Scalar s, NodeIndex a, NodeIndex b);
  NodeIndex unary(Operator op, Scalar s, NodeIndex a);
  NodeIndex select(NodeIndex condition, NodeIndex then, NodeIndex other, Scalar s, bool is_predicated = false);
  NodeIndex convert(NodeIndex a, Scalar from, Scalar to);

  const WarpNode& node(NodeIndex n) const { return nodes_[n]; }
  std::size_t size() const { return nodes_.size(); }
  bool is_constant(NodeIndex n) const { return n != kNoNode && node(n).kind == WarpOp::kConstant; }
  std::optional<std::int64_t> integer(NodeIndex n) const;  // of a constant
  NodeIndex base_of(NodeIndex n) const {
    return is_constant(n) ? n : split(node(n).scalar, n).base;
  }  // without the constant
  const LaneIntegers* lanes(NodeIndex n) const { return n != kNoNode && node(n).lanes ? &*node(n).lanes : nullptr; }

 private:
  std::optional<NodeIndex> simplified(Operator op, Scalar s, NodeIndex a, NodeIndex b);
  std::optional<NodeIndex> simplified_sum(Operator op, Scalar s, NodeIndex a, NodeIndex b);
  NodeIndex narrowed(NodeIndex a, Scalar to);
  NodeIndex arithmetic(Operator op, Scalar s, NodeIndex a, NodeIndex b);
  struct Offset {
    NodeIndex base;
    std::int64_t constant;
  };
  Offset split(Scalar s, NodeIndex n) const;  // n = base + constant

  std::vector<WarpNode> nodes_;
  SlotTable found_;
};

}  // namespace swizzle
