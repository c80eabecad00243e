#include "synth/execution/warp_collectives.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "synth/program/intrinsics.h"
#include "synth/provenance/flags.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

const char* noun(Intrinsic kind) {
  switch (lane_behavior(kind)) {
    case LaneBehavior::kBarrier: return "barrier";
    case LaneBehavior::kVote: return "vote";
    case LaneBehavior::kMatch: return "match";
    case LaneBehavior::kReduction: return "reduction";
    case LaneBehavior::kCopies: return kind == Intrinsic::kWaitCopies ? "wait" : "commit";
    default: return "shuffle";
  }
}

// How two lanes' values combine: by an operator, or as an extremum.
std::optional<Operator> operator_of(Intrinsic reduction) {
  switch (reduction) {
    case Intrinsic::kReduceAdd: return Operator::kAdd;
    case Intrinsic::kReduceAnd: return Operator::kAnd;
    case Intrinsic::kReduceOr: return Operator::kOr;
    case Intrinsic::kReduceXor: return Operator::kXor;
    default: return std::nullopt;
  }
}

}  // namespace

void WarpCollectives::reach_together(const Expr& e) {
  run_.for_active([&](int t) {
    if (truth(run_.mask.guard[static_cast<std::size_t>(t)]) == true) return;
    run_.refuse(
        e.range,
        fmt::format(
            "a {0} under a condition that a hole or data decide is not supported; move the {0} before the condition",
            noun(e.intrinsic)));
  });
}

// The mask of each active thread. CUDA C++ Programming Guide, warp shuffle functions: each lane is in its own mask, and
// all lanes that it names and that have not exited execute the same call with the same mask.
std::vector<std::uint32_t> WarpCollectives::warp_masks(const Expr& e, ExprId mask) {
  std::vector<std::uint32_t> masks(static_cast<std::size_t>(run_.threads), 0);
  const Lanes values = operands_.eval(mask);
  if (run_.failed()) return masks;
  const SourceRange range = program_.expr(mask).range;
  run_.for_active([&](int t) {
    const Value v = values[at(t, 1, 0)];
    if (!v.is_int())
      return run_.refuse(range, fmt::format("the mask of a {} must not depend on holes or data", noun(e.intrinsic)));
    masks[at(t, 1, 0)] = static_cast<std::uint32_t>(v.bits);
  });
  run_.for_active([&](int t) {
    const std::uint32_t own = masks[at(t, 1, 0)];
    const int first = t / kWarpSize * kWarpSize;
    if ((own >> (t - first) & 1) == 0)
      return run_.lack_lanes(
          range, fmt::format("thread {} is not in the mask {:#x} of its own {}", t, own, noun(e.intrinsic)));
    for (int u = first; u < std::min(run_.threads, first + kWarpSize); ++u) {
      if ((own >> (u - first) & 1) == 0 || run_.exited[at(u, 1, 0)]) continue;
      if (!run_.mask.on[at(u, 1, 0)])
        return run_.lack_lanes(range, fmt::format("the mask {:#x} names thread {}, which does not reach this {}", own,
                                                  u, noun(e.intrinsic)));
      if (masks[at(u, 1, 0)] != own)
        return run_.lack_lanes(
            range, fmt::format("threads {} and {} come to this {} with different masks", t, u, noun(e.intrinsic)));
    }
  });
  return masks;
}

Lanes WarpCollectives::eval_shuffle(const Expr& e) {
  reach_together(e);
  if (run_.failed()) return run_.blank();
  const Masks masks = warp_masks(e, e.operands[0]);
  const Lanes sent = operands_.eval(e.operands[1]);
  if (run_.failed()) return run_.blank();
  const Lanes from = operands_.eval(e.operands[2]);
  const Lanes width = e.operands.size() > 3 ? operands_.eval(e.operands[3]) : run_.splat(Value::integer(kWarpSize));
  const int slots = run_.slots_of(e.type);  // 2 of a half2
  Lanes result = run_.blank(slots);
  if (run_.failed()) return result;
  run_.for_active([&](int t) {
    if (run_.failed()) return;
    const Value w = width[at(t, 1, 0)], operand = from[at(t, 1, 0)];
    const int segment = std::min(static_cast<int>(w.bits), run_.execution.memory.lanes);  // of a warp of this machine
    if (!w.is_int() || w.bits < 1 || w.bits > 32 || !std::has_single_bit(static_cast<unsigned>(w.bits)))
      return run_.break_rule(e.range, "the width of a shuffle must be a power of two up to 32");
    const SourceRange range = program_.expr(e.operands[2]).range;
    if (operand.is_undefined()) return run_.break_rule(range, "this lane is undefined");
    if (!provenance_.is_index(operand))
      return run_.refuse(range, "data decide the lane of this shuffle, which is not supported");
    const int warp = t / kWarpSize * kWarpSize;
    for (int s = 0; s < slots; ++s)
      result.entry(at(t, slots, s)) = provenance_.map_leaves(operand, [&](Value leaf) -> Value {
        if (!run_.without_stride(leaf).is_int()) return {};
        const int lane = source_lane(e.intrinsic, t % kWarpSize, leaf.bits, segment), source = warp + lane;
        const bool sends =
            source < run_.threads && run_.mask.on[at(source, 1, 0)] && (masks[at(t, 1, 0)] >> lane & 1) != 0;
        return sends ? sent[at(source, slots, s)] : Value{};
      });
    if (operand.is_int()) tell_shuffle(e, t, source_lane(e.intrinsic, t % kWarpSize, operand.bits, segment), result);
  });
  run_.count_per_warp(run_.trace.counts.shuffles);
  return result;
}

