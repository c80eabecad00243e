#include "synth/timing/warp_graph.h"

#include <bit>
#include <utility>

#include "synth/base/hashes.h"

namespace swizzle {
namespace {

std::size_t hash_of_node(const WarpNode& n) {
  std::size_t hash = mix(0, static_cast<std::uint64_t>(n.kind));
  hash = mix(hash, static_cast<std::uint64_t>(n.op) * 1024 + static_cast<std::uint64_t>(n.intrinsic));
  hash = mix(hash, static_cast<std::uint64_t>(n.scalar) * 64 + static_cast<std::uint64_t>(n.from));
  hash = mix(hash, static_cast<std::uint64_t>(n.tag));
  for (const NodeIndex operand : n.operands) hash = mix(hash, operand);
  return hash;
}

bool is_commutative(Operator op) {
  return op == Operator::kAdd || op == Operator::kMul || op == Operator::kAnd || op == Operator::kOr ||
         op == Operator::kXor || op == Operator::kEq || op == Operator::kNe;
}

constexpr std::int64_t kAllOnes = -1;

}  // namespace

bool WarpNode::is_same(const WarpNode& other) const {
  return kind == other.kind && op == other.op && intrinsic == other.intrinsic && scalar == other.scalar &&
         from == other.from && tag == other.tag && operands == other.operands;
}

NodeIndex WarpGraph::add(WarpNode node) {
  return found_.find_or_add(
      hash_of_node(node), [&](std::uint32_t n) { return nodes_[n].is_same(node); },
      [&] {
        nodes_.push_back(std::move(node));
        return static_cast<std::uint32_t>(nodes_.size() - 1);
      });
}

NodeIndex WarpGraph::constant(Scalar s, std::int64_t value) {
  WarpNode node{.kind = WarpOp::kConstant, .scalar = s, .tag = wrap(s, value)};
  node.lanes.emplace().fill(node.tag);
  return add(std::move(node));
}

NodeIndex WarpGraph::real(Scalar s, double value) {
  return add({.kind = WarpOp::kConstant, .scalar = s, .tag = std::bit_cast<std::int64_t>(value)});
}

std::optional<std::int64_t> WarpGraph::integer(NodeIndex n) const {
  if (!is_constant(n) || is_real(node(n).scalar)) return std::nullopt;
  return node(n).tag;
}

WarpGraph::Offset WarpGraph::split(Scalar s, NodeIndex n) const {
  const WarpNode& sum = node(n);
  if (sum.kind != WarpOp::kArithmetic || sum.op != Operator::kAdd || sum.scalar != s) return {n, 0};
  const auto c = integer(sum.operands[1]);
  return c ? Offset{sum.operands[0], *c} : Offset{n, 0};
}

// Constants move outwards: (x + 1) + y is (x + y) + 1, (x + 1) · 4 is x · 4 + 4.
std::optional<NodeIndex> WarpGraph::simplified_sum(Operator op, Scalar s, NodeIndex a, NodeIndex b) {
  const auto c = integer(b);
  if (op == Operator::kSub && a == b) return constant(s, 0);
  if (op == Operator::kSub && c) return binary(Operator::kAdd, s, a, constant(s, -*c));
  if (op == Operator::kAdd && c && *c == 0) return a;
  const Offset left = split(s, a), right = split(s, b);
  if (op == Operator::kAdd && c && left.constant != 0)
    return binary(Operator::kAdd, s, left.base, constant(s, left.constant + *c));
  if (c || (left.constant == 0 && right.constant == 0)) return std::nullopt;
  const std::int64_t all = op == Operator::kAdd ? left.constant + right.constant : left.constant - right.constant;
  return binary(Operator::kAdd, s, binary(op, s, left.base, right.base), constant(s, all));
}

std::optional<NodeIndex> WarpGraph::simplified(Operator op, Scalar s, NodeIndex a, NodeIndex b) {
  const auto c = integer(b);
  if (op == Operator::kAdd || op == Operator::kSub) return simplified_sum(op, s, a, b);
  if (op == Operator::kLogicalAnd && c) return *c != 0 ? a : b;
  if (op == Operator::kLogicalOr && c) return *c != 0 ? b : a;
  if ((op == Operator::kLogicalAnd || op == Operator::kLogicalOr) && a == b) return a;
  if (!c) return std::nullopt;
  const bool is_shift = op == Operator::kShl || op == Operator::kShr;
  if (*c == 0 && (is_shift || op == Operator::kOr || op == Operator::kXor)) return a;
  if (*c == 0 && (op == Operator::kAnd || op == Operator::kMul)) return b;
  if (*c == 1 && (op == Operator::kMul || op == Operator::kDiv)) return a;
  if (op == Operator::kAnd && *c == wrap(s, kAllOnes)) return a;
  if (op == Operator::kShl && *c > 0 && *c < 31)
    return binary(Operator::kMul, s, a, constant(s, std::int64_t{1} << *c));
  const Offset left = split(s, a);
  if (op == Operator::kMul && left.constant != 0)
    return binary(Operator::kAdd, s, binary(op, s, left.base, b), constant(s, left.constant * *c));
  if (is_comparison(op) && !is_unsigned(s) && left.constant != 0)
    return binary(op, s, left.base, constant(s, *c - left.constant));
  return std::nullopt;
}

NodeIndex WarpGraph::arithmetic(Operator op, Scalar s, NodeIndex a, NodeIndex b) {
  WarpNode node{.kind = WarpOp::kArithmetic, .op = op, .scalar = s, .from = s, .operands = {a, b}};
  if (is_comparison(op) || op == Operator::kLogicalAnd || op == Operator::kLogicalOr) node.scalar = Scalar::kBool;
  const LaneIntegers *left = lanes(a), *right = lanes(b);
  if (left != nullptr && right != nullptr && !is_real(s)) {
    node.lanes.emplace();
    for (std::size_t t = 0; t < kTimedLanes; ++t) {
      bool defined = true;
      (*node.lanes)[t] = swizzle::apply(op, s, (*left)[t], (*right)[t], defined);
    }
  }
  if (node.lanes && is_constant(a) && is_constant(b)) return constant(node.scalar, node.lanes->front());
  return add(std::move(node));
}

NodeIndex WarpGraph::binary(Operator op, Scalar s, NodeIndex a, NodeIndex b) {
  if (a == kNoNode || b == kNoNode) return kNoNode;
  if (is_constant(a) && is_constant(b)) return arithmetic(op, s, a, b);
  if (is_commutative(op) && (is_constant(a) || (!is_constant(b) && b < a))) std::swap(a, b);
  if (!is_real(s))
    if (const auto simple = simplified(op, s, a, b)) return *simple;
  return arithmetic(op, s, a, b);
}

NodeIndex WarpGraph::unary(Operator op, Scalar s, NodeIndex a) {
  if (a == kNoNode) return a;
  const WarpNode& operand = node(a);
  if (operand.kind == WarpOp::kArithmetic && operand.op == op && is_unary(op)) return operand.operands[0];
  WarpNode result{.kind = WarpOp::kArithmetic, .op = op, .scalar = s, .from = s, .operands = {a}};
  if (const LaneIntegers* known = lanes(a); known != nullptr && !is_real(s)) {
    result.lanes.emplace();
    for (std::size_t t = 0; t < kTimedLanes; ++t) {
      bool defined = true;
      (*result.lanes)[t] = swizzle::apply(op, s, (*known)[t], 0, defined);
    }
    if (is_constant(a)) return constant(s, result.lanes->front());
  }
  return add(std::move(result));
}

NodeIndex WarpGraph::select(NodeIndex condition, NodeIndex then, NodeIndex other, Scalar s, bool is_predicated) {
  if (then == kNoNode || then == other) return other;
  if (other == kNoNode) return then;
  if (const auto c = integer(condition)) return *c != 0 ? then : other;
  WarpNode node{
      .kind = WarpOp::kSelect, .scalar = s, .tag = is_predicated ? 1 : 0, .operands = {condition, then, other}};
  const LaneIntegers *c = lanes(condition), *a = lanes(then), *b = lanes(other);
  if (c != nullptr && a != nullptr && b != nullptr) {
    node.lanes.emplace();
    for (std::size_t t = 0; t < kTimedLanes; ++t) (*node.lanes)[t] = (*c)[t] != 0 ? (*a)[t] : (*b)[t];
  }
  return add(std::move(node));
}

// What of an operation is kept are its low bits, of which only its operands' low bits decide: (short)((int)a + (int)b)
// is the sum of a and b as they are.
NodeIndex WarpGraph::narrowed(NodeIndex a, Scalar to) {
  const WarpNode sum = node(a);
  const bool keeps_low_bits = sum.op == Operator::kAdd || sum.op == Operator::kSub || sum.op == Operator::kMul ||
                              sum.op == Operator::kAnd || sum.op == Operator::kOr || sum.op == Operator::kXor;
  if (sum.kind != WarpOp::kArithmetic || !keeps_low_bits || sum.operands.size() != 2) return a;
  const auto bare = [&](NodeIndex n) {
    while (node(n).kind == WarpOp::kConvert && !is_real(node(n).from) && bit_width(node(n).from) >= bit_width(to))
      n = node(n).operands[0];
    return n;
  };
  const NodeIndex left = bare(sum.operands[0]), right = bare(sum.operands[1]);
  return left == sum.operands[0] && right == sum.operands[1] ? a : binary(sum.op, sum.scalar, left, right);
}

// A sum that is made wider stays one: signed sums do not overflow.
NodeIndex WarpGraph::convert(NodeIndex a, Scalar from, Scalar to) {
  if (a == kNoNode || from == to) return a;
  if (is_constant(a) && !is_real(from) && !is_real(to))
    return constant(to, to == Scalar::kBool ? node(a).tag != 0 : node(a).tag);
  if (is_constant(a) && !is_real(from)) return real(to, nearest(to, from, static_cast<std::int64_t>(node(a).tag)));
  if (is_constant(a) && is_real(from) && is_real(to)) return real(to, std::bit_cast<double>(node(a).tag));
  const bool widens = !is_real(from) && !is_real(to) && !is_unsigned(from) && bit_width(to) > bit_width(from);
  if (const Offset sum = split(from, a); widens && sum.constant != 0)
    return binary(Operator::kAdd, to, convert(sum.base, from, to), constant(to, sum.constant));
  const bool are_integers = !is_real(from) && !is_real(to) && to != Scalar::kBool;
  if (are_integers && bit_width(to) < bit_width(from)) a = narrowed(a, to);
  WarpNode node{.kind = WarpOp::kConvert, .scalar = to, .from = from, .operands = {a}};
  if (const LaneIntegers* known = lanes(a); known != nullptr && !is_real(to)) {
    node.lanes.emplace();
    for (std::size_t t = 0; t < kTimedLanes; ++t)
      (*node.lanes)[t] = to == Scalar::kBool ? (*known)[t] != 0 : wrap(to, (*known)[t]);
  }
  return add(std::move(node));
}

}  // namespace swizzle
