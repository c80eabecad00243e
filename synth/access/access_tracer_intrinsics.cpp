// Intrinsics: shuffles and votes of integers, bit functions, memory instructions.
#include <algorithm>
#include <bit>
#include <cmath>

#include "synth/access/loop_jump.h"
#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

// What a search takes for opaque has a value here.
std::optional<std::int64_t> value_of_words(Intrinsic kind, Scalar s, const std::vector<std::int64_t>& v) {
  constexpr int kWord = 32;
  if (kind != Intrinsic::kMulhi && kind != Intrinsic::kUmulhi) return evaluate(kind, s, v);
  if (kind == Intrinsic::kMulhi) return v[0] * v[1] >> kWord;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(v[0]) * static_cast<std::uint64_t>(v[1]) >> kWord);
}

}  // namespace

// In what exchanges values the lanes of a warp wait for each other, as in a barrier: behind what they bring along.
Item AccessTracer::intrinsic(const Expr& e) {
  Item result = of_intrinsic(e);
  if (!history_ || !is_collective(lane_behavior(e.intrinsic)) || (tape_ != nullptr && tape_->is_of_all_rounds))
    return result;
  if (e.intrinsic == Intrinsic::kSyncThreads) {
    mind_divergence(e.range);
    history_->barrier();
  }
  for (std::size_t t = 0; t < mask_.present.size(); ++t)
    if (mask_.present[t] != Presence::kOut) history_->warp_barrier(static_cast<int>(t) / options_.memory.lanes);
  return result;
}

// A thread that has not ended and does not come to the barrier, or not with the others: some wait for ever.
void AccessTracer::mind_divergence(SourceRange range) {
  if (is_unsure() || gone_.any_perhaps()) return;
  const auto is_present = [&](std::size_t t) { return mask_.present[t] != Presence::kOut; };
  std::optional<std::size_t> here, elsewhere;
  for (std::size_t t = 0; t < mask_.present.size(); ++t) {
    if (!here && is_present(t)) here = t;
    if (!elsewhere && !is_present(t) && !gone_.has_ended(t)) elsewhere = t;
  }
  constexpr const char* kRule = "barrier";
  if (!here || !elsewhere || !misplaced_.insert({range.begin, kRule}).second) return;
  violate(range, kRule,
          fmt::format(
              "thread {} waits here, and thread {} does not come: all threads of a block must reach a barrier together",
              *here, *elsewhere));
}

Item AccessTracer::of_intrinsic(const Expr& e) {
  switch (lane_behavior(e.intrinsic)) {
    case LaneBehavior::kShuffle: return {shuffle(e), {}};
    case LaneBehavior::kVote: return {vote(e), {}};
    case LaneBehavior::kReduction: return {reduction(e), {}};
    case LaneBehavior::kRead: return load(value_of(e.operands[0]), e.type, e.range);
    case LaneBehavior::kAtomic:
    case LaneBehavior::kUnrepeatable: return {};
    case LaneBehavior::kEnd: leave(Departures::From::kKernel); return {};
    default: return {bits(e), {}};
  }
}

LaneValue AccessTracer::shuffle(const Expr& e) {
  eval(e.operands[0]);
  const LaneValue sent = value_of(e.operands[1]), operand = value_of(e.operands[2]);
  const LaneValue width = e.operands.size() > 3 ? value_of(e.operands[3]) : LaneValue::uniform(options_.memory.lanes);
  if (sent.is_unknown() || !width.is_uniform() || width.at(0) < 1) return {};
  std::vector<std::int64_t> values(static_cast<std::size_t>(threads_), 0);
  std::vector<char> known(values.size(), 0);
  for (int t = 0; t < threads_; ++t) {
    const auto from = operand.find(t);
    if (!from) continue;
    const int warp = t / options_.memory.lanes * options_.memory.lanes;
    const int source = warp + source_lane(e.intrinsic, t - warp, *from, static_cast<int>(width.at(0)));
    if (source >= threads_ || mask_.present[static_cast<std::size_t>(source)] != Presence::kIn || !sent.knows(source))
      continue;
    values[static_cast<std::size_t>(t)] = sent.at(source);
    known[static_cast<std::size_t>(t)] = 1;
  }
  return LaneValue::partly(std::move(values), std::move(known));
}

