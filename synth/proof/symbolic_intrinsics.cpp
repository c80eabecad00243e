// Intrinsics of a symbolic run: shuffles, barriers, functions of data.
#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "synth/proof/symbolic_interpreter.h"
#include "synth/provenance/flags.h"
#include "synth/provenance/word_products.h"
#include "synth/provenance/words.h"

namespace swizzle {
SymbolicInterpreter::Lanes SymbolicInterpreter::eval_intrinsic(const Expr& e) {
  switch (lane_behavior(e.intrinsic)) {
    case LaneBehavior::kShuffle: return eval_shuffle(e);
    case LaneBehavior::kBarrier: barrier(e); return blank();
    case LaneBehavior::kVote: return eval_vote(e);
    case LaneBehavior::kRead: {
      const Lanes pointers = eval(e.operands[0]);
      return stopped() ? blank(slots_of(e.type)) : read(pointers, e.type);
    }
    case LaneBehavior::kOfWords:
    case LaneBehavior::kAlgebraic:
    case LaneBehavior::kUninterpreted:
    case LaneBehavior::kSameBits: return eval_arithmetic(e);
    case LaneBehavior::kMatch: give_up("lanes that are alike"); return blank();
    case LaneBehavior::kAtomic: eval_atomic(e); return blank();
    case LaneBehavior::kUnrepeatable: give_up("clocks"); return blank();
    case LaneBehavior::kWrite:
    case LaneBehavior::kNoEffect: return blank(slots_of(e.type));
    case LaneBehavior::kMatrix: return eval_matrices(e);
    case LaneBehavior::kOfSketches: break;
    default: give_up("sums over lanes"); return blank(slots_of(e.type));
  }
  switch (e.intrinsic) {
    case Intrinsic::kCreateAccumulator:
    case Intrinsic::kEvalAccumulator: return eval(e.operands[0]);
    case Intrinsic::kAccumulate: eval(e.operands[2]); return blank();
    default: give_up("load() or store()"); return blank(slots_of(e.type));
  }
}

SymbolicInterpreter::Lanes SymbolicInterpreter::eval_arithmetic(const Expr& e) {
  std::vector<Lanes> operands;
  for (ExprId o : e.operands) operands.push_back(eval(o));
  Lanes result = blank(slots_of(e.type));
  if (slots_of(e.type) != 1) return give_up("a function of several words"), result;
  const Scalar s = e.operands.empty() ? scalar_of(e.type) : scalar_of(program_.expr(e.operands[0]).type);
  for_active([&](int t) {
    std::vector<Symbol> v;
    for (const Lanes& o : operands) v.push_back(o[at(t)]);
    if (std::any_of(v.begin(), v.end(), [](const Symbol& x) { return x.is_undefined(); })) return;
    if (std::any_of(v.begin(), v.end(), [](const Symbol& x) { return x.is_pointer(); }))
      return give_up("a function of an address");
    result[at(t)] = function_of(e, s, v);
  });
  return result;
}

Symbol SymbolicInterpreter::function_of(const Expr& e, Scalar s, const std::vector<Symbol>& v) {
  Provenance& provenance = elements_.provenance();
  const bool is_min = e.intrinsic == Intrinsic::kMin;
  if (v.size() == 2 && goes_by_cases(v[0], v[1]))
    return by_cases(v[0], v[1], [&](const Symbol& x, const Symbol& y) { return function_of(e, s, {x, y}); });
  const bool is_index = std::all_of(v.begin(), v.end(), [](const Symbol& x) { return x.is_integer(); });
  if (is_index) {
    std::vector<std::int64_t> known;
    for (const Symbol& x : v)
      if (const auto value = x.number.value()) known.push_back(*value);
    if (known.size() == v.size())
      if (const auto value = evaluate(e.intrinsic, s, known)) return Symbol::integer(Polynomial(*value));
    if (is_min || e.intrinsic == Intrinsic::kMax) return extremum(is_min, v[0], v[1]);
    if (is_for_all()) return unknown();
    return give_up("a function of an integer that depends on the sizes"), Symbol{};
  }
  std::vector<Value> data;
  for (const Symbol& x : v) data.push_back(data_of(x, s));
  if (std::ranges::any_of(data, [&](Value x) { return is_word(provenance, x); }))
    return symbol_of(word_intrinsic(provenance, e.intrinsic, s, data));
  if (lane_behavior(e.intrinsic) == LaneBehavior::kSameBits)
    return symbol_of(provenance.same_bits(data[0], s, scalar_of(e.type)));
  if (is_min || e.intrinsic == Intrinsic::kMax)
    return symbol_of(provenance.combine(is_min ? Ring::kMin : Ring::kMax, s, data[0], data[1]));
  if (e.intrinsic == Intrinsic::kFma)
    return symbol_of(
        provenance.binary(Operator::kAdd, s, provenance.binary(Operator::kMul, s, data[0], data[1]), data[2]));
  if (e.intrinsic == Intrinsic::kPopc)
    if (const auto count = count_flags(provenance, s, data[0])) return symbol_of(*count);
  if (const auto product = word_product(provenance, e.intrinsic, s, data)) return symbol_of(*product);
  return symbol_of(
      provenance.opaque(kOpaqueIntrinsic + static_cast<std::uint32_t>(e.intrinsic), scalar_of(e.type), data));
}

Symbol SymbolicInterpreter::extremum(bool is_min, const Symbol& a, const Symbol& b) {
  const Symbol is_second_more = compared(b.number - a.number);
  if (stopped()) return is_for_all() && split_ ? split_.reset(), unknown() : Symbol{};
  const auto [then, other] = is_min ? std::pair(a, b) : std::pair(b, a);
  if (const auto known = is_second_more.number.value(); known && is_second_more.is_integer())
    return *known != 0 ? then : other;
  return selected(is_second_more.data, then, other);
}

// Each lane is in its own mask, and all that it names and that live come with the same one.
SymbolicInterpreter::Lanes SymbolicInterpreter::eval_shuffle(const Expr& e) {
  const std::vector<std::uint32_t> masks = warp_masks(e.operands[0]);
  const Lanes sent = eval(e.operands[1]), from = eval(e.operands[2]);
  const Lanes width = e.operands.size() > 3 ? eval(e.operands[3]) : splat(Symbol::integer(Polynomial(32)));
  const int slots = slots_of(e.type);
  Lanes result = blank(slots);
  for_active([&](int t) {
    const auto w = width[at(t)].number.value(), operand = from[at(t)].number.value();
    if (!from[at(t)].is_integer() || !operand) return give_up("data or sizes decide the lane of a shuffle");
    if (!w || *w < 1 || *w > 32 || !std::has_single_bit(static_cast<unsigned>(*w)))
      return give_up("the width of a shuffle");
    const int lane = source_lane(e.intrinsic, t % 32, *operand, std::min(static_cast<int>(*w), region_.lanes)),
              source = t / 32 * 32 + lane;
    const bool sends = source < threads_ && mask_[at(source)] && (masks[at(t)] >> lane & 1) != 0;
    for (int s = 0; s < slots && sends; ++s)
      result[at(t, slots, s)] = predicated(path_[at(source)], path_[at(t)], sent[at(source, slots, s)], {});
  });
  return result;
}

namespace {

// Nothing: bits are asked for what is no ballot. `said`: by lane.
std::optional<Value> outcome_of(Provenance& provenance, Intrinsic kind, Scalar s, const std::map<int, Value>& said) {
  if (std::ranges::none_of(said, [&](const auto& one) { return is_word(provenance, one.second); }))
    return vote(provenance, kind, s, said);
  if (kind != Intrinsic::kBallot) return std::nullopt;
  std::vector<Value> bits(32, Value::integer(0));
  for (const auto& [lane, asked] : said) bits[static_cast<std::size_t>(lane)] = truth_bit(provenance, asked);
  return word_of(provenance, Scalar::kU32, bits);
}

}  // namespace

SymbolicInterpreter::Lanes SymbolicInterpreter::eval_vote(const Expr& e) {
  if (e.operands.empty()) return give_up("a vote without a mask"), blank();
  const std::vector<std::uint32_t> masks = warp_masks(e.operands[0]);
  const Lanes predicate = eval(e.operands[1]);
  const Scalar s = scalar_of(program_.expr(e.operands[1]).type);
  Lanes result = blank();
  for_active([&](int t) {
    std::map<int, Value> said;
    const int first = t / 32 * 32;
    for (int u = first; u < std::min(threads_, first + 32); ++u) {
      if (!mask_[at(u)] || (masks[at(t)] >> (u - first) & 1) == 0) continue;
      if (!guards().implies(path_[at(t)], path_[at(u)], region_)) return give_up("a lane that is asked may have left");
      said.emplace(u - first, data_of(predicate[at(u)], s));
    }
    if (stopped()) return;
    const auto is_open = [&](const auto& one) { return guards().is_condition(one.second); };
    const bool is_of_sizes = e.intrinsic == Intrinsic::kBallot && std::ranges::count_if(said, is_open) > 1;
    const auto outcome =
        is_of_sizes ? ballot_of_conditions(s, said) : outcome_of(elements_.provenance(), e.intrinsic, s, said);
    if (!outcome) return give_up("a vote on bits");
    result[at(t)] = symbol_of(*outcome);
  });
  return result;
}

// Of i < n over the lanes, each says what those before it do: of 32 lanes there are 33 words, and not 2^32.
std::optional<Value> SymbolicInterpreter::ballot_of_conditions(Scalar s, const std::map<int, Value>& predicates) {
  Provenance& provenance = elements_.provenance();
  std::uint32_t word = 0;  // of the lanes that go ahead
  std::vector<std::pair<int, Value>> open;
  for (const auto& [lane, predicate] : predicates) {
    const Value is_set = provenance.convert(predicate, s, Scalar::kBool);
    if (is_set.is_int()) word |= static_cast<std::uint32_t>(is_set.bits != 0) << lane;
    else if (guards().is_condition(is_set)) open.emplace_back(lane, is_set);
    else return std::nullopt;
  }
  const auto says = [&](const auto& a, const auto& b) { return guards().implies(a.second, b.second, region_); };
  if (open.size() > 1 && says(open[0], open[1])) std::ranges::reverse(open);
  for (std::size_t i = 1; i < open.size(); ++i)
    if (!says(open[i], open[i - 1])) return std::nullopt;
  Value outcome = Value::integer(word);
  for (const auto& [lane, condition] : open) {
    word |= std::uint32_t{1} << lane;
    outcome = guards().chosen(condition, Value::integer(word), outcome, region_, Scalar::kU32);
  }
  return outcome;
}

std::vector<std::uint32_t> SymbolicInterpreter::warp_masks(ExprId mask) {
  only_of_blocks();
  if (by_data_ > 0) give_up("data decide which lanes come");
  std::vector<std::uint32_t> masks(static_cast<std::size_t>(threads_), 0);
  const Lanes values = eval(mask);
  for_active([&](int t) {
    const auto value = values[at(t)].is_integer() ? values[at(t)].number.value() : std::nullopt;
    if (!value) return give_up("the mask of a shuffle");
    masks[at(t)] = static_cast<std::uint32_t>(*value);
  });
  for_active([&](int t) {
    const int first = t / 32 * 32;
    bool meets = (masks[at(t)] >> (t - first) & 1) != 0;
    for (int u = first; u < std::min(threads_, first + 32); ++u)
      if ((masks[at(t)] >> (u - first) & 1) != 0 && exited_[at(u)] != kEverywhere)
        meets = meets && comes_or_exited(u, path_[at(t)]) && (!mask_[at(u)] || masks[at(u)] == masks[at(t)]);
    if (!meets) give_up("lanes that a mask names do not come");
  });
  return masks;
}

// Wherever `path` holds.
bool SymbolicInterpreter::comes_or_exited(int thread, Value path) {
  const Value comes = mask_[at(thread)] ? path_[at(thread)] : kNowhere;
  return guards().implies(path, guards().either(comes, exited_[at(thread)]), region_);
}

void SymbolicInterpreter::barrier(const Expr& e) {
  only_of_blocks();
  if (by_data_ > 0) return give_up("data decide which threads reach a barrier");
  if (e.intrinsic == Intrinsic::kSyncThreads) {
    if (threads_ < region_.warps() * 32) return give_up("a warp waits for others");
    for (int t = 0; t < threads_; ++t)
      if (!comes_or_exited(t, kEverywhere)) return give_up("a thread does not reach a barrier");
    ++epoch_;
    return;
  }
  const std::vector<std::uint32_t> masks = warp_masks(e.operands[0]);
  for (int first = 0; first < threads_ && !stopped(); first += 32) {
    std::uint32_t lanes = 0, meet = ~0u;  // all of the warp; that each that lives names
    bool any_lives = false, all_come = true;
    for (int t = first; t < std::min(threads_, first + 32); ++t) {
      lanes |= 1u << (t - first);
      if (exited_[at(t)] == kEverywhere) continue;
      any_lives = true, meet &= masks[at(t)];
      all_come = all_come && comes_or_exited(t, kEverywhere);
    }
    warp_epoch_[static_cast<std::size_t>(first / 32)] += any_lives && all_come && (meet & lanes) == lanes;
  }
}

}  // namespace swizzle
