// Intrinsics: what lanes do together, functions, matrices and asynchronous copies.
#include <algorithm>

#include "synth/timing/warp_tracer.h"

namespace swizzle {
namespace {

constexpr int kRegisterBytes = 4, kRowsOfMatrix = 8, kBytesOfRow = 16;

}  // namespace

WarpValues WarpTracer::eval_intrinsic(const Expr& e) {
  switch (lane_behavior(e.intrinsic)) {
    case LaneBehavior::kShuffle: return eval_shuffle(e);
    case LaneBehavior::kVote:
    case LaneBehavior::kMatch:
    case LaneBehavior::kReduction: return eval_collective(e);
    case LaneBehavior::kBarrier:
      ++epoch_;
      control(kNoNode);
      return blank();
    case LaneBehavior::kRead: {
      const WarpValue pointer = eval_one(e.operands[0]);
      return stopped() ? blank(slots_of(e.type)) : read(pointer, e.type);
    }
    case LaneBehavior::kCopies: return eval_copies(e);
    case LaneBehavior::kOfWords:
    case LaneBehavior::kAlgebraic:
    case LaneBehavior::kUninterpreted:
    case LaneBehavior::kSameBits: return eval_function(e);
    case LaneBehavior::kWrite:
    case LaneBehavior::kNoEffect: return blank();
    case LaneBehavior::kMatrix: return eval_matrices(e);
    case LaneBehavior::kAtomic: give_up("it has atomics"); return blank();
    case LaneBehavior::kUnrepeatable: give_up("it asks for the time"); return blank();
    case LaneBehavior::kEnd:
    case LaneBehavior::kOfSketches: give_up("it has what only sketches have"); return blank(slots_of(e.type));
  }
  return blank();
}

// Registers of 32 bits, one instruction each.
WarpValues WarpTracer::eval_shuffle(const Expr& e) {
  const WarpValues sent = eval(e.operands[1]);
  const WarpValue lane = eval_one(e.operands[2]);
  WarpValues result = blank(slots_of(e.type));
  if (stopped()) return result;
  const int leaf = leaf_bytes(e.type);
  const Scalar s = scalar_of(e.type);
  const std::size_t together = static_cast<std::size_t>(std::max(1, kRegisterBytes / std::max(1, leaf)));  // slots
  for (std::size_t first = 0; first < result.size(); first += together) {
    const std::size_t count = std::min(together, result.size() - first);
    const auto begin = sent.begin() + static_cast<std::ptrdiff_t>(first);
    const WarpValue whole = count == 1 ? sent[first]
                                       : packed({begin, begin + static_cast<std::ptrdiff_t>(count)},
                                                static_cast<int>(count) * leaf, Scalar::kU32);
    if (whole.node == kNoNode || lane.node == kNoNode) continue;
    WarpNode node{.kind = WarpOp::kShuffle, .intrinsic = e.intrinsic, .scalar = count == 1 ? s : Scalar::kU32};
    node.tag = names_++;
    node.operands = {whole.node, lane.node};
    const WarpValue got{graph_.add(std::move(node)), -1};
    trace_.roots.push_back(got.node);
    for (std::size_t k = 0; k < count; ++k)
      result[first + k] = count == 1 ? got : part_of(got, static_cast<std::int64_t>(k) * leaf, leaf, s);
  }
  return result;
}

// Votes and reductions: (mask, value), or () for who is there.
WarpValues WarpTracer::eval_collective(const Expr& e) {
  const bool is_vote = lane_behavior(e.intrinsic) == LaneBehavior::kVote;
  WarpNode node{.kind = is_vote ? WarpOp::kVote : WarpOp::kReduction, .intrinsic = e.intrinsic, .tag = names_++};
  node.scalar = scalar_of(e.type);
  if (e.operands.size() > 1) {
    const WarpValue value = eval_one(e.operands[1]);
    const NodeIndex asked = is_vote ? truth_of(value, program_.expr(e.operands[1]).type) : value.node;
    if (asked != kNoNode) node.operands = {asked};
  }
  const WarpValue heard{graph_.add(std::move(node)), -1};
  trace_.roots.push_back(heard.node);
  return {heard};
}

// Known where its operands are.
WarpValues WarpTracer::eval_function(const Expr& e) {
  WarpNode node{.kind = WarpOp::kFunction, .intrinsic = e.intrinsic, .scalar = scalar_of(e.type)};
  node.from = e.operands.empty() ? node.scalar : scalar_of(program_.expr(e.operands[0]).type);
  bool are_known = !e.operands.empty(), are_constants = are_known;
  for (const ExprId operand : e.operands) {
    const WarpValue v = eval_one(operand);
    if (stopped() || v.node == kNoNode) return blank();
    are_known = are_known && graph_.lanes(v.node) != nullptr;
    are_constants = are_constants && graph_.integer(v.node).has_value();
    node.operands.push_back(v.node);
  }
  LaneIntegers results{};
  for (std::size_t t = 0; t < kTimedLanes && are_known; ++t) {
    std::vector<std::int64_t> integers;
    for (const NodeIndex operand : node.operands) integers.push_back((*graph_.lanes(operand))[t]);
    auto value = evaluate(e.intrinsic, node.from, integers);
    if (e.intrinsic == Intrinsic::kMin) value = *std::ranges::min_element(integers);
    if (e.intrinsic == Intrinsic::kMax) value = *std::ranges::max_element(integers);
    are_known = value.has_value();
    results[t] = value.value_or(0);
  }
  if (are_known && are_constants) return {{graph_.constant(node.scalar, results[0]), -1}};
  if (are_known) node.lanes = results;
  return {{graph_.add(std::move(node)), -1}};
}

// ldmatrix and stmatrix: (address, registers…).
WarpValues WarpTracer::eval_matrices(const Expr& e) {
  const WarpValue rows = eval_one(e.operands[0]);
  if (stopped()) return blank();
  if (!rows.is_place()) return give_up("data decide an address"), blank();
  const bool is_store = e.intrinsic == Intrinsic::kStmatrix;
  ++epoch_;
  const std::uint32_t mask = mask_;
  const int lanes = kRowsOfMatrix * std::max(1, e.touch.matrices);
  if (lanes < kTimedLanes) mask_ &= (1u << lanes) - 1;
  const std::size_t m = memory_instruction(rows, 0, kBytesOfRow, is_store,
                                           is_store ? SharedOperation::kStmatrix : SharedOperation::kLdmatrix);
  mask_ = mask;
  WarpNode node{.kind = is_store ? WarpOp::kStore : WarpOp::kLoad, .scalar = Scalar::kU32};
  node.tag = static_cast<std::int64_t>(m);
  node.operands = {address(rows)};
  for (std::size_t r = 1; r < e.operands.size() && is_store; ++r)
    if (const NodeIndex stored = eval_one(e.operands[r]).node; stored != kNoNode) node.operands.push_back(stored);
  const NodeIndex moved_rows = graph_.add(std::move(node));
  trace_.roots.push_back(moved_rows);
  for (std::size_t r = 1; r < e.operands.size() && !is_store && !stopped(); ++r) {
    const TypeId type = program_.expr(e.operands[r]).type;
    WarpValues values = blank(slots_of(type));
    const int leaf = leaf_bytes(type);
    const std::int64_t from = static_cast<std::int64_t>(r - 1) * kRegisterBytes;
    for (std::size_t s = 0; s < values.size(); ++s)
      values[s] = part_of({moved_rows, -1}, from + static_cast<std::int64_t>(s) * leaf, leaf, scalar_of(type));
    write(place(e.operands[r]), values, type);
  }
  return blank();
}

// cp.async: a load and a store in one instruction.
WarpValues WarpTracer::eval_copies(const Expr& e) {
  if (e.intrinsic != Intrinsic::kCopyAsync) {
    for (const ExprId operand : e.operands) eval(operand);
    ++epoch_;
    control(kNoNode);
    return blank();
  }
  const WarpValue to = eval_one(e.operands[0]), from = eval_one(e.operands[1]);
  const auto bytes = graph_.integer(eval_one(e.operands[2]).node);
  if (stopped()) return blank();
  if (!to.is_place() || !from.is_place() || !bytes || *bytes < 1 || *bytes > kBytesOfRow)
    return give_up("data decide an asynchronous copy"), blank();
  ++epoch_;
  const int width = static_cast<int>(*bytes);
  const std::size_t loaded = memory_instruction(from, 0, width, false, SharedOperation::kLoad);
  const std::size_t stored = memory_instruction(to, 0, width, true, SharedOperation::kStore);
  MemoryInstruction& copy = trace_.memory[loaded];
  copy.wavefronts += trace_.memory[stored].wavefronts;
  WarpNode node{.kind = WarpOp::kStore, .scalar = Scalar::kU32, .tag = static_cast<std::int64_t>(loaded)};
  node.operands = {address(to), address(from)};
  trace_.roots.push_back(graph_.add(std::move(node)));
  return blank();
}

}  // namespace swizzle