LaneValue AccessTracer::vote(const Expr& e) {
  const bool asks = !e.operands.empty();
  const LaneValue asked = asks ? value_of(e.operands[0]) : LaneValue::uniform(-1);
  const LaneValue predicate = asks ? value_of(e.operands[1]) : LaneValue::uniform(1);
  if (!decides(predicate) || !decides(asked) || is_unsure()) return {};
  std::vector<std::uint32_t> active(static_cast<std::size_t>(warps()), 0), yes = active;
  for (int t = 0; t < threads_; ++t) {
    if (mask_.present[static_cast<std::size_t>(t)] == Presence::kOut) continue;
    const auto warp = static_cast<std::size_t>(t / options_.memory.lanes);
    const std::uint32_t bit = 1u << t % options_.memory.lanes;
    active[warp] |= bit;
    if (predicate.at(t) != 0) yes[warp] |= bit;
  }
  std::vector<std::int64_t> values(static_cast<std::size_t>(threads_), 0);
  for (int t = 0; t < threads_; ++t) {
    if (mask_.present[static_cast<std::size_t>(t)] == Presence::kOut) continue;
    const auto warp = static_cast<std::size_t>(t / options_.memory.lanes);
    const std::uint32_t among = active[warp] & static_cast<std::uint32_t>(asked.at(t)), votes = yes[warp] & among;
    values[static_cast<std::size_t>(t)] = outcome(e.intrinsic, votes, among);
  }
  return LaneValue::varying(std::move(values));
}

LaneValue AccessTracer::reduction(const Expr& e) {
  const LaneValue asked = value_of(e.operands[0]), own = value_of(e.operands[1]);
  if (!decides(own) || !decides(asked) || is_unsure()) return {};
  const int lanes = options_.memory.lanes;
  std::vector<std::int64_t> values(static_cast<std::size_t>(threads_), 0);
  const auto is_in = [&](int t) { return mask_.present[static_cast<std::size_t>(t)] != Presence::kOut; };
  for (int t = 0; t < threads_; ++t) {
    const int first = t / lanes * lanes;
    std::optional<std::int64_t> sum;
    for (int u = first; is_in(t) && u < std::min(threads_, first + lanes); ++u)
      if (is_in(u) && (asked.at(t) >> (u - first) & 1) != 0)
        sum = sum ? wrap(scalar_of(e.type), reduced(e.intrinsic, *sum, own.at(u))) : own.at(u);
    values[static_cast<std::size_t>(t)] = sum.value_or(0);
  }
  return LaneValue::varying(std::move(values));
}

LaneValue AccessTracer::bits(const Expr& e) {
  std::vector<LaneValue> operands;
  for (const ExprId o : e.operands) operands.push_back(value_of(o));
  if (operands.empty() ||
      std::any_of(operands.begin(), operands.end(), [](const LaneValue& v) { return v.is_unknown(); }))
    return {};
  const Scalar s = scalar_of(program_.expr(e.operands[0]).type);
  const auto of_one = [&](int t) -> std::optional<std::int64_t> {
    std::vector<std::int64_t> v;
    for (const LaneValue& o : operands) {
      if (!o.knows(t)) return std::nullopt;
      v.push_back(o.at(t));
    }
    return value_of_words(e.intrinsic, s, v);
  };
  if (is_real(s)) return of_reals(e, operands);
  if (std::any_of(operands.begin(), operands.end(), [](const LaneValue& v) { return v.is_real(); })) return {};
  if (std::all_of(operands.begin(), operands.end(), [](const LaneValue& v) { return v.is_uniform(); })) {
    const auto one = of_one(0);
    return one ? LaneValue::uniform(*one) : LaneValue();
  }
  std::vector<std::int64_t> values(static_cast<std::size_t>(threads_), 0);
  std::vector<char> known(values.size(), 0);
  for (int t = 0; t < threads_; ++t)
    if (const auto v = of_one(t)) values[static_cast<std::size_t>(t)] = *v, known[static_cast<std::size_t>(t)] = 1;
  return LaneValue::partly(std::move(values), std::move(known));
}