void WarpCollectives::tell_shuffle(const Expr& e, int thread, int source, const Lanes& result) {
  if (!run_.tells_registers_of(thread)) return;
  const int slots = run_.slots_of(e.type);
  for (int s = 0; s < slots; ++s)
    run_.execution.register_writes->push_back({e.range, "", s, slots, thread, source, result[at(thread, slots, s)]});
}

Lanes WarpCollectives::eval_vote(const Expr& e) {
  reach_together(e);
  if (run_.failed()) return run_.blank();
  const bool asks = !e.operands.empty();
  const std::vector<std::uint32_t> masks =
      asks ? warp_masks(e, e.operands[0]) : std::vector<std::uint32_t>(static_cast<std::size_t>(run_.threads), ~0u);
  const Lanes predicate = asks ? operands_.eval(e.operands[1]) : run_.splat(Value::integer(1));
  Lanes result = run_.blank();
  if (run_.failed()) return result;
  run_.for_active([&](int t) {
    if (predicate[at(t)].is_undefined()) run_.break_rule(e.range, "this vote is on an undefined value");
  });
  if (run_.failed()) return result;
  const auto has_bits = [&](Value v) { return is_word(provenance_, v); };
  if (e.intrinsic == Intrinsic::kBallot && std::ranges::any_of(predicate.values(), has_bits))
    return eval_ballot(predicate, masks, e);
  const auto is_open = [&](Value v) { return !truth(v); };
  bool on_data = false;
  run_.for_active([&](int t) { on_data = on_data || is_open(predicate[at(t, 1, 0)]); });
  if (on_data) return eval_vote_on_data(predicate, masks, e);
  std::vector<std::uint32_t> yes(static_cast<std::size_t>((run_.threads + kWarpSize - 1) / kWarpSize), 0), active = yes;
  run_.for_active([&](int t) {
    const auto known = truth(predicate[at(t, 1, 0)]);
    const auto warp = static_cast<std::size_t>(t / kWarpSize);
    active[warp] |= 1u << t % kWarpSize;
    if (*known) yes[warp] |= 1u << t % kWarpSize;
  });
  run_.for_active([&](int t) {
    const auto warp = static_cast<std::size_t>(t / kWarpSize);
    const std::uint32_t asked = active[warp] & masks[at(t, 1, 0)], votes = yes[warp] & asked;
    result.entry(at(t, 1, 0)) = Value::integer(outcome(e.intrinsic, votes, asked));
  });
  if (asks) run_.count_per_warp(run_.trace.counts.shuffles);
  return result;
}

Lanes WarpCollectives::fold(const Masks& masks, const Lanes& given, const Expr& e, const char* what,
                            const std::function<Value(const std::vector<int>&)>& f) {
  Lanes result = run_.blank();
  std::map<std::pair<int, std::uint32_t>, Value> known;  // by warp and mask
  run_.for_active([&](int t) {
    const int first = t / kWarpSize * kWarpSize;
    const auto [it, fresh] = known.try_emplace({first, masks[at(t)]});
    std::vector<int> threads;
    for (int u = first; fresh && u < std::min(run_.threads, first + kWarpSize); ++u)
      if (run_.mask.on[at(u)] && (masks[at(t)] >> (u - first) & 1) != 0) threads.push_back(u);
    if (fresh) it->second = f(threads);
    result.entry(at(t)) = it->second;
    arithmetic_.follow(result[at(t)], {given[at(t)]}, e.range, what);
  });
  run_.count_per_warp(run_.trace.counts.shuffles);
  return result;
}

// What lanes say of their data.
Lanes WarpCollectives::eval_vote_on_data(const Lanes& predicate, const Masks& masks, const Expr& e) {
  return fold(masks, predicate, e, "vote", [&](const std::vector<int>& threads) {
    std::map<int, Value> said;
    for (const int u : threads) said.emplace(u % kWarpSize, predicate[at(u)]);
    return vote(provenance_, e.intrinsic, Scalar::kI32, said);
  });
}

