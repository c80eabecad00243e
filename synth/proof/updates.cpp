#include "synth/proof/updates.h"

#include <algorithm>
#include <map>

#include "synth/provenance/definedness.h"

namespace swizzle {
namespace {

// All that comes to one index.
struct Coming {
  std::vector<const UpdatedSymbol*> kernel, spec;
};

Value sum_of(const std::vector<const UpdatedSymbol*>& updates, const UpdatedSymbol& like, Provenance& provenance) {
  const Value none = neutral(like.ring, like.scalar);
  Value all = none;
  for (const UpdatedSymbol* update : updates) {
    const Value comes = update->where == kEverywhere
                            ? update->value
                            : provenance.select(update->where, update->value, none, like.scalar);
    all = all == none ? comes : provenance.combine(like.ring, like.scalar, all, comes);
  }
  return provenance.normalize(all);
}

}  // namespace

std::optional<Ring> ring_of_updates(Intrinsic atomic) {
  switch (atomic) {
    case Intrinsic::kAtomicAdd:
    case Intrinsic::kAtomicSub: return Ring::kSum;
    case Intrinsic::kAtomicMin: return Ring::kMin;
    case Intrinsic::kAtomicMax: return Ring::kMax;
    case Intrinsic::kAtomicOr: return Ring::kOr;
    case Intrinsic::kAtomicXor: return Ring::kXor;
    default: return std::nullopt;
  }
}

Value Elements::sum_of_turns(Ring ring, Scalar scalar, Value part) {
  const Value sum = placeholder(scalar);
  parts_of_turns_.emplace(sum.aux, part);
  rings_of_turns_.emplace(sum.aux, ring);
  return sum;
}

// Whether it is ⊕ of such sums, each of which is there once.
bool Elements::adds_up(Value v, Ring ring, Scalar scalar) {
  v = provenance_.normalize(v);
  if (v == neutral(ring, scalar)) return true;
  if (!v.is_node()) return false;
  if (const auto own = rings_of_turns_.find(v.aux); own != rings_of_turns_.end()) return own->second == ring;
  const Node n = provenance_.node(v);  // a copy: normal forms add nodes
  if (n.kind == Node::Kind::kChoice)
    return std::ranges::all_of(std::vector(n.children().begin(), n.children().end()),
                               [&](Value arm) { return adds_up(arm, ring, scalar); });
  if (n.kind != Node::Kind::kRing || n.ring != ring) return false;
  return std::ranges::all_of(std::vector(n.terms().begin(), n.terms().end()), [&](const Term& term) {
    int sums = 0;
    for (const NodeId factor : term.factors) {
      if (!has_placeholder(Value::node(factor))) continue;
      if (!adds_up(Value::node(factor), ring, scalar)) return false;
      ++sums;
    }
    return sums == 1;
  });
}

Value Elements::part_of_turn(Value v, Ring ring, Scalar scalar) {
  return adds_up(v, ring, scalar) ? with(v, 0, Polynomial(), parts_of_turns_) : Value{};
}

bool are_same_updates(const std::vector<UpdatedSymbol>& kernel, const std::vector<UpdatedSymbol>& spec,
                      Elements& elements, const SizeRegion& region) {
  std::map<std::tuple<std::size_t, Value::Kind, std::uint32_t, std::int64_t, bool>, Coming> by_index;
  const auto at = [&](const UpdatedSymbol& u) -> Coming& {
    return by_index[{u.buffer, u.index.kind, u.index.aux, u.index.bits, u.is_narrow}];
  };
  for (const UpdatedSymbol& update : kernel) at(update).kernel.push_back(&update);
  for (const UpdatedSymbol& update : spec) at(update).spec.push_back(&update);
  Guards& guards = elements.guards();
  for (const auto& [index, coming] : by_index) {
    if (coming.spec.empty()) return false;
    const UpdatedSymbol& one = *coming.spec.front();
    Value where = kNowhere;
    for (const UpdatedSymbol* update : coming.spec) where = guards.either(where, update->where);
    for (const auto* side : {&coming.kernel, &coming.spec})
      for (const UpdatedSymbol* update : *side)
        if (update->ring != one.ring || update->scalar != one.scalar || update->value.is_undefined()) return false;
    for (const UpdatedSymbol* update : coming.kernel)
      if (!guards.implies(update->where, where, region)) return false;
    const Value ours = sum_of(coming.kernel, one, elements.provenance()),
                theirs = sum_of(coming.spec, one, elements.provenance());
    const auto is_same = [&](Value a, Value b) { return are_one(elements.provenance(), a, b); };
    if (!is_same(ours, theirs) && !guards.everywhere(kEverywhere, ours, theirs, region, is_same)) return false;
  }
  return true;
}

}  // namespace swizzle