// Functions whose result is exact, or rounded as the standard has it.
LaneValue AccessTracer::of_reals(const Expr& e, const std::vector<LaneValue>& operands) {
  const auto of = [&](double x, double y) -> std::optional<double> {
    switch (e.intrinsic) {
      case Intrinsic::kMin: return std::fmin(x, y);
      case Intrinsic::kMax: return std::fmax(x, y);
      default: return evaluate_real(e.intrinsic, scalar_of(e.type), x);
    }
  };
  if (!is_real(scalar_of(e.type)) ||
      !std::all_of(operands.begin(), operands.end(), [](const LaneValue& v) { return v.is_real(); }))
    return {};
  std::vector<std::int64_t> values(static_cast<std::size_t>(threads_), 0);
  std::vector<char> known(values.size(), 0);
  for (int t = 0; t < threads_; ++t) {
    const auto x = operands[0].find(t), y = operands.back().find(t);
    const auto value = x && y ? of(std::bit_cast<double>(*x), std::bit_cast<double>(*y)) : std::nullopt;
    if (!value) continue;
    values[static_cast<std::size_t>(t)] = std::bit_cast<std::int64_t>(*value);
    known[static_cast<std::size_t>(t)] = 1;
  }
  return LaneValue::partly(std::move(values), std::move(known)).as_real();
}

void AccessTracer::touch(const Expr& e) {
  const std::int64_t said = said_;
  LaneValue address = value_of(e.operands[0]);
  const LaneValue bytes = value_of(e.operands[1]);
  if (!bytes.is_uniform()) return not_counted(program_.expr(e.operands[1]).range);
  if (e.touch.in_shared_window) {
    constexpr std::int64_t kWindowMask = 0xffffffff;
    const int region = address.region();
    address = binary(Operator::kAnd, Scalar::kI64, address, LaneValue::uniform(kWindowMask));
    address = binary(Operator::kAdd, Scalar::kI64, address, LaneValue::uniform(AddressSpace::shared_window()))
                  .with_region(region);
  }
  const int known = address.region();
  const bool is_outside = known != kNoRegion && space_.region(known).kind == RegionKind::kGlobal;
  if (!decides(address) && !address.is_affine() && said == said_)
    not_counted(program_.expr(e.operands[0]).range, is_outside ? MemorySpace::kGlobal : MemorySpace::kShared);
  const std::int64_t size = bytes.at(0);
  constexpr std::int64_t kMostBytes = 1 << 20;  // of a copy: beyond what any shared memory holds
  if (size > kMostBytes) {
    remark(e.range, "this copies more than shared memory holds: it is not counted");
    return not_counted(e.range);
  }
  const auto alignment_in = [&](RegionKind kind) {  // as the instructions of such a copy have it
    const auto of_size = static_cast<int>(size & -size), of_type = e.touch.copied_alignment;
    return of_type == 0 ? of_size : kind == RegionKind::kShared ? std::min(of_size, of_type) : 1;
  };
  const bool writes = e.touch.operation != MemoryOperation::kLoad && e.touch.operation != MemoryOperation::kLdmatrix;
  const auto in_region = [&](const LaneValue& place) {
    const int region = space_.region_of(place, mask_.present);
    const RegionKind kind = region == kNoRegion ? RegionKind::kGlobal : space_.region(region).kind;
    if (e.touch.matrices > 0 && region != kNoRegion && kind != RegionKind::kShared)
      return remark(e.range, "wmma goes to global memory here, by other instructions: it is not counted");
    if (writes && kind == RegionKind::kShared)
      space_.write_shared(region, place, static_cast<int>(size), LaneValue(), mask_.present);
    if (writes && kind == RegionKind::kLocal) space_.write_own(region, place, size, {}, mask_.present, false);
    record(place, size, alignment_in(kind), e.touch, e.range);
  };
  if (!in_each_region(address, in_region)) in_region(address);
}

}  // namespace swizzle