// A bit for each lane that has the same bits as this one: of integers known, of data compared.
Lanes WarpCollectives::eval_match(const Expr& e) {
  reach_together(e);
  if (run_.failed()) return run_.blank();
  const Masks masks = warp_masks(e, e.operands[0]);
  const Lanes own = operands_.eval(e.operands[1]);
  Lanes result = run_.blank();
  if (run_.failed()) return result;
  const Scalar given = run_.scalar_of(program_.expr(e.operands[1]).type);
  const Scalar s = !is_real(given) ? given : bit_width(given) == 64 ? Scalar::kI64 : Scalar::kI32;
  const auto code = [](Intrinsic bits) { return kOpaqueIntrinsic + static_cast<std::uint32_t>(bits); };
  const auto bits_of = [&](Value v) {
    if (!is_real(given)) return v;
    return provenance_.opaque(code(s == Scalar::kI64 ? Intrinsic::kDoubleAsLonglong : Intrinsic::kFloatAsInt), s, {v});
  };
  run_.for_active([&](int t) {
    if (own[at(t)].is_undefined()) return run_.break_rule(e.range, "this match is on an undefined value");
    const int first = t / kWarpSize * kWarpSize;
    Value alike = Value::integer(0);
    for (int u = first; u < std::min(run_.threads, first + kWarpSize); ++u) {
      if (!run_.mask.on[at(u)] || (masks[at(t)] >> (u - first) & 1) == 0) continue;
      const Value is_same =
          u == t ? Value::integer(1) : provenance_.binary(Operator::kEq, s, bits_of(own[at(t)]), bits_of(own[at(u)]));
      const Value one = provenance_.convert(is_same, Scalar::kBool, Scalar::kU32);
      alike = provenance_.binary(Operator::kOr, Scalar::kU32, alike,
                                 provenance_.binary(Operator::kShl, Scalar::kU32, one, Value::integer(u - first)));
    }
    result.entry(at(t)) = alike;
    arithmetic_.follow(result[at(t)], {own[at(t)]}, e.range, "match");
  });
  run_.count_per_warp(run_.trace.counts.shuffles);
  return result;
}

// A word that each lane gives a bit of.
Lanes WarpCollectives::eval_ballot(const Lanes& predicate, const Masks& masks, const Expr& e) {
  return fold(masks, predicate, e, "vote", [&](const std::vector<int>& threads) {
    std::vector<Value> bits(kWarpSize, Value::integer(0));
    for (const int u : threads) bits[at(u % kWarpSize)] = truth_bit(provenance_, predicate[at(u)]);
    return word_of(provenance_, Scalar::kU32, bits);
  });
}

Lanes WarpCollectives::eval_reduction(const Expr& e) {
  reach_together(e);
  if (run_.failed()) return run_.blank();
  const Masks masks = warp_masks(e, e.operands[0]);
  const Lanes own = operands_.eval(e.operands[1]);
  if (run_.failed()) return run_.blank();
  const Scalar s = run_.scalar_of(e.type);
  const auto op = operator_of(e.intrinsic);
  const Ring ring = e.intrinsic == Intrinsic::kReduceMin ? Ring::kMin : Ring::kMax;
  return fold(masks, own, e, "reduction", [&](const std::vector<int>& threads) {
    Value sum = own[at(threads[0])];
    for (const int u : std::span(threads).subspan(1)) {
      const Value v = own[at(u)];
      if (v.is_undefined() || sum.is_undefined()) return Value{};
      sum = op ? provenance_.binary(*op, s, sum, v) : arithmetic_.extremum(ring, s, sum, v);
    }
    return sum;
  });
}

void WarpCollectives::barrier(const Expr& e) {
  reach_together(e);
  if (run_.failed()) return;
  if (e.intrinsic == Intrinsic::kSyncThreads) {
    for (std::size_t t = 0; t < run_.mask.on.size(); ++t)
      if (!run_.mask.on[t] && !run_.exited[t])
        return run_.break_rule(e.range, fmt::format("thread {} does not reach this __syncthreads()", t));
    return races_.pass_barrier();
  }
  const Masks masks = warp_masks(e, e.operands[0]);
  if (run_.failed()) return;
  for (int first = 0; first < run_.threads; first += kWarpSize) meet_in_warp(first, masks);
}

// Lanes that name the same lanes wait for each other. What those of them that have left did is behind it.
void WarpCollectives::meet_in_warp(int first, const Masks& masks) {
  const int end = std::min(run_.threads, first + kWarpSize);
  std::uint32_t lives = 0, come = 0;
  for (int t = first; t < end; ++t) {
    const std::uint32_t lane = 1u << (t - first);
    if (!run_.exited[at(t)]) lives |= lane;
    if (run_.mask.on[at(t)] && !run_.exited[at(t)]) come |= lane;
  }
  while (come != 0) {
    const std::uint32_t named = masks[at(first + std::countr_zero(come))];
    std::uint32_t met = 0;
    for (std::uint32_t rest = come; rest != 0; rest &= rest - 1)
      if (masks[at(first + std::countr_zero(rest))] == named) met |= rest & -rest;
    come &= ~met;
    races_.pass_warp_barrier(first / kWarpSize, met | (named & ~lives));
  }
}

}  // namespace swizzle
