#include "synth/provenance/lattice.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

#include "synth/base/hashes.h"

namespace swizzle {

Lattice::Function Lattice::diagram(Atom atom, Function if_false, Function if_true) {
  if (if_false == if_true) return if_true;
  const auto is_same = [&](std::uint32_t known) {
    const Diagram& d = diagrams_[known];
    return d.atom == atom && d.if_false == if_false && d.if_true == if_true;
  };
  return shared_.find_or_add(mix(mix(atom, if_false), if_true) >> 16, is_same, [&] {
    diagrams_.push_back({atom, if_false, if_true});
    return static_cast<std::uint32_t>(diagrams_.size() - 1);
  });
}

std::optional<Lattice::Function> Lattice::bounded(bool is_least, Function a, Function b) {
  most_ = std::min(diagrams_.size() + kMostOfOne, kMostDiagrams);
  const Function result = apply(is_least, a, b);
  return diagrams_.size() < most_ ? std::optional(result) : std::nullopt;
}

Lattice::Function Lattice::apply(bool is_least, Function a, Function b) {
  if (a > b) std::swap(a, b);
  const Function absorbing = is_least ? kNever : kAlways;
  if (a == b || a == absorbing) return a;
  if (a <= kAlways) return b;
  if (b == absorbing || diagrams_.size() >= most_) return absorbing;
  constexpr std::size_t kPlaces = 1 << 12;
  if (computed_.empty()) computed_.resize(kPlaces);
  const std::uint64_t operands = std::uint64_t{a} << 32 | b;
  const std::size_t at = (mix(operands, is_least ? 1 : 0) >> 32) % kPlaces;
  if (computed_[at].operands == operands && computed_[at].is_least == is_least) return computed_[at].result;
  const Diagram first = diagrams_[a], second = diagrams_[b];  // copies: what follows adds some
  const Atom atom = std::min(first.atom, second.atom);
  const auto arm = [&](bool holds) {
    const auto of = [&](const Diagram& d, Function f) {
      if (d.atom != atom) return f;
      return holds ? d.if_true : d.if_false;
    };
    return apply(is_least, of(first, a), of(second, b));
  };
  const Function if_false = arm(false), if_true = arm(true);
  const Function result = diagram(atom, if_false, if_true);
  if (diagrams_.size() < most_) computed_[at] = {operands, is_least, result};
  return result;
}

std::optional<Lattice::Function> Lattice::complement(Function f) {
  std::unordered_map<Function, Function> known{{kNever, kAlways}, {kAlways, kNever}};
  most_ = std::min(diagrams_.size() + kMostOfOne, kMostDiagrams);
  const std::function<Function(Function)> of = [&](Function g) {
    if (const auto it = known.find(g); it != known.end()) return it->second;
    if (diagrams_.size() >= most_) return kNever;
    const Diagram d = diagrams_[g];  // a copy: what follows adds some
    const Function if_false = of(d.if_false), if_true = of(d.if_true);
    return known[g] = diagram(d.atom, if_false, if_true);
  };
  const Function result = of(f);
  return diagrams_.size() < most_ ? std::optional(result) : std::nullopt;
}

std::optional<Lattice::Function> Lattice::different(Function a, Function b) {
  if (a == kNever) return b;
  if (b == kNever) return a;
  const auto not_a = complement(a), not_b = complement(b);
  if (!not_a || !not_b) return std::nullopt;
  const auto first = least(a, *not_b), second = least(*not_a, b);
  return first && second ? greatest(*first, *second) : std::nullopt;
}

// At a threshold that both or neither of a and b reach, nothing says which of them is less: there both arms must do
// the same. At any other, b is the one that reaches it if a < b, and a the one if not.
std::optional<Lattice::Function> Lattice::ordered(Function a, Function b, Function if_true, Function if_false) {
  const auto both = [&](std::optional<Function> f, std::optional<Function> g) {
    return f && g ? least(*f, *g) : std::nullopt;
  };
  const auto either = [&](std::optional<Function> f, std::optional<Function> g) {
    return f && g ? greatest(*f, *g) : std::nullopt;
  };
  const std::optional<Function> not_a = complement(a), not_b = complement(b);
  const auto alike = either(both(a, b), both(not_a, not_b));
  const auto first = both(alike, if_true), second = both(alike, if_false);
  if (!first || first != second) return std::nullopt;
  return either(both(either(not_a, b), if_true), both(both(a, not_b), if_false));
}

std::optional<Lattice::Simple> Lattice::simple(Function f) const {
  Simple found;
  bool any = false, all = false;
  while (f > kAlways) {
    const Diagram& d = diagrams_[f];
    found.atoms.push_back(d.atom);
    const bool ends = d.if_false == kNever && d.if_true == kAlways;
    if (!ends && d.if_false == kNever) all = true;
    else if (!ends && d.if_true == kAlways) any = true;
    else if (!ends) return std::nullopt;
    f = d.if_false == kNever ? d.if_true : d.if_false;
  }
  if (any && all) return std::nullopt;
  found.is_least = all;
  return found;
}

}  // namespace swizzle
